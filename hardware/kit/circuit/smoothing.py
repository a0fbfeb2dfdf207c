"""Make tidy tracks of ways through the grid: few corners, and no more than they need.

Owns the form of tracks. Must not know how ways are found. Corners stay multiples of 45 degrees.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import VIA_MM, Side
from hardware.kit.circuit.problem import Copper, Disc
from hardware.kit.circuit.space import Space
from hardware.kit.drawing import Points

Weight = Callable[[str, Side, Point], float]
"""Give what a millimetre of a net's track costs, on a side and at a place."""

_MORE_MM = 0.25
"""How much farther from others than they must moved tracks stay."""
_FARTHEST = 12
"""How many corners are cut off at once."""
_SAMPLE_MM = 1.0
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a way on one side."""

    side: Side
    points: Points


@dataclass(frozen=True, slots=True)
class Smoother:
    """Move tracks where there is room for them."""

    space: Space
    weight: Weight

    def smooth(self, net: str, run: Run) -> Run:
        """Give the run with fewer corners; it begins and ends where it did and costs no more."""
        points = _merged(run.points)
        while True:
            better = self._once(net, run.side, points)
            if len(better) >= len(points):
                return Run(run.side, points)
            points = better

    def straightened(self, run: Run, start: Copper, end: Copper) -> Run:
        """Give the shortest line between two discs in place of a run, if there is room for it."""
        a, b = start.shape, end.shape
        if not isinstance(a, Disc) or not isinstance(b, Disc) or a.at == b.at:
            return run
        if run.side not in start.sides & end.sides:
            return run
        line = _edge(a, b.at), _edge(b, a.at)
        most = self._price(start.net, run.side, run.points) + _TINY
        if self._price(start.net, run.side, line) > most:
            return run
        if not self.space.track_is_free(start.net, run.side, *line, _MORE_MM):
            return run
        return Run(run.side, _merged(line))

    def _once(self, net: str, side: Side, points: Points) -> Points:
        kept = [points[0]]
        at = 0
        while at < len(points) - 1:
            for to in range(min(at + _FARTHEST, len(points) - 1), at, -1):
                link = self._link(net, side, points[at : to + 1])
                if link is not None:
                    kept += link
                    at = to
                    break
        return _merged(tuple(kept))

    def _link(self, net: str, side: Side, old: Points) -> Sequence[Point] | None:
        """Give what follows the first point of a piece, with fewer corners than it has now."""
        if len(old) == 2:
            return old[1:]
        start, end = old[0], old[-1]
        most = self._price(net, side, old) + _TINY
        for elbow in _elbows(start, end):
            link = _merged((start, elbow, end))
            if len(link) >= len(old) or self._price(net, side, link) > most:
                continue
            legs = pairwise(link)
            if all(self.space.track_is_free(net, side, *leg, _MORE_MM) for leg in legs):
                return link[1:]
        return None

    def _price(self, net: str, side: Side, points: Points) -> float:
        total = 0.0
        for start, end in pairwise(points):
            length = start.distance(end)
            count = ceil(length / _SAMPLE_MM)
            for n in range(count):
                part = (n + 0.5) / count
                at = start.moved((end.x - start.x) * part, (end.y - start.y) * part)
                total += self.weight(net, side, at) * length / count
        return total


def _elbows(start: Point, end: Point) -> tuple[Point, Point]:
    """Give the corners of the two shortest ways that keep to the eight directions."""
    dx, dy = end.x - start.x, end.y - start.y
    diagonal = min(abs(dx), abs(dy))
    across = diagonal if dx > 0 else -diagonal
    up = diagonal if dy > 0 else -diagonal
    return start.moved(across, up), end.moved(-across, -up)


def _merged(points: Points) -> Points:
    """Leave out points on straight lines, and such as are there twice."""
    kept: list[Point] = []
    for point in points:
        if kept and kept[-1].distance(point) < _TINY:
            continue
        if len(kept) > 1 and _goes_straight(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return tuple(Point(round(at.x, 4) + 0.0, round(at.y, 4) + 0.0) for at in kept)


def _goes_straight(start: Point, middle: Point, end: Point) -> bool:
    ax, ay, bx, by = middle.x - start.x, middle.y - start.y, end.x - middle.x, end.y - middle.y
    straight = abs(ax * by - ay * bx) < _TINY * hypot(ax, ay) * hypot(bx, by) + _TINY
    return straight and ax * bx + ay * by > 0


def _edge(disc: Disc, towards: Point) -> Point:
    """Give the place inside of a disc's edge that is nearest to some other place."""
    depth = min(VIA_MM / 2, (disc.outer_mm - disc.inner_mm) / 4)
    part = (disc.outer_mm / 2 - depth) / disc.at.distance(towards)
    return disc.at.moved((towards.x - disc.at.x) * part, (towards.y - disc.at.y) * part)
