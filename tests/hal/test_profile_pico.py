"""Profiles of boards on a Pico: what [pico] says, and every way in which one can be wrong."""

import re

import pytest

from hal.backends.coprocessor.platform import MOST_GLOW, wiring_of
from hal.base.errors import ProfileError
from hal.profile import BusPins, Chip, Pico, Strip
from tests.helpers.boards.profile_text import (
    PICO,
    SMALL,
    SMALL_ON_PICO,
    assert_refused,
    load_text,
)


def test_profile_pico_is_read_as_it_is_written():
    profile = load_text(SMALL_ON_PICO)
    assert profile.pico == Pico("auto", {0: BusPins(4, 5), 1: BusPins(6, 7)})
    assert profile.chips == (Chip("A", 0, 0x5A), Chip("B", 1, 0x5B))
    assert profile.strip == Strip("pio", 2, 4, "GRB")
    assert profile.interrupt_pin == 8
    assert load_text(SMALL).pico is None


@pytest.mark.parametrize(("budget_ma", "glow"), [(100, MOST_GLOW), (20, 17), (5, 1)])
def test_pico_that_is_alone_lights_all_pixels_within_the_budget(budget_ma, glow):
    # Four pixels draw 1 mA each when dark, and 20 mA for each of three colours at level 255.
    profile = load_text(SMALL_ON_PICO.replace("budget_ma = 100", f"budget_ma = {budget_ma}"))
    assert profile.pico is not None
    assert wiring_of(profile, profile.pico).glow == glow


def test_profile_pico_pins_of_buses_are_those_of_the_rp2040():
    # RP2040 data sheet, section 1.4.3: the functions of the pins repeat every four.
    text = SMALL_ON_PICO.replace("pin = 2\n", "pin = 22\n").replace("pin = 17", "pin = 28")
    for pin in (*range(8), *range(9, 30)):
        for line, place in (("sda", 0), ("scl", 1)):
            wired = re.sub(rf"(0 = .*{line} =) \d+", rf"\1 {pin}", text)
            if pin % 4 == place and pin < 22:
                load_text(wired)
            else:
                assert_refused(wired, rf"\[pico.buses.0\] {line} = {pin}: allowed is")


WRONG = {
    # what is written -> what stands there instead, and what the message says
    "buses missing": (
        PICO[PICO.index("[pico.buses]") :],
        "",
        r"\[pico\] buses: missing: allowed is a table of 0 and 1, or one of them: { sda = ",
    ),
    "third bus": (
        "[pico.buses]",
        "[pico.buses]\n2 = { sda = 8, scl = 9 }",
        r"\[pico.buses\] 2: unknown key: allowed are 0, 1$",
    ),
    "chip on a bus that is not wired": (
        "1 = { sda = 6, scl = 7 }\n",
        "",
        r"\[chips.B\] bus = 1: allowed is 0, a bus of \[pico.buses\]",
    ),
    "multiplexer": (
        "0x5B }",
        "0x5B, mux = 0x70, channel = 0 }",
        r"\[chips.B\] has a multiplexer: allowed is none with \[pico\]",
    ),
    "strip of a Pi": (
        '"pio"',
        '"spi"',
        r'\[strip\] driver = "spi": allowed is "pio" with \[pico\]',
    ),
    "pin of the Pico's LED": (
        "pin = 17",
        "pin = 25",
        r"\[keys.new_game\] pin = 25: allowed is a whole number from 0 to 22, or from 26 to 28",
    ),
    "pixels of three colours": (
        "pixels = 4\n",
        "pixels = 342\n",
        r"\[strip\] pixels = 342: allowed is 1 to 341 of 3 colours with \[pico\]",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_profile_pico_that_is_wrong_is_refused_with_what_is_allowed(case):
    written, instead, message = WRONG[case]
    assert SMALL_ON_PICO.count(written) == 1
    assert_refused(SMALL_ON_PICO.replace(written, instead), message)


def test_profile_pico_takes_as_many_keys_on_pins_as_its_firmware():
    free = [pin for pin in (*range(23), 26, 27, 28) if pin not in (2, 4, 5, 6, 7, 8, 17)]

    def keys(count: int) -> str:
        more = "".join(f"key{pin} = {{ pin = {pin} }}\n" for pin in free[: count - 1])
        return SMALL_ON_PICO.replace("[keys]\n", f"[keys]\n{more}")

    assert len(load_text(keys(16)).keys) == 17  # one is a pad
    message = r"\[keys\] has 17 keys on pins: allowed is up to 16 with \[pico\]"
    with pytest.raises(ProfileError, match=message):
        load_text(keys(17))
