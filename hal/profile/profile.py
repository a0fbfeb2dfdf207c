"""Board profiles: everything that a profile file says about one board.

What hangs where is read by `hal.profile.pin_map`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import as_file, files
from pathlib import Path
from types import MappingProxyType

from hal.base.errors import ProfileError
from hal.lights import CHANNEL_MA, IDLE_MA, Power
from hal.profile.pin_map import (
    PI_HEADER,
    PICO_HEADER,
    Chip,
    Electrode,
    Key,
    Pico,
    Strip,
    Used,
    read_cells,
    read_chips,
    read_interrupt,
    read_keys,
    read_lights,
    read_pico,
    read_strip,
)
from hal.profile.toml_reader import Section, read

# What the fields of the MPR121's registers 0x5C and 0x5D can say (data sheet, section 5.11).
CHARGE_TIMES_US = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
FIRST_FILTERS = (6, 10, 18, 34)
SECOND_FILTERS = (4, 6, 10, 18)
INTERVALS_MS = (1, 2, 4, 8, 16, 32, 64, 128)

TOUCH, PRESENCE = "touch", "presence"
_DAY_MINUTES = 24 * 60

_SECTIONS = (
    *("name", "title", "sensing", "measuring", "chips", "strip", "interrupt", "cells", "keys"),
    *("lights", "power", "night", "pico"),
    "geometry",  # ignored: profiles that were learned before have it
)

# What belongs to a board is kept in files that bear its name.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


@dataclass(frozen=True, slots=True)
class Sensing:
    """Say how touches are felt, times in ms. `mode` is "touch" or "presence" (of stones).

    `settle_ms` is for presence: a stone counts as standing, or as gone, after this time.
    """

    mode: str
    press_ms: int
    release_ms: int
    hold_ms: int
    palm_cells: int
    poll_ms: int
    settle_ms: int


@dataclass(frozen=True, slots=True)
class Measuring:
    """Say how the chips measure; thresholds in counts, filters in samples, as their registers do.

    A debounce is the number of further results that must agree. With `automatic` each chip finds
    its own charge settings when it starts; the ones here are then only where it begins.
    """

    touch_threshold: int
    release_threshold: int
    touch_debounce: int
    release_debounce: int
    automatic: bool
    charge_ua: int
    charge_us: float
    first_filter: int
    second_filter: int
    interval_ms: int


@dataclass(frozen=True, slots=True)
class Night:
    """Say when the strip is to be darker, in minutes after midnight, and how bright it is then."""

    start: int
    end: int
    brightness: float

    def covers(self, minute: int) -> bool:
        """Tell whether it is night at this minute of the day; the end is day again."""
        return (minute - self.start) % _DAY_MINUTES < (self.end - self.start) % _DAY_MINUTES


@dataclass(frozen=True, slots=True)
class Profile:
    """Describe one board.

    `pixels` maps cells ("e5") and lights ("circle.0") to pixel numbers; a cell may have none.
    `pico` is None for a board that is wired to a Raspberry Pi.
    """

    name: str
    title: str
    sensing: Sensing
    measuring: Measuring
    chips: tuple[Chip, ...]
    interrupt_pin: int
    cells: Mapping[str, Electrode]
    pixels: Mapping[str, int]
    pixel_count: int
    strip: Strip
    keys: Mapping[str, Key]
    power: Power
    night: Night | None
    lights: Mapping[str, int]
    pico: Pico | None = None

    @property
    def filter_ms(self) -> int:
        """For how long a chip has measured a touch when it reports it.

        An MPR121 averages all samples of a result, one each interval, and then waits for as many
        further results as its debounce says (data sheet, sections 5.8 and 5.11).
        """
        result_ms = self.measuring.second_filter * self.measuring.interval_ms
        return (1 + self.measuring.touch_debounce) * result_ms

    def pin_name(self, number: int) -> str:
        """Name a pin as the drawings of its computer do."""
        return f"GPIO{number}" if self.pico is None else f"GP{number}"


def built_in_names() -> tuple[str, ...]:
    """List the profiles that come with the package."""
    found = (entry.name for entry in files("hal").joinpath("boards").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def built_in(name: str = "hexagon-61") -> Profile:
    """Load a profile that comes with the package; raise ProfileError when there is none."""
    names = built_in_names()
    if name not in names:
        raise ProfileError(f'board "{name}" is unknown: allowed are {", ".join(names)}')
    with as_file(files("hal").joinpath("boards", f"{name}.toml")) as path:
        return load(path)


def load(path: Path) -> Profile:
    """Load and check a profile; raise ProfileError for the first thing that is not allowed."""
    root = read(path)
    root.only(_SECTIONS)
    on_pico = root.has("pico")
    used = Used(PICO_HEADER if on_pico else PI_HEADER)
    pico = read_pico(root.section("pico"), used) if on_pico else None
    chips = read_chips(root.section("chips"), used, pico)
    strip = read_strip(root.section("strip"), used, pico)
    interrupt_pin = read_interrupt(root.section("interrupt"), used)
    cells, cell_pixels = read_cells(root.section("cells"), chips, strip.pixels, used)
    key_section = root.section("keys")
    keys = read_keys(key_section, chips, used, pico)
    lights, light_pixels = read_lights(root.section("lights"), strip.pixels, used)
    profile = Profile(
        name=_name(root),
        title=_title(root),
        sensing=_sensing(root.section("sensing")),
        measuring=_measuring(root.section("measuring")),
        chips=chips,
        interrupt_pin=interrupt_pin,
        cells=MappingProxyType(cells),
        pixels=MappingProxyType(cell_pixels | light_pixels),
        pixel_count=strip.pixels,
        strip=strip,
        keys=MappingProxyType(keys),
        power=_power(root.section("power"), strip.pixels),
        night=_night(root.section("night")) if root.has("night") else None,
        lights=MappingProxyType(lights),
        pico=pico,
    )
    for key in keys:
        if key in cells:
            raise key_section.fault(key, "a key", "a name that no cell has")
    return profile


def _name(root: Section) -> str:
    name = root.text("name")
    if not _NAME.fullmatch(name):
        allowed = "up to 60 letters, digits, dots, hyphens and underscores, a letter or digit first"
        raise root.fault("name", f'"{name}"', allowed)
    return name


def _title(root: Section) -> str:
    title = root.text("title")
    if not title.isprintable():
        raise root.fault("title", repr(title), "a text on one line")
    return title


def _sensing(section: Section) -> Sensing:
    section.only(each.name for each in fields(Sensing))
    return Sensing(
        mode=section.text("mode", (TOUCH, PRESENCE)),
        press_ms=section.integer("press_ms", 5, 40),
        release_ms=section.integer("release_ms", 5, 200),
        hold_ms=section.integer("hold_ms", 100, 10_000),
        palm_cells=section.integer("palm_cells", 3, 12),
        poll_ms=section.integer("poll_ms", 5, 500),
        settle_ms=section.integer("settle_ms", 50, 2000),
    )


def _measuring(section: Section) -> Measuring:
    section.only(each.name for each in fields(Measuring))
    measuring = Measuring(
        touch_threshold=section.integer("touch_threshold", 1, 255),
        release_threshold=section.integer("release_threshold", 0, 254),
        touch_debounce=section.integer("touch_debounce", 0, 7),
        release_debounce=section.integer("release_debounce", 0, 7),
        charge_ua=section.integer("charge_ua", 1, 63),
        charge_us=section.choice("charge_us", CHARGE_TIMES_US),
        first_filter=section.choice("first_filter", FIRST_FILTERS),
        second_filter=section.choice("second_filter", SECOND_FILTERS),
        interval_ms=section.choice("interval_ms", INTERVALS_MS),
        automatic=section.flag("automatic"),
    )
    if measuring.release_threshold >= measuring.touch_threshold:
        allowed = f"less than touch_threshold, {measuring.touch_threshold}"
        raise section.fault("release_threshold", str(measuring.release_threshold), allowed)
    return measuring


def _power(section: Section, pixel_count: int) -> Power:
    section.only(each.name for each in fields(Power))
    # The pixels' own controllers draw their share also when all is dark, so it must fit.
    least_ma = int(pixel_count * IDLE_MA) + 1
    return Power(
        brightness=section.number("brightness", 0.0, 1.0),
        gamma=section.number("gamma", 1.0, 4.0),
        budget_ma=section.integer("budget_ma", least_ma, 100_000),
        channel_ma=section.integer("channel_ma", 1, 100)
        if section.has("channel_ma")
        else CHANNEL_MA,
    )


def _night(section: Section) -> Night:
    section.only(each.name for each in fields(Night))
    night = Night(
        start=section.clock("start"),
        end=section.clock("end"),
        brightness=section.number("brightness", 0.0, 1.0),
    )
    if night.start == night.end:
        written = f'"{night.end // 60:02}:{night.end % 60:02}"'
        raise section.fault("end", written, "another time than start")
    return night
