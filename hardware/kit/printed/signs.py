"""The signs on cells of the printed top.

Owns the outlines of the figures. Must not know what they mean.
"""

from collections.abc import Iterator
from math import cos, pi, sin

from hal.profile.geometry import Geometry, Point
from hardware.kit.drawing import Area, Label, Mark, Points, Style
from hardware.kit.layout import Cell
from hardware.kit.plates.regions import Region, round_points
from hardware.kit.printed.artwork import Figure, Sign

_SMALL = 0.2
"""The second, small figure, in a corner that a piece in the middle leaves free."""
_LETTER_MM = 2.8


def sign(printed: Sign, cell: Cell, geometry: Geometry) -> Iterator[Mark]:
    """Draw a figure around the window of a cell, and small ones beside its colour's letter."""
    dark = _mix(printed.colour, 0.35)
    style = Style("sign", stroke=dark, width_mm=0.25, fill=_pale(printed.colour))
    outline = _figure(printed.figure, cell.at, geometry.pad_mm * 0.56)
    yield Mark(Area(outline), style)
    corner = geometry.pitch_mm / 2 - 4.6
    small = Style("sign-small", stroke=dark, width_mm=0.2, fill=printed.colour)
    half = geometry.pitch_mm * _SMALL / 2 * 0.55
    yield Mark(Area(_figure(printed.figure, cell.at.moved(corner, corner), half)), small)
    letter = Style("sign-letter", stroke=None, fill=dark)
    # On one line with the cell's name in the other corner.
    low = -geometry.pitch_mm / 2 + 4.2
    yield Mark(Label(printed.letter, cell.at.moved(corner, low), _LETTER_MM, bold=True), letter)


def _figure(figure: Figure, at: Point, reach: float) -> Points:
    """Give the outline of a figure around a place; all look as large as each other."""
    match figure:
        case Figure.CIRCLE:
            return round_points(at, reach * 1.84)
        case Figure.SQUARE:
            points = _around(4, pi / 4, reach * 1.16)
        case Figure.TRIANGLE:
            points = _around(3, pi / 2, reach * 1.38)
        case Figure.CROSS:
            arm, wide = reach * 1.02, reach * 0.4
            points = tuple(
                Point(x, y)
                for x, y in (
                    (wide, -arm), (wide, -wide), (arm, -wide), (arm, wide), (wide, wide),
                    (wide, arm), (-wide, arm), (-wide, wide), (-arm, wide), (-arm, -wide),
                    (-wide, -wide), (-wide, -arm),
                )
            )  # fmt: skip
    rounded = Region.of(at.moved(*p) for p in points).grown(-reach * 0.08, round_corners=False)
    return rounded.grown(reach * 0.08).areas[0].outline


def _around(corners: int, first: float, reach: float) -> Points:
    turns = [first + 2 * pi * n / corners for n in range(corners)]
    return tuple(Point(reach * cos(turn), reach * sin(turn)) for turn in turns)


def _mix(colour: str, black: float) -> str:
    return _blend(colour, 0, black)


def _pale(colour: str) -> str:
    return _blend(colour, 255, 0.25)


def _blend(colour: str, to: int, share: float) -> str:
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + share * (to - part)):02x}" for part in parts)
