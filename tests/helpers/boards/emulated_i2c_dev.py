"""The /dev/i2c-* files of Linux over emulated buses, as `Adafruit_PureIO` opens and uses them."""

import ctypes
import errno
import os
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import adafruit_extended_bus
from Adafruit_PureIO import smbus

from hal.sim.platform import EmulatedI2CBus

I2C_RETRIES = 0x0701
I2C_TIMEOUT = 0x0702
I2C_SLAVE = 0x0703
I2C_RDWR = 0x0707
_READ = 0x0001  # I2C_M_RD
_DEFAULT_TIMEOUT_S = 1.0
_FIRST_DESCRIPTOR = 1 << 20  # far above those that the real kernel gives


class EmulatedI2cDev:
    """Be the kernel for some buses, by number."""

    def __init__(self, buses: Mapping[int, EmulatedI2CBus]) -> None:
        self._buses = dict(buses)
        self._descriptors = count(_FIRST_DESCRIPTOR)
        self._files: dict[int, _DeviceFile] = {}
        for bus in self._buses.values():
            bus.timeout_s = _DEFAULT_TIMEOUT_S

    def install(self, monkeypatch) -> None:
        """Let all that opens /dev/i2c-* open the emulated files, for one test."""
        monkeypatch.setattr(smbus, "open", self.open, raising=False)
        monkeypatch.setattr(smbus, "ioctl", self.ioctl)
        monkeypatch.setattr(adafruit_extended_bus, "path", SimpleNamespace(exists=self._bus))
        monkeypatch.setattr("hal.drivers.i2c.open", self.open, raising=False)
        monkeypatch.setattr("fcntl.ioctl", self.ioctl)

    def open(self, path: str | Path, mode: str = "r", buffering: int = -1) -> "_DeviceFile":
        """Open a bus's file, for reading and writing without a buffer."""
        bus = self._bus(path)
        if bus is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        assert (mode, buffering) == ("r+b", 0)
        descriptor = next(self._descriptors)
        self._files[descriptor] = _DeviceFile(descriptor, bus)
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
            file.address = argument
        else:
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        return 0

    def _exchange(self, bus: EmulatedI2CBus, request: Any) -> int:
        """Carry messages that end with one stop: a write, a read, or both for one address."""
        messages = [request.msgs[n] for n in range(request.nmsgs)]
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

    def _bus(self, path: str | Path) -> EmulatedI2CBus | None:
        folder, _, number = str(path).partition("/i2c-")
        return self._buses.get(int(number)) if folder == "/dev" and number.isdigit() else None


class _DeviceFile:
    """One opened bus, and the address that was selected for it."""

    def __init__(self, descriptor: int, bus: EmulatedI2CBus) -> None:
        self.bus = bus
        self.address = 0
        self.fileno = lambda: descriptor

    def read(self, size: int) -> bytes:
        said = bytearray(size)
        self.bus.readfrom_into(self.address, said)
        return bytes(said)

    def write(self, data: bytes) -> int:
        self.bus.writeto(self.address, bytes(data))
        return len(data)

    def close(self) -> None:
        self.fileno = lambda: -1

    def __enter__(self) -> "_DeviceFile":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
