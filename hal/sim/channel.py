"""One channel of the emulated MPR121, from capacitance to counts with noise, and to touches."""

import math
import random
from dataclasses import dataclass

from hal.sim import registers as reg

VDD_V = 3.3
# "Cin = I x T / V", equation 4, holds up to VDD - 0.7 V, the limit of the current source.
TOP_COUNTS = 1024 * (VDD_V - 0.7) / VDD_V

# Noise of a result with the shortest filters (6 and 4 samples). Longer filters average it out.
_NOISE_COUNTS = 0.7
_SHORTEST_SAMPLES = 6 * 4
_NOISE_SIGMAS = 3.0  # noise is cut off there: `Channel.settled` needs a bound


def counts(current_ua: int, time_us: float, capacitance_pf: float) -> float:
    """Return the result without noise, on the scale of VDD; infinity is a short to ground."""
    return min(TOP_COUNTS, current_ua * time_us / capacitance_pf * 1024 / VDD_V)


def find_charge(target: float, capacitance_pf: float) -> tuple[int, int]:
    """Find the current and time code with which auto-configuration reaches a target.

    The data sheet does not say how: this takes the shortest time, then the first current.
    """
    for code in reg.TIME_CODES:
        for current_ua in reg.CURRENTS_UA:
            if counts(current_ua, reg.charge_time_us(code), capacitance_pf) >= target:
                return current_ua, code
    return reg.CURRENTS_UA[-1], reg.TIME_CODES[-1]


class Noise:
    """The noise that a chip adds to its results; `reach` is its largest effect, with rounding."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def configure(self, samples: int) -> None:
        """Set how many samples a result averages."""
        self._sigma = _NOISE_COUNTS * math.sqrt(_SHORTEST_SAMPLES / samples)
        self._limit = _NOISE_SIGMAS * self._sigma
        self.reach = self._limit + 0.5

    def added_to(self, ideal: float) -> int:
        """Return a result in counts, with noise unless nothing was charged at all."""
        if ideal <= 0.0:
            return 0
        noise = max(-self._limit, min(self._limit, self._random.gauss(0.0, self._sigma)))
        return max(0, min(1023, round(ideal + noise)))


@dataclass(frozen=True, slots=True)
class Settings:
    """One channel's settings from the registers, while the chip runs."""

    touch_threshold: int
    release_threshold: int
    touch_debounce: int
    release_debounce: int
    rising: reg.Drift
    falling: reg.Drift
    touched: reg.Drift


class Channel:
    """The state of one electrode. Readings and baseline are in counts of the ten-bit converter."""

    def __init__(self) -> None:
        self.reading = 0
        self.baseline = 0
        self.touched = False
        self._agreeing = 0  # samples in a row that contradict the present state
        self._drift: reg.Drift | None = None  # the scenario of the last sample
        self._drifting = 0  # samples in a row beyond the maximum half delta
        self._delayed = 0

    def restart(self) -> None:
        """Begin a run: nothing is touched, all counters restart, the baseline stays."""
        self.touched = False
        self._drift = None
        self._agreeing = self._drifting = self._delayed = 0

    def load(self, reading: int, bits: int) -> None:
        """Take the first result of a run as baseline, cut to its `bits` high bits."""
        self.reading = reading
        self.baseline = reading >> (10 - bits) << (10 - bits)

    def take(self, reading: int, settings: Settings) -> bool:
        """Take one result; return True when the touch state changed."""
        self.reading = reading
        changed = self._detect(settings)
        self._track(settings)
        return changed

    def settled(self, ideal: float, reach: float, settings: Settings) -> bool:
        """Return whether no later result changes the state while the capacitance stays."""
        if self._agreeing:
            return False
        if self.touched:
            # The baseline is frozen, and even the nearest reading is beyond the release threshold.
            frozen = settings.touched.noise_half_delta == 0
            return frozen and self.baseline - (ideal + reach) >= settings.release_threshold
        # The filter moves the baseline towards readings and never past them, so a baseline in
        # the band of the noise stays there, and the fall can never exceed the sum below.
        off = abs(self.baseline - ideal)
        return off <= reach + 1.0 and off + reach <= settings.touch_threshold

    def _detect(self, settings: Settings) -> bool:
        fall = self.baseline - self.reading
        if self.touched:
            contradicts = fall < settings.release_threshold
            needed = settings.release_debounce
        else:
            contradicts = fall > settings.touch_threshold
            needed = settings.touch_debounce
        self._agreeing = self._agreeing + 1 if contradicts else 0
        # Debounce register (0x5B): number of detections after the first one.
        if self._agreeing <= needed:
            return False
        self._agreeing = 0
        self.touched = not self.touched
        return True

    def _track(self, settings: Settings) -> None:
        delta = self.reading - self.baseline
        if self.touched:
            drift = settings.touched
        else:
            drift = settings.rising if delta > 0 else settings.falling
        # Application note AN3891: a change from one scenario to another starts all counts again.
        if drift is not self._drift:
            self._drift = drift
            self._drifting = self._delayed = 0
        self._delayed += 1
        if self._delayed <= drift.filter_delay:
            return
        self._delayed = 0
        if not self.touched and abs(delta) <= 2 * drift.max_half_delta:
            self.baseline = self.reading
            self._drifting = 0
            return
        self._drifting += 1
        if self._drifting >= drift.noise_count_limit:
            step = min(drift.noise_half_delta, abs(delta))
            self.baseline += step if delta > 0 else -step
            self._drifting = 0
