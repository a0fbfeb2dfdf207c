"""Locks: one lifeboard at a time for a folder of games, and for a board.

Owns the lock files; the kernel lets go of a lock when its process ends. Must not know what is
locked.
"""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from game.app.errors import Cause, StoreError

_NO_LOCK_FILE = frozenset({errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM})
"""Where a lock file cannot be made for one of these, nobody can be playing who had made one."""
_PID_WIDTH = 20


class Lock:
    """Hold a lock from `with` or from its making on, until `close`.

    A lock file that is there is locked even where it cannot be written. Where none can be made (on
    a read-only or full disk), nothing is held, and `held` says so.
    """

    def __init__(self, path: Path, thing: str, way_out: str) -> None:
        """Take a lock; raise StoreError that names the thing and its user if it is taken."""
        self._path = path
        self._file = _opened(path)
        if self._file is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(self._file, _PID_WIDTH, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            raise StoreError(
                f"{thing} is in use by another lifeboard (process {holder or 'unknown'});"
                f" {way_out}",
                Cause.IN_USE,
            ) from error
        except OSError as error:
            os.close(self._file)
            raise _unusable(path, error) from error
        self._sign()

    @property
    def held(self) -> bool:
        """Whether the lock is held, on the file that now has its name."""
        if self._file is None:
            return False
        try:
            there, ours = os.stat(self._path), os.fstat(self._file)
        except OSError:
            return False
        return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)

    def close(self) -> None:
        """Let go."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _sign(self) -> None:
        """Write who holds the lock, as far as the disk lets us; it is held all the same."""
        if self._file is None:
            return
        try:
            # Of one length, so that a full disk has the room for it from the last time.
            os.pwrite(self._file, str(os.getpid()).encode("ascii").ljust(_PID_WIDTH), 0)
        except OSError:
            try:
                os.ftruncate(self._file, 0)
            except OSError:
                return


@contextmanager
def kept_free(path: Path) -> Iterator[bool]:
    """Keep others from taking a lock meanwhile, and write nothing; give whether it is free.

    Several may do so at once. Where there is no lock file nobody has the lock, nor is kept from it.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        yield True
        return
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            free = True
        except BlockingIOError:
            free = False
        yield free
    finally:
        os.close(file)


def _opened(path: Path) -> int | None:
    """Open or make a lock file; None where none can be made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if error.errno not in _NO_LOCK_FILE:
            raise _unusable(path, error) from error
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"data folder {path.parent} cannot be used: {error.strerror}; choose one with --data"
    )
