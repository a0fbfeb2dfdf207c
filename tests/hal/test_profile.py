"""Profiles: the one that ships, and every way in which one can be wrong."""

from collections import Counter

import pytest

from hal import ProfileError, built_in, built_in_names, load
from hal.profile import Chip, Electrode

ROWS = {"a": 5, "b": 6, "c": 7, "d": 8, "e": 9, "f": 8, "g": 7, "h": 6, "i": 5}

SMALL = """
name = "small"
title = "A board of two cells"

[sensing]
mode = "touch"
press_ms = 20
release_ms = 30
hold_ms = 700
palm_cells = 3
poll_ms = 250
touch_threshold = 12
release_threshold = 6

[chips]
A = { bus = 1, address = 0x5A }
B = { bus = 1, address = 0x5B }

[interrupt]
pin = 4

[strip]
pin = 18
pixels = 4

[power]
brightness = 0.5
gamma = 2.2
budget_ma = 100

[keys]
new_game = 17
resign = 22

[cells]
a1 = { chip = "A", electrode = 0, pixel = 0 }
a2 = { chip = "B", electrode = 11, pixel = 1 }

[lights]
turn1 = [2]
"""


@pytest.fixture
def load_text(tmp_path):
    def load_one(text):
        path = tmp_path / "board.toml"
        path.write_text(text, encoding="utf-8")
        return load(path)

    return load_one


def test_profile_small_one_is_read_as_it_is_written(load_text):
    profile = load_text(SMALL)
    assert profile.chips == (Chip("A", 1, 0x5A), Chip("B", 1, 0x5B))
    assert profile.cells == {"a1": Electrode("A", 0), "a2": Electrode("B", 11)}
    assert profile.pixels == {"a1": 0, "a2": 1, "turn1.0": 2}
    assert profile.keys == {"new_game": 17, "resign": 22}
    assert profile.lights == {"turn1": 1}
    assert (profile.pixel_count, profile.strip.pin, profile.interrupt_pin) == (4, 18, 4)
    assert profile.power.budget_ma == 100


def test_profile_built_in_hexagon_has_every_cell_light_and_key():
    profile = built_in()
    assert set(profile.cells) == {f"{row}{n + 1}" for row in ROWS for n in range(ROWS[row])}
    assert profile.lights == {"circle": 12, "score1": 20, "score2": 20, "turn1": 1, "turn2": 1}
    assert set(profile.keys) == {"new_game", "take_back", "resign"}
    assert sorted(profile.pixels.values()) == list(range(115)) == list(range(profile.pixel_count))


def test_profile_built_in_hexagon_leaves_electrodes_to_spare_on_every_chip():
    used = Counter(electrode.chip for electrode in built_in().cells.values())
    assert len(used) == 6
    assert max(used.values()) < 12


def test_profile_built_in_names_list_what_can_be_loaded():
    assert "hexagon-61" in built_in_names()
    for name in built_in_names():
        assert built_in(name).name == name


def test_profile_built_in_of_unknown_name_says_which_there_are():
    with pytest.raises(ProfileError, match=r'"octagon" is unknown: allowed are .*hexagon-61'):
        built_in("octagon")


def test_profile_cannot_be_changed_by_who_reads_it(load_text):
    profile = load_text(SMALL)
    with pytest.raises(TypeError):
        profile.cells["a3"] = Electrode("A", 3)


WRONG = {
    # what is written -> what stands there instead, and what the message says
    "missing key": ("press_ms = 20\n", "", r"\[sensing\] press_ms: missing: allowed is a whole"),
    "missing section": (
        "[interrupt]\npin = 4\n",
        "",
        r"board.toml: interrupt: missing: allowed is a table",
    ),
    "missing name": ('name = "small"\n', "", r"board.toml: name: missing: allowed is a text"),
    "unknown key": (
        "press_ms = 20",
        "press_ms = 20\npresss_ms = 2",
        r"\[sensing\] presss_ms: unknown key: allowed are mode, press_ms, .*release_threshold",
    ),
    "unknown section": ("[power]", "[sound]\nloud = 1\n[power]", "sound: unknown key: allowed are"),
    "unknown key of a cell": (
        "electrode = 0, pixel = 0",
        "electrode = 0, pixel = 0, led = 2",
        r"\[cells.a1\] led: unknown key: allowed are chip, electrode, pixel",
    ),
    "unknown key of a chip": ("0x5B }", "0x5B, irq = 2 }", r"\[chips.B\] irq: unknown key"),
    "unknown key of the strip": ("pixels = 4", "pixels = 4\ndma = 10", r"\[strip\] dma: unknown"),
    "unknown key of the interrupt": ("pin = 4", "pin = 4\nup = 1", r"\[interrupt\] up: unknown"),
    "unknown key of the power": ("gamma = 2.2", "gamma = 2.2\nwatt = 1", r"\[power\] watt: unkno"),
    "cell twice": (
        "a2 = {",
        "a1 = {",
        r"line \d+: a1 is given twice: allowed is once",
    ),
    "section twice": ("[keys]", "[power]", r"line \d+: \[power\] is given twice"),
    "no TOML": ("[keys]", "[keys", "is no valid TOML"),
    "bad cell name": ("a1 = {", '"a 1" = {', r"\[cells\] a 1: bad name"),
    "bad light name": ("turn1 =", '"turn.1" =', r"\[lights\] turn.1: bad name"),
    "electrode twice": (
        'chip = "B", electrode = 11',
        'chip = "A", electrode = 0',
        r"\[cells.a2\] electrode = 0 of chip A: allowed is each electrode once: .* by cell a1",
    ),
    "pixel of two cells": (
        "pixel = 1",
        "pixel = 0",
        r"\[cells.a2\] pixel = 0: allowed is each pixel once: .* by cell a1",
    ),
    "pixel of cell and light": ("[2]", "[1]", r"\[lights\] turn1 = 1: .* by cell a2"),
    "pixel twice in a light": ("[2]", "[2, 2]", r"\[lights\] turn1 = 2: .* by light turn1.0"),
    "pixel beyond the strip": ("pixel = 1", "pixel = 4", r"pixel = 4: allowed is .* from 0 to 3"),
    "light beyond the strip": ("[2]", "[4]", r"turn1 = 4: allowed is a list .* from 0 to 3"),
    "light without pixels": ("[2]", "[]", r"turn1 = \[\]: allowed is a list"),
    "light that is no list": ("[2]", "2", r"turn1 = 2: allowed is a list"),
    "light of truths": ("[2]", "[true]", r"turn1 = true: allowed is a list"),
    "pin of two keys": ("resign = 22", "resign = 17", r"\[keys\] resign = 17: .* by key new_game"),
    "pin of key and strip": ("resign = 22", "resign = 18", r"resign = 18: .* by the strip"),
    "pin of interrupt": ("resign = 22", "resign = 4", r"resign = 4: .* by the interrupt line"),
    "pin of the bus": ("resign = 22", "resign = 2", r"resign = 2: .* by SDA of I2C bus 1"),
    "pin that no Pi has": ("resign = 22", "resign = 28", r"resign = 28: allowed is .* 0 to 27"),
    "key and cell alike": ("resign = 22", "a1 = 22", r"\[keys\] a1 = 22: .* that no cell has"),
    "address too low": (
        "0x5B",
        "0x59",
        r"\[chips.B\] address = 0x59: allowed is a whole number from 0x5A to 0x5D",
    ),
    "address too high": ("0x5B", "0x5E", r"address = 0x5E: allowed is"),
    "address as text": ("0x5B", '"0x5B"', r'address = "0x5B": allowed is a whole number'),
    "address negative": ("0x5B", "-1", r"address = -1: allowed is"),
    "address twice": ("0x5B", "0x5A", r"address = 0x5A on bus 1: .* is used by chip A"),
    "bus out of range": ("B = { bus = 1", "B = { bus = 32", r"bus = 32: allowed is"),
    "electrode too high": (
        "electrode = 11",
        "electrode = 12",
        r"\[cells.a2\] electrode = 12: allowed is a whole number from 0 to 11",
    ),
    "electrode negative": ("electrode = 11", "electrode = -1", r"electrode = -1: allowed is"),
    "electrode of a fraction": ("electrode = 11", "electrode = 1.5", r"electrode = 1.5: allowed"),
    "electrode as truth": ("electrode = 11", "electrode = true", r"electrode = true: allowed"),
    "unknown chip": ('chip = "B"', 'chip = "C"', r'chip = "C": allowed is "A" or "B"'),
    "chip of a number": ('chip = "B"', "chip = 2", r"chip = 2: allowed is"),
    "other mode": ('"touch"', '"presence"', r'mode = "presence": allowed is "touch"'),
    "empty title": ('"A board of two cells"', '""', r'title = "": allowed is a text'),
    "press too long for a tap": (
        "press_ms = 20",
        "press_ms = 60",
        r"press_ms = 60: allowed is a whole number from 5 to 40",
    ),
    "thresholds crossed": (
        "release_threshold = 6",
        "release_threshold = 12",
        r"release_threshold = 12: allowed is less than touch_threshold, 12",
    ),
    "brightness too high": ("0.5", "1.5", r"\[power\] brightness = 1.5: allowed is .* 0.0 to 1.0"),
    "brightness no number": ("0.5", "nan", r"brightness = nan: allowed is"),
    "brightness as truth": ("0.5", "true", r"brightness = true: allowed is"),
    "gamma too low": ("2.2", "0.5", r"gamma = 0.5: allowed is a number from 1.0 to 4.0"),
    "budget below the idle current": ("= 100", "= 4", r"budget_ma = 4: allowed is .* from 5 to"),
    "no pixels": ("pixels = 4", "pixels = 0", r"pixels = 0: allowed is"),
    "section that is no table": (
        'a1 = { chip = "A", electrode = 0, pixel = 0 }',
        "a1 = 3",
        r"\[cells\] a1 = 3: allowed is a table",
    ),
    "text for a table": (
        "A = { bus = 1, address = 0x5A }",
        'A = "x"',
        r'A = "x": allowed is a tab',
    ),
    "table for a number": ("gamma = 2.2", "gamma = {}", r"gamma = a table: allowed is a number"),
}


@pytest.mark.parametrize("case", WRONG)
def test_profile_wrong_one_is_refused_with_file_section_key_and_what_is_allowed(load_text, case):
    written, instead, message = WRONG[case]
    assert SMALL.count(written) >= 1
    with pytest.raises(ProfileError, match=message) as refused:
        load_text(SMALL.replace(written, instead, 1))
    assert "board.toml: " in str(refused.value)


@pytest.mark.parametrize("section", ["chips", "cells"])
def test_profile_section_without_entries_is_refused(load_text, section):
    with pytest.raises(ProfileError, match=rf"\[{section}\] is empty: allowed is one or more"):
        load_text(emptied(section))


@pytest.mark.parametrize("section", ["keys", "lights"])
def test_profile_board_may_have_no_keys_and_no_lights(load_text, section):
    assert getattr(load_text(emptied(section)), section) == {}


def emptied(section):
    begin = SMALL.index(f"[{section}]") + len(section) + 2
    end = SMALL.find("\n[", begin)
    return SMALL[:begin] + (SMALL[end:] if end > 0 else "\n")


def test_profile_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(ProfileError, match=r"gone.toml: cannot be read: No such file"):
        load(tmp_path / "gone.toml")


def test_profile_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "board.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ProfileError, match="is no text: allowed is TOML in UTF-8"):
        load(path)


def test_profile_pins_of_the_first_bus_are_free_on_a_board_without_it(load_text):
    text = SMALL.replace("bus = 1", "bus = 3").replace("resign = 22", "resign = 2")
    assert load_text(text).keys["resign"] == 2


def test_profile_errors_are_value_errors_too():
    assert issubclass(ProfileError, ValueError)


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 5000])
def test_profile_that_no_parser_can_read_is_refused_in_one_line(load_text, text):
    with pytest.raises(ProfileError, match="is no valid TOML") as refused:
        load_text(text)
    assert "\n" not in str(refused.value)


def test_profile_saved_with_a_byte_order_mark_is_read(load_text):
    assert load_text("\ufeff" + SMALL) == load_text(SMALL)
