"""The seam between a board and the computer that it hangs on: a Pi, an emulated one, or a Pico.

Owns the contract only. Must not know how any machine reaches a chip, nor cells.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from hal.drivers.mpr121_registers import Reading
from hal.memory import Tuning
from hal.probe import Search
from hal.profile import Chip, Measuring, Strip
from hal.strip import Pixels


class ChipDriver(Protocol):
    """Drive one touch chip. What reads or writes it raises SensorFault when that fails.

    `automatic` tells whether the chip was left to find its own charge settings; whoever has taken
    these over puts it to False. `str` names the chip and its place, for people.
    """

    automatic: bool

    def set_up(
        self, measuring: Measuring, tunings: Mapping[int, Tuning], baselines: Mapping[int, int]
    ) -> None:
        """Reset the chip and write all its settings, those of single electrodes by number.

        With any `baselines`, in counts, these are kept; without, all are learnt from what is felt
        now, so the board must be empty.
        """
        ...

    def touched(self) -> frozenset[int]:
        """Give the numbers of the electrodes that are touched."""
        ...

    def check(self) -> None:
        """Raise SensorFault when the chip no longer runs as it was set up."""
        ...

    def suspect(self, now: float) -> bool:
        """Tell whether measuring the chip at length is worth its time now; it follows if so.

        True when an electrode may measure what no touch can, and from time to time in any case:
        what an empty board measures, and the charges that a chip has found, are learnt so only.
        """
        ...

    def readings(self, touched: frozenset[int]) -> tuple[Reading, ...]:
        """Measure all twelve electrodes, of which it is known already which are touched."""
        ...

    def charges(self) -> dict[int, Tuning]:
        """Give the charge settings that the chip has found by itself, by electrode."""
        ...


class Keys(Protocol):
    """Read keys on pins."""

    def pressed(self) -> frozenset[str]:
        """Give the keys that are down now."""
        ...

    def close(self) -> None:
        """Let go of the pins."""
        ...


class Line(Protocol):
    """Watch the interrupt line of all chips."""

    @property
    def low(self) -> bool:
        """Tell whether any chip may have something to say."""
        ...

    def close(self) -> None:
        """Let go of the pin."""
        ...


class Machine(Protocol):
    """Open the chips, pins and pixels of one computer."""

    def buses(self) -> tuple[int, ...]:
        """List the numbers of the I2C buses that there are."""
        ...

    def search(self) -> Search:
        """Look on all buses for chips; nobody else may use one meanwhile."""
        ...

    def chip(self, chip: Chip) -> ChipDriver:
        """Give the driver of a chip, which is not reached before it is set up."""
        ...

    def keys(self, pins: Mapping[str, int], on_change: Callable[[], None]) -> Keys:
        """Open keys by name on pins; `on_change` is called, on any thread, when one moves.

        Raise BackendError when the pins cannot be used.
        """
        ...

    def line(self, pin: int, on_low: Callable[[], None]) -> Line:
        """Open the interrupt line; `on_low` is called, on any thread, when it falls.

        Raise BackendError when the pin cannot be used.
        """
        ...

    def pixels(self, strip: Strip) -> Pixels:
        """Open a strip; raise LightsFault when its device is not there."""
        ...
