"""Where pins are: on the header of a Raspberry Pi and on the edge of a Pico."""

from dataclasses import replace

import pytest

from hal.profile import BusPins, built_in
from hal.profile.pin_map import PI_HEADER, PICO_HEADER
from hardware.kit.computers import PICO, RASPBERRY_PI, Computer, bus_pins

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
