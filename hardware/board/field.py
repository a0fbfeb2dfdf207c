"""The router's view of a board: blocked nodes, their owners, and the nodes that reach pads."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from math import hypot, inf
from typing import NamedTuple

import pcbnew

from hardware.board import cell
from hardware.board.drawing import DRILL, TRACK, VIA, Drawing, Point, at, box_of, chain, mm, of
from hardware.board.project import CLEARANCE_MM, COPPER_TO_HOLE_MM, HOLE_TO_HOLE_MM

STEP = 0.4
"""The router's grid in mm: a track and a gap."""
KEPT = TRACK / 2 + CLEARANCE_MM + 0.07
"""From other nets' copper to a track's middle; 0.07 more, since a step may cut a corner."""
SIGNALS = cell.INNER_KEEP_MM + 0.4
"""Distance from an electrode's middle to the middle of a track that is no electrode's."""
EDGE = 0.5
MARK = 1.2
"""Radius of the bare area around the middle of a fiducial."""
BELOW, INNER = 0, 1
"""The router's layers."""
LAYERS = (pcbnew.B_Cu, pcbnew.In2_Cu)
WIDE = 0.45
"""A pad narrower than this gets a straight piece of track that leads out to the grid."""


class Reach(NamedTuple):
    """A pad for the router: its middle, the nodes that reach it, its area in mm2."""

    x: float
    y: float
    nodes: frozenset[int]
    size: float


class Grid:
    """Converts between nodes of the router and millimetres of the board."""

    def __init__(self, half: Point) -> None:
        self.right, self.down = (int(each / STEP) + 2 for each in half)
        self.columns, self.rows = 2 * self.right + 1, 2 * self.down + 1
        self.area = self.columns * self.rows

    def node(self, x: float, y: float, layer: int = 0) -> int:
        """Return the nearest node."""
        row, column = round(y / STEP) + self.down, round(x / STEP) + self.right
        return layer * self.area + row * self.columns + column

    def place(self, node: int) -> Point:
        """Return the place of a node on the board."""
        row, column = divmod(node % self.area, self.columns)
        return (column - self.right) * STEP, (row - self.down) * STEP

    def box(self, left: float, top: float, right: float, bottom: float) -> Iterable[int]:
        """Return the nodes of layer 0 in a box."""
        for row in range(round(top / STEP) - 1, round(bottom / STEP) + 2):
            for column in range(round(left / STEP) - 1, round(right / STEP) + 2):
                if abs(row) <= self.down and abs(column) <= self.right:
                    yield (row + self.down) * self.columns + column + self.right

    def disc(self, x: float, y: float, radius: float) -> list[int]:
        """Return the nodes of layer 0 nearer than a radius."""
        found = []
        for node in self.box(x - radius, y - radius, x + radius, y + radius):
            a, b = self.place(node)
            if hypot(a - x, b - y) < radius:
                found.append(node)
        return found


class Field:
    """The obstacles of a board.

    `free` has a flag for each node of a layer that is on the board, `quiet` for those that are also
    not below an electrode, `vias` for those where a via fits; `owners` names the only net that may
    use a node, "" for no net. `groups` has the pads of each net that has more than one.
    """

    def __init__(self, drawing: Drawing) -> None:
        self.drawing, self.grid = drawing, Grid(drawing.plan.half)
        self.owners: dict[int, str] = {}
        self.vias = bytearray(self.grid.area)
        self.free = bytearray(self.grid.area)
        self.groups: dict[str, list[Reach]] = {}
        self._measure()

    def _measure(self) -> None:
        """Find the blocked nodes, their owners, and the nodes that reach each pad."""
        grid = self.grid
        inside = pcbnew.SHAPE_POLY_SET()
        inside.AddOutline(chain(self.drawing.plan.outline))
        inside.Deflate(mm(EDGE + TRACK / 2), pcbnew.CORNER_STRATEGY_ALLOW_ACUTE_CORNERS, mm(0.01))
        for node in range(grid.area):
            if inside.Contains(at(*grid.place(node))):
                self.free[node] = self.vias[node] = 1
        self.quiet = bytearray(self.free)
        for x, y, _ in self.drawing.electrodes.values():
            for node in grid.disc(x, y, SIGNALS):
                self.quiet[node] = 0
            for node in grid.disc(x, y, cell.INNER_KEEP_MM + VIA / 2 + CLEARANCE_MM):
                self.vias[node] = 0
        for x, y in self.drawing.marks:
            for node in grid.disc(x, y, MARK + VIA / 2):
                self.vias[node] = 0
        pads = self.drawing.pads
        count = Counter(pad.GetNetname() for pad in pads if pad.GetNetname())
        for pad in pads:
            self._block(pad)
        for pad in pads:
            if count[pad.GetNetname()] > 1 and not self._grounded(pad):
                self._reach(pad)

    def _own(self, node: int, net: str) -> None:
        self.owners[node] = net if self.owners.get(node, net) == net else ""

    def _block(self, pad: pcbnew.PAD) -> None:
        """Block the nodes near a pad for other nets, and those near its hole or copper for vias."""
        net, place = pad.GetNetname(), of(pad.GetPosition())
        if pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH:
            radius = pad.GetDrillSize().x / 2e6
            for node in self.grid.disc(*place, radius + COPPER_TO_HOLE_MM + TRACK / 2):
                for layer in range(len(LAYERS)):
                    self._own(node + layer * self.grid.area, "")
            for node in self.grid.disc(
                *place, radius + max(COPPER_TO_HOLE_MM + VIA / 2, HOLE_TO_HOLE_MM + DRILL / 2)
            ):
                self.vias[node] = 0
            return
        for layer, name in enumerate(LAYERS):
            if pad.IsOnLayer(name):
                for node in self._around(pad, name, KEPT):
                    self._own(node + layer * self.grid.area, net)
        for name in (pcbnew.B_Cu, pcbnew.F_Cu):
            if pad.IsOnLayer(name):
                for node in self._around(pad, name, VIA / 2 + CLEARANCE_MM):
                    self.vias[node] = 0
        if pad.GetDrillSize().x:
            radius = pad.GetDrillSize().x / 2e6 + DRILL / 2 + HOLE_TO_HOLE_MM
            for node in self.grid.disc(*place, radius):
                self.vias[node] = 0

    def _around(self, pad: pcbnew.PAD, layer: int, more: float) -> list[int]:
        """Return the nodes (of layer 0) of a pad and a rim around it."""
        shape = pcbnew.SHAPE_POLY_SET()
        pad.TransformShapeToPolygon(shape, layer, mm(more), mm(0.005), pcbnew.ERROR_OUTSIDE)
        return [
            node
            for node in self.grid.box(*box_of(shape.BBox()))
            if shape.Contains(at(*self.grid.place(node)))
        ]

    def _reach(self, pad: pcbnew.PAD) -> None:
        """Record the nodes that reach a pad; a narrow pad gets a straight piece of track first."""
        net, (x, y) = pad.GetNetname(), of(pad.GetPosition())
        side = pcbnew.B_Cu if pad.IsOnLayer(pcbnew.B_Cu) else pcbnew.F_Cu
        layers = [k for k, name in enumerate(LAYERS) if pad.IsOnLayer(name)]
        shape = pcbnew.SHAPE_POLY_SET()
        pad.TransformShapeToPolygon(shape, side, 0, mm(0.005), pcbnew.ERROR_INSIDE)
        box = shape.BBox()
        wide, high = box.GetWidth() / 1e6, box.GetHeight() / 1e6
        if min(wide, high) < WIDE:
            nodes = {self._escape(pad, wide, high)}
        else:
            nodes = set(self._around(pad, side, -0.05)) or {self._escape(pad, wide, high)}
        every = frozenset(node + layer * self.grid.area for node in nodes for layer in layers)
        self.groups.setdefault(net, []).append(Reach(x, y, every, area_of(pad)))

    def _grounded(self, pad: pcbnew.PAD) -> bool:
        """Join a ground pin to the exposed pad of its chip, which gets a via; False for others."""
        chip, net = pad.GetParentFootprint(), pad.GetNetname()
        if net != "GND" or "-1EP" not in chip.GetFPIDAsString():
            return False
        (x, y), (a, b) = of(pad.GetPosition()), of(chip.GetPosition())
        inward = (a, y) if abs(x - a) > abs(y - b) else (x, b)
        self.drawing.track([(x, y), inward], pcbnew.B_Cu, net)
        if (x, y) == (a, b):
            self.drawing.via(a, b, net)
            for node in self.grid.disc(a, b, VIA / 2 + KEPT):
                self._own(node + INNER * self.grid.area, net)
        return True

    def _escape(self, pad: pcbnew.PAD, wide: float, high: float) -> int:
        """Draw a straight track from a narrow pad away from its part; return the end node."""
        x, y = of(pad.GetPosition())
        middle = of(pad.GetParentFootprint().GetPosition())
        across = wide > high
        if abs(wide - high) < 0.1:
            across = abs(x - middle[0]) > abs(y - middle[1])
        if across:
            outward = 1 if x > middle[0] else -1
            tip = (x + outward * (wide / 2 + 0.05), y)
        else:
            outward = 1 if y > middle[1] else -1
            tip = (x, y + outward * (high / 2 + 0.05))
        beyond = STEP / 2 + 0.1
        end = self.grid.node(
            tip[0] + (outward * beyond if across else 0),
            tip[1] + (0 if across else outward * beyond),
        )
        net = pad.GetNetname()
        line = [(x, y), tip, self.grid.place(end)]
        self.drawing.track(line, pcbnew.B_Cu, net)
        for a, b in pairwise(line):
            self._keep(a, b, net)
        self.owners[end] = net
        return end

    def _keep(self, a: Point, b: Point, net: str) -> None:
        """Block the nodes near a piece of track for other nets."""
        reach = TRACK + CLEARANCE_MM + 0.02
        left, right = sorted((a[0], b[0]))
        top, bottom = sorted((a[1], b[1]))
        for node in self.grid.box(left - reach, top - reach, right + reach, bottom + reach):
            apart = _apart(self.grid.place(node), a, b)
            if apart < reach:
                self._own(node, net)
            if apart < VIA / 2 + TRACK / 2 + CLEARANCE_MM:
                self.vias[node] = 0


def area_of(pad: pcbnew.PAD) -> float:
    """Return the area of a pad in mm2; 0 for one with a hole, which connects to all planes."""
    return 0.0 if pad.GetDrillSize().x else pad.GetSize().x * pad.GetSize().y / 1e12


def _apart(point: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from a line segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / ((dx * dx + dy * dy) or inf)
    along = min(1.0, max(0.0, along))
    return hypot(point[0] - a[0] - along * dx, point[1] - a[1] - along * dy)
