"""Choosing a board's profile: built-in names, files, the learned board, and the default."""

from dataclasses import replace
from pathlib import Path

from platformdirs import user_config_path

from game.common import AppError
from game.play.board_mapping import fits_board
from game.rules.base.game import AnyGame
from hal.backends.registry import COPROCESSOR, capabilities
from hal.base.errors import ProfileError
from hal.profile import Profile, built_in, built_in_names, load


def choose_board(
    board: str | None, backend: str, serial: str | None = None, game: AnyGame | None = None
) -> Profile:
    """Load a board: a built-in name or a file; else the learned board, or the game's usual one.

    Raises ProfileError, or AppError for a `serial` port where there is no Pico.
    """
    if board is not None:
        chosen = find_board(board)
    elif capabilities(backend).real and (learned := learned_file()).exists():
        chosen = load(learned)
    else:
        chosen = default_board(backend, game)
    return at_port(chosen, backend, serial)


def at_port(profile: Profile, backend: str, serial: str | None) -> Profile:
    """Set the port of a board's Pico, unless it is None; raises AppError where there is no Pico."""
    if serial is None:
        return profile
    if not capabilities(backend).pico:
        raise AppError(
            f"--serial is {serial!r}, but --backend is {backend}, which has no Pico: allowed with"
            f" it is --backend {COPROCESSOR}"
        )
    if profile.pico is None:
        raise AppError(
            f"--serial is {serial!r}, but board {profile.name!r} has no Pico: allowed is a"
            " board with [pico], such as --board hexagon-61-pico"
        )
    return replace(profile, pico=replace(profile.pico, port=serial))


def default_board(backend: str, game: AnyGame | None = None) -> Profile:
    """Load the hexagon of a backend, or another built-in board if only that fits the game."""
    on_pico = capabilities(backend).pico or False
    hexagon = built_in("hexagon-61-pico") if on_pico else built_in()
    if game is None or fits_board(hexagon, game):
        return hexagon
    others = (built_in(name) for name in built_in_names())
    fitting = (
        each for each in others if (each.pico is not None) == on_pico and fits_board(each, game)
    )
    return next(fitting, hexagon)


def find_board(board: str) -> Profile:
    """Load a built-in board by its name, or one from a file; raises ProfileError."""
    names = built_in_names()
    if board in names:
        return built_in(board)
    path = Path(board)
    # What looks like a file is read, so that the error describes the file.
    if path.exists() or path.suffix or path.name != board:
        return load(path)
    raise ProfileError(f'board "{board}" is unknown: allowed are a file, or {", ".join(names)}')


def learned_file() -> Path:
    """Return the path of the learned board, which may not exist; raises AppError."""
    return _settings_folder() / "board.toml"


def simulated_file() -> Path:
    """Return the path of the board learned on a simulated one; raises AppError."""
    return _settings_folder() / "simulated-board.toml"


def _settings_folder() -> Path:
    try:
        return user_config_path("lifeboard")
    except RuntimeError as error:
        raise AppError(
            f"your settings folder is not known ({error}); choose a board with --board"
        ) from error
