"""Board profiles: the contents of a profile file."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from hal.base.schema import Meta, Struct, one_of
from hal.lights import Power

FIRST_ADDRESS, LAST_ADDRESS = 0x5A, 0x5D  # MPR121 data sheet: what the ADDR pin can select
FIRST_MUX, LAST_MUX = 0x70, 0x77  # TCA9548A data sheet: what A0 to A2 can select
MUX_CHANNELS = 8
ELECTRODES = 12
MOST_CHIPS = 12
MOST_PIXELS = 2000
SPI_DRIVER, PICO_DRIVER = "spi", "pio"
STRIP_PINS = {SPI_DRIVER: (10, 20), "pwm": (12, 18), "pcm": (21,)}
"""The pins that each driver of a Raspberry Pi can send to, by BCM numbers."""

HEADER_BUS = 1  # the I2C bus of GPIO2 and 3, which every Pi's header has
# Bus 3 has no fixed pins: these are the ones that our guide's overlay uses.
BUS_PINS = {0: (0, 1), 1: (2, 3), 3: (23, 24)}

CHARGE_TIMES_US = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
TouchThreshold = Annotated[int, Meta(ge=1, le=255)]
ReleaseThreshold = Annotated[int, Meta(ge=0, le=254)]
Current = Annotated[int, Meta(ge=1, le=63)]
Time = Annotated[
    str, Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d\Z", title='a time from "00:00" to "23:59"')
]

_DAY_MINUTES = 24 * 60


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
        """The chip's place in words, for people."""
        behind = "" if self.mux is None else f"multiplexer 0x{self.mux:X} channel {self.channel}, "
        return f"bus {self.bus}, {behind}address 0x{self.address:X}"

    def collides(self, other: "Chip") -> bool:
        """Return whether both chips answer at once: a chip before a multiplexer always does."""
        if (self.bus, self.address) != (other.bus, other.address):
            return False
        direct = self.mux is None or other.mux is None
        return direct or (self.mux, self.channel) == (other.mux, other.channel)


@dataclass(frozen=True, slots=True, order=True)
class Electrode:
    """Name one sensor pad by its chip and its number there, 0 to 11; as text "CHIP.NUMBER"."""

    chip: str
    electrode: int

    @classmethod
    def parse(cls, text: str) -> "Electrode":
        """Read the text form; raise ValueError for anything else."""
        chip, _, number = text.rpartition(".")
        return cls(chip, int(number))

    def __str__(self) -> str:
        return f"{self.chip}.{self.electrode}"


@dataclass(frozen=True, slots=True)
class Pin:
    """Name one pin of the header by its BCM number."""

    number: int


Key = Pin | Electrode
"""A key: a button between a pin and ground, or a pad."""


@dataclass(frozen=True, slots=True)
class BusPins:
    """Name the pins of one I2C controller of a Pico, by their GP numbers."""

    sda: int
    scl: int


@dataclass(frozen=True, slots=True)
class Pico:
    """A Pico's buses and port: a device, a pyserial URL, or "auto" to find it by its USB id."""

    port: str
    buses: Mapping[int, BusPins]


@dataclass(frozen=True, slots=True)
class Strip:
    """How the pixels are connected: the driver, its pin and the number of pixels.

    The driver is "spi", "pwm" or "pcm" on a Pi, and "pio" on a Pico. `order` is the order of the
    colours on the wire, such as "GRB"; with a "W" in it the pixels have four colours.
    """

    driver: str
    pin: int
    pixels: Annotated[int, Meta(ge=1, le=MOST_PIXELS)]
    order: Annotated[
        str,
        Meta(
            pattern=r"^(?!.*(.).*\1)([RGB]{3}|[RGBW]{4})\Z",
            title="R, G and B, and W for pixels of four colours, in the order of the wire",
        ),
    ]


@dataclass(frozen=True, slots=True)
class Sensing:
    """How touches, or standing stones, are sensed; a stone counts after `settle_ms`."""

    mode: Annotated[str, one_of("touch", "presence")]
    press_ms: Annotated[int, Meta(ge=5, le=40)]
    release_ms: Annotated[int, Meta(ge=5, le=200)]
    hold_ms: Annotated[int, Meta(ge=100, le=10_000)]
    palm_cells: Annotated[int, Meta(ge=3, le=12)]
    poll_ms: Annotated[int, Meta(ge=5, le=500)]
    settle_ms: Annotated[int, Meta(ge=50, le=2000)]

    @property
    def stones(self) -> bool:
        """Whether the cells sense standing stones, not touches."""
        return self.mode == "presence"


@dataclass(frozen=True, slots=True)
class Measuring:
    """Settings of the chips: thresholds in counts, filters in samples, as in their registers.

    A debounce is the number of further results that must agree. With `automatic` each chip finds
    its own charge settings when it starts; the settings here are then only its first guess. Ranges
    are those of the MPR121's registers (data sheet, section 5).
    """

    touch_threshold: TouchThreshold
    release_threshold: ReleaseThreshold
    touch_debounce: Annotated[int, Meta(ge=0, le=7)]
    release_debounce: Annotated[int, Meta(ge=0, le=7)]
    automatic: bool
    charge_ua: Current
    charge_us: float
    first_filter: Literal[6, 10, 18, 34]
    second_filter: Literal[4, 6, 10, 18]
    interval_ms: Literal[1, 2, 4, 8, 16, 32, 64, 128]


class Night(Struct, frozen=True, forbid_unknown_fields=True):
    """The times of a darker strip, such as "22:30", and its brightness then."""

    start: Time
    end: Time
    brightness: Annotated[float, Meta(ge=0, le=1)]

    def covers(self, minute: int) -> bool:
        """Return whether it is night at this minute of the day; `end` is no longer night."""
        start, end = (int(each[:2]) * 60 + int(each[3:]) for each in (self.start, self.end))
        return (minute - start) % _DAY_MINUTES < (end - start) % _DAY_MINUTES


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
    strip: Strip
    keys: Mapping[str, Key]
    power: Power
    night: Night | None
    lights: Mapping[str, int]
    pico: Pico | None = None

    @property
    def pixel_count(self) -> int:
        """Return the number of pixels on the strip."""
        return self.strip.pixels

    def with_pixels(self, count: int) -> "Profile":
        """Return this board with a strip of another length."""
        return replace(self, strip=replace(self.strip, pixels=count))

    @property
    def filter_ms(self) -> int:
        """How long a chip measures a touch before it reports it.

        An MPR121 takes one sample each interval, averages them to a result, and then needs as many
        further results as its debounce says (data sheet, sections 5.8 and 5.11).
        """
        result_ms = self.measuring.second_filter * self.measuring.interval_ms
        return (1 + self.measuring.touch_debounce) * result_ms

    def pin_name(self, number: int) -> str:
        """Return a pin's name in the drawings of its computer."""
        return f"GPIO{number}" if self.pico is None else f"GP{number}"
