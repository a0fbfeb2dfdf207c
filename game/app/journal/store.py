"""Games on disk: a small SQLite file, and what is kept of each.

Owns what is kept of a game, and that lines are on disk when `begin` or `append` return. Must not
know the rules, nor which game is at the table; what to do about a file that cannot be used is the
keeper's business.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from game.app.errors import Cause, StoreError
from game.app.journal.disk import copied, make_folder
from game.app.journal.games_file import FILE, checksum, errors_told, open_read_only, open_writable
from game.rules.game import Outcome
from game.table.entries import Entry, Kind

LOCK = "lifeboard.lock"
"""Held by whoever plays with a folder's games, and so writes to the newest one."""
BOARD, IMPORT = "board", "import"
"""Where a game comes from: it was played here, or its record was read in."""


@dataclass(frozen=True, slots=True)
class Line:
    """One entry with its time: `at` is UTC in ISO form with milliseconds, by the wall clock.

    `played_s` is how long the game was at the table by then; it never falls within a game.
    """

    entry: Entry
    at: str
    played_s: float


@dataclass(frozen=True, slots=True)
class Kept:
    """One game of the file, without its lines; a game that is not over has no `ended`."""

    number: int
    game: str
    source: str
    started: str
    ended: str | None
    winner: int | None
    reason: str | None
    lines: int
    played_s: float


class Store:
    """The games of one data folder, of every name. Its methods belong to one thread at a time.

    Several processes may have a store of the same folder. A folder without a file is an empty
    store to a read-only one. Where a read-only one cannot open the file as it stands (SQLite has
    to write beside it), it reads a copy, unless `copies` is false; this process must not have the
    file open elsewhere then.
    """

    def __init__(self, folder: Path, *, read_only: bool = False, copies: bool = True) -> None:
        """Open, and create or bring up to date unless read-only; raises StoreError."""
        self.file = folder / FILE
        with ExitStack() as opened:
            if not read_only:
                make_folder(folder)
                self._db = self._written(opened, self.file)
            elif not self.file.exists() and not Path(f"{self.file}-wal").exists():
                self._db = self._written(opened, Path(":memory:"))
            else:
                self._db = self._only_read(opened, copies)
            self._opened = opened.pop_all()

    def games(self, game: str | None = None) -> list[Kept]:
        """List the games, of one name or of all, the newest last; raises StoreError."""
        with errors_told(self.file, "read"):
            rows = self._db.execute(
                "SELECT id, game, source, started, ended, winner, reason,"
                " (SELECT count(*) FROM entries WHERE game_id = id),"
                " (SELECT coalesce(max(played_s), 0) FROM entries WHERE game_id = id)"
                " FROM games WHERE ?1 IS NULL OR game = ?1 ORDER BY id",
                (game,),
            )
            return [Kept(*row) for row in rows]

    def kept(self, number: int) -> Kept:
        """Return one game without its lines; raises StoreError as `lines` does."""
        for each in self.games():
            if each.number == number:
                return each
        raise self._no_game(number)

    def lines(self, number: int) -> list[Line]:
        """Return a game's lines in order; raises StoreError, also for a line that was changed."""
        with errors_told(self.file, "read"):
            rows = self._db.execute(
                "SELECT kind, text, at, played_s, seq, crc FROM entries"
                " WHERE game_id = ? ORDER BY seq",
                (number,),
            )
            lines = []
            for expected, (kind, text, at, played_s, seq, crc) in enumerate(rows):
                if seq != expected or crc != checksum(number, seq, kind, text, at, played_s):
                    raise ValueError(f"line {expected + 1} of game {number} is not as written")
                lines.append(Line(Entry(Kind(kind), text), at, played_s))
        if not lines:
            self._require(number)
        return lines

    def newest(self, game: str) -> int | None:
        """Return the number of the newest game played here, ended or not; raises StoreError."""
        with errors_told(self.file, "read"):
            (number,) = self._db.execute(
                "SELECT max(id) FROM games WHERE game = ? AND source = ?", (game, BOARD)
            ).fetchone()
        return None if number is None else int(number)

    def begin(
        self,
        game: str,
        source: str,
        lines: Sequence[Line],
        outcome: Outcome | None,
        ended: str | None = None,
    ) -> int:
        """Keep a new game with its first lines, all or none; return its number.

        `ended` is when an outcome came about, if not with the last line. Raises StoreError.
        """
        with self._writing() as db:
            cursor = db.execute(
                "INSERT INTO games (game, started, source) VALUES (?, ?, ?)",
                (game, lines[0].at, source),
            )
            number = int(cursor.lastrowid or 0)
            self._insert(number, lines, outcome, ended)
        return number

    def append(
        self,
        number: int,
        lines: Sequence[Line],
        outcome: Outcome | None,
        ended: str | None = None,
    ) -> None:
        """Keep more lines of a game, all or none; `outcome` is the game's after them.

        `ended` is as in `begin`; an end that was kept before is not moved. Raises StoreError.
        """
        self._require(number)
        with self._writing():
            self._insert(number, lines, outcome, ended)

    def check(self) -> None:
        """Look through the whole file; raises StoreError if it is damaged."""
        with errors_told(self.file, "read"):
            (told,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
            if told != "ok":
                raise ValueError(str(told).replace("\n", " "))

    def checkpoint(self) -> None:
        """Move what the log holds into the file, as far as readers let it; raises StoreError."""
        with errors_told(self.file, "written"):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Close the file, which also empties its log where the disk lets it."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _written(self, opened: ExitStack, file: Path) -> sqlite3.Connection:
        with errors_told(self.file, "opened"):
            db = open_writable(file)
        opened.callback(db.close)
        return db

    def _only_read(self, opened: ExitStack, copies: bool) -> sqlite3.Connection:
        try:
            with errors_told(self.file, "opened"):
                db = open_read_only(self.file)
            opened.callback(db.close)
        except StoreError as error:
            if not copies or error.cause in (Cause.DAMAGED, Cause.NEWER):
                raise
        else:
            return db
        with errors_told(self.file, "read"):
            copy = opened.enter_context(copied(self.file))
        return self._written(opened, copy)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with errors_told(self.file, "written"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _insert(
        self, number: int, lines: Sequence[Line], outcome: Outcome | None, ended: str | None
    ) -> None:
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
        when = (ended or lines[-1].at) if outcome else None
        self._db.execute(
            # A move that ends nothing leaves this row, and so its page, alone.
            "UPDATE games SET ended = CASE WHEN ?1 IS NULL THEN NULL ELSE coalesce(ended, ?1) END,"
            " winner = ?2, reason = ?3"
            " WHERE id = ?4 AND (winner IS NOT ?2 OR reason IS NOT ?3)",
            (
                when,
                outcome.winner if outcome else None,
                outcome.reason if outcome else None,
                number,
            ),
        )

    def _require(self, number: int) -> None:
        with errors_told(self.file, "read"):
            if self._db.execute("SELECT 1 FROM games WHERE id = ?", (number,)).fetchone() is None:
                raise self._no_game(number)

    def _no_game(self, number: int) -> StoreError:
        numbers = [each.number for each in self.games()]
        allowed = f"{numbers[0]} - {numbers[-1]}" if numbers else "none, no game was kept yet"
        return StoreError(
            f"game {number} is not in games file {self.file}; allowed: {allowed}", Cause.UNKNOWN
        )
