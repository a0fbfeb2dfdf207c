"""What is wired where: chips, electrodes, pixels and pins of a board, each used once."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from firmware.messages import MOST_KEYS, MOST_LEVELS
from hal.profile.toml_reader import Section

FIRST_ADDRESS, LAST_ADDRESS = 0x5A, 0x5D  # MPR121 data sheet: what the ADDR pin can select
FIRST_MUX, LAST_MUX = 0x70, 0x77  # TCA9548A data sheet: what A0 to A2 can select
MUX_CHANNELS = 8
ELECTRODES = 12
MOST_CHIPS = 12
MOST_PIXELS = 2000
SPI_DRIVER, PICO_DRIVER = "spi", "pio"
STRIP_PINS = {SPI_DRIVER: (10, 20), "pwm": (12, 18), "pcm": (21,)}
"""The pins that each driver of a Raspberry Pi can send to, by BCM numbers."""

HEADER_BUS = 1
"""The I2C bus of GPIO2 and 3, which every Pi's header has."""
_LAST_BUS = 99  # the kernel gives each channel of a multiplexer a number of its own
# Bus 3 has no pins of its own: those are where our guide's overlay puts it.
BUS_PINS = {0: (0, 1), 1: (2, 3), 3: (23, 24)}
_SPI_PINS = {10: (0, (7, 8, 9, 11)), 20: (1, (16, 17, 18, 19, 21))}  # data pin: bus, its others
_KEY_RULE = "{ pin = ... } or { chip = ..., electrode = ... }"


AUTO_PORT = "auto"
"""The port that is found by the USB id of a Pico."""

# RP2040 data sheet, section 1.4.3: the pins that an I2C controller can have, of those that a Pico
# brings to its edge.
SDA_PINS = {0: (0, 4, 8, 12, 16, 20), 1: (2, 6, 10, 14, 18, 26)}
SCL_PINS = {0: (1, 5, 9, 13, 17, 21), 1: (3, 7, 11, 15, 19, 27)}

_PORT_RULE = f'"{AUTO_PORT}", or a device or an URL of pyserial, on one line'
_BUSES_RULE = "0 and 1, or one of them: { sda = ..., scl = ... }"


@dataclass(frozen=True, slots=True)
class Chip:
    """Name a chip and where it answers: on a bus, or on a multiplexer's channel of that bus."""

    name: str
    bus: int
    address: int
    mux: int | None = None
    channel: int | None = None

    @property
    def place(self) -> str:
        """Say where the chip is, for people."""
        behind = "" if self.mux is None else f"multiplexer 0x{self.mux:X} channel {self.channel}, "
        return f"bus {self.bus}, {behind}address 0x{self.address:X}"

    def collides(self, other: "Chip") -> bool:
        """Tell whether both chips answer at once: a multiplexer does not hide its own bus."""
        if (self.bus, self.address) != (other.bus, other.address):
            return False
        direct = self.mux is None or other.mux is None
        return direct or (self.mux, self.channel) == (other.mux, other.channel)


@dataclass(frozen=True, slots=True)
class Electrode:
    """Name one sensor pad by its chip and its number there, 0 to 11."""

    chip: str
    electrode: int


@dataclass(frozen=True, slots=True)
class Pin:
    """Name one pin of the header by its BCM number."""

    number: int


Key = Pin | Electrode
"""What a key is: a button between a pin and ground, or a pad."""


@dataclass(frozen=True, slots=True)
class BusPins:
    """Name the pins of one I2C controller of a Pico, by their GP numbers."""

    sda: int
    scl: int


@dataclass(frozen=True, slots=True)
class Pico:
    """Say how a Raspberry Pi Pico is connected to the computer, and on which pins its buses are.

    `port` is a device or an URL of pyserial's, or "auto": the one that is found by its USB id.
    """

    port: str
    buses: Mapping[int, BusPins]


@dataclass(frozen=True, slots=True)
class Strip:
    """Say how the pixels hang: the driver, its pin and their number.

    The driver is "spi", "pwm" or "pcm" on a Pi, and "pio" on a Pico. `order` is the order of the
    colours on the wire, such as "GRB"; with a "W" in it the pixels have four colours.
    """

    driver: str
    pin: int
    pixels: int
    order: str


@dataclass(frozen=True, slots=True)
class Header:
    """Say which pins can be wired, and `rule`, which they are in words."""

    pins: tuple[int, ...]
    rule: str


PI_HEADER = Header(tuple(range(28)), "a whole number from 0 to 27")
"""The 40 pins of a Raspberry Pi, by BCM numbers."""
PICO_HEADER = Header((*range(23), 26, 27, 28), "a whole number from 0 to 22, or from 26 to 28")
"""The edge of a Pico, by GP numbers: 23 to 25 are its own, for supply, USB and LED."""


class Used:
    """Keep who uses which pin, electrode and pixel of one board: each can be used once only."""

    def __init__(self, header: Header = PI_HEADER) -> None:
        self.header = header
        self.pins = _Taken("pin")
        self.electrodes = _Taken("electrode")
        self.pixels = _Taken("pixel")


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


def read_pico(section: Section, used: Used) -> Pico:
    """Read [pico], and reserve the pins of its buses."""
    port = section.text("port", rule=_PORT_RULE)
    if not port.isprintable():
        raise section.fault("port", repr(port), _PORT_RULE)
    wired = section.section("buses", f"a table of {_BUSES_RULE}")
    section.done()
    buses = {
        number: _bus_pins(wired.section(str(number), "{ sda = ..., scl = ... }"), number, used)
        for number in SDA_PINS
        if wired.has(str(number))
    }
    wired.done()
    if not buses:
        raise wired.misfit("no bus", _BUSES_RULE)
    return Pico(port, MappingProxyType(buses))


def _bus_pins(table: Section, number: int, used: Used) -> BusPins:
    sda = table.choice("sda", SDA_PINS[number])
    used.pins.take(table, "sda", sda, f"SDA of I2C bus {number}")
    scl = table.choice("scl", SCL_PINS[number])
    used.pins.take(table, "scl", scl, f"SCL of I2C bus {number}")
    table.done()
    return BusPins(sda, scl)


def read_chips(section: Section, used: Used, pico: Pico | None = None) -> tuple[Chip, ...]:
    """Read [chips], and reserve the pins of their buses unless a Pico has said which they are."""
    names = section.names()
    if len(names) > MOST_CHIPS:
        raise section.misfit(f"{len(names)} chips", f"1 to {MOST_CHIPS}")
    chips: list[Chip] = []
    for name in names:
        table = section.section(name)
        if table.has("kind"):
            table.text("kind", ("mpr121",))  # written by hand: there is one kind
        chip = _chip(name, table) if pico is None else _chip_of_pico(name, table, pico)
        table.done()
        for other in chips:
            if chip.collides(other):
                allowed = f"one that no other chip answers: chip {other.name} is at {other.place}"
                raise table.fault("address", f"0x{chip.address:X}", allowed)
        chips.append(chip)
    for bus in {chip.bus for chip in chips} if pico is None else ():
        data_and_clock = zip(BUS_PINS.get(bus, ()), ("SDA", "SCL"), strict=False)
        used.pins.reserve({pin: f"{line} of I2C bus {bus}" for pin, line in data_and_clock})
    return tuple(chips)


def _chip(name: str, table: Section) -> Chip:
    bus = table.integer("bus", 0, _LAST_BUS)
    address = table.integer("address", FIRST_ADDRESS, LAST_ADDRESS, base=16)
    if not table.has("mux") and not table.has("channel"):
        return Chip(name, bus, address)
    mux = table.integer("mux", FIRST_MUX, LAST_MUX, base=16)
    return Chip(name, bus, address, mux, table.integer("channel", 0, MUX_CHANNELS - 1))


def _chip_of_pico(name: str, table: Section, pico: Pico) -> Chip:
    if table.has("mux") or table.has("channel"):
        raise table.misfit("a multiplexer", "none with [pico]: its chips are on the bus itself")
    buses = tuple(pico.buses)
    rule = f"{' or '.join(map(str, buses))}, a bus of [pico.buses]"
    bus = table.choice("bus", buses, rule)
    return Chip(name, bus, table.integer("address", FIRST_ADDRESS, LAST_ADDRESS, base=16))


def read_strip(section: Section, used: Used, pico: Pico | None = None) -> Strip:
    """Read [strip], and reserve the pins that its driver occupies."""
    if pico is None:
        ways = [f'"{way}" on GPIO{_either(pins)}' for way, pins in STRIP_PINS.items()]
        rule = f'{", ".join(ways)}, or "{PICO_DRIVER}" with [pico]'
        driver = section.text("driver", STRIP_PINS, rule)
        pins = STRIP_PINS[driver]
        pin = section.choice("pin", pins, f'{_either(pins)} with driver "{driver}"')
        used.pins.take(section, "pin", pin, "the strip")
        if driver == SPI_DRIVER:
            bus, others = _SPI_PINS[pin]
            used.pins.reserve(dict.fromkeys(others, f"SPI bus {bus}, which drives the strip"))
    else:
        driver = section.text("driver", (PICO_DRIVER,), f'"{PICO_DRIVER}" with [pico]')
        pin = _pin(section, used, "the strip")
    pixels = section.integer("pixels", 1, MOST_PIXELS)
    order = section.text("order")
    if sorted(order) not in (sorted("RGB"), sorted("RGBW")):
        allowed = "R, G and B, and W for pixels of four colours, in the order of the wire"
        raise section.fault("order", f'"{order}"', allowed)
    most = MOST_LEVELS // len(order)
    if pico is not None and pixels > most:
        allowed = f"1 to {most} of {len(order)} colours with [pico]"
        raise section.fault("pixels", str(pixels), allowed)
    section.done()
    return Strip(driver, pin, pixels, order)


def read_interrupt(section: Section, used: Used) -> int:
    """Read the pin of the line on which all chips ask to be read."""
    pin = _pin(section, used, "the interrupt line")
    section.done()
    return pin


def read_cells(
    section: Section, chips: tuple[Chip, ...], pixel_count: int, used: Used
) -> tuple[dict[str, Electrode], dict[str, int]]:
    """Read [cells]: the electrode of each, and its pixel unless it has none (a dead one)."""
    cells: dict[str, Electrode] = {}
    pixels: dict[str, int] = {}
    for cell in section.names():
        table = section.section(cell)
        cells[cell] = _electrode(table, chips, used, f"cell {cell}")
        if table.has("pixel"):
            pixels[cell] = table.integer("pixel", 0, pixel_count - 1)
            used.pixels.take(table, "pixel", pixels[cell], f"cell {cell}")
        table.done()
    return cells, pixels


def read_keys(
    section: Section, chips: tuple[Chip, ...], used: Used, pico: Pico | None = None
) -> dict[str, Key]:
    """Read [keys]: a pin or an electrode each."""
    keys: dict[str, Key] = {}
    for key in section.names(required=False):
        table = section.section(key, _KEY_RULE)
        if table.has("pin"):
            keys[key] = Pin(_pin(table, used, f"key {key}"))
        elif table.has("chip") or table.has("electrode"):
            keys[key] = _electrode(table, chips, used, f"key {key}")
        else:
            raise section.fault(key, "a table", _KEY_RULE)
        table.done()
    buttons = sum(isinstance(key, Pin) for key in keys.values())
    if pico is not None and buttons > MOST_KEYS:
        raise section.misfit(f"{buttons} keys on pins", f"up to {MOST_KEYS} with [pico]")
    return keys


def read_lights(
    section: Section, pixel_count: int, used: Used
) -> tuple[dict[str, int], dict[str, int]]:
    """Read [lights]: how many pixels each group has, and the pixel of each light ("circle.0")."""
    groups: dict[str, int] = {}
    pixels: dict[str, int] = {}
    for group in section.names(required=False):
        numbers = section.integers(group, 0, pixel_count - 1)
        for place, pixel in enumerate(numbers):
            used.pixels.take(section, group, pixel, f"light {group}.{place}")
            pixels[f"{group}.{place}"] = pixel
        groups[group] = len(numbers)
    return groups, pixels


def _either(numbers: tuple[int, ...]) -> str:
    return " or ".join(map(str, numbers))


def _pin(section: Section, used: Used, user: str) -> int:
    pin = section.choice("pin", used.header.pins, used.header.rule)
    used.pins.take(section, "pin", pin, user)
    return pin


def _electrode(table: Section, chips: tuple[Chip, ...], used: Used, user: str) -> Electrode:
    chip = table.text("chip", (each.name for each in chips))
    electrode = table.integer("electrode", 0, ELECTRODES - 1)
    used.electrodes.take(table, "electrode", f"{electrode} of chip {chip}", user)
    return Electrode(chip, electrode)
