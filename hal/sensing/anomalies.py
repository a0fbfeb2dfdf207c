"""Electrodes that behave unlike a finger: they flap, or stay touched."""

from collections import deque
from collections.abc import Set
from math import inf

from hal.base.faults import Trouble

FLAPS = 10
WINDOW_S = 1.0
"""FLAPS touches of one cell within WINDOW_S are not made by a finger (fast ones make seven)."""
QUIET_S = 2.0
"""How long a flapping cell must be untouched to be trusted again."""
LONG_S = 30.0
"""A longer touch is reported as stuck."""


class TouchAnomalies:
    """Watches raw touches of spots; on `lasting` ones a touch may last, as a stone does."""

    def __init__(self, lasting: Set[str]) -> None:
        self._lasting = lasting
        self._down: dict[str, float] = {}
        self._rises: dict[str, deque[float]] = {}
        self._flapping: dict[str, float] = {}

    def update(self, now: float, down: frozenset[str]) -> dict[str, Trouble]:
        """Process the touched spots at time `now`, in seconds; return those not to be trusted."""
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
        for spot in self._down.keys() - self._lasting:
            if now >= self._down[spot] + LONG_S:
                odd.setdefault(spot, Trouble.STUCK)
        return odd

    def due(self, now: float) -> float:
        """Return the next time, after `now`, at which an unchanged board changes its result."""
        times = [last_s + QUIET_S for last_s in self._flapping.values()]
        times += [self._down[spot] + LONG_S for spot in self._down.keys() - self._lasting]
        return min((time for time in times if time > now), default=inf)
