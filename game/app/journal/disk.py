"""What goes wrong with disks, and what is done to whole files on them.

Owns the naming of causes, the durability of a folder's names, copies, and the setting aside of a
file under a name of its own. Must not know what is in the files.
"""

import errno
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from game.app.errors import Cause, StoreError

COMPANIONS = ("-wal", "-shm")
"""What SQLite keeps beside a file, https://sqlite.org/tempfiles.html."""
_COPY_FOLDERS = ("/dev/shm", "/run")
"""Where a copy finds room when the disk with the usual temporary folder has none."""
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
_NOWHERE = frozenset({errno.ENOENT, errno.ENOTDIR})
_CUT_SHORT = 522
"""SQLITE_IOERR_SHORT_READ, which Python does not name."""


def cause_of(error: Exception, file: Path) -> Cause:
    """Name why a file could not be used, asking the disk where the error does not say."""
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0, Cause.FAILING)
    code = getattr(error, "sqlite_errorcode", 0)
    if code == _CUT_SHORT or str(error).startswith(("no such table", "no such column")):
        return Cause.DAMAGED
    return _BY_CODE.get(code & 0xFF) or (_of_disk(file) if code else Cause.FAILING)


def obstacle(file: Path) -> str:
    """Name the folder or dead link that has a file's name; "" if none has."""
    try:
        mode = file.stat().st_mode
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "link to itself"
        return "link to nowhere" if error.errno in _NOWHERE and file.is_symlink() else ""
    return "folder" if stat.S_ISDIR(mode) else ""


def _of_disk(file: Path) -> Cause:
    """Tell what keeps a disk from its work, where all that is known is that it fails."""
    try:
        disk = os.statvfs(file.parent)
        if disk.f_flag & os.ST_RDONLY:
            return Cause.READ_ONLY
        if disk.f_bavail == 0 or (disk.f_files and disk.f_favail == 0):
            return Cause.FULL
        if not os.access(file.parent, os.W_OK) or (file.exists() and not os.access(file, os.W_OK)):
            return Cause.READ_ONLY
    except OSError as error:
        return _BY_ERRNO.get(error.errno or 0, Cause.FAILING)
    return Cause.FAILING


def make_folder(folder: Path) -> None:
    """Make a folder and what it stands in, durably; raises StoreError."""
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for each in made:
            sync_folder(each.parent)
    except OSError as error:
        raise StoreError(
            f"data folder {folder} cannot be made: {error.strerror}; choose one with --data",
            cause_of(error, folder),
        ) from error


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def free_name(file: Path, label: str) -> Path:
    """Find a name beside a file that nothing has: games.sqlite3 becomes games.LABEL.sqlite3."""
    number = 1
    while True:
        part = label if number == 1 else f"{label}-{number}"
        name = file.with_name(f"{file.stem}.{part}{file.suffix}")
        if not any(os.path.lexists(f"{name}{each}") for each in ("", *COMPANIONS)):
            return name
        number += 1


def set_aside(
    file: Path, label: str, when: datetime, parts: Sequence[str] = ("", *COMPANIONS)
) -> Path:
    """Rename a file and its companions, or some of these, overwriting nothing; raises OSError.

    Nothing of this process may have the file open, and one process at a time may do it (the
    folder's lock sees to that).
    """
    name = free_name(file, f"{label}-{when:%Y%m%d-%H%M%S}")
    for each in parts:
        part = Path(f"{file}{each}")
        if part.exists():
            part.rename(f"{name}{each}")
    sync_folder(file.parent)
    return name


@contextmanager
def copied(file: Path) -> Iterator[Path]:
    """Copy a file and its log to where it can be written, for the time of `with`; raises OSError.

    Nothing of this process may have the file open: closing the copy's source would let go of
    SQLite's locks on it (https://sqlite.org/howtocorrupt.html, section 2.2).
    """
    with _room() as folder:
        copy = Path(folder) / file.name
        shutil.copyfile(file, copy)
        log = Path(f"{file}-wal")
        if log.exists():
            shutil.copyfile(log, f"{copy}-wal")
        yield copy


@contextmanager
def _room() -> Iterator[str]:
    """Give a temporary folder on a disk that has room; raises OSError."""
    problem: OSError | None = None
    for where in (None, *_COPY_FOLDERS):
        try:
            folder = tempfile.TemporaryDirectory(prefix="lifeboard-", dir=where)
        except OSError as error:
            problem = error
            continue
        with folder as name:
            yield name
        return
    raise problem or OSError("no temporary folder")
