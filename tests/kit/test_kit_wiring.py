"""Every wire of a board: followed from end to end, measured, and missing or astray."""

from dataclasses import replace
from functools import cache
from types import MappingProxyType

import pytest

from hal.profile import Chip, Electrode, Profile, built_in_names
from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Circuit
from hardware.kit.circuit.plan import tiles, whole
from hardware.kit.computers import bus_pins, computer_of
from hardware.kit.electric import chain, feeds
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.part_names import (
    CLAMP,
    FUSE,
    GROUND_PIN,
    GUARD,
    PAD_PIN,
    PIXEL,
    POWER_PIN,
    SHIFTER,
    SUPPLY,
    button_part,
    chip_part,
    mux_part,
    pad_part,
    pixel_part,
)
from hardware.kit.places import CLAMP_WIRES, clamps, places
from hardware.kit.wiring import Build, End, Kind, Wiring, wire
from hardware.kit.wiring.strip import FEED_NOTE
from tests.helpers.kits.boards import layout_of, layout_of_profile, seven_cells, seven_laid
from tests.helpers.kits.netlist import Netlist

BOARDS = built_in_names()
ADDRESS_PINS = {0x5A: GROUND_PIN, 0x5B: POWER_PIN, 0x5C: "SDA", 0x5D: "SCL"}


def with_chips(*chips: Chip) -> Profile:
    """Give the small board with the same pads on other chips, one pad after the other."""
    profile = seven_cells()
    count = len(chips)
    pads = [*profile.cells, *(key for key, on in profile.keys.items() if isinstance(on, Electrode))]
    on = {pad: Electrode(chips[n % count].name, n // count) for n, pad in enumerate(pads)}
    return replace(
        profile,
        chips=chips,
        cells=MappingProxyType({cell: on[cell] for cell in profile.cells}),
        keys=MappingProxyType({key: on.get(key, was) for key, was in profile.keys.items()}),
    )


@cache
def seven_built(build: Build) -> tuple[Circuit, ...]:
    layout = seven_laid()
    return (whole(layout),) if build is Build.CIRCUIT else tiles(layout)


@cache
def foil_of(board: str) -> tuple[Wiring, Netlist]:
    return foil(layout_of(board))


def foil(layout: Layout) -> tuple[Wiring, Netlist]:
    wiring = wire(layout, Build.FOIL, (), feeds(layout))
    return wiring, Netlist(layout.profile, wiring.wires)


def power_ends(layout: Layout) -> dict[str, End]:
    """Name one pin of each net of power."""
    computer = computer_of(layout.profile)
    return {
        "3.3 V": End(computer.name, computer.power_pin(computer.pins_3v3[0])),
        "ground": End(SUPPLY, "-"),
        "5 V, before the fuse": End(SUPPLY, "+"),
        "5 V": End(FUSE, "out"),
    }


def check_power(layout: Layout, nets: Netlist) -> None:
    """Check that everything has its power, and that no two nets of power are joined."""
    power = power_ends(layout)
    assert len({nets.net(end) for end in power.values()}) == len(power)
    for chip in layout.profile.chips:
        part = chip_part(chip.name)
        assert nets.joined(End(part, GROUND_PIN), power["ground"])
        powers = nets.members(End(part, POWER_PIN))
        computer = computer_of(layout.profile)
        assert {End(computer.name, computer.power_pin(pin)) for pin in computer.pins_3v3} & powers
        assert not powers & (nets.members(power["5 V"]) | nets.members(power["ground"]))
    for pixel in range(layout.profile.pixel_count):
        assert nets.joined(End(pixel_part(pixel), "5V"), power["5 V"])
        assert nets.joined(End(pixel_part(pixel), "GND"), power["ground"])
    for name in layout.buttons:
        assert nets.joined(End(button_part(name), "2"), power["ground"])


def check_chips(layout: Layout, nets: Netlist) -> None:
    """Check that each chip is on its own bus and has its own address, and the interrupt."""
    profile, computer = layout.profile, computer_of(layout.profile)
    asking = End(computer.name, computer.signal_pin(profile.interrupt_pin))
    for chip in profile.chips:
        part = chip_part(chip.name)
        assert nets.joined(End(part, "ADDR"), End(part, ADDRESS_PINS[chip.address]))
        assert nets.joined(End(part, "IRQ"), asking)
        for line, gates in (("SDA", "SD"), ("SCL", "SC")):
            pins = bus_pins(profile, chip.bus)
            if chip.mux is not None:
                begin = End(mux_part(chip.bus, chip.mux), f"{gates}{chip.channel}")
            elif pins is not None:
                number = pins.sda if line == "SDA" else pins.scl
                begin = End(computer.name, computer.signal_pin(number))
            else:
                begin = End(computer.name, f"{line} of bus {chip.bus} (your overlay)")
            assert nets.joined(End(part, line), begin)
    lines = {
        (chip.bus, chip.mux, chip.channel, line): nets.net(End(chip_part(chip.name), line))
        for chip in profile.chips
        for line in ("SDA", "SCL")
    }
    assert len(set(lines.values())) == len(lines)


def check_light(layout: Layout, wiring: Wiring, nets: Netlist) -> None:
    """Check that data go from the computer through the shifter to every pixel, in their order."""
    computer, strip = computer_of(layout.profile), layout.profile.strip
    pin = End(computer.name, computer.signal_pin(strip.pin))
    assert nets.joined(pin, End(SHIFTER, "2 (1A)"))
    (resistor,) = (w for w in wiring.of(Kind.PART) if w.end == End(pixel_part(0), "DIN"))
    assert resistor.signal == "resistor 330 to 470 ohm"
    assert nets.joined(resistor.start, End(SHIFTER, "3 (1Y)"))
    for pixel in range(1, layout.profile.pixel_count):
        ends = {End(pixel_part(pixel - 1), "DOUT"), End(pixel_part(pixel), "DIN")}
        assert nets.members(End(pixel_part(pixel), "DIN")) == ends
    (fuse,) = (w for w in wiring.of(Kind.PART) if w.signal == "fuse")
    assert (fuse.start, fuse.end) == (End(FUSE, "in"), End(FUSE, "out"))
    assert nets.joined(End(SHIFTER, "14 (VCC)"), End(FUSE, "out"))
    for gate in ("1 (1OE)", "4 (2OE)", "5 (2A)", "9 (3A)", "10 (3OE)", "12 (4A)", "13 (4OE)"):
        assert nets.joined(End(SHIFTER, gate), End(SUPPLY, "-"))


def check_buttons(layout: Layout, nets: Netlist) -> None:
    computer = computer_of(layout.profile)
    for name, button in layout.buttons.items():
        ends = {
            End(button_part(name), "1"),
            End(computer.name, computer.signal_pin(button.pin)),
        }
        assert nets.members(End(button_part(name), "1")) == ends


def check_all(layout: Layout, wiring: Wiring) -> None:
    nets = Netlist(layout.profile, wiring.wires)
    check_power(layout, nets)
    check_chips(layout, nets)
    check_light(layout, wiring, nets)
    check_buttons(layout, nets)


@pytest.mark.parametrize("board", BOARDS)
def test_wiring_of_foil_joins_what_belongs_together_and_nothing_else(board: str):
    layout = layout_of(board)
    wiring, nets = foil_of(board)
    check_all(layout, wiring)
    for sensor in layout.sensors.values():
        electrode = End(chip_part(sensor.electrode.chip), str(sensor.electrode.electrode))
        ends = {End(pad_part(sensor.name), PAD_PIN), electrode}
        assert nets.members(electrode) == ends
    assert nets.joined(End(GUARD, PAD_PIN), End(SUPPLY, "-"))


@pytest.mark.parametrize("board", BOARDS)
def test_wires_are_as_long_as_their_way_and_what_it_takes_to_solder_them(board: str):
    layout = layout_of(board)
    wiring, _ = foil_of(board)
    where = {name: place.at for name, place in places(layout).items()}
    where |= {pixel_part(n): at for n, at in enumerate(chain.places(layout))}
    measured = 0
    for each in wiring.wires:
        assert each.length_mm % 10 == 0
        start, end = (where.get(part) for part in (each.start.part, each.end.part))
        if start is None or end is None or each.length_mm == 0 or start == end:
            continue
        measured += 1
        least = abs(start.x - end.x) + abs(start.y - end.y) + 55
        assert least - 1e-6 <= each.length_mm < least + 10
    assert measured > 30


def test_wire_refuses_a_pad_that_is_too_far_from_its_chip():
    layout = layout_of("hexagon-61")
    chips = MappingProxyType(dict(layout.chips) | {"A": Point(-150, 100)})
    fault = r"the wire of a1 from pad a1 to chip A is \d+ mm long: allowed are up to 300 mm"
    with pytest.raises(KitError, match=fault):
        wire(replace(layout, chips=chips), Build.FOIL)


def pulled(wiring: Wiring, signal: str) -> set[tuple[End, End]]:
    return {(w.start, w.end) for w in wiring.of(Kind.PART) if w.signal == signal}


def test_wiring_pulls_up_each_bus_that_has_no_resistors_of_its_own():
    for board, count in (("hexagon-61", 2), ("hexagon-61-mux", 0), ("disc-32-pico", 2)):
        wiring, nets = foil_of(board)
        found = pulled(wiring, "resistor 4.7 kohm")
        assert len(found) == count
        for start, end in found:
            assert start.pin in ("SDA", "SCL")
            assert (start.part, end.pin) == (end.part, POWER_PIN)
    wiring, nets = foil_of("hexagon-61-pico")
    lines = {nets.net(start) for start, _ in pulled(wiring, "resistor 4.7 kohm")}
    assert len(lines) == 4
    wiring, nets = foil_of("hexagon-61")
    for start, _ in pulled(wiring, "resistor 4.7 kohm"):
        pin = {"SDA": "GPIO23 (16)", "SCL": "GPIO24 (18)"}[start.pin]
        assert nets.joined(start, End("Raspberry Pi", pin))


def test_wiring_of_a_pico_has_what_keeps_its_strip_still_and_a_diode():
    wiring, nets = foil_of("hexagon-61-pico")
    strips = {(a.part, b.part) for a, b in pulled(wiring, "resistor 10 kohm")}
    assert strips == {(SHIFTER, SHIFTER), ("chip D", "chip D")}
    (diode,) = pulled(wiring, "Schottky diode 1 A")
    assert diode[1] == End("Raspberry Pi Pico", "VSYS (39)")
    assert nets.joined(diode[0], End(FUSE, "out"))
    on_pi, _ = foil_of("hexagon-61")
    assert not pulled(on_pi, "Schottky diode 1 A")
    assert len(pulled(on_pi, "resistor 10 kohm")) == 1


@pytest.mark.parametrize("board", BOARDS)
def test_wiring_joins_5_v_and_ground_in_clamps_with_places_enough(board: str):
    wiring, nets = foil_of(board)
    on: dict[str, int] = {}
    for each in wiring.wires:
        for end in (each.start, each.end):
            if end.sort == CLAMP:
                on[end.part] = on.get(end.part, 0) + 1
                assert nets.joined(end, End(*(FUSE, "out") if "5V" in end.name else (SUPPLY, "-")))
    assert {name.partition("-")[0] for name in on} == {"clamp 5V", "clamp GND"}
    assert all(2 <= count <= CLAMP_WIRES for count in on.values())
    assert set(on) == set(clamps(layout_of(board)))
    # Nothing else of the strip's power has more than two wires at a pin.
    thick = [w for w in wiring.of(Kind.POWER_5V, Kind.GROUND) if FEED_NOTE in w.note]
    ends = [end for w in thick for end in (w.start, w.end) if end.sort not in (CLAMP, PIXEL)]
    assert max(map(ends.count, ends)) == 1


def test_wiring_takes_chips_and_multiplexers_on_the_same_bus():
    chips = (
        Chip("A", 1, 0x5A),
        Chip("B", 1, 0x5B, 0x71, 7),
        Chip("C", 1, 0x5C, 0x71, 2),
        Chip("D", 1, 0x5B, 0x76, 0),
        Chip("E", 3, 0x5A),
    )
    layout = layout_of_profile(with_chips(*chips))
    wiring, nets = foil(layout)
    check_all(layout, wiring)
    upper, lower = mux_part(1, 0x71), mux_part(1, 0x76)
    for part, high, low in ((upper, ("A0",), ("A1", "A2")), (lower, ("A1", "A2"), ("A0",))):
        for pin in (*high, "RST"):
            assert nets.joined(End(part, pin), End(part, POWER_PIN))
        for pin in low:
            assert nets.joined(End(part, pin), End(part, GROUND_PIN))
        assert nets.joined(End(part, "SDA"), End(chip_part("A"), "SDA"))


@pytest.mark.parametrize("build", [Build.CIRCUIT, Build.TILES])
def test_wiring_of_circuits_leads_every_pad_to_its_electrode_and_all_grounds_home(build: Build):
    layout = seven_laid()
    circuits = seven_built(build)
    wiring = wire(layout, build, circuits, feeds(layout))
    check_all(layout, wiring)
    nets = Netlist(layout.profile, wiring.wires)
    for circuit in circuits:
        for connector in circuit.connectors:
            for pin in connector.pins:
                here = End(connector.name, str(pin.number))
                if pin.net == "GND":
                    assert nets.joined(here, End(SUPPLY, "-"))
                elif pin.net:
                    on = layout.sensors[pin.net].electrode
                    there = End(chip_part(on.chip), str(on.electrode))
                    assert nets.members(here) == {here, there}
    assert not wiring.of(Kind.PAD)
    assert len(wiring.of(Kind.RIBBON)) == (24 if build is Build.CIRCUIT else len(layout.sensors))


def test_wire_refuses_circuits_that_are_not_of_the_board():
    layout = seven_laid()
    whole_board, small = seven_built(Build.CIRCUIT), seven_built(Build.TILES)
    with pytest.raises(ValueError, match="is built of circuits: allowed are 1 and more"):
        wire(layout, Build.CIRCUIT)
    with pytest.raises(KitError, match=r"connector T1 with .* pins: allowed are JA, JB with 13"):
        wire(layout, Build.CIRCUIT, small)
    with pytest.raises(KitError, match=r"pad \w+ is on 0 pins"):
        wire(layout, Build.TILES, small[1:])
    with pytest.raises(KitError, match=r"pad \w+ is on 2 pins"):
        wire(layout, Build.TILES, (*small, small[0]))
    (circuit,) = whole_board
    first, *others = circuit.connectors
    pins = list(first.pins)
    pins[0], pins[1] = (
        replace(pins[0], net=pins[1].net),
        replace(pins[1], net=pins[0].net),
    )
    exchanged = replace(circuit, connectors=(replace(first, pins=tuple(pins)), *others))
    with pytest.raises(KitError, match=r"pin 1 of JA is \w+: allowed is \w+"):
        wire(layout, Build.CIRCUIT, (exchanged,))
    one = small[0].connectors[0]
    strange = replace(one, pins=tuple(replace(each, net="z9") for each in one.pins))
    with pytest.raises(KitError, match="is z9: allowed is a pad of the board"):
        wire(layout, Build.TILES, (replace(small[0], connectors=(strange,)), *small[1:]))
