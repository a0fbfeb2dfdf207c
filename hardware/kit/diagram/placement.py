"""The underside of a board as one sees it who has turned it over: its parts, and the wires' ways.

Owns where things are drawn, mirrored from left to right. Must not know why they are there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, pi, sin

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Circuit
from hardware.kit.diagram.lying import draw_arrow, draw_computer, mirrored, name_of
from hardware.kit.diagram.pens import COMPUTER, FAINT_INK, FRAME, INK, Sketch, width_of
from hardware.kit.drawing import Anchor, Box, Drawing, Style
from hardware.kit.electric import chain
from hardware.kit.layout import Layout
from hardware.kit.part_names import (
    BUTTON,
    CHIP,
    CLAMP,
    GUARD,
    PAD,
    PIXEL,
    SUPPLY,
    pad_part,
    pixel_part,
)
from hardware.kit.places import Place, places
from hardware.kit.plates.copper import copper
from hardware.kit.sockets import inlet_mouth, lie, openings
from hardware.kit.wiring import Build, Kind, Wire, Wiring

_TITLE_MM, _NAME_MM, _TAG_MM = 12.0, 6.0, 4.2
_BALLOON_MM = 8.5
_LEGEND_MM, _LEGEND_STEP_MM = 6.0, 8.6
_SPREAD_MM = 2.6
_HEAD = (
    "The side of player 1 is below.",
    "Pale: the chain of pixels, on the upper side.",
    "Black arrows: where a plug or wires go in.",
)
_CLEAR_MM = 0.5
_INSET_MM = 1.5
"""From the edge of a part to the words in it, at least."""
_TRIES = 41
_RING_MM, _RINGS = 3.0, 20
_EDGE = Style("edge", stroke="#333333", width_mm=0.6, fill="#fbf8f1")
_SCREW = Style("screw", stroke="#999999", width_mm=0.4, fill="#ffffff")
_STRIP = Style("strip", stroke="#e3c592", width_mm=1.6)
_CHAIN = Style("chain", stroke="#e3c592", width_mm=0.6)
_LEADER = Style("leader", stroke="#222222", width_mm=0.3)
_BALLOON = Style("number", stroke="#222222", width_mm=0.5, fill="#ffffff")
_KINDS = {
    Kind.BUS: "#0066cc",
    Kind.INTERRUPT: "#993399",
    Kind.BUTTON: "#777777",
    Kind.DATA: "#cc7700",
    Kind.POWER_5V: "#cc0000",
    Kind.POWER_3V3: "#cc0000",
    Kind.GROUND: "#333333",
}
# One for each chip, which are so told apart.
_PADS = (
    *("#1b7f79", "#b5651d", "#6a4fb3", "#3c8c2e", "#b0336a", "#2a6fb0"),
    *("#8a7a00", "#7a4a3a", "#4f6f7f", "#a04fb3", "#5f8f00", "#c0562f"),
)


@dataclass(frozen=True, slots=True)
class Cable:
    """All wires between two parts, and the way that they go."""

    number: int
    wires: tuple[Wire, ...]
    way: tuple[Point, ...]

    @property
    def text(self) -> str:
        """Say what it is, for the list beside the drawing."""
        first = self.wires[0]
        lengths = "/".join(str(mm) for mm in sorted({wire.length_mm for wire in self.wires}))
        count = f"{len(self.wires)} x " if len(self.wires) > 1 else ""
        return f"{first.start.part} to {first.end.part}: {count}{lengths} mm"


def placement(layout: Layout, wiring: Wiring, circuits: Sequence[Circuit] = ()) -> Drawing:
    """Draw the underside of a board: what lies where, and which way the wires go.

    Wires of `circuits` are drawn from their connectors; raises ValueError when these are missing.
    """
    if wiring.build is not Build.FOIL and not circuits:
        raise ValueError(f"wiring of {wiring.build.value} is given without its circuits")
    sketch = Sketch()
    where = _Seen(layout, wiring, circuits)
    sketch.base(_EDGE, where.edge)
    for screw in layout.screws:
        sketch.disc(_SCREW, mirrored(screw), 6.0)
    _draw_chain(sketch, layout)
    _draw_feeds(sketch, wiring, where)
    tags = _draw_sensing(sketch, wiring, where)
    cables = _cables(wiring, where)
    for cable in cables:
        width = 0.5 + 0.25 * min(len(cable.wires), 5)
        kind = cable.wires[0].kind if len(cable.wires) < 3 else Kind.BUS
        sketch.line(Style(f"cable {kind.name}", stroke=_KINDS[kind], width_mm=width), *cable.way)
    _draw_parts(sketch, where)
    taken = [*tags, *(place.box for place in where.parts.values())]
    _draw_numbers(sketch, cables, taken, where.edge)
    title = f"{layout.profile.name} from below"
    highest = max(where.edge.top, *(place.box.top for place in where.parts.values()))
    at = Point(where.edge.left, highest + 10)
    sketch.text(title, at, size_mm=_TITLE_MM, bold=True)
    _list(sketch, where.edge, cables)
    return sketch.finish(title, 6.0)


def _list(sketch: Sketch, edge: Box, cables: Sequence[Cable]) -> None:
    """Write beside the board what the numbers are, in as many columns as it takes."""
    texts = list(_HEAD) + [f"{cable.number}: {cable.text}" for cable in cables]
    rows = int((edge.height - 6) // _LEGEND_STEP_MM)
    left = edge.right + 14
    for column in range(ceil(len(texts) / rows)):
        own = texts[column * rows : (column + 1) * rows]
        for row, text in enumerate(own):
            at = Point(left, edge.top - 6 - row * _LEGEND_STEP_MM)
            style = FAINT_INK if text in _HEAD else INK
            sketch.text(text, at, size_mm=_LEGEND_MM, style=style)
        left += 8 + max(width_of(text, _LEGEND_MM) for text in own)


class _Seen:
    """Where everything is, seen from below."""

    def __init__(self, layout: Layout, wiring: Wiring, circuits: Sequence[Circuit]) -> None:
        self.layout = layout
        edge = layout.box
        self.edge = Box(-edge.right, edge.bottom, -edge.left, edge.top)
        self.parts: dict[str, Place] = {
            name: Place(name, mirrored(place.at), place.width_mm, place.height_mm)
            for name, place in places(layout, len(_fed(wiring))).items()
        }
        foil = copper(layout)
        self.points = {pad_part(name): mirrored(pad.wire) for name, pad in foil.pads.items()}
        self.points[GUARD] = mirrored(foil.ground)
        for pixel, at in enumerate(chain.places(layout)):
            self.points[pixel_part(pixel)] = mirrored(at)
        self.lying = lie(layout)
        rooms = self.lying.rooms(layout.box)
        self.plugs = tuple(Box.around(map(mirrored, room.corners)) for room in rooms)
        for circuit in circuits:
            for connector in circuit.connectors:
                box = Box.around(pin.at for pin in connector.pins)
                self.points[connector.name] = mirrored(box.middle)

    def at(self, part: str) -> Point | None:
        """Say where the wires of a part are: None for one that lies on another part."""
        if part == self.lying.computer.name:
            rows = [self.lying.box(row) for row in self.lying.computer.pin_rows]
            return mirrored(Box.around(spot for row in rows for spot in row.corners).middle)
        if part in self.parts:
            return self.parts[part].at
        return self.points.get(part)


def _draw_chain(sketch: Sketch, layout: Layout) -> None:
    before: Point | None = None
    for piece in chain.pieces(layout):
        spots = [mirrored(at) for at in piece.places]
        if before is not None:
            sketch.line(_CHAIN, before, spots[0])
        if len(spots) > 1:
            sketch.line(_STRIP, spots[0], spots[-1])
        before = spots[-1]


def _draw_sensing(sketch: Sketch, wiring: Wiring, where: _Seen) -> list[Box]:
    """Draw the wires of pads and ribbons, straight, in the colour of their chip; give their tags.

    A tag is where the wire comes through the base, or beside it where that is below a part.
    """
    chips = list(where.layout.chips)
    drawn: set[tuple[str, str]] = set()
    taken = [place.box for place in where.parts.values()]
    tags = []
    for wire in wiring.of(Kind.PAD, Kind.RIBBON, Kind.GUARD):
        pair = (wire.start.part, wire.end.part)
        if pair in drawn:
            continue
        drawn.add(pair)
        colour = _PADS[chips.index(wire.end.name) % len(_PADS)]
        if wire.kind is Kind.GUARD:
            colour = _KINDS[Kind.GROUND]
        text = wire.signal if wire.start.sort == PAD else wire.start.part
        room = (width_of(text, _TAG_MM) + 2, _TAG_MM + 2.4)
        start = where.points[wire.start.part]
        at = _free_near(start, room, taken, where.edge)
        width = 0.5 if wire.kind is Kind.PAD else 1.2
        line = Style(f"to {wire.end.name}", stroke=colour, width_mm=width)
        sketch.line(line, at, where.parts[wire.end.part].at)
        if any(part.startswith(text) for part, _ in drawn - {pair}):
            continue
        tags.append(Box.sized(at, room))
        taken.append(tags[-1])
        sketch.frame(Style("tag", stroke=colour, width_mm=0.4, fill="#ffffff"), tags[-1])
        sketch.text(text, at.moved(y=-_TAG_MM * 0.36), Anchor.MIDDLE, _TAG_MM)
    return tags


def _free_near(at: Point, size: tuple[float, float], taken: list[Box], edge: Box) -> Point:
    """Give the nearest place, of some around a point, at which nothing is yet.

    Places that a straight line from the point reaches come first.
    """
    hidden = [box.grown(-_INSET_MM) if box.holds(at) else box for box in taken]
    first: Point | None = None
    for spot in _around(at):
        if not _is_free(Box.sized(spot, size), taken, edge):
            continue
        if not any(_goes_through(at, spot, box) for box in hidden):
            return spot
        first = first or spot
    return first or at


def _depth(box: Box, at: Point) -> float:
    """Say how far inside of a rectangle a point is, 0 if it is not."""
    inside = (at.x - box.left, box.right - at.x, at.y - box.bottom, box.top - at.y)
    return max(0.0, round(min(inside), 3))


def _is_free(box: Box, taken: Iterable[Box], edge: Box) -> bool:
    if not all(edge.holds(corner) for corner in box.corners):
        return False
    grown = box.grown(0.4)
    return not any(grown.overlaps(other) for other in taken)


def _goes_through(start: Point, end: Point, box: Box) -> bool:
    """Tell whether a straight line goes through the inside of a rectangle (Liang and Barsky)."""
    near, far = 0.0, 1.0
    for step, low, high in (
        (end.x - start.x, box.left - start.x, box.right - start.x),
        (end.y - start.y, box.bottom - start.y, box.top - start.y),
    ):
        if step == 0:
            if not low < 0 < high:
                return False
            continue
        enter, leave = sorted((low / step, high / step))
        near, far = max(near, enter), min(far, leave)
    return near < far


def _around(at: Point) -> Iterable[Point]:
    yield at
    for ring in range(1, _RINGS):
        for turn in range(16):
            angle = 2 * pi * turn / 16
            yield at.moved(_RING_MM * ring * cos(angle), _RING_MM * ring * sin(angle))


def _cables(wiring: Wiring, where: _Seen) -> tuple[Cable, ...]:
    """Gather the wires between parts under the board, and lead them along the sides."""
    kinds = (Kind.BUS, Kind.POWER_3V3, Kind.GROUND, Kind.INTERRUPT, Kind.BUTTON, Kind.DATA)
    pairs: dict[tuple[str, str], list[Wire]] = {}
    for wire in wiring.of(*kinds, Kind.POWER_5V):
        ends = (wire.start, wire.end)
        if wire.start.part == wire.end.part or all(end.sort == PIXEL for end in ends):
            continue
        pairs.setdefault(_pair(wire), []).append(wire)
    ports: dict[str, int] = {}
    cables = []
    for number, (pair, wires) in enumerate(pairs.items(), 1):
        spots = []
        for part in pair:
            port = ports[part] = ports.get(part, -1) + 1
            at = where.at(part) or Point(0.0, 0.0)
            shift = _SPREAD_MM * ((port + 1) // 2) * (1 if port % 2 else -1)
            spots.append(at if part.startswith(PIXEL) else at.moved(shift, shift))
        cables.append(Cable(number, tuple(wires), _way(spots[0], spots[1], where, pair)))
    return tuple(cables)


def _pair(wire: Wire) -> tuple[str, str]:
    def on(end_part: str) -> str:
        # What sits at the end of a wire, at another part.
        return {"data resistor": pixel_part(0)}.get(end_part, end_part)

    return on(wire.start.part), on(wire.end.part)


def _way(start: Point, end: Point, where: _Seen, pair: Iterable[str]) -> tuple[Point, ...]:
    """Choose of the two ways along the sides the one that passes fewer parts and plugs."""
    ways = ((start, Point(end.x, start.y), end), (start, Point(start.x, end.y), end))
    boxes = [place.box for name, place in where.parts.items() if name not in pair]
    boxes += where.plugs
    return min(ways, key=lambda way: sum(_crosses(way, box) for box in boxes))


def _crosses(way: Sequence[Point], box: Box) -> bool:
    return any(Box.around(leg).grown(0.5).overlaps(box) for leg in pairwise(way))


def _draw_feeds(sketch: Sketch, wiring: Wiring, where: _Seen) -> None:
    """Draw where wires go through the base to pixels."""
    for wire in _fed(wiring):
        sketch.disc(_SCREW, where.points[wire.end.part], 3.0)


def _fed(wiring: Wiring) -> list[Wire]:
    """List the wires that bring 5 V to pixels."""
    own = (wire for wire in wiring.of(Kind.POWER_5V) if wire.end.sort == PIXEL)
    return [wire for wire in own if wire.start.sort != PIXEL]


def _draw_parts(sketch: Sketch, where: _Seen) -> None:
    """Draw all parts above the wires."""
    lying = where.lying
    addresses = {chip.name: f"0x{chip.address:X}" for chip in where.layout.profile.chips}
    for name, place in where.parts.items():
        box = place.box
        sketch.frame(COMPUTER if name == lying.computer.name else FRAME, box)
        sort, _, own = name.partition(" ")
        lines, room = [name], place.width_mm
        if sort == CHIP:
            lines = [f"chip {own}", addresses[own]]
        elif sort == BUTTON:
            lines = own.split("_")
        elif name == lying.computer.name:
            own, room = name_of(lying.computer)
            lines = [own]
        elif len(name.split()) > 1:
            lines = _broken(name, place.width_mm)
        size = min(_NAME_MM, *((room - 1) / width_of(text, 1.0) for text in lines))
        for number, text in enumerate(lines):
            down = (number - (len(lines) - 1) / 2) * size * 1.25 + size * 0.36
            sketch.text(text, place.at.moved(y=-down), Anchor.MIDDLE, size)
    draw_computer(sketch, lying)
    for name, place in where.parts.items():
        if name == SUPPLY:
            draw_arrow(sketch, place.box, inlet_mouth(where.layout))
        elif name.startswith(CLAMP):
            others = (other.box for part, other in where.parts.items() if part != name)
            draw_arrow(sketch, place.box, openings(place.box, others, where.edge))


def _broken(text: str, width: float) -> list[str]:
    """Break a text into lines that fit."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, _NAME_MM) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _draw_numbers(sketch: Sketch, cables: Sequence[Cable], taken: list[Box], edge: Box) -> None:
    """Put each cable's number on its way where nothing else is, or else beside it."""
    size = (_BALLOON_MM, _BALLOON_MM)
    legs = (leg for cable in cables for leg in pairwise(cable.way))
    ways = [Box.around(leg).grown(_CLEAR_MM) for leg in legs]
    for cable in cables:
        spots = _spots(cable.way)
        free = (at for at in spots if not any(Box.sized(at, size).overlaps(box) for box in taken))
        at = next(free, None)
        if at is None:
            point = min(spots, key=lambda spot: max(_depth(box, spot) for box in taken))
            # On the way of another cable it would be taken for that one's number.
            at = _free_near(point, size, [*taken, *ways], edge)
            sketch.line(_LEADER, point, at)
        taken.append(Box.sized(at, size))
        sketch.disc(_BALLOON, at, _BALLOON_MM)
        sketch.text(str(cable.number), at.moved(y=-1.7), Anchor.MIDDLE, 4.8, bold=True)


def _spots(way: Sequence[Point]) -> list[Point]:
    """List places on a way, from its middle to its ends."""
    legs = list(pairwise(way))
    total = sum(start.distance(end) for start, end in legs) or 1.0
    spots = []
    for number in range(_TRIES):
        step = (number + 1) // 2 * (1 if number % 2 else -1)
        left = total * (0.5 + step / (_TRIES + 1))
        for start, end in legs:
            length = start.distance(end)
            if left <= length and length:
                share = left / length
                spots.append(
                    Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
                )
                break
            left -= length
    return spots or [way[0]]
