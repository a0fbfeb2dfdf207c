"""Hexagons of hexagons: their cells, two ways of naming them, and shapes on their grid.

Cell names are those of Abstract Play: rows `a` (bottom) upward, each numbered from 1 at its left.
Board Game Arena's names are only read: rows `A` (top) downward, with a skewed column from 0.
"""

from collections.abc import Iterable
from functools import cache
from math import sqrt

from game.rules.boards.board import Board, clockwise

Axial = tuple[int, int]
"""Axial coordinates (q, r): q to the right along a row, r one row up and half a cell right."""

_STEPS: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def axial_cells(side: int) -> dict[str, Axial]:
    """Map cells, by row from the bottom and from the left, to coordinates; the middle is (0, 0)."""
    if not 2 <= side <= 13:
        raise ValueError(f"side is {side}; a hexagon has 2 to 13 cells a side")
    reach = side - 1
    cells = {}
    for r in range(-reach, reach + 1):
        first = max(-reach, -reach - r)
        last = min(reach, reach - r)
        for q in range(first, last + 1):
            cells[f"{chr(ord('a') + r + reach)}{q - first + 1}"] = (q, r)
    return cells


def centre(at: Axial) -> tuple[float, float]:
    """Place axial coordinates on paper, x to the right, y downward, neighbours 1 apart."""
    q, r = at
    return q + r / 2, -r * sqrt(3) / 2


def hexagon(side: int) -> Board:
    """Build the board with `side` cells per side: 61 cells for 5."""
    cells = axial_cells(side)
    name_at = {at: name for name, at in cells.items()}
    neighbours = {
        name: tuple(name_at[q + dq, r + dr] for dq, dr in _STEPS if (q + dq, r + dr) in name_at)
        for name, (q, r) in cells.items()
    }
    centres = {name: centre(at) for name, at in cells.items()}
    outer = {name: at for name, at in centres.items() if len(neighbours[name]) < 6}
    rim = clockwise(outer, [*cells][-side])
    return Board("hexagon", tuple(cells), neighbours, centres, rim)


def normal_form(shape: Iterable[Axial]) -> tuple[Axial, ...]:
    """Return the same normal form for all rotations, reflections and shifts of a shape."""
    forms = []
    turned = list(shape)
    for _ in range(2):
        turned = [(r, q) for q, r in turned]
        for _ in range(6):
            turned = [(-r, q + r) for q, r in turned]
            q0, r0 = min(turned)
            forms.append(tuple(sorted((q - q0, r - r0) for q, r in turned)))
    return min(forms)


def read_cell(text: str, side: int) -> str | None:
    """Read our name of a cell (`a1`) or that of Board Game Arena (`I4`); None if it is neither."""
    return _names(side).get(text)


@cache
def _names(side: int) -> dict[str, str]:
    cells, reach = axial_cells(side), side - 1
    arena = {f"{chr(ord('A') + reach - r)}{q + reach}": cell for cell, (q, r) in cells.items()}
    return arena | {cell: cell for cell in cells}
