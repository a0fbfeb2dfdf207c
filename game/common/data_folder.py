"""The data folder: locks, file names of what each board has learned, and small JSON files.

The kernel releases locks when a process ends.
"""

import fcntl
import json
import os
import pwd
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self
from zlib import crc32

from platformdirs import user_data_path

from game.common.errors import AppError, Cause, StoreError
from hal.backends.registry import capabilities
from hal.base.files import decoded, read_whole, write_whole
from hal.profile import BoardMemory, Profile

SIMULATION = 2
"""Raise it when simulated boards measure differently: their stored settings no longer fit."""


class Lock:
    """A lock from its creation until `close`.

    A lock file that exists is locked even where it cannot be written. Where none can be made (on a
    read-only or full disk), nothing is locked, and `held` is false.
    """

    def __init__(self, path: Path, thing: str, way_out: str) -> None:
        """Take a lock; if it is taken, raise StoreError that names the thing."""
        self._file: int | None = None
        try:
            self._file = _open_lock(path)
            if self._file is not None:
                with suppress(OSError):
                    os.fchmod(self._file, 0o600)  # an account that can open it could hold it
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.close()
            raise StoreError(
                f"{thing} is in use by another lifeboard, which `sudo fuser -v {path}` names;"
                f" {way_out}",
                Cause.IN_USE,
            ) from error
        except OSError as error:
            self.close()
            raise StoreError(
                f"data folder {path.parent} cannot be used: {error.strerror}; {with_sudo(path)}"
            ) from error

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


def _open_lock(path: Path) -> int | None:
    """Open or make a lock file; None if it cannot be made, as no other process can make it."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC) if path.exists() else None


def board_lock(folder: Path, profile: Profile, backend: str) -> Lock:
    """Lock a board for this process; raises StoreError while another one has it."""
    file = board_lock_file(folder, profile, backend)
    return Lock(file, f"board {file.stem.removeprefix('board-')}", "end that one first")


def board_lock_file(folder: Path, profile: Profile, backend: str) -> Path:
    """Name the file of a board's lock.

    A real backend has one lock for all profiles, since two profiles may describe the same board and
    any port may lead to the same Pico. Each simulated profile has a lock of its own.
    """
    board = backend if capabilities(backend).real else f"{backend}-{profile.name}"
    return folder / f"board-{board}.lock"


def board_memory(folder: Path, profile: Profile, backend: str) -> BoardMemory:
    """Return the settings that a board has learned; a simulated board has settings of its own.

    A new version of the program may change its simulated boards, their wiring or what they measure.
    """
    name = f"board-{backend}-{profile.name}"
    if not capabilities(backend).real:
        simulated = (SIMULATION, sorted(profile.cells.items()))
        name += f"-{crc32(repr(simulated).encode()):08x}"
    return BoardMemory(folder / f"{name}.json")


def data_folder() -> Path:
    """Return the user's data folder; raises AppError where the system has none."""
    try:
        return user_data_path("lifeboard")
    except RuntimeError as error:
        raise AppError(
            f"your data folder is not known ({error}); choose one with --data"
        ) from error


def read_json(path: Path, version: int) -> dict[str, Any]:
    """Read a file's object; raises OSError, or ValueError, which never quotes the content."""
    try:
        content = json.loads(decoded(read_whole(path)))
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    if not isinstance(content, dict) or content.get("version") != version:
        raise ValueError(f"version is not {version}")
    return content


def write_json(
    path: Path,
    version: int,
    content: Mapping[str, Any],
    mode: int,
    owner: tuple[int, int] | None = None,
) -> None:
    """Write a file's object and its version, all or nothing; raises OSError."""
    text = json.dumps({"version": version, **content}, sort_keys=True) + "\n"
    write_whole(path, text.encode(), mode, owner)
