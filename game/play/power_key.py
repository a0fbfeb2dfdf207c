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
GAP_S = 0.25  # The most that one step adds to a hold: the key is unobserved between steps
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
        self._updated_s = self._ready_s = -inf
        self._held_s = 0.0
        self._shown_until_s = -inf

    def update(self, pressed: bool, now: float) -> None:
        """Update the state at time `now`, in seconds; call it at every step.

        While the key is idle without a notice, nothing changes until it is pressed.
        """
        if self._ready_s == -inf:
            self._ready_s = now + READY_S
        gone_s, self._updated_s = min(max(0.0, now - self._updated_s), GAP_S), now
        match self.hold:
            case HoldState.FRESH if not pressed and now >= self._ready_s:
                self.hold = HoldState.IDLE
            case HoldState.IDLE if pressed:
                self.hold, self._held_s = HoldState.HELD, 0.0
                self._shown_until_s = now + NOTICE_S
            case HoldState.HELD if not pressed:
                self.hold, self._held_s = HoldState.IDLE, 0.0
                self._shown_until_s = now + NOTICE_S
            case HoldState.HELD:
                self._held_s += gone_s
                if self._held_s >= HOLD_S:
                    self.hold = HoldState.OFF
                    log.info("the key %s was held for %g s: switching off", SHUTDOWN_KEY, HOLD_S)
        self.notice = self._message()

    @property
    def share(self) -> float:
        """The elapsed part of a hold, 0 to 1."""
        return 1.0 if self.hold is HoldState.OFF else self._held_s / HOLD_S

    def _message(self) -> Message | None:
        if self.hold is HoldState.OFF:
            return say("power.off")
        if self.hold is HoldState.HELD or self._updated_s < self._shown_until_s:
            return say("power.hold", seconds=int(HOLD_S))
        return None

    def due(self) -> float:
        """Return when the next step is due without a new press; infinity for never."""
        if self.hold is HoldState.FRESH and self._updated_s < self._ready_s:
            return self._ready_s
        if self.hold is HoldState.HELD:
            return self._updated_s + min(1 / FRAMES_PER_S, max(0.001, HOLD_S - self._held_s))
        if self.hold is HoldState.IDLE and self._updated_s < self._shown_until_s:
            return self._shown_until_s
        return inf


def shutdown_layer(share: float, pixels: Mapping[str, int]) -> Layer:
    """Return the layer that covers all others: spots go dark one by one, the next is white."""
    spots = sorted(pixels, key=pixels.__getitem__)
    dark = int(share * len(spots))
    layer = dict.fromkeys(spots[:dark], _OUT)
    layer.update(dict.fromkeys(spots[dark : dark + 1], _FRONT))
    return layer
