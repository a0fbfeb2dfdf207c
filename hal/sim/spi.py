"""Pixels at the end of an SPI line, and the kernel's spidev above it.

Owns the line as a controller drives it, and what spidev answers. Must not know frames or profiles.
"""

import ctypes
import errno
import os
import struct
import time
from array import array

from hal.drivers.ws2812 import clock_on
from hal.sim.pixels import PixelChain
from hal.sim.wire import SK6812, WS2812B_V5, Ear, Sheet

CORE_HZ = 250e6
"""The core's clock of most Pis at rest, and of all with `core_freq=250`."""

# How long the line rests between two transfers, at the least: the system calls around them.
PAUSE_S = 1e-3


class EmulatedSpi:
    """Carry pixels at the end of an SPI line; each call of `writebytes` is one transfer.

    `latched` is what the pixels show. Frames that do not keep to the data sheet's times are not
    shown: `refused` counts them, `refusal` says why. `busy_s` is the time that all transfers would
    have taken on the wire, `emulated_s` the time that the emulation took. `gap_clocks` are what the
    controller lets the line fall for between two bytes. `failing` is an errno with which transfers
    fail, as when the device is gone, or 0.
    """

    def __init__(
        self,
        pixels: int,
        order: str = "GRB",
        *,
        clock_hz: float | None = None,
        sheet: Sheet | None = None,
        gap_clocks: int = 0,
        pause_s: float = PAUSE_S,
    ) -> None:
        self.busy_s = 0.0
        self.emulated_s = 0.0
        self.failing = 0
        self.pause_s = pause_s
        self.gap_clocks = gap_clocks
        self.sheet = sheet or (SK6812 if "W" in order else WS2812B_V5)
        self.chain = PixelChain(pixels, order)
        self.clock_hz = clock_on(CORE_HZ) if clock_hz is None else clock_hz
        self._ear = Ear(self.sheet, self.clock_hz, gap_clocks)

    @property
    def latched(self) -> tuple[tuple[int, int, int], ...]:
        """Give what each pixel shows: red, green, blue."""
        return self.chain.latched

    @property
    def refused(self) -> int:
        """Count the frames that were refused since the clock was set."""
        return self._ear.refused

    @property
    def refusal(self) -> str:
        """Say what was wrong with the newest frame that was refused; empty for none."""
        return self._ear.refusal

    def retime(self, clock_hz: float) -> None:
        """Set the clock of the line, as when the core's changes."""
        if clock_hz != self.clock_hz:
            self.clock_hz = clock_hz
            self._ear = Ear(self.sheet, clock_hz, self.gap_clocks)

    def writebytes(self, data: bytes) -> None:
        """Send bytes down the line, and let it rest."""
        if self.failing:
            raise OSError(self.failing, os.strerror(self.failing))
        began = time.perf_counter()
        for frame in [*self._ear.hear(data), *self._ear.rest(self.pause_s)]:
            self.chain.hear(frame)
        self.busy_s += len(data) * (8 + self.gap_clocks) / self.clock_hz
        self.emulated_s += time.perf_counter() - began

    def close(self) -> None:
        """Do nothing: the line and its pixels stay, and can be opened again."""


_MESSAGE = 0x40206B00  # SPI_IOC_MESSAGE(1): write, 32 bytes, type "k", number 0
_TRANSFER = struct.Struct("=QQIIHBBBBH")  # struct spi_ioc_transfer
_MODE, _LSB_FIRST, _BITS, _SPEED = 1, 2, 3, 4


class EmulatedSpidev:
    """Stand in for the kernel behind an open spidev node: `ioctl` takes what `fcntl.ioctl` does."""

    def __init__(self, line: EmulatedSpi, *, bufsiz: int = 4096, core_hz: float = CORE_HZ) -> None:
        self.settings = {_MODE: 0, _LSB_FIRST: 0, _BITS: 8, _SPEED: 500_000}
        self._line = line
        self._bufsiz = bufsiz
        self._core_hz = core_hz

    def ioctl(
        self, handle: int, request: int, argument: "bytes | array[int]", mutate: bool = True
    ) -> int:
        """Do what is asked; raise OSError as the kernel would."""
        os.fstat(handle)  # a closed handle is an error here as there
        if request == _MESSAGE:
            return self._transfer(*_TRANSFER.unpack(argument))
        setting = request & 0xFF
        if setting not in self.settings:
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        if isinstance(argument, array):
            argument[0] = self.settings[setting]
        else:
            self.settings[setting] = int.from_bytes(argument, "little")
            if setting == _SPEED:
                self._line.retime(clock_on(self._core_hz, self.settings[_SPEED]))
        return 0

    def _transfer(self, send: int, receive: int, length: int, *rest: int) -> int:
        if length > self._bufsiz:
            raise OSError(errno.EMSGSIZE, os.strerror(errno.EMSGSIZE))
        self._line.writebytes(ctypes.string_at(send, length))
        return length
