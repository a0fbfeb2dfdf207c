"""The tiles of a sensing layer as they lie beside each other, seen from above.

Owns how they are drawn, and where their names have room. Must not know how tiles were cut.
"""

from collections.abc import Iterable, Iterator, Sequence

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Circuit, Connector, Pin
from hardware.kit.diagram.pens import FAINT_INK, INK, width_of
from hardware.kit.drawing import Area, Box, Circle, Drawing, Label, Path, Style
from hardware.kit.layout import Layout
from hardware.kit.plates.chambers import SCREW_HOLE_MM, edge_of
from hardware.kit.plates.regions import Region

_NAME_MM, _PAD_MM = 7.0, 4.2
_AROUND_NAME_MM = 1.0
_STEP_MM = 1.0
_BELOW_MM = 7.0
"""Under the edge, for the side of player 1."""
_EDGE = Style("edge", stroke="#999999", width_mm=0.4)
_TILE = Style("tile", stroke="#1b5e3a", width_mm=0.6, fill="#e6f2ea")
_PAD = Style("pad", stroke="#b5651d", width_mm=0.3)
_PIN = Style("pin", stroke="#222222", width_mm=0.25, fill="#ffffff")
_PIN_1 = Style("pin", stroke="#222222", width_mm=0.25, fill="#222222")
_TAG = Style("tag", stroke="#1b5e3a", width_mm=0.4, fill="#ffffff")


def tile_plan(layout: Layout, tiles: Sequence[Circuit]) -> Drawing:
    """Draw all tiles within the board's edge: names, pads, and connectors as if seen through."""
    box = layout.box
    seen = Box(box.left, box.bottom - _BELOW_MM, box.right, box.top).grown(1)
    drawing = Drawing(f"{layout.profile.title}: tiles from above", seen)
    drawing.add(_EDGE, Path(edge_of(layout), closed=True))
    drawing.add(_EDGE, *(Circle(at, SCREW_HOLE_MM) for at in layout.screws))
    for tile in tiles:
        drawing.add(_TILE, Area(tile.outline))
        drawing.add(_PAD, *(Circle(pad.at, pad.diameter_mm) for pad in tile.pads))
        drawing.add(INK, *(_named(pad.net, pad.at) for pad in tile.pads))
        for connector in tile.connectors:
            for pin in connector.pins:
                drawing.add(_PIN_1 if pin.number == 1 else _PIN, Area(_box(pin).corners))
            tag = _tag(tile, connector)
            middle = Point((tag.left + tag.right) / 2, (tag.bottom + tag.top) / 2)
            drawing.add(_TAG, Area(tag.corners))
            at = middle.moved(y=-0.36 * _NAME_MM)
            drawing.add(INK, Label(connector.name, at, _NAME_MM, bold=True))
    at = Point((box.left + box.right) / 2, box.bottom - _BELOW_MM + 1)
    drawing.add(FAINT_INK, Label("player 1", at, _PAD_MM))
    return drawing


def _named(pad: str, at: Point) -> Label:
    return Label(pad, at.moved(y=-0.36 * _PAD_MM), _PAD_MM)


def _box(pin: Pin) -> Box:
    return Box.sized(pin.at, (pin.width_mm, pin.height_mm))


def _tag(tile: Circuit, connector: Connector) -> Box:
    """Find room for a connector's name: on its tile, near it, and on no pin and no pad's name."""
    size = (width_of(connector.name, _NAME_MM, bold=True) + 2, _NAME_MM + 2)
    pins = Box.around(corner for pin in connector.pins for corner in _box(pin).corners)
    middle = Point((pins.left + pins.right) / 2, (pins.bottom + pins.top) / 2)
    taken = [_box(pin) for each in tile.connectors for pin in each.pins]
    taken += [Box.sized(pad.at, (width_of(pad.net, _PAD_MM) + 1, _PAD_MM + 1)) for pad in tile.pads]
    inside = Region.of(tile.outline)
    spots = sorted(_lattice(tile.outline), key=lambda at: (round(at.distance(middle), 3), at))
    boxes = (Box.sized(at, size) for at in spots)
    free = (
        box
        for box in boxes
        if not any(box.grown(_AROUND_NAME_MM).overlaps(other) for other in taken)
        and inside.covers(Region.box(box))
    )
    return next(free, Box.sized(middle, size))


def _lattice(outline: Iterable[Point]) -> Iterator[Point]:
    box = Box.around(outline)
    for column in range(int(box.width / _STEP_MM)):
        for row in range(int(box.height / _STEP_MM)):
            yield Point(box.left + column * _STEP_MM, box.bottom + row * _STEP_MM)
