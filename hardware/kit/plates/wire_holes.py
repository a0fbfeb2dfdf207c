"""The holes of the base for the wires of the pixels.

Owns where they are, by what lies on the base. Must not know how the base is drawn, nor what is
underneath: that keeps clear of them. Millimetres.
"""

from collections.abc import Iterator, Sequence
from math import atan2, cos, pi, radians, sin

from hal.profile.geometry import Point
from hardware.kit.drawing import Points
from hardware.kit.electric.chain import Kind, Piece, pieces
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.plates.chambers import CORNER_MM, PIXEL_WIRE_MM, SINGLE_MM, lying
from hardware.kit.plates.kept import APART_MM, kept
from hardware.kit.plates.regions import Region

_NEAREST_MM = (SINGLE_MM + PIXEL_WIRE_MM) / 2
"""From the middle of a single pixel to that of its wires' hole: beside its small board."""
_FARTHER_MM = 14
_TURNS = (0, 15, -15, 30, -30, 45, -45, 60, -60, 75, -75, 90, -90)


def wire_holes(layout: Layout) -> Points:
    """Find two holes for each piece: for the wires that come to it and for those that leave it."""
    return tuple(_holes(layout, pieces(layout)))


def _holes(layout: Layout, chain: Sequence[Piece]) -> Iterator[Point]:
    inside = Region.box(layout.box, CORNER_MM).grown(-APART_MM)
    laid = Region.joined(lying(piece) for piece in chain)
    clear = kept(layout).grown(APART_MM) | laid
    for piece in chain:
        for number, wish in enumerate(_ways_out(piece)):
            free = (
                at
                for at in _spots(*wish)
                if inside.covers(hole := Region.disc(at, PIXEL_WIRE_MM)) and not clear.meets(hole)
            )
            found = next(free, None)
            if found is None:
                raise KitError(
                    f"wires of pixel {piece.last if number else piece.first} find no place for a"
                    f" hole of {PIXEL_WIRE_MM:g} mm: allowed is one {APART_MM:g} mm from others"
                )
            clear = clear | Region.disc(found, PIXEL_WIRE_MM + 2 * APART_MM)
            yield found


def _ways_out(piece: Piece) -> tuple[tuple[Point, float, float], ...]:
    """Say from where wires leave at each end of a piece, in which direction, and how far at least.

    A single pixel has its wires at both sides.
    """
    start, end = piece.places[0], piece.places[-1]
    if piece.kind is Kind.SINGLE:
        return (start, pi, _NEAREST_MM), (start, 0.0, _NEAREST_MM)
    ahead = atan2(end.y - start.y, end.x - start.x)
    reach = piece.kind.spacing_mm / 2 + PIXEL_WIRE_MM / 2
    return (start, ahead + pi, reach), (end, ahead, reach)


def _spots(here: Point, ahead: float, reach: float) -> Iterator[Point]:
    """Give places ahead of a point, the nearest and straightest first."""
    for farther in range(_FARTHER_MM):
        for turn in _TURNS:
            angle = ahead + radians(turn)
            away = reach + farther
            yield here.moved(round(away * cos(angle), 3), round(away * sin(angle), 3))
