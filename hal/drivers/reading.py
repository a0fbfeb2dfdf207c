"""A touch chip's measurement at each electrode."""

from dataclasses import dataclass

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
