"""One MPR121 touch chip on an I2C bus of this computer, through the published `adafruit_mpr121`."""

from collections.abc import Callable
from typing import Any

from adafruit_bus_device.i2c_device import I2CDevice  # type: ignore[import-untyped]
from adafruit_mpr121 import MPR121

from hal.base.errors import SensorFault
from hal.drivers.mpr121_registers import MODE, ChipDriver, SetUp
from hal.profile import Chip


class TouchChip(ChipDriver):
    """One chip on a bus of this computer; `reach` returns its bus object, and may raise OSError."""

    def __init__(self, chip: Chip, reach: Callable[[Chip], Any]) -> None:
        super().__init__(chip)
        self._reach = reach
        self._driver: MPR121 | None = None
        self._device: Any = None
        self._mode = 0

    def _set_up(self, plan: SetUp) -> None:
        try:
            bus = self._reach(self.chip)
        except OSError as error:
            raise SensorFault(f"{self} cannot be reached: {error}") from error
        # The settings do not go through the driver's properties, which restart the chip for each.
        try:
            self._device = I2CDevice(bus, self.chip.address, probe=False)
            with self._device as device:
                # A held bus costs one time-out here, and two in the driver's own search.
                device.readinto(bytearray(1))
            self._driver = MPR121(bus, address=self.chip.address)
            self._mode = plan.mode
            with self._device as device:
                for register, values in plan.blocks:
                    device.write(bytes([register]) + values)
        except (OSError, ValueError, RuntimeError, TypeError, IndexError) as error:
            raise SensorFault(f"{self} cannot be set up: {error}") from error

    def _status(self) -> int:
        if self._driver is None:
            raise SensorFault(f"{self} is not set up")
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
        if self._device is None:
            raise SensorFault(f"{self} is not set up")
        answer = bytearray(count)
        try:
            with self._device as device:
                device.write_then_readinto(bytes([register]), answer)
        except OSError as error:
            raise SensorFault(f"{self} does not answer: {error}") from error
        return answer
