"""The data folder: file names of what each board has learned, and small JSON files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

from platformdirs import user_data_path

from game.common.errors import AppError
from game.common.lock import Lock
from hal.backends.registry import capabilities
from hal.base.files import decoded, read_whole, write_whole
from hal.profile import BoardMemory, Profile


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

    A new version of the program may change the wiring of its simulated boards.
    """
    name = f"board-{backend}-{profile.name}"
    if not capabilities(backend).real:
        name += f"-{crc32(repr(sorted(profile.cells.items())).encode()):08x}"
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
