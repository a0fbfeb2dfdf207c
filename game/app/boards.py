"""Which board it is: the profile that a command means, and the board of the rules that it is.

Owns built-in names, files and the place of the board that `lifeboard learn` has learnt. Must not
know what a profile says beyond the names of its cells.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from game.app.carriers import COPROCESSOR, is_wired
from game.app.errors import AppError
from game.rules.board import Board
from game.rules.disc import disc
from game.rules.game import Game
from game.rules.hexagon import hexagon
from game.rules.rectangle import rectangle
from hal.errors import ProfileError
from hal.profile import Profile, built_in, built_in_names, load

_CELL = re.compile(r"[A-Za-z][1-9][0-9]?")


def choose(board: str | None, backend: str, serial: str | None = None) -> Profile:
    """Load the board that was asked for: a built-in name or a file.

    Where nothing was said, a real board is the one that was learnt, if there is one, and else the
    usual one. Its Pico is at port `serial` if that is given. Raises ProfileError, or AppError when
    it cannot be known whether one was learnt, or when it hangs on no Pico.
    """
    if board is not None:
        chosen = find(board)
    elif is_wired(backend) and (learned := learned_file()).exists():
        chosen = load(learned)
    else:
        chosen = usual(backend)
    return at_port(chosen, backend, serial)


def at_port(profile: Profile, backend: str, serial: str | None) -> Profile:
    """Say that a board's Pico is at another port; None leaves it where it is.

    Raises AppError for a board that hangs on no Pico, or is not carried by one.
    """
    if serial is None:
        return profile
    if backend != COPROCESSOR:
        raise AppError(
            f"--serial is {serial!r}, but --backend is {backend}, which has no Pico: allowed with"
            f" it is --backend {COPROCESSOR}"
        )
    if profile.pico is None:
        raise AppError(
            f"--serial is {serial!r}, but board {profile.name!r} hangs on no Pico: allowed is a"
            " board with [pico], such as --board hexagon-61-pico"
        )
    return replace(profile, pico=replace(profile.pico, port=serial))


def usual(backend: str) -> Profile:
    """Load the board that is meant where nobody says which: the hexagon, as it is wired there."""
    return built_in("hexagon-61-pico") if backend == COPROCESSOR else built_in()


def find(board: str) -> Profile:
    """Load a built-in board by its name, or one from a file; raises ProfileError."""
    names = built_in_names()
    if board in names:
        return built_in(board)
    path = Path(board)
    # What looks like a file is read, so that the error says what is wrong with it.
    if path.exists() or path.suffix or path.name != board:
        return load(path)
    raise ProfileError(f'board "{board}" is unknown: allowed are a file, or {", ".join(names)}')


def learned_file() -> Path:
    """Name the file of the board that was learnt, whether it exists or not; raises AppError."""
    return _settings_folder() / "board.toml"


def simulated_file() -> Path:
    """Name the file of what is learnt on a simulated board, which no real one may share.

    Raises AppError.
    """
    return _settings_folder() / "simulated-board.toml"


def _settings_folder() -> Path:
    try:
        return user_config_path("lifeboard")
    except RuntimeError as error:
        raise AppError(
            f"your settings folder is not known ({error}); choose a board with --board"
        ) from error


def check_fit(profile: Profile, game: Game[Any, Any]) -> None:
    """Raise AppError if a board lacks cells of a game."""
    lacking = [cell for cell in game.board.cells if cell not in profile.cells]
    if lacking:
        some = ", ".join(lacking[:3]) + (" ..." if len(lacking) > 3 else "")
        raise AppError(
            f"board {profile.name!r} lacks cells of {game.name}: {some};"
            " choose another with --board, or in the settings of the service"
        )


def graph_of(profile: Profile) -> Board | None:
    """Find the board of the rules that has just these cells; None when there is none."""
    names = set(profile.cells)
    if not names or not all(_CELL.fullmatch(name) for name in names):
        return None
    return next((board for board in _alike(names) if set(board.cells) == names), None)


def _alike(names: set[str]) -> Iterator[Board]:
    """Build the boards that have as many letters and numbers as these names of cells."""
    letters = len({name[0] for name in names})
    numbers = max(int(name[1:]) for name in names)
    builders: tuple[Callable[[], Board], ...] = (
        lambda: hexagon((letters + 1) // 2),
        lambda: disc(numbers, letters),
        lambda: rectangle(letters, numbers),
    )
    for build in builders:
        try:
            yield build()
        except ValueError:
            # No such board is that small or that large.
            continue
