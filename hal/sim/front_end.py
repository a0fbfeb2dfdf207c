"""The MPR121's analogue front end: from capacitance to counts, with noise, through two filters.

Chance is seeded.
"""

import math
import random

from hal.sim.registers import CHANNELS, Afe

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


class FrontEnd:
    """The samples of each channel's present window."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def configure(self, afe: Afe) -> None:
        """Restart all windows, with these filters."""
        samples = afe.first_samples * afe.second_samples
        self._window = afe.second_samples
        self._sigma = _NOISE_COUNTS * math.sqrt(_SHORTEST_SAMPLES / samples)
        # By channel: how many samples were taken before the capacitance changed, and their sum.
        self._held = [(0, 0.0)] * CHANNELS

    @property
    def reach(self) -> float:
        """Return the largest difference that noise makes to a result; half is rounding."""
        return _NOISE_SIGMAS * self._sigma + 0.5

    def hold(self, channel: int, samples: int, ideal: float) -> None:
        """Store what the window's first samples have measured, before the capacitance changes."""
        taken, total = self._held[channel]
        if samples > taken:
            self._held[channel] = (samples, total + (samples - taken) * ideal)

    def holds(self, channel: int) -> bool:
        """Tell whether this window has more than one capacitance."""
        return self._held[channel][0] > 0

    def drop(self, channel: int) -> None:
        self._held[channel] = (0, 0.0)

    def result(self, channel: int, ideal: float) -> int:
        """End a window whose last samples measure `ideal`, and return its result in counts."""
        taken, total = self._held[channel]
        self.drop(channel)
        return self.noisy((total + (self._window - taken) * ideal) / self._window)

    def noisy(self, ideal: float) -> int:
        """Return a result with noise, unless nothing was charged at all."""
        if ideal <= 0.0:
            return 0
        limit = _NOISE_SIGMAS * self._sigma
        noise = max(-limit, min(limit, self._random.gauss(0.0, self._sigma)))
        return max(0, min(1023, round(ideal + noise)))
