"""The kernel's spidev above an emulated SPI line, as `Adafruit_PureIO` uses it."""

import ctypes
import errno
import os
import struct
from array import array

from tests.helpers.boards.spi_line import CORE_HZ, SpiLine, clock_on

_MESSAGE = 0x40206B00  # SPI_IOC_MESSAGE(1): write, 32 bytes, type "k", number 0
_TRANSFER = struct.Struct("=QQIIHBBBBH")  # struct spi_ioc_transfer
_MODE, _LSB_FIRST, _BITS, _SPEED = 1, 2, 3, 4


class EmulatedSpidev:
    """Stand in for the kernel behind an open spidev node: `ioctl` takes what `fcntl.ioctl` does."""

    def __init__(self, line: SpiLine, *, bufsiz: int = 4096, core_hz: float = CORE_HZ) -> None:
        self.settings = {_MODE: 0, _LSB_FIRST: 0, _BITS: 8, _SPEED: 500_000}
        self._line = line
        self._bufsiz = bufsiz
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
        if length > self._bufsiz:
            raise OSError(errno.EMSGSIZE, os.strerror(errno.EMSGSIZE))
        self._line.writebytes(ctypes.string_at(send, length))
        return length
