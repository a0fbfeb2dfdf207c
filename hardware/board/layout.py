"""A board's layout, by KiCad's own module `pcbnew`, which only KiCad's Python has.

Owns where copper, holes, texts and rules lie; parts and nets come from the circuit, ways from the
router. The middle of the board is the origin of all files made from it.
"""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, inf, pi, sin, sqrt
from pathlib import Path

import pcbnew

from hardware.board import cell, kinds
from hardware.board.circuit import Part
from hardware.board.plan import Plan
from hardware.board.routes import Net, Router, Way

LIBRARIES = Path("/usr/share/kicad/footprints")
MIDDLE = (300.0, 220.0)
"""Where the board's middle lies on the sheet, in mm."""
STEP = 0.4
"""The router's grid in mm: a track and a gap."""
TRACK, GAP, VIA, DRILL = 0.2, 0.2, 0.6, 0.3
LEAST_GAP = 0.15
KEPT = TRACK / 2 + LEAST_GAP + 0.07
"""From foreign copper to the middle of a track: a step may pass a corner nearer than its ends."""
SIGNALS = cell.INNER_KEEP_MM + 0.4
"""From an electrode's middle to the middle of any track that is not an electrode's."""
EDGE = 0.5
LIGHT_HOLE = 4.0
"""Diameter of the hole of a light beside the cells."""
BELOW, INNER = 0, 1
"""The router's layers."""
LAYERS = (pcbnew.B_Cu, pcbnew.In2_Cu)
WIDE = 0.45
"""Pads narrower than this are left by a straight piece before the grid is met."""


@dataclass(frozen=True)
class Report:
    """What came of the routing: millimetres of track of each electrode, and nets without a way."""

    lengths_mm: Mapping[str, float]
    failed: tuple[str, ...]


def at(x: float, y: float) -> pcbnew.VECTOR2I:
    """Return a point of the board in KiCad's coordinates."""
    return pcbnew.VECTOR2I_MM(MIDDLE[0] + x, MIDDLE[1] + y)


def ring(x: float, y: float, radius: float, points: int = 72) -> list[tuple[float, float]]:
    """Return a circle as a polygon around it."""
    outer = radius / cos(pi / points)
    turns = (2 * pi * k / points for k in range(points))
    return [(x + outer * cos(turn), y + outer * sin(turn)) for turn in turns]


@dataclass(frozen=True)
class Netlist:
    """What KiCad says of the schematic: the net of each pad, and each symbol's path."""

    nets: Mapping[tuple[str, str], str]
    paths: Mapping[str, str]


def read_netlist(file: Path) -> Netlist:
    """Read what `kicad-cli sch export netlist --format kicadxml` wrote."""
    root = ElementTree.parse(file).getroot()
    nets = {
        (node.get("ref", ""), node.get("pin", "")): net.get("name", "")
        for net in root.iter("net")
        for node in net.iter("node")
    }
    paths = {}
    for part in root.iter("comp"):
        sheet = part.find("sheetpath")
        above = "/" if sheet is None else sheet.get("tstamps", "/")
        paths[part.get("ref", "")] = above + (part.findtext("tstamps") or "")
    return Netlist(nets, paths)


class Grid:
    """Nodes of the router in millimetres of the board."""

    def __init__(self, outline: Iterable[tuple[float, float]]) -> None:
        points = list(outline)
        self.right = int(max(abs(x) for x, _ in points) / STEP) + 2
        self.down = int(max(abs(y) for _, y in points) / STEP) + 2
        self.columns, self.rows = 2 * self.right + 1, 2 * self.down + 1
        self.area = self.columns * self.rows

    def node(self, x: float, y: float, layer: int = 0) -> int:
        """Return the nearest node."""
        row, column = round(y / STEP) + self.down, round(x / STEP) + self.right
        return layer * self.area + row * self.columns + column

    def place(self, node: int) -> tuple[float, float]:
        """Return where a node is."""
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


class Layout:
    """A board that is being drawn."""

    def __init__(self, plan: Plan, parts: Sequence[Part], netlist: Netlist, target: Path) -> None:
        pcbnew.KIID.SeedGenerator(24)
        self.plan, self.parts, self.netlist, self.target = plan, parts, netlist, target
        self.board = pcbnew.NewBoard(str(target))
        self.board.SetCopperLayerCount(4)
        self.board.GetDesignSettings().SetAuxOrigin(at(0, 0))
        self.grid = Grid(plan.outline)
        self.electrodes = {f"E_{name}": spot for name, spot in plan.pads.items()}
        self.codes: dict[str, pcbnew.NETINFO_ITEM] = {}
        for name in sorted(set(netlist.nets.values())):
            self.codes[name] = pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(self.codes[name])
        self.known: dict[str, pcbnew.FOOTPRINT] = {}
        self.owners: dict[int, str] = {}
        self.vias = bytearray(self.grid.area)
        self.groups: dict[str, list[tuple[float, float, frozenset[int]]]] = {}

    # Parts

    def add_parts(self) -> None:
        """Place all footprints."""
        for part in self.parts:
            footprint = self._footprint(part.kind.footprint)
            footprint.SetReference(part.reference)
            footprint.SetValue(part.kind.value)
            footprint.SetPath(pcbnew.KIID_PATH(self.netlist.paths[part.reference]))
            self.board.Add(footprint)
            footprint.SetPosition(at(part.spot.x, part.spot.y))
            footprint.Flip(footprint.GetPosition(), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
            footprint.SetOrientationDegrees(part.spot.turn)
            for pad in footprint.Pads():
                net = self.netlist.nets.get((part.reference, pad.GetNumber()))
                if net:
                    pad.SetNet(self.codes[net])

    def _footprint(self, name: str) -> pcbnew.FOOTPRINT:
        """Return a copy from KiCad's library, in which reading is slow."""
        if name not in self.known:
            library, own = name.split(":")
            self.known[name] = pcbnew.FootprintLoad(str(LIBRARIES / f"{library}.pretty"), own)
        return pcbnew.Cast_to_FOOTPRINT(self.known[name].Duplicate())

    def add_holes(self) -> None:
        """Drill the light holes of all cells: one footprint a cell, on the board only."""
        pads = self.plan.pads
        beside = {n: at for n, at in self.plan.lights.items() if n.removesuffix(".0") not in pads}
        for name, spot in (*pads.items(), *beside.items()):
            footprint = pcbnew.FOOTPRINT(self.board)
            footprint.SetReference(f"LIGHT_{name}")
            footprint.Reference().SetVisible(False)
            footprint.Value().SetVisible(False)
            footprint.SetAttributes(
                pcbnew.FP_BOARD_ONLY | pcbnew.FP_EXCLUDE_FROM_BOM | pcbnew.FP_EXCLUDE_FROM_POS_FILES
            )
            self.board.Add(footprint)
            footprint.SetPosition(at(spot.x, spot.y))
            for x, y, diameter in cell.holes(spot.turn) if name in pads else ((0, 0, LIGHT_HOLE),):
                self._hole(footprint, spot.x + x, spot.y + y, diameter)

    def _hole(self, footprint: pcbnew.FOOTPRINT, x: float, y: float, diameter: float) -> None:
        pad = pcbnew.PAD(footprint)
        pad.SetAttribute(pcbnew.PAD_ATTRIB_NPTH)
        pad.SetShape(pcbnew.PAD_SHAPE_CIRCLE)
        size = pcbnew.VECTOR2I_MM(diameter, diameter)
        pad.SetSize(size)
        pad.SetDrillSize(size)
        pad.SetLayerSet(pcbnew.PAD.UnplatedHoleMask())
        footprint.Add(pad)
        pad.SetPosition(at(x, y))

    # What the router must know

    def measure(self) -> None:
        """Find what is blocked, by whom, and the nodes at which each pad is reached."""
        grid = self.grid
        inside = pcbnew.SHAPE_POLY_SET()
        inside.AddOutline(chain(self.plan.outline))
        inside.Deflate(mm(EDGE + TRACK / 2), pcbnew.CORNER_STRATEGY_ALLOW_ACUTE_CORNERS, mm(0.01))
        self.free = bytearray(grid.area)
        for node in range(grid.area):
            if inside.Contains(at(*grid.place(node))):
                self.free[node] = self.vias[node] = 1
        self.quiet = bytearray(self.free)
        for x, y, _ in self.electrodes.values():
            for node in grid.disc(x, y, SIGNALS):
                self.quiet[node] = 0
            for node in grid.disc(x, y, cell.INNER_KEEP_MM + VIA / 2 + LEAST_GAP):
                self.vias[node] = 0
        pads = [pad for footprint in self.board.GetFootprints() for pad in footprint.Pads()]
        for pad in pads:
            self._block(pad)
        for pad in pads:
            if pad.GetNetname():
                self._reach(pad)

    def _own(self, node: int, net: str) -> None:
        self.owners[node] = net if self.owners.get(node, net) == net else ""

    def _block(self, pad: pcbnew.PAD) -> None:
        """Keep others away from a pad, and vias from its hole or solder."""
        net, place = pad.GetNetname(), self._of(pad.GetPosition())
        if pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH:
            radius = pad.GetDrillSize().x / 2e6
            for node in self.grid.disc(*place, radius + 0.25 + TRACK / 2):
                for layer in range(len(LAYERS)):
                    self._own(node + layer * self.grid.area, "")
            for node in self.grid.disc(*place, radius + max(0.25 + VIA / 2, 0.5 + DRILL / 2)):
                self.vias[node] = 0
            return
        for layer, name in enumerate(LAYERS):
            if pad.IsOnLayer(name):
                for node in self._around(pad, name, KEPT):
                    self._own(node + layer * self.grid.area, net)
        for name in (pcbnew.B_Cu, pcbnew.F_Cu):
            if pad.IsOnLayer(name):
                for node in self._around(pad, name, VIA / 2 + LEAST_GAP):
                    self.vias[node] = 0
        if pad.GetDrillSize().x:
            radius = pad.GetDrillSize().x / 2e6 + DRILL / 2 + 0.5
            for node in self.grid.disc(*place, radius):
                self.vias[node] = 0

    def _of(self, point: pcbnew.VECTOR2I) -> tuple[float, float]:
        return point.x / 1e6 - MIDDLE[0], point.y / 1e6 - MIDDLE[1]

    def _around(self, pad: pcbnew.PAD, layer: int, more: float) -> list[int]:
        """Return the nodes (of layer 0) of a pad and a rim around it."""
        shape = pcbnew.SHAPE_POLY_SET()
        pad.TransformShapeToPolygon(shape, layer, mm(more), mm(0.005), pcbnew.ERROR_OUTSIDE)
        box = shape.BBox()
        left, top = self._of(box.GetOrigin())
        right, bottom = self._of(box.GetEnd())
        return [
            node
            for node in self.grid.box(left, top, right, bottom)
            if shape.Contains(at(*self.grid.place(node)))
        ]

    def _reach(self, pad: pcbnew.PAD) -> None:
        """Note where a pad's net can begin; narrow pads get a straight piece of track first."""
        net, (x, y) = pad.GetNetname(), self._of(pad.GetPosition())
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
        self.groups.setdefault(net, []).append((x, y, every))

    def _escape(self, pad: pcbnew.PAD, wide: float, high: float) -> int:
        """Draw a straight piece out of a narrow pad, away from its part; return where it ends."""
        x, y = self._of(pad.GetPosition())
        middle = self._of(pad.GetParentFootprint().GetPosition())
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
        self._track(line, pcbnew.B_Cu, net)
        for a, b in zip(line, line[1:], strict=False):
            self._keep(a, b, net)
        self.owners[end] = net
        return end

    def _keep(self, a: tuple[float, float], b: tuple[float, float], net: str) -> None:
        """Keep others away from a piece of track."""
        reach = TRACK + LEAST_GAP + 0.02
        left, right = sorted((a[0], b[0]))
        top, bottom = sorted((a[1], b[1]))
        for node in self.grid.box(left - reach, top - reach, right + reach, bottom + reach):
            apart = _apart(self.grid.place(node), a, b)
            if apart < reach:
                self._own(node, net)
            if apart < VIA / 2 + TRACK / 2 + LEAST_GAP:
                self.vias[node] = 0

    def _track(self, line: Sequence[tuple[float, float]], layer: int, net: str) -> float:
        """Draw a line of track; return its length."""
        length = 0.0
        for a, b in zip(line, line[1:], strict=False):
            if a == b:
                continue
            track = pcbnew.PCB_TRACK(self.board)
            track.SetStart(at(*a))
            track.SetEnd(at(*b))
            track.SetWidth(mm(TRACK))
            track.SetLayer(layer)
            track.SetNet(self.codes[net])
            self.board.Add(track)
            length += hypot(a[0] - b[0], a[1] - b[1])
        return length

    def _via(self, x: float, y: float, net: str) -> None:
        via = pcbnew.PCB_VIA(self.board)
        via.SetPosition(at(x, y))
        via.SetWidth(pcbnew.F_Cu, mm(VIA))
        via.SetDrill(mm(DRILL))
        via.SetNet(self.codes[net])
        self.board.Add(via)

    # Ways

    def route(self, planes: frozenset[str]) -> Report:
        """Find and draw all tracks; nets of planes only get vias."""
        area = self.grid.area
        open_cost = bytearray(self.free) + bytearray(4 * flag for flag in self.quiet)
        quiet_cost = bytearray(self.quiet) + bytearray(2 * flag for flag in self.quiet)
        own: dict[str, dict[int, int]] = {}
        for node, net in self.owners.items():
            open_cost[node] = quiet_cost[node] = 0
            if net and self.free[node % area]:
                own.setdefault(net, {})[node] = 1 + (node >= area)
        nets, names = [], {}
        for name, groups in self.groups.items():
            drop = name in planes
            cost = open_cost if name.startswith("E_") else quiet_cost
            for n, cluster in enumerate(_clusters(groups) if drop else [groups]):
                if not drop and len(cluster) < 2:
                    continue
                label = f"{name} {n}" if drop else name
                names[label] = name
                nets.append(
                    Net(
                        label,
                        tuple(nodes for _, _, nodes in cluster),
                        cost,
                        own.get(name, {}),
                        self.vias,
                        drop,
                    )
                )
        nets.sort(key=lambda net: (not net.drop, not net.name.startswith("E_")))
        ways, failed = Router(self.grid.columns, self.grid.rows, len(LAYERS)).route(nets)
        lengths = {}
        for label, way in ways.items():
            length = self._draw(way, names[label])
            if label.startswith("E_"):
                lengths[label] = round(length, 1)
        return Report(lengths, tuple(sorted(failed)))

    def _draw(self, way: Way, net: str) -> float:
        length = 0.0
        for line in way.lines:
            corners = [
                node
                for k, node in enumerate(line)
                if k in (0, len(line) - 1) or line[k + 1] - node != node - line[k - 1]
            ]
            layer = LAYERS[line[0] // self.grid.area]
            length += self._track([self.grid.place(node) for node in corners], layer, net)
        for node in way.vias:
            self._via(*self.grid.place(node), net)
        return length

    # Copper areas and rules

    def planes(self) -> dict[str, list[tuple[float, float]]]:
        """Return the areas of +5 V by net: the lights' under all, the cells' upon it."""
        feeds: dict[str, list[tuple[float, float]]] = {}
        for part in self.parts:
            if part.kind == kinds.LED:
                feeds.setdefault(part.nets["4"], []).append(part.spot[:2])
        areas = {net: list(self.plan.outline) for net in feeds if net not in ("+5V_FAR", "+5V_NEAR")}
        for net in feeds.keys() - areas.keys():
            dx, dy = cell.PITCH_MM / 2, cell.PITCH_MM * sqrt(3) / 4
            corners = [
                (x + a * dx, y + b * dy) for x, y in feeds[net] for a in (-1, 1) for b in (-1, 1)
            ]
            areas[net] = hull(corners)
        return areas

    def add_zones(self, planes: Mapping[str, Sequence[tuple[float, float]]]) -> None:
        """Add guard, electrodes, planes and what keeps them off the cells."""
        edge = self.plan.outline
        for layer in (pcbnew.F_Cu, pcbnew.In1_Cu, pcbnew.B_Cu):
            self._zone("GND", layer, edge, 0)
        for rank, (net, outline) in enumerate(planes.items()):
            self._zone(net, pcbnew.In2_Cu, outline, rank)
        for net, (x, y, _) in self.electrodes.items():
            zone = self._zone(net, pcbnew.F_Cu, ring(x, y, cell.PAD_RADIUS_MM), 9)
            zone.SetLocalClearance(mm(cell.GUARD_GAP_MM))
            zone.SetPadConnection(pcbnew.ZONE_CONNECTION_FULL)
        for part in self.parts:
            net = next(iter(part.nets.values()), "")
            if part.kind == kinds.TEST_POINT and net in self.electrodes:
                self._via(part.spot.x, part.spot.y, net)
        for x, y, _ in self.electrodes.values():
            inner = self._rule_area((pcbnew.In1_Cu, pcbnew.In2_Cu), ring(x, y, cell.INNER_KEEP_MM))
            inner.SetDoNotAllowTracks(True)
            inner.SetDoNotAllowCopperPour(True)
            lower = self._rule_area((pcbnew.B_Cu,), ring(x, y, cell.LOWER_KEEP_MM))
            lower.SetDoNotAllowCopperPour(True)

    def _rule_area(self, layers: Sequence[int], line: Sequence[tuple[float, float]]) -> pcbnew.ZONE:
        zone = pcbnew.ZONE(self.board)
        zone.SetIsRuleArea(True)
        for forbid in (
            zone.SetDoNotAllowTracks,
            zone.SetDoNotAllowVias,
            zone.SetDoNotAllowPads,
            zone.SetDoNotAllowCopperPour,
            zone.SetDoNotAllowFootprints,
        ):
            forbid(False)
        chosen = pcbnew.LSET()
        for layer in layers:
            chosen.AddLayer(layer)
        zone.SetLayerSet(chosen)
        zone.AddPolygon(chain(line))
        self.board.Add(zone)
        return zone

    def _zone(
        self, net: str, layer: int, line: Sequence[tuple[float, float]], rank: int
    ) -> pcbnew.ZONE:
        zone = pcbnew.ZONE(self.board)
        zone.SetLayer(layer)
        zone.SetNet(self.codes[net])
        zone.SetAssignedPriority(rank)
        zone.SetLocalClearance(mm(GAP))
        zone.SetMinThickness(mm(GAP))
        zone.SetThermalReliefGap(mm(0.25))
        zone.SetThermalReliefSpokeWidth(mm(0.3))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        zone.AddPolygon(chain(line))
        self.board.Add(zone)
        return zone

    def add_outline(self) -> None:
        """Draw the board's edge."""
        shape = pcbnew.PCB_SHAPE(self.board, pcbnew.SHAPE_T_POLY)
        area = pcbnew.SHAPE_POLY_SET()
        area.AddOutline(chain(self.plan.outline))
        shape.SetPolyShape(area)
        shape.SetLayer(pcbnew.Edge_Cuts)
        shape.SetWidth(mm(0.1))
        self.board.Add(shape)

    def save(self) -> None:
        """Write the board with its zones filled; they see holes only in a file that was loaded."""
        pcbnew.SaveBoard(str(self.target), self.board)
        board = pcbnew.LoadBoard(str(self.target))
        pcbnew.ZONE_FILLER(board).Fill(board.Zones())
        pcbnew.SaveBoard(str(self.target), board)


def mm(value: float) -> int:
    """Return millimetres in KiCad's units."""
    return int(pcbnew.FromMM(value))


def chain(points: Iterable[tuple[float, float]]) -> pcbnew.SHAPE_LINE_CHAIN:
    """Return points of the board as KiCad takes a closed polygon."""
    line = pcbnew.SHAPE_LINE_CHAIN()
    for point in points:
        line.Append(at(*point))
    line.SetClosed(True)
    return line


def hull(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the convex hull (Andrew's monotone chain)."""
    order = sorted(set(points))
    around: list[tuple[float, float]] = []
    for line in (order, order[::-1]):
        start = len(around)
        for x, y in line:
            while len(around) >= start + 2:
                (a, b), (c, d) = around[-2:]
                if (c - a) * (y - b) - (d - b) * (x - a) > 0:
                    break
                around.pop()
            around.append((x, y))
        around.pop()
    return around


def _clusters(
    groups: Iterable[tuple[float, float, frozenset[int]]],
) -> list[list[tuple[float, float, frozenset[int]]]]:
    """Put pads of one net together that can share a via."""
    clusters: list[list[tuple[float, float, frozenset[int]]]] = []
    for group in groups:
        near = [each for each in clusters if any(hypot(group[0] - x, group[1] - y) < 2 for x, y, _ in each)]
        clusters = [each for each in clusters if each not in near]
        clusters.append([group, *(one for each in near for one in each)])
    return clusters


def _apart(point: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the distance of a point from a piece of line."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / ((dx * dx + dy * dy) or inf)
    along = min(1.0, max(0.0, along))
    return hypot(point[0] - a[0] - along * dx, point[1] - a[1] - along * dy)


def draw(plan: Plan, parts: Sequence[Part], netlist: Netlist, target: Path) -> Report:
    """Draw a board into a .kicad_pcb file."""
    layout = Layout(plan, parts, netlist, target)
    layout.add_outline()
    layout.add_parts()
    layout.add_holes()
    layout.measure()
    planes = layout.planes()
    report = layout.route(frozenset({"GND", *planes}))
    layout.add_zones(planes)
    layout.save()
    return report
