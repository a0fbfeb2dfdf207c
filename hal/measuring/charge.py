"""How an MPR121 measures: it charges an electrode with a known current for a known time, then
measures the voltage.

Source: NXP data sheet MPR121, revision 4,
"Capacitance sensing", and the application note AN3889.
"""

from dataclasses import dataclass

SUPPLY_V = 3.3
FULL_COUNTS = 1024
LOWEST_COUNTS = FULL_COUNTS * 0.7 / SUPPLY_V
"""The current source is linear from 0.7 V ..."""
TOP_COUNTS = FULL_COUNTS * (SUPPLY_V - 0.7) / SUPPLY_V
"""... to VDD - 0.7 V; readings go no higher."""
SATURATED_COUNTS = 0.97 * TOP_COUNTS
"""A reading from here on only shows that the charge is too large."""

CURRENTS_UA = (1, 63)
TIMES_US = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)

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

    @property
    def picocoulombs(self) -> float:
        """The charge that goes onto the electrode."""
        return self.current_ua * self.time_us

    def counts(self, capacitance_pf: float) -> float:
        """Return the reading of a capacitance: I x T / C on the scale of the supply."""
        counts = self.picocoulombs / capacitance_pf * FULL_COUNTS / SUPPLY_V
        return min(TOP_COUNTS, counts)

    def capacitance_pf(self, counts: float) -> float:
        """Return the capacitance of a reading; a reading of 0 counts as half a count."""
        return self.picocoulombs / max(counts, 0.5) * FULL_COUNTS / SUPPLY_V

    def __str__(self) -> str:
        return f"{self.current_ua} uA x {self.time_us:g} us"


SMALLEST = Charge(CURRENTS_UA[0], TIMES_US[0])
LARGEST = Charge(CURRENTS_UA[1], TIMES_US[-1])


def fits(counts: float, charge: Charge) -> bool:
    """Return whether an empty reading is in range with a charge, or no charge could be better."""
    low, high = _NEAR
    if counts < low:
        return charge == LARGEST
    return counts <= high or charge == SMALLEST


def better_charge(counts: float, charge: Charge) -> Charge:
    """Choose the charge for an electrode; a reading at an end of the range shows a direction."""
    if counts >= SATURATED_COUNTS:
        return nearest(charge.picocoulombs / _STRIDE)
    if counts < _LEAST_COUNTS:
        return nearest(charge.picocoulombs * _STRIDE)
    return nearest(charge.picocoulombs * TARGET_COUNTS / counts)


def nearest(picocoulombs: float) -> Charge:
    """Find the settings nearest to a charge: the shortest sufficient time has the finest steps."""
    time_us = next(
        (each for each in TIMES_US if picocoulombs <= each * CURRENTS_UA[1]), TIMES_US[-1]
    )
    low, high = CURRENTS_UA
    return Charge(max(low, min(high, round(picocoulombs / time_us))), time_us)
