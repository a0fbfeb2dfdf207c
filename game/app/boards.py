"""Which board it is: the profile that a command means.

Owns built-in names, files, the place of the board that `lifeboard learn` has learnt, and which
board is meant where nobody says it. Must not know what a profile says.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from game.app.carriers import COPROCESSOR, is_wired
from game.app.errors import AppError
from game.app.fitting import fits
from game.rules.game import Game
from hal.errors import ProfileError
from hal.profile import Profile, built_in, built_in_names, load


def choose(
    board: str | None,
    backend: str,
    serial: str | None = None,
    game: Game[Any, Any] | None = None,
) -> Profile:
    """Load the board that was asked for: a built-in name or a file.

    Where nothing was said, a real board is the one that was learnt, if there is one, and else the
    usual one of the game. Its Pico is at port `serial` if that is given. Raises ProfileError, or
    AppError when it cannot be known whether one was learnt, or when it hangs on no Pico.
    """
    if board is not None:
        chosen = find(board)
    elif is_wired(backend) and (learned := learned_file()).exists():
        chosen = load(learned)
    else:
        chosen = usual(backend, game)
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


def usual(backend: str, game: Game[Any, Any] | None = None) -> Profile:
    """Load the board that is meant where nobody says which, as it is wired there.

    That is the hexagon, unless the game does not fit on it and does on another one that ships.
    """
    on_pico = backend == COPROCESSOR
    hexagon = built_in("hexagon-61-pico") if on_pico else built_in()
    if game is None or fits(hexagon, game):
        return hexagon
    others = (built_in(name) for name in built_in_names())
    fitting = (each for each in others if (each.pico is not None) == on_pico and fits(each, game))
    return next(fitting, hexagon)


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
