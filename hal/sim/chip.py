"""An MPR121 touch sensor chip, as its I2C bus and its electrodes see it.

After the NXP data sheet, revision 4, without what no driver here uses: GPIO, proximity,
over-current, repeated auto-configuration. Time comes in as seconds; noise is seeded.
"""

import math
import random
from collections.abc import Callable

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


class EmulatedNoise:
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


class EmulatedChannel:
    """The state of one electrode. Readings and baseline are in counts of the ten-bit converter."""

    def __init__(self) -> None:
        self.reading = 0
        self.baseline = 0
        self.touched = False
        # From the registers, when a run begins: thresholds and debounces of a touch and a release.
        self.thresholds = self.debounces = (0, 0)
        self.drifts: tuple[reg.Drift, ...] = ()
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

    def take(self, reading: int) -> bool:
        """Take one result; return True when the touch state changed."""
        self.reading = reading
        changed = self._detect()
        self._track()
        return changed

    def settled(self, ideal: float, reach: float) -> bool:
        """Return whether no later result changes the state while the capacitance stays."""
        if self._agreeing:
            return False
        touch, release = self.thresholds
        if self.touched:
            # The baseline is frozen, and even the nearest reading is beyond the release threshold.
            frozen = self.drifts[-1].noise_half_delta == 0
            return frozen and self.baseline - (ideal + reach) >= release
        # The filter moves the baseline towards readings and never past them, so a baseline in
        # the band of the noise stays there, and the fall can never exceed the sum below.
        off = abs(self.baseline - ideal)
        return off <= reach + 1.0 and off + reach <= touch

    def _detect(self) -> bool:
        fall = self.baseline - self.reading
        touch, release = self.thresholds
        contradicts = fall < release if self.touched else fall > touch
        self._agreeing = self._agreeing + 1 if contradicts else 0
        # Debounce register (0x5B): number of detections after the first one.
        if self._agreeing <= self.debounces[self.touched]:
            return False
        self._agreeing = 0
        self.touched = not self.touched
        return True

    def _track(self) -> None:
        delta = self.reading - self.baseline
        rising, falling, touched = self.drifts
        drift = touched if self.touched else rising if delta > 0 else falling
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


class EmulatedMpr121:
    """One emulated chip. `on_interrupt` is called whenever its interrupt output changes."""

    def __init__(
        self, now: float, *, seed: int = 0, on_interrupt: Callable[[], None] = lambda: None
    ) -> None:
        self._now = now
        self._noise = EmulatedNoise(seed)
        self._on_interrupt = on_interrupt
        self._load_pf = [10.0] * 12
        self._channels = [EmulatedChannel() for _ in range(reg.CHANNELS)]
        self.interrupt = False
        self._results = 0  # since the run began
        self._registers = bytearray(reg.SIZE)
        self.power_cycle()

    @property
    def running(self) -> bool:
        """Whether it is in run mode, not stop mode: anything is enabled."""
        return bool(self._enabled)

    @property
    def step_s(self) -> float | None:
        """The time between results while any may change the state; None when none can."""
        return self._period_s if self._unsettled else None

    def advance(self, now: float) -> None:
        self._now = max(self._now, now)
        # Only unsettled channels are computed. A settled one cannot change its state
        # (`Channel.settled`): its results differ by noise alone, which is drawn when a result is
        # read.
        if self._unsettled:
            due = self._results_due()
            while self._results < due and self._unsettled:
                self._results += 1
                self._convert()
                due = self._results_due()

    def load(self, electrode: int, capacitance_pf: float) -> None:
        """Set the capacitance of an electrode to ground, now; infinity is a short."""
        if self._load_pf[electrode] == capacitance_pf:
            return
        self._count_results()
        self._load_pf[electrode] = capacitance_pf
        self._unsettled |= {electrode} & set(self._enabled)
        self._compute_ideals()

    def power_cycle(self) -> None:
        """Switch the chip's power off and on, with the effect of a reset."""
        self._registers[:] = bytes(reg.SIZE)
        for register, value in reg.RESET_VALUES.items():
            self._registers[register] = value
        self._pointer = 0
        self._status = 0
        for channel in self._channels:
            channel.restart()
            channel.reading = channel.baseline = 0
        self._configure()
        self._set_interrupt(False)

    def write(self, data: bytes) -> None:
        """Take the bytes of one I2C write: a register address, then values for it and the next."""
        for place, value in enumerate(data):
            if place == 0:
                self._pointer = value
            else:
                self._write_register(self._pointer, value)
                self._pointer = (self._pointer + 1) % 256

    def read(self, count: int) -> bytes:
        self._count_results()
        first, self._pointer = self._pointer, (self._pointer + count) % 256
        return bytes([self._read_register(number % 256) for number in range(first, first + count)])

    def _configure(self) -> None:
        """Read the settings from the registers, at every change between stop and run mode."""
        registers = self._registers
        self._enabled = list(range(min(registers[reg.ECR] & 0x0F, reg.CHANNELS)))
        drifts, debounce = reg.drifts(registers), registers[reg.DEBOUNCE]
        for number, channel in enumerate(self._channels):
            touch, release = registers[reg.THRESHOLDS + 2 * number :][:2]
            channel.thresholds = touch, release
            channel.debounces = debounce & 7, debounce >> 4 & 7
            channel.drifts = drifts
        self._ideals = [0.0] * reg.CHANNELS
        self._noise.configure(math.prod(reg.samples(registers)))
        self._read_at = [0] * reg.CHANNELS
        self._began_s = self._now
        self._results = 0
        self._load_bits, self._searches = 0, False
        self._unsettled = set(self._enabled)
        self._period_s = reg.period_s(registers, self._enabled)
        self._compute_ideals()

    def _count_results(self) -> None:
        """Count the results up to now, none of which changed the state."""
        if self._enabled:
            self._results = max(self._results, self._results_due())

    def _results_due(self) -> int:
        # The small addition makes sure that rounding does not lose a result that is due now.
        return math.floor((self._now - self._began_s) / self._period_s + 1e-6)

    def _compute_ideals(self) -> None:
        for number in self._enabled:
            current_ua, code = reg.charge(self._registers, number)
            time_us = reg.charge_time_us(code)
            self._ideals[number] = counts(current_ua, time_us, self._load_pf[number])

    def _convert(self) -> None:
        changed = False
        if self._searches:
            self._configure_charges()
        for number in sorted(self._unsettled):
            channel = self._channels[number]
            reading = self._noise.added_to(self._ideals[number])
            self._read_at[number] = self._results
            if self._results == 1 and self._load_bits:
                channel.load(reading, self._load_bits)
            elif channel.take(reading):
                self._status ^= 1 << number
                changed = True
            if channel.settled(self._ideals[number], self._noise.reach):
                self._unsettled.discard(number)
        if changed:
            self._set_interrupt(True)

    def _configure_charges(self) -> None:
        """Charge each electrode so that it reads the target, and go on at the new pace."""
        self._searches = False
        target = self._registers[reg.AUTO_CONFIG + 4] << 2
        for number in self._enabled:
            reg.put_charge(self._registers, number, *find_charge(target, self._load_pf[number]))
        self._compute_ideals()
        result_s = self._began_s + self._results * self._period_s
        self._period_s = reg.period_s(self._registers, self._enabled)
        self._began_s = result_s - self._results * self._period_s

    def _set_interrupt(self, interrupt: bool) -> None:
        if interrupt != self.interrupt:
            self.interrupt = interrupt
            self._on_interrupt()

    def _write_register(self, register: int, value: int) -> None:
        # In run mode a chip takes only these two.
        if self.running and register not in (reg.ECR, reg.SOFT_RESET):
            return
        if register == reg.SOFT_RESET:
            if value == reg.SOFT_RESET_KEY:
                self.power_cycle()
        elif register == reg.ECR:
            self._write_mode(value)
        elif reg.BASELINE <= register < reg.SOFT_RESET:
            self._registers[register] = value
            if reg.BASELINE <= register < reg.BASELINE + reg.CHANNELS:
                self._channels[register - reg.BASELINE].baseline = value << 2

    def _write_mode(self, value: int) -> None:
        from_stop = not self.running
        # Baselines are loaded, and charges searched, only on the way from stop to run mode. That
        # ends with the first result: the published driver writes the mode twice within it.
        begins = from_stop or self._results == 0
        self._registers[reg.ECR] = value
        self._configure()
        if begins:
            # Auto-configuration has a field of its own for the baseline (BVA, AN3889).
            control = self._registers[reg.AUTO_CONFIG]
            self._searches = bool(control & reg.AUTO_ENABLE)
            self._load_bits = reg.LOAD_BITS.get(value >> 6, 0)
            if self._searches:
                self._load_bits = reg.LOAD_BITS.get(control >> 2 & 3, 0)
        for number, channel in enumerate(self._channels):
            if from_stop or number not in self._enabled:
                channel.restart()
                self._status &= ~(1 << number)

    def _read_register(self, number: int) -> int:
        """Read a byte; addresses after the last register read as zero."""
        if number == reg.TOUCH_STATUS:
            # Reading the first eight electrodes releases the interrupt output.
            self._set_interrupt(False)
            return self._status & 0xFF
        if number == reg.TOUCH_STATUS + 1:
            return self._status >> 8 & 0x1F
        channel, high = divmod(number - reg.FILTERED_DATA, 2)
        if 0 <= channel < reg.CHANNELS:
            return self._result(channel) >> 8 * high & 0xFF
        if 0 <= number - reg.BASELINE < reg.CHANNELS:
            return self._channels[number - reg.BASELINE].baseline >> 2
        return self._registers[number] if number < reg.SIZE else 0

    def _result(self, number: int) -> int:
        channel = self._channels[number]
        if (
            self._read_at[number] != self._results
            and number not in self._unsettled
            and number in self._enabled
        ):
            self._read_at[number] = self._results
            channel.reading = self._noise.added_to(self._ideals[number])
        return channel.reading
