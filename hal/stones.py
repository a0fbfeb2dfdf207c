"""Stones that stand: raw presence, sample by sample, becomes the cells on which something stands.

Owns what counts as standing and as gone. Pure: time comes in, chips and positions are unknown here.
"""

from math import inf

from hal.events import Event, Standing

MOST_SETTLES = 4
"""After so many settling times a change is believed although others still come and go."""


class Stones:
    """Follow the stones of a board.

    A change is believed when the whole board has been quiet for settle_s: so stones that are set
    down together are told together, and a hand that passes tells nothing. What cannot be felt
    keeps the state that was believed last, and what can be felt again is told again.
    """

    def __init__(self, settle_s: float) -> None:
        self._settle_s = settle_s
        self._believed: frozenset[str] = frozenset()
        self._seen: frozenset[str] = frozenset()
        self._changed_s = -inf  # when what is seen changed last
        self._differs_s: float | None = None  # since when it is not what is believed
        self._told = False
        self._lost: frozenset[str] = frozenset()

    def update(
        self, now: float, down: frozenset[str], lost: frozenset[str] = frozenset()
    ) -> list[Event]:
        """Take what is felt at time `now`, in seconds; give the stones when they have changed.

        The first answer is what stands at the beginning, also when that is nothing.
        """
        seen = (down - lost) | (self._believed & lost)
        healed, self._lost = self._lost - lost, lost
        if seen != self._seen or healed or self._changed_s == -inf:
            self._seen, self._changed_s = seen, now
        if healed:
            self._told = False
        if self._told and seen == self._believed:
            self._differs_s = None
            return []
        if self._differs_s is None:
            self._differs_s = now
        if now < self.due():
            return []
        self._believed, self._differs_s, self._told = seen, None, True
        return [Standing(seen)]

    def due(self) -> float:
        """Give the time at which an unchanged board is believed; infinity for never."""
        if self._differs_s is None:
            return inf
        quiet_s = self._changed_s + self._settle_s
        return min(quiet_s, self._differs_s + MOST_SETTLES * self._settle_s)
