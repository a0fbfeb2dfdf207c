"""Problems for the router, made of boards that ship, and a judge that measures what it answers.

The judge knows shapely and nothing of the router: it measures between true shapes.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from shapely import STRtree, unary_union
from shapely.geometry import LineString, Polygon
from shapely.geometry import Point as Place
from shapely.geometry import box as rectangle
from shapely.geometry.base import BaseGeometry

from hal.geometry import Point
from hardware.kit.circuit.circuit import (
    CLEARANCE_MM,
    EDGE_MM,
    GROUND,
    VIA_MM,
    Hole,
    Side,
)
from hardware.kit.circuit.router import Bar, Copper, Disc, Problem, Routing
from hardware.kit.drawing import Box
from hardware.kit.layout import Layout

TOP, BOTTOM = frozenset({Side.TOP}), frozenset({Side.BOTTOM})
PIN_PITCH_MM = 2.54
GRID_MM = PIN_PITCH_MM / 2

_TINY_MM = 1e-4


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of copper: all that is nearer to its core than `round_mm`, but not `empty_mm`."""

    net: str
    side: Side
    core: BaseGeometry
    round_mm: float = 0.0
    empty_mm: float = 0.0

    @property
    def name(self) -> str:
        kind = "via or disc" if isinstance(self.core, Place) else "track or bar"
        return f'{kind} of "{self.net}" on the {self.side.value} at {self.core.centroid.wkt}'

    @property
    def room(self) -> BaseGeometry:
        return rectangle(*self.core.bounds).buffer(self.round_mm + CLEARANCE_MM, cap_style="square")

    @property
    def shape(self) -> BaseGeometry:
        full = self.core.buffer(self.round_mm) if self.round_mm else self.core
        if not self.empty_mm:
            return full
        return full.difference(self.core.buffer(self.empty_mm))


def problem_of(layout: Layout) -> Problem:
    """Put a row of thirteen pins beside each chip of a board, where fewest pads are."""
    geometry = layout.geometry
    coppers: list[Copper] = []
    holes: list[Hole] = []
    for pad in layout.sensors.values():
        inner = geometry.hole_mm + 2 * EDGE_MM if pad.lit else 0.0
        coppers.append(Copper(pad.name, TOP, Disc(pad.at, inner, geometry.pad_mm)))
        ring = Disc(pad.at, geometry.guard_inner_mm, geometry.guard_outer_mm)
        coppers.append(Copper(GROUND, TOP, ring))
        if pad.lit:
            holes.append(Hole(pad.at, geometry.hole_mm))
    reach = geometry.guard_outer_mm / 2 + 3
    board = Box.around(pad.at for pad in layout.sensors.values()).grown(reach)
    rows: list[Box] = []
    for chip, near in layout.chips.items():
        at = _row_place(near, rows, board, layout)
        rows.append(_row_box(at))
        nets = {pad.electrode.electrode: pad.name for pad in layout.sensors_of(chip)}
        for number in range(13):
            net = GROUND if number == 12 else nets.get(number, "")
            pin = at.moved(round((number - 6) * PIN_PITCH_MM, 4))
            coppers.append(Copper(net, BOTTOM, Bar(pin, 1.5, 3.0)))
    return Problem(board.corners, tuple(coppers), tuple(holes))


def _row_box(at: Point) -> Box:
    return Box(at.x - 6.5 * PIN_PITCH_MM, at.y - 1.5, at.x + 6.5 * PIN_PITCH_MM, at.y + 1.5)


def _row_place(near: Point, rows: list[Box], board: Box, layout: Layout) -> Point:
    best, least = near, inf
    for up in range(-25, 26):
        for across in range(-16, 17):
            column = round(near.x / GRID_MM) + across
            at = Point(round(column * GRID_MM, 4), round((near.y // GRID_MM + up) * GRID_MM, 4))
            row = _row_box(at)
            if row.left < board.left + 2 or row.right > board.right - 2:
                continue
            if any(_apart(row, other) < 2.5 for other in rows):
                continue
            cost = abs(at.x - near.x) + abs(at.y - near.y)
            for pad in layout.sensors.values():
                away = _apart(row, Box(*pad.at, *pad.at))
                cost += 20 * max(0.0, layout.geometry.pad_mm / 2 + 0.5 - away)
                cost += 9999 if away < 3 else 0
            if cost < least:
                best, least = at, cost
    return best


def _apart(box: Box, other: Box) -> float:
    across = max(box.left - other.right, other.left - box.right, 0.0)
    up = max(box.bottom - other.top, other.bottom - box.top, 0.0)
    return max(across, up)


def faults(problem: Problem, routing: Routing) -> list[str]:
    """Measure the copper of a routed board and tell all that is wrong with it."""
    return [*_clearances(problem, routing), *_edges(problem, routing), *_nets(problem, routing)]


def gap_of(one: Piece, other: Piece) -> float:
    """Measure the gap between two pieces of copper, exactly."""
    apart = one.core.distance(other.core) - one.round_mm - other.round_mm
    for ring, piece in ((one, other), (other, one)):
        if ring.empty_mm:
            farthest = piece.core.hausdorff_distance(ring.core) + piece.round_mm
            apart = max(apart, ring.empty_mm - farthest)
    return apart


def piece_of(net: str, side: Side, shape: Disc | Bar) -> Piece:
    """Make a piece of copper that was there before."""
    if isinstance(shape, Disc):
        return Piece(net, side, Place(shape.at), shape.outer_mm / 2, shape.inner_mm / 2)
    wide, high = shape.width_mm / 2, shape.height_mm / 2
    left, bottom = shape.at.moved(-wide, -high)
    return Piece(net, side, rectangle(left, bottom, left + 2 * wide, bottom + 2 * high))


def _added(routing: Routing) -> list[Piece]:
    pieces = [
        Piece(track.net, track.side, LineString([start, end]), track.width_mm / 2)
        for track in routing.tracks
        for start, end in pairwise(track.points)
    ]
    vias = [
        Piece(via.net, side, Place(via.at), VIA_MM / 2) for via in routing.vias for side in Side
    ]
    return pieces + vias


def _there(problem: Problem) -> list[Piece]:
    coppers = problem.coppers
    return [piece_of(each.net, side, each.shape) for each in coppers for side in each.sides]


def _clearances(problem: Problem, routing: Routing) -> list[str]:
    found = []
    added, there = _added(routing), _there(problem)
    for side in Side:
        news = [piece for piece in added if piece.side is side]
        pieces = news + [piece for piece in there if piece.side is side]
        tree = STRtree([piece.room for piece in pieces])
        for piece in news:
            for number in tree.query(piece.room):
                other = pieces[number]
                if other.net != piece.net and gap_of(piece, other) < CLEARANCE_MM - _TINY_MM:
                    apart = gap_of(piece, other)
                    found.append(f"{piece.name} is {apart:.4f} mm from {other.name}")
    return found


def _edges(problem: Problem, routing: Routing) -> list[str]:
    found = []
    board = Polygon(problem.outline)
    for piece in _added(routing):
        if not board.contains(piece.core):
            found.append(f"{piece.name} is beyond the edge")
        if piece.core.distance(board.exterior) - piece.round_mm < EDGE_MM - _TINY_MM:
            found.append(f"{piece.name} is too near to the edge")
        for hole in problem.holes:
            apart = piece.core.distance(Place(hole.at)) - hole.drill_mm / 2 - piece.round_mm
            if apart < EDGE_MM - _TINY_MM:
                found.append(f"{piece.name} is {apart:.4f} mm from a hole")
    return found


def _nets(problem: Problem, routing: Routing) -> list[str]:
    """Join all copper of a net that touches on a side, and what its vias join, to one piece."""
    found = []
    copper: dict[str, list[Piece]] = defaultdict(list)
    for piece in (*_there(problem), *_added(routing)):
        copper[piece.net].append(piece)
    terminals = {each.net for each in problem.coppers}
    found += [f'net "{net}" is not one of the problem' for net in copper if net not in terminals]
    if any(piece.net == "" for piece in _added(routing)):
        found.append("track of no net")
    for net in sorted(terminals - {""}):
        parts: list[tuple[Side, BaseGeometry]] = []
        for side in Side:
            joined = unary_union([piece.shape for piece in copper[net] if piece.side is side])
            parts += [(side, part) for part in getattr(joined, "geoms", [joined]) if part.area]
        groups = list(range(len(parts)))
        for via in routing.vias:
            if via.net == net:
                hit = [n for n, (_, part) in enumerate(parts) if part.contains(Place(via.at))]
                for n in hit:
                    old, new = groups[n], groups[hit[0]]
                    groups = [new if group == old else group for group in groups]
        if len(set(groups)) != 1:
            found.append(f"copper of {net} is in {len(set(groups))} pieces")
    return found
