"""The sensing layer cut in tiles of whole cells, small enough for what cheap makers take.

Owns which pads share a tile, and the tiles' edges. Must not know what else is on a tile.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import atan2, cos, pi, radians, sin
from operator import or_

from shapely import Polygon, box, union_all
from shapely.affinity import rotate, translate
from shapely.geometry.base import BaseGeometry as Shape

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import EDGE_MM
from hardware.kit.circuit.outlines import corners, disc, obstacles, one_ring, rounded
from hardware.kit.drawing import Points
from hardware.kit.errors import KitError
from hardware.kit.layout import Cell, Grid, Layout, Sensor

GAP_MM = 0.25
"""Between two tiles: what a maker's cutter may be off, twice."""
_CORNER_MM = 1.0
"""Of the radius: that of the cutter."""
_TOUCH_MM = 0.2
"""Pieces that lie so close are neighbours: a key may be a little off the cells' grid."""
_BEAM = 150
_EVEN = 0.2
"""What a tile's size squared counts against a pair of neighbours on one tile."""
_LONELY = 0.05
_MOST_BESIDE = 6
_BRIDGE = 0.1
"""A key joins a cell that is so near, by the pitch."""
_NECK = 0.25
"""The least edge that two pieces of a tile share, by the pitch."""


@dataclass(frozen=True, slots=True)
class Tile:
    """The pads that share a tile, in the order of the layout, and its edge counter-clockwise."""

    names: tuple[str, ...]
    outline: Points


def cut(layout: Layout, most_mm: float) -> tuple[Tile, ...]:
    """Share all pads among few tiles of at most `most_mm` square that leave `GAP_MM` between them.

    Raises KitError for a cell that does not fit into a tile alone, and for a guard that does not
    fit into its cell.
    """
    pieces = _pieces(layout)
    for name, piece in pieces.items():
        wide, high = _size(piece)
        if max(wide, high) - GAP_MM > most_mm:
            raise KitError(
                f"{name} takes {wide - GAP_MM:.1f} x {high - GAP_MM:.1f} mm: allowed is a tile of"
                f" {most_mm:g} x {most_mm:g} mm"
            )
    return tuple(_tile(layout, names, pieces) for names in _groups(layout, pieces, most_mm))


def _tile(layout: Layout, names: tuple[str, ...], pieces: Mapping[str, Shape]) -> Tile:
    # Joined a little too large, so that no slits stay between pieces that hardly touch.
    joined = union_all([pieces[name].buffer(_TOUCH_MM / 2, join_style="mitre") for name in names])
    shape = one_ring(
        rounded(joined, (GAP_MM + _TOUCH_MM) / 2, _CORNER_MM), f"the tile of {', '.join(names)}"
    )
    reach = layout.geometry.guard_outer_mm / 2 + EDGE_MM
    for name in names:
        if not shape.contains(disc(layout.sensors[name].at, reach)):
            raise KitError(
                f"the guard of {name} has an outer diameter of {layout.geometry.guard_outer_mm:g}"
                f" mm: allowed on a tile is {2 * EDGE_MM + GAP_MM:g} mm less than the cell leaves"
            )
    return Tile(names, corners(shape))


def _size(shape: Shape) -> tuple[float, float]:
    left, bottom, right, top = shape.bounds
    return right - left, top - bottom


def _pieces(layout: Layout) -> dict[str, Shape]:
    """Give each pad the part of the plane that its tile must have."""
    pieces = {name: _of_cell(layout, cell) for name, cell in layout.cells.items()}
    cells = union_all(list(pieces.values()))
    for key in _keys(layout):
        piece = _of_key(layout, key, pieces).difference(cells)
        pieces[key.name] = _without_slivers(piece)
    out = obstacles(layout)
    return {name: pieces[name].difference(out) for name in layout.sensors}


def _keys(layout: Layout) -> tuple[Sensor, ...]:
    return tuple(s for name, s in layout.sensors.items() if name not in layout.cells)


def _of_cell(layout: Layout, cell: Cell) -> Shape:
    sensor = layout.sensors[cell.name]
    if layout.grid is not Grid.DISC:
        return _own(layout, sensor, Polygon(cell.outline), _keys(layout))
    # Segments are wide at the rim, and there is nothing in most of it.
    square = _square(cell.at, layout.geometry.pitch_mm, atan2(cell.at.y, cell.at.x))
    return _own(layout, sensor, square, layout.sensors.values())


def _of_key(layout: Layout, key: Sensor, cells: Mapping[str, Shape]) -> Shape:
    """Give a key the shape of a cell, and what is between it and a cell that it hardly misses."""
    pitch = layout.geometry.pitch_mm
    shape: Shape = _square(key.at, pitch, 0.0)
    if layout.grid is Grid.HEXAGON:
        reach = pitch / 2 / cos(pi / 6)
        turns = [radians(30 + 60 * n) for n in range(6)]
        shape = Polygon([key.at.moved(reach * cos(turn), reach * sin(turn)) for turn in turns])
    nearest = cells[min(layout.cells, key=lambda name: key.at.distance(layout.cells[name].at))]
    if shape.distance(nearest) <= _BRIDGE * pitch:
        shape = union_all([shape, nearest]).convex_hull
    return _own(layout, key, shape, _keys(layout))


def _own(layout: Layout, sensor: Sensor, shape: Shape, others: Iterable[Sensor]) -> Shape:
    """Take away what is nearer to the pads of others."""
    for other in others:
        if other is not sensor and sensor.at.distance(other.at) < 2 * layout.geometry.pitch_mm:
            shape = shape.intersection(_nearer(sensor, other))
    return shape


def _without_slivers(shape: Shape) -> Shape:
    return shape.buffer(-_CORNER_MM, join_style="mitre").buffer(_CORNER_MM, join_style="mitre")


def _square(at: Point, side_mm: float, turn: float) -> Polygon:
    half = side_mm / 2
    square = rotate(box(-half, -half, half, half), turn, origin=(0, 0), use_radians=True)
    return translate(square, at.x, at.y)


def _nearer(sensor: Sensor, other: Sensor) -> Polygon:
    """Give all places that are nearer to one pad than to another, as far as it matters."""
    far = 4 * sensor.at.distance(other.at)
    turn = atan2(sensor.at.y - other.at.y, sensor.at.x - other.at.x)
    middle = Point((sensor.at.x + other.at.x) / 2, (sensor.at.y + other.at.y) / 2)
    half_plane = rotate(box(0, -far, 2 * far, far), turn, origin=(0, 0), use_radians=True)
    return translate(half_plane, middle.x, middle.y)


def _groups(
    layout: Layout, pieces: Mapping[str, Shape], most_mm: float
) -> tuple[tuple[str, ...], ...]:
    """Share the pads: a beam search over sets of pads, which are kept as bits of a number."""
    names = tuple(pieces)
    shapes = tuple(pieces.values())
    search = _Search(_neighbours(shapes, layout.geometry.pitch_mm), _windows(shapes, most_mm))
    groups = sorted(search.run(), key=lambda mask: mask & -mask)
    return tuple(
        tuple(name for place, name in enumerate(names) if mask >> place & 1) for mask in groups
    )


def _neighbours(shapes: tuple[Shape, ...], pitch_mm: float) -> tuple[int, ...]:
    beside = [0] * len(shapes)
    for (one, shape), (other, its_shape) in combinations(enumerate(shapes), 2):
        if shape.distance(its_shape) > _TOUCH_MM:
            continue
        shared = shape.boundary.intersection(its_shape.buffer(_TOUCH_MM)).length
        if shared >= _NECK * pitch_mm:
            beside[one] |= 1 << other
            beside[other] |= 1 << one
    return tuple(beside)


def _windows(shapes: tuple[Shape, ...], most_mm: float) -> tuple[int, ...]:
    """List what lies in each square of a tile's size, as far as these differ."""
    side = most_mm + GAP_MM
    bounds = [shape.bounds for shape in shapes]
    lefts = sorted({round(left, 3) for left, _, _, _ in bounds})
    bottoms = sorted({round(bottom, 3) for _, bottom, _, _ in bounds})
    columns = [_within(left, left + side, [(b[0], b[2]) for b in bounds]) for left in lefts]
    rows = [_within(low, low + side, [(b[1], b[3]) for b in bounds]) for low in bottoms]
    return tuple(dict.fromkeys(window for c in columns for r in rows if (window := c & r)))


def _within(start: float, end: float, spans: Iterable[tuple[float, float]]) -> int:
    inside = (1 << n for n, (a, b) in enumerate(spans) if a >= start - 1e-3 and b <= end + 1e-3)
    return reduce(or_, inside, 0)


@dataclass(frozen=True, slots=True)
class _Search:
    """Find few connected sets that make up all pieces, each within a window."""

    beside: tuple[int, ...]
    windows: tuple[int, ...]

    def run(self) -> tuple[int, ...]:
        """Give the sets: few first of all, then compact, then of equal size."""
        everything = (1 << len(self.beside)) - 1
        states: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
        while True:
            grown: dict[int, tuple[float, tuple[int, ...]]] = {}
            for covered, (cost, groups) in states.items():
                for group in self._choices(everything & ~covered):
                    new = (cost + self._cost(group), (*groups, group))
                    grown[covered | group] = min(new, grown.get(covered | group, new))
            if everything in grown:
                return grown[everything][1]
            order = sorted(grown, key=lambda covered: self._waste(covered, everything))
            states = {covered: grown[covered] for covered in order[:_BEAM]}

    def _choices(self, free: int) -> Iterable[int]:
        """List the groups that the most lonely free piece can be in."""
        seed = min(_bits(free), key=lambda n: ((self.beside[n] & free).bit_count(), n))
        return sorted({self._around(seed, at & free) for at in self.windows if at >> seed & 1})

    def _cost(self, group: int) -> float:
        pairs = sum((self.beside[n] & group).bit_count() for n in _bits(group)) / 2
        return _EVEN * group.bit_count() ** 2 - pairs

    def _waste(self, covered: int, everything: int) -> tuple[float, int]:
        """Tell how little is covered, and how lonely are those that are not."""
        free = everything & ~covered
        lost = sum((_MOST_BESIDE - (self.beside[n] & free).bit_count()) ** 2 for n in _bits(free))
        return free.bit_count() + _LONELY * lost, covered

    def _around(self, seed: int, free: int) -> int:
        group = edge = 1 << seed
        while edge:
            reached = reduce(or_, (self.beside[n] for n in _bits(edge)), 0)
            edge = reached & free & ~group
            group |= edge
        return group


def _bits(mask: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
