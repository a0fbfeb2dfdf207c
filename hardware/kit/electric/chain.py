"""The chain of pixels as it is built: pieces of strip and single pixels, and wires between them.

Owns which neighbours on the chain can be one piece of strip. Must not know volts and amperes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import atan2, ceil, degrees

from hal.profile.geometry import Point
from hardware.kit.layout import Layout

_NEAR_MM = 0.5
"""By how much two pixels may be nearer or farther than a strip has them."""
_OFF_MM = 0.5
"""How far from its place a pixel may be at the ends of a row whose middle is right: light still
falls through the hole."""
_BEND_DEG = 0.5

_DOWN_MM, _SLACK_MM, _STEP_MM = 15, 40, 10


def way_mm(start: Point, end: Point) -> float:
    """Give how long a wire is to be cut: along the sides, down, slack, up to the next 10 mm."""
    along = abs(start.x - end.x) + abs(start.y - end.y)
    # Rounded first: what is 200 mm but for the last bit of a float is not 210 mm.
    return float(_STEP_MM * ceil(round((along + _DOWN_MM + _SLACK_MM) / _STEP_MM, 6)))


class Kind(Enum):
    """How pixels are bought: on strip, with this number a metre, or one by one."""

    STRIP_30 = 30
    STRIP_60 = 60
    SINGLE = 0

    @property
    def spacing_mm(self) -> float:
        """Give how far apart pixels are on such a strip; 0 for single ones."""
        return 1000 / self.value if self.value else 0.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the chain: its first pixel, where its pixels are, and what it is cut from."""

    kind: Kind
    first: int
    places: tuple[Point, ...]

    @property
    def last(self) -> int:
        """Give the number of its last pixel."""
        return self.first + len(self.places) - 1

    @property
    def pixels(self) -> range:
        """Give the numbers of its pixels."""
        return range(self.first, self.first + len(self.places))

    @property
    def length_mm(self) -> float:
        """Give how long the strip is cut."""
        return len(self.places) * self.kind.spacing_mm


@dataclass(frozen=True, slots=True)
class Link:
    """What leads from a pixel to the next: `kind` SINGLE is a wire. `pixel` is the latter."""

    pixel: int
    kind: Kind
    length_mm: float


def places(layout: Layout) -> tuple[Point, ...]:
    """Give where each pixel of the chain is; one that lights nothing is beside the one before."""
    known = {light.pixel: light.at for light in layout.lights}
    here = layout.lights[0].at if layout.lights else layout.geometry.supply
    found = []
    for pixel in range(layout.profile.pixel_count):
        here = known.get(pixel, here)
        found.append(here)
    return tuple(found)


def pieces(layout: Layout) -> tuple[Piece, ...]:
    """Cut the chain into pieces: straight rows of pixels as far apart as a strip has them."""
    return tuple(_pieces(places(layout)))


def links(layout: Layout) -> tuple[Link, ...]:
    """Give what is between each pixel and the one before it, from the second pixel on."""
    found = []
    before: Point | None = None
    for piece in pieces(layout):
        if before is not None:
            found.append(Link(piece.first, Kind.SINGLE, way_mm(before, piece.places[0])))
        spacing = piece.kind.spacing_mm
        found += [Link(pixel, piece.kind, spacing) for pixel in piece.pixels[1:]]
        before = piece.places[-1]
    return tuple(found)


def _pieces(at: tuple[Point, ...]) -> Iterator[Piece]:
    first = 0
    while first < len(at):
        kind, end = _row(at, first)
        yield Piece(kind, first, at[first:end])
        first = end


def _row(at: tuple[Point, ...], first: int) -> tuple[Kind, int]:
    """Find how far a straight row goes that begins with a pixel."""
    if first + 1 == len(at):
        return Kind.SINGLE, first + 1
    kind = _kind(at[first].distance(at[first + 1]))
    if kind is Kind.SINGLE:
        return kind, first + 1
    heading = _heading(at[first], at[first + 1])
    end = first + 2
    while (
        end < len(at)
        and _kind(at[end - 1].distance(at[end])) is kind
        and abs((_heading(at[end - 1], at[end]) - heading + 180) % 360 - 180) <= _BEND_DEG
        and abs(at[first].distance(at[end]) - (end - first) * kind.spacing_mm) <= 2 * _OFF_MM + 1e-6
    ):
        end += 1
    return kind, end


def _kind(distance_mm: float) -> Kind:
    strips = (Kind.STRIP_30, Kind.STRIP_60)
    near = (each for each in strips if abs(distance_mm - each.spacing_mm) <= _NEAR_MM)
    return next(near, Kind.SINGLE)


def _heading(start: Point, end: Point) -> float:
    return degrees(atan2(end.y - start.y, end.x - start.x))
