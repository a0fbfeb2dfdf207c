"""A board in KiCad's module `pcbnew`, and functions that draw its items.

Only KiCad's Python has `pcbnew`. The middle of the board is the origin of all files made from it.
"""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, pi, sin
from pathlib import Path

import pcbnew

from hardware.board import cell
from hardware.board.circuit import Part
from hardware.board.plan import Plan

LIBRARIES = Path("/usr/share/kicad/footprints")
MIDDLE = (300.0, 220.0)
"""The place of the board's middle on the sheet, in mm."""
TRACK, GAP, VIA, DRILL = 0.2, 0.2, 0.6, 0.3
LIGHT_HOLE = 4.0
"""Diameter of the hole of each light beside the cells."""
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
(copper_finish "ENIG"))"""
"""Nominal thicknesses of 1.6 mm in four layers; the mask is white, for light."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def at(x: float, y: float) -> pcbnew.VECTOR2I:
    """Convert a point of the board to KiCad's coordinates."""
    return pcbnew.VECTOR2I_MM(MIDDLE[0] + x, MIDDLE[1] + y)


def of(point: pcbnew.VECTOR2I) -> Point:
    """Convert a point in KiCad's coordinates to the board's."""
    return point.x / 1e6 - MIDDLE[0], point.y / 1e6 - MIDDLE[1]


def box_of(box: pcbnew.BOX2I) -> Box:
    """Convert a box in KiCad's coordinates to the board's."""
    return (*of(box.GetOrigin()), *of(box.GetEnd()))


def grown(box: Box, by: float) -> Box:
    """Return a box enlarged on all sides."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def mm(value: float) -> int:
    """Convert millimetres to KiCad's units."""
    return int(pcbnew.FromMM(value))


def chain(points: Iterable[Point]) -> pcbnew.SHAPE_LINE_CHAIN:
    """Convert points of the board to a closed KiCad polygon."""
    line = pcbnew.SHAPE_LINE_CHAIN()
    for point in points:
        line.Append(at(*point))
    line.SetClosed(True)
    return line


def fill(file: Path) -> None:
    """Fill the zones of a board's file: KiCad leaves holes out of them only in a loaded board."""
    board = pcbnew.LoadBoard(str(file))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(file), board)


def ring(x: float, y: float, radius: float, points: int = 72) -> list[Point]:
    """Return a circle's circumscribed polygon."""
    outer = radius / cos(pi / points)
    turns = (2 * pi * k / points for k in range(points))
    return [(x + outer * cos(turn), y + outer * sin(turn)) for turn in turns]


def hull(points: Iterable[Point]) -> list[Point]:
    """Return the convex hull (Andrew's monotone chain)."""
    order = sorted(set(points))
    around: list[Point] = []
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


@dataclass(frozen=True)
class Netlist:
    """KiCad's netlist of the schematic: the net of each pad, and each symbol's path."""

    nets: Mapping[tuple[str, str], str]
    paths: Mapping[str, str]


def read_netlist(file: Path) -> Netlist:
    """Read what `kicad-cli sch export netlist --format kicadxml` wrote."""
    root = ElementTree.parse(file).getroot()
    nets = {
        # KiCad separates sheets by slashes, so it escapes a slash in a net's name like this.
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


class Drawing:
    """A board that is being drawn."""

    def __init__(self, plan: Plan, parts: Sequence[Part], netlist: Netlist, target: Path) -> None:
        # With a seed KiCad makes the same UUIDs each time.
        pcbnew.KIID.SeedGenerator(24)
        self.plan, self.parts, self.netlist, self.target = plan, parts, netlist, target
        self.board = pcbnew.NewBoard(str(target))
        self.board.SetCopperLayerCount(4)
        self.board.GetDesignSettings().SetAuxOrigin(at(0, 0))
        self.electrodes = {f"E_{name}": spot for name, spot in plan.pads.items()}
        self.marks: list[Point] = []
        self._known: dict[str, pcbnew.FOOTPRINT] = {}
        self._nets: dict[str, pcbnew.NETINFO_ITEM] = {}
        for name in sorted(set(netlist.nets.values())):
            self._nets[name] = pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(self._nets[name])

    @property
    def pads(self) -> list[pcbnew.PAD]:
        """Return all pads and holes."""
        return [pad for footprint in self.board.GetFootprints() for pad in footprint.Pads()]

    def add_outline(self) -> None:
        """Draw the board's edge."""
        shape = pcbnew.PCB_SHAPE(self.board, pcbnew.SHAPE_T_POLY)
        area = pcbnew.SHAPE_POLY_SET()
        area.AddOutline(chain(self.plan.outline))
        shape.SetPolyShape(area)
        shape.SetLayer(pcbnew.Edge_Cuts)
        shape.SetWidth(mm(0.1))
        self.board.Add(shape)

    def add_parts(self) -> None:
        """Place all footprints."""
        for part in self.parts:
            footprint = self.footprint(part.kind.footprint)
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
                    pad.SetNet(self._nets[net])

    def footprint(self, name: str) -> pcbnew.FOOTPRINT:
        """Return a copy of a footprint of KiCad's library; cached, since reading it is slow."""
        if name not in self._known:
            library, own = name.split(":")
            self._known[name] = pcbnew.FootprintLoad(str(LIBRARIES / f"{library}.pretty"), own)
            self._known[name].SetFPID(pcbnew.LIB_ID(library, own))
        return pcbnew.Cast_to_FOOTPRINT(self._known[name].Duplicate())

    def add_holes(self) -> None:
        """Add the holes of all cells and lights: one footprint for each, without a symbol."""
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

    def track(self, line: Sequence[Point], layer: int, net: str) -> float:
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
            track.SetNet(self._nets[net])
            self.board.Add(track)
            length += hypot(a[0] - b[0], a[1] - b[1])
        return length

    def via(self, x: float, y: float, net: str) -> None:
        """Draw a via."""
        via = pcbnew.PCB_VIA(self.board)
        via.SetPosition(at(x, y))
        via.SetWidth(pcbnew.F_Cu, mm(VIA))
        via.SetDrill(mm(DRILL))
        via.SetNet(self._nets[net])
        self.board.Add(via)

    def zone(self, net: str, layer: int, line: Sequence[Point], rank: int) -> pcbnew.ZONE:
        """Draw a copper zone; one of a higher rank is cut out of those of lower ranks."""
        zone = pcbnew.ZONE(self.board)
        zone.SetLayer(layer)
        zone.SetNet(self._nets[net])
        zone.SetAssignedPriority(rank)
        zone.SetLocalClearance(mm(GAP))
        zone.SetMinThickness(mm(GAP))
        zone.SetThermalReliefGap(mm(0.25))
        zone.SetThermalReliefSpokeWidth(mm(0.3))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        zone.AddPolygon(chain(line))
        self.board.Add(zone)
        return zone

    def rule_area(self, layers: Sequence[int], line: Sequence[Point]) -> pcbnew.ZONE:
        """Draw a rule area that forbids nothing yet."""
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

    def save(self) -> None:
        """Write the board; its zones are not filled."""
        pcbnew.SaveBoard(str(self.target), self.board)
        text = self.target.read_text("utf-8")
        self.target.write_text(text.replace("(setup", f"(setup {STACK}", 1), "utf-8")
