"""The /dev/i2c-* files of Linux over emulated buses, as `Adafruit_PureIO` opens and uses them.

Put `open`, `ioctl` and `exists` in the place of the real ones, in the modules that call them.
"""

import ctypes
import errno
import os
from collections.abc import Callable, Collection, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from hal.sim.bus import EmulatedI2CBus

I2C_RETRIES = 0x0701
I2C_TIMEOUT = 0x0702
I2C_SLAVE = 0x0703
I2C_RDWR = 0x0707
_READ = 0x0001  # I2C_M_RD
_MOST_BYTES = 8192  # of one message
_DEFAULT_TIMEOUT_S = 1.0
_FIRST_DESCRIPTOR = 1 << 20  # far above those that the real kernel gives


class EmulatedI2cDev:
    """Be the kernel for some buses, by number.

    `zero_length=False` refuses messages without bytes, as the adapter of a Pi 5 does, and `claimed`
    are addresses that a driver inside the kernel keeps for itself.
    """

    def __init__(
        self,
        buses: Mapping[int, EmulatedI2CBus],
        *,
        zero_length: bool = True,
        claimed: Collection[int] = (),
    ) -> None:
        self._buses = dict(buses)
        self._zero_length = zero_length
        self._claimed = frozenset(claimed)
        self._descriptors = count(_FIRST_DESCRIPTOR)
        self._files: dict[int, _DeviceFile] = {}
        for bus in self._buses.values():
            bus.timeout_s = _DEFAULT_TIMEOUT_S

    def exists(self, path: str | Path) -> bool:
        """Return whether there is such a file."""
        return self._bus(path) is not None

    def open(self, path: str | Path, mode: str = "r", buffering: int = -1) -> "_DeviceFile":
        """Open a bus's file, for reading and writing without a buffer."""
        bus = self._bus(path)
        if bus is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        if mode != "r+b" or buffering != 0:
            raise ValueError(f'mode "{mode}", buffering {buffering}: allowed is "r+b", 0')
        descriptor = next(self._descriptors)
        self._files[descriptor] = _DeviceFile(descriptor, bus, self._check, self._close)
        return self._files[descriptor]

    def ioctl(self, descriptor: int, request: int, argument: Any = 0) -> int:
        """Do what i2c-dev does for a request; raise OSError as it does."""
        file = self._files[descriptor]
        if request == I2C_RDWR:
            return self._exchange(file.bus, argument)
        if request == I2C_TIMEOUT:
            file.bus.timeout_s = argument / 100
        elif request == I2C_RETRIES:
            file.bus.retries = argument
        elif request == I2C_SLAVE:
            if argument in self._claimed:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            file.address = argument
        else:
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        return 0

    def _exchange(self, bus: EmulatedI2CBus, request: Any) -> int:
        """Carry messages that end with one stop: a write, a read, or both for one address."""
        messages = [request.msgs[n] for n in range(request.nmsgs)]
        for message in messages:
            self._check(message.len)
        reads = [bool(message.flags & _READ) for message in messages]
        out = ctypes.string_at(messages[0].buf, messages[0].len) if messages[0].len else b""
        said = bytearray(messages[-1].len)
        address = messages[0].addr
        match reads:
            case [False]:
                bus.writeto(address, out)
            case [True]:
                bus.readfrom_into(address, said)
            case [False, True] if address == messages[1].addr:
                bus.writeto_then_readfrom(address, out, said)
            case _:
                raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        if reads[-1]:
            ctypes.memmove(messages[-1].buf, bytes(said), len(said))
        return len(messages)

    def _check(self, length: int) -> None:
        if length > _MOST_BYTES:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        if length == 0 and not self._zero_length:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    def _bus(self, path: str | Path) -> EmulatedI2CBus | None:
        folder, _, number = str(path).partition("/i2c-")
        return self._buses.get(int(number)) if folder == "/dev" and number.isdigit() else None

    def _close(self, descriptor: int) -> None:
        self._files.pop(descriptor, None)


class BusOfPins(EmulatedI2CBus):
    """A bus that i2c-gpio drives.

    With SCL held each poll of an address spins for 0.1 s, and so does each stop, whatever
    I2C_TIMEOUT says; then no chip has answered (i2c-algo-bit.c).
    """

    retries = 3

    def _address(self, address: int, data: bytes | None, count: int | None) -> Any:
        self.timeout_s = 0.2 * (1 + self.retries)
        try:
            return super()._address(address, data, count)
        except OSError as error:
            raise OSError(errno.ENXIO, os.strerror(errno.ENXIO)) from error


class _DeviceFile:
    """One opened bus, and the address that was selected for it."""

    def __init__(
        self,
        descriptor: int,
        bus: EmulatedI2CBus,
        check: Callable[[int], None],
        closed: Callable[[int], None],
    ) -> None:
        self.bus = bus
        self.address = 0
        self._descriptor = descriptor
        self._check = check
        self._closed = closed

    def fileno(self) -> int:
        return self._descriptor

    def read(self, size: int) -> bytes:
        self._check(size)
        said = bytearray(size)
        self.bus.readfrom_into(self.address, said)
        return bytes(said)

    def write(self, data: bytes) -> int:
        self._check(len(data))
        self.bus.writeto(self.address, bytes(data))
        return len(data)

    def close(self) -> None:
        self._closed(self._descriptor)

    def __enter__(self) -> "_DeviceFile":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
