"""Electrodes that behave as no finger does: they flap, or never let go.

Owns what is too fast and too long. Pure: time comes in, chips and play are unknown here.
"""

from collections import deque
from math import inf

from hal.faults import Trouble

FLAPS = 10
WINDOW_S = 1.0
"""So many touches of one cell within this time are made by no finger (fast ones make seven)."""
QUIET_S = 2.0
"""How long a flapping cell must be silent to be believed again."""
LONG_S = 30.0
"""A touch this long is no touch any more."""


class Oddities:
    """Watch raw touches of cells. `holds_count` is for boards on which touches are moments."""

    def __init__(self, *, holds_count: bool) -> None:
        self._holds_count = holds_count
        self._down: dict[str, float] = {}
        self._rises: dict[str, deque[float]] = {}
        self._flapping: dict[str, float] = {}

    def update(self, now: float, down: frozenset[str]) -> dict[str, Trouble]:
        """Take what is down at time `now`, in seconds, and give the cells that are odd now."""
        for spot in down - self._down.keys():
            self._down[spot] = now
            rises = self._rises.setdefault(spot, deque(maxlen=FLAPS))
            rises.append(now)
            if spot in self._flapping or (len(rises) == FLAPS and now - rises[0] <= WINDOW_S):
                self._flapping[spot] = now
        for spot in self._down.keys() - down:
            del self._down[spot]
        for spot, last_s in list(self._flapping.items()):
            if now >= last_s + QUIET_S and spot not in down:
                del self._flapping[spot], self._rises[spot]
        odd = dict.fromkeys(self._flapping, Trouble.FLAPPING)
        if self._holds_count:
            for spot, since_s in self._down.items():
                if now >= since_s + LONG_S:
                    odd.setdefault(spot, Trouble.STUCK)
        return odd

    def due(self, now: float) -> float:
        """Give the next time, after `now`, at which an unchanged board becomes odd or sound."""
        times = [last_s + QUIET_S for last_s in self._flapping.values()]
        if self._holds_count:
            times += [since_s + LONG_S for since_s in self._down.values()]
        return min((time for time in times if time > now), default=inf)
