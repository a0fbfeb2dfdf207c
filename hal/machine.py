"""The seam between a profile and the computer that opens what it names: a Pi, or an emulated one.

Owns the contract only. Must not know chips, protocols or cells.
"""

from typing import Any, Protocol

from hal.profile import Strip
from hal.strip import Pixels


class Machine(Protocol):
    """Open buses, pixels and pins of one computer."""

    def bus(self, number: int) -> Any:
        """Give an I2C bus as `adafruit_bus_device` uses one, the same object each time.

        Raise BackendError when there is no such bus.
        """
        ...

    def buses(self) -> tuple[int, ...]:
        """List the numbers of the I2C buses that there are."""
        ...

    def pixels(self, strip: Strip) -> Pixels:
        """Open a strip; raise LightsFault when its device is not there."""
        ...

    def pins(self) -> Any:
        """Give the gpiozero pin factory."""
        ...
