"""The key that switches the board off when it is held: what a press means, and what is seen of it.

Owns that state machine, without I/O: time comes in. Must not know who ends the program, nor what
switching off is on this computer. A key goes through these states:

    fresh   since the start: what presses it now may be stuck   -> idle when it is up after READY_S
    idle                                                        -> held when it is pressed
    held    the lights go out one by one                        -> off after HOLD_S, else idle when
                                                                   it is let go or cannot be felt
    off     for good
"""

import logging
from collections.abc import Sequence
from enum import Enum
from math import inf

from game.app import log_messages
from game.rules.message import Message, say
from hal.colour import DARK, WHITE
from hal.light import Glow, Layer
from hal.rhythm import FRAMES_PER_S

log = logging.getLogger(__name__)

KEY = "shutdown"
"""The name of the key in a profile."""
HOLD_S = 3.0
"""How long it must be held."""
READY_S = 2.0
"""So long after the start a key that is down counts as stuck, until it was up."""
GAP_S = 0.25
"""No two looks count for more of a hold than this: nobody knows what was in between."""
NOTICE_S = 6.0
"""How long it is told, after a short touch, what the key is for."""

_OUT, _FRONT = Glow(DARK), Glow(WHITE)


class Hold(Enum):
    """Name the states of the key."""

    FRESH = "fresh"
    IDLE = "idle"
    HELD = "held"
    OFF = "off"


class PowerKey:
    """Follow one key. `hold` is its state; `share` is how much of a hold is done, 0 to 1."""

    def __init__(self) -> None:
        self.hold = Hold.FRESH
        self._first_s: float | None = None
        self._looked_s = 0.0
        self._held_s = 0.0
        self._told_until_s = -inf
        self._stuck = False

    def look(self, pressed: bool, now: float) -> None:
        """Take whether the key is pressed at time `now`, in seconds; in every step."""
        if self._first_s is None:
            self._first_s = self._looked_s = now
        gone_s, self._looked_s = min(max(0.0, now - self._looked_s), GAP_S), now
        match self.hold:
            case Hold.FRESH if not pressed and now >= self._first_s + READY_S:
                self.hold = Hold.IDLE
            case Hold.FRESH if pressed and not self._stuck:
                self._stuck = True
                log.warning("the key %s is down since the start: it counts when it was up", KEY)
            case Hold.IDLE if pressed:
                self.hold, self._held_s = Hold.HELD, 0.0
                self._told_until_s = now + NOTICE_S
            case Hold.HELD if not pressed:
                self.hold, self._held_s = Hold.IDLE, 0.0
                self._told_until_s = now + NOTICE_S
            case Hold.HELD:
                self._held_s += gone_s
                if self._held_s >= HOLD_S:
                    self.hold = Hold.OFF
                    log.info(
                        "the key %s was held for %g s: switching off",
                        KEY,
                        HOLD_S,
                        extra=log_messages.SWITCHED_OFF.extra(),
                    )

    @property
    def share(self) -> float:
        """How much of a hold is done, 0 to 1."""
        return 1.0 if self.hold is Hold.OFF else self._held_s / HOLD_S

    @property
    def notice(self) -> Message | None:
        """What there is to tell of the key at its last look."""
        if self.hold is Hold.OFF:
            return say("power.off")
        if self.hold is Hold.HELD or self._looked_s < self._told_until_s:
            return say("power.hold", seconds=int(HOLD_S))
        return None

    def due(self) -> float:
        """Return when there is something to do without a new touch; infinity for never."""
        if self.hold is Hold.HELD:
            return self._looked_s + min(1 / FRAMES_PER_S, max(0.001, HOLD_S - self._held_s))
        if self.hold is Hold.IDLE and self._looked_s < self._told_until_s:
            return self._told_until_s
        return inf


def going_out(share: float, spots: Sequence[str]) -> Layer:
    """Give the layer that covers all others while the key is held: spots go dark one by one.

    The next one is white, so that it is seen on a board that is dark anyway.
    """
    dark = int(share * len(spots))
    layer = dict.fromkeys(spots[:dark], _OUT)
    layer.update(dict.fromkeys(spots[dark : dark + 1], _FRONT))
    return layer
