"""The games file: its tables, how it is opened, replaced and set aside, and its errors.

One SQLite file holds all games. Its write-ahead log with `synchronous = FULL` is on disk when a
transaction returns, so that it needs no log of ours beside it.
"""

import errno
import os
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from game.common import Cause, StoreError, with_sudo
from hal.base.files import sync

VERSION = 2
FILE = "games.sqlite3"
COMPANIONS = ("-wal", "-shm")
"""The files that SQLite keeps beside a file, https://sqlite.org/tempfiles.html."""
PAGE_BYTES = 1024
"""A line is about 100 bytes, and each transaction writes whole pages: with small pages, a move
writes less to an SD card. On other disks the size made no difference when measured."""
BUSY_S = 5.0
"""How long to wait for another program's transaction."""

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
HELP = {
    Cause.FULL: "make room on its disk, or choose another folder with --data",
    Cause.READ_ONLY: "make its disk and the file writable, or choose another folder with --data",
    Cause.DAMAGED: "`lifeboard play` sets it aside and takes the games of the last backup",
    Cause.NEWER: "update lifeboard, or choose another folder with --data",
    Cause.BUSY: "try again when the other program has finished",
    Cause.GONE: "choose another folder with --data",
    Cause.FAILING: "check its disk, or choose another folder with --data",
}
_BY_ERRNO = {
    errno.ENOSPC: Cause.FULL,
    errno.EDQUOT: Cause.FULL,
    errno.EROFS: Cause.READ_ONLY,
    errno.EACCES: Cause.READ_ONLY,
    errno.EPERM: Cause.READ_ONLY,
    errno.ENOENT: Cause.GONE,
}
_BY_CODE = {
    sqlite3.SQLITE_FULL: Cause.FULL,
    sqlite3.SQLITE_READONLY: Cause.READ_ONLY,
    sqlite3.SQLITE_PERM: Cause.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: Cause.DAMAGED,
    sqlite3.SQLITE_NOTADB: Cause.DAMAGED,
    sqlite3.SQLITE_MISMATCH: Cause.DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: Cause.DAMAGED,
    sqlite3.SQLITE_BUSY: Cause.BUSY,
    sqlite3.SQLITE_LOCKED: Cause.BUSY,
}


def checksum(number: int, seq: int, kind: str, text: str, at: str, played_s: float) -> int:
    """Return a line's `crc`: SQLite itself does not notice a changed byte in a text."""
    whole = "\n".join((str(number), str(seq), kind, text, at, repr(float(played_s))))
    return zlib.crc32(whole.encode("utf-8", "surrogatepass"))


@contextmanager
def store_errors(file: Path, doing: str) -> Iterator[None]:
    """Turn errors of a file into StoreError; `doing` is "read", "written" or "opened"."""
    try:
        yield
    except StoreError:
        raise
    except (sqlite3.Error, OSError, ValueError, TypeError) as error:
        cause = cause_of(error, file)
        of_disk = isinstance(error, OSError) or hasattr(error, "sqlite_errorcode")
        if cause is Cause.FAILING and doing == "read" and not of_disk:
            cause = Cause.DAMAGED  # a value that cannot have been written
        why = getattr(error, "strerror", None) or error
        way_out = with_sudo(file) if isinstance(error, PermissionError) else HELP[cause]
        raise StoreError(f"games file {file} cannot be {doing}: {why}; {way_out}", cause) from error


def open_writable(file: Path) -> sqlite3.Connection:
    """Open a file, creating what is missing; raises sqlite3.Error or StoreError."""
    make_private(file)  # SQLite gives its companions the same rights
    db = _connect(str(file))
    try:
        _version(db, file)  # before anything is written: another version stays as it is
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        db.execute("PRAGMA journal_mode = WAL").fetchone()
        db.execute("PRAGMA synchronous = FULL")
        db.execute("BEGIN IMMEDIATE")
        new = _version(db, file) == 0
        for statement in _SCHEMA.split(";") if new else ():
            db.execute(statement)
        # A read-only file opens without an error, which this write detects.
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT" if new else "ROLLBACK")
    except BaseException:
        db.close()
        raise
    if new:
        sync(file.parent)
    return db


def open_read_only(file: Path) -> sqlite3.Connection:
    """Open a file and change nothing; treat a missing one as empty. Raises as `open_writable`."""
    if not file.exists() and not Path(f"{file}-wal").exists():
        db = _connect(":memory:")
        db.executescript(_SCHEMA)
        return db
    name = f"{file.absolute().as_uri()}?mode=ro"
    try:
        return _checked(_connect(name), file)
    except sqlite3.OperationalError:
        # SQLite must create a file beside the games file to read a log; without a log it need not.
        if any(Path(f"{file}{each}").exists() for each in ("-wal", "-journal")):
            raise
        return _checked(_connect(f"{name}&immutable=1"), file)


def _checked(db: sqlite3.Connection, file: Path) -> sqlite3.Connection:
    """Return a connection that can read a games file; close it otherwise."""
    try:
        if _version(db, file) == 0:
            raise StoreError(f"games file {file} was never begun", Cause.READ_ONLY)
        db.execute("SELECT 1 FROM games, entries LIMIT 1").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _connect(name: str) -> sqlite3.Connection:
    return sqlite3.connect(
        name,
        uri=name.startswith("file:"),
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )


def _version(db: sqlite3.Connection, file: Path) -> int:
    """Return a file's version, 0 for a new file; raises StoreError for one that cannot be read."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version not in (0, VERSION):
        raise StoreError(
            f"games file {file} has version {version}, this lifeboard knows version {VERSION};"
            f" {HELP[Cause.NEWER]}",
            Cause.NEWER,
        )
    if version == 0 and tables:
        raise StoreError(
            f"games file {file} holds no games of lifeboard; {HELP[Cause.DAMAGED]}", Cause.DAMAGED
        )
    return int(version)


def cause_of(error: Exception, file: Path) -> Cause:
    """Return why a file could not be used; ask the disk where the error does not say."""
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0, Cause.FAILING)
    code = getattr(error, "sqlite_errorcode", 0)
    lacks_tables = str(error).startswith(("no such table", "no such column"))
    if lacks_tables or code == sqlite3.SQLITE_IOERR_SHORT_READ:
        return Cause.DAMAGED
    return _BY_CODE.get(code & 0xFF) or (_cause_from_disk(file) if code else Cause.FAILING)


def _cause_from_disk(file: Path) -> Cause:
    try:
        if shutil.disk_usage(file.parent).free == 0:
            return Cause.FULL
        unwritable = [each for each in (file.parent, file) if not os.access(each, os.W_OK)]
        return Cause.READ_ONLY if any(each.exists() for each in unwritable) else Cause.FAILING
    except OSError as error:
        return _BY_ERRNO.get(error.errno or 0, Cause.FAILING)


def make_folder(folder: Path) -> None:
    """Make a private folder and its parents durably; raises StoreError."""
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for each in made:
            sync(each.parent)
    except OSError as error:
        raise StoreError(
            f"data folder {folder} cannot be made: {error.strerror}; choose one with --data",
            cause_of(error, folder),
        ) from error


def make_private(file: Path) -> None:
    """Make an empty file for its owner alone, unless it is there; raises OSError."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def replace_durably(new: Path, file: Path) -> None:
    """Rename a complete file over another one, and wait until that is on disk; raises OSError."""
    sync(new)
    os.replace(new, file)
    sync(file.parent)


def set_aside(file: Path, label: str, when: datetime) -> Path:
    """Rename a file and its companions to an unused name, and return it.

    This process must have closed the file and hold the folder's lock. Raises OSError.
    """
    parts = ("", *COMPANIONS)
    stem, number = f"{file.stem}.{label}-{when:%Y%m%d-%H%M%S}", 1
    name = file.with_name(f"{stem}{file.suffix}")
    while any(os.path.lexists(f"{name}{each}") for each in parts):
        number += 1
        name = file.with_name(f"{stem}-{number}{file.suffix}")
    for each in parts:
        if os.path.lexists(f"{file}{each}"):
            os.rename(f"{file}{each}", f"{name}{each}")
    sync(file.parent)
    return name
