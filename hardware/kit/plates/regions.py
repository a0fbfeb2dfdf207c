"""Parts of the plane: joined, cut out of each other, made wider or narrower.

Owns what the polygon library (shapely) does for the plates and templates of a kit. Must not know
what the regions are. Millimetres.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, inf, isnan, pi, sin
from typing import Any

import shapely

from hal.profile.geometry import Point
from hardware.kit.drawing import Area, Box, Points

_CORNERS = 16
"""Straight lines in a quarter of a circle: on one of 30 mm they are 0.02 mm off at most."""
_TURNS = tuple(2 * pi * n / (4 * _CORNERS) for n in range(4 * _CORNERS))
_CIRCLE = tuple((cos(turn), sin(turn)) for turn in _TURNS)
_SPECK_MM2 = 0.01
_NOTHING_MM2 = 1e-6
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the plane, maybe in several pieces, maybe empty."""

    shape: Any

    @classmethod
    def nothing(cls) -> "Region":
        """Give the empty region."""
        return cls(shapely.Polygon())

    @classmethod
    def of(cls, outline: Iterable[Point], holes: Iterable[Points] = ()) -> "Region":
        """Give what lies inside an outline."""
        return cls(shapely.Polygon(tuple(outline), [tuple(hole) for hole in holes]))

    @classmethod
    def disc(cls, at: Point, diameter_mm: float) -> "Region":
        """Give what lies inside a circle."""
        return cls.of(round_points(at, diameter_mm))

    @classmethod
    def bar(cls, start: Point, end: Point, width_mm: float) -> "Region":
        """Give a straight bar with square ends."""
        line = shapely.LineString((start, end))
        return cls(line.buffer(width_mm / 2, cap_style="flat"))

    @classmethod
    def box(cls, box: Box, radius_mm: float = 0.0) -> "Region":
        """Give a rectangle, with round corners if a radius is given."""
        inner = shapely.box(
            box.left + radius_mm, box.bottom + radius_mm, box.right - radius_mm, box.top - radius_mm
        )
        return cls(inner.buffer(radius_mm, quad_segs=_CORNERS) if radius_mm else inner)

    @classmethod
    def joined(cls, regions: Iterable["Region"]) -> "Region":
        """Join regions to one."""
        return cls(shapely.union_all([each.shape for each in regions]))

    @classmethod
    def hull(cls, regions: Iterable["Region"]) -> "Region":
        """Give what a band around some regions encloses."""
        return cls(cls.joined(regions).shape.convex_hull)

    def __or__(self, other: "Region") -> "Region":
        return Region(self.shape.union(other.shape))

    def __sub__(self, other: "Region") -> "Region":
        return Region(self.shape.difference(other.shape))

    def __and__(self, other: "Region") -> "Region":
        return Region(self.shape.intersection(other.shape))

    def grown(self, by_mm: float, round_corners: bool = True) -> "Region":
        """Make it wider on all sides; narrower for a number below 0."""
        style = "round" if round_corners else "mitre"
        return Region(self.shape.buffer(by_mm, quad_segs=_CORNERS, join_style=style))

    def meets(self, other: "Region") -> bool:
        """Tell whether the two share more than a border."""
        shapely.prepare(self.shape)
        if not self.shape.intersects(other.shape):
            return False
        return bool(self.shape.intersection(other.shape).area > _NOTHING_MM2)

    def covers(self, other: "Region") -> bool:
        """Tell whether all of the other lies in this one."""
        shapely.prepare(self.shape)
        if self.shape.covers(other.shape):
            return True
        return bool(other.shape.difference(self.shape).area < _NOTHING_MM2)

    def contains(self, at: Point) -> bool:
        """Tell whether a point lies in it, or on its border."""
        return bool(self.shape.covers(shapely.Point(at)))

    def distance(self, other: "Region") -> float:
        """Give how far apart the two are: 0 if they touch, without end if one is empty."""
        apart = float(self.shape.distance(other.shape))
        return inf if isnan(apart) else apart

    @property
    def size_mm2(self) -> float:
        """Give its area."""
        return float(self.shape.area)

    @property
    def pieces(self) -> tuple["Region", ...]:
        """List what hangs together, the largest piece first; specks are left out."""
        parts = [Region(part) for part in shapely.get_parts(self.shape) if part.area > _SPECK_MM2]
        # The library's order of pieces differs from run to run, and sizes may be the same.
        return tuple(sorted(parts, key=lambda part: (-round(part.size_mm2, 3), part.shape.bounds)))

    @property
    def areas(self) -> tuple[Area, ...]:
        """Give each piece as a polygon with its holes."""
        return tuple(_area(piece.shape) for piece in self.pieces)

    @property
    def extent(self) -> Box:
        """Give the smallest box around it."""
        left, bottom, right, top = self.shape.bounds
        return Box(left, bottom, right, top)


def round_points(at: Point, diameter_mm: float) -> Points:
    """Give points on a circle, counter-clockwise from the right."""
    radius = diameter_mm / 2
    return tuple(Point(at.x + radius * x, at.y + radius * y) for x, y in _CIRCLE)


def _area(polygon: Any) -> Area:
    shape = shapely.normalize(polygon)
    return Area(_ring(shape.exterior), tuple(_ring(ring) for ring in shape.interiors))


def _ring(ring: Any) -> Points:
    points = [Point(round(x, _DIGITS) + 0.0, round(y, _DIGITS) + 0.0) for x, y in ring.coords]
    return tuple(points[:-1])
