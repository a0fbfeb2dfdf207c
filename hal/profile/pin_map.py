"""What is wired where: chips, electrodes, pixels and pins of a board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from hal.base.schema import Meta

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
# Bus 3 has no pins of its own: those are where our guide's overlay puts it.
BUS_PINS = {0: (0, 1), 1: (2, 3), 3: (23, 24)}


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
    pixels: Annotated[int, Meta(ge=1, le=MOST_PIXELS)]
    order: Annotated[
        str,
        Meta(
            pattern=r"^(?!.*(.).*\1)([RGB]{3}|[RGBW]{4})\Z",
            title="R, G and B, and W for pixels of four colours, in the order of the wire",
        ),
    ]
