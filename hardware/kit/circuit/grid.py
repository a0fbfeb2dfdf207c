"""The grid on which tracks are sought: which steps and vias each net may take.

Owns what stands still: outline, holes and the copper of a problem, measured exactly for each step
between neighbouring nodes. Must not know tracks, nor how ways are found. Arrays are indexed
[layer, row, column] or [row, column]; layer 0 is the top; rows go up.
"""

from dataclasses import dataclass
from math import ceil, floor, inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import CLEARANCE_MM, EDGE_MM, GROUND, TRACK_MM, VIA_MM, Side
from hardware.kit.circuit.problem import Bar, Copper, Disc, Problem
from hardware.kit.circuit.search import AROUND
from hardware.kit.drawing import Box

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Owners = NDArray[np.int16]

LAYERS: Final = (Side.TOP, Side.BOTTOM)
DIRECTIONS: Final = AROUND[:4]
"""Steps from a node to half of its neighbours. The others are these backwards."""

ANYBODY, NOBODY = 0, -1
"""Owners of a step or a place besides the nets, which are numbered from 1."""

_BESIDE_PAD_MM, _UNDER_PAD_MM = 2.5, 0.5
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Patch:
    """A part of the grid: rows and columns from the first to the one after the last."""

    bottom: int
    top: int
    left: int
    right: int

    @property
    def shape(self) -> tuple[int, int]:
        """Give the numbers of rows and columns."""
        return self.top - self.bottom, self.right - self.left

    @property
    def slices(self) -> tuple[slice, slice]:
        """Give what cuts the patch out of an array."""
        return slice(self.bottom, self.top), slice(self.left, self.right)


class Grid:
    """Hold the nodes of a board.

    `steps` has for each direction, layer and node whose the step from it is, `vias` for each node
    whose a via there would be, `pads` for each layer and node whose electrode is beside, above or
    below it.
    """

    def __init__(self, problem: Problem, step_mm: float) -> None:
        self.step_mm = step_mm
        box = Box.around(problem.outline)
        # One more all round, so that each node on the board has all its neighbours.
        box = box.grown(step_mm)
        start = _start(problem, box, step_mm)
        self._x: Floats = np.arange(start.x, box.right + _TINY, step_mm)
        self._y: Floats = np.arange(start.y, box.top + _TINY, step_mm)
        self.rows, self.columns = len(self._y), len(self._x)
        names = dict.fromkeys(each.net for each in problem.coppers if each.net)
        self.nets = {name: number for number, name in enumerate(names, 1)}
        shape = (self.rows, self.columns)
        self.steps: Owners = np.zeros((len(DIRECTIONS), len(LAYERS), *shape), np.int16)
        self.vias: Owners = np.zeros(shape, np.int16)
        self.pads: Owners = np.zeros((len(LAYERS), *shape), np.int16)
        for copper in problem.coppers:
            self._keep_off(copper)
        for copper in problem.coppers:
            if copper.net == GROUND and isinstance(copper.shape, Disc) and copper.shape.inner_mm:
                self._keep_out(copper, copper.shape, problem)
        for hole in problem.holes:
            self._keep_off_hole(Disc(hole.at, 0.0, hole.drill_mm))
        self._keep_inside(problem)

    @property
    def whole(self) -> Patch:
        """Give all of the grid."""
        return Patch(0, self.rows, 0, self.columns)

    def point(self, node: int) -> Point:
        """Give the place of a node by its number, of whichever layer."""
        row, column = divmod(node % (self.rows * self.columns), self.columns)
        return Point(round(float(self._x[column]), 4), round(float(self._y[row]), 4))

    def nearest(self, at: Point) -> int:
        """Give the node of the top that is nearest to a place on the board."""
        row = round((at.y - float(self._y[0])) / self.step_mm)
        return row * self.columns + round((at.x - float(self._x[0])) / self.step_mm)

    def number(self, node: int, patch: Patch) -> int:
        """Give the number of a node that is numbered within a patch."""
        rows, columns = patch.shape
        layer, place = divmod(node, rows * columns)
        row, column = divmod(place, columns)
        return (layer * self.rows + patch.bottom + row) * self.columns + patch.left + column

    def patch(self, box: Box) -> Patch:
        """Give the part of the grid that lies in a box."""
        x, y = float(self._x[0]), float(self._y[0])
        return Patch(
            max(0, ceil((box.bottom - y) / self.step_mm)),
            max(0, min(self.rows, floor((box.top - y) / self.step_mm) + 1)),
            max(0, ceil((box.left - x) / self.step_mm)),
            max(0, min(self.columns, floor((box.right - x) / self.step_mm) + 1)),
        )

    def places(self, patch: Patch) -> tuple[Floats, Floats]:
        """Give the x and the y of the nodes of a patch."""
        rows, columns = patch.slices
        x, y = np.meshgrid(self._x[columns], self._y[rows])
        return x, y

    def inside(self, copper: Copper, patch: Patch) -> Flags:
        """Tell in which nodes of a patch a track would end well inside of some copper.

        In discs there is room for a via as well, where the disc has any.
        """
        x, y = self.places(patch)
        found = np.zeros(patch.shape, np.bool_)
        if isinstance(copper.shape, Disc):
            found = _depth(copper.shape, x, y) >= VIA_MM / 2 - _TINY
        if not found.any():
            found = _depth(copper.shape, x, y) >= TRACK_MM / 2 - _TINY
        flags = np.zeros((len(LAYERS), *patch.shape), np.bool_)
        for layer, side in enumerate(LAYERS):
            if side in copper.sides:
                flags[layer] = found
        return flags

    def _around(self, box: Box, more_mm: float) -> Patch:
        return self.patch(box.grown(more_mm + 2 * self.step_mm))

    def _keep_off(self, copper: Copper) -> None:
        owner = self.nets.get(copper.net, NOBODY)
        patch = self._around(box_of(copper.shape), _BESIDE_PAD_MM)
        cut = patch.slices
        x, y = self.places(patch)
        for direction, (across, up) in enumerate(DIRECTIONS):
            dx, dy = across * self.step_mm, up * self.step_mm
            near = _close(copper.shape, x, y, dx, dy, TRACK_MM / 2 + CLEARANCE_MM)
            for layer, side in enumerate(LAYERS):
                if side in copper.sides:
                    _take(self.steps[direction, layer][cut], near, owner)
        # Solder would run away through a via in a pin, so that even the pin's own net has none.
        by = NOBODY if isinstance(copper.shape, Bar) else owner
        _take(self.vias[cut], _close(copper.shape, x, y, 0, 0, VIA_MM / 2 + CLEARANCE_MM), by)
        if isinstance(copper.shape, Disc) and copper.net not in {"", GROUND}:
            full = Disc(copper.shape.at, 0.0, copper.shape.outer_mm)
            for layer, side in enumerate(LAYERS):
                beside = _BESIDE_PAD_MM if side in copper.sides else _UNDER_PAD_MM
                self.pads[layer][cut][_close(full, x, y, 0, 0, beside)] = owner

    def _keep_out(self, guard: Copper, ring: Disc, problem: Problem) -> None:
        """Leave what a guard surrounds to the pad in it, since tracks there feel its finger."""
        within = (
            self.nets[copper.net]
            for copper in problem.coppers
            if copper.net and copper.net != GROUND and copper.sides & guard.sides
            if copper.shape.at.distance(ring.at) < ring.inner_mm / 2
        )
        owner = next(within, ANYBODY)
        if owner == ANYBODY:
            return
        full = Disc(ring.at, 0.0, ring.inner_mm)
        patch = self._around(box_of(full), 0.0)
        cut = patch.slices
        x, y = self.places(patch)
        for direction, (across, up) in enumerate(DIRECTIONS):
            dx, dy = across * self.step_mm, up * self.step_mm
            near = _close(full, x, y, dx, dy, 0.0)
            for layer, side in enumerate(LAYERS):
                if side in guard.sides:
                    _take(self.steps[direction, layer][cut], near, owner)
        _take(self.vias[cut], _close(full, x, y, 0, 0, 0.0), owner)

    def _keep_off_hole(self, hole: Disc) -> None:
        patch = self._around(box_of(hole), VIA_MM / 2 + EDGE_MM)
        x, y = self.places(patch)
        for direction, (across, up) in enumerate(DIRECTIONS):
            dx, dy = across * self.step_mm, up * self.step_mm
            near = _close(hole, x, y, dx, dy, TRACK_MM / 2 + EDGE_MM)
            self.steps[direction][:, *patch.slices][:, near] = NOBODY
        self.vias[patch.slices][_close(hole, x, y, 0, 0, VIA_MM / 2 + EDGE_MM)] = NOBODY

    def _keep_inside(self, problem: Problem) -> None:
        corners = problem.outline
        x, y = self.places(self.whole)
        inside = np.zeros(x.shape, np.bool_)
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            if start.y != end.y:
                crossed = (start.y > y) != (end.y > y)
                at = start.x + (y - start.y) * (end.x - start.x) / (end.y - start.y)
                inside ^= crossed & (x < at)
        self.vias[~inside] = NOBODY
        for direction, (across, up) in enumerate(DIRECTIONS):
            beyond = ~(inside & _shifted(inside, across, up))
            self.steps[direction][:, beyond] = NOBODY
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            patch = self._around(Box.around((start, end)), VIA_MM / 2 + EDGE_MM)
            cut = patch.slices
            x, y = self.places(patch)
            for direction, (across, up) in enumerate(DIRECTIONS):
                dx, dy = across * self.step_mm, up * self.step_mm
                near = _from_line(start, end, x, y, dx, dy) < TRACK_MM / 2 + EDGE_MM - _TINY
                self.steps[direction][:, *cut][:, near] = NOBODY
            near = _from_line(start, end, x, y, 0, 0) < VIA_MM / 2 + EDGE_MM - _TINY
            self.vias[cut][near] = NOBODY


def box_of(shape: Disc | Bar) -> Box:
    """Give the box around a shape."""
    if isinstance(shape, Disc):
        wide = high = shape.outer_mm / 2
    else:
        wide, high = shape.width_mm / 2, shape.height_mm / 2
    return Box(shape.at.x - wide, shape.at.y - high, shape.at.x + wide, shape.at.y + high)


def _start(problem: Problem, box: Box, step_mm: float) -> Point:
    """Find where the grid begins, so that the middles of most pins lie on it."""
    bars = [each.shape.at for each in problem.coppers if isinstance(each.shape, Bar)]
    over_x = [round(at.x % step_mm, 3) % step_mm for at in bars] or [0.0]
    over_y = [round(at.y % step_mm, 3) % step_mm for at in bars] or [0.0]
    x = max(sorted(set(over_x)), key=over_x.count)
    y = max(sorted(set(over_y)), key=over_y.count)
    return Point(
        x + ceil((box.left - x) / step_mm) * step_mm,
        y + ceil((box.bottom - y) / step_mm) * step_mm,
    )


def _take(owners: Owners, where: Flags, owner: int) -> None:
    others = where & (owners != ANYBODY) & (owners != owner)
    owners[where] = owner
    owners[others] = NOBODY


def _shifted(flags: Flags, across: int, up: int) -> Flags:
    """Give for each node the flag of its neighbour, and no flag where there is none."""
    rows, columns = flags.shape
    moved = np.zeros_like(flags)
    to = slice(max(0, -across), columns - max(0, across))
    by = slice(max(0, across), columns - max(0, -across))
    moved[: rows - up, to] = flags[up:, by]
    return moved


def _depth(shape: Disc | Bar, x: Floats, y: Floats) -> Floats:
    """Measure how far inside of a shape places are; outside it is negative."""
    if isinstance(shape, Bar):
        across = shape.width_mm / 2 - np.abs(x - shape.at.x)
        return np.minimum(across, shape.height_mm / 2 - np.abs(y - shape.at.y))
    away = np.hypot(x - shape.at.x, y - shape.at.y)
    outer = shape.outer_mm / 2 - away
    return np.minimum(outer, away - shape.inner_mm / 2) if shape.inner_mm else outer


def _close(shape: Disc | Bar, x: Floats, y: Floats, dx: float, dy: float, limit_mm: float) -> Flags:
    """Tell which lines from places, all of one direction, are closer to a shape than a limit."""
    if isinstance(shape, Disc):
        near = _from_point(shape.at, x, y, dx, dy) < shape.outer_mm / 2 + limit_mm - _TINY
        room = shape.inner_mm / 2 - limit_mm
        if room <= 0:
            return near
        far = np.hypot(x - shape.at.x, y - shape.at.y)
        far = np.maximum(far, np.hypot(x + dx - shape.at.x, y + dy - shape.at.y))
        return near & (far > room + _TINY)
    box = box_of(shape)
    apart = np.minimum(_from_box(box, x, y), _from_box(box, x + dx, y + dy))
    for corner in box.corners:
        apart = np.minimum(apart, _from_point(corner, x, y, dx, dy))
    return (apart < limit_mm - _TINY) | _crosses(box, x, y, dx, dy)


def _from_point(point: Point, x: Floats, y: Floats, dx: float, dy: float) -> Floats:
    """Measure from lines, each from a place to the one dx and dy away, to a point."""
    across, up = point.x - x, point.y - y
    length = dx * dx + dy * dy
    if not length:
        return np.hypot(across, up)
    along = np.clip((across * dx + up * dy) / length, 0.0, 1.0)
    return np.hypot(across - along * dx, up - along * dy)


def _from_box(box: Box, x: Floats, y: Floats) -> Floats:
    across = np.maximum(np.maximum(box.left - x, x - box.right), 0.0)
    return np.hypot(across, np.maximum(np.maximum(box.bottom - y, y - box.top), 0.0))


def _crosses(box: Box, x: Floats, y: Floats, dx: float, dy: float) -> Flags:
    first, last = np.zeros_like(x), np.ones_like(x)
    for at, by, low, high in ((x, dx, box.left, box.right), (y, dy, box.bottom, box.top)):
        if by:
            ends = (low - at) / by, (high - at) / by
            first = np.maximum(first, np.minimum(*ends))
            last = np.minimum(last, np.maximum(*ends))
        else:
            last = np.where((at < low) | (at > high), -inf, last)
    return first <= last


def _from_line(start: Point, end: Point, x: Floats, y: Floats, dx: float, dy: float) -> Floats:
    """Measure from lines, all of one direction, to another line that none of them crosses."""
    ax, ay = end.x - start.x, end.y - start.y
    here = Point(0.0, 0.0)
    apart = _from_point(here, start.x - x, start.y - y, ax, ay)
    apart = np.minimum(apart, _from_point(here, start.x - x - dx, start.y - y - dy, ax, ay))
    apart = np.minimum(apart, _from_point(start, x, y, dx, dy))
    return np.minimum(apart, _from_point(end, x, y, dx, dy))
