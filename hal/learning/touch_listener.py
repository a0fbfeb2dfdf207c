"""Touches of electrodes that have no name yet become answers; time comes in as `now`.

States and all transitions between them:

    listening  without hands: electrodes that stay touched are stuck -> lifting after LISTEN_S
    lifting    waits until only stuck electrodes are touched         -> ready
    ready      the next touch is an answer                           -> lifting, with the answer
"""

from enum import Enum

from hal.base.events import CellTouch
from hal.sensing import Debouncer

PRESS_S = 0.060
RELEASE_S = 0.100
LISTEN_S = 1.0
LONG_S = 5.0  # how long a touch must last to be longer than any finger's
HEAL_S = 1.0  # how long a stuck electrode must be untouched to be trusted again


class ListenerState(Enum):
    """States of the listener."""

    LISTENING = "listening"
    LIFTING = "lifting"
    READY = "ready"


class TouchListener:
    """Turns touches into answers. Electrodes are texts here, such as "A.3"."""

    def __init__(self) -> None:
        self.state = ListenerState.LISTENING
        self.stuck: frozenset[str] = frozenset()
        self._touch = Debouncer(CellTouch, press_s=PRESS_S, release_s=RELEASE_S, hold_s=LONG_S)
        self._began_s: float | None = None
        self._always: frozenset[str] = frozenset()
        self._answer: set[str] = set()
        self._answer_s = 0.0
        self._silent: dict[str, float] = {}

    @property
    def down(self) -> frozenset[str]:
        """The electrodes that are touched now, without stuck ones."""
        return self._touch.pressed - self.stuck

    @property
    def long(self) -> frozenset[str]:
        """The electrodes that have been touched for longer than any finger would."""
        return self._touch.held - self.stuck

    def update(self, now: float, pads: frozenset[str]) -> frozenset[str]:
        """Process touched electrodes at time `now`, in seconds; return an answer, mostly empty."""
        before = self._touch.pressed
        self._touch.update(now, pads)
        self._heal(now)
        match self.state:
            case ListenerState.LISTENING:
                self._listen(now, pads)
            case ListenerState.LIFTING:
                if not self.down:
                    self.state = ListenerState.READY
            case ListenerState.READY:
                return self._gather(now, pads, self._touch.pressed - before)
        return frozenset()

    def ignore_long(self) -> None:
        """Treat electrodes that are touched for too long as stuck."""
        self.stuck |= self.long

    def _heal(self, now: float) -> None:
        for pad in self.stuck:
            if pad in self._touch.pressed:
                self._silent.pop(pad, None)
            elif now >= self._silent.setdefault(pad, now) + HEAL_S:
                self.stuck -= {pad}
                del self._silent[pad]

    def _listen(self, now: float, pads: frozenset[str]) -> None:
        if self._began_s is None:
            self._began_s, self._always = now, pads
        self._always &= pads
        if now >= self._began_s + LISTEN_S:
            self.stuck = self._always
            self.state = ListenerState.LIFTING

    def _gather(self, now: float, pads: frozenset[str], fresh: frozenset[str]) -> frozenset[str]:
        """Collect an answer, and wait for a second electrode that is touched with the first."""
        if fresh - self.stuck and not self._answer:
            self._answer_s = now
        self._answer |= fresh - self.stuck
        coming = pads - self._touch.pressed - self.stuck
        if not self._answer or (coming and now < self._answer_s + PRESS_S):
            return frozenset()
        answer = frozenset(self._answer)
        self._answer.clear()
        self.state = ListenerState.LIFTING
        return answer
