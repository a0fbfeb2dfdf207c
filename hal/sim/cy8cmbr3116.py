"""A CY8CMBR3116 touch chip, as its I2C bus and its electrodes see it.

Emulates, after the data sheet 001-85330 revision *Q: settings that are saved with their CRC and in
force after a reset, commands, start-up with diagnostics, scans of buttons with thresholds,
hysteresis and debounce, the interrupt's pulse, sleep and the refusal to acknowledge. Automatic
thresholds, proximity, GPO and the slow following of a baseline are not emulated. Must not know
buses, pins or fingers. Time comes in as seconds; chance is seeded.

Where the data sheet says nothing, this is assumed: two attempts wake the chip; it falls asleep one
scan after it was last spoken to; a baseline that lies too high is learned anew after 50 scans; the
noise of a difference is two counts.
"""

import errno
import math
import random
from binascii import crc_hqx
from collections.abc import Callable

SENSORS = 16
SCAN_S = 0.02  # "fixed at 20 ms" in the state Active (p. 29)
SAVE_S = 0.22  # p. 32
READY_S = 0.015  # TI2CBOOT (p. 28)
FIRST_SCAN_S = {False: 0.4, True: 0.9}  # TBOOT without and with diagnostics (p. 28)
MOST_PF = 45.0  # a sensor with more is disabled by diagnostics (p. 20)
_WAKE_ATTEMPTS = 2
_LOW_SCANS = 50
_NOISE_COUNTS = 2.0
_MOST_COUNTS = 2046  # where SparkFun's library sees raw counts end at 0.2 pF

_CONFIG, _CRC = 128, 126
_COMMAND, _ERROR, _FAMILY, _DIAGNOSTICS = 0x86, 0x89, 0x8F, 0x98
_STATUS, _SYNC, _DIFFERENCE = 0xAA, (0xB9, 0xDB, 0xE7), 0xBA
_SAVE, _RESET = 2, 255
_BAD_CRC, _BAD_COMMAND = 254, 255

# From the factory: all sixteen inputs with 0.1 pF and the threshold 128, address 0x37.
FACTORY = bytearray(_CONFIG)
FACTORY[0x00:0x02] = b"\xff\xff"
FACTORY[0x0C:0x1C] = b"\x80" * SENSORS
FACTORY[0x1C] = 3
FACTORY[0x4D:0x53] = b"\x03\x01\x58\x00\x37\x06"
FACTORY[_CRC:] = crc_hqx(bytes(FACTORY[:_CRC]), 0xFFFF).to_bytes(2, "little")


class EmulatedCy8cmbr3116:
    """One emulated chip. `on_interrupt` is called whenever its interrupt output changes.

    `saves` counts how often its flash was written.
    """

    def __init__(
        self, now: float, *, seed: int = 0, on_interrupt: Callable[[], None] = lambda: None
    ) -> None:
        self.interrupt = False
        self.saves = 0
        self._now = now
        self._random = random.Random(seed)
        self._on_interrupt = on_interrupt
        self._load_pf = [10.0] * SENSORS
        self._scan_due_s = self._spoken_s = now
        self._flash = bytes(FACTORY)
        self._reset()

    @property
    def step_s(self) -> float | None:
        """The time between scans while any may change the state; None when none can."""
        return SCAN_S if self._unsettled else None

    def advance(self, now: float) -> None:
        self._now = max(self._now, now)
        while self._unsettled and self._scan_due_s <= self._now:
            self._scan()
            self._scan_due_s += SCAN_S
        if self._scan_due_s <= self._now:
            scans = math.floor((self._now - self._scan_due_s) / SCAN_S) + 1
            self._scans += scans
            self._scan_due_s += scans * SCAN_S

    def load(self, electrode: int, capacitance_pf: float) -> None:
        if self._load_pf[electrode] != capacitance_pf:
            self._load_pf[electrode] = capacitance_pf
            self._unsettled = self._scan_due_s < math.inf

    def power_cycle(self) -> None:
        self._reset()

    def write(self, data: bytes) -> None:
        """Take the bytes of one I2C write; raise OSError as a chip that does not acknowledge."""
        self._acknowledge()
        self._pointer, values = data[0], data[1:]
        for register, value in enumerate(values, start=self._pointer):
            if register < _CONFIG:
                self._registers[register] = value
            elif register == _COMMAND:
                self._obey(value)

    def read(self, count: int) -> bytes:
        self._acknowledge()
        self._report()
        return bytes(self._registers[self._pointer : self._pointer + count]).ljust(count, b"\xff")

    def _acknowledge(self) -> None:
        if self._now - self._spoken_s > SCAN_S:
            self._deaf = _WAKE_ATTEMPTS
        self._spoken_s = self._now
        if self._now < self._ready_s or self._deaf:
            self._deaf = max(0, self._deaf - 1)
            raise OSError(errno.EREMOTEIO, "the chip does not acknowledge")

    def _obey(self, command: int) -> None:
        self._registers[_ERROR] = 0
        if command == _RESET:
            self._reset()
        elif command == _SAVE and self._crc_fits():
            self._flash = bytes(self._registers[:_CONFIG])
            self.saves += 1
            self._ready_s = self._now + SAVE_S
            # The state Configuration: "no scanning or reporting occurs" until a reset (p. 29).
            self._unsettled, self._scan_due_s = False, math.inf
        else:
            self._registers[_ERROR] = _BAD_CRC if command == _SAVE else _BAD_COMMAND

    def _crc_fits(self) -> bool:
        crc = crc_hqx(bytes(self._registers[:_CRC]), 0xFFFF)
        return self._registers[_CRC:_CONFIG] == crc.to_bytes(2, "little")

    def _reset(self) -> None:
        self._registers = bytearray(256)
        self._registers[:_CONFIG] = self._flash
        self._registers[_FAMILY] = 154
        self._pointer = self._deaf = self._scans = 0
        self._spoken_s = self._now
        self._ready_s = self._now + READY_S
        config = self._flash
        self._enabled = [n for n in range(SENSORS) if config[n // 8] >> n % 8 & 1]
        self._diagnoses = bool(config[0x4E] & 1)
        self._scan_due_s = self._now + FIRST_SCAN_S[self._diagnoses]
        self._counts_a_pf = [
            500 / (1 + (config[0x08 + n // 4] >> 2 * (n % 4) & 3)) for n in range(SENSORS)
        ]
        # Without its override bit, the hysteresis is one of the chip's own.
        self._hysteresis = config[0x1D] & 31 if config[0x1D] & 0x80 else 16
        self._debounce = max(1, config[0x1C] & 15)
        self._base_pf: list[float] = []
        self._touched = 0
        self._agreeing, self._low = [0] * SENSORS, [0] * SENSORS
        self._unsettled = True

    def _start(self) -> None:
        """Learn all sensors; diagnostics disable those with a fault."""
        self._base_pf = list(self._load_pf)
        if self._diagnoses:
            shorted = sum(1 << n for n in self._enabled if self._load_pf[n] == math.inf)
            high = sum(1 << n for n in self._enabled if MOST_PF < self._load_pf[n] < math.inf)
            for place, bits in ((0, high), (4, shorted)):
                at = _DIAGNOSTICS + place
                self._registers[at : at + 2] = bits.to_bytes(2, "little")
            self._enabled = [n for n in self._enabled if not (high | shorted) >> n & 1]

    def _scan(self) -> None:
        self._scans += 1
        if not self._base_pf:
            self._start()
        self._unsettled = False
        before = self._touched
        for number in self._enabled:
            rise, threshold = self._rise(number), self._flash[0x0C + number]
            touched = bool(self._touched >> number & 1)
            # Debounce is for the way on only: a touch ends with the first scan below.
            ends = touched and rise <= threshold - self._hysteresis
            begins = not touched and rise >= threshold + self._hysteresis
            self._agreeing[number] = self._agreeing[number] + 1 if begins else 0
            if ends or self._agreeing[number] >= self._debounce:
                self._touched ^= 1 << number
            self._low[number] = self._low[number] + 1 if rise < 0 else 0
            if self._low[number] >= _LOW_SCANS:
                self._base_pf[number] = self._load_pf[number]
            changed = self._touched >> number & 1 != touched
            self._unsettled |= changed or 0 < self._agreeing[number] < self._debounce or rise < 0
        if self._touched != before:
            for low in (True, False):
                self.interrupt = low
                self._on_interrupt()

    def _rise(self, number: int) -> float:
        """Return the counts by which a sensor has risen, without noise."""
        risen_pf = self._load_pf[number] - self._base_pf[number]
        return min(float(_MOST_COUNTS), risen_pf * self._counts_a_pf[number])

    def _report(self) -> None:
        """Fill the registers of status with the last scan."""
        self._registers[_STATUS : _STATUS + 2] = self._touched.to_bytes(2, "little")
        for register in _SYNC:
            self._registers[register] = self._scans & 0x0F
        for number in self._enabled if self._base_pf else ():
            rise = self._rise(number) + self._random.gauss(0.0, _NOISE_COUNTS)
            at = _DIFFERENCE + 2 * number
            self._registers[at : at + 2] = max(0, round(rise)).to_bytes(2, "little")
