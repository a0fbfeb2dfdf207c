"""The menu of computer players on a board's cells: one row of levels a player.

Owns what each cell stands for, on any board. Knows no key and no light.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from game.rules.base.game import AnyGame
from game.rules.boards.board import Board
from game.table.records import EVEN
from game.table.state import State

CLEARANCE = 1.5
"""Distance, in steps to a neighbour, at which a cell stands clearly apart from the rows."""
_DECIMALS, _NEAR = 4, 1e-4
"""Coordinates are compared with these, so that rounding errors do not split a row."""

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """What a cell of the menu stands for: a level for a player; no player: people only.

    `chosen` means that it applies now.
    """

    player: int | None
    level: str
    chosen: bool


def choices(game: AnyGame, state: State) -> dict[str, MenuChoice]:
    """Map each cell of the menu to its choice, row by row; empty where there can be no menu."""
    levels = tuple(level for level in state.engine.levels if level != EVEN)
    people, rows = layout(game.board, len(game.players), len(levels))
    if not people:
        return {}
    menu = {people: MenuChoice(None, "", not any(state.computers))}
    for player, row in enumerate(rows, start=1):
        now = state.computers[player - 1] if state.computers else ""
        for cell, level in zip(row, spread(levels, len(row)), strict=True):
            menu[cell] = MenuChoice(player, level, level == now)
    return menu


def layout(board: Board, players: int, levels: int) -> tuple[str, Rows]:
    """Find a cell for "people only", and for each player a row of cells, one a level.

    The first player's row is the lowest. A small board has shorter rows; if there is no room for
    one level a player, the cell is "".
    """
    most = min(levels, (len(board.cells) - 1) // players)
    if most < 1:
        return "", ()
    for length in range(most, 1, -1):
        rows = _lines(board, players, length) or _bands(board, players, length)
        if rows:
            return _people(board, rows), rows
    # A small board has one row of all cells, with "people only" in the middle.
    order = sorted(board.cells, key=lambda cell: (-board.centres[cell][1], board.centres[cell][0]))
    people = order.pop(most * (players // 2))
    return people, tuple(tuple(order[n * most :][:most]) for n in range(players))


def spread(levels: Sequence[str], count: int) -> tuple[str, ...]:
    """Choose `count` levels, with the easiest and the strongest if there are two or more."""
    if count == 1:
        return (levels[len(levels) // 2],)
    last = len(levels) - 1
    return tuple(levels[round(n * last / (count - 1))] for n in range(count))


def _lines(board: Board, players: int, length: int) -> Rows:
    """Find straight rows of enough cells, from the bottom to the top; none if there are too few."""
    lines: dict[float, list[str]] = {}
    for cell in board.cells:
        lines.setdefault(round(board.centres[cell][1], _DECIMALS), []).append(cell)
    long = [lines[y] for y in sorted(lines, reverse=True) if len(lines[y]) >= length]
    if len(long) < players:
        return ()
    last = len(long) - 1
    apart = [long[round(n * last / max(1, players - 1))] for n in range(players)]
    return tuple(_row(board, line, length) for line in apart)


def _bands(board: Board, players: int, length: int) -> Rows:
    """Find one row in each horizontal band of the board; none if one is too short.

    Of cells above each other, the one nearest to the middle belongs to the row.
    """
    lowest = max(board.centres[cell][1] for cell in board.cells)
    heights = {cell: lowest - board.centres[cell][1] for cell in board.cells}
    width = max(heights.values()) / players
    inner = [n * width for n in range(1, players)]
    # Cells on the border of two bands belong to neither.
    between = {cell for cell, at in heights.items() for line in inner if abs(at - line) < _NEAR}
    rows = []
    for n in range(players):
        columns: dict[float, str] = {}
        for cell in sorted(board.cells, key=lambda cell: _from_middle(board, cell)):
            within = n * width <= heights[cell] <= (n + 1) * width
            if within and cell not in between:
                columns.setdefault(round(board.centres[cell][0], _DECIMALS), cell)
        rows.append(_row(board, list(columns.values()), length))
    return tuple(rows) if all(len(row) == length for row in rows) else ()


def _row(board: Board, cells: list[str], length: int) -> tuple[str, ...]:
    """Order cells from the left, and keep `length` of them in the middle."""
    row = sorted(cells, key=lambda cell: board.centres[cell][0])
    start = max(0, (len(row) - length) // 2)
    return tuple(row[start : start + length])


def _people(board: Board, rows: Rows) -> str:
    """Find the cell nearest to the middle that stands apart from all rows."""
    taken = [cell for row in rows for cell in row]

    def away(cell: str) -> float:
        return min(dist(board.centres[cell], board.centres[other]) for other in taken)

    free = [cell for cell in board.cells if cell not in taken]
    apart = [cell for cell in free if away(cell) >= CLEARANCE]
    return min(apart, key=lambda c: _from_middle(board, c)) if apart else max(free, key=away)


def _from_middle(board: Board, cell: str) -> float:
    """Return a cell's distance from the middle."""
    return round(dist(board.centres[cell], (0.0, 0.0)), _DECIMALS)
