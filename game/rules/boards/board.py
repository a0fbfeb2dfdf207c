"""Boards as graphs of cells with names, neighbours and centres: hexagons, discs and rectangles.

Hexagons have two ways of naming cells. Names are those of Abstract Play: rows `a` (bottom) upward,
each numbered from 1 at its left. Board Game Arena's names are only read: rows `A` (top) downward,
with a skewed column from 0.

A cell of a disc is named by its segment, clockwise from `a` at the top, and its ring, `1` being
innermost. When a ring turns, its pieces move to other cells.

Rectangles are named as on a chessboard: column `A` is left, row `1` is at the bottom.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from math import atan2, cos, hypot, pi, sin, sqrt

Axial = tuple[int, int]
"""Axial coordinates (q, r): q to the right along a row, r one row up and half a cell right."""
_AXIAL_STEPS: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))

EASY = "1"  # The level for beginners; every choice of three levels or more offers it
DECIMALS = 4  # Coordinates are rounded to these, so that float errors do not split a row
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """Describe the cells of one board.

    `centres` are in units of the distance between two neighbours, x to the right and y downward.
    `shape` names its kind (`hexagon`) for drawing. `rim` lists the outer cells clockwise
    from the top left, for lights that run round the board. `rings` are the parts that can be
    turned with their pieces: by name, the cells in clockwise order.
    """

    shape: str
    cells: tuple[str, ...]
    neighbours: Mapping[str, tuple[str, ...]]
    centres: Mapping[str, tuple[float, float]]
    rim: tuple[str, ...]
    rings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def in_mask(self, mask: int) -> Iterator[str]:
        """Yield the cells of a mask, an integer with a bit a cell, both in the board's order."""
        while mask:
            low = mask & -mask
            yield self.cells[low.bit_length() - 1]
            mask ^= low


def clockwise(centres: Mapping[str, tuple[float, float]], first: str) -> tuple[str, ...]:
    """Order cells by the direction of their centres from the middle, clockwise from the first."""
    angles = {cell: atan2(y, x) for cell, (x, y) in centres.items()}
    start = angles[first] - 1e-9
    return tuple(sorted(angles, key=lambda cell: (angles[cell] - start) % (2 * pi)))


def _check(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{what} is {value}; allowed: {least} to {most}")


def axial_cells(side: int) -> dict[str, Axial]:
    """Map cells, by row from the bottom and from the left, to coordinates; the middle is (0, 0)."""
    _check("side", side, 2, 13)
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
        name: tuple(
            name_at[q + dq, r + dr] for dq, dr in _AXIAL_STEPS if (q + dq, r + dr) in name_at
        )
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


def disc(rings: int = 4, segments: int = 8) -> Board:
    """Build a board of 4 rings by 8 segments, or of another size.

    Cells are ordered by segment, and from the inside in a segment. Neighbours share a side. Rings
    are 1 apart, and so are the cells of the innermost ring.
    """
    _check("rings", rings, 1, 20)
    _check("segments", segments, 3, 26)
    cells = [(segment, ring) for segment in range(segments) for ring in range(rings)]
    neighbours = {}
    centres = {}
    innermost = 1 / (2 * sin(pi / segments))
    for segment, ring in cells:
        around = [
            (segment, ring + 1),
            ((segment + 1) % segments, ring),
            (segment, ring - 1),
            ((segment - 1) % segments, ring),
        ]
        name = _name(segment, ring)
        neighbours[name] = tuple(_name(*near) for near in around if 0 <= near[1] < rings)
        angle = 2 * pi * segment / segments
        centres[name] = (innermost + ring) * sin(angle), -(innermost + ring) * cos(angle)
    # The first segment whose middle is at most an eighth of a turn before the top.
    first = -(segments // 8) % segments
    rim = tuple(_name((first + n) % segments, rings - 1) for n in range(segments))
    turning = {
        f"ring{ring + 1}": tuple(_name(segment, ring) for segment in range(segments))
        for ring in range(rings)
    }
    return Board("disc", tuple(_name(*cell) for cell in cells), neighbours, centres, rim, turning)


def _name(segment: int, ring: int) -> str:
    return f"{chr(ord('a') + segment)}{ring + 1}"


def rectangle(columns: int = 8, rows: int = 11) -> Board:
    """Build a board of squares, ordered by row from the bottom, and from the left in a row."""
    _check("columns", columns, 2, 26)
    _check("rows", rows, 2, 99)
    name_at = {(x, y): f"{chr(ord('A') + x)}{y + 1}" for y in range(rows) for x in range(columns)}
    neighbours = {
        name: tuple(name_at[x + dx, y + dy] for dx, dy in _STEPS if (x + dx, y + dy) in name_at)
        for (x, y), name in name_at.items()
    }
    left, bottom = (columns - 1) / 2, (rows - 1) / 2
    centres = {name: (x - left, bottom - y) for (x, y), name in name_at.items()}
    outer = {name: at for name, at in centres.items() if len(neighbours[name]) < len(_STEPS)}
    rim = clockwise(outer, name_at[0, rows - 1])
    return Board("rectangle", tuple(name_at.values()), neighbours, centres, rim)


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
