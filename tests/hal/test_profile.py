"""Profiles: what one says, every way in which one can be wrong, and the boards that ship."""

import re
from importlib.resources import files

import pytest

from hal.backends.coprocessor.platform import MOST_GLOW, wiring_of
from hal.base.errors import ProfileError
from hal.lights import Power
from hal.profile import (
    BusPins,
    Chip,
    Electrode,
    Measuring,
    Night,
    Pico,
    Pin,
    Sensing,
    Strip,
    built_in,
    built_in_names,
    load,
)
from tests.helpers.boards.profile_text import PICO, SMALL, SMALL_ON_PICO, assert_refused, load_text


def test_profile_small_one_is_read_as_it_is_written():
    profile = load_text(SMALL)
    assert profile.chips == (Chip("A", 1, 0x5A), Chip("B", 1, 0x5B))
    assert profile.cells == {"a1": Electrode("A", 0), "a2": Electrode("B", 11)}
    assert profile.pixels == {"a1": 0, "a2": 1, "turn1.0": 2}
    assert profile.keys == {"new_game": Pin(17), "resign": Electrode("A", 9)}
    assert profile.lights == {"turn1": 1}
    assert profile.strip == Strip("spi", 10, 4, "GRB")
    assert (profile.pixel_count, profile.interrupt_pin) == (4, 4)
    assert profile.sensing == Sensing("touch", 20, 30, 700, 3, 250, 300)
    assert profile.measuring == Measuring(12, 6, 1, 2, True, 16, 0.5, 10, 6, 4)
    assert profile.power == Power(0.5, 2.2, 100)
    assert profile.night is None


NIGHT = '[night]\nstart = "22:30"\nend = "07:00"\nbrightness = 0.1\n'


def test_profile_night_covers_from_its_start_up_to_its_end():
    night = load_text(SMALL + NIGHT).night
    assert night == Night("22:30", "07:00", 0.1)
    assert [night.covers(minute) for minute in (1349, 1350, 419, 420)] == [False, True, True, False]
    assert [Night("01:00", "02:00", 0.1).covers(minute) for minute in (90, 120)] == [True, False]


WRONG = {
    # what is written -> what stands there instead, and what the message says
    "unknown key": ("gamma", "dim = 1\ngamma", r"\[power\] dim is unknown; allowed: brightness, "),
    "missing key": ("press_ms = 20\n", "", r"\[sensing\] press_ms is missing; allowed: a whole"),
    "name that no file can have": ('"small"', '"../small"', r"name is '../small'; allowed: up to"),
    "title of two lines": (
        "board of two",
        r"board\nof two",
        r"nof two cells'; .* a text on one line",
    ),
    "mistyped key": ("hold_ms", "held_ms", r"\[sensing\] hold_ms is missing; allowed: a whole"),
    "electrode twice": ('"B", electrode = 11', '"A", electrode = 0', r"electrode is 0 .* cell a1"),
    "electrode too high": ("electrode = 11", "electrode = 12", r"electrode is 12; .* number <= 11"),
    "pixel of two cells": ("pixel = 1", "pixel = 0", r"pixel is 0; .* once: .* by cell a1"),
    "pixel beyond the strip": ("pixel = 1", "pixel = 4", r"pixel is 4; allowed: .* from 0 to 3"),
    "pin of key and strip": ("pin = 17", "pin = 10", r"new_game\] pin is 10; .* by the strip"),
    "pin of the bus": ("pin = 17", "pin = 2", r"pin is 2; .* by SDA of I2C bus 1"),
    "pin that no Pi has": ("pin = 17", "pin = 28", r"pin is 28; allowed: .* 0 to 27"),
    "pin of another driver": ('"spi"', '"pwm"', r'pin is 10; allowed: 12 or 18 with driver "pwm"'),
    "key on half a pad": ("{ pin = 17 }", '{ chip = "A" }', r"has chip; .* or { chip = ..., elec"),
    "key and cell alike": ("new_game =", "a1 =", r"\[keys\] a1 is a cell too; .* that no cell has"),
    "unknown driver": (
        '"spi"',
        '"dma"',
        r'driver is .dma.; allowed: "spi" .*, or "pio" with \[pico',
    ),
    "charge time in between": ("charge_us = 0.5", "charge_us = 3", r"us is 3.0; .* or 4 or 8"),
    "unknown chip": ('chip = "B"', 'chip = "C"', r"chip is 'C'; allowed: .A. or .B."),
    "channel without multiplexer": (
        "0x5B }",
        "0x5B, channel = 0 }",
        r"half behind .*: mux and",
    ),
    "address too low": ("0x5B", "0x59", r"B\] address is 0x59; allowed: .* from 0x5A to 0x5D"),
    "address twice": ("0x5B", "0x5A", r"B\] address is 0x5A; .*: chip A is at bus 1, address"),
    "thresholds crossed": ("threshold = 6", "threshold = 12", r"allowed: less than touch_thresh"),
    "budget below the idle current": ("= 100", "= 4", r"budget_ma is 4; allowed: .* from 5 on"),
}


def test_profile_file_that_is_missing_or_no_text_is_named(tmp_path):
    path = tmp_path / "board.toml"
    with pytest.raises(ProfileError, match=r"board.toml: cannot be read: No such file"):
        load(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ProfileError, match="is no text: allowed is TOML in UTF-8"):
        load(path)


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 5000])
def test_profile_that_no_parser_can_read_is_refused_in_one_line(text):
    with pytest.raises(ProfileError, match="is no valid TOML") as refused:
        load_text(text)
    assert "\n" not in str(refused.value)


def test_profile_is_read_as_the_same_from_other_editors_and_versions():
    kind = 'address = 0x5A, kind = "{}"'.format
    same = SMALL.replace("address = 0x5A", kind("mpr121"))
    for text in ("\ufeff" + SMALL, f"{SMALL}\n[geometry]\npad_mm = 18\n", same):
        assert load_text(text) == load_text(SMALL)
    refused = SMALL.replace("address = 0x5A", kind("cy8cmbr3116"))
    assert_refused(refused, r"\[chips.A\] kind is 'cy8cmbr3116'; allowed: .mpr121")


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
                assert_refused(wired, rf"\[pico.buses.0\] {line} is {pin}; allowed: ")


TOO_LONG = r"pixels is 342; allowed: 1 to 341 of 3 colours with \[pico\]"
WRONG_ON_PICO = {
    "buses missing": (
        PICO[PICO.index("[pico.buses]") :],
        "",
        r"\[pico\] buses is missing; allowed: a table",
    ),
    "third bus": ("\n0 = {", "\n2 = {", r"\[pico.buses\] 2 is '2'; allowed: \"0\" or \"1\"$"),
    "bus that is not wired": ("1 = { sda = 6, scl = 7 }\n", "", r"B\] bus is 1; allowed: 0,"),
    "multiplexer": (
        "0x5B }",
        "0x5B, mux = 0x70, channel = 0 }",
        r"\] B has a multiplexer; .*: none",
    ),
    "strip of a Pi": ('"pio"', '"spi"', r"driver is 'spi'; allowed: .pio. with \[pico\]"),
    "pin of the Pico's LED": ("pin = 17", "pin = 25", r"pin is 25; .* 0 to 22, or from 26 to 28"),
    "pixels of three colours": ("pixels = 4\n", "pixels = 342\n", TOO_LONG),
}


@pytest.mark.parametrize(
    ("text", "case"),
    [(SMALL, each) for each in WRONG.values()]
    + [(SMALL_ON_PICO, each) for each in WRONG_ON_PICO.values()],
    ids=[*WRONG, *WRONG_ON_PICO],
)
def test_profile_wrong_one_is_refused_with_file_section_key_and_what_is_allowed(text, case):
    written, instead, message = case
    assert text.count(written) >= 1
    assert_refused(text.replace(written, instead, 1), message)


def test_profile_pico_takes_as_many_keys_on_pins_as_its_firmware():
    free = [pin for pin in (*range(23), 26, 27, 28) if pin not in (2, 4, 5, 6, 7, 8, 17)]

    def keys(count: int) -> str:
        more = "".join(f"key{pin} = {{ pin = {pin} }}\n" for pin in free[: count - 1])
        return SMALL_ON_PICO.replace("[keys]\n", f"[keys]\n{more}")

    assert len(load_text(keys(16)).keys) == 17  # one is a pad
    message = r"keys has 17 keys on pins; allowed: up to 16 with \[pico\]"
    with pytest.raises(ProfileError, match=message):
        load_text(keys(17))


BOARDS = ["bench-7", "disc-32", "hexagon-37", "hexagon-61", "rectangle-88"]
ON_PICO = ["bench-7-pico", "disc-32-pico", "hexagon-61-pico", "rectangle-88-pico"]


def test_shipped_boards_are_these():
    assert built_in_names() == tuple(sorted([*BOARDS, *ON_PICO]))
    with pytest.raises(ProfileError, match=r'"octagon" is unknown: allowed are .*hexagon-61'):
        built_in("octagon")


@pytest.mark.parametrize("name", [*BOARDS, *ON_PICO])
def test_shipped_board_uses_every_pixel_and_pins_of_its_computer_only(name):
    profile = built_in(name)
    assert sorted(profile.pixels.values()) == list(range(profile.pixel_count))
    if name in BOARDS:
        # Every Pi has these, and they need no root.
        assert (profile.strip.driver, profile.strip.pin) == ("spi", 10)
        assert {chip.bus for chip in profile.chips} <= {1, 3}
    else:
        other = built_in(name.removesuffix("-pico"))
        for part in ("cells", "pixels", "lights", "sensing", "measuring", "power"):
            assert getattr(profile, part) == getattr(other, part)
        assert list(profile.keys) == list(other.keys)
    text = files("hal").joinpath("boards", f"{name}.toml").read_text(encoding="utf-8")
    assert ("GPIO" in text) == (name in BOARDS)
    assert ("Pico" in text) == (name in ON_PICO)
    assert max(map(len, text.splitlines())) <= 100
