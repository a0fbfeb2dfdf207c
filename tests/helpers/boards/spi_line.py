"""An SPI line whose pixels keep to their data sheets, and the kernel's spidev above it."""

import ctypes
import errno
import os
import struct
from array import array

from hal.drivers.spi import CLOCK_HZ
from hal.sim.platform import EmulatedSpi
from tests.helpers.boards.pixel_receiver import SK6812, WS2812B_V5, PixelReceiver

CORE_HZ = 250e6
"""The core's clock of most Pis at rest, and of all with `core_freq=250`."""
# Shortest pause of the line between two transfers, from the system calls around them.
_PAUSE_S = 1e-3
_MESSAGE = 0x40206B00  # SPI_IOC_MESSAGE(1): write, 32 bytes, type "k", number 0
_TRANSFER = struct.Struct("=QQIIHBBBBH")  # struct spi_ioc_transfer
_BUFFER = 4096
_MODE, _LSB_FIRST, _BITS, _SPEED = 1, 2, 3, 4


def clock_on(core_hz: float, wanted_hz: float = CLOCK_HZ) -> float:
    """Return the clock that an SPI controller makes of the wanted one.

    The drivers of all Pis take the next even divider of their core's clock that is not too fast
    (Linux, spi-bcm2835.c and spi-dw-core.c).
    """
    divider = int(-(-core_hz // wanted_hz))
    return core_hz / (divider + divider % 2)


class SpiLine(EmulatedSpi):
    """Show the frames that keep to the data sheet's times."""

    def __init__(self, pixels: int, order: str = "GRB") -> None:
        super().__init__(pixels, order)
        self._sheet = SK6812 if "W" in order else WS2812B_V5
        self.retime(clock_on(CORE_HZ))

    def retime(self, clock_hz: float) -> None:
        """Set the clock of the line, as when the core's changes."""
        self._receiver = PixelReceiver(self._sheet, clock_hz)

    def writebytes(self, data: bytes) -> None:
        if self.failing:
            raise OSError(self.failing, os.strerror(self.failing))
        for frame in [*self._receiver.receive(data), *self._receiver.rest(_PAUSE_S)]:
            self.receive(frame)


class EmulatedSpidev:
    """Stand in for the kernel behind an open spidev node: `ioctl` takes what `fcntl.ioctl` does."""

    def __init__(self, line: SpiLine, core_hz: float = CORE_HZ) -> None:
        self.settings = {_MODE: 0, _LSB_FIRST: 0, _BITS: 8, _SPEED: 500_000}
        self._line = line
        self._core_hz = core_hz

    def ioctl(
        self, handle: int, request: int, argument: "bytes | array[int]", mutate: bool = True
    ) -> int:
        """Do what is asked; raise OSError as the kernel would."""
        os.fstat(handle)  # a closed handle is an error here, as in the real kernel
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
        if length > _BUFFER:
            raise OSError(errno.EMSGSIZE, os.strerror(errno.EMSGSIZE))
        self._line.writebytes(ctypes.string_at(send, length))
        return length
