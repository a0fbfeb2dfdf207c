"""The interface of the computer that a board is wired to: a Pi, an emulated one, or a Pico."""

from collections.abc import Callable
from typing import Protocol

from hal.drivers.mpr121_registers import ChipDriver
from hal.lights import Pixels
from hal.profile import Chip, Strip


class Input(Protocol):
    """A pin with a button to ground, or the interrupt line of all chips."""

    @property
    def low(self) -> bool:
        """Return whether a key is down, or any chip may have changed since this was last asked."""

    def close(self) -> None:
        """Release the pin."""


class Platform(Protocol):
    """The chips, pins and pixels of one computer."""

    def buses(self) -> tuple[int, ...]:
        """List the numbers of the I2C buses."""

    def chip(self, chip: Chip) -> ChipDriver:
        """Return the driver of a chip; there is no transfer before its `set_up`."""

    def key(self, pin: int, on_change: Callable[[], None]) -> Input:
        """Open a key; `on_change` runs on any thread. Raises PinInUse, BackendError for no pins."""

    def line(self, pin: int, on_low: Callable[[], None]) -> Input:
        """Open the interrupt line; `on_low` runs on any thread when it falls. Raises as `key`."""

    def pixels(self, strip: Strip) -> Pixels:
        """Open a strip; raises LightsFault without its device."""
