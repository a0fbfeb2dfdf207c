"""An MPR121 touch sensor chip, as its I2C bus and its electrodes see it.

Emulates, after the NXP data sheet MPR121 (revision 4), registers with auto-increment, stop and run
mode, soft reset, the conversion from capacitance to counts, the filters, touch status, over-current
flag and interrupt. Auto-configuration and GPIO are registers without effect here. Must not know
buses, pins or fingers. Time comes in as seconds; chance is seeded.
"""

import math
import random
from collections.abc import Callable

from hal.sim import registers as reg
from hal.sim.channel import Channel, Settings

VDD_V = 3.3
# "Cin = I x T / V", equation 4, holds up to VDD - 0.7 V, above which the current source gives in.
TOP_COUNTS = 1024 * (VDD_V - 0.7) / VDD_V

# Noise of a result with the shortest filters (6 and 4 samples). Longer ones average it away.
_NOISE_COUNTS = 0.7
_SHORTEST_SAMPLES = 6 * 4
_NOISE_SIGMAS = 3.0  # cut there, so that noise has a bound that `Channel.settled` can rely on


class EmulatedMpr121:
    """Emulate one chip. `on_interrupt` is called whenever its interrupt output changes."""

    def __init__(
        self, now: float, *, seed: int = 0, on_interrupt: Callable[[], None] = lambda: None
    ) -> None:
        self._now = now
        self._random = random.Random(seed)
        self._on_interrupt = on_interrupt
        self._load_pf = [10.0] * 12
        self._channels = [Channel() for _ in range(reg.CHANNELS)]
        self._interrupt = False
        self._results = 0  # since the run began
        self._reset()

    @property
    def interrupt(self) -> bool:
        """Tell whether the chip pulls its open-drain interrupt output low."""
        return self._interrupt

    @property
    def running(self) -> bool:
        """Tell run mode from stop mode."""
        return self._mode.running

    @property
    def step_s(self) -> float | None:
        """Give the time between results while any may change the state; None when none can."""
        return self._afe.period_s if self._unsettled else None

    def advance(self, now: float) -> None:
        """Let time pass up to `now`; a time that has passed already does nothing."""
        self._now = max(self._now, now)
        if not self._mode.running:
            return
        # The small addition keeps a result that is due at `now` from being lost to rounding.
        due = math.floor((self._now - self._began_s) / self._afe.period_s + 1e-6)
        # Only what is unsettled is computed. A settled channel cannot change its state
        # (`Channel.settled`), so its results differ from the last one by noise alone, and that
        # is drawn when a result is read.
        while self._results < due and self._unsettled:
            self._results += 1
            self._convert()
        self._results = max(self._results, due)

    def load(self, electrode: int, capacitance_pf: float) -> None:
        """Change the capacitance of an electrode to ground, now."""
        if self._load_pf[electrode] == capacitance_pf:
            return
        loaded = {electrode, reg.PROXIMITY} & set(self._enabled)
        for channel in loaded:
            self._hold_samples(channel, self._samples_taken())
        self._load_pf[electrode] = capacitance_pf
        self._unsettled |= loaded
        self._compute_ideals()

    def short(self) -> None:
        """Make the chip find too much current on its REXT pin: it flags it and stops."""
        self._status = 0
        self._over_current = True
        self._registers[reg.ECR] = 0
        self._configure()
        self._set_interrupt(True)

    def write(self, data: bytes) -> None:
        """Take the bytes of one I2C write: a register address, then values for it and the next."""
        for place, value in enumerate(data):
            if place == 0:
                self._pointer = value
            else:
                self._write_register(self._pointer, value)
                self._pointer = (self._pointer + 1) % 256

    def read(self, count: int) -> bytes:
        """Give the bytes of one I2C read, from the register that was addressed last."""
        values = bytearray()
        for _ in range(count):
            values.append(self._read_register(self._pointer))
            self._pointer = (self._pointer + 1) % 256
        return bytes(values)

    def _reset(self) -> None:
        self._registers = bytearray(reg.SIZE)
        for register, value in reg.RESET_VALUES.items():
            self._registers[register] = value
        self._pointer = 0
        self._status = 0
        self._over_current = False
        for channel in self._channels:
            channel.restart()
            channel.reading = channel.baseline = 0
        self._configure()
        self._set_interrupt(False)

    def _configure(self) -> None:
        """Read the settings out of the registers, as on every change between stop and run."""
        self._mode = reg.mode(self._registers[reg.ECR])
        self._afe = reg.afe(self._registers[reg.CONFIG1], self._registers[reg.CONFIG2])
        self._enabled = list(range(self._mode.electrodes))
        if self._mode.proximity_electrodes:
            self._enabled.append(reg.PROXIMITY)
        self._settings = [self._channel_settings(number) for number in range(reg.CHANNELS)]
        self._ideals = [0.0] * reg.CHANNELS
        self._held = [(0, 0.0)] * reg.CHANNELS  # samples of the window taken, and their sum
        self._read_at = [0] * reg.CHANNELS
        self._began_s = self._now
        self._results = 0
        self._load_bits = 0
        self._unsettled = set(self._enabled)
        samples = self._afe.first_samples * self._afe.second_samples
        self._sigma = _NOISE_COUNTS * math.sqrt(_SHORTEST_SAMPLES / samples)
        self._reach = _NOISE_SIGMAS * self._sigma + 0.5  # the half is for rounding to a count
        self._compute_ideals()

    def _channel_settings(self, number: int) -> Settings:
        first = reg.PROXIMITY_FILTER if number == reg.PROXIMITY else reg.BASELINE_FILTER
        rising, falling, touched = reg.drifts(bytes(self._registers[first : first + 11]))
        debounce = self._registers[reg.DEBOUNCE]
        return Settings(
            touch_threshold=self._registers[reg.THRESHOLDS + 2 * number],
            release_threshold=self._registers[reg.THRESHOLDS + 2 * number + 1],
            touch_debounce=debounce & 7,
            release_debounce=debounce >> 4 & 7,
            tracking=self._mode.tracking,
            rising=rising,
            falling=falling,
            touched=touched,
        )

    def _compute_ideals(self) -> None:
        for number in self._enabled:
            self._ideals[number] = self._ideal(number)

    def _ideal(self, number: int) -> float:
        """Give the counts without noise: charge over capacitance, on the scale of VDD."""
        if number == reg.PROXIMITY:
            capacitance_pf = sum(self._load_pf[: self._mode.proximity_electrodes])
        else:
            capacitance_pf = self._load_pf[number]
        # A channel's own current and time, where set, come before the global ones.
        current_ua = self._registers[reg.CHARGE_CURRENT + number] & 0x3F or self._afe.current_ua
        code = self._registers[reg.CHARGE_TIME + number // 2] >> (4 if number % 2 else 0) & 7
        time_us = reg.charge_time_us(code) or self._afe.time_us
        return min(TOP_COUNTS, current_ua * time_us / capacitance_pf * 1024 / VDD_V)

    def _samples_taken(self) -> int:
        into_s = self._now - (self._began_s + self._results * self._afe.period_s)
        return min(self._afe.second_samples, math.floor(into_s / self._afe.interval_s + 1e-6))

    def _hold_samples(self, number: int, samples: int) -> None:
        """Keep the samples that this window has taken before the capacitance changes."""
        taken, total = self._held[number]
        if samples > taken:
            self._held[number] = (samples, total + (samples - taken) * self._ideals[number])

    def _convert(self) -> None:
        """Make one result for every channel that is not settled."""
        changed = False
        for number in sorted(self._unsettled):
            channel, settings = self._channels[number], self._settings[number]
            taken, total = self._held[number]
            self._held[number] = (0, 0.0)
            rest = self._afe.second_samples - taken
            ideal = (total + rest * self._ideals[number]) / self._afe.second_samples
            reading = self._noisy(ideal)
            self._read_at[number] = self._results
            if self._results == 1 and self._load_bits:
                channel.load(reading, self._load_bits)
            elif channel.take(reading, settings):
                self._status ^= 1 << number
                changed = True
            # A window that saw two capacitances says nothing yet about the next one.
            if not taken and channel.settled(self._ideals[number], self._reach, settings):
                self._unsettled.discard(number)
        if changed:
            self._set_interrupt(True)

    def _noisy(self, ideal: float) -> int:
        limit = _NOISE_SIGMAS * self._sigma
        noise = max(-limit, min(limit, self._random.gauss(0.0, self._sigma)))
        return max(0, min(1023, round(ideal + noise)))

    def _set_interrupt(self, interrupt: bool) -> None:
        if interrupt != self._interrupt:
            self._interrupt = interrupt
            self._on_interrupt()

    def _write_register(self, register: int, value: int) -> None:
        if not reg.writable(register, self._mode.running):
            return
        if register == reg.SOFT_RESET:
            if value == reg.SOFT_RESET_KEY:
                self._reset()
        elif register == reg.TOUCH_STATUS + 1:
            # "Write one to clear": the only bit of the status that can be written.
            if value & reg.OVER_CURRENT:
                self._over_current = False
        elif register == reg.ECR:
            self._write_mode(value)
        else:
            self._registers[register] = value
            if reg.BASELINE <= register < reg.BASELINE + reg.CHANNELS:
                self._channels[register - reg.BASELINE].baseline = value << 2

    def _write_mode(self, value: int) -> None:
        if self._over_current:
            return
        from_stop = not self._mode.running
        self._registers[reg.ECR] = value
        self._configure()
        # Baselines are loaded on the way from stop to run mode only.
        self._load_bits = self._mode.load_bits if from_stop else 0
        for number, channel in enumerate(self._channels):
            if from_stop or number not in self._enabled:
                channel.restart()
                self._status &= ~(1 << number)

    def _read_register(self, register: int) -> int:
        if register == reg.TOUCH_STATUS:
            # Reading the status releases the interrupt output.
            self._set_interrupt(False)
            return self._status & 0xFF
        if register == reg.TOUCH_STATUS + 1:
            return self._status >> 8 & 0x1F | (reg.OVER_CURRENT if self._over_current else 0)
        if reg.FILTERED_DATA <= register < reg.BASELINE:
            number, high = divmod(register - reg.FILTERED_DATA, 2)
            return self._result(number) >> (8 if high else 0) & 0xFF
        if reg.BASELINE <= register < reg.BASELINE + reg.CHANNELS:
            return self._channels[register - reg.BASELINE].baseline >> 2
        return self._registers[register] if register < reg.SIZE else 0

    def _result(self, number: int) -> int:
        channel = self._channels[number]
        settled = number in self._enabled and number not in self._unsettled
        if settled and self._read_at[number] != self._results:
            self._read_at[number] = self._results
            channel.reading = self._noisy(self._ideals[number])
        return channel.reading
