"""Locks: one lifeboard at a time for a folder of games, and for a board.

Owns the lock files; the kernel lets go of a lock when its process ends. Must not know what is
locked.
"""

import fcntl
import os
from pathlib import Path
from typing import Self

from game.app.errors import StoreError


class Lock:
    """Hold a lock from `with` or from its making on, until `close`."""

    def __init__(self, path: Path, thing: str, way_out: str) -> None:
        """Take a lock; raise StoreError that names the thing and its user if it is taken."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise _unwritable(path.parent, error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._file, 0)
            os.write(self._file, str(os.getpid()).encode("ascii"))
        except BlockingIOError as error:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._file)
            raise StoreError(
                f"{thing} is in use by another lifeboard (process {holder}); {way_out}"
            ) from error
        except OSError as error:
            os.close(self._file)
            raise _unwritable(path.parent, error) from error

    def close(self) -> None:
        """Let go."""
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _unwritable(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        f"data folder {folder} cannot be written: {error.strerror}; choose one with --data"
    )
