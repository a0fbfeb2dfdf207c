"""What is printed on a sensing board, so that it is soldered right: names, numbers, which side.

Owns the texts and their places, clear of holes and pins. Must not know fonts beyond how wide
letters are at most.
"""

from collections.abc import Iterable, Sequence

import shapely
from shapely import Polygon

from hal.profile.geometry import Geometry, Point
from hardware.kit.circuit.circuit import Connector, Hole, Note, Pad, Pin, Side
from hardware.kit.circuit.connectors import overlap
from hardware.kit.drawing import Box, Points
from hardware.kit.errors import KitError

OTHER_SIDE = ("players touch", "the other side")
_LETTER = 0.9
"""How wide a letter is at most, by its height."""
_BELOW = 1 / 3
"""How far letters like g go below the line, by their height."""
_PIN_TEXT_MM, _SIDE_TEXT_MM, _CONNECTOR_TEXT_MM = 1.0, 1.4, 2.0
_NAME_MM, _LEAST_NAME_MM = 2.5, 1.0
_TITLES_MM = ((3.0, 2.0), (2.0, 1.5), (1.5, 1.2), (1.2, 1.0))
"""Of the board's name and of the line below it, the largest first."""
_LINE = 1.6
"""From line to line, by the letters' height."""
_FRAME_MM, _FIRST_PIN_MM = 0.8, 2.0
"""What the frame of a connector takes around its pins, and the mark of its first pin beside it."""
_AIR_MM = 0.4
_EDGE_MM = 1.0
_STEP_MM = 1.0


def notes(
    title: str,
    geometry: Geometry,
    outline: Points,
    pads: Sequence[Pad],
    connectors: Sequence[Connector],
    texts: Sequence[Sequence[str]],
) -> tuple[Note, ...]:
    """Print names of pads on both sides, and on the bottom all else.

    `texts` has those of each connector's pins. Raises KitError when there is no room.
    """
    print_ = _Print(outline, [Hole(pad.at, pad.hole_mm) for pad in pads if pad.hole_mm])
    for connector in connectors:
        print_.taken.append(_body(connector))
    for connector, names in zip(connectors, texts, strict=True):
        print_.pins(connector, names)
    for connector in connectors:
        print_.label(connector)
    for pad in pads:
        print_.notes.append(_on_top(pad, geometry))
        print_.one_of(_below(pad))
    print_.title(title)
    return tuple(print_.notes)


class _Print:
    """The bottom's print while it is made: what is printed, and where there is no room any more."""

    def __init__(self, outline: Points, holes: Iterable[Hole]) -> None:
        self.notes: list[Note] = []
        self.taken: list[Box] = [
            Box(at.x, at.y, at.x, at.y).grown(drill_mm / 2 + _AIR_MM)
            for at, drill_mm in ((hole.at, hole.drill_mm) for hole in holes)
        ]
        self._board = Polygon(outline).buffer(-_EDGE_MM)
        self._bounds = Box.around(outline)
        self._within = self._bounds.grown(-_EDGE_MM)
        shapely.prepare(self._board)

    def free(self, box: Box) -> bool:
        """Tell whether nothing is there yet."""
        within = self._within
        if box.left < within.left or box.right > within.right:
            return False
        if box.bottom < within.bottom or box.top > within.top:
            return False
        if any(overlap(box, other) for other in self.taken):
            return False
        shape = shapely.box(box.left, box.bottom, box.right, box.top)
        return bool(shapely.contains(self._board, shape))

    def one_of(self, choices: Iterable[Note]) -> bool:
        """Print a text in the first place that is free; tell whether there was one."""
        for note in choices:
            if self.free(_box(note)):
                self.add(note)
                return True
        return False

    def add(self, note: Note) -> None:
        """Print a text."""
        self.notes.append(note)
        self.taken.append(_box(note))

    def pins(self, connector: Connector, texts: Sequence[str]) -> None:
        """Print a text at each pin, all on one side of the row, in as many lines as it takes."""
        sides = [_beside_pins(connector, texts, sign) for sign in (-1, 1)]
        for chosen in sides:
            if all(self.free(_box(note)) for note in chosen):
                break
        else:
            chosen = sides[0]
        for note in chosen:
            self.add(note)

    def label(self, connector: Connector) -> None:
        """Print a connector's name at its row, or anywhere around it."""
        body, half = _body(connector), _CONNECTOR_TEXT_MM / 2 + _AIR_MM
        wide = _width(connector.label, _CONNECTOR_TEXT_MM) / 2 + _AIR_MM
        middle = Point((body.left + body.right) / 2, (body.bottom + body.top) / 2)
        above = Point(middle.x, body.top + half + _BELOW * _CONNECTOR_TEXT_MM)
        below = Point(middle.x, body.bottom - half)
        left, right = Point(body.left - wide, middle.y), Point(body.right + wide, middle.y)
        places = [above, below, left, right]
        if body.height > body.width:
            places = [left, right, above, below]
        places += [at.moved(x, y) for at in places for x in (-4, 0, 4) for y in (-4, 0, 4)]
        choices = (_note(connector.label, at, _CONNECTOR_TEXT_MM) for at in places)
        if not self.one_of(choices):
            raise KitError(f"there is no room for the name of connector {connector.name}")

    def title(self, title: str) -> None:
        """Print the board's name, and which side this is, near the middle of the lower edge."""
        for lines in _titles(title):
            wide = max(_width(text, size) for text, size in lines)
            high = sum(size * _LINE for _, size in lines)
            for at in self._places():
                box = Box(at.x - wide / 2, at.y - high / 2, at.x + wide / 2, at.y + high / 2)
                if self.free(box.grown(lines[0][1] / 4)):
                    top = box.top
                    for text, size in lines:
                        self.add(_note(text, Point(at.x, top - size / 2), size))
                        top -= size * _LINE
                    return
        raise KitError(f'there is no room for the words "{" ".join(OTHER_SIDE)}" on "{title}"')

    def _places(self) -> Iterable[Point]:
        """List places on a lattice, the nearest to the middle of the lower edge first."""
        box = self._bounds
        middle = Point((box.left + box.right) / 2, box.bottom)
        columns, rows = int(box.width / 2 / _STEP_MM), int(box.height / _STEP_MM)
        for steps in range(columns + rows + 1):
            for row in range(max(steps - columns, 0), min(steps, rows) + 1):
                for sign in (1, -1):
                    yield middle.moved(sign * (steps - row) * _STEP_MM, row * _STEP_MM)


def _titles(title: str) -> Iterable[list[tuple[str, float]]]:
    """List the lines of a title with their sizes, the best first."""
    for large, small in _TITLES_MM:
        yield [(title, large), (" ".join(OTHER_SIDE), small)]
    large, small = _TITLES_MM[-1]
    yield [(title, large), *((text, small) for text in OTHER_SIDE)]
    yield [(text, small) for text in (*title.split(), *OTHER_SIDE)]


def _on_top(pad: Pad, geometry: Geometry) -> Note:
    """Name a pad on its guard."""
    size = max(min(_NAME_MM, geometry.guard_mm * 0.7), _LEAST_NAME_MM)
    up = (geometry.guard_inner_mm + geometry.guard_outer_mm) / 4
    return Note(pad.net, pad.at.moved(y=round(up, 3)), round(size, 3), Side.TOP)


def _below(pad: Pad) -> Iterable[Note]:
    """Name a pad right below it, beside its hole."""
    size = max(min(_NAME_MM, (pad.diameter_mm - pad.hole_mm) / 2 - 1), _LEAST_NAME_MM)
    away = round((pad.diameter_mm + pad.hole_mm) / 4, 3)
    aside = round(pad.hole_mm / 2 + _AIR_MM + _width(pad.net, size) / 2 + _AIR_MM, 3)
    for x, y in ((0.0, away), (0.0, -away), (aside, 0.0), (-aside, 0.0)):
        yield _note(pad.net, pad.at.moved(x, y), round(size, 3))


def _body(connector: Connector) -> Box:
    """Give what a connector takes, with its frame and the mark of its first pin."""
    corners = [
        pin.at.moved(sign * pin.width_mm / 2, sign * pin.height_mm / 2)
        for pin in connector.pins
        for sign in (-1, 1)
    ]
    box = Box.around(corners).grown(_FRAME_MM)
    first, last = connector.pins[0].at, connector.pins[-1].at
    way = Point(_sign(first.x - last.x) * _FIRST_PIN_MM, _sign(first.y - last.y) * _FIRST_PIN_MM)
    return Box(
        box.left + min(way.x, 0),
        box.bottom + min(way.y, 0),
        box.right + max(way.x, 0),
        box.top + max(way.y, 0),
    )


def _beside_pins(connector: Connector, texts: Sequence[str], sign: int) -> list[Note]:
    pins = connector.pins
    if pins[0].at.x == pins[-1].at.x and len(pins) > 1:
        return [_at_side(pin, text, sign) for pin, text in zip(pins, texts, strict=True)]
    lines: list[float] = []
    noted = []
    # The last, which is the widest, has room beyond the row.
    aside = {pins[-1].number: _sign(pins[-1].at.x - pins[0].at.x) * _AIR_MM}
    for pin, text in sorted(zip(pins, texts, strict=True), key=lambda each: each[0].at.x):
        wide = _width(text, _PIN_TEXT_MM)
        x = aside.get(pin.number, 0.0)
        start = pin.at.x + x - wide / 2
        line = next((n for n, end in enumerate(lines) if start >= end + _AIR_MM), len(lines))
        lines[line : line + 1] = [start + wide]
        away = pin.height_mm / 2 + _FRAME_MM + _AIR_MM + _PIN_TEXT_MM / 2
        away += line * (_PIN_TEXT_MM + 2 * _AIR_MM)
        noted.append(_note(text, pin.at.moved(x, round(sign * away, 3)), _PIN_TEXT_MM))
    return noted


def _at_side(pin: Pin, text: str, sign: int) -> Note:
    away = pin.width_mm / 2 + _FRAME_MM + _AIR_MM + _width(text, _SIDE_TEXT_MM) / 2
    return _note(text, pin.at.moved(x=round(sign * away, 3)), _SIDE_TEXT_MM)


def _note(text: str, at: Point, size_mm: float) -> Note:
    return Note(text, Point(round(at.x, 3), round(at.y, 3)), size_mm, Side.BOTTOM)


def _box(note: Note) -> Box:
    wide, high = _width(note.text, note.size_mm) / 2, note.size_mm / 2
    low = note.at.y - high - _BELOW * note.size_mm
    return Box(note.at.x - wide, low, note.at.x + wide, note.at.y + high)


def _width(text: str, size_mm: float) -> float:
    return _LETTER * size_mm * len(text)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
