"""States of the Pico, shown to the host at the pace at which they were measured.

Where the host looks late, each state is shown nearly for as long as it lasted, so that no touch is
lost that came and went meanwhile. Time comes in as `now`, in seconds.
"""

from collections import deque
from collections.abc import Iterable
from math import inf

from hal.backends.coprocessor.client import Report

SHARE = 0.9
"""How much of the time that a state lasted it is shown at least; the rest is to catch up by."""
SEEN_S = 0.1
"""No state needs to be shown for longer: touch and pause are believed sooner."""
MOST_WAITING = 32
"""Limits the waiting states, so that a cell that flickers makes nothing late for long."""

_WRAP_MS = 1 << 32


class Playback:
    """Show states one by one. `current` is the present one; None until the Pico has told any."""

    def __init__(self) -> None:
        self.current: Report | None = None
        self._waiting: deque[Report] = deque(maxlen=MOST_WAITING)
        self._shown_s = self._looked_s = -inf

    def add(self, states: Iterable[Report]) -> None:
        """Take states that have come, oldest first."""
        self._waiting.extend(states)

    def advance(self, now: float) -> bool:
        """Show the next state if it is due; tell whether it was."""
        looked_s, self._looked_s = self._looked_s, now
        # A host that was held up looks once more at a state before the next one takes its place.
        if now < self.due() or looked_s < self._seen_s():
            return False
        self.current, self._shown_s = self._waiting.popleft(), now
        return True

    def due(self) -> float:
        """Return when `advance` next has something to do; infinity for never."""
        return self._seen_s() if self._waiting else inf

    def clear(self) -> None:
        """Forget everything, as when the line was down."""
        self.current = None
        self._waiting.clear()
        self._shown_s = -inf

    def _seen_s(self) -> float:
        """Return until when the present state must be shown."""
        if self.current is None or not self._waiting:
            return -inf
        lasted_ms: int = (self._waiting[0].state.time_ms - self.current.state.time_ms) % _WRAP_MS
        return self._shown_s + min(SHARE * lasted_ms / 1000, SEEN_S)
