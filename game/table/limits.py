"""How many entries a game may have, so that any game can soon be resumed.

Owns the counts of the game being played. Must not know what an entry does to the state.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from game.rules.base.message import Message, say
from game.table.entries import Entry, EntryKind, seal_in

MOST_ENTRIES = 20_000
"""Most entries of a game: 8 hours with a move each 5 s, two edits a move, make 17,280."""
MOST_MOVES = 10_000
"""Most moves of a game, with those taken back: 8 hours with a move each 3 s make 9,600."""
MOST_CHANGES = 200
"""Most changes of names, of computers, of what stands, and of each player's set-up, in one game:
a page can repeat them without end, and they must leave room for moves."""
_CHANGES = frozenset({EntryKind.NAMES, EntryKind.COMPUTERS, EntryKind.STANDS, EntryKind.SEAL})
_ALWAYS = frozenset({EntryKind.START, EntryKind.RESIGN, EntryKind.FLAG, EntryKind.DRAW})
"""They end a game, or begin the next one."""
_MOVES = EntryKind.MOVE, 0


class EntryCount:
    """Counts the entries of a game; each START begins anew."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[EntryKind, int]] = Counter()

    def add(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            if entry.kind is EntryKind.START:
                self._counts.clear()
            if entry.kind is not EntryKind.CLOCK:
                # Bounded already: one a move, and one each `clock.SAVE_S`.
                self._counts[_key(entry)] += 1

    def refusal(self, entries: Sequence[Entry]) -> Message | None:
        """Say why recorded entries are too many; None if they are not."""
        kinds = {entry.kind for entry in entries}
        if not kinds or kinds & _ALWAYS:
            return None
        after = self._counts + Counter(map(_key, entries))
        if after.total() > MOST_ENTRIES or (EntryKind.MOVE in kinds and after[_MOVES] > MOST_MOVES):
            return say("table.too_long", entries=MOST_ENTRIES, moves=MOST_MOVES)
        if any(e.kind in _CHANGES and after[_key(e)] > MOST_CHANGES for e in entries):
            return say("table.too_many_changes", most=MOST_CHANGES)
        return None


def _key(entry: Entry) -> tuple[EntryKind, int]:
    """Count entries by kind, set-ups by player too."""
    return entry.kind, seal_in(entry.text)[0] if entry.kind is EntryKind.SEAL else 0
