"""The I2C buses of a Linux computer, and touch chips on them, also behind multiplexers."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adafruit_bus_device.i2c_device import I2CDevice  # type: ignore[import-untyped]
from adafruit_mpr121 import MPR121

from hal.base.errors import BackendError, SensorFault
from hal.drivers.mpr121_registers import MODE, Blocks, ChipDriver
from hal.profile import Chip

_DEV = Path("/dev")
_ADAPTERS = Path("/sys/bus/i2c/devices")
_I2C_RETRIES = 0x0701  # ioctl of i2c-dev.h, "number of times a device address should be polled"
_I2C_TIMEOUT = 0x0702  # likewise, "set timeout in units of 10 ms"
# A chip that holds the data wire would block each transfer for the kernel's own second. The longest
# transfer of ours, 130 bytes, takes 12 ms at the 100 kHz that a bus has by default.
_TIMEOUT = 5
LOAD_I2C_DEV = (
    "`sudo modprobe i2c-dev` loads the kernel module that makes it, and `echo i2c-dev | sudo tee"
    " /etc/modules-load.d/i2c-dev.conf` loads it at each start"
)
"""The remedy for a bus that the kernel drives and that has no /dev/i2c-*."""


def bus_numbers(dev: Path = _DEV) -> tuple[int, ...]:
    """List the numbers of the I2C buses that programs can open, in order."""
    names = (re.fullmatch(r"i2c-(\d+)", path.name) for path in dev.glob("i2c-*"))
    return tuple(sorted(int(name[1]) for name in names if name))


def open_bus(number: int, dev: Path = _DEV, adapters: Path = _ADAPTERS) -> Any:
    """Open an I2C bus of this computer by its device in `dev`; raises BackendError."""
    import fcntl  # not on every system

    path = dev / f"i2c-{number}"
    try:
        with open(path, "r+b", buffering=0) as file:
            fcntl.ioctl(file.fileno(), _I2C_TIMEOUT, _TIMEOUT)
            fcntl.ioctl(file.fileno(), _I2C_RETRIES, 0)
        # Imported here, because it probes the computer while it is imported.
        from adafruit_extended_bus import ExtendedI2C  # type: ignore[import-untyped]

        # A frequency would make it warn: on Linux only the system's settings decide.
        return ExtendedI2C(number, frequency=None)
    except FileNotFoundError as error:
        have = ", ".join(str(each) for each in bus_numbers(dev)) or "none"
        enabled = "an overlay in /boot/firmware/config.txt enables it, see hardware/guide/start.md"
        if (adapters / f"i2c-{number}").exists():
            enabled = LOAD_I2C_DEV
        elif number == 1:
            enabled = "`sudo raspi-config nonint do_i2c 0` enables it"
        raise BackendError(
            f"I2C bus {number} is not there ({path}): there is {have}; {enabled}"
        ) from error
    except PermissionError as error:
        raise BackendError(
            f"I2C bus {number} may not be opened ({path}): allowed is group i2c;"
            " `sudo usermod -aG i2c $USER` and a new login join it"
        ) from error
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        raise BackendError(f"I2C bus {number} cannot be opened ({path}): {error}") from error


def reach(buses: Callable[[int], Any], chip: Chip) -> Any:
    """Return the bus object for a chip; `buses` opens a bus by number; raises BackendError.

    Behind a multiplexer it is a channel, connected from `try_lock` to `unlock` only. Both may then
    raise OSError, which leaves the bus free.
    """
    bus = buses(chip.bus)
    if chip.mux is None or chip.channel is None:
        return bus
    return _Channel(bus, chip.mux, chip.channel)


class _Channel:
    """One channel of a TCA9548A, as a bus for `adafruit_bus_device`."""

    def __init__(self, bus: Any, mux: int, channel: int) -> None:
        self._bus, self._mux, self._channel = bus, mux, channel
        self.readfrom_into = bus.readfrom_into
        self.writeto = bus.writeto
        self.writeto_then_readfrom = bus.writeto_then_readfrom

    def try_lock(self) -> bool:
        """Take the bus if it is free, and connect the channel to it."""
        if not self._bus.try_lock():
            return False
        try:
            self._bus.writeto(self._mux, bytes([1 << self._channel]))
        except OSError:
            self._bus.unlock()
            raise
        return True

    def unlock(self) -> None:
        """Disconnect the channel, lest chips behind other multiplexers collide; free the bus."""
        try:
            self._bus.writeto(self._mux, b"\0")
        finally:
            self._bus.unlock()


@dataclass(eq=False)
class TouchChip(ChipDriver):
    """One MPR121 on a bus of this computer, through the published driver; `_buses` opens a bus."""

    _buses: Callable[[int], Any]
    _driver: Any = None
    _device: Any = None
    _mode: int = 0

    def _set_up(self, blocks: Blocks, mode: int) -> None:
        try:
            bus = reach(self._buses, self.chip)
        except OSError as error:
            raise SensorFault(f"{self} cannot be reached: {error}") from error
        # The settings do not go through the driver's properties, which restart the chip for each.
        try:
            self._device = I2CDevice(bus, self.chip.address, probe=False)
            with self._device as device:
                # A held bus costs one time-out here, and two in the driver's own search.
                device.readinto(bytearray(1))
            self._driver = MPR121(bus, address=self.chip.address)
            self._mode = mode
            with self._device as device:
                for register, values in blocks:
                    device.write(bytes([register]) + values)
        except (OSError, ValueError, RuntimeError, TypeError, IndexError) as error:
            raise SensorFault(f"{self} cannot be set up: {error}") from error

    def _status(self) -> int:
        try:
            return int(self._driver.touched())
        except OSError as error:
            raise SensorFault(f"{self} does not answer: {error}") from error

    def check(self) -> None:
        mode = self._read(MODE, 1)[0]
        if mode != self._mode:
            raise SensorFault(
                f"{self} has lost its settings: register 0x5E says 0x{mode:02X},"
                f" allowed is 0x{self._mode:02X}"
            )

    def __str__(self) -> str:
        return f"sensor chip {self.chip.name} ({self.chip.place})"

    def _read(self, register: int, count: int) -> bytearray:
        answer = bytearray(count)
        try:
            with self._device as device:
                device.write_then_readinto(bytes([register]), answer)
        except OSError as error:
            raise SensorFault(f"{self} does not answer: {error}") from error
        return answer
