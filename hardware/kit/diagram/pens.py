"""How diagrams look: colours of the wires, sizes of the texts, and the symbols of parts.

Owns the looks. Must not know what is wired.
"""

from hal.profile.geometry import Point
from hardware.kit.drawing import (
    Anchor,
    Area,
    Box,
    Circle,
    Drawing,
    Label,
    Mark,
    Path,
    Points,
    Style,
)

TEXT_MM, SMALL_MM = 2.8, 2.6
# The widths of characters by the size of their text, with some to spare; bold ones take more.
_NARROW, _WIDE = frozenset("fiIjlrt.,:;'()-+/ "), frozenset("mwMW%@")
_NARROW_CHAR, _WIDE_CHAR, _CAPITAL, _CHAR = 0.45, 1.0, 0.75, 0.65
_BOLD = 1.15

INK = Style("text", stroke=None, fill="#222222")
FAINT_INK = Style("text", stroke=None, fill="#777777")
FRAME = Style("part", stroke="#333333", width_mm=0.35, fill="#ffffff")
COMPUTER = Style("part", stroke="#333333", width_mm=0.35, fill="#eef5ee")
STRIP = Style("part", stroke="#333333", width_mm=0.35, fill="#f3f3f3")
SYMBOL = Style("symbol", stroke="#333333", width_mm=0.35, fill="#ffffff")
SOLID = Style("symbol", stroke="#333333", width_mm=0.35, fill="#333333")
THIN = Style("symbol", stroke="#333333", width_mm=0.35)

POWER = Style("power", stroke="#cc0000", width_mm=0.5)
SDA = Style("SDA", stroke="#0066cc", width_mm=0.5)
SCL = Style("SCL", stroke="#008833", width_mm=0.5)
ASKING = Style("interrupt", stroke="#993399", width_mm=0.5)
GROUND = Style("ground", stroke="#333333", width_mm=0.5)
LEG = Style("leg", stroke="#333333", width_mm=0.35)
PAD = Style("pad", stroke="#996633", width_mm=0.3)
BUTTON = Style("button", stroke="#555555", width_mm=0.4)
DATA = Style("data", stroke="#cc7700", width_mm=0.5)
FEED = Style("feed", stroke="#cc0000", width_mm=0.9)
FEED_GROUND = Style("feed ground", stroke="#333333", width_mm=0.9)
OPTIONAL = Style("feed optional", stroke="#cc0000", width_mm=0.5, dashed=True)


def width_of(text: str, size_mm: float, bold: bool = False) -> float:
    """Say how much room a text takes on its line, rather too much than too little."""
    return sum(map(_character, text)) * size_mm * (_BOLD if bold else 1.0)


def _character(character: str) -> float:
    if character in _NARROW:
        return _NARROW_CHAR
    if character in _WIDE:
        return _WIDE_CHAR
    return _CAPITAL if character.isupper() else _CHAR


class Sketch:
    """A drawing that grows: wires lie below parts, and parts below texts."""

    def __init__(self) -> None:
        self._below: list[Mark] = []
        self._wires: list[Mark] = []
        self._parts: list[Mark] = []
        self._texts: list[Mark] = []
        self._reach: list[Point] = []

    def line(self, style: Style, *points: Point) -> None:
        """Draw a wire from point to point."""
        self._wires.append(Mark(Path(points), style))
        self._reach += points

    def base(self, style: Style, box: Box) -> None:
        """Draw a rectangle below everything."""
        self._below.append(Mark(Area(box.corners), style))
        self._reach += box.corners

    def joint(self, style: Style, at: Point) -> None:
        """Draw the dot where wires are joined."""
        dot = Style(style.name, stroke=None, fill=style.stroke)
        self._parts.append(Mark(Circle(at, 1.3), dot))

    def text(
        self,
        text: str,
        at: Point,
        anchor: Anchor = Anchor.START,
        size_mm: float = SMALL_MM,
        *,
        bold: bool = False,
        turn_deg: float = 0.0,
        style: Style = INK,
    ) -> None:
        """Write a text with its baseline at a place."""
        self._texts.append(Mark(Label(text, at, size_mm, anchor, turn_deg, bold), style))
        if not turn_deg:
            width = width_of(text, size_mm, bold)
            left = {Anchor.START: 0.0, Anchor.MIDDLE: -width / 2, Anchor.END: -width}[anchor]
            self._reach += [at.moved(left, -size_mm / 3), at.moved(left + width, size_mm)]

    def frame(self, style: Style, box: Box) -> None:
        """Draw a rectangle with its filling."""
        self._parts.append(Mark(Area(box.corners), style))
        self._reach += box.corners

    def shape(self, style: Style, *points: Point, closed: bool = False) -> None:
        """Draw a part of a symbol."""
        self._parts.append(Mark(Path(points, closed), style))

    def area(self, style: Style, points: Points) -> None:
        """Draw a filled part of a symbol."""
        self._parts.append(Mark(Area(points), style))

    def disc(self, style: Style, at: Point, diameter_mm: float) -> None:
        """Draw a disc."""
        self._parts.append(Mark(Circle(at, diameter_mm), style))

    def finish(self, title: str, margin_mm: float) -> Drawing:
        """Give the drawing, in a box that holds all of it."""
        drawing = Drawing(title, Box.around(self._reach).grown(margin_mm))
        drawing.marks += [*self._below, *self._wires, *self._parts, *self._texts]
        return drawing


def resistor(sketch: Sketch, start: Point, end: Point) -> None:
    """Draw a resistor between two points of one line, as a box in its middle."""
    _two_legs(sketch, start, end)
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    wide, high = (6.0, 2.4) if start.y == end.y else (2.0, 5.0)
    sketch.frame(
        SYMBOL,
        Box(middle.x - wide / 2, middle.y - high / 2, middle.x + wide / 2, middle.y + high / 2),
    )


def fuse(sketch: Sketch, start: Point, end: Point) -> None:
    """Draw a fuse on a level line: a box with the wire through it."""
    middle = Point((start.x + end.x) / 2, start.y)
    box = Box(middle.x - 4, middle.y - 1.5, middle.x + 4, middle.y + 1.5)
    sketch.frame(SYMBOL, box)
    sketch.shape(THIN, Point(box.left, start.y), Point(box.right, start.y))


def capacitor(sketch: Sketch, start: Point, end: Point) -> None:
    """Draw a capacitor on a level line; its plus, at the start, is the hollow plate."""
    middle = (start.x + end.x) / 2
    for side, plate in ((start, middle - 1.0), (end, middle + 1.0)):
        sketch.shape(THIN, side, Point(plate, start.y))
    high = 2.6
    left = Box(middle - 1.5, start.y - high, middle - 0.6, start.y + high)
    sketch.frame(SYMBOL, left)
    right = Box(middle + 0.6, start.y - high, middle + 1.5, start.y + high)
    sketch.frame(SOLID, right)


def diode(sketch: Sketch, start: Point, end: Point) -> None:
    """Draw a diode on a level line; its ring is at the end."""
    middle, ahead = (start.x + end.x) / 2, 1.5 if end.x > start.x else -1.5
    tip = Point(middle + ahead, start.y)
    back = Point(middle - ahead, start.y)
    sketch.area(SOLID, (back.moved(y=1.6), back.moved(y=-1.6), tip))
    sketch.shape(THIN, tip.moved(y=1.6), tip.moved(y=-1.6))


def switch(sketch: Sketch, box: Box) -> None:
    """Draw an open switch in a small box."""
    y = (box.bottom + box.top) / 2 - 0.6
    left, right = Point(box.left + 1.5, y), Point(box.right - 1.5, y)
    sketch.shape(THIN, Point(box.left, y), left)
    sketch.shape(THIN, left, Point(right.x - 0.5, y + 2))
    sketch.shape(THIN, right, Point(box.right, y))


def _two_legs(sketch: Sketch, start: Point, end: Point) -> None:
    sketch.shape(THIN, start, end)
