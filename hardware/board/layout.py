"""A board's layout, by KiCad's own module `pcbnew`, which only KiCad's Python has.

Owns where copper, holes, texts and rules lie; parts and nets come from the circuit, ways from the
router. The middle of the board is the origin of all files made from it.
"""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import cos, hypot, inf, pi, sin, sqrt
from pathlib import Path
from typing import NamedTuple

import pcbnew

from hardware.board import cell, kinds
from hardware.board.circuit import Part, led_spots
from hardware.board.plan import Plan
from hardware.board.routes import Net, Router, Way
from hardware.board.supply import SECTIONS, areas

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
MENDS = 12
"""How often ways are searched again because they cut a plane."""
STITCH = 15
"""Steps between the vias that join the three layers of ground, where they fit."""
BAY = 9.9
"""Around a chip's middle the walls leave room for it: half the diagonal of 14 mm square."""
LIGHT_HOLE = 4.0
"""Diameter of the hole of a light beside the cells."""
BELOW, INNER = 0, 1
"""The router's layers."""
LAYERS = (pcbnew.B_Cu, pcbnew.In2_Cu)
LARGE, VIAS = 4.0, 4
"""Pads of more square millimetres carry power: so many vias join each to its plane."""
WIDE = 0.45
"""Pads narrower than this are left by a straight piece before the grid is met."""


STACK = """(stackup
(layer "F.SilkS" (type "Top Silk Screen") (color "Black"))
(layer "F.Mask" (type "Top Solder Mask") (color "White") (thickness 0.01))
(layer "F.Cu" (type "copper") (thickness 0.035))
(layer "dielectric 1" (type "prepreg") (thickness 0.21) (material "FR4") (epsilon_r 4.4))
(layer "In1.Cu" (type "copper") (thickness 0.0175))
(layer "dielectric 2" (type "core") (thickness 1.065) (material "FR4") (epsilon_r 4.6))
(layer "In2.Cu" (type "copper") (thickness 0.0175))
(layer "dielectric 3" (type "prepreg") (thickness 0.21) (material "FR4") (epsilon_r 4.4))
(layer "B.Cu" (type "copper") (thickness 0.035))
(layer "B.Mask" (type "Bottom Solder Mask") (color "White") (thickness 0.01))
(layer "B.SilkS" (type "Bottom Silk Screen") (color "Black"))
(copper_finish "HAL lead-free"))"""
"""Nominal thicknesses of 1.6 mm in four layers; the mask is white, for light."""


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
        # Slashes part sheets in KiCad's names, and are written so elsewhere.
        (node.get("ref", ""), node.get("pin", "")): net.get("name", "").replace("/", "{slash}")
        for net in root.iter("net")
        for node in net.iter("node")
    }
    paths = {}
    for part in root.iter("comp"):
        sheet = part.find("sheetpath")
        above = "/" if sheet is None else sheet.get("tstamps", "/")
        paths[part.get("ref", "")] = above + (part.findtext("tstamps") or "")
    return Netlist(nets, paths)


class Reach(NamedTuple):
    """A pad as the router sees it: its middle, the nodes at which it is met, and its area in mm2."""

    x: float
    y: float
    nodes: frozenset[int]
    size: float


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
        self.marks: list[tuple[float, float]] = []
        self.owners: dict[int, str] = {}
        self.vias = bytearray(self.grid.area)
        self.groups: dict[str, list[Reach]] = {}

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
            self.known[name].SetFPID(pcbnew.LIB_ID(library, own))
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
        for x, y in self.marks:
            for node in grid.disc(x, y, 1.2 + VIA / 2):
                self.vias[node] = 0
        pads = [pad for footprint in self.board.GetFootprints() for pad in footprint.Pads()]
        self.pads_of: dict[str, list[pcbnew.PAD]] = {"": []}
        for pad in pads:
            self._block(pad)
            if pad.GetNetname():
                self.pads_of.setdefault(pad.GetNetname(), []).append(pad)
        for pad in pads:
            if len(self.pads_of[pad.GetNetname()]) > 1:
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
        self.groups.setdefault(net, []).append(Reach(x, y, every, _size(pad)))

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
        for a, b in pairwise(line):
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
        for a, b in pairwise(line):
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

    def route(self, areas: Mapping[str, Sequence[tuple[float, float]]]) -> Report:
        """Find and draw all tracks; ground and nets with a plane only get vias."""
        area = self.grid.area
        # Beside the cells no electrode's track is in the way below, so that the planes stay whole.
        inner = bytearray(6 * flag for flag in self.quiet)
        for x, y, _ in self.electrodes.values():
            for node in self.grid.disc(x, y, cell.PITCH_MM / sqrt(3) + 0.4):
                inner[node] = min(inner[node], 2)
        open_cost = bytearray(self.free) + bytearray(2 * factor for factor in inner)
        quiet_cost = bytearray(self.quiet) + inner
        own: dict[str, dict[int, int]] = {}
        for node, net in self.owners.items():
            open_cost[node] = quiet_cost[node] = 0
            if net and self.free[node % area]:
                own.setdefault(net, {})[node] = 1 + (node >= area)
        nets, names = [], {}
        for name, groups in self.groups.items():
            drop = name == "GND" or name in areas
            cost = open_cost if name.startswith("E_") else quiet_cost
            # An LED shares a via with its capacitor; nearly each pad of ground has its own.
            clusters = _clusters(groups, 1 if name == "GND" else 2)
            if not drop:
                clusters = [groups]
            else:
                clusters += [[pad] for pad in groups if pad.size > LARGE for _ in range(VIAS - 1)]
            for n, cluster in enumerate(clusters):
                if not drop and len(cluster) < 2:
                    continue
                label = f"{name} {n}" if drop else name
                names[label] = name
                nets.append(
                    Net(
                        label,
                        tuple(pad.nodes for pad in cluster),
                        cost,
                        own.get(name, {}),
                        self.vias,
                        drop,
                    )
                )
        nets.sort(key=lambda net: (not net.drop, not net.name.startswith("E_")))
        router = Router(self.grid.columns, self.grid.rows, len(LAYERS))
        ways, failed = router.route(nets)
        planes = {net: self._area(line) for net, line in areas.items()}
        for _ in range(MENDS):
            cuts = {
                cut
                for net, nodes in planes.items()
                for cut in self._cuts(router, ways, names, net, nodes)
            }
            if not cuts:
                break
            router.discourage(cuts)
            ways, failed = router.route(nets)
        lengths = {}
        for label, way in ways.items():
            length = self._draw(way, names[label])
            if label.startswith("E_"):
                lengths[label] = round(length, 1)
        for node in range(area):
            row, column = divmod(node, self.grid.columns)
            if row % STITCH == column % STITCH == 0 and self.vias[node] and self.quiet[node]:
                if router.via_fits(node):
                    self._via(*self.grid.place(node), "GND")
        return Report(lengths, tuple(sorted(failed)))

    def _area(self, line: Sequence[tuple[float, float]]) -> set[int]:
        """Return the nodes that a plane can cover."""
        shape = pcbnew.SHAPE_POLY_SET()
        shape.AddOutline(chain(line))
        base = INNER * self.grid.area
        return {
            base + node
            for node in range(self.grid.area)
            if self.quiet[node]
            and base + node not in self.owners
            and shape.Contains(at(*self.grid.place(node)))
        }

    def _cuts(
        self,
        router: Router,
        ways: Mapping[str, Way],
        names: Mapping[str, str],
        net: str,
        area: set[int],
    ) -> set[int]:
        """Return the taken nodes around the parts of a plane that ways cut off from its largest."""
        own = {
            INNER * self.grid.area + n
            for k, way in ways.items()
            if names[k] == net
            for n in way.vias
        }
        copper = router.bare(area) | {to for node in own for to in (node, *router.beside(node))}
        parts, seen = [], set[int]()
        for start in sorted(own):
            if start in seen:
                continue
            part, todo = {start}, [start]
            while todo:
                fresh = [to for to in router.beside(todo.pop()) if to in copper and to not in part]
                part.update(fresh)
                todo += fresh
            seen |= part
            parts.append(part)
        parts.sort(key=len)
        return {
            to for part in parts[:-1] for node in part for to in router.beside(node)
        } & area - copper

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

    def add_zones(self, planes: Mapping[str, Sequence[tuple[float, float]]]) -> None:
        """Add guard, electrodes, planes and what keeps them off the cells."""
        edge = self.plan.outline
        for layer in (pcbnew.F_Cu, pcbnew.In1_Cu, pcbnew.B_Cu):
            self._zone("GND", layer, edge, 0)
        for rank, (net, outline) in enumerate(planes.items()):
            self._zone(net, pcbnew.In2_Cu, outline, rank)
        self._pour_power()
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

    def _pour_power(self) -> None:
        """Join what carries the whole current, from the plug to the sections, by areas of copper."""
        pours = []
        for net in ("+5V_USB", "+5V", *SECTIONS):
            clusters: list[list[pcbnew.PAD]] = []
            for pad in self.pads_of.get(net, ()):
                x, y = self._of(pad.GetPosition())
                near = [
                    each
                    for each in clusters
                    if any(
                        hypot(x - a, y - b) < 12
                        for a, b in (self._of(o.GetPosition()) for o in each)
                    )
                ]
                clusters = [each for each in clusters if each not in near]
                clusters.append([pad, *(one for each in near for one in each)])
            for cluster in clusters:
                if len(cluster) > 1 and max(map(_size, cluster)) > LARGE / 2:
                    boxes = [_grown(self._box(pad.GetBoundingBox()), 0.6) for pad in cluster]
                    line = hull((x, y) for a, b, c, d in boxes for x in (a, c) for y in (b, d))
                    pours.append((len(cluster), net, line))
        for rank, (_, net, line) in enumerate(sorted(pours, reverse=True), start=20):
            self._zone(net, pcbnew.B_Cu, line, rank).SetPadConnection(pcbnew.ZONE_CONNECTION_FULL)

    def add_walls(self) -> None:
        """Forbid parts under the walls of the lattice, but for the bays around chips."""
        length = cell.PITCH_MM / (sqrt(3) if self.plan.shape == "hexagon" else 1)
        if self.plan.shape == "disc":
            length *= 0.75
        for one, other in combinations(self.plan.cells.values(), 2):
            apart = one.distance(other)
            if apart > 1.1 * cell.PITCH_MM:
                continue
            dx, dy = (other.x - one.x) / apart, (other.y - one.y) / apart
            x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
            along = [k * length / 40 for k in range(-20, 21)]
            clear = [
                k
                for k in along
                if all(hypot(x - k * dy - c.x, y + k * dx - c.y) > BAY for c in self.plan.chips)
            ]
            if clear:
                a, b, w = clear[0], clear[-1], cell.WALL_MM / 2
                corners = ((a, -w), (b, -w), (b, w), (a, w))
                line = [(x - k * dy + v * dx, y + k * dx + v * dy) for k, v in corners]
                self._rule_area((pcbnew.B_Cu,), line).SetDoNotAllowFootprints(True)

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

    # What is printed and what machines look for

    def add_fiducials(self) -> None:
        """Put a mark for the placing machine near three corners, where nothing else is."""
        taken = [self._box(each.GetBoundingBox(False)) for each in self.board.GetFootprints()]
        width = max(x for x, _ in self.plan.outline)
        height = max(y for _, y in self.plan.outline)
        for number, (right, down) in enumerate(((-1, -1), (1, -1), (1, 1)), start=1):
            spots = (
                (right * (width - 4 - far), down * (height - 4 - other))
                for far in range(60)
                for other in range(12)
            )
            x, y = next(
                at
                for at in spots
                if _free((at[0] - 1.5, at[1] - 1.5, at[0] + 1.5, at[1] + 1.5), taken)
            )
            mark = self._footprint("Fiducial:Fiducial_1mm_Mask2mm")
            mark.SetReference(f"FID{number}")
            mark.SetAttributes(mark.GetAttributes() | pcbnew.FP_BOARD_ONLY)
            self.board.Add(mark)
            mark.SetPosition(at(x, y))
            mark.Flip(mark.GetPosition(), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
            mark.Reference().SetVisible(False)
            self.marks.append((x, y))
            bare = self._rule_area((pcbnew.B_Cu,), ring(x, y, 1.2))
            bare.SetDoNotAllowCopperPour(True)

    def add_texts(self) -> None:
        """Print references, nets of test points, names of cells, and what to mind."""
        taken: dict[int, list[Box]] = {pcbnew.F_SilkS: [], pcbnew.B_SilkS: []}
        for footprint in self.board.GetFootprints():
            for pad in footprint.Pads():
                box = _grown(self._box(pad.GetBoundingBox()), 0.2)
                taken[pcbnew.B_SilkS].append(box)
                if pad.IsOnLayer(pcbnew.F_Mask) or pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH:
                    taken[pcbnew.F_SilkS].append(box)
            for item in footprint.GraphicalItems():
                if item.GetLayer() in taken:
                    taken[item.GetLayer()].append(_grown(self._box(item.GetBoundingBox()), 0.1))
        for name, spot in self.plan.pads.items():
            self._print(name, spot.x, spot.y, 2.0, pcbnew.F_SilkS, taken)
        both = "Raspberry Pi OR Pico, never both"
        _x, y = self.plan.outline[0]
        title = f"lifeboard {self.plan.title}"
        for layer in taken:
            self._print(title, 0, y + 3, 1.5, layer, taken)
            for name in ("pi", "pico"):
                if name in self.plan.connectors:
                    spot = self.plan.connectors[name].at(-30, 0)
                    self._print(both, spot.x, spot.y, 1.2, layer, taken)
        for part in self.parts:
            footprint = self.board.FindFootprintByReference(part.reference)
            own = footprint.Reference()
            if part.kind == kinds.TEST_POINT:
                own.SetVisible(False)
                net = next(iter(part.nets.values()))
                self._print(net, part.spot.x, part.spot.y, 0.8, pcbnew.B_SilkS, taken)
                continue
            text = self._print(part.reference, part.spot.x, part.spot.y, 0.8, pcbnew.B_SilkS, taken)
            if text is None:
                own.SetVisible(False)
                continue
            style(own, 0.8)
            own.SetTextAngleDegrees(0)
            own.SetKeepUpright(False)
            own.SetPosition(text.GetPosition())
            self.board.Delete(text)

    def _print(
        self, words: str, x: float, y: float, size: float, layer: int, taken: dict[int, list["Box"]]
    ) -> pcbnew.PCB_TEXT | None:
        """Write words as near to a place as they fit; None if they fit nowhere near."""
        text = pcbnew.PCB_TEXT(self.board)
        text.SetText(words)
        text.SetLayer(layer)
        text.SetMirrored(layer == pcbnew.B_SilkS)
        style(text, size)
        text.SetPosition(at(x, y))
        box = _grown(self._box(text.GetBoundingBox()), 0.1)
        width, height = (
            max(abs(a) for a, _ in self.plan.outline),
            max(abs(b) for _, b in self.plan.outline),
        )
        near = [each for each in taken[layer] if _apart_boxes(each, (x, y)) < 12 + box[2] - box[0]]
        for dx, dy in SPIRAL:
            moved = (box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy)
            inside = (
                max(-moved[0], moved[2]) < width - 0.5 and max(-moved[1], moved[3]) < height - 0.5
            )
            if inside and _free(moved, near):
                text.SetPosition(at(x + dx, y + dy))
                self.board.Add(text)
                taken[layer].append(moved)
                return text
        return None

    def _box(self, box: pcbnew.BOX2I) -> "Box":
        return (*self._of(box.GetOrigin()), *self._of(box.GetEnd()))

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
        text = self.target.read_text("utf-8")
        self.target.write_text(text.replace("(setup", f"(setup {STACK}", 1), "utf-8")
        board = pcbnew.LoadBoard(str(self.target))
        pcbnew.ZONE_FILLER(board).Fill(board.Zones())
        pcbnew.SaveBoard(str(self.target), board)


Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
SPIRAL = sorted(
    ((dx * 0.4, dy * 0.4) for dx in range(-12, 13) for dy in range(-12, 13)),
    key=lambda at: hypot(*at),
)


def style(text: pcbnew.EDA_TEXT, size: float) -> None:
    """Set a text's size in mm, and lines of an eighth of it."""
    text.SetTextSize(pcbnew.VECTOR2I_MM(size, size))
    text.SetTextThickness(mm(max(0.12, size / 8)))
    text.SetHorizJustify(pcbnew.GR_TEXT_H_ALIGN_CENTER)
    text.SetVertJustify(pcbnew.GR_TEXT_V_ALIGN_CENTER)


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _free(box: Box, taken: Iterable[Box]) -> bool:
    a, b, c, d = box
    return all(
        c <= left or right <= a or d <= top or bottom <= b for left, top, right, bottom in taken
    )


def _apart_boxes(box: Box, point: tuple[float, float]) -> float:
    x, y = point
    return max(box[0] - x, x - box[2], box[1] - y, y - box[3], 0)


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


def _clusters(groups: Iterable[Reach], reach_mm: float) -> list[list[Reach]]:
    """Put pads of one net together that can share a via."""
    clusters: list[list[Reach]] = []
    for pad in groups:
        near = [each for each in clusters if any(hypot(pad.x - o.x, pad.y - o.y) < reach_mm for o in each)]
        clusters = [each for each in clusters if each not in near]
        clusters.append([pad, *(one for each in near for one in each)])
    return clusters


def _size(pad: pcbnew.PAD) -> float:
    """Return the area of a pad in square millimetres; 0 for one with a hole, which meets all planes."""
    return 0.0 if pad.GetDrillSize().x else pad.GetSize().x * pad.GetSize().y / 1e12


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
    layout.add_fiducials()
    layout.add_texts()
    layout.measure()
    planes = areas(plan, led_spots(plan))
    report = layout.route(planes)
    layout.add_zones(planes)
    layout.add_walls()
    layout.save()
    return report
