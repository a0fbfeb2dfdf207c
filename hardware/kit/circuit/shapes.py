"""Forms that were read from files, as polygons that can be measured.

Owns how round forms become polygons: none is more than `ROUND_MM` off. Must not know rules.
"""

from collections.abc import Iterable
from math import acos, atan2, ceil, cos, pi, sin, tau
from typing import Any

from shapely import LineString, Polygon
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, unary_union

from hal.profile.geometry import Point
from hardware.kit.circuit.reading import Bow, Dot, Form, Item, Patch, Stroke
from hardware.kit.errors import KitError

ROUND_MM = 0.0003


def disc(at: Point, diameter_mm: float) -> Polygon:
    """Give a disc."""
    radius = diameter_mm / 2
    if radius <= 0:
        return Polygon()
    corners = _corners(radius)
    # Half of the error lies outside, half inside.
    reach = 2 * radius / (1 + cos(pi / corners))
    return Polygon(
        (at.x + reach * cos(tau * n / corners), at.y + reach * sin(tau * n / corners))
        for n in range(corners)
    )


def outline(form: Form) -> BaseGeometry:
    """Give a form as a polygon."""
    match form:
        case Dot(at, diameter):
            return disc(at, diameter)
        case Stroke(start, end, width):
            if start == end:
                return disc(start, width)
            return _drawn((start, end), width)
        case Bow(start, end, centre, _, width):
            radius = centre.distance(start)
            if start.distance(end) < ROUND_MM:
                ring = disc(centre, 2 * radius + width)
                return ring.difference(disc(centre, 2 * radius - width))
            return _drawn(_along(form), width)
        case Patch(points):
            return Polygon(points)


def ring(items: Iterable[Item]) -> Polygon:
    """Give what lines go around, wherever each begins; raise KitError unless they are one ring."""
    lines = [_middle(item.form) for item in items]
    joined = linemerge([line for line in lines if line is not None])
    parts = pieces(joined)
    closed = [each for each in parts if each.is_ring]
    if len(parts) != 1 or len(closed) != 1 or None in lines:
        raise KitError(
            f"outline: {len(parts)} lines, of which {len(closed)} close without crossing"
            " themselves: allowed is 1 that does"
        )
    return Polygon(closed[0])


def merged(items: Iterable[Item]) -> BaseGeometry:
    """Give what a layer shows: dark forms, without what later ones take away."""
    shown: BaseGeometry = Polygon()
    run: list[BaseGeometry] = []
    dark = True
    for item in items:
        if item.dark is not dark:
            shown = _applied(shown, run, dark)
            run, dark = [], item.dark
        run.append(outline(item.form))
    return _applied(shown, run, dark)


def pieces(shape: BaseGeometry) -> list[Any]:
    """Give the parts of a shape, polygons or lines, which do not touch each other."""
    return [each for each in getattr(shape, "geoms", (shape,)) if not each.is_empty]


def name_of(at: Point | Spot) -> str:
    """Give a place as people read it."""
    x, y = (round(size, 2) + 0.0 for size in (at.x, at.y))
    return f"({x:.2f}, {y:.2f})"


def _applied(shown: BaseGeometry, run: list[BaseGeometry], dark: bool) -> BaseGeometry:
    change = unary_union(run)
    return shown.union(change) if dark else shown.difference(change)


def _corners(radius: float) -> int:
    """Count the corners of a polygon that stays within both sides of a circle."""
    return max(16, ceil(pi / acos(max(0.0, 1 - 2 * ROUND_MM / radius))))


def _drawn(points: Iterable[Point], width_mm: float) -> BaseGeometry:
    quarter = ceil(_corners(width_mm / 2) / 4)
    return LineString(list(points)).buffer(width_mm / 2, quad_segs=quarter)


def _middle(form: Form) -> LineString | None:
    """Give the line that a pen went along."""
    match form:
        case Stroke(start, end, _):
            return LineString([start, end])
        case Bow():
            return LineString(_along(form))
    return None


def _along(bow: Bow) -> list[Point]:
    centre, radius = bow.centre, bow.centre.distance(bow.start)
    first = atan2(bow.start.y - centre.y, bow.start.x - centre.x)
    last = atan2(bow.end.y - centre.y, bow.end.x - centre.x)
    turn = (last - first) % tau
    if bow.clockwise:
        turn -= tau
    elif turn == 0:
        turn = tau
    steps = max(2, ceil(_corners(radius) * abs(turn) / tau))
    way = (first + turn * n / steps for n in range(steps + 1))
    return [centre.moved(radius * cos(angle), radius * sin(angle)) for angle in way]
