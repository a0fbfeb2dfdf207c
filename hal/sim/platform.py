"""An emulated computer: the buses, multiplexers, pins and pixels of a profile."""

import os
from typing import Any

from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory

from hal.backends.pi import RaspberryPi
from hal.base.errors import BackendError, LightsFault
from hal.drivers.spi import CLOCK_HZ, SpiPixels, decode
from hal.lights import Colour, Frame, Pixels
from hal.profile import Chip, Pin, Profile, Strip
from hal.sim.body import Body
from hal.sim.bus import EmulatedI2CBus, EmulatedTca9548a, I2cCable

# gpiozero's mock pins are those of a Pi. A pin that only a Pico has is replaced by one that only a
# Pi has: no board uses both.
_MOCK_PINS = {28: 23}


class PixelChain:
    """Pixels in a row: `levels` has a byte per colour of a pixel, in the `order` of the wire."""

    def __init__(self, pixels: int, order: str = "GRB") -> None:
        self.order = order
        self.levels = bytes(pixels * len(order))

    def receive(self, levels: bytes) -> None:
        """Take a frame: pixels that it does not reach, or only in part, keep their levels."""
        size = len(self.order)
        heard = levels[: len(levels) // size * size][: len(self.levels)]
        self.levels = heard + self.levels[len(heard) :]

    @property
    def latched(self) -> tuple[tuple[int, int, int], ...]:
        """The colours that the pixels show, with the light of a white LED in each."""
        size = len(self.order)
        red, green, blue = (self.levels[self.order.index(each) :: size] for each in "RGB")
        if "W" not in self.order:
            return tuple(zip(red, green, blue, strict=True))
        white = self.levels[self.order.index("W") :: size]
        lit = zip(red, green, blue, white, strict=True)
        return tuple((min(255, r + w), min(255, g + w), min(255, b + w)) for r, g, b, w in lit)


class EmulatedSpi(PixelChain):
    """Pixels at the end of an SPI line; `failing` is an errno with which all fails, or 0."""

    def __init__(self, pixels: int, order: str = "GRB") -> None:
        super().__init__(pixels, order)
        self.busy_s = 0.0
        self.failing = 0

    def writebytes(self, data: bytes) -> None:
        if self.failing:
            raise OSError(self.failing, os.strerror(self.failing))
        self.receive(decode(data))
        self.busy_s += len(data) * 8 / CLOCK_HZ

    def close(self) -> None:
        """Do nothing: the line and its pixels remain, and can be opened again."""


class EmulatedPlatform(RaspberryPi):
    """The parts around a body, also of a board on a Pico: chips, pins and a strip."""

    def __init__(self, profile: Profile, body: Body) -> None:
        super().__init__()
        # Each board has its own factory: two boards in one process must not share pins.
        self._pins = MockFactory()
        self._key_pins = {
            name: self._pins.pin(_mock_pin(key.number))
            for name, key in profile.keys.items()
            if isinstance(key, Pin)
        }
        self._line_pin = self._pins.pin(_mock_pin(profile.interrupt_pin))
        body.on_line = lambda low: _drive(self._line_pin, low)
        body.on_key = lambda key, pressed: _drive(self._key_pins[key], pressed)
        self.strip = EmulatedSpi(profile.strip.pixels, profile.strip.order)
        self._buses: dict[int, EmulatedI2CBus] = {}
        for chip in profile.chips:
            self.cable(chip).attach(chip.address, body.chips[chip.name])

    def bus(self, number: int) -> EmulatedI2CBus:
        if number not in self._buses:
            have = ", ".join(map(str, sorted(self._buses)))
            raise BackendError(f"I2C bus {number} is not there: allowed are {have}")
        return self._buses[number]

    def buses(self) -> tuple[int, ...]:
        return tuple(sorted(self._buses))

    def pixels(self, strip: Strip) -> Pixels:
        if self.strip.failing:
            raise LightsFault("the emulated strip is unplugged: its device is not there")
        return SpiPixels(self.strip, strip)

    def _input(self, pin: int) -> DigitalInputDevice:
        return super()._input(_mock_pin(pin))

    def cable(self, chip: Chip) -> I2cCable:
        """Return the wires of a chip: a bus, or a channel of its multiplexer."""
        bus = self._buses.setdefault(chip.bus, EmulatedI2CBus())
        if chip.mux is None or chip.channel is None:
            return bus
        mux = bus.find(chip.mux)
        if not isinstance(mux, EmulatedTca9548a):
            mux = EmulatedTca9548a()
            bus.attach(chip.mux, mux)
        return mux.channels[chip.channel]

    def latched(self) -> Frame:
        return tuple(Colour(*levels) for levels in self.strip.latched)


def _mock_pin(number: int) -> int:
    return _MOCK_PINS.get(number, number)


def _drive(pin: Any, low: bool) -> None:
    if low:
        pin.drive_low()
    else:
        pin.drive_high()
