"""Answers of touch chips: touches, and a measurement at each electrode."""

from dataclasses import dataclass

from hal.base.errors import SensorFault
from hal.profile import ELECTRODES

SHORTED_COUNTS = 8
"""A reading this low is neither finger nor stone: the electrode cannot be charged."""
SATURATED_COUNTS = 800
"""Readings end at (VDD - 0.7 V) / VDD x 1024 = 807: an electrode up here senses nothing more."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A chip's measurement at one electrode, in counts from 0 to 1023."""

    raw: int
    baseline: int
    touched: bool

    @property
    def fall(self) -> int:
        """How far the reading lies below its baseline: a touch lowers it."""
        return self.baseline - self.raw


def touched_of(bits: int, who: object) -> frozenset[int]:
    """Decode the touched electrodes from a chip's 16 bits of status.

    Raises SensorFault, which names `who`, for bits that no chip sets.
    """
    # Only twelve electrodes are in use, and bit 15 of an MPR121 is its over-current flag: such a
    # frame is a failed read (0xFFFF looks like twelve stones) or a chip that has stopped.
    if bits >> ELECTRODES:
        raise SensorFault(f"{who} says 0x{bits:04X}: allowed is 0x0000 to 0x0FFF")
    return frozenset(number for number in range(ELECTRODES) if bits >> number & 1)
