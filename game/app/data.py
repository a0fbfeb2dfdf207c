"""The data folder: where games lie, and beside them what each board has taught.

Owns the names in that folder, except those of the games themselves.
"""

from pathlib import Path

from platformdirs import user_data_path

from game.app.carriers import is_wired
from game.app.errors import AppError
from game.app.lock import Lock
from hal.memory import BoardMemory
from hal.profile import Profile


def board_lock(folder: Path, profile: Profile, backend: str) -> Lock:
    """Take a board for this process alone; raise StoreError while another one has it.

    There is one real board on the computer's own pins, and one on a Pico beside it: they share no
    wire. Of Picos there is only one, whatever the profile, since any port may lead to it. Simulated
    boards are one of every kind.
    """
    board = _board(profile, backend)
    return Lock(board_lock_file(folder, profile, backend), f"board {board}", "end that one first")


def board_lock_file(folder: Path, profile: Profile, backend: str) -> Path:
    """Name the file of a board's lock."""
    return folder / f"board-{_board(profile, backend)}.lock"


def _board(profile: Profile, backend: str) -> str:
    return backend if is_wired(backend) else f"{backend}-{profile.name}"


def board_memory(folder: Path, profile: Profile, backend: str) -> BoardMemory:
    """Return what a board has taught; an emulated one is another board than the real one."""
    return BoardMemory(folder / f"board-{backend}-{profile.name}.json")


def data_folder() -> Path:
    """Return the user's data folder; raises AppError where the system knows none."""
    try:
        return user_data_path("lifeboard")
    except RuntimeError as error:
        raise AppError(
            f"your data folder is not known ({error}); choose one with --data"
        ) from error
