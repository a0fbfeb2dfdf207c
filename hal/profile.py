"""Board profiles: which electrode, pixel and pin belong to which cell, light and key.

Owns the meaning of a profile file and the checks across its sections. Must not know games.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from types import MappingProxyType

from hal.errors import ProfileError
from hal.light import IDLE_MA, Power
from hal.toml_reader import Section, read

FIRST_ADDRESS, LAST_ADDRESS = 0x5A, 0x5D  # MPR121 data sheet: what the ADDR pin can select
ELECTRODES = 12
_LAST_PIN = 27  # the Pi's 40-pin header, BCM numbers
_I2C_PINS = {2: "SDA of I2C bus 1", 3: "SCL of I2C bus 1"}


@dataclass(frozen=True, slots=True)
class Sensing:
    """Say how touches are felt: times in ms, thresholds in counts of the chip's reading."""

    mode: str
    press_ms: int
    release_ms: int
    hold_ms: int
    palm_cells: int
    poll_ms: int
    touch_threshold: int
    release_threshold: int


@dataclass(frozen=True, slots=True)
class Chip:
    """Name one MPR121 and the I2C bus and address where it answers."""

    name: str
    bus: int
    address: int


@dataclass(frozen=True, slots=True)
class Electrode:
    """Name one sensor pad by its chip and its number there, 0 to 11."""

    chip: str
    electrode: int


@dataclass(frozen=True, slots=True)
class Strip:
    """Say where the pixels hang: the BCM number of the data pin."""

    pin: int


@dataclass(frozen=True, slots=True)
class Profile:
    """Describe one board. `pixels` maps cells ("e5") and lights ("circle.0") to pixel numbers."""

    name: str
    title: str
    sensing: Sensing
    chips: tuple[Chip, ...]
    interrupt_pin: int
    cells: Mapping[str, Electrode]
    pixels: Mapping[str, int]
    pixel_count: int
    strip: Strip
    keys: Mapping[str, int]
    power: Power
    lights: Mapping[str, int]


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
    chips = _chips(root.section("chips"))
    strip = root.section("strip")
    pins = _Taken("pin")
    if any(chip.bus == 1 for chip in chips):
        pins.reserve(_I2C_PINS)
    pixel_count = strip.integer("pixels", 1, 2000)
    pixels: dict[str, int] = {}
    taken = _Taken("pixel")
    keys = root.section("keys")
    interrupt = root.section("interrupt")
    profile = Profile(
        name=root.text("name"),
        title=root.text("title"),
        sensing=_sensing(root.section("sensing")),
        chips=chips,
        interrupt_pin=_pin(interrupt, "pin", pins, "the interrupt line"),
        strip=Strip(_pin(strip, "pin", pins, "the strip")),
        keys=MappingProxyType(
            {key: _pin(keys, key, pins, f"key {key}") for key in keys.names(required=False)}
        ),
        cells=MappingProxyType(_cells(root.section("cells"), chips, pixel_count, pixels, taken)),
        lights=MappingProxyType(_lights(root.section("lights"), pixel_count, pixels, taken)),
        pixels=MappingProxyType(pixels),
        pixel_count=pixel_count,
        power=_power(root.section("power"), pixel_count),
    )
    for section in (root, strip, interrupt):
        section.done()
    for key in profile.keys:
        if key in profile.cells:
            raise keys.fault(key, str(profile.keys[key]), "a name that no cell has")
    return profile


class _Taken:
    """What is used already, and by whom, of things that can be used once only."""

    def __init__(self, thing: str) -> None:
        self._thing = thing
        self._users: dict[object, str] = {}

    def reserve(self, users: Mapping[int, str]) -> None:
        self._users.update(users.items())

    def take(self, section: Section, key: str, value: object, user: str) -> None:
        if value in self._users:
            allowed = f"each {self._thing} once: this one is used by {self._users[value]}"
            raise section.fault(key, str(value), allowed)
        self._users[value] = user


def _pin(section: Section, key: str, pins: _Taken, user: str) -> int:
    pin = section.integer(key, 0, _LAST_PIN)
    pins.take(section, key, pin, user)
    return pin


def _sensing(section: Section) -> Sensing:
    sensing = Sensing(
        mode=section.text("mode", ("touch",)),
        press_ms=section.integer("press_ms", 5, 40),
        release_ms=section.integer("release_ms", 5, 200),
        hold_ms=section.integer("hold_ms", 100, 10_000),
        palm_cells=section.integer("palm_cells", 3, 12),
        poll_ms=section.integer("poll_ms", 5, 1000),
        touch_threshold=section.integer("touch_threshold", 1, 255),
        release_threshold=section.integer("release_threshold", 0, 254),
    )
    section.done()
    if sensing.release_threshold >= sensing.touch_threshold:
        allowed = f"less than touch_threshold, {sensing.touch_threshold}"
        raise section.fault("release_threshold", str(sensing.release_threshold), allowed)
    return sensing


def _chips(section: Section) -> tuple[Chip, ...]:
    chips: list[Chip] = []
    places = _Taken("address of a bus")
    for name in section.names():
        table = section.section(name)
        bus = table.integer("bus", 0, 31)
        address = table.integer("address", FIRST_ADDRESS, LAST_ADDRESS, base=16)
        places.take(table, "address", f"0x{address:X} on bus {bus}", f"chip {name}")
        table.done()
        chips.append(Chip(name, bus, address))
    return tuple(chips)


def _cells(
    section: Section,
    chips: tuple[Chip, ...],
    pixel_count: int,
    pixels: dict[str, int],
    taken: _Taken,
) -> dict[str, Electrode]:
    cells: dict[str, Electrode] = {}
    electrodes = _Taken("electrode")
    for cell in section.names():
        table = section.section(cell)
        chip = table.text("chip", (each.name for each in chips))
        electrode = table.integer("electrode", 0, ELECTRODES - 1)
        electrodes.take(table, "electrode", f"{electrode} of chip {chip}", f"cell {cell}")
        pixels[cell] = table.integer("pixel", 0, pixel_count - 1)
        taken.take(table, "pixel", pixels[cell], f"cell {cell}")
        table.done()
        cells[cell] = Electrode(chip, electrode)
    return cells


def _lights(
    section: Section, pixel_count: int, pixels: dict[str, int], taken: _Taken
) -> dict[str, int]:
    groups: dict[str, int] = {}
    for group in section.names(required=False):
        numbers = section.integers(group, 0, pixel_count - 1)
        for place, pixel in enumerate(numbers):
            taken.take(section, group, pixel, f"light {group}.{place}")
            pixels[f"{group}.{place}"] = pixel
        groups[group] = len(numbers)
    return groups


def _power(section: Section, pixel_count: int) -> Power:
    # The pixels' own controllers draw their share also when all is dark, so it must fit.
    least_ma = int(pixel_count * IDLE_MA) + 1
    power = Power(
        brightness=section.number("brightness", 0.0, 1.0),
        gamma=section.number("gamma", 1.0, 4.0),
        budget_ma=section.integer("budget_ma", least_ma, 100_000),
    )
    section.done()
    return power
