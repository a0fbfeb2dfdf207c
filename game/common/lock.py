"""Locks of a folder of games, and of a board; the kernel releases them when a process ends."""

import errno
import fcntl
import os
import pwd
from contextlib import suppress
from pathlib import Path
from typing import Self

from game.common.errors import Cause, StoreError

_NO_LOCK_FILE = frozenset({errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM})
"""Where no lock file can be made for one of these reasons, no other process can have made one."""
_PID_WIDTH = 20
"""The length of the text in a lock file, so that rewriting it needs no room on a full disk."""


class Lock:
    """A lock from its creation until `close`.

    A lock file that exists is locked even where it cannot be written. Where none can be made (on a
    read-only or full disk), nothing is locked, and `held` is false.
    """

    def __init__(self, path: Path, thing: str, way_out: str) -> None:
        """Take a lock; if it is taken, raise StoreError that names the thing and its user."""
        self._file: int | None = None
        try:
            self._file = _open(path)
            if self._file is not None:
                with suppress(OSError):
                    os.fchmod(self._file, 0o600)  # an account that can open it could hold it
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(self._file or -1, _PID_WIDTH, 0).decode("ascii", "replace").strip()
            self.close()
            raise StoreError(
                f"{thing} is in use by another lifeboard (process {holder or 'unknown'};"
                f" `sudo fuser -v {path}` names every program that holds it); {way_out}",
                Cause.IN_USE,
            ) from error
        except OSError as error:
            self.close()
            raise StoreError(
                f"data folder {path.parent} cannot be used: {error.strerror}; {with_sudo(path)}"
            ) from error
        if self._file is not None:
            with suppress(OSError):  # the disk may be full; the lock is held all the same
                os.pwrite(self._file, str(os.getpid()).encode("ascii").ljust(_PID_WIDTH), 0)

    @property
    def held(self) -> bool:
        return self._file is not None

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def with_sudo(path: Path) -> str:
    """Return what to do, and name the other account that owns the file or a parent, if any."""
    for each in (path, *path.parents):
        with suppress(OSError, KeyError):
            if (user := each.stat().st_uid) != os.geteuid():
                whose = f"{each} belongs to the account {pwd.getpwuid(user).pw_name}"
                return f"{whose}: use sudo, or choose another folder with --data"
    return "choose another folder with --data"


def _open(path: Path) -> int | None:
    """Open or make a lock file; return None where none can be made."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno not in _NO_LOCK_FILE:
            raise
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
