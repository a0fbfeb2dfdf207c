"""Whole files on disk: causes of errors, durable private files and folders, names set aside."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from game.common import Cause, StoreError
from hal.base.files import sync

COMPANIONS = ("-wal", "-shm")
"""The files that SQLite keeps beside a file, https://sqlite.org/tempfiles.html."""
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
    """Return the state of the disk that explains an unspecific error of SQLite."""
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
    """Rename a complete file over another one, on disk before it returns; raises OSError."""
    sync(new)
    os.replace(new, file)
    sync(file.parent)


def set_aside(
    file: Path, label: str, when: datetime, parts: Sequence[str] = ("", *COMPANIONS)
) -> Path:
    """Rename a file and its companions, or some of these, and return its new name.

    games.sqlite3 becomes games.LABEL-TIME.sqlite3; nothing is overwritten. This process must have
    closed the file and hold the folder's lock. Raises OSError.
    """
    stem, number = f"{file.stem}.{label}-{when:%Y%m%d-%H%M%S}", 1
    name = file.with_name(f"{stem}{file.suffix}")
    while any(os.path.lexists(f"{name}{each}") for each in ("", *COMPANIONS)):
        number += 1
        name = file.with_name(f"{stem}-{number}{file.suffix}")
    for each in parts:
        if os.path.lexists(f"{file}{each}"):
            os.rename(f"{file}{each}", f"{name}{each}")
    sync(file.parent)
    return name
