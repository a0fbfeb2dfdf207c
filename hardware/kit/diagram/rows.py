"""The chips of a wiring diagram: each cable in a row of its own, with all that is wired to them.

Owns where they are drawn. Must not know buttons and strip.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hal.profile.geometry import Point
from hardware.kit.diagram.cables import (
    Cable,
    cables,
    electrodes,
    is_mux,
    resistors,
    straps,
)
from hardware.kit.diagram.desk import LINE_ABOVE_MM, Desk
from hardware.kit.diagram.pens import (
    ASKING,
    FRAME,
    GROUND,
    LEG,
    PAD,
    POWER,
    SCL,
    SDA,
    SMALL_MM,
    TEXT_MM,
    resistor,
    width_of,
)
from hardware.kit.drawing import Anchor, Box, Style
from hardware.kit.part_names import GROUND_PIN, POWER_PIN
from hardware.kit.wiring import End, Kind, Wire

_CABLE = (Kind.BUS, Kind.POWER_3V3, Kind.GROUND, Kind.INTERRUPT)
# The lines of a cable: pin, look, and how far below the first it is drawn.
_LINES: tuple[tuple[str, Style, float], ...] = (
    (POWER_PIN, POWER, 0.0),
    ("SDA", SDA, 9.0),
    ("SCL", SCL, 13.0),
    ("IRQ", ASKING, 17.0),
    (GROUND_PIN, GROUND, 21.0),
)
_LOWEST_MM = 21.0
_ABOVE_MM, _BELOW_MM = 4.0, 26.0
_PIN_MM, _NAME_MM = 2.4, 3.6
_SLOT_MM, _STUB_MM = 2.9, 1.5
_LEAST_CHIP_MM, _MUX_MM = 38.0, 42.0
_GAP_MM, _CARRIED_MM, _RESISTOR_MM = 24.0, 2.5, 10.0
_CHANNEL_MM = 4.2
_APART_MM = 4.0


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A wire that comes to a part, and whether it lies in the cable to it."""

    wire: Wire
    style: Style
    below: float
    inside: bool


@dataclass(slots=True)
class _Row:
    """Where a row is, and how many wires have come to it from elsewhere, above it."""

    y: float
    top: float
    carried: int = 0


class Rows:
    """Draw cables that begin at the computer, each below the one before it."""

    def __init__(self, desk: Desk, top: float, chosen: Sequence[Cable]) -> None:
        self._desk = desk
        self._cables = cables(desk.wiring)
        self._exits: dict[End, Point] = {}
        self._sides: dict[str, float] = {}
        self._below: set[End] = set()
        self.bottom = top
        for cable in chosen:
            self._draw(cable, cable.stops, cable.source)

    def _draw(self, cable: Cable, stops: Sequence[str], before: str) -> None:
        """Draw the parts of a cable; what hangs behind a multiplexer is drawn beside it."""
        direct = [stop for stop in stops if not is_mux(stop)]
        muxes = [stop for stop in stops if is_mux(stop)]
        if not muxes:
            row = self._begin((before, *direct))
            self._name(cable.name, self._desk.edge, row)
            self._chips(before, direct, self._desk.edge, row)
            return
        mux = muxes[0]
        beside = [each for each in self._cables if each.source == mux]
        row = self._begin((before, *direct, mux), (mux, *beside[0].stops))
        self._name(cable.name, self._desk.edge, row)
        x = self._chips(before, direct, self._desk.edge, row)
        top = row.y
        right = self._mux(mux, direct[-1] if direct else before, x, row)
        for number, channel in enumerate(beside):
            if number:
                row = self._begin((mux, *channel.stops))
            self._channel(channel, right, row)
        box = Box(right - _MUX_MM, row.y - _BELOW_MM, right, top + _ABOVE_MM)
        self._desk.sketch.frame(FRAME, box)
        self._lead_on(mux, box)
        if muxes[1:]:
            self._draw(cable, muxes[1:], "")

    def _lead_on(self, mux: str, box: Box) -> None:
        """Let wires that go on from a multiplexer, as to another, leave it at its lower side."""
        for number, (pin, _, _) in enumerate(_LINES):
            end = End(mux, pin)
            if any(wire.start == end and self._goes_on(wire) for wire in self._desk.wiring.at(end)):
                at = Point(box.left + 5 + 8 * number, box.bottom)
                self._desk.sketch.text(pin, at.moved(y=1.2), Anchor.MIDDLE, _PIN_MM)
                self._exits[end] = at
                self._below.add(end)

    def _goes_on(self, wire: Wire) -> bool:
        """Tell whether a wire leads from a multiplexer to what is not behind it."""
        behind = {
            stop for each in self._cables if each.source == wire.start.part for stop in each.stops
        }
        return wire.kind in _CABLE and wire.end.part not in {wire.start.part, *behind}

    def _begin(self, *chains: Sequence[str]) -> _Row:
        """Leave room above a row for the wires that come from elsewhere."""
        pairs = [pair for chain in chains for pair in pairwise(chain)]
        carried = sum(self._carried(stop, before) for before, stop in pairs)
        return _Row(self.bottom - carried * _CHANNEL_MM - 6, self.bottom)

    def _name(self, name: str, x: float, row: _Row) -> None:
        at = Point(x + 7, row.y + LINE_ABOVE_MM)
        self._desk.sketch.text(name, at, size_mm=TEXT_MM, bold=True)

    def _chips(self, before: str, chips: Sequence[str], x: float, row: _Row) -> float:
        """Draw chips one after the other, and give the right side of the last."""
        for chip in chips:
            x = self._chip(chip, before, x, row)
            before = chip
        texts = [text for chip in chips for text in electrodes(self._desk.wiring, chip)]
        longest = max((width_of(text, _PIN_MM) for text in texts), default=0.0)
        low = row.y - _BELOW_MM - _STUB_MM - longest - _APART_MM
        self.bottom = min(self.bottom, low)
        return x

    def _chip(self, chip: str, before: str, x: float, row: _Row) -> float:
        """Draw a chip with what leads to it and its electrodes, and give its right side."""
        sketch, wiring, y = self._desk.sketch, self._desk.wiring, row.y
        left = self._lead(chip, before, x, row)
        slots = electrodes(wiring, chip)
        right = left + max(_LEAST_CHIP_MM, (len(slots) + 0.6) * _SLOT_MM)
        box = Box(left, y - _BELOW_MM, right, y + _ABOVE_MM)
        sketch.frame(FRAME, box)
        self._pins(chip, left, right, y)
        middle = left + 9 + (right - left - 9) / 2
        sketch.text(chip, Point(middle, y - 3.5), Anchor.MIDDLE, _NAME_MM, bold=True)
        for strap in straps(wiring, chip):
            address = strap.signal.removeprefix("address ")
            sketch.text(address, Point(middle, y - 8.5), Anchor.MIDDLE, TEXT_MM)
            text = f"{strap.start.pin} to {strap.end.pin}"
            sketch.text(text, Point(middle, y - 12.5), Anchor.MIDDLE)
        first = left + (right - left - (len(slots) - 1) * _SLOT_MM) / 2
        for number, text in enumerate(slots):
            at = Point(first + number * _SLOT_MM, box.bottom)
            self._desk.line(PAD, at, at.moved(y=-_STUB_MM))
            below = at.moved(0.8, -_STUB_MM - 0.6)
            sketch.text(text, below, Anchor.END, _PIN_MM, turn_deg=90)
        return right

    def _mux(self, mux: str, before: str, x: float, row: _Row) -> float:
        """Draw what is in a multiplexer, whose box is drawn later, and give its right side."""
        sketch, y = self._desk.sketch, row.y
        left = self._lead(mux, before, x, row)
        self._pins(mux, left, left + _MUX_MM, y)
        middle = left + _MUX_MM / 2
        own = straps(self._desk.wiring, mux)
        address = own[0].signal.removeprefix("address ")
        sketch.text("TCA9548A", Point(middle, y - 3.5), Anchor.MIDDLE, _NAME_MM, bold=True)
        sketch.text(address, Point(middle, y - 7.5), Anchor.MIDDLE, TEXT_MM)
        for number, strap in enumerate(own):
            at = Point(middle, y - 11.5 - 3.6 * number)
            sketch.text(f"{strap.start.pin} to {strap.end.pin}", at, Anchor.MIDDLE)
        self.bottom = min(self.bottom, y - _BELOW_MM - _APART_MM)
        return left + _MUX_MM

    def _channel(self, channel: Cable, x: float, row: _Row) -> None:
        """Draw the chips behind a channel, to the right of its multiplexer."""
        self._name(channel.name, x, row)
        for pin, _, below in _LINES:
            if pin == "IRQ":
                continue
            named = f"{pin[:2]}{channel.channel}" if pin in ("SDA", "SCL") else pin
            at = Point(x - 1.2, row.y - below - 0.8)
            self._desk.sketch.text(named, at, Anchor.END, _PIN_MM)
        self._chips(channel.source, channel.stops, x, row)

    def _pins(self, part: str, left: float, right: float, y: float) -> None:
        for pin, _, below in _LINES:
            if pin == "IRQ" and is_mux(part):
                continue
            self._desk.sketch.text(pin, Point(left + 1.2, y - below - 0.8), size_mm=_PIN_MM)
            self._exits[End(part, pin)] = Point(right, y - below)
        self._sides[part] = right

    def _arrivals(self, stop: str, before: str) -> list[_Arrival]:
        found = []
        for pin, style, below in _LINES:
            wire = self._desk.wire_to(End(stop, pin), *_CABLE)
            if wire is not None:
                found.append(_Arrival(wire, style, below, wire.start.part == before))
        return found

    def _carried(self, stop: str, before: str) -> int:
        return sum(not each.inside for each in self._arrivals(stop, before))

    def _lead(self, stop: str, before: str, start: float, row: _Row) -> float:
        """Draw the wires that arrive at a part, with their resistors, and give its left side."""
        desk = self._desk
        pulls = resistors(desk.wiring, stop)
        zone = start + _GAP_MM + self._carried(stop, before) * _CARRIED_MM
        left, down = zone + len(pulls) * _RESISTOR_MM, zone - 2
        inside = []
        for each in self._arrivals(stop, before):
            level = row.y - each.below
            here = each.wire.start
            if here.part == desk.computer and here not in self._exits:
                self._exits[here] = desk.pin(here, level)
            if each.inside:
                desk.line(each.style, Point(start, level), Point(left, level))
                inside.append(each.wire.length_mm)
            else:
                self._carry(each, Point(down, level), left, row)
                down -= _CARRIED_MM
        if inside:
            lengths = "/".join(str(mm) for mm in sorted(set(inside)))
            at = Point(start + 1.5, row.y - _LOWEST_MM - SMALL_MM - 0.8)
            desk.sketch.text(f"{len(inside)} x {lengths} mm", at)
        for number, pull in enumerate(pulls):
            self._pull_up(pull, zone + 1.5 + number * _RESISTOR_MM, row.y)
        return left

    def _carry(self, arrival: _Arrival, to: Point, left: float, row: _Row) -> None:
        """Draw a wire that comes from another row: out of it, across above this one, and down.

        What comes from a part that is not on this sheet begins with the name of that part.
        """
        wire = arrival.wire
        across = row.top - _CHANNEL_MM * row.carried - 4
        text = f"{wire.end.pin} {wire.length_mm} mm"
        begin = self._exits.get(wire.start)
        if begin is None:
            text += f", from {wire.start.part}"
            way = [Point(left + 4 + width_of(text, SMALL_MM), across)]
            at = Point(left + 2, across + LINE_ABOVE_MM)
        else:
            side = self._sides.get(wire.start.part, begin.x)
            out = begin.x if wire.start in self._below else side + 1.5 + 1.5 * row.carried
            way = [begin, Point(out, begin.y), Point(out, across)]
            at = Point(min(to.x, out) + 12, across + LINE_ABOVE_MM)
        self._desk.line(arrival.style, *way, Point(to.x, across), to, Point(left, to.y))
        self._desk.sketch.text(text, at)
        row.carried += 1

    def _pull_up(self, part: Wire, x: float, y: float) -> None:
        style, below = next((look, low) for pin, look, low in _LINES if pin == part.start.pin)
        top, upper, bottom = Point(x, y), Point(x, y - 8), Point(x, y - below)
        resistor(self._desk.sketch, top, upper)
        self._desk.line(LEG, upper, bottom)
        self._desk.sketch.joint(POWER, top)
        self._desk.sketch.joint(style, bottom)
        value = part.signal.removeprefix("resistor ").replace(" kohm", "k")
        self._desk.sketch.text(value, Point(x + 1.7, y - 5), size_mm=_PIN_MM)
