"""Rows of cells that serve as a menu of levels, one row for each player."""

from collections.abc import Sequence
from itertools import groupby
from math import hypot

from game.rules.boards.board import Board

EASY = "1"  # the level of beginners, which every menu offers
DECIMALS = 4  # Coordinates are compared with these, so that rounding errors do not split a row
Rows = tuple[tuple[str, ...], ...]


def menu_layout(board: Board, players: int, levels: int) -> tuple[str, Rows]:
    """Find a cell for "people only", and for each player a row of cells, one per level.

    Rows are rings on a disc, from the outermost for the first player, else straight lines, from the
    lowest. A small board has shorter rows; if there is no room for one level per player,
    the cell is "".
    """
    x, y = ({cell: round(at[n], DECIMALS) for cell, at in board.centres.items()} for n in (0, 1))
    order = sorted(board.cells, key=lambda cell: (-y[cell], x[cell]))
    lines = [tuple(line) for _, line in groupby(order, y.__getitem__)]
    if board.rings:
        lines = [*board.rings.values()][::-1]
    most = min(levels, (len(order) - 1) // players)
    for length in range(most, 1, -1):
        long = [line for line in lines if len(line) >= length]
        if len(long) >= players:
            apart = (round(n * (len(long) - 1) / max(1, players - 1)) for n in range(players))
            rows = tuple(_middle(long[at], length) for at in apart)
            free = set(board.cells).difference(*rows)
            return min(order, key=lambda c: (c not in free, hypot(x[c], y[c]), c)), rows
    if most < 1:
        return "", ()
    # A small board has one row of all cells, with "people only" in the middle.
    people = order.pop(most * (players // 2))
    return people, tuple(tuple(order[n * most :][:most]) for n in range(players))


def _middle(line: Sequence[str], length: int) -> tuple[str, ...]:
    return tuple(line[(len(line) - length) // 2 :][:length])


def spread_levels(levels: Sequence[str], count: int) -> tuple[str, ...]:
    """Choose `count` levels: from two on the easiest and the strongest, from three on also EASY."""
    if count == 1:
        return (levels[len(levels) // 2],)
    last = len(levels) - 1
    at = [round(n * last / (count - 1)) for n in range(count)]
    easy = levels.index(EASY) if EASY in levels else 0
    if count > 2 and easy not in at:
        at[min(range(1, count - 1), key=lambda n: abs(at[n] - easy))] = easy
    return tuple(levels[n] for n in at)
