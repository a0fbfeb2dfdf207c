"""What is printed on a circuit: its texts, and where each connector and its first pin is.

Owns the lines of that print, kept away from what it must not cover. Must not know a font's file or
a file's format: the font is a function that gives strokes.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from shapely import LineString, Polygon, box, prepare
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Circuit, Connector, Note, Side
from hardware.kit.circuit.layers import MASK_HOLE_MM, MASK_MM, PRINT_MM
from hardware.kit.drawing import Box, Points

Font = Callable[[str], tuple[Points, ...]]
"""Give the strokes of a text on the baseline, from x = 0 on, with capitals 1 high."""

AWAY_MM = 0.15
"""From print to openings in the mask, and to holes."""
_STROKE = 0.14
_FRAME_MM = 0.6
_MARK_MM = 1.2


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line."""

    points: Points
    width_mm: float


def lines(circuit: Circuit, side: Side, font: Font) -> tuple[Line, ...]:
    """Print one side: its notes, and on the bottom a frame around each connector with its pin 1.

    The texts on the bottom are mirrored, so that they read right when the board is turned over.
    """
    drawn = [line for note in circuit.notes if note.side is side for line in _text(note, font)]
    if side is Side.BOTTOM:
        drawn += [line for connector in circuit.connectors for line in _frame(connector)]
    bare = _bare(circuit, side)
    return tuple(_kept(circuit, drawn, bare))


def _text(note: Note, font: Font) -> list[Line]:
    strokes = font(note.text)
    xs = [at.x for stroke in strokes for at in stroke]
    if not xs:
        return []
    middle = (min(xs) + max(xs)) / 2
    across = -note.size_mm if note.side is Side.BOTTOM else note.size_mm
    width = max(PRINT_MM, round(note.size_mm * _STROKE, 3))
    return [
        Line(
            tuple(
                note.at.moved((at.x - middle) * across, (at.y - 0.5) * note.size_mm)
                for at in stroke
            ),
            width,
        )
        for stroke in strokes
    ]


def _frame(connector: Connector) -> list[Line]:
    """Draw a frame around a row of pins, and a triangle beyond the first."""
    corners = [
        pin.at.moved(sign * pin.width_mm / 2, sign * pin.height_mm / 2)
        for pin in connector.pins
        for sign in (-1, 1)
    ]
    frame = Box.around(corners).grown(_FRAME_MM)
    first, last = connector.pins[0].at, connector.pins[-1].at
    half = _MARK_MM / 2
    if abs(last.x - first.x) >= abs(last.y - first.y):
        way = 1 if last.x >= first.x else -1
        tip = Point((frame.left if way > 0 else frame.right) - way * 0.3, first.y)
        back = [tip.moved(-way * _MARK_MM, half), tip.moved(-way * _MARK_MM, -half)]
    else:
        way = 1 if last.y >= first.y else -1
        tip = Point(first.x, (frame.bottom if way > 0 else frame.top) - way * 0.3)
        back = [tip.moved(half, -way * _MARK_MM), tip.moved(-half, -way * _MARK_MM)]
    around = frame.corners
    return [
        Line((*around, around[0]), PRINT_MM),
        Line((tip, *back, tip), PRINT_MM),
    ]


def _bare(circuit: Circuit, side: Side) -> BaseGeometry:
    """Give what a side leaves free of ink: holes, and on the bottom the pins."""
    parts: list[BaseGeometry] = [
        Spot(hole.at).buffer(hole.drill_mm / 2 + MASK_HOLE_MM) for hole in circuit.holes
    ]
    if side is Side.BOTTOM:
        for connector in circuit.connectors:
            for pin in connector.pins:
                wide, high = pin.width_mm / 2 + MASK_MM, pin.height_mm / 2 + MASK_MM
                x, y = pin.at
                parts.append(box(x - wide, y - high, x + wide, y + high))
    return unary_union(parts)


def _kept(circuit: Circuit, drawn: Iterable[Line], bare: BaseGeometry) -> Iterable[Line]:
    board = Polygon(circuit.outline)
    free: dict[float, BaseGeometry] = {}
    for line in drawn:
        if line.width_mm not in free:
            apart = AWAY_MM + line.width_mm / 2
            inner = board.buffer(-apart, join_style="mitre")
            free[line.width_mm] = inner.difference(bare.buffer(apart))
            prepare(free[line.width_mm])
        whole = LineString(line.points)
        if free[line.width_mm].covers(whole):
            yield line
            continue
        rest = whole.intersection(free[line.width_mm])
        for part in getattr(rest, "geoms", (rest,)):
            if isinstance(part, LineString) and part.length > line.width_mm:
                yield Line(tuple(Point(x, y) for x, y in part.coords), line.width_mm)
