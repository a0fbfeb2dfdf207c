"""The key that switches the board off when it is held: its states, its message and its lights."""

import logging
from collections.abc import Mapping
from enum import Enum
from math import inf

from game.rules.base.message import Message, say
from hal.lights import DARK, FRAMES_PER_S, WHITE, Glow, Layer

log = logging.getLogger(__name__)

SHUTDOWN_KEY = "shutdown"
HOLD_S = 3.0  # How long it must be held
READY_S = 2.0  # How long after the start a pressed key counts as stuck, until it is released once
NOTICE_S = 6.0  # How long the hint about holding the key is shown after a short press

_OUT, _FRONT = Glow(DARK), Glow(WHITE)


class HoldState(Enum):
    """States of the key that switches off when it is held, and all transitions between them.

    fresh   since the start: the key may be stuck           -> idle when it is up after READY_S
    idle                                                    -> held when it is pressed
    held    the lights go out one by one                    -> off after HOLD_S, else idle when
                                                               it is released or not sensed
    off     for good
    """

    FRESH = "fresh"
    IDLE = "idle"
    HELD = "held"
    OFF = "off"


class PowerKey:
    """Follow one key; `hold` is its state, and `notice` the message about it to show."""

    def __init__(self) -> None:
        self.hold = HoldState.FRESH
        self.notice: Message | None = None
        self.share = 0.0  # The elapsed part of a hold, 0 to 1
        self._until_s = inf  # The end of what the state or the notice waits for

    def update(self, pressed: bool, now: float) -> None:
        """Update the state at time `now`, in seconds; call it at every step.

        While the key is idle without a notice, nothing changes until it is pressed.
        """
        over = now >= self._until_s
        match self.hold:
            case HoldState.FRESH if self._until_s == inf:
                self._until_s = now + READY_S
            case HoldState.FRESH if not pressed and over:
                self.hold, self._until_s = HoldState.IDLE, inf
            case HoldState.IDLE if pressed:
                self.hold, self._until_s = HoldState.HELD, now + HOLD_S
                self.notice = say("power.hold", seconds=int(HOLD_S))
            case HoldState.IDLE if over:
                self.notice, self._until_s = None, inf
            case HoldState.HELD if not pressed:
                self.hold, self._until_s = HoldState.IDLE, now + NOTICE_S
            case HoldState.HELD if over:
                self.hold, self.notice = HoldState.OFF, say("power.off")
                log.info("the key %s was held for %g s: switching off", SHUTDOWN_KEY, HOLD_S)
        held_s = now + HOLD_S - self._until_s if self.hold is HoldState.HELD else 0.0
        self.share = 1.0 if self.hold is HoldState.OFF else held_s / HOLD_S

    def due(self, now: float) -> float:
        """Return when the next step is due without a new press; infinity for never."""
        if self.hold is HoldState.HELD:
            return min(now + 1 / FRAMES_PER_S, self._until_s)
        return self._until_s if self.hold is not HoldState.OFF and now < self._until_s else inf


def shutdown_layer(share: float, pixels: Mapping[str, int]) -> Layer:
    """Return the layer that covers all others: spots go dark one by one, the next is white."""
    spots = sorted(pixels, key=pixels.__getitem__)
    dark = int(share * len(spots))
    layer = dict.fromkeys(spots[:dark], _OUT)
    layer.update(dict.fromkeys(spots[dark : dark + 1], _FRONT))
    return layer
