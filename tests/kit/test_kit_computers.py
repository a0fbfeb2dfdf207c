"""Where pins are: on the header of a Raspberry Pi and on the edge of a Pico."""

import re
from dataclasses import replace

import pytest

from hal.profile import BusPins, built_in, built_in_names
from hal.wiring import PI_HEADER, PICO_HEADER
from hardware.kit.computers import PICO, RASPBERRY_PI, Computer, bus_pins, computer_of

# The header as it is drawn by `pinout` of gpiozero: from pin 1 on, two pins a line.
PI = """
3V3 5V | GPIO2 5V | GPIO3 GND | GPIO4 GPIO14 | GND GPIO15
GPIO17 GPIO18 | GPIO27 GND | GPIO22 GPIO23 | 3V3 GPIO24 | GPIO10 GND
GPIO9 GPIO25 | GPIO11 GPIO8 | GND GPIO7 | GPIO0 GPIO1 | GPIO5 GND
GPIO6 GPIO12 | GPIO13 GND | GPIO19 GPIO16 | GPIO26 GPIO20 | GND GPIO21
"""
# The edge of a Pico, from pin 1 at the socket down the left side, then up the right one.
EDGE = """
GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15
GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 GND GP28 VREF 3V3 EN GND VSYS 5V
"""


@pytest.mark.parametrize(("computer", "drawn"), [(RASPBERRY_PI, PI), (PICO, EDGE)])
def test_computers_have_their_pins_where_they_are_drawn(computer: Computer, drawn: str):
    names = dict(enumerate(drawn.replace("|", " ").split(), start=1))
    assert len(names) == 40
    for number, pin in computer.pins.items():
        assert names[pin] == f"{computer.prefix}{number}"
    for name, pins in (
        ("3V3", computer.pins_3v3),
        ("5V", computer.pins_5v),
        ("GND", computer.grounds),
    ):
        wanted = {pin for pin, text in names.items() if text == name}
        # Pin 33 of a Pico is the ground of its measuring pins, which nothing here is joined to.
        assert set(pins) == wanted - ({33} if computer is PICO else set())
    assert computer.diode is None or names[computer.diode] == "VSYS"


def test_computers_have_every_pin_that_a_profile_may_name():
    assert set(RASPBERRY_PI.pins) == set(PI_HEADER.pins)
    assert set(PICO.pins) == set(PICO_HEADER.pins)


def test_computers_name_pins_by_both_numbers():
    assert RASPBERRY_PI.signal_pin(17) == "GPIO17 (11)"
    assert PICO.signal_pin(2) == "GP2 (4)"
    named = [RASPBERRY_PI.power_pin(pin) for pin in (1, 4, 39)]
    assert named == ["3.3 V (1)", "5 V (4)", "ground (39)"]
    assert [PICO.power_pin(pin) for pin in (36, 39)] == ["3.3 V (36)", "VSYS (39)"]


@pytest.mark.parametrize("board", built_in_names())
def test_computer_of_is_a_pico_where_the_profile_has_one(board: str):
    profile = built_in(board)
    assert (computer_of(profile) is PICO) == board.endswith("-pico")
    for bus in {chip.bus for chip in profile.chips}:
        assert bus_pins(profile, bus) is not None


def test_bus_pins_are_those_that_the_profile_reserves():
    text = (built_in("hexagon-61"), built_in("rectangle-88"))
    assert [bus_pins(profile, 3) for profile in text] == [BusPins(23, 24)] * 2
    assert bus_pins(text[0], 1) == BusPins(2, 3)
    assert bus_pins(text[0], 0) == BusPins(0, 1)
    assert bus_pins(built_in("hexagon-61-pico"), 1) == BusPins(6, 7)


def test_bus_pins_of_an_overlay_are_not_guessed():
    profile = built_in("hexagon-61")
    chips = tuple(replace(chip, bus=22) for chip in profile.chips)
    assert bus_pins(replace(profile, chips=chips), 22) is None


def test_drawn_pins_are_told_apart_from_others():
    assert re.findall(r"GPIO\d+", PI) != re.findall(r"GP\d+", EDGE)


@pytest.mark.parametrize("computer", [RASPBERRY_PI, PICO])
def test_computers_have_sockets_on_their_edge_and_pins_within(computer: Computer):
    half = computer.width_mm / 2, computer.height_mm / 2
    for socket in computer.sockets:
        on = (abs(socket.at.x) == half[0], abs(socket.at.y) == half[1])
        assert sum(on) == 1
        assert abs(socket.at.x) <= half[0]
        assert abs(socket.at.y) <= half[1]
    assert any(
        row.left < computer.pin_1.x < row.right and row.bottom < computer.pin_1.y < row.top
        for row in computer.pin_rows
    )
    # 20 pins at 2.54 mm make a row; the holes of a Raspberry Pi's corners are beside it.
    for row in computer.pin_rows:
        assert max(row.width, row.height) == pytest.approx(20 * 2.54, abs=0.1)
        assert abs(row.left) < half[0]
        assert abs(row.top) < half[1]
    assert computer.sockets[0].plug_mm is not None
