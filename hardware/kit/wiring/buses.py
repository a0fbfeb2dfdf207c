"""Wires of the sensor chips: buses, power, addresses and the interrupt, and those of the buttons.

Owns them, from the computer to the last chip. Must not know pads, nor the strip.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby

from hal.profile import Chip
from hal.profile.geometry import Point
from hal.profile.pin_map import FIRST_ADDRESS, FIRST_MUX
from hardware.kit.computers import bus_pins, computer_of
from hardware.kit.layout import Layout
from hardware.kit.part_names import GROUND_PIN, POWER_PIN, button_part, chip_part, mux_part
from hardware.kit.places import Place
from hardware.kit.wiring.runs import STRAP_MM, Rail, Stop, chained, in_turn, wired
from hardware.kit.wiring.wires import End, Kind, Wire

PULL_UP = "resistor 4.7 kohm"
INTERRUPT_PULL_UP = "resistor 10 kohm"
LINES = ("SDA", "SCL")
# MPR121 data sheet, section 5.11 (and the README of this folder): where ADDR goes for an address.
ADDRESS_PINS = dict(enumerate((GROUND_PIN, POWER_PIN, "SDA", "SCL"), FIRST_ADDRESS))
OVERLAY = "your overlay"
"""Which pins a bus has that only the computer's own settings know."""


class Rails:
    """The computer's pins of 3.3 V, ground and interrupt, as far as they are used."""

    def __init__(self, layout: Layout) -> None:
        computer, at = computer_of(layout.profile), layout.geometry.computer

        def stops(pins: Iterable[str]) -> list[Stop]:
            return [Stop(End(computer.name, pin), at) for pin in pins]

        self.power = Rail(stops(map(computer.power_pin, computer.pins_3v3)))
        self.ground = Rail(stops(map(computer.power_pin, computer.grounds)))
        self.interrupt = Rail(stops([computer.signal_pin(layout.profile.interrupt_pin)]))


def bus_wires(layout: Layout, places: Mapping[str, Place], rails: Rails) -> list[Wire]:
    """Wire all chips and multiplexers of a board."""
    wires: list[Wire] = []
    chips = sorted(layout.profile.chips, key=lambda chip: chip.bus)
    for bus, found in groupby(chips, key=lambda chip: chip.bus):
        wires += _bus(layout, places, rails, bus, tuple(found))
    return wires


def _bus(
    layout: Layout,
    places: Mapping[str, Place],
    rails: Rails,
    bus: int,
    chips: tuple[Chip, ...],
) -> list[Wire]:
    """Wire a bus: a cable through its chips and multiplexers, and one from each channel on."""
    computer, start = computer_of(layout.profile), layout.geometry.computer
    muxes = sorted({chip.mux for chip in chips if chip.mux is not None})
    direct = [chip_part(chip.name) for chip in chips if chip.mux is None]
    order = _in_turn(places, start, direct)
    # Multiplexers come last, since their own cables go on from there.
    here = places[order[-1]].at if order else start
    order += _in_turn(places, here, [mux_part(bus, mux) for mux in muxes])
    pins = bus_pins(layout.profile, bus)
    wires = rails.power.chain(Kind.POWER_3V3, "3.3 V", _stops(places, order, POWER_PIN))
    wires += rails.ground.chain(Kind.GROUND, "ground", _stops(places, order, GROUND_PIN))
    for line in LINES:
        pin = f"{line} of bus {bus} ({OVERLAY})"
        if pins is not None:
            pin = computer.signal_pin(pins.sda if line == "SDA" else pins.scl)
        begin = Stop(End(computer.name, pin), start)
        wires += chained(Kind.BUS, f"{line} of bus {bus}", [begin, *_stops(places, order, line)])
        if bus not in computer.pulled_up:
            first = order[0]
            wires.append(_part(PULL_UP, first, line, POWER_PIN, f"pulls up {line} of bus {bus}"))
    for mux in muxes:
        wires += _mux_straps(mux_part(bus, mux), mux)
        behind = sorted((chip for chip in chips if chip.mux == mux), key=lambda c: c.channel or 0)
        for channel, found in groupby(behind, key=lambda chip: chip.channel):
            parts = [chip_part(chip.name) for chip in found]
            own = _in_turn(places, places[mux_part(bus, mux)].at, parts)
            wires += _channel(places, mux_part(bus, mux), channel or 0, own)
            order += own
    named = {chip_part(chip.name): chip for chip in chips}
    wires += [_strap(part, chip) for part, chip in named.items()]
    asking = [part for part in order if part in named]
    stops = _stops(places, asking, "IRQ")
    return wires + rails.interrupt.chain(Kind.INTERRUPT, "interrupt", stops)


def _channel(places: Mapping[str, Place], mux: str, channel: int, chips: list[str]) -> list[Wire]:
    """Wire the chips behind a channel of a multiplexer, in a cable that begins there."""
    at = places[mux].at
    wires: list[Wire] = []
    for kind, signal, pin, start in (
        (Kind.POWER_3V3, "3.3 V", POWER_PIN, POWER_PIN),
        (Kind.GROUND, "ground", GROUND_PIN, GROUND_PIN),
        (Kind.BUS, f"SDA of channel {channel}", "SDA", f"SD{channel}"),
        (Kind.BUS, f"SCL of channel {channel}", "SCL", f"SC{channel}"),
    ):
        wires += chained(kind, signal, [Stop(End(mux, start), at), *_stops(places, chips, pin)])
    return wires


def _strap(part: str, chip: Chip) -> Wire:
    signal = f"address 0x{chip.address:X}"
    end = End(part, ADDRESS_PINS[chip.address])
    return Wire(Kind.ADDRESS, signal, End(part, "ADDR"), end, STRAP_MM)


def _mux_straps(part: str, address: int) -> list[Wire]:
    bits = address - FIRST_MUX
    straps = {f"A{n}": POWER_PIN if bits >> n & 1 else GROUND_PIN for n in range(3)}
    signal = f"address 0x{address:X}"
    wires = [
        Wire(Kind.ADDRESS, signal, End(part, pin), End(part, to), STRAP_MM)
        for pin, to in straps.items()
    ]
    note = "not where the breakout does it"
    reset = Wire(Kind.POWER_3V3, "3.3 V", End(part, "RST"), End(part, POWER_PIN), STRAP_MM, note)
    return [*wires, reset]


def interrupt_pull_up(wires: Iterable[Wire]) -> list[Wire]:
    """Put the interrupt line's resistor at the chip that the computer's pin leads to."""
    asking = [wire for wire in wires if wire.kind is Kind.INTERRUPT]
    note = "helps a long line; not where a breakout has one"
    return [_part(INTERRUPT_PULL_UP, wire.end.part, "IRQ", POWER_PIN, note) for wire in asking[:1]]


def button_wires(layout: Layout, rails: Rails) -> list[Wire]:
    """Wire each button to its pin, and the other legs of all in a chain to ground."""
    computer, at = computer_of(layout.profile), layout.geometry.computer
    wires = [
        wired(
            Kind.BUTTON,
            f"key {name}",
            Stop(End(computer.name, computer.signal_pin(button.pin)), at),
            Stop(End(button_part(name), "1"), button.at),
        )
        for name, button in layout.buttons.items()
    ]
    order = in_turn(at, ((button_part(n), button.at) for n, button in layout.buttons.items()))
    stops = [Stop(End(part, "2"), place) for part, place in order]
    return wires + (rails.ground.chain(Kind.GROUND, "ground", stops) if stops else [])


def _in_turn(places: Mapping[str, Place], start: Point, parts: Iterable[str]) -> list[str]:
    return [part for part, _ in in_turn(start, ((part, places[part].at) for part in parts))]


def _stops(places: Mapping[str, Place], parts: Iterable[str], pin: str) -> list[Stop]:
    return [Stop(End(part, pin), places[part].at) for part in parts]


def _part(what: str, part: str, start: str, end: str, note: str) -> Wire:
    return Wire(Kind.PART, what, End(part, start), End(part, end), 0, note)
