"""What is where on a board, exactly, and whether a track has room.

Owns clearances between true shapes. Must not know the grid, nor how tracks are found.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import floor, hypot

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import CLEARANCE_MM, EDGE_MM, TRACK_MM, VIA_MM, Side
from hardware.kit.circuit.grid import box_of
from hardware.kit.circuit.problem import Bar, Disc, Problem
from hardware.kit.drawing import Box, Points

BOTH = frozenset(Side)

_BUCKET_MM = 6.0
_REACH_MM = 2.0
"""No clearance that is asked for is more than this."""
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Line:
    """A straight piece of a track, or a via when it ends where it starts; round at its ends."""

    start: Point
    end: Point
    width_mm: float


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that tracks of other nets keep away from, by how much. `way` tells ways apart."""

    net: str
    sides: frozenset[Side]
    shape: Disc | Bar | Line
    apart_mm: float
    way: int = -1


class Space:
    """Hold all that tracks must keep away from."""

    def __init__(self, problem: Problem) -> None:
        self._buckets: dict[tuple[int, int], list[Thing]] = defaultdict(list)
        for copper in problem.coppers:
            self._add(Thing(copper.net, copper.sides, copper.shape, CLEARANCE_MM))
        for hole in problem.holes:
            self._add(Thing("", BOTH, Disc(hole.at, 0.0, hole.drill_mm), EDGE_MM))
        corners = problem.outline
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            self._add(Thing("", BOTH, Line(start, end, 0.0), EDGE_MM))

    def add_track(self, way: int, net: str, side: Side, points: Points) -> None:
        """Add a track of a way."""
        for start, end in pairwise(points):
            line = Line(start, end, TRACK_MM)
            self._add(Thing(net, frozenset({side}), line, CLEARANCE_MM, way))

    def add_via(self, way: int, net: str, at: Point) -> None:
        """Add a via of a way."""
        self._add(Thing(net, BOTH, Line(at, at, VIA_MM), CLEARANCE_MM, way))

    def remove(self, way: int, points: Iterable[Point]) -> None:
        """Remove what a way added, of which these are the points."""
        for bucket in self._keys(Box.around(points).grown(_REACH_MM + VIA_MM)):
            if bucket in self._buckets:
                self._buckets[bucket] = [e for e in self._buckets[bucket] if e.way != way]

    def track_is_free(
        self, net: str, side: Side, start: Point, end: Point, more_mm: float = 0.0
    ) -> bool:
        """Tell whether a track keeps its clearances, and `more_mm` more from other tracks."""
        return self._is_free(net, frozenset({side}), Line(start, end, TRACK_MM), more_mm)

    def via_is_free(self, net: str, at: Point) -> bool:
        """Tell whether a via keeps its clearances."""
        return self._is_free(net, BOTH, Line(at, at, VIA_MM), 0.0)

    def _is_free(self, net: str, sides: frozenset[Side], line: Line, more_mm: float) -> bool:
        seen: set[int] = set()
        for bucket in self._keys(_line_box(line)):
            for thing in self._buckets.get(bucket, ()):
                if id(thing) in seen:
                    continue
                seen.add(id(thing))
                if (thing.net == net and net) or not thing.sides & sides:
                    continue
                needed = thing.apart_mm + (more_mm if thing.way >= 0 else 0.0)
                if gap(line, thing.shape) < needed - _TINY:
                    return False
        return True

    def _add(self, thing: Thing) -> None:
        shape = thing.shape
        box = _line_box(shape) if isinstance(shape, Line) else box_of(shape)
        for bucket in self._keys(box.grown(_REACH_MM)):
            self._buckets[bucket].append(thing)

    def _keys(self, box: Box) -> Iterator[tuple[int, int]]:
        across = range(floor(box.left / _BUCKET_MM), floor(box.right / _BUCKET_MM) + 1)
        for row in range(floor(box.bottom / _BUCKET_MM), floor(box.top / _BUCKET_MM) + 1):
            for column in across:
                yield column, row


def gap(line: Line, shape: Disc | Bar | Line) -> float:
    """Measure the gap between a line and a shape; it is 0 or less when they touch."""
    start, end, half = line.start, line.end, line.width_mm / 2
    if isinstance(shape, Line):
        return between_lines(start, end, shape.start, shape.end) - half - shape.width_mm / 2
    if isinstance(shape, Disc):
        outside = to_line(shape.at, start, end) - shape.outer_mm / 2
        farthest = max(shape.at.distance(start), shape.at.distance(end))
        inside = shape.inner_mm / 2 - farthest
        return max(outside, inside) - half
    box = box_of(shape)
    if box.left <= start.x <= box.right and box.bottom <= start.y <= box.top:
        return -half
    corners = box.corners
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    return min(between_lines(start, end, *side) for side in sides) - half


def to_line(point: Point, start: Point, end: Point) -> float:
    """Measure the distance from a point to a line between two others."""
    dx, dy = end.x - start.x, end.y - start.y
    length = dx * dx + dy * dy
    if not length:
        return point.distance(start)
    along = ((point.x - start.x) * dx + (point.y - start.y) * dy) / length
    along = min(1.0, max(0.0, along))
    return hypot(point.x - start.x - along * dx, point.y - start.y - along * dy)


def between_lines(start: Point, end: Point, other_start: Point, other_end: Point) -> float:
    """Measure the distance between two lines, 0 if they cross."""
    first = _turn(start, end, other_start) * _turn(start, end, other_end)
    second = _turn(other_start, other_end, start) * _turn(other_start, other_end, end)
    if first < 0 and second < 0:
        return 0.0
    return min(
        to_line(start, other_start, other_end),
        to_line(end, other_start, other_end),
        to_line(other_start, start, end),
        to_line(other_end, start, end),
    )


def _turn(start: Point, end: Point, point: Point) -> float:
    return (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)


def _line_box(line: Line) -> Box:
    return Box.around((line.start, line.end)).grown(line.width_mm / 2)
