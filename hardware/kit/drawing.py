"""Drawings in millimetres: shapes with a style each, whatever file they end in.

Owns the shapes. Must not know files (`svg`, `dxf`, `pdf`), nor what is drawn. As in the profile x
goes to the right and y goes up; angles are in degrees, counter-clockwise from the right.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite

from hal.profile.geometry import Point
from hardware.kit.errors import KitError

Points = tuple[Point, ...]

DASH_MM = (2.0, 1.5)
"""How long the dashes of a dashed line are, and the gaps between them, in every file."""
FONTS = ("Bitstream Vera Sans", "DejaVu Sans", "Verdana", "sans-serif")
"""The font of labels, best first; the second draws its letters as wide as the first."""
LARGEST_MM = 5000.0
"""The longest side of a drawing. A page of a PDF may have 5080 mm."""
_EDGE_MM = 1e-9
"""What is on the edge of a box is not in it."""

_COLOUR = re.compile("#[0-9a-f]{6}")
# What DXF allows in the name of a layer, and more than enough for one.
_LAYER = re.compile("[A-Za-z0-9][A-Za-z0-9 _-]{0,99}")


@dataclass(frozen=True, slots=True)
class Style:
    """Say how a shape is drawn. Colours are "#rrggbb"; None leaves out the line, or the filling.

    `name` is the layer of lines where a file has layers, and says what it is for: "cut", "engrave".
    """

    name: str
    stroke: str | None = "#000000"
    width_mm: float = 0.2
    fill: str | None = None
    dashed: bool = False

    def __post_init__(self) -> None:
        if not _LAYER.fullmatch(self.name):
            allowed = "letters, digits, spaces, - and _"
            raise KitError(f'the name of a style is "{self.name}": allowed are {allowed}')
        for colour in (self.stroke, self.fill):
            if colour is not None and not _COLOUR.fullmatch(colour):
                allowed = "such as #0080ff, in small letters, and None"
                raise KitError(f'the colour of "{self.name}" is "{colour}": allowed are {allowed}')
        if not 0 < self.width_mm <= 100:
            allowed = "more than 0 and up to 100"
            raise KitError(f'the width of "{self.name}" is {self.width_mm}: allowed are {allowed}')


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle, by its diameter."""

    centre: Point
    diameter_mm: float

    def __post_init__(self) -> None:
        _check_length("the diameter of a circle", self.diameter_mm)


@dataclass(frozen=True, slots=True)
class Arc:
    """A part of a circle from one angle counter-clockwise to another."""

    centre: Point
    diameter_mm: float
    start_deg: float
    end_deg: float

    def __post_init__(self) -> None:
        _check_length("the diameter of an arc", self.diameter_mm)

    @property
    def turn_deg(self) -> float:
        """Give how far it goes: more than 0, and 360 for the whole circle."""
        return (self.end_deg - self.start_deg) % 360 or 360.0


@dataclass(frozen=True, slots=True)
class Path:
    """Straight lines from point to point, and back to the first if it is closed."""

    points: Points
    closed: bool = False

    def __post_init__(self) -> None:
        _check_points("a path", self.points, 2)


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon with holes; each outline is given without repeating its first point."""

    outline: Points
    holes: tuple[Points, ...] = ()

    def __post_init__(self) -> None:
        for points in (self.outline, *self.holes):
            _check_points("the outline of an area", points, 3)


class Anchor(Enum):
    """Say which part of a text is at its place."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Label:
    """A text on one line. `size_mm` is the font's size; `at` is on the baseline.

    `turn_deg` turns it counter-clockwise around that place. It is filled with the style's `fill`,
    or with its `stroke` when there is none.
    """

    text: str
    at: Point
    size_mm: float
    anchor: Anchor = Anchor.MIDDLE
    turn_deg: float = 0.0
    bold: bool = False

    def __post_init__(self) -> None:
        if not self.text.isprintable():
            raise KitError(f"a label is {self.text!r}: allowed are characters on one line")
        _check_length(f'the size of the label "{self.text}"', self.size_mm)


Shape = Circle | Arc | Path | Area | Label


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape and how it is drawn."""

    shape: Shape
    style: Style

    @property
    def layer(self) -> str:
        """Name its layer: the style's name, and for a text that and "words".

        So a cutter's lines have no texts among them, whose fonts it may lack.
        """
        return f"{self.style.name} words" if isinstance(self.shape, Label) else self.style.name


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with upright sides, in mm."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """Give the width."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Give the height."""
        return self.top - self.bottom

    @property
    def corners(self) -> Points:
        """Give the corners, counter-clockwise from the lower left."""
        return (
            Point(self.left, self.bottom),
            Point(self.right, self.bottom),
            Point(self.right, self.top),
            Point(self.left, self.top),
        )

    @property
    def middle(self) -> Point:
        """Give the middle."""
        return Point((self.left + self.right) / 2, (self.bottom + self.top) / 2)

    def holds(self, at: Point) -> bool:
        """Tell whether a point is inside, and not only on the edge."""
        inner = self.grown(-_EDGE_MM)
        return inner.left < at.x < inner.right and inner.bottom < at.y < inner.top

    def overlaps(self, other: "Box") -> bool:
        """Tell whether two boxes have more than an edge in common."""
        return (
            min(self.right, other.right) > max(self.left, other.left) + _EDGE_MM
            and min(self.top, other.top) > max(self.bottom, other.bottom) + _EDGE_MM
        )

    def grown(self, by_mm: float) -> "Box":
        """Give the box grown by this much on each side."""
        return Box(self.left - by_mm, self.bottom - by_mm, self.right + by_mm, self.top + by_mm)

    @classmethod
    def sized(cls, at: Point, size: tuple[float, float]) -> "Box":
        """Give a box of a width and height around its middle."""
        return cls(at.x - size[0] / 2, at.y - size[1] / 2, at.x + size[0] / 2, at.y + size[1] / 2)

    @classmethod
    def around(cls, points: Iterable[Point]) -> "Box":
        """Give the smallest box around points, of which there is at least one."""
        all_points = tuple(points)
        xs, ys = [at.x for at in all_points], [at.y for at in all_points]
        return cls(min(xs), min(ys), max(xs), max(ys))


@dataclass(slots=True)
class Drawing:
    """A drawing being made: its title, what of the plane it shows, and marks, lowest first."""

    title: str
    box: Box
    marks: list[Mark] = field(default_factory=list)

    def check(self) -> None:
        """Raise KitError for a drawing that no page can have: an empty one, or an endless one."""
        check_size(self.box, self.title)

    def add(self, style: Style, *shapes: Shape) -> None:
        """Draw shapes above what is there."""
        self.marks += [Mark(shape, style) for shape in shapes]


def check_size(box: Box, title: str) -> None:
    """Raise KitError for a box that no page can have, with the title of what it is around."""
    for side, length in (("wide", box.width), ("high", box.height)):
        if not (isfinite(length) and 0 < length <= LARGEST_MM):
            raise KitError(
                f'"{title}" is {length:g} mm {side}: allowed are more than 0 and up to'
                f" {LARGEST_MM:g} mm"
            )


def _check_length(name: str, length: float) -> None:
    if not (isfinite(length) and length > 0):
        raise KitError(f"{name} is {length:g} mm: allowed is more than 0")


def _check_points(name: str, points: Points, least: int) -> None:
    if len(points) < least:
        raise KitError(f"{name} has {len(points)} points: allowed are {least} and more")
    for x, y in points:
        if not (isfinite(x) and isfinite(y)):
            raise KitError(f"{name} goes to {x}, {y}: allowed are numbers")
