"""Profiles that are written: read back as they are, and never instead of a good file."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.base import files as whole_files
from hal.base.errors import ProfileError
from hal.lights.frame import Power
from hal.profile import (
    ELECTRODES,
    BusPins,
    Chip,
    Electrode,
    Key,
    Measuring,
    Night,
    Pico,
    Pin,
    Profile,
    Sensing,
    Strip,
    built_in,
    built_in_names,
    load,
)
from hal.profile.pin_map import SCL_PINS, SDA_PINS
from hal.profile.profile import CHARGE_TIMES_US, FIRST_FILTERS, INTERVALS_MS, SECOND_FILTERS
from hal.profile.writer import check, save, write

T = TypeVar("T")

STRIPS = {
    # driver and data pin -> the pins that go with it
    ("spi", 10): {7, 8, 9, 10, 11},
    ("spi", 20): {16, 17, 18, 19, 20, 21},
}
BUS_PINS = {0: {0, 1}, 1: {2, 3}, 3: {23, 24}, 7: set()}

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,5}", fullmatch=True)
BOARD_NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)
TITLES = st.text(min_size=1, max_size=20).filter(str.isprintable)
MEASURINGS = st.builds(
    Measuring,
    touch_threshold=st.integers(101, 255),
    release_threshold=st.integers(0, 100),
    touch_debounce=st.integers(0, 7),
    release_debounce=st.integers(0, 7),
    charge_ua=st.integers(1, 63),
    charge_us=st.sampled_from(CHARGE_TIMES_US),
    first_filter=st.sampled_from(FIRST_FILTERS),
    second_filter=st.sampled_from(SECOND_FILTERS),
    interval_ms=st.sampled_from(INTERVALS_MS),
    automatic=st.booleans(),
)
SENSINGS = st.builds(
    Sensing,
    mode=st.sampled_from(["touch", "presence"]),
    press_ms=st.integers(5, 40),
    release_ms=st.integers(5, 200),
    hold_ms=st.integers(100, 10_000),
    palm_cells=st.integers(3, 12),
    poll_ms=st.integers(5, 500),
    settle_ms=st.integers(50, 2000),
)
NIGHTS = st.one_of(
    st.none(),
    st.builds(Night, st.integers(0, 700), st.integers(701, 1439), st.floats(0.0, 1.0)),
)


def any_pico(chance: Random, port: str) -> Pico:
    numbers = chance.sample([0, 1], chance.randint(1, 2))
    pins = {n: BusPins(chance.choice(SDA_PINS[n]), chance.choice(SCL_PINS[n])) for n in numbers}
    return Pico(port, MappingProxyType(pins))


def any_chips(
    chance: Random, names: Sequence[str], buses: Sequence[int], *, muxes: bool
) -> tuple[Chip, ...]:
    found: list[Chip] = []
    for name in names:
        bus, address = chance.choice(buses), chance.randint(0x5A, 0x5D)
        behind = (chance.randint(0x70, 0x77), chance.randint(0, 7))
        behind = behind if muxes and chance.random() < 0.5 else ()
        chip = Chip(name, bus, address, *behind)
        if not any(chip.collides(other) for other in found):
            found.append(chip)
    return tuple(found)


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    """Draw any profile that `load` could give; chance alone says what hangs where."""
    chance = Random(draw(st.integers(0, 1 << 30)))
    pico = any_pico(chance, draw(TITLES)) if chance.random() < 0.5 else None
    buses = list(BUS_PINS if pico is None else pico.buses)
    names = draw(st.lists(NAMES, min_size=1, max_size=12, unique=True))
    found = any_chips(chance, names, buses, muxes=pico is None)
    if pico is None:
        driver, data = chance.choice(list(STRIPS))
        taken = STRIPS[driver, data].union(*(BUS_PINS[chip.bus] for chip in found))
        pins = mixed(chance, (pin for pin in range(28) if pin not in taken))
    else:
        taken = {pin for each in pico.buses.values() for pin in (each.sda, each.scl)}
        pins = mixed(chance, (pin for pin in (*range(23), 26, 27, 28) if pin not in taken))
        driver, data = "pio", pins.pop()
    pads = mixed(chance, (Electrode(c.name, n) for c in found for n in range(ELECTRODES)))
    spots = draw(st.lists(NAMES, min_size=6, max_size=12, unique=True))
    ends = sorted((chance.randint(1, 6), chance.randint(1, 6)))
    cells = dict(zip(spots[: ends[0]], pads, strict=False))
    keys: dict[str, Key] = dict(zip(spots[ends[0] : ends[1]], pads[len(cells) :], strict=False))
    keys.update(zip(spots[6:], map(Pin, pins[1:]), strict=False))
    lights = {name: chance.randint(1, 4) for name in draw(st.lists(NAMES, max_size=3, unique=True))}
    lit = [cell for cell in cells if chance.random() < 0.9]
    lit += [f"{group}.{n}" for group, count in lights.items() for n in range(count)]
    count = len(lit) + chance.randint(0 if lit else 1, 5)
    return Profile(
        name=draw(BOARD_NAMES),
        title=draw(TITLES),
        sensing=draw(SENSINGS),
        measuring=draw(MEASURINGS),
        chips=found,
        interrupt_pin=pins[0],
        cells=MappingProxyType(cells),
        pixels=MappingProxyType(dict(zip(lit, mixed(chance, range(count)), strict=False))),
        pixel_count=count,
        strip=Strip(driver, data, count, "".join(mixed(chance, chance.choice(["RGB", "RGBW"])))),
        keys=MappingProxyType(keys),
        power=Power(
            draw(st.floats(0.0, 1.0)),
            draw(st.floats(1.0, 4.0)),
            chance.randint(count + 1, 9000),
            chance.randint(1, 100),
        ),
        night=draw(NIGHTS),
        lights=MappingProxyType(lights),
        pico=pico,
    )


def mixed(chance: Random, things: Iterable[T]) -> list[T]:
    ordered = list(things)
    return chance.sample(ordered, len(ordered))


@pytest.fixture(scope="session")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("written") / "board.toml"


@settings(max_examples=60)
@given(profile=profiles())
def test_profile_writer_is_read_back_as_what_was_written(file, profile):
    file.write_text(write(profile), encoding="utf-8")
    read = load(file)
    assert read == profile
    for part in ("cells", "keys", "lights"):
        assert list(getattr(read, part)) == list(getattr(profile, part))


@pytest.mark.parametrize("name", built_in_names())
def test_profile_writer_writes_the_boards_that_ship(name, tmp_path):
    profile = built_in(name)
    save(profile, tmp_path / "board.toml")
    assert load(tmp_path / "board.toml") == profile


def test_profile_writer_lays_a_board_out_as_a_person_would():
    board = built_in("disc-32")
    text = write(board, ["b2: no pixel;\nplayed without light"])
    lines = text.splitlines()
    assert lines[0].startswith("# A board of 32 cells, 5 touch chips, 81 pixels and ")
    assert lines[1] == "# b2: no pixel; played without light"
    assert 'mode = "touch"                   # ' in text
    assert "A = { bus = 1, address = 0x5A }" in lines
    ring, a4 = board.keys["ring1"], board.cells["a4"]
    assert f'ring1 = {{ chip = "{ring.chip}", electrode = {ring.electrode} }}' in lines
    wired = f'chip = "{a4.chip}", electrode = {a4.electrode}, pixel = {board.pixels["a4"]}'
    assert f"a4 = {{ {wired} }}\n\nb1 = " in text
    assert re.search(r"\nH1 = .*\n\nA2 = .*\nB2 = ", write(built_in("rectangle-88")))
    sections = [line for line in lines if line.startswith("[")]
    assert sections == [
        *("[sensing]", "[measuring]", "[chips]", "[interrupt]", "[strip]", "[power]"),
        *("[keys]", "[cells]", "[lights]"),
    ]
    assert all(len(line) <= 100 for line in lines if "[" not in line)


def test_profile_writer_lays_out_a_board_on_a_pico_and_says_nothing_of_a_pi():
    text = write(built_in("hexagon-61-pico"))
    buses = "0 = { sda = 4, scl = 5 }\n1 = { sda = 6, scl = 7 }\n"
    assert f'\n[pico]\nport = "auto"\n[pico.buses]\n{buses}\n' in text
    assert text.index("[pico.buses]") < text.index("[chips]")
    for word in ("GPIO", "BCM", "root", "multiplexer", '"spi"'):
        assert word not in text
        assert word in write(built_in())
    assert all(len(line) <= 100 for line in text.splitlines() if "= [" not in line)


WRONG = {
    "pin twice": (
        lambda profile: replace(profile, interrupt_pin=17),
        r"this makes no profile: \[keys",
    ),
    "budget too small": (
        lambda profile: replace(profile, power=replace(profile.power, budget_ma=10)),
        r"\[power\] budget_ma = 10: allowed is",
    ),
    "read as another": (
        lambda profile: replace(profile, pixel_count=500),
        "it would be read as another one",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_profile_writer_refuses_what_could_not_be_read_back(case, tmp_path):
    spoil, message = WRONG[case]
    path = tmp_path / "board.toml"
    path.write_text("what was there", encoding="utf-8")
    with pytest.raises(ProfileError, match=message) as refused:
        save(spoil(built_in()), path)
    assert "\n" not in str(refused.value)
    with pytest.raises(ProfileError, match=message):
        check(spoil(built_in()))
    assert [each.name for each in tmp_path.iterdir()] == ["board.toml"]
    assert path.read_text(encoding="utf-8") == "what was there"


def test_profile_writer_keeps_the_file_that_was_there(tmp_path):
    path = tmp_path / "new folder" / "board.toml"
    save(built_in(), path)
    assert [each.name for each in path.parent.iterdir()] == ["board.toml"]
    before = path.read_bytes()
    save(built_in("disc-32"), path)
    assert sorted(each.name for each in path.parent.iterdir()) == ["board.toml", "board.toml.old"]
    assert path.with_name("board.toml.old").read_bytes() == before
    assert load(path) == built_in("disc-32")


def test_files_stay_as_they_were_when_writing_fails(tmp_path, monkeypatch):
    path = tmp_path / "board.toml"
    whole_files.write_whole(path, b"before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as told:
        whole_files.write_whole(path, b"after")
    assert told.value.filename == str(path)
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["board.toml"]
