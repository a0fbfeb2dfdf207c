"""How a game's board lies on a physical one: the whole of it, or a part, under the game's names.

Owns where each cell of a game is, and what its cells are called there. Must not know what else a
profile says, nor what is played.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from math import hypot
from pathlib import Path
from types import MappingProxyType
from typing import Any

from game.app.errors import AppError
from game.rules.board import Board
from game.rules.disc import disc
from game.rules.game import Game
from game.rules.hexagon import hexagon
from game.rules.rectangle import rectangle
from hal.memory import BoardMemory
from hal.profile import Profile, built_in, built_in_names

_CELL = re.compile(r"[A-Za-z][1-9][0-9]?")
_NEAR = 0.01
"""Centres as near as this are one; those of neighbours are 1 apart."""
_Shift = tuple[float, float]


def graph_of(profile: Profile) -> Board | None:
    """Find the board of the rules that has just these cells; None when there is none."""
    names = set(profile.cells)
    if not names or not all(_CELL.fullmatch(name) for name in names):
        return None
    return next((board for board in _alike(names) if set(board.cells) == names), None)


def fits(profile: Profile, game: Game[Any, Any]) -> bool:
    """Tell whether a game can be played on a board."""
    return _places(profile, game.board) is not None


def fitted(profile: Profile, game: Game[Any, Any]) -> Profile:
    """Give a board as a game sees it: its own cells under its own names, and no other cell.

    What lies around the game's cells is neither felt nor lit. A board that has the game's cells and
    no more stays as it is. Raises AppError for one on which the game does not fit.
    """
    places = _places(profile, game.board)
    if places is None:
        raise AppError(_misfit(profile, game))
    if len(places) == len(profile.cells) and all(own == cell for cell, own in places.items()):
        return profile
    beside = {spot: pixel for spot, pixel in profile.pixels.items() if spot not in profile.cells}
    lit = {cell: profile.pixels[own] for cell, own in places.items() if own in profile.pixels}
    return replace(
        profile,
        cells=MappingProxyType({cell: profile.cells[own] for cell, own in places.items()}),
        pixels=MappingProxyType(lit | beside),
    )


def lacking_keys(profile: Profile, game: Game[Any, Any]) -> tuple[str, ...]:
    """List the keys of a game that a board has not: they can be pressed on the page only."""
    return tuple(key for key in game.keys if key not in profile.keys)


class FittedMasks:
    """The masked cells of a board, by the names that they have in a game.

    The board's memory keeps them by its own names, and those that the game has no cell for.
    """

    def __init__(self, memory: BoardMemory, board: Profile, game_board: Profile) -> None:
        self._memory = memory
        own = {pad: cell for cell, pad in board.cells.items()}
        self._own = {cell: own[pad] for cell, pad in game_board.cells.items()}

    @property
    def path(self) -> Path | None:
        """The file that keeps them, if there is one."""
        return self._memory.path

    @property
    def masked(self) -> frozenset[str]:
        """The cells of the game that are not to be felt."""
        return frozenset(cell for cell, own in self._own.items() if own in self._memory.masked)

    def mask(self, cells: Iterable[str]) -> None:
        """Take the whole set of cells of the game that are not to be felt any more."""
        others = self._memory.masked - frozenset(self._own.values())
        self._memory.mask(others | {self._own[cell] for cell in cells})

    def save(self) -> None:
        """Write the board's file if anything has changed; raise OSError if it cannot be done."""
        self._memory.save()


def _places(profile: Profile, board: Board) -> Mapping[str, str] | None:
    """Find which cell of a profile each cell of a game's board is; None where one is missing."""
    graph = graph_of(profile)
    if graph is None:
        # Nobody knows where such cells lie, so only the very same names mean the same cells.
        return _alone(board) if set(profile.cells) == set(board.cells) else None
    if graph.centres == board.centres:
        return _alone(board)
    for shift in _shifts(graph, board):
        places = _laid(graph, board, shift)
        if places is not None:
            return places
    return None


def _alone(board: Board) -> Mapping[str, str]:
    """Give the cells of a board that is the whole of another, with the same names."""
    return {cell: cell for cell in board.cells}


def _shifts(graph: Board, board: Board) -> Iterator[_Shift]:
    """Give the ways to lay a board on another: middle on middle, and the first name on its own."""
    (x, y), (board_x, board_y) = _middle(graph), _middle(board)
    yield x - board_x, y - board_y
    first = board.cells[0]
    if first in graph.centres:
        (x, y), (board_x, board_y) = graph.centres[first], board.centres[first]
        yield x - board_x, y - board_y


def _laid(graph: Board, board: Board, shift: _Shift) -> Mapping[str, str] | None:
    """Find which cell lies under each cell of a board that is laid so; None where one has none."""
    places: dict[str, str] = {}
    for cell in board.cells:
        x, y = (at + by for at, by in zip(board.centres[cell], shift, strict=True))
        own = min(graph.cells, key=lambda each: _apart(graph.centres[each], (x, y)))
        if _apart(graph.centres[own], (x, y)) > _NEAR:
            return None
        places[cell] = own
    return places


def _middle(board: Board) -> _Shift:
    xs, ys = zip(*(board.centres[cell] for cell in board.cells), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _apart(one: _Shift, other: _Shift) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _misfit(profile: Profile, game: Game[Any, Any]) -> str:
    """Say why a game does not fit on a board, and on which of those that ship it does."""
    lacking = [cell for cell in game.board.cells if cell not in profile.cells]
    if lacking:
        some = ", ".join(lacking[:3]) + (" ..." if len(lacking) > 3 else "")
        why = f"board {profile.name!r} lacks cells of {game.name}: {some}"
    else:
        why = (
            f"board {profile.name!r} does not fit {game.name}: it has cells of all these names,"
            " but they lie otherwise"
        )
    good = [name for name in built_in_names() if fits(built_in(name), game)]
    which = f", such as {', '.join(good)}," if good else ""
    return f"{why}; choose another{which} with --board, or in the settings of the service"


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
