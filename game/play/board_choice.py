"""Which board is played on, and how a game's cells are mapped to all or a part of it.

Owns the choice among built-in boards, files and the learned board, and the game's own cell names.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from platformdirs import user_config_path

from game.common import AppError
from game.rules.base.game import AnyGame
from game.rules.boards.board import Board, disc, hexagon, rectangle
from hal.backends.registry import COPROCESSOR, capabilities
from hal.base.errors import ProfileError
from hal.profile import BoardMemory, Profile, built_in, built_in_names, load

_CELL = re.compile(r"[A-Za-z][1-9][0-9]?")
_NEAR = 0.01  # Centres closer than this are the same; those of neighbours are 1 apart


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
    if not capabilities(backend).pico or profile.pico is None:
        raise AppError(
            f"--serial is {serial!r}, but there is no Pico on board {profile.name!r} with --backend"
            f" {backend}: allowed are a board with [pico], such as --board hexagon-61-pico, and"
            f" --backend {COPROCESSOR}"
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
    """Return the path of the learned board, which may not exist."""
    return user_config_path("lifeboard") / "board.toml"


def simulated_file() -> Path:
    """Return the path of the board learned on a simulated one."""
    return user_config_path("lifeboard") / "simulated-board.toml"


def graph_of(profile: Profile) -> Board | None:
    """Find the board of the rules that has exactly these cells; None when there is none."""
    names = set(profile.cells)
    if not names or not all(_CELL.fullmatch(name) for name in names):
        return None
    letters = len({name[0] for name in names})
    numbers = max(int(name[1:]) for name in names)
    builders: tuple[Callable[[], Board], ...] = (
        lambda: hexagon((letters + 1) // 2),
        lambda: disc(numbers, letters),
        lambda: rectangle(letters, numbers),
    )
    for build in builders:
        # No such board may have this size.
        with suppress(ValueError):
            if set((board := build()).cells) == names:
                return board
    return None


def fits_board(profile: Profile, game: AnyGame) -> bool:
    return _places(profile, game.board) is not None


def fitted_profile(profile: Profile, game: AnyGame) -> Profile:
    """Return a board with only the game's cells, under the game's names.

    Raises AppError for a board on which the game does not fit.
    """
    places = _places(profile, game.board)
    if places is None:
        good = [name for name in built_in_names() if fits_board(built_in(name), game)]
        which = f", such as {', '.join(good)}," if good else ""
        raise AppError(
            f"board {profile.name!r} does not fit {game.name}: choose another{which} with --board,"
            " or in the settings of the service"
        )
    if len(places) == len(profile.cells) and all(own == cell for cell, own in places.items()):
        return profile
    beside = {spot: pixel for spot, pixel in profile.pixels.items() if spot not in profile.cells}
    lit = {cell: profile.pixels[own] for cell, own in places.items() if own in profile.pixels}
    return replace(
        profile,
        cells=MappingProxyType({cell: profile.cells[own] for cell, own in places.items()}),
        pixels=MappingProxyType(lit | beside),
    )


def lacking_keys(profile: Profile, game: AnyGame) -> tuple[str, ...]:
    """List the keys of a game that a board lacks: they can be pressed on the page only."""
    return tuple(key for key in game.keys if key not in profile.keys)


class FittedMasks:
    """The masked cells, by the game's cell names; the board's memory uses the board's names."""

    def __init__(self, memory: BoardMemory, board: Profile, game_board: Profile) -> None:
        self._memory = memory
        own = {pad: cell for cell, pad in board.cells.items()}
        self._own = {cell: own[pad] for cell, pad in game_board.cells.items()}

    @property
    def masked(self) -> frozenset[str]:
        """The cells of the game that are masked."""
        return frozenset(cell for cell, own in self._own.items() if own in self._memory.masked)

    def mask(self, cells: Iterable[str]) -> None:
        others = self._memory.masked - frozenset(self._own.values())
        self._memory.mask(others | {self._own[cell] for cell in cells})

    def save(self) -> None:
        self._memory.save()


def _places(profile: Profile, board: Board) -> Mapping[str, str] | None:
    """Find the profile's cell for each cell of a game's board; None where one is missing."""
    graph, same = graph_of(profile), {cell: cell for cell in board.cells}
    if graph is None:
        # The positions of such cells are unknown, so only equal names mean equal cells.
        return same if same.keys() == profile.cells.keys() else None
    if graph.centres == board.centres:
        return same
    there = {cell: complex(*centre) for cell, centre in graph.centres.items()}
    wanted = {cell: complex(*centre) for cell, centre in board.centres.items()}
    # The board is laid centre on centre, or each cell on its own name.
    shifts = [_middle(there) - _middle(wanted)]
    shifts += [there[cell] - wanted[cell] for cell in board.cells[:1] if cell in there]
    return next(filter(None, (_laid(there, wanted, shift) for shift in shifts)), None)


def _laid(
    there: Mapping[str, complex], wanted: Mapping[str, complex], shift: complex
) -> dict[str, str] | None:
    """Find the cell under each cell of a board laid this way; None where one is missing."""
    places: dict[str, str] = {}
    for cell, centre in wanted.items():
        place = centre + shift
        own = min(there, key=lambda each: abs(there[each] - place))
        if abs(there[own] - place) > _NEAR:
            return None
        places[cell] = own
    return places


def _middle(centres: Mapping[str, complex]) -> complex:
    return sum(centres.values()) / len(centres)
