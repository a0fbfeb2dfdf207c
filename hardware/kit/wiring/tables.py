"""The wires of a board as tables, in the order in which one solders.

Owns what each table says. All of it is read from the wires themselves. Must not know how a wiring
came about.
"""

import re
from collections.abc import Iterable

from hardware.kit.computers import computer_of
from hardware.kit.electric import chain
from hardware.kit.layout import Layout
from hardware.kit.part_names import BUTTON, CHIP, MUX, PIXEL, chip_part, mux_part, pixel_part
from hardware.kit.tables import Table
from hardware.kit.wiring.wires import Build, End, Kind, Wire, Wiring

_NONE = "-"
_ON_STRIP = "strip"
_BOTH_NUMBERS = re.compile(r"(?P<name>.*) \((?P<pin>\d+)\)")


def pads_table(wiring: Wiring) -> Table:
    """List the wire of each pad, and those that bring ground to the guard."""
    wires = wiring.of(Kind.PAD, Kind.RIBBON, Kind.GUARD)
    if wiring.build is Build.FOIL:
        return Table(
            "Wires of the pads",
            ("pad", "chip", "electrode", "wire mm"),
            tuple(
                (wire.signal, wire.end.name, wire.end.pin, str(wire.length_mm)) for wire in wires
            ),
        )
    return Table(
        "Wires from the connectors to the chips",
        ("connector", "pin", "pad", "chip", "electrode", "wire mm"),
        tuple(
            (
                wire.start.part,
                wire.start.pin,
                wire.signal,
                wire.end.name,
                wire.end.pin,
                str(wire.length_mm),
            )
            for wire in wires
        ),
    )


def pixels_table(layout: Layout, wiring: Wiring) -> Table:
    """List the chain of pixels: what each lights, where it is, and how data come to it."""
    lights = {light.pixel: light.name for light in layout.lights}
    places = chain.places(layout)
    cut = {piece.first: piece for piece in chain.pieces(layout)}
    rows = []
    for pixel, at in enumerate(places):
        part = pixel_part(pixel)
        data = [wire for wire in wiring.at(End(part, "DIN")) if wire.kind is Kind.DATA]
        way = "by the resistor" if not data else str(data[0].length_mm or _ON_STRIP)
        piece = cut.get(pixel)
        begins = "" if piece is None else _piece(piece)
        rows.append(
            (
                str(pixel),
                lights.get(pixel, "nothing"),
                _tenths(at.x),
                _tenths(at.y),
                begins,
                way,
                _fed(wiring, Kind.POWER_5V, End(part, "5V")),
                _fed(wiring, Kind.GROUND, End(part, "GND")),
            )
        )
    columns = (
        "pixel",
        "lights",
        "mm from the middle, to the right",
        "mm from the middle, away from player 1",
        "begins",
        "from the one before mm",
        "feed, red mm",
        "feed, black mm",
    )
    return Table("Pixels", columns, tuple(rows))


def _fed(wiring: Wiring, kind: Kind, end: End) -> str:
    """Give the length of the wire that brings a feed to a pixel, if there is one."""
    fed = (w for w in wiring.at(end) if w.kind is kind and not _between_pixels(w))
    return next((str(wire.length_mm) for wire in fed), "")


def _tenths(mm: float) -> str:
    # Adding 0 turns -0.0 into 0.0.
    return f"{round(mm, 1) + 0.0:.1f}"


def _piece(piece: chain.Piece) -> str:
    if piece.kind is chain.Kind.SINGLE:
        return "single pixel"
    return f"{len(piece.places)} pixels of {piece.kind.value} a metre"


def pins_table(layout: Layout, wiring: Wiring) -> Table:
    """List what is wired to the computer, by its pins."""
    name = computer_of(layout.profile).name
    rows = []
    for wire in wiring.wires:
        ends = (wire.start, wire.end)
        own = [end for end in ends if end.part == name]
        if not own:
            continue
        other = ends[1] if ends[0] == own[0] else ends[0]
        named = _BOTH_NUMBERS.fullmatch(own[0].pin)
        pins = (named["name"], named["pin"]) if named else (own[0].pin, _NONE)
        rows.append((*pins, wire.signal, str(other), str(wire.length_mm), wire.note))
    rows.sort(key=lambda row: int(row[1]) if row[1] != _NONE else 0)
    return Table(
        f"Pins of the {name}",
        ("name", "pin", "signal", "goes to", "wire mm", "note"),
        tuple(rows),
    )


def chips_table(layout: Layout, wiring: Wiring) -> Table:
    """List the chips and multiplexers: their addresses, and the cables that reach them."""
    rows = []
    for chip in layout.profile.chips:
        part = chip_part(chip.name)
        channel = _NONE if chip.mux is None else f"{chip.channel} of 0x{chip.mux:X}"
        bus = str(chip.bus)
        rows.append((chip.name, bus, channel, f"0x{chip.address:X}", *_strapped(wiring, part)))
    for bus_number, mux in sorted({(c.bus, c.mux) for c in layout.profile.chips if c.mux}):
        part = mux_part(bus_number, mux or 0)
        rows.append(("TCA9548A", str(bus_number), _NONE, f"0x{mux:X}", *_strapped(wiring, part)))
    columns = ("chip", "bus", "channel", "address", "address pins", "cable from", "mm", "resistors")
    return Table("Sensor chips", columns, tuple(rows))


def _strapped(wiring: Wiring, part: str) -> tuple[str, str, str, str]:
    straps = [wire for wire in wiring.of(Kind.ADDRESS) if wire.start.part == part]
    reached = [wire for wire in wiring.of(Kind.BUS) if wire.end == End(part, "SDA")]
    resistors = [
        f"{wire.signal.removeprefix('resistor ')} {wire.start.pin} to {wire.end.pin}"
        for wire in wiring.of(Kind.PART)
        if wire.start.part == part
    ]
    return (
        ", ".join(f"{wire.start.pin} to {wire.end.pin}" for wire in straps),
        str(reached[0].start) if reached else _NONE,
        str(reached[0].length_mm) if reached else _NONE,
        ", ".join(resistors),
    )


def power_table(wiring: Wiring) -> Table:
    """List what leads power and data to the strip, with the parts in the way."""
    kinds = (Kind.POWER_5V, Kind.GROUND, Kind.DATA, Kind.PART)
    wires = [
        wire
        for wire in wiring.of(*kinds)
        if not _between_pixels(wire) and not {wire.start.sort, wire.end.sort} & {CHIP, MUX, BUTTON}
    ]
    return _listed("Power and data of the strip", wires)


def wires_table(wiring: Wiring) -> Table:
    """List every wire and part with two legs."""
    return _listed("All wires", wiring.wires)


def _listed(title: str, wires: Iterable[Wire]) -> Table:
    rows = (
        (
            "part" if wire.kind is Kind.PART else "wire",
            wire.signal,
            wire.start.part,
            wire.start.pin,
            wire.end.part,
            wire.end.pin,
            str(wire.length_mm or _NONE),
            wire.note,
        )
        for wire in wires
    )
    columns = ("what", "signal", "from", "its pin", "to", "pin there", "mm", "note")
    return Table(title, columns, tuple(rows))


def _between_pixels(wire: Wire) -> bool:
    return wire.start.sort == wire.end.sort == PIXEL and wire.start.part != wire.end.part
