"""An MPR121 touch sensor chip, as its I2C bus and its electrodes see it.

Emulates, after the NXP data sheet MPR121 (revision 4), registers with auto-increment, stop and run
mode, soft reset, sampling, touch status, over-current flag and interrupt, and connects them to the
front end, auto-configuration and the channels. GPIO and proximity registers have no effect. Must
not know buses, pins or fingers. Time comes in as seconds; chance is seeded.
"""

import math
from collections.abc import Callable
from functools import partial

from hal.sim import registers as reg
from hal.sim.autoconfig import AutoConfiguration, decode
from hal.sim.channel import Channel, Settings
from hal.sim.front_end import FrontEnd, counts

# BVA (AN3889): 00 keeps the baseline, 10 and 11 load that many high bits of the first result.
_CLEARED = 1
_LOAD_BITS = {2: 5, 3: 10}


class EmulatedMpr121:
    """One emulated chip. `on_interrupt` is called whenever its interrupt output changes."""

    def __init__(
        self, now: float, *, seed: int = 0, on_interrupt: Callable[[], None] = lambda: None
    ) -> None:
        self._now = now
        self._front_end = FrontEnd(seed)
        self._auto = AutoConfiguration()
        self._on_interrupt = on_interrupt
        self._load_pf = [10.0] * 12
        self._channels = [Channel() for _ in range(reg.CHANNELS)]
        self.interrupt = False
        self._results = 0  # since the run began
        self._registers = bytearray(reg.SIZE)
        self._readers = self._make_readers()
        self._reset()

    @property
    def running(self) -> bool:
        """Whether it is in run mode, not stop mode."""
        return self._mode.running

    @property
    def step_s(self) -> float | None:
        """The time between results while any may change the state; None when none can."""
        return self._period_s if self._unsettled else None

    def advance(self, now: float) -> None:
        self._now = max(self._now, now)
        # Only unsettled channels are computed. A settled one cannot change its state
        # (`Channel.settled`): its results differ by noise alone, which is drawn when a result is
        # read.
        if self._unsettled and self._mode.running:
            due = self._results_due()
            while self._results < due and self._unsettled:
                self._results += 1
                self._convert()
                due = self._results_due()

    def load(self, electrode: int, capacitance_pf: float) -> None:
        """Set the capacitance of an electrode to ground, now.

        Infinity is a short to ground, next to nothing a broken trace.
        """
        if self._load_pf[electrode] == capacitance_pf:
            return
        self._count_results()
        loaded = {electrode} & set(self._enabled)
        for channel in loaded:
            self._front_end.hold(channel, self._samples_taken(), self._ideals[channel])
        self._load_pf[electrode] = capacitance_pf
        self._unsettled |= loaded
        self._auto.reconsider(loaded)
        self._compute_ideals()

    def short(self) -> None:
        """Make the chip detect over-current on its REXT pin: it sets the flag and stops."""
        # Section 5.2: status and output registers and "bits D5~D0 in ECR will also be cleared".
        self._forget()
        self._over_current = True
        self._registers[reg.ECR] &= 0xC0
        self._configure()
        self._set_interrupt(True)

    def power_cycle(self) -> None:
        """Switch the chip's power off and on: everything is as after a reset."""
        self._reset()

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
        return bytes([self._readers[number % 256]() for number in range(first, first + count)])

    def _reset(self) -> None:
        self._registers[:] = bytes(reg.SIZE)
        for register, value in reg.RESET_VALUES.items():
            self._registers[register] = value
        self._pointer = 0
        self._over_current = False
        self._forget()
        self._configure()
        self._set_interrupt(False)

    def _forget(self) -> None:
        self._status = 0
        self._auto.clear()
        for channel in self._channels:
            channel.restart()
            channel.reading = channel.baseline = 0

    def _configure(self) -> None:
        """Read the settings from the registers, as on every change between stop and run."""
        self._mode = reg.mode(self._registers[reg.ECR])
        self._afe = reg.afe(self._registers[reg.CONFIG1], self._registers[reg.CONFIG2])
        self._enabled = list(range(self._mode.electrodes))
        self._settings = [self._channel_settings(number) for number in range(reg.CHANNELS)]
        self._ideals = [0.0] * reg.CHANNELS
        self._front_end.configure(self._afe)
        self._read_at = [0] * reg.CHANNELS
        self._began_s = self._now
        self._results = 0
        self._load_bits = 0
        self._unsettled = set(self._enabled)
        self._pace()
        self._compute_ideals()

    def _pace(self) -> None:
        """Set the time between results: SFI samples, one every ESI or as soon as all are taken."""
        codes = (reg.charge(self._registers, number)[1] for number in self._enabled)
        scan_s = reg.scan_s(self._afe.first_samples, map(reg.charge_time_us, codes))
        self._interval_s = max(self._afe.interval_s, scan_s)
        self._period_s = self._afe.second_samples * self._interval_s

    def _count_results(self) -> None:
        """Count the results up to now, none of which changed the state."""
        if self._mode.running:
            self._results = max(self._results, self._results_due())

    def _results_due(self) -> int:
        # The small addition keeps rounding from losing a result that is due now.
        return math.floor((self._now - self._began_s) / self._period_s + 1e-6)

    def _channel_settings(self, number: int) -> Settings:
        filters = self._registers[reg.BASELINE_FILTER : reg.BASELINE_FILTER + 11]
        rising, falling, touched = reg.drifts(bytes(filters))
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
        """Return the counts without noise."""
        current_ua, code = reg.charge(self._registers, number)
        return counts(current_ua, reg.charge_time_us(code), self._load_pf[number])

    def _samples_taken(self) -> int:
        into_s = self._now - (self._began_s + self._results * self._period_s)
        return min(self._afe.second_samples, math.floor(into_s / self._interval_s + 1e-6))

    def _convert(self) -> None:
        """Convert every channel that is not settled."""
        changed = False
        adjusted = self._configure_charges() if self._auto.due else {}
        for number in sorted(self._unsettled):
            channel, settings = self._channels[number], self._settings[number]
            mixed = self._front_end.holds(number)
            reading = self._front_end.result(number, self._ideals[number])
            self._read_at[number] = self._results
            load_bits = self._load_bits if self._results == 1 else 0
            load_bits = load_bits or adjusted.get(number, 0)
            if load_bits:
                channel.load(reading, load_bits)
            elif channel.take(reading, settings):
                self._status ^= 1 << number
                changed = True
            # A window with two capacitances says nothing about the next one.
            if (
                not mixed
                and number not in self._auto.due
                and channel.settled(self._ideals[number], self._front_end.reach, settings)
            ):
                self._unsettled.discard(number)
        if changed:
            self._set_interrupt(True)

    def _configure_charges(self) -> dict[int, int]:
        """Search the charge of the channels that are due.

        Return how many bits of their first result become their baseline, after BVA.
        """
        searched = sorted(self._auto.due.intersection(self._enabled))
        for number in searched:
            alarm = self._auto.search(self._registers, number, self._load_pf[number])
            self._ideals[number] = self._ideal(number)
            self._front_end.drop(number)
            if self._auto.baseline == _CLEARED:
                self._channels[number].baseline = 0
            if alarm:
                self._set_interrupt(True)
        result_s = self._began_s + self._results * self._period_s
        self._pace()
        self._began_s = result_s - self._results * self._period_s
        return dict.fromkeys(searched, _LOAD_BITS.get(self._auto.baseline, 0))

    def _set_interrupt(self, interrupt: bool) -> None:
        if interrupt != self.interrupt:
            self.interrupt = interrupt
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
        # Baselines are loaded, and charges searched, only on the way from stop to run mode. That
        # ends with the first result: the published driver writes the mode twice within it.
        begins = from_stop or self._results == 0
        self._registers[reg.ECR] = value
        self._configure()
        if begins:
            self._load_bits = self._mode.load_bits
            values = bytes(self._registers[reg.AUTO_CONFIG : reg.SOFT_RESET])
            self._auto.begin(decode(values, self._registers[reg.CONFIG1]), self._enabled)
        for number, channel in enumerate(self._channels):
            if from_stop or number not in self._enabled:
                channel.restart()
                self._status &= ~(1 << number)

    def _make_readers(self) -> tuple[Callable[[], int], ...]:
        """List the reader of each register; addresses after the last read as zero."""
        readers = [partial(self._registers.__getitem__, number) for number in range(reg.SIZE)]
        tables: list[Callable[[], int]] = [*readers, *[int] * (256 - reg.SIZE)]
        tables[reg.TOUCH_STATUS] = self._read_status
        tables[reg.TOUCH_STATUS + 1] = lambda: (
            self._status >> 8 & 0x1F | (reg.OVER_CURRENT if self._over_current else 0)
        )
        for high in (0, 1):
            tables[reg.OUT_OF_RANGE + high] = partial(self._read_out_of_range, 8 * high)
        for number in range(reg.CHANNELS):
            tables[reg.FILTERED_DATA + 2 * number] = partial(self._read_result, number, 0)
            tables[reg.FILTERED_DATA + 2 * number + 1] = partial(self._read_result, number, 8)
            tables[reg.BASELINE + number] = partial(self._read_baseline, number)
        return tuple(tables)

    def _read_status(self) -> int:
        """Read the touches of the first eight electrodes; this releases the interrupt output."""
        self._set_interrupt(False)
        return self._status & 0xFF

    def _read_out_of_range(self, shift: int) -> int:
        return self._auto.status >> shift & 0xFF

    def _read_baseline(self, number: int) -> int:
        return self._channels[number].baseline >> 2

    def _read_result(self, number: int, shift: int) -> int:
        channel = self._channels[number]
        if (
            self._read_at[number] != self._results
            and number not in self._unsettled
            and number in self._enabled
        ):
            self._read_at[number] = self._results
            channel.reading = self._front_end.noisy(self._ideals[number])
        return channel.reading >> shift & 0xFF
