"""A journal and a table that are wrong on purpose, so that the test of kills is seen to fail."""

from collections.abc import Sequence

from game.rules.base.values import Outcome
from game.rules.circle_of_life import GAME
from game.store.journal.journal import Journal
from game.table.book import Entries
from game.table.entries import Entry
from game.table.inputs import Input, StonesChanged, Touched
from game.table.table import Table

_ACROSS = dict(zip(GAME.board.cells, reversed(GAME.board.cells), strict=True))


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


class InventiveTable(Table):
    """Take every cell for the one across the middle."""

    def handle(self, event: Input, now: float) -> Entries:
        if isinstance(event, Touched):
            event = Touched(_ACROSS.get(event.spot, event.spot))
        elif isinstance(event, StonesChanged):
            event = StonesChanged(frozenset(_ACROSS[cell] for cell in event.cells))
        return super().handle(event, now)


FLAWS: dict[str, type[Journal] | type[Table]] = {
    "lying journal": LyingJournal,
    "inventive table": InventiveTable,
}
