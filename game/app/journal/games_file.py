"""The file of games: its tables, how it is opened, and what it is to be too old or too new.

Owns the schema, the settings that make it durable, the check sum of a line, and the one sentence
that every failure of SQLite becomes. Must not know what a game's lines mean.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from game.app.errors import Cause, StoreError
from game.app.journal.disk import cause_of, obstacle, sync_folder

VERSION = 2
FILE = "games.sqlite3"
PAGE_BYTES = 1024
"""A line is about 100 bytes, and a transaction writes the page that it is in: a smaller page is
less to write to a card for each move. On disks that we timed, its size makes no difference."""
BUSY_S = 5.0
"""How long another program's transaction is waited for."""
LONGEST_PAUSE_S = 600.0
"""A longer gap between two lines counts as this much playing time: people have left the table."""

_SCHEMA = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, started TEXT NOT NULL,
    ended TEXT, winner INTEGER, reason TEXT, source TEXT NOT NULL DEFAULT 'board'
);
CREATE TABLE entries (
    game_id INTEGER NOT NULL REFERENCES games(id), seq INTEGER NOT NULL,
    kind TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL,
    played_s REAL NOT NULL DEFAULT 0, crc INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (game_id, seq)
) WITHOUT ROWID;
"""
_FROM_VERSION_1 = """
ALTER TABLE games ADD COLUMN source TEXT NOT NULL DEFAULT 'board';
ALTER TABLE entries ADD COLUMN played_s REAL NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
"""
HELP = {
    Cause.FULL: "make room on its disk, or choose another folder with --data",
    Cause.READ_ONLY: "make its disk and the file writable, or choose another folder with --data",
    Cause.DAMAGED: "play sets it aside, and lifeboard import brings back what can be read",
    Cause.NEWER: "update lifeboard, or choose another folder with --data",
    Cause.BUSY: "try again when the other program is done with it",
    Cause.GONE: "choose another folder with --data",
    Cause.NO_FILE: "move it away, or choose another folder with --data",
    Cause.IN_USE: "end the other one, or choose another folder with --data",
    Cause.UNKNOWN: "choose another number",
    Cause.FAILING: "see what ails its disk, or choose another folder with --data",
}


def checksum(number: int, seq: int, kind: str, text: str, at: str, played_s: float) -> int:
    """Return what a line's `crc` must be: SQLite itself does not see a changed byte in a text."""
    whole = "\n".join((str(number), str(seq), kind, text, at, repr(float(played_s))))
    return zlib.crc32(whole.encode("utf-8", "surrogatepass"))


@contextmanager
def errors_told(file: Path, doing: str) -> Iterator[None]:
    """Turn whatever a file does into one line with its cause; `doing` is read, written, opened."""
    try:
        yield
    except StoreError:
        raise
    except (sqlite3.Error, OSError, ValueError, TypeError) as error:
        why = getattr(error, "strerror", None) or error
        if what := obstacle(file):
            cause, why = Cause.NO_FILE, f"a {what} has its name"
        else:
            cause = cause_of(error, file)
        if cause is Cause.FAILING and doing == "read" and not _from_disk(error):
            cause = Cause.DAMAGED
        raise StoreError(
            f"games file {file} cannot be {doing}: {why}; {HELP[cause]}", cause
        ) from error


def _from_disk(error: Exception) -> bool:
    """Tell an error of the disk from a value that cannot be what was written."""
    return isinstance(error, OSError) or hasattr(error, "sqlite_errorcode")


def open_writable(file: Path) -> sqlite3.Connection:
    """Open a file, create what lacks, bring an old version up to date; raises sqlite3.Error."""
    new = not file.exists()
    db = sqlite3.connect(file, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        # Both before anything is read or written: a file of a later version stays as it is.
        version = _version(db, file)
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
        # Without a log (a disk on which memory cannot be shared), the journal's own removal has
        # to be durable too, https://sqlite.org/pragma.html#pragma_synchronous.
        db.execute(f"PRAGMA synchronous = {'FULL' if mode == 'wal' else 'EXTRA'}")
        # Whoever writes says when: it costs the one who waits for it.
        db.execute("PRAGMA wal_autocheckpoint = 0")
        if version < VERSION:
            _bring_up_to_date(db)
        # A file that can only be read opens without a word; this tells, and is undone.
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("ROLLBACK")
        if new and file.name == FILE:
            sync_folder(file.parent)
    except BaseException:
        db.close()
        raise
    return db


def open_read_only(file: Path) -> sqlite3.Connection:
    """Open a file as it stands; raises sqlite3.Error, also if it must be changed to be read."""
    uri = f"{file.absolute().as_uri()}?mode=ro"
    db = sqlite3.connect(
        uri, uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False
    )
    try:
        version = _version(db, file)
        if version < VERSION:
            raise StoreError(f"games file {file} has version {version}", Cause.READ_ONLY)
        db.execute("SELECT 1 FROM games, entries LIMIT 1").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _version(db: sqlite3.Connection, file: Path) -> int:
    """Return a file's version, 0 for a new file; raises StoreError for what is not ours."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version > VERSION:
        raise StoreError(
            f"games file {file} has version {version}, this lifeboard knows versions up to"
            f" {VERSION}; {HELP[Cause.NEWER]}",
            Cause.NEWER,
            version,
        )
    if version < 0 or (version == 0 and tables):
        raise StoreError(
            f"games file {file} holds no games of lifeboard; {HELP[Cause.DAMAGED]}", Cause.DAMAGED
        )
    return int(version)


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    """Create the tables or add what version 1 lacks, in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been quicker.
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version < VERSION:
            for statement in (_FROM_VERSION_1 if version else _SCHEMA).split(";"):
                db.execute(statement)
            if version:
                _fill_in(db)
            db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _fill_in(db: sqlite3.Connection) -> None:
    """Work out what version 1 did not keep: playing times, and sums of its lines as they are."""
    rows = db.execute("SELECT game_id, seq, kind, text, at FROM entries ORDER BY game_id, seq")
    game, earlier, played_s = None, "", 0.0
    for number, seq, kind, text, at in rows.fetchall():
        if number != game:
            game, earlier, played_s = number, at, 0.0
        played_s = round(played_s + pause_s(earlier, at), 3)
        earlier = at
        db.execute(
            "UPDATE entries SET played_s = ?, crc = ? WHERE game_id = ? AND seq = ?",
            (played_s, checksum(number, seq, kind, text, at, played_s), number, seq),
        )


def pause_s(earlier: str, later: str) -> float:
    """Return the time from one line's `at` to the next as far as it counts as playing."""
    try:
        passed = (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
    except (ValueError, TypeError):
        return 0.0
    return round(min(max(passed, 0.0), LONGEST_PAUSE_S), 3)
