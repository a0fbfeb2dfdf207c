"""The copper zones and the rule areas of a board."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import hypot, sqrt

import pcbnew

from hardware.board import cell, kinds
from hardware.board.drawing import Drawing, Point, box_of, grown, hull, mm, of, ring
from hardware.board.field import area_of
from hardware.board.supply import SECTIONS

BAY = 9.9
"""Radius of the bay in the walls around a chip: half the diagonal of a 14 mm square."""
POWER = 2.0
"""Pads are joined by zones instead of tracks if one is larger than this, in mm2."""


def add_zones(drawing: Drawing, planes: Mapping[str, Sequence[Point]]) -> None:
    """Add guard, electrodes and planes, and the rule areas that keep copper off the cells."""
    edge = drawing.plan.outline
    for layer in (pcbnew.F_Cu, pcbnew.In1_Cu, pcbnew.B_Cu):
        drawing.zone("GND", layer, edge, 0)
    for rank, (net, outline) in enumerate(planes.items()):
        drawing.zone(net, pcbnew.In2_Cu, outline, rank)
    _pour_power(drawing)
    for net, (x, y, _) in drawing.electrodes.items():
        zone = drawing.zone(net, pcbnew.F_Cu, ring(x, y, cell.PAD_RADIUS_MM), 9)
        zone.SetLocalClearance(mm(cell.GUARD_GAP_MM))
        zone.SetPadConnection(pcbnew.ZONE_CONNECTION_FULL)
    for part in drawing.parts:
        net = next(iter(part.nets.values()), "")
        if part.kind == kinds.TEST_POINT and net in drawing.electrodes:
            drawing.via(part.spot.x, part.spot.y, net)
    for x, y, _ in drawing.electrodes.values():
        inner = drawing.rule_area((pcbnew.In1_Cu, pcbnew.In2_Cu), ring(x, y, cell.INNER_KEEP_MM))
        inner.SetDoNotAllowTracks(True)
        inner.SetDoNotAllowCopperPour(True)
        lower = drawing.rule_area((pcbnew.B_Cu,), ring(x, y, cell.LOWER_KEEP_MM))
        lower.SetDoNotAllowCopperPour(True)


def _pour_power(drawing: Drawing) -> None:
    """Join the pads that carry the current from the plug to the sections by copper zones."""
    pours = []
    for net in ("+5V_USB", "+5V", *SECTIONS):
        clusters: list[list[pcbnew.PAD]] = []
        for pad in drawing.pads:
            if pad.GetNetname() != net:
                continue
            x, y = of(pad.GetPosition())
            near = [
                each
                for each in clusters
                if any(hypot(x - a, y - b) < 12 for a, b in (of(o.GetPosition()) for o in each))
            ]
            clusters = [each for each in clusters if each not in near]
            clusters.append([pad, *(one for each in near for one in each)])
        for cluster in clusters:
            if len(cluster) > 1 and max(map(area_of, cluster)) > POWER:
                boxes = [grown(box_of(pad.GetBoundingBox()), 0.6) for pad in cluster]
                line = hull((x, y) for a, b, c, d in boxes for x in (a, c) for y in (b, d))
                pours.append((len(cluster), net, line))
    for rank, (_, net, line) in enumerate(sorted(pours, reverse=True), start=20):
        drawing.zone(net, pcbnew.B_Cu, line, rank).SetPadConnection(pcbnew.ZONE_CONNECTION_FULL)


def add_walls(drawing: Drawing) -> None:
    """Forbid parts below the walls of the lattice, except in the bays around chips."""
    length = cell.PITCH_MM / (sqrt(3) if drawing.plan.shape == "hexagon" else 1)
    if drawing.plan.shape == "disc":
        length *= 0.75
    for one, other in combinations(drawing.plan.cells.values(), 2):
        apart = one.distance(other)
        if apart > 1.1 * cell.PITCH_MM:
            continue
        dx, dy = (other.x - one.x) / apart, (other.y - one.y) / apart
        x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
        along = [k * length / 40 for k in range(-20, 21)]
        clear = [
            k
            for k in along
            if all(hypot(x - k * dy - c.x, y + k * dx - c.y) > BAY for c in drawing.plan.chips)
        ]
        if clear:
            a, b, w = clear[0], clear[-1], cell.WALL_MM / 2
            corners = ((a, -w), (b, -w), (b, w), (a, w))
            line = [(x - k * dy + v * dx, y + k * dx + v * dy) for k, v in corners]
            drawing.rule_area((pcbnew.B_Cu,), line).SetDoNotAllowFootprints(True)
