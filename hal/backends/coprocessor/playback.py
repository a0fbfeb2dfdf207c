"""States of the Pico, shown to the host at the pace at which they were measured.

A state that the line has delayed is shown late, and those after it at the same distances: a touch
lasts as long as it did, and none is lost that came and went while the line repeated itself. Where
the host polls late, states after that are not delayed. Time comes in as `now`, in seconds.
"""

from collections import deque
from collections.abc import Iterable
from math import inf

from hal.backends.coprocessor.client import Report

MOST_GAP_S = 1.0
"""A distance in time that is longer need not be kept: nothing happens in it."""
SEEN_S = 0.045
"""This much of a distance is kept however late the host polls, and each state is shown for as long:
a touch that is seen for less counts as noise (`press_ms` of a profile)."""
LATE_S = 0.25
"""A state this late, though the host has polled all the time, is shown at once: one cell that
flickers would make all others later and later.
"""
STEP_S = 0.05
"""The most that a pause between two polls adds to that."""
MOST_WAITING = 128
"""Limits the waiting states; the oldest are dropped."""

_WRAP_MS = 1 << 32


class Playback:
    """Show states one by one. `current` is the present one; None until the Pico has told any."""

    def __init__(self) -> None:
        self.current: Report | None = None
        # Each with the time at which it came, by the clock and in looked-at time.
        self._waiting: deque[tuple[Report, float, float]] = deque(maxlen=MOST_WAITING)
        # When the present state was to be shown, and when it was.
        self._planned_s = self._shown_s = -inf
        # When the board looked last, and how long it has looked at all: a pause counts little.
        self._looked_s = -inf
        self._patient_s = 0.0

    def add(self, states: Iterable[Report], now: float) -> None:
        """Take states that have come by now, oldest first."""
        self._waiting.extend((each, now, self._patient_s) for each in states)

    def advance(self, now: float) -> bool:
        """Show the next state if it is due, and before it all that are late; tell whether any."""
        looked_s, self._looked_s = self._looked_s, now
        self._patient_s += max(0.0, min(now - looked_s, STEP_S))
        late = False
        while self._waiting and self._is_late():
            self._show(now)
            late = True
        if late or not self._waiting or now < self._due() or looked_s < self._seen():
            return late
        self._show(now)
        return True

    def due(self) -> float:
        """Give when `advance` next has something to do; infinity for never."""
        if not self._waiting:
            return inf
        return self._due()

    def clear(self) -> None:
        """Forget everything, as when the line was down."""
        self.current = None
        self._waiting.clear()
        self._planned_s = self._shown_s = -inf

    def _show(self, now: float) -> None:
        self._planned_s, self._shown_s = self._planned(), now
        self.current, _, _ = self._waiting.popleft()

    def _due(self) -> float:
        """Give when the next state is due."""
        return -inf if self.current is None else max(self._planned(), self._seen())

    def _planned(self) -> float:
        """Give when the next state should count: at its distance, or a little sooner to catch up.

        Never before it came.
        """
        return max(self._waiting[0][1], self._planned_s + min(0.9 * self._gap_s(), MOST_GAP_S))

    def _is_late(self) -> bool:
        _, came_s, came_patient_s = self._waiting[0]
        return self._patient_s - came_patient_s >= LATE_S + self._planned() - came_s

    def _seen(self) -> float:
        """Give until when the present state must be seen; a little is left to catch up by."""
        return self._shown_s + min(0.6 * self._gap_s(), SEEN_S)

    def _gap_s(self) -> float:
        """Give how long after the present state the next one was felt."""
        if self.current is None:
            return 0.0
        return (self._waiting[0][0].state.time_ms - self.current.state.time_ms) % _WRAP_MS / 1000
