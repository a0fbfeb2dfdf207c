"""Replays the Pico's states to the host at the pace at which they were measured.

A host that polls late still sees each for nearly its time, so that no short touch is lost.
"""

from collections import deque
from collections.abc import Iterable
from math import inf

from hal.backends.coprocessor.client import Report

SHARE = 0.9
"""A state is shown for at least this share of its duration; the rest lets a late host catch up."""
SEEN_S = 0.1
"""No state needs to be shown for longer: debouncing accepts a touch or a release sooner."""
MOST_WAITING = 32
"""Limits the waiting states, so that a flickering cell cannot cause a long delay."""

_WRAP_MS = 1 << 32


class Playback:
    """Show states one by one. `current` is the present one; None before the first report."""

    def __init__(self) -> None:
        self.current: Report | None = None
        self._waiting: deque[Report] = deque(maxlen=MOST_WAITING)
        self._shown_s = self._looked_s = -inf

    def add(self, states: Iterable[Report]) -> None:
        """Add states that have arrived, oldest first."""
        self._waiting.extend(states)

    def advance(self, now: float) -> bool:
        """Show the next state if it is due; return whether it was due."""
        looked_s, self._looked_s = self._looked_s, now
        # After a delay the host sees the present state once more before the next one.
        if now < self.due() or looked_s < self._seen_s():
            return False
        self.current, self._shown_s = self._waiting.popleft(), now
        return True

    def due(self) -> float:
        """Return when `advance` is next due; infinity for never."""
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
