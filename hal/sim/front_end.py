"""The MPR121's analogue front end: from capacitance to counts with noise, and charges for a target.

Chance is seeded.
"""

import math
import random

from hal.sim import registers as reg

VDD_V = 3.3
# "Cin = I x T / V", equation 4, holds up to VDD - 0.7 V, the limit of the current source.
TOP_COUNTS = 1024 * (VDD_V - 0.7) / VDD_V

# Noise of a result with the shortest filters (6 and 4 samples). Longer filters average it out.
_NOISE_COUNTS = 0.7
_SHORTEST_SAMPLES = 6 * 4
_NOISE_SIGMAS = 3.0  # cut off there, so that noise has a bound for `Channel.settled`


def counts(current_ua: int, time_us: float, capacitance_pf: float) -> float:
    """Return the result without noise: charge over capacitance, on the scale of VDD.

    The capacitance is above 0 and may be infinite, which is a short to ground.
    """
    return min(TOP_COUNTS, current_ua * time_us / capacitance_pf * 1024 / VDD_V)


def find_charge(target: float, capacitance_pf: float) -> tuple[int, int]:
    """Find the current and the code of the time with which auto-configuration charges an electrode.

    Where the data sheet is unclear, this is assumed: the shortest time with which the target is
    within reach, and then the first current that reaches it.
    """
    for code in reg.TIME_CODES:
        for current_ua in reg.CURRENTS_UA:
            if counts(current_ua, reg.charge_time_us(code), capacitance_pf) >= target:
                return current_ua, code
    return reg.CURRENTS_UA[-1], reg.TIME_CODES[-1]


class Noise:
    """What a chip adds to its results."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def configure(self, afe: reg.Afe) -> None:
        samples = afe.first_samples * afe.second_samples
        self._sigma = _NOISE_COUNTS * math.sqrt(_SHORTEST_SAMPLES / samples)

    @property
    def reach(self) -> float:
        """Return the largest difference that noise makes to a result; half is rounding."""
        return _NOISE_SIGMAS * self._sigma + 0.5

    def added_to(self, ideal: float) -> int:
        """Return a result in counts, with noise unless nothing was charged at all."""
        if ideal <= 0.0:
            return 0
        limit = _NOISE_SIGMAS * self._sigma
        noise = max(-limit, min(limit, self._random.gauss(0.0, self._sigma)))
        return max(0, min(1023, round(ideal + noise)))
