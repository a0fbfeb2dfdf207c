"""Presence sensing: raw samples become the cells on which a stone stands."""

from dataclasses import dataclass
from math import inf

from hal.base.events import Event, Standing

MOST_SETTLES = 4
"""After this many settling times a change counts even if samples still change."""


@dataclass(slots=True)
class PresenceFilter:
    """Follows the stones of a board, and accepts a change once all has been steady for settle_s.

    Cells that cannot be sensed keep their state, and are reported again once they can.
    """

    settle_s: float
    _believed: frozenset[str] = frozenset()
    _seen: frozenset[str] = frozenset()
    _changed_s: float = -inf  # time of the last change of samples
    _differs_s: float | None = None  # since when samples differ from the reported stones
    _reported: bool = False
    _lost: frozenset[str] = frozenset()

    def update(
        self, now: float, down: frozenset[str], lost: frozenset[str] = frozenset()
    ) -> list[Event]:
        """Process the touched cells at `now`; return the stones at first, and if they changed."""
        seen = (down - lost) | (self._believed & lost)
        healed, self._lost = self._lost - lost, lost
        if seen != self._seen or healed or self._changed_s == -inf:
            self._seen, self._changed_s = seen, now
        if healed:
            self._reported = False
        if self._reported and seen == self._believed:
            self._differs_s = None
            return []
        if self._differs_s is None:
            self._differs_s = now
        if now < self.due():
            return []
        self._believed, self._differs_s, self._reported = seen, None, True
        return [Standing(seen)]

    def due(self) -> float:
        """Return the time at which the present samples are accepted; infinity for never."""
        if self._differs_s is None:
            return inf
        quiet_s = self._changed_s + self.settle_s
        return min(quiet_s, self._differs_s + MOST_SETTLES * self.settle_s)
