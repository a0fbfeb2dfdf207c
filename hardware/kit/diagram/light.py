"""The strip of a wiring diagram: supply, fuse, level shifter, data and feeds.

Owns where they are drawn. Must not know chips and buttons.
"""

from collections.abc import Mapping

from hal.profile.geometry import Point
from hardware.kit.diagram.desk import LINE_ABOVE_MM, Desk
from hardware.kit.diagram.pens import (
    DATA,
    FEED,
    FEED_GROUND,
    FRAME,
    GROUND,
    OPTIONAL,
    SMALL_MM,
    STRIP,
    TEXT_MM,
    THIN,
    capacitor,
    diode,
    fuse,
    resistor,
    width_of,
)
from hardware.kit.drawing import Anchor, Box
from hardware.kit.part_names import CLAMP, FUSE, PIXEL, SHIFTER, SUPPLY, pixel_part
from hardware.kit.wiring import End, Kind, Wire
from hardware.kit.wiring.strip import (
    BLOCKING,
    DATA_RESISTOR,
    DIODE,
    INPUT,
    OUTPUT,
    PULL_DOWN,
    RESERVOIR,
    SHIFTER_GROUND,
    SHIFTER_POWER,
)

_SHIFTER_MM = 49.0
_FEED_MM, _PAIR_MM = 30.5, 14.0
_GROUND_BELOW_MM, _DIODE_BELOW_MM, _POWER_BELOW_MM = 10.0, 28.0, 38.0
_DIODE_MM = 8.0
_RETURN_MM = 8.0
_STEP_MM = 4.2


class Light:
    """Draw what drives the strip and feeds it, in a section of its own."""

    def __init__(self, desk: Desk, top: float) -> None:
        self._desk = desk
        self._y = top - 10
        self._parts: Mapping[str, Wire] = {
            wire.signal: wire for wire in desk.wiring.of(Kind.PART) if wire.start.part != FUSE
        }
        self._shifter = Box(desk.edge + 36, self._y - 21, desk.edge + 36 + _SHIFTER_MM, self._y + 6)
        self._power = self._y - _POWER_BELOW_MM - (_DIODE_MM if DIODE in self._parts else 0)
        self._return = self._power - _RETURN_MM
        self._supply = Box(4, self._return - 6, 24, self._power + 6)
        self._data()
        self._feed_shifter()
        strip_left = self._to_strip()
        self._feeds(strip_left)
        self._diode()

    def _between(self, start: End, end: End) -> Wire:
        found = [w for w in self._desk.wiring.at(start) if {w.start, w.end} == {start, end}]
        return found[0]

    def _data(self) -> None:
        desk, y, box = self._desk, self._y, self._shifter
        (wire,) = (w for w in desk.wiring.at(End(SHIFTER, INPUT)) if w.kind is Kind.DATA)
        desk.line(DATA, desk.pin(wire.start, y), Point(box.left, y))
        desk.length(wire, Point(desk.edge + 2, y + LINE_ABOVE_MM))
        low = y - _GROUND_BELOW_MM
        joined = [
            w
            for w in desk.wiring.at(End(SHIFTER, SHIFTER_GROUND))
            if desk.computer in (w.start.part, w.end.part)
        ]
        for ground in joined:
            desk.line(GROUND, desk.pin(ground.start, low), Point(box.left, low))
            desk.length(ground, Point(desk.edge + 2, low + LINE_ABOVE_MM))
        if any(w.signal == PULL_DOWN for w in desk.wiring.at(End(SHIFTER, INPUT))):
            x = desk.edge + 20
            resistor(desk.sketch, Point(x, y), Point(x, low))
            desk.sketch.joint(DATA, Point(x, y))
            desk.sketch.joint(GROUND, Point(x, low))
            desk.sketch.text("10k", Point(x + 1.8, y - 6), size_mm=SMALL_MM)
        desk.sketch.frame(FRAME, box)
        bridged = [
            wire.end.pin.partition(" ")[0]
            for wire in desk.wiring.of(Kind.GROUND)
            if wire.start.part == wire.end.part == SHIFTER
        ]
        middle = (box.left + box.right) / 2
        desk.sketch.text(SHIFTER, Point(middle, y + 1), Anchor.MIDDLE, 3.6, bold=True)
        desk.sketch.text(f"{', '.join(bridged)} to 7", Point(middle + 5, y - 9), Anchor.MIDDLE)
        blocking = BLOCKING.removeprefix("capacitor ")
        desk.sketch.text(f"{blocking} from 14 to 7", Point(middle, y - 14), Anchor.MIDDLE)
        desk.sketch.text(INPUT, Point(box.left + 1.2, y - 4), size_mm=SMALL_MM)
        desk.sketch.text(SHIFTER_GROUND, Point(box.left + 1.2, low + 1), size_mm=SMALL_MM)
        desk.sketch.text(OUTPUT, Point(box.right - 1.2, y - 4), Anchor.END, SMALL_MM)

    def _feed_shifter(self) -> None:
        desk, box = self._desk, self._shifter
        ground = self._from_clamp(End(SHIFTER, SHIFTER_GROUND))
        x, low = box.left - 4, self._y - _GROUND_BELOW_MM
        desk.line(GROUND, Point(x, self._return), Point(x, low))
        desk.sketch.joint(GROUND, Point(x, low))
        desk.sketch.joint(FEED_GROUND, Point(x, self._return))
        desk.length(ground, Point(x - 1.5, self._y - 18), Anchor.END)
        desk.sketch.text(ground.start.name, Point(x - 1.5, self._y - 21.5), Anchor.END, SMALL_MM)
        power = self._from_clamp(End(SHIFTER, SHIFTER_POWER))
        x = box.right - 8
        desk.line(FEED, Point(x, self._power), Point(x, box.bottom))
        desk.sketch.joint(FEED, Point(x, self._power))
        desk.sketch.text(SHIFTER_POWER, Point(x, box.bottom + 1.2), Anchor.MIDDLE, SMALL_MM)
        desk.length(power, Point(x + 1.5, box.bottom - 4))
        at = Point(x - 1.5, box.bottom - 4)
        desk.sketch.text(power.start.name, at, Anchor.END, SMALL_MM)

    def _to_strip(self) -> float:
        """Draw the data wire to the first pixel, and give where the strip begins."""
        desk, y, box = self._desk, self._y, self._shifter
        wire = self._between(End(SHIFTER, OUTPUT), self._parts[DATA_RESISTOR].start)
        begin = box.right + 4 + width_of(f"{wire.length_mm} mm", SMALL_MM)
        left = begin + 36
        desk.line(DATA, Point(box.right, y), Point(left, y))
        desk.length(wire, Point(box.right + 2, y + LINE_ABOVE_MM))
        resistor(desk.sketch, Point(begin + 8, y), Point(left - 8, y))
        named = DATA_RESISTOR.removeprefix("resistor ")
        desk.sketch.text(named, Point((begin + left) / 2, y + 2.2), Anchor.MIDDLE)
        return left

    def _feeds(self, left: float) -> None:
        desk, y = self._desk, self._y
        feeds = [
            wire
            for wire in desk.wiring.of(Kind.POWER_5V)
            if wire.start.sort == CLAMP and wire.end.sort == PIXEL
        ]
        pixels = desk.layout.profile.pixel_count
        right = left + _FEED_MM * len(feeds)
        desk.sketch.frame(STRIP, Box(left, y - 6, right, y + 9))
        title = f"strip of {pixels} pixels, data from left to right"
        room = right - left
        text = title if width_of(title, TEXT_MM) < room - 4 else f"{pixels} pixels"
        desk.sketch.text(text, Point((left + right) / 2, y + 4), Anchor.MIDDLE, TEXT_MM)
        lights = {light.pixel: light.name for light in desk.layout.lights}
        for number, wire in enumerate(feeds):
            x = left + 3 + _FEED_MM * number
            pixel = int(wire.end.name)
            desk.sketch.text("5 V", Point(x, y - 4.5), Anchor.MIDDLE, SMALL_MM)
            desk.sketch.text("GND", Point(x + _PAIR_MM, y - 4.5), Anchor.MIDDLE, SMALL_MM)
            named = f"pixel {pixel}"
            if pixel in lights and width_of(f"{named} ({lights[pixel]})", SMALL_MM) < _FEED_MM - 3:
                named += f" ({lights[pixel]})"
            desk.sketch.text(named, Point(x - 1.5, y - 1), size_mm=SMALL_MM)
            ground = self._from_clamp(End(pixel_part(pixel), "GND"))
            desk.line(FEED, Point(x, y - 6), Point(x, self._power))
            desk.line(FEED_GROUND, Point(x + _PAIR_MM, y - 6), Point(x + _PAIR_MM, self._return))
            desk.sketch.joint(FEED, Point(x, self._power))
            desk.sketch.joint(FEED_GROUND, Point(x + _PAIR_MM, self._return))
            desk.length(wire, Point(x + 1.5, y - 13))
            desk.length(ground, Point(x + _PAIR_MM + 1.5, y - 13))
            for each, shift in ((wire, 0.0), (ground, _PAIR_MM)):
                at = Point(x + shift + 1.5, y - 16.5)
                desk.sketch.text(each.start.name, at, size_mm=SMALL_MM)
            if number == 0 and RESERVOIR in self._parts:
                level = y - 24
                capacitor(desk.sketch, Point(x, level), Point(x + _PAIR_MM, level))
                desk.sketch.joint(FEED, Point(x, level))
                desk.sketch.joint(FEED_GROUND, Point(x + _PAIR_MM, level))
                text = RESERVOIR.removeprefix("capacitor ")
                middle = Point(x + _PAIR_MM / 2, level - 6)
                desk.sketch.text(text, middle, Anchor.MIDDLE, SMALL_MM)
        last = left + 3 + _FEED_MM * (len(feeds) - 1)
        self._source(last)

    def _source(self, last: float) -> None:
        """Draw the supply, the fuse, and the nodes from which all feeds begin."""
        desk, box = self._desk, self._supply
        desk.sketch.frame(FRAME, box)
        middle = (box.left + box.right) / 2
        desk.sketch.text("supply", Point(middle - 2, box.top - 8), Anchor.MIDDLE, 3.2, bold=True)
        desk.sketch.text("5 V", Point(middle - 2, box.top - 13), Anchor.MIDDLE, TEXT_MM)
        desk.sketch.text("+", Point(box.right - 2, self._power - 1), Anchor.MIDDLE, 3.2)
        desk.sketch.text("-", Point(box.right - 2, self._return - 1), Anchor.MIDDLE, 3.2)
        wire = self._between(End(SUPPLY, "+"), End(FUSE, "in"))
        start = box.right + 4 + width_of(f"{wire.length_mm} mm", SMALL_MM) + 8
        desk.line(FEED, Point(box.right, self._power), Point(start, self._power))
        desk.length(wire, Point(box.right + 1.5, self._power - 3.2))
        fuse(desk.sketch, Point(start, self._power), Point(start + 8, self._power))
        desk.sketch.text("fuse", Point(start + 4, self._power - 5), Anchor.MIDDLE)
        desk.line(FEED, Point(start + 8, self._power), Point(last, self._power))
        desk.line(FEED_GROUND, Point(box.right, self._return), Point(last + _PAIR_MM, self._return))

        for number, wire in enumerate(self._joints()):
            text = f"{wire.start.part} to {wire.end.part}: {wire.length_mm} mm"
            at = Point(box.right + 4, self._return - 6 - _STEP_MM * number)
            desk.sketch.text(text, at)

    def _joints(self) -> list[Wire]:
        """List the wires that lead to clamps, from fuse and supply and from each to the next."""
        return [
            wire
            for wire in self._desk.wiring.of(Kind.POWER_5V, Kind.GROUND)
            if wire.end.sort == CLAMP
        ]

    def _from_clamp(self, end: End) -> Wire:
        """Give the wire that leads from a clamp to a pin."""
        found = [w for w in self._desk.wiring.at(end) if w.start.sort == CLAMP]
        return found[0]

    def _diode(self) -> None:
        desk = self._desk
        if DIODE not in self._parts:
            return
        part = self._parts[DIODE]
        y = self._y - _DIODE_BELOW_MM
        begin = desk.pin(part.end, y)
        wire = self._from_clamp(part.start)
        x = self._shifter.right + 4
        diode(desk.sketch, Point(begin.x + 10, y), Point(begin.x + 4, y))
        desk.sketch.shape(THIN, begin, Point(begin.x + 5.5, y))
        desk.line(OPTIONAL, Point(begin.x + 8.5, y), Point(x, y), Point(x, self._power))
        desk.sketch.joint(FEED, Point(x, self._power))
        desk.length(wire, Point(begin.x + 11, y + LINE_ABOVE_MM))
        desk.sketch.text("optional", Point(self._shifter.left, y + LINE_ABOVE_MM))
