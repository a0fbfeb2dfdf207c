"""Games on disk: a small SQLite file, and a lock so that one process at a time writes it.

Owns the file, its schema and its durability: an entry is on disk when `append` returns. Must not
know the rules; entries are texts to it.
"""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from game.app.errors import StoreError
from game.app.lock import Lock
from game.rules.game import Outcome
from game.table.entries import Entry, Kind

VERSION = 1
FILE = "games.sqlite3"
LOCK = "lifeboard.lock"

_SCHEMA = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, started TEXT NOT NULL,
    ended TEXT, winner INTEGER, reason TEXT
);
CREATE TABLE entries (
    game_id INTEGER NOT NULL REFERENCES games(id), seq INTEGER NOT NULL,
    kind TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (game_id, seq)
) WITHOUT ROWID;
"""


class Store:
    """The games of one data folder, for one game's name. All methods belong to one thread."""

    def __init__(self, folder: Path, game: str) -> None:
        """Open or create; raises StoreError if the folder or file cannot be used."""
        self._game = game
        self.file = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"data folder {folder} cannot be made: {error.strerror}; choose one with --data"
            ) from error
        self._lock = Lock(
            folder / LOCK,
            f"data folder {folder}",
            "end that one, or choose another folder with --data",
        )
        try:
            self._db = _opened(self.file)
        except BaseException:
            self._lock.close()
            raise

    def newest(self) -> list[Entry]:
        """Return the entries of the newest game, ended or not; raises StoreError."""
        try:
            rows = self._db.execute(
                "SELECT kind, text FROM entries"
                " WHERE game_id = (SELECT max(id) FROM games WHERE game = ?) ORDER BY seq",
                (self._game,),
            )
            return [Entry(Kind(kind), text) for kind, text in rows]
        except (sqlite3.Error, ValueError) as error:
            raise _unreadable(self.file, error) from error

    def append(self, entries: Sequence[Entry], outcome: Outcome | None) -> None:
        """Keep entries of the game at the table; START begins the next one.

        `outcome` is the game's after them. Durable on return; raises StoreError.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            with self._db:
                for entry in entries:
                    self._insert(entry, at)
                self._db.execute(
                    # Stones taken away after the end do not move it.
                    "UPDATE games SET ended = CASE WHEN ?1 IS NULL THEN NULL"
                    " ELSE coalesce(ended, ?1) END, winner = ?2, reason = ?3"
                    " WHERE id = (SELECT max(id) FROM games WHERE game = ?4)",
                    (
                        at if outcome else None,
                        outcome.winner if outcome else None,
                        outcome.reason if outcome else None,
                        self._game,
                    ),
                )
        except sqlite3.Error as error:
            raise StoreError(f"games file {self.file} cannot be written: {error}") from error

    def close(self) -> None:
        """Close the file and let go of the lock."""
        self._db.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _insert(self, entry: Entry, at: str) -> None:
        if entry.kind is Kind.START:
            self._db.execute(
                "INSERT INTO games (game, started) VALUES (?, ?)",
                (self._game, at),
            )
        self._db.execute(
            "INSERT INTO entries SELECT id, (SELECT count(*) FROM entries WHERE game_id = id),"
            " ?, ?, ? FROM games WHERE id = (SELECT max(id) FROM games WHERE game = ?)",
            (entry.kind.value, entry.text, at, self._game),
        )


def _unreadable(file: Path, error: Exception) -> StoreError:
    return StoreError(
        f"games file {file} cannot be read: {error};"
        " move it aside, or choose another folder with --data"
    )


def _opened(file: Path) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(file)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
            elif version != VERSION:
                raise StoreError(
                    f"games file {file} has version {version}, this lifeboard knows version"
                    f" {VERSION}; update lifeboard, or choose another folder with --data"
                )
        except BaseException:
            db.close()
            raise
    except sqlite3.Error as error:
        raise _unreadable(file, error) from error
    return db
