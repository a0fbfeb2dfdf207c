"""How well a cell can be sensed: charge, noise, change by a touch, thresholds, a verdict.

An MPR121 charges an electrode with a known current for a known time, then measures the voltage (NXP
data sheet, revision 4, "Capacitance sensing", and application note AN3889).
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from enum import Enum
from statistics import fmean, median, pstdev

from hal.profile import CHARGE_TIMES_US, Electrode, Tuning

SUPPLY_V = 3.3
FULL_COUNTS = 1024
# The current source is linear from 0.7 V to VDD - 0.7 V; readings go no higher.
LOWEST_COUNTS = FULL_COUNTS * 0.7 / SUPPLY_V
TOP_COUNTS = FULL_COUNTS * (SUPPLY_V - 0.7) / SUPPLY_V
HIGH_COUNTS = 0.97 * TOP_COUNTS
"""A reading from here on only shows that the charge is too large."""

CURRENTS_UA = (1, 63)

# The higher the reading, the smaller the change of C per count (C / counts), so the empty electrode
# should read high. Auto-configuration aims at 0.9 of the range, which leaves too little room for
# the tolerance of the supply, weather and ageing.
TARGET_COUNTS = 0.75 * TOP_COUNTS
_NEAR = (0.65 * TOP_COUNTS, 0.85 * TOP_COUNTS)
_LEAST_COUNTS = 4
_STRIDE = 8


@dataclass(frozen=True, slots=True)
class Charge:
    """The charge settings of one electrode: 1 to 63 microamperes, 0.5 to 32 microseconds."""

    current_ua: int
    time_us: float

    def __str__(self) -> str:
        return f"{self.current_ua} uA x {self.time_us:g} us"


SMALLEST = Charge(CURRENTS_UA[0], CHARGE_TIMES_US[0])
LARGEST = Charge(CURRENTS_UA[1], CHARGE_TIMES_US[-1])


def fits(counts: float, charge: Charge) -> bool:
    """Return whether an empty reading is in range with a charge, or no charge could be better."""
    low, high = _NEAR
    if counts < low:
        return charge == LARGEST
    return counts <= high or charge == SMALLEST


def better_charge(counts: float, charge: Charge) -> Charge:
    """Choose the charge for an electrode; at an end of the range only the direction is known."""
    if counts >= HIGH_COUNTS:
        factor = 1 / _STRIDE
    elif counts < _LEAST_COUNTS:
        factor = _STRIDE
    else:
        factor = TARGET_COUNTS / counts
    wanted_pc = charge.current_ua * charge.time_us * factor
    # The shortest time that is enough has the finest steps.
    low, high = CURRENTS_UA
    enough = (each for each in CHARGE_TIMES_US if wanted_pc <= each * high)
    time_us = next(enough, CHARGE_TIMES_US[-1])
    return Charge(max(low, min(high, round(wanted_pc / time_us))), time_us)


LEAST_SNR = 5.0  # the ratio that makers of touch chips recommend (Infineon CapSense: 5 to 1)
LEAST_CHANGE = 12
"""The least change by a touch, in counts: beside a stone a smaller one falls below the least
threshold (hardware/design.md).
"""

# The touch threshold as a share of the change, and the release threshold as a share of that.
# Fingertips beside a stone change a reading less than one on a bare cell, and the lowest release
# threshold must be more than the change by a stone alone (hardware/design.md).
FINGER_SHARES = (0.27, 0.8)
# "50 to 70 % of the touch delta" (Microchip, touch threshold): a hand above is not a stone.
STONE_SHARES = (0.58, 0.6)
_LEAST_TOUCH = 4  # NXP data sheet, section 5.7: thresholds are typically 0x04 to 0x30
_MOST_TOUCH = 255
_NOISE_SIGMAS = 6.0
_BLOCKS = 4  # parts of a measurement whose means are compared


class Verdict(Enum):
    """How well a cell can be sensed."""

    GOOD = "good"
    WEAK = "weak"  # a touch changes too little, or there is too much noise
    RANGE = "range"  # no charge brings its empty reading into the measurable range
    EMPTY = "empty"  # only its noise and baseline are known: it was not touched


@dataclass(frozen=True, slots=True)
class Noise:
    """Readings of an electrode while nothing changes: mean and spread, in counts."""

    mean: float
    sigma: float
    peak_to_peak: int

    @property
    def reach(self) -> float:
        """The range of readings to expect: a longer measurement would find a wider one.

        At least one count, the step of the reading, and at least six sigma.
        """
        return max(1.0, float(self.peak_to_peak), _NOISE_SIGMAS * self.sigma)

    @property
    def measurable(self) -> bool:
        """Whether the mean lies where the chip is linear, so that a touch shows."""
        return LOWEST_COUNTS <= self.mean < HIGH_COUNTS


@dataclass(frozen=True, slots=True)
class Margin:
    """The results for one cell or key.

    `change` is the fall of the reading by a touch, in counts; None until it is measured. `charge`
    is None if none was chosen.
    """

    spot: str
    electrode: Electrode
    noise: Noise
    charge: Charge | None
    change: float | None
    shares: tuple[float, float] = FINGER_SHARES

    @property
    def baseline(self) -> int:
        return round(self.noise.mean)

    @property
    def snr(self) -> float | None:
        """Change over noise (Infineon KBA82807), None until the cell is touched."""
        return None if self.change is None else self.change / self.noise.reach

    @property
    def tuning(self) -> Tuning:
        """The thresholds, if it was touched, and the charge, if one was chosen."""
        touch = release = current_ua = time_us = None
        if self.change is not None:
            wanted = max(self.shares[0] * self.change, self.noise.reach)
            touch = max(_LEAST_TOUCH, min(_MOST_TOUCH, round(wanted)))
            release = min(touch - 1, round(self.shares[1] * touch))
        if self.charge is not None:
            current_ua, time_us = astuple(self.charge)
        return Tuning(touch, release, current_ua, time_us)

    @property
    def verdict(self) -> Verdict:
        if self.charge is not None and not self.noise.measurable:
            return Verdict.RANGE
        if self.change is None or self.snr is None:
            return Verdict.EMPTY
        weak = self.change < LEAST_CHANGE or self.snr < LEAST_SNR
        return Verdict.WEAK if weak else Verdict.GOOD


def shifted(values: Sequence[int]) -> bool:
    """Return whether the mean of readings shifted during a measurement, beyond their noise."""
    size = len(values) // _BLOCKS
    parts = [values[at * size : (at + 1) * size] for at in range(_BLOCKS)]
    means = [fmean(part) for part in parts]
    # The readings of the part with the shift spread widely; the median ignores that part.
    inner = median(pstdev(part) for part in parts)
    return max(means) - min(means) > max(4.0, 5.0 * inner)
