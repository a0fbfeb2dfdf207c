"""A computer with its own I2C buses and GPIO pins: a Pi, or an emulated one."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from hal.drivers.i2c import reach
from hal.drivers.i2c_search import BusSearch, find_chips
from hal.drivers.mpr121 import TouchChip
from hal.drivers.platform import ChipDriver
from hal.keys.gpio import InterruptLine, Key
from hal.lights import Pixels
from hal.profile import Chip, Strip


class GpioPlatform(ABC):
    """Open chips and pins through their published drivers. See `hal.drivers.platform.Platform`.

    A subclass provides the buses and pins, and opens the pixels.
    """

    @abstractmethod
    def bus(self, number: int) -> Any:
        """Return an I2C bus as `adafruit_bus_device` uses one, the same object each time.

        Raise BackendError when there is no such bus.
        """

    @abstractmethod
    def buses(self) -> tuple[int, ...]:
        """List the numbers of the existing I2C buses."""

    @abstractmethod
    def pins(self) -> Any:
        """Return the gpiozero pin factory, the same each time; raise BackendError for none."""

    @abstractmethod
    def pixels(self, strip: Strip) -> Pixels:
        """Open a strip; raise LightsFault when its device is not there."""

    def search(self, buses: Collection[int] | None = None) -> BusSearch:
        """Search these buses, as far as they exist, and their multiplexers for chips.

        By default search all buses, which a Pi shares with displays and cameras.
        """
        there = self.buses()
        return find_chips([n for n in there if buses is None or n in buses], self.bus)

    def chip(self, chip: Chip) -> ChipDriver:
        return TouchChip(chip, partial(reach, self.bus))

    def key(self, pin: int, on_change: Callable[[], None]) -> Key:
        return Key(pin, self.pins(), on_change)

    def line(self, pin: int, on_low: Callable[[], None]) -> InterruptLine:
        return InterruptLine(pin, self.pins(), on_low)
