"""The data folder: file names of what each board has learned, beside the games."""

from pathlib import Path
from zlib import crc32

from platformdirs import user_data_path

from game.common.errors import AppError
from game.common.lock import Lock
from hal.backends.registry import capabilities
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
