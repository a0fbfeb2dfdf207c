"""What a finger beside a stone changes, by its field: `python -m tests.board.finger_field`.

Units: mm, pF, V. A pad at 1 V, all else at ground; fingers are grounded rods of 8 mm, stones are
cylinders of 17 mm. A cell is the same on both sides of the x axis, of which one is solved.
"""

from functools import cache
from itertools import product
from math import cos, pi, radians, sin
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array, diags_array
from scipy.sparse.linalg import cg

from hardware.board import cell
from tests.board.figures import ACRYLIC, FR4, VACUUM_PF_MM

Array = np.ndarray[Any, np.dtype[Any]]

GLASS, WOOD = 6.5, 2.5
"""Relative permittivity: soda-lime glass has 6 to 7.5, dry wood 2 to 3.5 (general tables)."""
FOOT = cell.FOOT_MM[1] / 2
BESIDE = FOOT + 0.5 + cell.FINGER_RADIUS_MM
"""A finger's middle half a mm beside a stone."""
BENCH_PITCH_MM, BENCH_PAD_MM, STRIP_MM = 1000 / 30, 10.0, (5.0, -9.0)
"""Bench board: pitch, half a pad; half of the strip's width, and how far below the pads it lies."""
ROD_MM = 20.0
STEP_MM = 0.5
"""The finest step of the grid."""


class Board(NamedTuple):
    """A board's cover: thickness and permittivity. `turn` is the direction of its LED."""

    cover: float
    material: float
    ordered: bool
    turn: float = 0.0

    def pad(self, x: Array, y: Array) -> Array:
        """Return which points are copper of the pad."""
        if not self.ordered:
            return (abs(x) <= BENCH_PAD_MM) & (abs(y) <= BENCH_PAD_MM)
        copper = np.hypot(x, y) <= cell.PAD_RADIUS_MM
        for at, wide in cell.HOLES:
            angle = radians(at + self.turn)
            along, across = cell.HOLE_CIRCLE_MM * cos(angle), cell.HOLE_CIRCLE_MM * sin(angle)
            copper &= np.hypot(x - along, y - across) > wide / 2
        return copper

    def ground(self, x: Array, y: Array) -> Array:
        """Return which points beside the pad are guard, or neighbours' pads."""
        if self.ordered:
            return np.hypot(x, y) >= cell.PAD_RADIUS_MM + cell.GUARD_GAP_MM
        found = np.zeros(np.broadcast(x, y).shape, bool)
        for angle in np.arange(6) * pi / 3:
            away = BENCH_PITCH_MM * np.cos(angle), BENCH_PITCH_MM * np.sin(angle)
            found |= self.pad(x - away[0], y - away[1])
        return found


ORDERED = Board(cell.COVER_MM, ACRYLIC, True)
BENCH = Board(2.0, ACRYLIC, False)
BOARDS = {
    "ordered board": (ORDERED, ORDERED._replace(turn=180.0)),
    "bench board, acrylic": (BENCH,),
    "bench board, glass": (BENCH._replace(material=GLASS),),
}


class Stone(NamedTuple):
    """A stone in the middle of a cell: permittivity, height."""

    material: float
    height: float


STONES = [Stone(material, high) for material in (GLASS, WOOD, ACRYLIC) for high in (4.0, 8.0)]
Finger = tuple[float, float]
"""How far from the cell's middle a finger stands, and how high above the cover."""


@cache
def capacitance(
    board: Board, stone: Stone | None = None, fingers: tuple[Finger, ...] = ()
) -> float:
    """Return a pad's capacitance, by finite volumes."""
    x = _axis(-14.5, 24.5, -45, 45)
    y = _axis(0, 15, 0, 45)
    z = _axis(-1.5, board.cover + 9, -12, 50)
    below = -cell.BOARD_MM if board.ordered else STRIP_MM[1]
    z[np.argmin(abs(z - below))] = below
    middle = [(each[1:] + each[:-1]) / 2 for each in (x, y, z)]
    far = np.hypot(middle[0][:, None], middle[1])
    material = np.ones([len(each) for each in middle])
    material[:, :, (middle[2] > 0) & (middle[2] < board.cover)] = board.material
    if board.ordered:
        inside = board.pad(*np.broadcast_arrays(middle[0][:, None], middle[1]))
        layer = (middle[2] < 0) & (middle[2] > below)
        hole = ~inside & (far < cell.PAD_RADIUS_MM)
        material[:, :, layer] = np.where(hole, 1.0, FR4)[..., None]
    if stone:
        layer = (middle[2] > board.cover) & (middle[2] < board.cover + stone.height)
        material[(far < FOOT)[..., None] & layer] = stone.material
    volts = np.full((len(x), len(y), len(z)), np.nan)
    plane = np.argmin(abs(z))
    if board.ordered:
        shielded = np.hypot(x[:, None], y) >= cell.INNER_KEEP_MM
        volts[shielded[..., None] & ((z < -0.1) & (z >= below))] = 0
    else:
        volts[:, y <= STRIP_MM[0], np.argmin(abs(z - below))] = 0
    volts[board.ground(x[:, None], y), plane] = 0
    volts[board.pad(x[:, None], y), plane] = 1
    for along, above in fingers:
        rod = np.hypot(x[:, None] - along, y) <= cell.FINGER_RADIUS_MM + 1e-6
        up = z - board.cover - above
        volts[rod[..., None] & ((up > -1e-6) & (up < 2 * ROD_MM))] = 0
    for edge in (np.s_[0], np.s_[-1], np.s_[:, -1], np.s_[:, :, 0], np.s_[:, :, -1]):
        volts[edge] = 0
    return 2 * _energy(volts, material, [np.diff(each) for each in (x, y, z)])


def _axis(fine: float, to: float, low: float, high: float) -> Array:
    """Return nodes: even ones from `fine` to `to`, wider ones out to `low` and `high`."""
    wider = np.minimum(STEP_MM * 1.5 ** np.arange(1, 30), 8).cumsum()
    below, above = fine - wider, to + wider
    # The last ones lie beyond the ends.
    below = below[: np.searchsorted(-below, -low) + 1] if low < fine else below[:0]
    above = above[: np.searchsorted(above, high) + 1]
    even = np.arange(round(fine / STEP_MM), round(to / STEP_MM) + 1) * STEP_MM
    return np.concatenate((below[::-1], even, above))


def _halves(axis: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Return the indices of all but the last, and of all but the first along an axis."""
    whole, low, high = slice(None), slice(None, -1), slice(1, None)
    return (whole,) * axis + (low,), (whole,) * axis + (high,)


def _energy(volts: Array, material: Array, sizes: list[Array]) -> float:
    """Return twice the energy of a field; nodes without a voltage are free."""
    count, number = volts.size, np.arange(volts.size).reshape(volts.shape)
    ends, links = [], []
    for axis in range(3):
        area = material * VACUUM_PF_MM / 4
        for each, size in enumerate(sizes):
            shape = [-1 if each == n else 1 for n in range(3)]
            area = area / size.reshape(shape) if each == axis else area * size.reshape(shape)
        padded = np.pad(area, [(0, 0) if n == axis else (1, 1) for n in range(3)])
        for each in {0, 1, 2} - {axis}:
            low, high = _halves(each)
            padded = padded[low] + padded[high]
        low, high = _halves(axis)
        ends.append((number[low].ravel(), number[high].ravel()))
        links.append(padded.ravel())
    a, b = (np.concatenate(each) for each in zip(*ends, strict=True))
    link = np.concatenate(links)
    matrix = coo_array(
        (np.tile(-link, 2), (np.concatenate((a, b)), np.concatenate((b, a)))), (count, count)
    ).tocsr()
    matrix = (
        matrix + diags_array(np.bincount(a, link, count) + np.bincount(b, link, count))
    ).tocsr()
    known = np.nan_to_num(volts.ravel())
    free = np.isnan(volts.ravel())
    inner = matrix[free][:, free]
    known[free], failed = cg(
        inner, -(matrix @ known)[free], rtol=1e-4, maxiter=3000, M=diags_array(1 / inner.diagonal())
    )
    if failed:
        raise ArithmeticError("the field did not converge")
    return float(known @ (matrix @ known))


HANDS: dict[str, tuple[Finger, ...]] = {
    "one fingertip beside": ((BESIDE, 0.0),),
    "two fingertips beside": ((BESIDE, 0.0), (-BESIDE, 0.0)),
}


def shares(board: Board, stone: Stone) -> dict[str, float]:
    """Return the change by a stone alone, and by hands at it, over that by a finger without it."""
    empty, standing = capacitance(board), capacitance(board, stone)
    whole = capacitance(board, None, ((0.0, 0.0),)) - empty
    found = {hand: (capacitance(board, stone, at) - standing) / whole for hand, at in HANDS.items()}
    return {"the stone alone": (standing - empty) / whole, **found}


if __name__ == "__main__":
    for name, turns in BOARDS.items():
        for board, stone in product(turns, STONES):
            every = shares(board, stone).items()
            shown = ", ".join(f"{what} {100 * share:.1f} %" for what, share in every)
            print(name, board.turn, *stone, shown, sep=": ", flush=True)
