"""Electrodes that behave unlike a finger: they flap, or stay touched."""

from collections import deque
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
    """Watches raw touches of cells. `holds_count`: long holds are faults, as on touch boards."""

    def __init__(self, *, holds_count: bool) -> None:
        self._holds_count = holds_count
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
        if self._holds_count:
            for spot, since_s in self._down.items():
                if now >= since_s + LONG_S:
                    odd.setdefault(spot, Trouble.STUCK)
        return odd

    def due(self, now: float) -> float:
        """Return the next time, after `now`, at which an unchanged board changes its result."""
        times = [last_s + QUIET_S for last_s in self._flapping.values()]
        if self._holds_count:
            times += [since_s + LONG_S for since_s in self._down.values()]
        return min((time for time in times if time > now), default=inf)
