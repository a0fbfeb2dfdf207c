"""How parts lie under a board, drawn into their boxes: pins, sockets, and where wires go in.

Owns the marks. Must not know where the parts are, nor why they lie so.
"""

from hal.profile.geometry import Point
from hardware.kit.computers import Computer, Socket
from hardware.kit.diagram.pens import FRAME, Sketch, width_of
from hardware.kit.drawing import Anchor, Box, Style
from hardware.kit.sockets import Lying, Side

_WORD_MM, _LETTER = 4.2, 0.36
_DEEP_MM, _SHALLOW_MM, _WIDEST_NAME_MM = 12.0, 5.8, 48.0
_ARROW_MM = 4.0
_PIN_1 = "pin 1"
_ROWS = Style("part", stroke="#333333", width_mm=0.25, fill="#d8d8d8")
_ARROW = Style("arrow", stroke=None, fill="#222222")


def mirrored(at: Point) -> Point:
    """Say where a place is for one who sees the board from below."""
    return Point(-at.x + 0.0, at.y)


def name_of(computer: Computer) -> tuple[str, float]:
    """Give the name of a computer, and the room for it, which rows of pins may make narrow."""
    upright = [row for row in computer.pin_rows if row.height > row.width]
    if not upright:
        return computer.name, _WIDEST_NAME_MM
    return computer.name.split()[-1], 2 * min(min(abs(r.left), abs(r.right)) for r in upright)


def draw_computer(sketch: Sketch, lying: Lying) -> None:
    """Draw the pins of a computer, with words at pin 1, and its sockets with their names."""
    for row in lying.computer.pin_rows:
        sketch.frame(_ROWS, _seen(lying.box(row)))
    for socket in lying.computer.sockets:
        _draw_socket(sketch, lying, socket)
    one = mirrored(lying.place(lying.computer.pin_1))
    sketch.disc(_ARROW, one, 1.6)
    spot = mirrored(lying.place(_below(lying.computer)))
    sketch.text(_PIN_1, spot.moved(y=-_WORD_MM * _LETTER), Anchor.MIDDLE, _WORD_MM)


def draw_arrow(sketch: Sketch, box: Box, side: Side) -> None:
    """Draw where something goes into a part: an arrow inside of one of its sides."""
    x, y = -side.step[0], side.step[1]
    middle = box.middle
    edge = middle.moved(x * box.width / 2, y * box.height / 2)
    half = _ARROW_MM / 2
    ends = (edge.moved(y * half, x * half), edge.moved(-y * half, -x * half))
    sketch.area(_ARROW, (*ends, edge.moved(-x * _ARROW_MM, -y * _ARROW_MM)))


def _draw_socket(sketch: Sketch, lying: Lying, socket: Socket) -> None:
    box = _seen(lying.box(_inside(lying.computer, socket)))
    sketch.frame(FRAME, box)
    middle = box.middle
    sketch.text(socket.name, middle.moved(y=-_WORD_MM * _LETTER), Anchor.MIDDLE, _WORD_MM)


def _inside(computer: Computer, socket: Socket) -> Box:
    """Give the box of a socket, which reaches inwards from the computer's edge."""
    at, half = socket.at, socket.wide_mm / 2
    if abs(at.y) == computer.height_mm / 2:
        inner = at.y - _SHALLOW_MM if at.y > 0 else at.y + _SHALLOW_MM
        half = max(half, width_of(socket.name, _WORD_MM) / 2 + 0.6)
        return Box(at.x - half, min(at.y, inner), at.x + half, max(at.y, inner))
    inner = at.x - _DEEP_MM if at.x > 0 else at.x + _DEEP_MM
    return Box(min(at.x, inner), at.y - half, max(at.x, inner), at.y + half)


def _below(computer: Computer) -> Point:
    """Give the place of the words at pin 1: below it, and clear of its row."""
    row, at = computer.pin_rows[0], computer.pin_1
    if row.height > row.width:
        return Point(row.right + width_of(_PIN_1, _WORD_MM) / 2 + 0.4, at.y - _SHALLOW_MM - 0.4)
    return Point(at.x, row.bottom - _WORD_MM * 0.7)


def _seen(box: Box) -> Box:
    return Box(-box.right, box.bottom, -box.left, box.top)
