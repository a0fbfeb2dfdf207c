"""A journal that is wrong on purpose, so that the test of kills is seen to fail."""

from collections.abc import Sequence

from game.rules.base.values import Outcome
from game.store import Journal
from game.table.entries import Entry


class LyingJournal(Journal):
    """Say that all is on disk at once, and write a moment later."""

    _late: tuple[Sequence[Entry], Outcome | None, float] | None = None

    @property
    def settled(self) -> bool:
        return True

    def append(self, entries: Sequence[Entry], outcome: Outcome | None, now: float) -> None:
        if self._late is not None:
            super().append(*self._late)
        self._late = (entries, outcome, now)
