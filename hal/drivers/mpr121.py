"""One MPR121 touch chip, through the published `adafruit_mpr121` driver.

Owns the chip's registers: how it is set up, what it says, and which answers are believed. Must not
know whether the bus is real or emulated, when the chip is read, nor which cell an electrode feels.
Register numbers and fields are those of the NXP data sheet MPR121, revision 4, section 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adafruit_bus_device.i2c_device import I2CDevice  # type: ignore[import-untyped]
from adafruit_mpr121 import MPR121

from hal.errors import SensorFault
from hal.memory import Tuning
from hal.profile import ELECTRODES, Chip, Measuring

_FILTERED = 0x04
_BASELINES = 0x1E
_BASELINE_FILTER = 0x2B
_THRESHOLDS = 0x41
_DEBOUNCE = 0x5B
_ECR = 0x5E
_CHARGE_CURRENT = 0x5F
_CHARGE_TIME = 0x6C
_AUTO_CONFIG = 0x7B

_STOP = 0x00
# ELE_EN = 15: run all electrodes. CL = 11 takes all ten bits of the first result as baseline: the
# driver's own 0x8F takes five, and a baseline that is up to 31 counts too low would hide a finger
# for the first second. CL = 00 keeps the baselines that were written.
_LEARN = 0xCF
_KEEP = 0x0F

# How baselines follow a slow change: MHD, NHD, NCL, FDL for rising and for falling readings, then
# NHD, NCL, FDL while touched. Rising ones are NXP's own (quick start guide AN3944). A falling
# reading may be a stone that is being set down: the baseline follows it by two counts in 256
# results at most, a second with the usual filters. The driver's would follow five a result.
_FOLLOW = bytes([0x01, 0x01, 0x00, 0x00, 0x01, 0x01, 0x04, 0xFF, 0x00, 0x00, 0x00])

# Auto-configuration (AN3889): the limits for 3.3 V, and what makes it run once on the way to run
# mode. BVA = 11 sets the baselines as CL = 11 does.
_VDD_V = 3.3
_UPPER = int((_VDD_V - 0.7) / _VDD_V * 256)
_LOWER = round(_UPPER * 0.65)
_TARGET = round(_UPPER * 0.9)
_AUTO_BASELINE, _AUTO_ENABLE = 0b11 << 2, 0b1

_FIRST_FILTER = {6: 0, 10: 1, 18: 2, 34: 3}  # FFI
_SECOND_FILTER = {4: 0, 6: 1, 10: 2, 18: 3}  # SFI
_TIME_CODES = {0.5: 1, 1.0: 2, 2.0: 3, 4.0: 4, 8.0: 5, 16.0: 6, 32.0: 7}  # CDT
_TIMES_US = {code: time_us for time_us, code in _TIME_CODES.items()}

SHORTED_COUNTS = 8
"""A reading this low is no finger and no stone: the electrode cannot be charged at all."""
SATURATED_COUNTS = 800
"""Readings end at (VDD - 0.7 V) / VDD x 1024 = 807: one up here feels nothing any more."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold what a chip measures at one electrode, in counts from 0 to 1023."""

    raw: int
    baseline: int
    touched: bool

    @property
    def fall(self) -> int:
        """Give how far the reading lies below its baseline: what a touch makes."""
        return self.baseline - self.raw


class TouchChip:
    """Drive one chip. Every method raises SensorFault when the chip does not do its part.

    `automatic` tells whether it was left to find its own charge settings.
    """

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self._driver: MPR121 | None = None
        self._device: Any = None
        self._ecr = _LEARN
        self.automatic = False

    def set_up(
        self,
        bus: Any,
        measuring: Measuring,
        tunings: Mapping[int, Tuning],
        baselines: Mapping[int, int],
    ) -> None:
        """Reset the chip and write all its settings, those of single electrodes by number.

        Auto-configuration is left to a chip that learns and for which no charge is known yet. With
        any `baselines` (in counts) these are written and kept; an electrode that has none
        starts at 0 and rises from there. Without, every baseline is learnt from what is felt now,
        so the board must be empty.
        """
        # Every restart of the chip may reload its baselines. That is why all settings go in with
        # the chip stopped and with one start after them, and not through the driver's properties,
        # which restart the chip for each.
        learn = not baselines
        try:
            self._driver = MPR121(bus, address=self.chip.address)
            self._device = I2CDevice(bus, self.chip.address, probe=False)
            with self._device as device:
                device.write(bytes([_ECR, _STOP]))
                device.write(bytes([_BASELINE_FILTER]) + _FOLLOW)
                device.write(bytes([_THRESHOLDS]) + _thresholds(measuring, tunings))
                device.write(bytes([_DEBOUNCE]) + _front_end(measuring))
                device.write(bytes([_CHARGE_CURRENT]) + _charges(tunings))
                self.automatic = measuring.automatic and learn and not _charged(tunings)
                if self.automatic:
                    device.write(bytes([_AUTO_CONFIG]) + _automatic(measuring))
                if not learn:
                    kept = [baselines.get(number, 0) >> 2 for number in range(ELECTRODES)]
                    device.write(bytes([_BASELINES, *kept]))
                self._ecr = _LEARN if learn else _KEEP
                device.write(bytes([_ECR, self._ecr]))
        except (OSError, ValueError, RuntimeError, TypeError, IndexError) as error:
            raise SensorFault(f"{self} cannot be set up: {error}") from error

    def touched(self) -> frozenset[int]:
        """Read which electrodes are touched, in one transfer; this releases the interrupt line."""
        if self._driver is None:
            raise SensorFault(f"{self} is not set up")
        try:
            bits = self._driver.touched()
        except OSError as error:
            raise SensorFault(f"{self} does not answer: {error}") from error
        # Bit 15 is the over-current flag, 12 to 14 are never set here: such a frame is a failed
        # read (0xFFFF looks like twelve stones) or a chip that has stopped.
        if bits >> ELECTRODES:
            raise SensorFault(f"{self} says 0x{bits:04X}: allowed is 0x0000 to 0x0FFF")
        return frozenset(number for number in range(ELECTRODES) if bits >> number & 1)

    def check(self) -> None:
        """Raise SensorFault when the chip no longer runs as it was set up, as after a power cut."""
        mode = self._read(_ECR, 1)[0]
        if mode != self._ecr:
            raise SensorFault(
                f"{self} has lost its settings: register 0x5E says 0x{mode:02X},"
                f" allowed is 0x{self._ecr:02X}"
            )

    def readings(self, touched: frozenset[int]) -> tuple[Reading, ...]:
        """Read what all twelve electrodes measure, in one transfer; `touched` is known already."""
        answer = self._read(_FILTERED, 2 * (ELECTRODES + 1) + ELECTRODES)
        raw = [answer[2 * n] | answer[2 * n + 1] << 8 for n in range(ELECTRODES)]
        baselines = answer[_BASELINES - _FILTERED :]
        if any(value > 1023 for value in raw):
            raise SensorFault(f"{self} measures {max(raw)}: allowed is 0 to 1023")
        return tuple(Reading(raw[n], baselines[n] << 2, n in touched) for n in range(ELECTRODES))

    def charges(self) -> dict[int, Tuning]:
        """Read the charge settings that auto-configuration has found, by electrode."""
        answer = self._read(_CHARGE_CURRENT, 13 + ELECTRODES // 2)
        currents, times = answer[:ELECTRODES], answer[13:]
        if any(each > 63 for each in currents) or any(each & 0x88 for each in times):
            raise SensorFault(
                f"{self} says charge currents up to {max(currents)}: allowed is 0 to 63"
            )
        return {
            n: Tuning(charge_ua=current, charge_us=_TIMES_US.get(times[n // 2] >> 4 * (n % 2) & 7))
            for n, current in enumerate(currents)
            if current
        }

    def __str__(self) -> str:
        return f"sensor chip {self.chip.name} ({self.chip.place})"

    def _read(self, register: int, count: int) -> bytearray:
        if self._device is None:
            raise SensorFault(f"{self} is not set up")
        answer = bytearray(count)
        try:
            with self._device as device:
                device.write_then_readinto(bytes([register]), answer)
        except OSError as error:
            raise SensorFault(f"{self} does not answer: {error}") from error
        return answer


def _thresholds(measuring: Measuring, tunings: Mapping[int, Tuning]) -> bytes:
    values: list[int] = []
    for number in range(ELECTRODES):
        tuning = tunings.get(number, Tuning())
        touch, release = tuning.touch_threshold, tuning.release_threshold
        values.append(measuring.touch_threshold if touch is None else touch)
        values.append(measuring.release_threshold if release is None else release)
    return bytes(values)


def _front_end(measuring: Measuring) -> bytes:
    """Encode debounce, CONFIG1 and CONFIG2 (0x5B to 0x5D)."""
    interval = measuring.interval_ms.bit_length() - 1
    return bytes(
        [
            measuring.release_debounce << 4 | measuring.touch_debounce,
            _FIRST_FILTER[measuring.first_filter] << 6 | measuring.charge_ua,
            _TIME_CODES[measuring.charge_us] << 5
            | _SECOND_FILTER[measuring.second_filter] << 3
            | interval,
        ]
    )


def _charges(tunings: Mapping[int, Tuning]) -> bytes:
    """Encode the charge settings of single electrodes (0x5F to 0x71); 0 takes the common one."""
    currents, times = bytearray(13), bytearray(6)
    for number, tuning in tunings.items():
        currents[number] = tuning.charge_ua or 0
        code = _TIME_CODES[float(tuning.charge_us)] if tuning.charge_us else 0
        times[number // 2] |= code << 4 * (number % 2)
    return bytes(currents + times)


def _charged(tunings: Mapping[int, Tuning]) -> bool:
    return any(each.charge_ua for each in tunings.values())


def _automatic(measuring: Measuring) -> bytes:
    """Encode 0x7B to 0x7F. The first filter must be as in CONFIG1."""
    control = _FIRST_FILTER[measuring.first_filter] << 6 | _AUTO_BASELINE | _AUTO_ENABLE
    return bytes([control, 0, _UPPER, _LOWER, _TARGET])
