"""Reads TOML files that people write, profiles above all; errors name file, key and value.

A profile's keys are checked by their types, then by the rules between keys.
"""

import tomllib
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

from firmware.messages import MOST_KEYS, MOST_LEVELS
from hal.base import schema
from hal.base.errors import ProfileError
from hal.base.files import decoded, read_whole
from hal.base.schema import Meta, SchemaError, Struct, either
from hal.lights import IDLE_MA, Power
from hal.profile.profile import (
    BUS_PINS,
    CHARGE_TIMES_US,
    ELECTRODES,
    FIRST_ADDRESS,
    FIRST_MUX,
    LAST_ADDRESS,
    LAST_MUX,
    MOST_CHIPS,
    MUX_CHANNELS,
    PICO_DRIVER,
    STRIP_PINS,
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
)

_T = TypeVar("_T")


def read_as(path: Path, kind: type[_T]) -> _T:
    """Read a TOML file as a type; raise ProfileError for one that is unreadable or invalid."""
    with named(path):
        return schema.convert(tomllib.loads(decoded(read_whole(path))), kind)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Turn what can be wrong with a TOML file into a ProfileError that names file and key."""
    try:
        yield
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ProfileError(f"{path}: is no text: allowed is TOML in UTF-8") from error
    except SchemaError as error:
        *sections, key = [str(each) for each in error.path if not isinstance(each, int)]
        where = f"[{'.'.join(sections)}] {key}" if sections else key
        what, allowed = error.what, error.allowed.replace("an object", "a table")
        if isinstance(error.value, int) and "0x" in allowed:
            what = f"is 0x{error.value:X}"
        raise ProfileError(f"{path}: {where} {what}; allowed: {allowed}") from None
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path}: is no valid TOML: {error}") from error


_BOARDS = Path(__file__).parents[1] / "boards"
AUTO_PORT = "auto"
"""The port that is found by the USB id of a Pico."""
_LAST_BUS = 99  # the kernel numbers each channel of a multiplexer as a bus
# The 40 pins of a Raspberry Pi by BCM numbers, and the edge of a Pico by GP numbers: 23 to 25 are
# its own, for supply, USB and LED.
_PI_PINS = (*range(28),), "a whole number from 0 to 27"
_PICO_PINS = (*range(23), 26, 27, 28), "a whole number from 0 to 22, or from 26 to 28"
# RP2040 data sheet, section 1.4.3: the pins of each I2C controller that are on a Pico's edge.
_BUS_PINS = {
    (0, "sda"): (0, 4, 8, 12, 16, 20),
    (0, "scl"): (1, 5, 9, 13, 17, 21),
    (1, "sda"): (2, 6, 10, 14, 18, 26),
    (1, "scl"): (3, 7, 11, 15, 19, 27),
}
_KEY_RULE = "{ pin = ... } or { chip = ..., electrode = ... }"
_PORT_RULE = f'"{AUTO_PORT}", or a device or an URL of pyserial, on one line'
_LINE = r"^[^\x00-\x1f\x7f-\x9f]+\Z"  # no control characters, which affect a terminal

_Name = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z][A-Za-z0-9_]*\Z", title="a letter, then letters, digits and underscores"
    ),
]
_FileName = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}\Z",
        title="up to 60 letters, digits, dots, hyphens and underscores, a letter or digit first",
    ),
]
_Natural = Annotated[int, Meta(ge=0)]
_Number = Annotated[int, Meta(ge=0, le=ELECTRODES - 1)]


def _hex(low: int, high: int) -> Meta:
    return Meta(ge=low, le=high, title=f"a whole number from 0x{low:X} to 0x{high:X}")


class _Table(Struct, forbid_unknown_fields=True):
    """A table of the file."""


class _Chip(_Table):
    bus: Annotated[int, Meta(ge=0, le=_LAST_BUS)]
    address: Annotated[int, _hex(FIRST_ADDRESS, LAST_ADDRESS)]
    mux: Annotated[int, _hex(FIRST_MUX, LAST_MUX)] | None = None
    channel: Annotated[int, Meta(ge=0, le=MUX_CHANNELS - 1)] | None = None
    kind: Literal["mpr121"] = "mpr121"  # only one kind exists yet


class _Pin(_Table):
    pin: int


class _Cell(_Table):
    chip: str
    electrode: _Number
    pixel: _Natural | None = None


class _Key(_Table):
    pin: int | None = None
    chip: str | None = None
    electrode: _Number | None = None


class _Pico(_Table):
    port: Annotated[str, Meta(pattern=_LINE, title=_PORT_RULE)]
    buses: dict[Literal["0", "1"], BusPins]


class _File(_Table):
    """A whole profile. Its name is a file name too: other files of the board are named after it."""

    name: _FileName
    title: Annotated[str, Meta(pattern=_LINE, title="a text on one line")]
    sensing: Sensing
    measuring: Measuring
    chips: Annotated[dict[_Name, _Chip], Meta(min_length=1, max_length=MOST_CHIPS)]
    strip: Strip
    interrupt: _Pin
    cells: Annotated[dict[_Name, _Cell], Meta(min_length=1)]
    keys: dict[_Name, _Key]
    lights: dict[_Name, Annotated[list[_Natural], Meta(min_length=1)]]
    power: Power
    night: Night | None = None
    pico: _Pico | None = None
    geometry: Any = None  # ignored: profiles from older versions have it


def built_in_names() -> tuple[str, ...]:
    """List the profiles that come with the package."""
    return tuple(sorted(path.stem for path in _BOARDS.glob("*.toml")))


def built_in(name: str = "hexagon-61") -> Profile:
    """Load a profile that comes with the package; raise ProfileError when there is none."""
    names = built_in_names()
    if name not in names:
        raise ProfileError(f'board "{name}" is unknown: allowed are {", ".join(names)}')
    return load(_BOARDS / f"{name}.toml")


def load(path: Path) -> Profile:
    """Load and check a profile; raise ProfileError for the first invalid value."""
    with named(path):
        return parsed(decoded(read_whole(path)))


def parsed(text: str) -> Profile:
    """Parse and check the text of a profile; raises what `named` turns into a ProfileError."""
    file = schema.convert(tomllib.loads(text), _File)
    _check_chips(file)
    _check_strip(file)
    _check_values(file)
    _check_keys(file)
    _check_used_once(file)
    pixels = {name: cell.pixel for name, cell in file.cells.items() if cell.pixel is not None}
    for group, numbers in file.lights.items():
        pixels.update((f"{group}.{place}", pixel) for place, pixel in enumerate(numbers))
    cells = {name: Electrode(cell.chip, cell.electrode) for name, cell in file.cells.items()}
    keys: dict[str, Key] = {
        name: Electrode(key.chip or "", key.electrode or 0) if key.pin is None else Pin(key.pin)
        for name, key in file.keys.items()
    }
    return Profile(
        name=file.name,
        title=file.title,
        sensing=file.sensing,
        measuring=file.measuring,
        chips=tuple(_chip(name, table) for name, table in file.chips.items()),
        interrupt_pin=file.interrupt.pin,
        cells=MappingProxyType(cells),
        pixels=MappingProxyType(pixels),
        strip=file.strip,
        keys=MappingProxyType(keys),
        power=file.power,
        night=file.night,
        lights=MappingProxyType({group: len(each) for group, each in file.lights.items()}),
        pico=None if file.pico is None else Pico(file.pico.port, MappingProxyType(_buses(file))),
    )


def _chip(name: str, table: _Chip) -> Chip:
    return Chip(name, table.bus, table.address, table.mux, table.channel)


def _buses(file: _File) -> dict[int, BusPins]:
    return {int(number): pins for number, pins in file.pico.buses.items()} if file.pico else {}


def _check_chips(file: _File) -> None:
    buses = _buses(file)
    for number, bus in buses.items():
        for line, pin in (("sda", bus.sda), ("scl", bus.scl)):
            pins = _BUS_PINS[number, line]
            _check(pin in pins, f"is {pin}", either(pins), "pico", "buses", str(number), line)
    known: list[Chip] = []
    for name, table in file.chips.items():
        chip, path = _chip(name, table), ("chips", name)
        paired = (chip.mux is None) == (chip.channel is None)
        _check(paired, "is half behind a multiplexer", "mux and channel, or none of them", *path)
        if file.pico is not None:
            allowed = "none with [pico]: its chips are on the bus itself"
            _check(chip.mux is None, "has a multiplexer", allowed, *path)
            allowed = f"{either(buses)}, a bus of [pico.buses]"
            _check(chip.bus in buses, f"is {chip.bus}", allowed, *path, "bus")
        for other in filter(chip.collides, known):
            allowed = f"one that no other chip answers: chip {other.name} is at {other.place}"
            raise SchemaError((*path, "address"), f"is 0x{chip.address:X}", allowed)
        known.append(chip)


def _check_strip(file: _File) -> None:
    strip = file.strip
    driver = f"is {schema.short(strip.driver)}"
    if file.pico is not None:
        allowed = f'"{PICO_DRIVER}" with [pico]'
        _check(strip.driver == PICO_DRIVER, driver, allowed, "strip", "driver")
        most = MOST_LEVELS // len(strip.order)
        allowed = f"1 to {most} of {len(strip.order)} colours with [pico]"
        _check(strip.pixels <= most, f"is {strip.pixels}", allowed, "strip", "pixels")
        return
    ways = [f'"{way}" on GPIO{either(pins)}' for way, pins in STRIP_PINS.items()]
    allowed = f'{", ".join(ways)}, or "{PICO_DRIVER}" with [pico]'
    _check(strip.driver in STRIP_PINS, driver, allowed, "strip", "driver")
    pins = STRIP_PINS[strip.driver]
    allowed = f'{either(pins)} with driver "{strip.driver}"'
    _check(strip.pin in pins, f"is {strip.pin}", allowed, "strip", "pin")


def _check_values(file: _File) -> None:
    measuring, pixels, budget_ma = file.measuring, file.strip.pixels, file.power.budget_ma
    charge_us, times = measuring.charge_us, either(CHARGE_TIMES_US)
    _check(charge_us in CHARGE_TIMES_US, f"is {charge_us}", times, "measuring", "charge_us")
    touch, release = measuring.touch_threshold, measuring.release_threshold
    allowed = f"less than touch_threshold, {touch}"
    _check(release < touch, f"is {release}", allowed, "measuring", "release_threshold")
    # The pixels' controllers draw current even when all is dark: that must be within the budget.
    least_ma = int(pixels * IDLE_MA) + 1
    allowed = f"a whole number from {least_ma} on for {pixels} pixels"
    _check(budget_ma >= least_ma, f"is {budget_ma}", allowed, "power", "budget_ma")


def _check_keys(file: _File) -> None:
    for name, key in file.keys.items():
        _check(name not in file.cells, "is a cell too", "a name that no cell has", "keys", name)
        given = [part for part, value in schema.asdict(key).items() if value is not None]
        what = f"has {', '.join(given) or 'no keys'}"
        _check(given in (["pin"], ["chip", "electrode"]), what, _KEY_RULE, "keys", name)
    buttons = sum(key.pin is not None for key in file.keys.values())
    few = file.pico is None or buttons <= MOST_KEYS
    _check(few, f"has {buttons} keys on pins", f"up to {MOST_KEYS} with [pico]", "keys")


def _check_used_once(file: _File) -> None:
    last = file.strip.pixels - 1
    there: dict[str, tuple[Container[Any], str]] = {
        "chip": (file.chips, " or ".join(f'"{each}"' for each in file.chips)),
        "pin": _PI_PINS if file.pico is None else _PICO_PINS,
        "pixel": (range(last + 1), f"a whole number from 0 to {last}"),
    }
    users: dict[tuple[str, object], str] = {}
    for thing, which, user, *path in _uses(file):
        if thing in there:
            known, rule = there[thing]
            _check(which in known, f"is {schema.short(which)}", rule, *path)
        if thing != "chip":
            allowed = f"each {thing} once: this one is used by {users.get((thing, which))}"
            _check((thing, which) not in users, f"is {which}", allowed, *path)
            users[thing, which] = user


def _uses(file: _File) -> Iterator[tuple[Any, ...]]:
    """Yield each use of a thing: kind, name, user, path; first the pins of a Pi's buses."""
    for number in {chip.bus for chip in file.chips.values()} if file.pico is None else ():
        for pin, line in zip(BUS_PINS.get(number, ()), ("SDA", "SCL"), strict=False):
            yield "pin", pin, f"{line} of I2C bus {number}"
    for number, bus in _buses(file).items():
        for line, pin in (("sda", bus.sda), ("scl", bus.scl)):
            user = f"{line.upper()} of I2C bus {number}"
            yield "pin", pin, user, "pico", "buses", str(number), line
    yield "pin", file.strip.pin, "the strip", "strip", "pin"
    yield "pin", file.interrupt.pin, "the interrupt line", "interrupt", "pin"
    for kind, tables in (("cell", file.cells), ("key", file.keys)):
        for name, table in tables.items():
            user, where = f"{kind} {name}", (f"{kind}s", name)
            if isinstance(table, _Key) and table.pin is not None:
                yield "pin", table.pin, user, *where, "pin"
                continue
            yield "chip", table.chip, user, *where, "chip"
            pad = f"{table.electrode} of chip {table.chip}"
            yield "electrode", pad, user, *where, "electrode"
            if isinstance(table, _Cell) and table.pixel is not None:
                yield "pixel", table.pixel, user, *where, "pixel"
    for group, numbers in file.lights.items():
        for place, pixel in enumerate(numbers):
            yield "pixel", pixel, f"light {group}.{place}", "lights", group


def _check(right: bool, what: str, allowed: str, *path: str) -> None:
    if not right:
        raise SchemaError(path, what, allowed)
