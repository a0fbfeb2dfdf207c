"""What a finger beside a stone changes, by two fields: `python -m tests.board.finger_field`.

Units: mm, pF, V. A pad at 1 V, all else at ground; fingers are grounded rods of 8 mm, stones are
cylinders of 17 mm. `differences` solves the potential on a grid of volumes, `charges` solves
charges on surfaces, without a grid. Both use that a cell is the same on both sides of the x axis.
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
def differences(
    board: Board, stone: Stone | None = None, fingers: tuple[Finger, ...] = (), step: float = 0.5
) -> float:
    """Return a pad's capacitance, by finite volumes."""
    x = _axis(-14.5, 24.5, -45, 45, step)
    y = _axis(0, 15, 0, 45, step)
    z = _axis(-1.5, board.cover + 9, -12, 50, 0.5)
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


def _axis(fine: float, to: float, low: float, high: float, step: float) -> Array:
    """Return nodes: even ones from `fine` to `to`, wider ones out to `low` and `high`."""
    nodes, wide = list(np.arange(round(fine / step), round(to / step) + 1) * step), step
    while nodes[-1] < high:
        wide = min(1.5 * wide, 8)
        nodes.append(nodes[-1] + wide)
    wide = step
    while nodes[0] > low:
        wide = min(1.5 * wide, 8)
        nodes.insert(0, nodes[0] - wide)
    return np.array(nodes)


def _halves(axis: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Return the indices of all but the last, and of all but the first along an axis."""
    low, high = slice(None, -1), slice(1, None)
    every = slice(None)
    return tuple(low if n == axis else every for n in range(3)), tuple(
        high if n == axis else every for n in range(3)
    )


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


SPREAD = list(product((-0.25, 0.25), repeat=2))
"""Where a panel's charge is, in shares of its sides from its middle; panels often touch."""


class Panels:
    """Surfaces cut into panels: where, how large, which way they face, voltage, and materials.

    The voltage of a panel between two materials is not a number.
    """

    def __init__(self) -> None:
        self.rows: list[Array] = []
        self.points: list[Array] = []

    def add(
        self,
        points: list[tuple[Any, Any, Any]],
        area: Any,
        volts: float,
        over: Any = 1.0,
        under: float = 1.0,
        *,
        facing: tuple[Any, Any, Any] = (0, 0, 1),
    ) -> None:
        """Add panels by their spread points, with the materials outside and inside of them."""
        at = [np.column_stack(list(map(np.ravel, np.broadcast_arrays(*each)))) for each in points]
        each = [*facing, area, volts, over, under]
        shape = np.broadcast_shapes(*map(np.shape, points[0]))
        each = [np.broadcast_to(part, shape).ravel() for part in each]
        self.points.append(np.stack(at))
        self.rows.append(np.column_stack(each).astype(float))

    def wall(
        self, along: float, radius: float, low: float, high: float, step: float, **of: Any
    ) -> None:
        """Add half of a cylinder's wall."""
        around, up = (max(2, round(size / step)) for size in (pi * radius, high - low))
        turn, z = np.meshgrid((np.arange(around) + 0.5) * pi / around, np.arange(up) + 0.5)
        points = [
            (along + radius * np.cos(t), radius * np.sin(t), low + (z + b) * (high - low) / up)
            for a, b in SPREAD
            for t in [turn + a * pi / around]
        ]
        area = pi * radius / around * (high - low) / up
        self.add(points, area, facing=(np.cos(turn), np.sin(turn), 0), **of)

    def capacitance(self) -> float:
        """Return the free charge on all panels that are at 1 V."""
        points = np.concatenate(self.points, axis=1)
        at = points.mean(axis=0)
        facing, area, volts, over, under = np.split(np.vstack(self.rows), [3, 4, 5, 6], axis=1)
        inverse, field = np.zeros((2, len(at), len(at)))
        for side, sources in product((1, -1), points):
            apart = [at[:, [n]] - sources[:, n] * sign for n, sign in enumerate((1, side, 1))]
            away = np.sqrt(sum(each**2 for each in apart))
            if side == 1:
                np.fill_diagonal(away, np.inf)
            inverse += 1 / away
            field += sum(each * facing[:, [n]] for n, each in enumerate(apart)) / away**3
        inverse, field = (each / len(points) for each in (inverse, field))
        inverse += np.diagflat(3.5255 / np.sqrt(area))  # of a square, at its own middle
        inverse, field = (each / (4 * pi * VACUUM_PF_MM) for each in (inverse, field))
        own = np.diagflat((over + under) / (2 * VACUUM_PF_MM * area))
        matrix = np.where(np.isnan(volts), (over - under) * field + own, inverse)
        charge = np.linalg.solve(matrix, np.nan_to_num(volts))
        free = VACUUM_PF_MM * area * (over - under) * (field @ charge) + (over + under) / 2 * charge
        return 2 * float(free[volts == 1].sum())


def _squares(step: float) -> tuple[Array, Array, Array]:
    """Return the middles and sides of squares, of `step` at the cell and larger ones around it."""
    steps = (np.arange(-10, 10) + 0.5) * 4 * step
    x, y = (each.ravel() for each in np.meshgrid(steps, steps[steps > 0]))
    size = np.full(len(x), 4 * step)
    for reach in (30, 20):
        near = np.hypot(x, y) < reach
        x, y = (
            np.concatenate((each[~near], *(each[near] + at[n] * size[near] for at in SPREAD)))
            for n, each in enumerate((x, y))
        )
        size = np.concatenate((size[~near], np.tile(size[near] / 2, len(SPREAD))))
    return x, y, size


@cache
def charges(
    board: Board, stone: Stone | None = None, fingers: tuple[Finger, ...] = (), step: float = 1.0
) -> float:
    """Return a pad's capacitance, by boundary elements; walls of holes are left out."""
    x, y, size = _squares(step)
    far, panels, free = np.hypot(x, y), Panels(), np.nan

    def flat(where: Array, z: float, volts: float, over: Any, under: float) -> None:
        points = [(x[where] + a * size[where], y[where] + b * size[where], z) for a, b in SPREAD]
        panels.add(points, size[where] ** 2, volts, over, under)

    base = FR4 if board.ordered else 1.0
    pad, ground = board.pad(x, y), board.ground(x, y)
    flat(pad, 0, 1, board.material, base)
    flat(ground, 0, 0, board.material, base)
    flat(~pad & ~ground, 0, free, board.material, base)
    if board.ordered:
        inner = far < cell.INNER_KEEP_MM
        flat(inner, -cell.BOARD_MM, free, FR4, 1)
        flat(~inner, -0.6, 0, FR4, FR4)
    else:
        flat(y < STRIP_MM[0], STRIP_MM[1], 0, 1, 1)
    covered = np.zeros(len(x), bool)
    foot = (far < FOOT) & bool(stone)
    over = np.where(foot, stone.material if stone else 1.0, 1.0)
    for along, above in fingers:
        tip = np.hypot(x - along, y) < cell.FINGER_RADIUS_MM
        on = stone is not None and above == stone.height
        under = stone.material if stone and on else 1.0 if above else board.material
        flat(tip, board.cover + above, 0, 1, under)
        low = board.cover + above
        panels.wall(along, cell.FINGER_RADIUS_MM, low, low + ROD_MM, 1.25 * step, volts=0)
        covered |= tip & (not above)
    top = foot.copy()
    for along, above in fingers:
        top &= (above == 0) | (np.hypot(x - along, y) >= cell.FINGER_RADIUS_MM)
    flat(~covered, board.cover, free, over[~covered], board.material)
    if stone:
        flat(top, board.cover + stone.height, free, 1, stone.material)
        high = board.cover + stone.height
        panels.wall(0, FOOT, board.cover, high, step, volts=free, under=stone.material)
    return panels.capacitance()


HANDS: dict[str, tuple[Finger, ...]] = {
    "one fingertip beside": ((BESIDE, 0.0),),
    "two fingertips beside": ((BESIDE, 0.0), (-BESIDE, 0.0)),
}


def shares(board: Board, stone: Stone, field: Any = differences) -> dict[str, float]:
    """Return the change by a stone alone, and by hands at it, over that by a finger without it."""
    empty, standing = field(board), field(board, stone)
    whole = field(board, None, ((0.0, 0.0),)) - empty
    found = {hand: (field(board, stone, at) - standing) / whole for hand, at in HANDS.items()}
    return {"the stone alone": (standing - empty) / whole, **found}


if __name__ == "__main__":
    for name, turns in BOARDS.items():
        for board, stone, field in product(turns, STONES, (differences, charges)):
            every = shares(board, stone, field).items()
            shown = ", ".join(f"{what} {100 * share:.1f} %" for what, share in every)
            print(name, board.turn, field.__name__, *stone, shown, sep=": ", flush=True)
