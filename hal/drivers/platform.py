"""The interface of the computer that a board is wired to: a Pi, an emulated one, or a Pico."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Protocol

from hal.base.errors import SensorFault
from hal.drivers.mpr121_registers import (
    CHARGES,
    MEASURES,
    SetUp,
    charges_of,
    readings_of,
    set_up_blocks,
)
from hal.drivers.reading import Reading, touched_of
from hal.lights import Pixels
from hal.profile import Chip, Measuring, Strip, Tuning


class ChipDriver(ABC):
    """One MPR121, set up and read over its registers. Transfers that fail raise SensorFault.

    `automatic` tells whether the chip finds its own charge settings; the reader of `charges` clears
    it. `str` names the chip and its place, for people.
    """

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.automatic = False

    def set_up(
        self, measuring: Measuring, tunings: Mapping[int, Tuning], baselines: Mapping[int, int]
    ) -> None:
        """Reset the chip and write all its settings, those of single electrodes by number.

        With any `baselines`, in counts, these are kept; without, all are learned from the present
        readings, so the board must be empty.
        """
        try:
            plan = set_up_blocks(measuring, tunings, baselines)
        except ValueError as error:
            raise SensorFault(f"{self} cannot be set up: {error}") from error
        self.automatic = plan.automatic
        self._set_up(plan)

    def touched(self) -> frozenset[int]:
        """Return the numbers of the touched electrodes; this releases the interrupt line."""
        return touched_of(self._status(), self)

    def suspect(self, now: float) -> bool:
        """Return whether a full measurement is worth its time now; it follows if so.

        True when an electrode may have an impossible reading, and from time to time in any case:
        only these measurements learn the empty board's readings and the charges that a chip has
        found.
        """
        return True

    def readings(self, touched: frozenset[int]) -> tuple[Reading, ...]:
        """Measure all twelve electrodes; `touched` is known already."""
        return readings_of(self._read(*MEASURES), touched, self)

    def charges(self) -> dict[int, Tuning]:
        """Return the charge settings that the chip has found by itself, by electrode."""
        return charges_of(self._read(*CHARGES), self)

    @abstractmethod
    def check(self) -> None:
        """Raise SensorFault when the chip no longer runs as it was set up."""

    @abstractmethod
    def _set_up(self, plan: SetUp) -> None:
        """Reset the chip and write its blocks."""

    @abstractmethod
    def _status(self) -> int:
        """Return the 16 bits of the touch status."""

    @abstractmethod
    def _read(self, register: int, count: int) -> bytes | bytearray:
        """Read registers."""


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
        """Open the pin of a key; `on_change` is called, on any thread, at each change.

        Raise PinInUse for a pin that something else uses, and BackendError when there are no pins.
        """

    def line(self, pin: int, on_low: Callable[[], None]) -> Input:
        """Open the interrupt line; `on_low` is called, on any thread, when it falls.

        Raises as `key` does.
        """

    def pixels(self, strip: Strip) -> Pixels:
        """Open a strip; raises LightsFault without its device."""
