"""An MPR121 touch sensor chip, as its I2C bus and its electrodes see it.

Follows the NXP data sheet, revision 4, except for what no driver here uses: GPIO, proximity,
over-current, repeated auto-configuration, noise. Times are parameters, in seconds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from hal.drivers import mpr121_registers as reg
from hal.profile import ELECTRODES

_TOUCH_STATUS = 0x00  # 0x00 and 0x01
_SOFT_RESET = 0x80
_SOFT_RESET_KEY = 0x63
_SIZE = 0x81
_RESET_VALUES = {reg.CONFIG1: 0x10, reg.CONFIG2: 0x24}  # all other registers reset to zero
_LOAD_BITS = {2: 5, 3: 10}  # CL and BVA: how many high bits of the first result a baseline gets
_CURRENTS_UA = range(1, 64)  # CDC; 0 is none

VDD_V = 3.3
# "Cin = I x T / V", equation 4, holds up to VDD - 0.7 V, the limit of the current source.
TOP_COUNTS = 1024 * (VDD_V - 0.7) / VDD_V


def counts(current_ua: int, time_us: float, capacitance_pf: float) -> float:
    """Return a result on the scale of VDD; infinity is a short to ground."""
    return min(TOP_COUNTS, current_ua * time_us / capacitance_pf * 1024 / VDD_V)


def find_charge(target: float, capacitance_pf: float) -> tuple[int, int]:
    """Find the current and time code with which auto-configuration reaches a target.

    The data sheet does not say how: this takes the shortest time, then the first current.
    """
    for code, time_us in enumerate(reg.TIMES_US):
        for current_ua in _CURRENTS_UA:
            if counts(current_ua, time_us, capacitance_pf) >= target:
                return current_ua, code
    return _CURRENTS_UA[-1], len(reg.TIMES_US) - 1


@dataclass(frozen=True, slots=True)
class Drift:
    """The baseline filter of one scenario (rising, falling, touched)."""

    max_half_delta: int
    noise_half_delta: int
    noise_count_limit: int
    filter_delay: int


class EmulatedChannel:
    """The state of one electrode. Readings and baseline are in counts of the ten-bit converter."""

    def __init__(self) -> None:
        self.reading = 0
        self.baseline = 0
        self.touched = False
        # From the registers, when a run begins: thresholds and debounces of a touch and a release.
        self.thresholds = self.debounces = (0, 0)
        self.drifts: tuple[Drift, ...] = ()
        self._agreeing = 0  # samples in a row that contradict the present state
        self._drift: Drift | None = None  # the scenario of the last sample
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

    @property
    def settled(self) -> bool:
        """Whether no later result changes the state while the capacitance stays."""
        frozen = self.touched and self.drifts[-1].noise_half_delta == 0
        return not self._agreeing and (frozen or self.baseline == self.reading)

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

    def __init__(self, now: float, on_interrupt: Callable[[], None] = lambda: None) -> None:
        self._now = now
        self._on_interrupt = on_interrupt
        self._load_pf = [10.0] * ELECTRODES
        self._channels = [EmulatedChannel() for _ in range(ELECTRODES)]
        self.interrupt = False
        self._results = 0  # since the run began
        self._registers = bytearray(_SIZE)
        self.power_cycle()

    @property
    def running(self) -> bool:
        """Whether it is in run mode, not stop mode: some electrode is enabled."""
        return bool(self._enabled)

    @property
    def step_s(self) -> float | None:
        """The time between results while a result may change the state; None if none can."""
        return self._period_s if self._unsettled else None

    def advance(self, now: float) -> None:
        self._now = max(self._now, now)
        # Only unsettled channels are computed: the results of a settled one stay the same.
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
        if self._enabled:
            # None of the results up to now changed the state.
            self._results = max(self._results, self._results_due())
        self._load_pf[electrode] = capacitance_pf
        self._unsettled |= {electrode} & set(self._enabled)

    def power_cycle(self) -> None:
        """Switch the chip's power off and on, with the effect of a reset."""
        self._registers[:] = bytes(_SIZE)
        for register, value in _RESET_VALUES.items():
            self._registers[register] = value
        self._pointer = 0
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
        first, self._pointer = self._pointer, (self._pointer + count) % 256
        return bytes([self._read_register(number % 256) for number in range(first, first + count)])

    def _configure(self) -> None:
        """Read the settings from the registers, at every change between stop and run mode."""
        registers = self._registers
        self._enabled = list(range(min(registers[reg.MODE] & 0x0F, ELECTRODES)))
        debounce, drifts = registers[reg.DEBOUNCE], self._drifts()
        for number, channel in enumerate(self._channels):
            touch, release = registers[reg.THRESHOLDS + 2 * number :][:2]
            channel.thresholds = touch, release
            channel.debounces = debounce & 7, debounce >> 4 & 7
            channel.drifts = drifts
        self._first = reg.FIRST_FILTERS[registers[reg.CONFIG1] >> 6]
        self._second = reg.SECOND_FILTERS[registers[reg.CONFIG2] >> 3 & 3]
        self._began_s = self._now
        self._results = 0
        self._load_bits, self._searches = 0, False
        self._unsettled = set(self._enabled)
        self._period_s = self._result_s()

    def _drifts(self) -> tuple[Drift, Drift, Drift]:
        """Decode the baseline filter for rising, falling and touched readings."""
        values = self._registers[reg.BASELINE_FILTER : reg.BASELINE_FILTER + 11]
        rising = Drift(values[0] & 0x3F, values[1] & 0x3F, values[2], values[3])
        falling = Drift(values[4] & 0x3F, values[5] & 0x3F, values[6], values[7])
        # "There is no maximum half delta for the touched scenario."
        return rising, falling, Drift(0, values[8] & 0x3F, values[9], values[10])

    def _charge(self, number: int) -> tuple[int, float]:
        """Decode the current and time of an electrode: its own, or the global ones."""
        registers = self._registers
        current_ua = registers[reg.CHARGE_CURRENTS + number] & 0x3F
        code = registers[reg.CHARGE_TIMES + number // 2] >> 4 * (number % 2) & 7
        common_ua, common_code = registers[reg.CONFIG1] & 0x3F, registers[reg.CONFIG2] >> 5
        return current_ua or common_ua, reg.TIMES_US[code or common_code]

    def _result_s(self) -> float:
        """Return the time between results: SFI samples, one every ESI or as fast as it can."""
        charges_s = sum(2e-6 * self._charge(number)[1] for number in self._enabled)
        interval_s = (1 << (self._registers[reg.CONFIG2] & 7)) / 1000
        return self._second * max(interval_s, self._first * charges_s)

    def _results_due(self) -> int:
        # The small addition makes sure that rounding does not lose a result that is due now.
        return math.floor((self._now - self._began_s) / self._period_s + 1e-6)

    def _convert(self) -> None:
        changed = False
        if self._searches:
            self._configure_charges()
        for number in sorted(self._unsettled):
            channel = self._channels[number]
            reading = round(counts(*self._charge(number), self._load_pf[number]))
            if self._results == 1 and self._load_bits:
                channel.load(reading, self._load_bits)
            elif channel.take(reading):
                changed = True
            if channel.settled:
                self._unsettled.discard(number)
        if changed:
            self._set_interrupt(True)

    def _configure_charges(self) -> None:
        """Charge each electrode so that it reads the target, and go on at the new pace."""
        self._searches = False
        registers = self._registers
        target = registers[reg.AUTO_CONFIG + 4] << 2
        for number in self._enabled:
            current_ua, code = find_charge(target, self._load_pf[number])
            registers[reg.CHARGE_CURRENTS + number] = current_ua
            times, shift = reg.CHARGE_TIMES + number // 2, 4 * (number % 2)
            registers[times] = registers[times] & ~(7 << shift) | code << shift
        result_s = self._began_s + self._results * self._period_s
        self._period_s = self._result_s()
        self._began_s = result_s - self._results * self._period_s

    def _set_interrupt(self, interrupt: bool) -> None:
        if interrupt != self.interrupt:
            self.interrupt = interrupt
            self._on_interrupt()

    def _write_register(self, register: int, value: int) -> None:
        # In run mode a chip accepts writes to these two registers only.
        if self.running and register not in (reg.MODE, _SOFT_RESET):
            return
        if register == _SOFT_RESET:
            if value == _SOFT_RESET_KEY:
                self.power_cycle()
        elif register == reg.MODE:
            self._write_mode(value)
        elif reg.BASELINES <= register < _SOFT_RESET:
            self._registers[register] = value
            if reg.BASELINES <= register < reg.BASELINES + ELECTRODES:
                self._channels[register - reg.BASELINES].baseline = value << 2

    def _write_mode(self, value: int) -> None:
        from_stop = not self.running
        # Baselines are loaded, and charges searched, only in the transition from stop to run mode,
        # which ends with the first result: the published driver writes the mode twice before it.
        begins = from_stop or self._results == 0
        self._registers[reg.MODE] = value
        self._configure()
        if begins:
            # Auto-configuration has a field of its own for the baseline (BVA, AN3889).
            control = self._registers[reg.AUTO_CONFIG]
            self._searches = bool(control & reg.AUTO_ENABLE)
            self._load_bits = _LOAD_BITS.get(value >> 6, 0)
            if self._searches:
                self._load_bits = _LOAD_BITS.get(control >> 2 & 3, 0)
        for number, channel in enumerate(self._channels):
            if from_stop or number not in self._enabled:
                channel.restart()

    def _read_register(self, number: int) -> int:
        """Read a byte; addresses after the last register read as zero."""
        if number == _TOUCH_STATUS:
            # Reading the first eight electrodes releases the interrupt output.
            self._set_interrupt(False)
            return self._touches() & 0xFF
        if number == _TOUCH_STATUS + 1:
            return self._touches() >> 8
        channel, high = divmod(number - reg.MEASURES, 2)
        if 0 <= channel < ELECTRODES:
            return self._channels[channel].reading >> 8 * high & 0xFF
        if 0 <= number - reg.BASELINES < ELECTRODES:
            return self._channels[number - reg.BASELINES].baseline >> 2
        return self._registers[number] if number < _SIZE else 0

    def _touches(self) -> int:
        return sum(channel.touched << n for n, channel in enumerate(self._channels))
