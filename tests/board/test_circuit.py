"""The circuit of a board, read as a netlist: what is joined to what, against plan and profile."""

import csv
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from hal.profile import BusPins, Electrode, Pin, Profile, built_in
from hal.profile.profile import BUS_PINS
from hardware.board import kinds
from hardware.board.circuit import Part, circuit
from hardware.board.orders import parts_list
from hardware.board.plan import PLANS
from hardware.board.profile import ComputerName, profile_of
from hardware.board.supply import SECTIONS

BOARDS = {name: plan() for name, plan in PLANS.items()}
CIRCUITS = {name: circuit(plan) for name, plan in BOARDS.items()}
GAMES = ("hexagon-61", "rectangle-88", "disc-32")
FILES = Path(__file__).parents[2] / "hardware" / "boards"
# MPR121 data sheet, section 1.2: which pin selects what, and electrode 0 is on pin 8.
ADDRESSES = {"GND": 0x5A, "+3V3": 0x5B, "SDA": 0x5C, "SCL": 0x5D}


@pytest.fixture(params=BOARDS)
def board(request):
    return str(request.param)


def of(board: str, kind: kinds.Kind) -> list[Part]:
    return [part for part in CIRCUITS[board] if part.kind == kind]


def on(net: str, parts: tuple[Part, ...]) -> set[tuple[str, str]]:
    """List the pads on a net, by the value of their part and their number."""
    return {(p.kind.value, pad) for p in parts for pad, each in p.nets.items() if each == net}


def chain(parts: tuple[Part, ...]) -> list[str]:
    """Follow the data from the shifter's output: what each pixel serves."""
    leds = {part.nets["3"]: part for part in parts if part.kind == kinds.LED}
    net, served = "D_0", []
    while net in leds:
        led = leds.pop(net)
        served.append(led.serves)
        net = led.nets["1"]
    assert not leds
    return served


def profile(board: str, computer: ComputerName) -> Profile:
    return built_in(board if computer == "pi" else f"{board}-{computer}")


@pytest.mark.parametrize("computer", ["pi", "pico"])
@pytest.mark.parametrize("name", GAMES)
def test_profile_has_cells_and_lines_on_electrodes_pixels_and_pins_of_the_netlist(name, computer):
    parts, read = CIRCUITS[name], profile(name, computer)
    chips = {part.serves: part.nets for part in of(name, kinds.MPR121)}
    pads = read.cells | {key: at for key, at in read.keys.items() if isinstance(at, Electrode)}
    assert len(pads) == len(BOARDS[name].pads)
    for pad, at in pads.items():
        assert chips[at.chip][str(8 + at.electrode)] == f"E_{pad}"
    assert dict(enumerate(chain(parts))) == {n: each for each, n in read.pixels.items()}
    assert read.pixel_count == len(of(name, kinds.LED))
    assert read.power.channel_ma == 12
    nets = pin_nets(name, computer)
    assert (nets[read.interrupt_pin], nets[read.strip.pin]) == ("IRQ", "DATA")
    assert {key: nets[at.number] for key, at in read.keys.items() if isinstance(at, Pin)} == {
        key: f"KEY_{key}" for key in BOARDS[name].keys if key not in BOARDS[name].electrodes
    }
    for chip in read.chips:
        bus = BusPins(*BUS_PINS[chip.bus]) if read.pico is None else read.pico.buses[chip.bus]
        own = chips[chip.name]
        assert (own["3"], own["2"]) == (nets[bus.sda], nets[bus.scl])
        assert ADDRESSES[own["4"].partition("_")[0]] == chip.address
        assert own["4"] in {"GND", "+3V3", own["2"], own["3"]}


def pin_nets(name: str, computer: str) -> dict[int, str]:
    """Return the net of each pin by its number in the computer's drawings, not by our tables."""
    if computer == "pi":
        (header,) = of(name, kinds.PI_HEADER)
        info = MockFactory().board_info  # of a Raspberry Pi 3, whose header all later ones have
        return {
            int(pin.name.removeprefix("GPIO")): header.nets[str(number)]
            for number, pin in info.headers["J8"].pins.items()
            if pin.name.startswith("GPIO") and str(number) in header.nets
        }
    left, right = of(name, kinds.SOCKET)
    nets = {int(pin): net for pin, net in left.nets.items()}
    nets |= {20 + int(pin): net for pin, net in right.nets.items()}
    # Raspberry Pi Pico data sheet, section 2.1: every fifth pin of the edge is ground, up to GP21.
    assert all(nets[pin] == "GND" for pin in range(3, 40, 5))
    return {gp: nets[gp + 1 + (gp + 2) // 4] for gp in range(19) if gp + 1 + (gp + 2) // 4 in nets}


def test_board_takes_3_3_v_from_the_pi_and_leaves_its_5_v_alone():
    (header,) = of("hexagon-61", kinds.PI_HEADER)
    names = {str(n): pin.name for n, pin in MockFactory().board_info.headers["J8"].pins.items()}
    power = {"3V3": "+3V3", "5V": None, "GND": "GND"}
    assert {names[pin]: header.nets.get(pin) for pin in names if names[pin] in power} == power


def test_every_led_has_a_capacitor_beside_it_on_its_own_section(board):
    leds = {part.serves: part for part in of(board, kinds.LED)}
    assert set(leds) == set(BOARDS[board].pixels)
    capacitors = {part.serves: part for part in of(board, kinds.C100N) if part.serves in leds}
    for name, led in leds.items():
        assert capacitors[name].nets == {"1": led.nets["4"], "2": "GND"}
        assert capacitors[name].spot.distance(led.spot) < 3
    sections = set(SECTIONS) if "usb" in BOARDS[board].connectors else {"+5V"}
    assert {led.nets["4"] for led in leds.values()} == sections


def test_every_net_joins_two_pads_and_has_what_it_needs(board):
    parts, plan = CIRCUITS[board], BOARDS[board]
    assert len({part.reference for part in parts}) == len(parts)
    joined = Counter(net for part in parts for net in set(part.nets.values()))
    assert min(joined.values()) > 1
    points = {part.nets["1"] for part in of(board, kinds.TEST_POINT)}
    measured = {net for net in joined if net.startswith(("+", "SDA", "SCL"))}
    measured |= {"GND", "IRQ", "DATA", "D_0", f"D_{len(plan.pixels)}"}
    assert measured | {f"E_{pad}" for pad in plan.pads} <= points
    resistors = [part for part in parts if part.kind.symbol == "Device:R"]
    pulled = [part.nets["2"] for part in resistors if part.nets["1"] == "+3V3"]
    assert sorted(pulled) == sorted({"IRQ"} | {n for n in joined if n[:4] in ("SDA_", "SCL_")})
    for chip in of(board, kinds.MPR121):
        # Data sheet, section 1.3: 0.1 uF at VREG, 75 k at REXT, and a capacitor at VDD.
        assert (chip.nets["6"], chip.nets["20"]) == ("GND", "+3V3")
        assert on(chip.nets["5"], parts) == {("MPR121QR2", "5"), ("100n", "1")}
        assert on(chip.nets["7"], parts) == {("MPR121QR2", "7"), ("75k", "1")}


@pytest.mark.parametrize("name", GAMES)
def test_each_button_goes_through_a_resistor_and_an_esd_diode_to_both_computers(name):
    for button in of(name, kinds.BUTTON):
        outer, inner = f"K_{button.serves}", f"KEY_{button.serves}"
        assert button.nets == {"1": outer, "2": "GND"}
        assert {kind for kind, _ in on(outer, CIRCUITS[name])} == {"PTS645", "1k", "SRV05-4"}
        assert {kind for kind, _ in on(inner, CIRCUITS[name])} == {"1k", "Raspberry Pi", "Pico"}


@pytest.mark.parametrize("name", GAMES)
def test_supply_goes_through_a_fuse_and_then_one_for_each_section(name):
    parts = CIRCUITS[name]
    (fuse,) = of(name, kinds.FUSE)
    assert fuse.nets == {"1": "+5V_USB", "2": "+5V"}
    assert {part.nets["1"] for part in of(name, kinds.POLYFUSE)} == {"+5V"}
    assert {part.nets["2"] for part in of(name, kinds.POLYFUSE)} == set(SECTIONS)
    # USB Type-C specification, table 4-27: 5.1 k to ground on each CC line asks for 5 V.
    (plug,) = of(name, kinds.USB_C)
    for line in (plug.nets["A5"], plug.nets["B5"]):
        assert {kind for kind, _ in on(line, parts)} == {"USB-C", "5.1k"}
    assert ("SMAJ5.0A", "1") in on("+5V", parts)


def test_parts_list_counts_all_that_is_bought_and_has_an_alternate_for_each(board):
    rows = list(csv.DictReader(StringIO(parts_list(CIRCUITS[board]))))
    listed = [each for row in rows for each in row["Designator"].split(",")]
    bought = [part.reference for part in CIRCUITS[board] if part.kind.bought]
    assert sorted(listed) == sorted(bought)
    assert {row["Comment"] for row in rows if row["Alternate"] == "none"} <= {"MPR121QR2"}
    for row in rows:
        assert int(row["Quantity"]) == len(row["Designator"].split(","))
        assert all((row["Manufacturer"], row["Part number"]))
        own = row["Part number"], row["JLCPCB Part #"]
        assert own != (row["Alternate"], row["Alternate JLCPCB Part #"])
    led = next(row for row in rows if row["Comment"] == "WS2812B-2020")
    assert (led["JLCPCB Part #"], led["Alternate JLCPCB Part #"]) == ("C965555", "C5349955")


@pytest.mark.parametrize("name", GAMES)
def test_built_in_profile_of_a_board_is_that_of_its_plan(name):
    for computer, file in (("pi", name), ("pico", f"{name}-pico")):
        text = (FILES / f"{file}.toml").read_text(encoding="utf-8")
        assert text == profile_of(BOARDS[name], computer)
