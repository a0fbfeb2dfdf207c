"""Games on disk: the data stored for each, and how it is read and written.

Lines are on disk when `begin` or `append` return. `game_writer` handles a file that cannot be used.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias

from game.common import Cause, StoreError
from game.rules.base.errors import RulesError
from game.rules.base.values import Outcome
from game.store.games_file import (
    FILE,
    checksum,
    make_folder,
    make_private,
    open_read_only,
    open_writable,
    store_errors,
)
from game.table.entries import (
    ENDED_BY_PLAYERS,
    Entry,
    EntryKind,
    computers_in,
    names_in,
    options_in,
)
from hal.base.schema import Struct

LOCK = "lifeboard.lock"
"""The lock file of the one process that plays with a folder's games."""
BOARD, IMPORT = "board", "import"
"""Where a game comes from: played here, or its record was imported."""
ROOM = "room "
"""The source of a game shared with another board, before the room's name; listed as BOARD."""
DELETED = "deleted"
"""The source of a deleted game, whose row stays without lines: no other game gets its number."""
DECIDING = (EntryKind.RESIGN, EntryKind.DRAW, EntryKind.FLAG)
"""The entries by which players end a game without a move."""
_MOVED = "EXISTS (SELECT 1 FROM entries WHERE game_id = id AND kind = 'move')"
_UNFINISHED = f"""
reason IS NULL AND {_MOVED}
    AND id IN (SELECT max(id) FROM games WHERE source = '{BOARD}' GROUP BY game)
"""
_ENDINGS = tuple(kind.value for kind in DECIDING)
_LAST = ("move", "set_up", *_ENDINGS)
"""The kinds of a game's last entry; what is noted after its end is for the next game."""


def _last(kind: str) -> str:
    """Return the query for a game's last text of a kind, without texts after the game's end."""
    return f"""(
        SELECT text FROM entries WHERE game_id = id AND kind = '{kind}' AND (reason IS NULL
            OR seq < (SELECT max(seq) FROM entries WHERE game_id = id
                AND kind IN {_LAST}))
        ORDER BY seq DESC LIMIT 1)"""


# A take-back undoes a move, or an end by the players, which may be the last entry.
_GAMES = f"""
SELECT id, game, CASE WHEN source LIKE '{ROOM}%' THEN '{BOARD}' ELSE source END, started, ended,
    winner, reason, coalesce(max(played_s), 0), coalesce(max(kind = 'set_up'), 0),
    coalesce(sum((kind = 'move') - (kind = 'take_back') + (kind IN {_ENDINGS})), 0)
        - (coalesce(reason, '') IN {ENDED_BY_PLAYERS}),
    {_UNFINISHED}, max(CASE kind WHEN 'start' THEN text END), {_last("names")}, {_last("computers")}
FROM games LEFT JOIN entries ON game_id = id
WHERE source IS NOT '{DELETED}' AND {{where}} GROUP BY id ORDER BY id {{end}}
"""
_LINES = "SELECT seq, kind, text, at, played_s, crc FROM entries WHERE game_id = ? ORDER BY seq"


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One entry with its time: `at` is UTC in ISO form with milliseconds, by the wall clock.

    `played_s` is how long the game had been played by then; it never falls within a game.
    """

    entry: Entry
    at: str
    played_s: float


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended: `winner` is a player's number or None for a draw; `reason` may be ""."""

    winner: int | None
    reason: str = ""


_End: TypeAlias = Outcome | Result | None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """One game without its lines; `ended` and `reason` are None while the game is not over.

    `names` and `computers` are those at its end, as in a `Record`. If it `resumes`, choosing
    that kind of game continues it. Damaged fields are empty.
    """

    number: int
    game: str
    source: str
    started: str
    ended: str | None
    winner: int | None
    reason: str | None
    played_s: float
    is_set_up: bool
    plies: int
    resumes: bool
    options: Mapping[str, str]
    names: tuple[str, ...]
    computers: tuple[str, ...]


class Store:
    """The games of one data folder, which other processes may have too; one thread at a time."""

    def __init__(self, folder: Path, *, read_only: bool = False, name: str = FILE) -> None:
        """Open the file; create it unless read-only; raises StoreError."""
        self.file = folder / name
        with store_errors(self.file, "opened"):
            if not read_only:
                make_folder(folder)
            self._db = (open_read_only if read_only else open_writable)(self.file)

    def games(self, game: str | None = None) -> list[StoredGame]:
        """List the games, of one name or of all, the newest last; raises StoreError."""
        return self._list("(?1 IS NULL OR game = ?1)", game)

    def game(self, number: int) -> StoredGame:
        """Return one game without its lines; raises StoreError."""
        found = self._list("id = ?", number)
        if not found:
            raise self._no_game(number)
        return found[0]

    def played(self, before: int, most: int) -> list[StoredGame]:
        """List games with a move below a number, the newest first; raises StoreError."""
        return self._list(f"id < ? AND {_MOVED}", before, most, end="DESC LIMIT ?")

    def ended(self, game: str, most: int) -> list[StoredGame]:
        """List games of a name that ended here, the newest first; raises StoreError."""
        where = f"game = ? AND source = '{BOARD}' AND reason IS NOT NULL"
        return self._list(where, game, most, end="DESC LIMIT ?")

    def unfinished(self) -> frozenset[str]:
        """Return the names of the games that go on when they are chosen; raises StoreError."""
        rows = self._read(f"SELECT game FROM games WHERE {_UNFINISHED}")
        return frozenset(name for (name,) in rows)

    def delete(self, number: int) -> None:
        """Delete a game's lines, and remove it from lists; raises StoreError."""
        with self._writing() as db:
            db.execute("DELETE FROM entries WHERE game_id = ?", (number,))
            db.execute("UPDATE games SET source = ? WHERE id = ?", (DELETED, number))

    def lines(self, number: int) -> list[JournalLine]:
        """Return a game's lines in order; raises StoreError, also for a line that was changed."""
        lines: list[JournalLine] = []
        with store_errors(self.file, "read"):
            for seq, *values, crc in self._db.execute(_LINES, (number,)):
                if seq != len(lines):
                    raise ValueError(f"line {len(lines) + 1} of game {number} is missing")
                if crc != checksum(number, seq, *values):
                    raise ValueError(f"line {seq + 1} of game {number} is not as written")
                kind, text, at, played_s = values
                lines.append(JournalLine(Entry(EntryKind(kind), text), at, played_s))
        if not lines:
            self._require(number)
        return lines

    def newest(self, game: str, source: str = BOARD) -> int | None:
        """Return the number of the newest game of a name and source; raises StoreError."""
        ((number,),) = self._read(
            "SELECT max(id) FROM games WHERE game = ? AND source = ?", game, source
        )
        return None if number is None else int(number)

    def begin(self, game: str, source: str, lines: Sequence[JournalLine], outcome: _End) -> int:
        """Write a new game with its first lines, all or none, and return its number."""
        with self._writing() as db:
            cursor = db.execute(
                "INSERT INTO games (game, started, source) VALUES (?, ?, ?)",
                (game, lines[0].at, source),
            )
            number = int(cursor.lastrowid or 0)
            self._insert(number, lines, outcome)
        return number

    def append(self, number: int, lines: Sequence[JournalLine], outcome: _End) -> None:
        """Write more lines of a game, all or none; the time of an earlier end stays."""
        self._require(number)
        with self._writing():
            self._insert(number, lines, outcome)

    def check(self) -> None:
        """Check the whole file; raises StoreError if it is damaged."""
        with store_errors(self.file, "read"):
            (result,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
            if result != "ok":
                raise ValueError(str(result).replace("\n", " "))

    def checkpoint(self) -> None:
        """Move the log's pages into the file, as far as readers let it; raises StoreError."""
        with store_errors(self.file, "written"):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def copy_to(self, file: Path) -> None:
        """Write all games to a file that needs no log beside it; raises StoreError."""
        with store_errors(file, "written"):
            file.unlink(missing_ok=True)
            make_private(file)
            with closing(sqlite3.connect(file)) as copy:
                self._db.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE").fetchone()

    def close(self) -> None:
        """Close the file, which also empties its log where the disk allows it."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with store_errors(self.file, "written"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _insert(self, number: int, lines: Sequence[JournalLine], outcome: _End) -> None:
        (first,) = self._db.execute(
            "SELECT coalesce(max(seq) + 1, 0) FROM entries WHERE game_id = ?", (number,)
        ).fetchone()
        for seq, line in enumerate(lines, first):
            row = (number, seq, line.entry.kind.value, line.entry.text, line.at, line.played_s)
            self._db.execute(
                "INSERT INTO entries (game_id, seq, kind, text, at, played_s, crc)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, checksum(*row)),
            )
        ended = [each.at for each in lines if each.entry.kind.value in _LAST] or [lines[-1].at]
        end = (ended[-1], outcome.winner, outcome.reason) if outcome else (None, None, None)
        self._db.execute(
            # A move that does not end the game does not write this row's page.
            "UPDATE games SET ended = CASE WHEN ?1 IS NULL THEN NULL ELSE coalesce(ended, ?1) END,"
            " winner = ?2, reason = ?3"
            " WHERE id = ?4 AND (winner IS NOT ?2 OR reason IS NOT ?3)",
            (*end, number),
        )

    def _list(self, where: str, *values: object, end: str = "") -> list[StoredGame]:
        return [_stored(*row) for row in self._read(_GAMES.format(where=where, end=end), *values)]

    def _read(self, query: str, *values: object) -> list[Any]:
        with store_errors(self.file, "read"):
            return self._db.execute(query, values).fetchall()

    def _require(self, number: int) -> None:
        if not self._read("SELECT 1 FROM games WHERE id = ?", number):
            raise self._no_game(number)

    def _no_game(self, number: int) -> StoreError:
        numbers = [each.number for each in self.games()]
        allowed = f"{numbers[0]} - {numbers[-1]}" if numbers else "none, no game is stored yet"
        return StoreError(
            f"game {number} is not in games file {self.file}; allowed: {allowed}", Cause.UNKNOWN
        )


def delete_game(folder: Path, number: int) -> None:
    """Delete a game that is not being played; a journal may write another. Raises StoreError.

    The game stays in the last backup until the next one, and comes back if that one is used.
    """
    with Store(folder, read_only=True) as store:
        store.game(number)  # writing to a file that is missing would make a new one
    with Store(folder) as store:
        store.delete(number)


def _stored(*row: Any) -> StoredGame:
    *head, is_set_up, plies, resumes, start, names, computers = row
    options = _parsed(options_in, start) or {}
    names, computers = _parsed(names_in, names) or (), _parsed(computers_in, computers) or ()
    known = [each if any(each) else () for each in (names, computers)]
    return StoredGame(*(*head, bool(is_set_up), plies, bool(resumes), options, *known))


def _parsed(parse: Callable[[str], Any], text: str | None) -> Any:
    try:
        return None if text is None else parse(text)
    except (RulesError, RecursionError):
        return None
