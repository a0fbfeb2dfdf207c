"""An emulated computer: the I2C wires, multiplexers, pins and pixels of a profile."""

import errno
import os
import threading
from typing import Any, Protocol

from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory

from hal.backends.pi import RaspberryPi
from hal.base.errors import BackendError, LightsFault
from hal.drivers.spi import CLOCK_HZ, SpiPixels, decode
from hal.lights import Colour, Frame, Pixels
from hal.profile import MUX_CHANNELS, Chip, Pin, Profile, Strip
from hal.sim.body import Body

_FREQUENCY_HZ = 400_000
_BITS_A_BYTE = 9  # eight and the acknowledgement
TIMEOUT_S = 0.05
"""How long a host waits on a held bus by default: what `hal.drivers.i2c` sets on Linux."""


class I2cChip(Protocol):
    """A chip at one I2C address."""

    def write(self, data: bytes) -> None:
        """Take what the host writes between start and stop."""

    def read(self, count: int) -> bytes:
        """Return as many bytes as the host reads."""


class I2cCable:
    """The chips of one pair of wires, each at its address."""

    def __init__(self) -> None:
        self._chips: dict[int, I2cChip] = {}
        self.stuck = False  # whether a hanging chip holds the data wire low

    def attach(self, address: int, chip: I2cChip) -> None:
        """Attach a chip to the wires, at an address that is free there."""
        self._chips[address] = chip

    def detach(self, address: int) -> I2cChip:
        """Detach a chip from the wires, as a broken wire does, and return it."""
        return self._chips.pop(address)

    def find(self, address: int) -> I2cChip | None:
        """Return the chip that acknowledges an address, the first one of several; None for none."""
        found = self._chips.get(address)
        for mux in self._chips.values():
            if isinstance(mux, EmulatedTca9548a):
                for n, wires in enumerate(mux.channels):
                    if mux.control >> n & 1:
                        found = found or wires.find(address)
        return found


class EmulatedTca9548a:
    """A multiplexer, after the TI data sheet SCPS207; chips are attached to `channels`."""

    def __init__(self) -> None:
        self.channels = tuple(I2cCable() for _ in range(MUX_CHANNELS))
        self.control = 0  # "power-up default: no channel selected"

    def write(self, data: bytes) -> None:
        """Take the bytes of one write: "if multiple bytes are received, it saves the last"."""
        if data:
            self.control = data[-1]

    def read(self, count: int) -> bytes:
        return bytes([self.control]) * count


class EmulatedI2CBus(I2cCable):
    """The host's end of a bus, with Linux's error numbers; `busy_s` is the time on real wires."""

    def __init__(self) -> None:
        super().__init__()
        self.busy_s = 0.0
        self.timeout_s = TIMEOUT_S
        self._lock = threading.Lock()

    def try_lock(self) -> bool:
        """Take the bus if it is free; return whether that succeeded."""
        return self._lock.acquire(blocking=False)

    def unlock(self) -> None:
        self._lock.release()

    def writeto(
        self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None
    ) -> None:
        """Write bytes; raises OSError."""
        self._transfer(address, bytes(buffer[start:end]), None)

    def readfrom_into(
        self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None
    ) -> None:
        """Fill a buffer with bytes; raises OSError."""
        count = len(buffer[start:end])
        buffer[start : start + count] = self._transfer(address, None, count)

    def writeto_then_readfrom(
        self,
        address: int,
        out_buffer: bytes,
        in_buffer: bytearray,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        """Write, then read after a repeated start; raises OSError."""
        count = len(in_buffer[in_start:in_end])
        said = self._transfer(address, bytes(out_buffer[out_start:out_end]), count)
        in_buffer[in_start : in_start + count] = said

    def _transfer(self, address: int, data: bytes | None, count: int | None) -> bytes:
        """Write `data` and read `count` bytes; skip either if it is None."""
        if self.stuck:
            self.busy_s += self.timeout_s
            raise OSError(errno.ETIMEDOUT, "the bus is held by a chip that hangs")
        chip = self.find(address)
        # The address comes first, and again between a write and a read.
        sizes = [0] if chip is None else [len(data or b""), *([] if count is None else [count])]
        self.busy_s += sum(1 + size for size in sizes) * _BITS_A_BYTE / _FREQUENCY_HZ
        if chip is None:
            raise OSError(errno.EREMOTEIO, f"no chip answers at address 0x{address:X}")
        if data is not None:
            chip.write(data)
        return b"" if count is None else chip.read(count)


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
    """Pixels at the end of an SPI line; `failing` is the errno that each write raises, or 0."""

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
