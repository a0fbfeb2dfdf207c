"""Wires of the strip: data through the level shifter, from pixel to pixel, and the feeds of 5 V.

Owns them. Must not know how many feeds a strip needs (`electric`), nor how thick their wires are.
"""

from collections.abc import Iterable, Mapping

from hal.profile.geometry import Point
from hardware.kit.computers import computer_of
from hardware.kit.electric import chain
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.part_names import (
    CLAMP,
    FUSE,
    LEVER_PIN,
    RAIL_5V,
    RAIL_GROUND,
    SHIFTER,
    SUPPLY,
    pixel_part,
)
from hardware.kit.places import CLAMP_WIRES, Place
from hardware.kit.wiring.buses import Rails
from hardware.kit.wiring.runs import Stop, chained, length_mm, wired
from hardware.kit.wiring.wires import End, Kind, Wire

DATA_RESISTOR = "resistor 330 to 470 ohm"
PULL_DOWN = "resistor 10 kohm"
BLOCKING = "capacitor 100 nF"
RESERVOIR = "capacitor 1000 uF"
DIODE = "Schottky diode 1 A"
RESISTOR_PART, DIODE_PART = "data resistor", "diode"
# 74AHCT125 data sheet: what the pins are; the gates that are not used have theirs at ground.
ENABLE, INPUT, OUTPUT, SHIFTER_GROUND, SHIFTER_POWER = (
    "1 (1OE)",
    "2 (1A)",
    "3 (1Y)",
    "7 (GND)",
    "14 (VCC)",
)
TO_GROUND = (ENABLE, "4 (2OE)", "5 (2A)", "9 (3A)", "10 (3OE)", "12 (4A)", "13 (4OE)")
BRIDGE_MM = 10
FEED_NOTE = "thick wire"
ON_STRIP = "on the strip"
OPTIONAL = "only if the strip's supply is to feed the Pico too"


def strip_wires(
    layout: Layout, places: Mapping[str, Place], rails: Rails, fed: Iterable[int]
) -> list[Wire]:
    """Wire supply, fuse, shifter and pixels; `fed` are the pixels that get 5 V and ground."""
    pixels = chain.places(layout)
    power = _Clamps(places, RAIL_5V, Kind.POWER_5V, "5 V", Stop(End(FUSE, "out"), places[FUSE].at))
    supply = Stop(End(SUPPLY, "-"), places[SUPPLY].at)
    ground = _Clamps(places, RAIL_GROUND, Kind.GROUND, "ground", supply)
    return [
        *_data(layout, places, Stop(End(pixel_part(0), "DIN"), pixels[0])),
        *_links(layout),
        *_fuse(places),
        *power.begin(),
        *ground.begin(),
        *_feeds(power, ground, {pixel: pixels[pixel] for pixel in fed}),
        *_shifter(places, rails, power, ground),
        *_diode(layout, power),
    ]


def fed_pixels(layout: Layout, feeds: Iterable[int]) -> tuple[int, ...]:
    """Give the pixels that get 5 V: the first and these, or else the first and the last.

    Raises KitError for a feed at a pixel that there is not.
    """
    last = layout.profile.pixel_count - 1
    fed = sorted({0, *(feeds or (last,))})
    if fed[0] < 0 or fed[-1] > last:
        raise KitError(f"feeds are {fed}: allowed are pixels 0 to {last}")
    return tuple(fed)


class _Clamps:
    """Join the wires of a rail in lever clamps, each as many as it holds."""

    def __init__(
        self, places: Mapping[str, Place], rail: str, kind: Kind, signal: str, source: Stop
    ) -> None:
        self._kind, self._signal = kind, signal
        clamps = [place for name, place in places.items() if name.startswith(f"{CLAMP} {rail}-")]
        self._stops = [Stop(End(clamp.part, LEVER_PIN), clamp.at) for clamp in clamps]
        # One wire comes from the source or the clamp before, and one goes on to the next.
        self._free = [
            stop for stop in self._stops for _ in range(CLAMP_WIRES - 1 - (stop != self._stops[-1]))
        ]
        self._source = source

    def begin(self) -> list[Wire]:
        """Wire the source to the first clamp, and each to the next."""
        return chained(self._kind, self._signal, [self._source, *self._stops], FEED_NOTE)

    def lead(self, to: Stop, note: str = FEED_NOTE) -> Wire:
        """Wire a pin to the next free place."""
        return wired(self._kind, self._signal, self._free.pop(0), to, note)


def _data(layout: Layout, places: Mapping[str, Place], first: Stop) -> list[Wire]:
    computer = computer_of(layout.profile)
    pin = End(computer.name, computer.signal_pin(layout.profile.strip.pin))
    shifter = places[SHIFTER].at
    resistor = End(RESISTOR_PART, "1")
    wires = [
        wired(
            Kind.DATA,
            "data, 3.3 V",
            Stop(pin, layout.geometry.computer),
            Stop(End(SHIFTER, INPUT), shifter),
        ),
        Wire(Kind.DATA, "data, 5 V", End(SHIFTER, OUTPUT), resistor, length_mm(shifter, first.at)),
        Wire(
            Kind.PART,
            DATA_RESISTOR,
            resistor,
            first.end,
            0,
            "below the base, at the hole of pixel 0",
        ),
    ]
    if layout.profile.pico is not None:
        note = "keeps the strip still while the Pico has no power"
        pull = Wire(
            Kind.PART, PULL_DOWN, End(SHIFTER, INPUT), End(SHIFTER, SHIFTER_GROUND), 0, note
        )
        wires.append(pull)
    return wires


def _shifter(
    places: Mapping[str, Place], rails: Rails, power_from: _Clamps, ground_from: _Clamps
) -> list[Wire]:
    at = places[SHIFTER].at
    power, ground = End(SHIFTER, SHIFTER_POWER), End(SHIFTER, SHIFTER_GROUND)
    wires = [
        power_from.lead(Stop(power, at)),
        ground_from.lead(Stop(ground, at)),
        *rails.ground.chain(Kind.GROUND, "ground", [Stop(ground, at)], "joins both grounds"),
        Wire(Kind.PART, BLOCKING, power, ground, 0, "right beside the chip"),
    ]
    return wires + [
        Wire(Kind.GROUND, "ground", ground, End(SHIFTER, pin), BRIDGE_MM, "bridge")
        for pin in TO_GROUND
    ]


def _links(layout: Layout) -> list[Wire]:
    """Join each pixel with the one before it: by the strip itself, or with three wires."""
    wires = []
    for link in chain.links(layout):
        before, here = pixel_part(link.pixel - 1), pixel_part(link.pixel)
        single = link.kind is chain.Kind.SINGLE
        length = round(link.length_mm) if single else 0
        note = FEED_NOTE if single else ON_STRIP
        data_note = "" if single else ON_STRIP
        wires += [
            Wire(Kind.DATA, "data, 5 V", End(before, "DOUT"), End(here, "DIN"), length, data_note),
            Wire(Kind.POWER_5V, "5 V", End(before, "5V"), End(here, "5V"), length, note),
            Wire(Kind.GROUND, "ground", End(before, "GND"), End(here, "GND"), length, note),
        ]
    return wires


def _fuse(places: Mapping[str, Place]) -> list[Wire]:
    """Lead 5 V from the supply to the fuse."""
    return [
        wired(
            Kind.POWER_5V,
            "5 V",
            Stop(End(SUPPLY, "+"), places[SUPPLY].at),
            Stop(End(FUSE, "in"), places[FUSE].at),
            FEED_NOTE,
        ),
        Wire(Kind.PART, "fuse", End(FUSE, "in"), End(FUSE, "out"), 0, "in its holder"),
    ]


def _feeds(power: _Clamps, ground: _Clamps, feeds: Mapping[int, Point]) -> list[Wire]:
    """Lead 5 V to each feed, and ground beside it."""
    wires = []
    for pixel, at in feeds.items():
        part = pixel_part(pixel)
        wires += [
            power.lead(Stop(End(part, "5V"), at)),
            ground.lead(Stop(End(part, "GND"), at)),
        ]
    first = pixel_part(min(feeds))
    note = f"below the base, at the hole of {first}; its minus to ground"
    return [*wires, Wire(Kind.PART, RESERVOIR, End(first, "5V"), End(first, "GND"), 0, note)]


def _diode(layout: Layout, power: _Clamps) -> list[Wire]:
    computer, at = computer_of(layout.profile), layout.geometry.computer
    if computer.diode is None:
        return []
    anode, pin = (
        End(DIODE_PART, "without ring"),
        End(computer.name, computer.power_pin(computer.diode)),
    )
    return [
        power.lead(Stop(anode, at), f"{FEED_NOTE}; {OPTIONAL}"),
        Wire(Kind.PART, DIODE, anode, pin, 0, f"{OPTIONAL}; its ring towards the Pico"),
    ]
