"""What the Pico felt, shown to the host at the pace at which it was felt.

Owns when each state counts. A state that was held up on the line is shown late, and those after it
keep their distance, so that a touch stays as long as it was, and none is lost that came and went
while the line was repeating itself. A host that looks late makes no state after it later. Time
comes in as `now`, in seconds. Must not know the line.
"""

from collections import deque
from collections.abc import Iterable
from math import inf

from hal.coprocessor.link import Told

MOST_GAP_S = 1.0
"""A distance in time that is longer need not be kept: nothing happens in it."""
SHORT_GAP_S = 0.1
"""So much of a distance is kept however late the host looks: a touch is believed by then."""
SEEN_S = 0.04
"""The board must have looked at a state for so long before the next one counts, if that lasted.

A host that was busy meanwhile would not have seen it, or for a moment only, which it takes for a
spark. No touch needs longer to be believed (`press_ms` of a profile).
"""
MOST_WAITING = 64
"""When more states wait than that, the oldest are shown without a distance."""

_WRAP_MS = 1 << 32


class Playback:
    """Show states one by one. `told` is the present one; None until the Pico has told any."""

    def __init__(self) -> None:
        self.told: Told | None = None
        self._waiting: deque[tuple[Told, float]] = deque()
        # When the present state was to be shown, and when it was.
        self._due_s = self._shown_s = -inf
        # When the board looked last.
        self._looked_s = -inf

    def add(self, states: Iterable[Told], now: float) -> None:
        """Take states that have come by now, oldest first."""
        self._waiting.extend((each, now) for each in states)

    def advance(self, now: float) -> bool:
        """Show the next state if it is due; tell whether there is a new one."""
        looked_s, self._looked_s = self._looked_s, now
        if not self._waiting or now < self._due():
            return False
        if not self._crowded and looked_s < self._shown_s + min(self._gap_s(), SEEN_S):
            return False
        due_s = self._planned()
        self.told, came_s = self._waiting.popleft()
        self._due_s, self._shown_s = max(due_s, came_s), now
        return True

    def due(self) -> float:
        """Give when `advance` next has something to do; infinity for never."""
        return self._due() if self._waiting else inf

    def clear(self) -> None:
        """Forget everything, as when the line was down."""
        self.told = None
        self._waiting.clear()
        self._due_s = self._shown_s = -inf

    @property
    def _crowded(self) -> bool:
        return self.told is None or len(self._waiting) > MOST_WAITING

    def _due(self) -> float:
        if self._crowded:
            return -inf
        return max(self._planned(), self._shown_s + min(self._gap_s(), SHORT_GAP_S))

    def _planned(self) -> float:
        return self._due_s + min(self._gap_s(), MOST_GAP_S)

    def _gap_s(self) -> float:
        """Give how long after the present state the next one was felt."""
        if self.told is None:
            return 0.0
        return (self._waiting[0][0].state.time_ms - self.told.state.time_ms) % _WRAP_MS / 1000
