"""The registers of an MPR121, by which a driver sets it up and reads it. Pure.

Register numbers and fields are those of the NXP data sheet, revision 4, section 5.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from hal.base.errors import SensorFault
from hal.profile import CHARGE_TIMES_US, ELECTRODES, Chip, Measuring, Tuning

SHORTED_COUNTS = 8
"""A reading this low is neither finger nor stone: the electrode cannot be charged."""
SATURATED_COUNTS = 800
"""Readings end at (VDD - 0.7 V) / VDD x 1024 = 807: an electrode this high senses no touch."""

MEASURES = 0x04  # two bytes an electrode, low byte first
BASELINES = 0x1E  # the upper eight of ten bits
BASELINE_FILTER = 0x2B  # 0x2B to 0x35
THRESHOLDS = 0x41  # touch, release, touch, release...
DEBOUNCE = 0x5B
CONFIG1 = 0x5C
CONFIG2 = 0x5D
MODE = 0x5E  # the electrode configuration register (ECR): it starts and stops the chip
CHARGE_CURRENTS = 0x5F  # 0x5F to 0x6B, one an electrode
CHARGE_TIMES = 0x6C  # 0x6C to 0x72, two electrodes a byte
AUTO_CONFIG = 0x7B  # 0x7B to 0x7F, the last one the target level

_CHARGES_BYTES = 13 + ELECTRODES // 2
_MEASURES_BYTES = 2 * (ELECTRODES + 1) + ELECTRODES

_STOP = 0x00
# ELE_EN = 15: run all electrodes. CL = 11 takes all ten bits of the first result as baseline: the
# driver's own 0x8F takes five, and a baseline that is up to 31 counts too low would hide a finger
# for the first second. CL = 00 keeps the baselines that were written.
_LEARN = 0xCF
_KEEP = 0x0F

# How baselines follow a slow change: MHD, NHD, NCL, FDL for rising and for falling readings, then
# NHD, NCL, FDL while touched. Rising ones are NXP's own (quick start guide AN3944). A falling
# reading may be a stone that is being set down: the baseline follows it by two counts in 256
# results at most, a second with the usual filters. Adafruit's follow by five each result.
_FOLLOW = bytes([0x01, 0x01, 0x00, 0x00, 0x01, 0x01, 0x04, 0xFF, 0x00, 0x00, 0x00])

# Auto-configuration (AN3889): the limits for 3.3 V, and running it once on the way to run mode. BVA
# = 11 sets the baselines as CL = 11 does.
_VDD_V = 3.3
_UPPER = int((_VDD_V - 0.7) / _VDD_V * 256)
_LOWER = round(_UPPER * 0.65)
_TARGET = round(_UPPER * 0.9)
_AUTO_BASELINE, AUTO_ENABLE = 0b11 << 2, 0b1

# The values that the codes in register fields stand for.
FIRST_FILTERS = (6, 10, 18, 34)  # FFI
SECOND_FILTERS = (4, 6, 10, 18)  # SFI
TIMES_US = (0.0, *CHARGE_TIMES_US)  # CDT

Blocks = list[tuple[int, bytes]]
"""Writes to a chip after a reset, in order: a start register and its bytes each."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A chip's measurement at one electrode, in counts from 0 to 1023."""

    raw: int
    baseline: int
    touched: bool

    @property
    def fall(self) -> int:
        """How far the reading lies below its baseline: a touch lowers it."""
        return self.baseline - self.raw


def set_up_blocks(
    measuring: Measuring, tunings: Mapping[int, Tuning], baselines: Mapping[int, int]
) -> Blocks:
    """Encode all settings of a chip.

    The last block starts the chip: its byte is the content of MODE from then on. A chip that learns
    and has no known charge configures itself. `baselines` (in counts), if any, are written, and an
    electrode without one starts at 0; if there are none, the chip learns all.
    """
    # Every restart of the chip may reload its baselines. So all settings are written while the
    # chip is stopped, and one start follows them.
    learn = not baselines
    charged = any(each.charge_ua for each in tunings.values())
    thresholds = bytearray([measuring.touch_threshold, measuring.release_threshold] * ELECTRODES)
    for number, tuning in tunings.items():
        if tuning.touch_threshold is not None:
            thresholds[2 * number] = tuning.touch_threshold
        if tuning.release_threshold is not None:
            thresholds[2 * number + 1] = tuning.release_threshold
    blocks = [
        (MODE, bytes([_STOP])),
        (BASELINE_FILTER, _FOLLOW),
        (THRESHOLDS, bytes(thresholds)),
        (DEBOUNCE, _front_end(measuring)),
        (CHARGE_CURRENTS, _charges(tunings)),
    ]
    if measuring.automatic and learn and not charged:
        # The first filter must be as in CONFIG1.
        control = FIRST_FILTERS.index(measuring.first_filter) << 6 | _AUTO_BASELINE | AUTO_ENABLE
        blocks.append((AUTO_CONFIG, bytes([control, 0, _UPPER, _LOWER, _TARGET])))
    if not learn:
        written = bytes(baselines.get(number, 0) >> 2 for number in range(ELECTRODES))
        blocks.append((BASELINES, written))
    blocks.append((MODE, bytes([_LEARN if learn else _KEEP])))
    return blocks


@dataclass(eq=False)
class ChipDriver(ABC):
    """One MPR121, set up and read over its registers. Transfers that fail raise SensorFault.

    `automatic` tells whether the chip finds its own charge settings; the reader of `charges` clears
    it. `str` names the chip and its place, for people.
    """

    chip: Chip
    automatic: bool = field(default=False, init=False)

    def set_up(
        self, measuring: Measuring, tunings: Mapping[int, Tuning], baselines: Mapping[int, int]
    ) -> None:
        """Write all settings; keep `baselines`, in counts, or learn all on an empty board."""
        blocks = set_up_blocks(measuring, tunings, baselines)
        self.automatic = AUTO_CONFIG in dict(blocks)
        self._set_up(blocks, blocks[-1][1][0])

    def touched(self) -> frozenset[int]:
        """Return the numbers of the touched electrodes; this releases the interrupt line."""
        bits = self._status()
        # Only twelve electrodes are in use, and bit 15 is the over-current flag: such a frame is a
        # failed read (0xFFFF looks like twelve stones) or a chip that has stopped.
        if bits >> ELECTRODES:
            raise SensorFault(f"{self} says 0x{bits:04X}: allowed is 0x0000 to 0x0FFF")
        return frozenset(number for number in range(ELECTRODES) if bits >> number & 1)

    def suspect(self, now: float) -> bool:
        """Return whether a full measurement is worthwhile now, to learn baselines and charges."""
        return True

    def readings(self, touched: frozenset[int]) -> tuple[Reading, ...]:
        """Measure all twelve electrodes; `touched` is known already."""
        answer = self._read(MEASURES, _MEASURES_BYTES)
        raw = [answer[2 * n] | answer[2 * n + 1] << 8 for n in range(ELECTRODES)]
        baselines = answer[BASELINES - MEASURES :]
        if any(value > 1023 for value in raw):
            raise SensorFault(f"{self} measures {max(raw)}: allowed is 0 to 1023")
        return tuple(Reading(raw[n], baselines[n] << 2, n in touched) for n in range(ELECTRODES))

    def charges(self) -> dict[int, Tuning]:
        """Return the charge settings that the chip has found by itself, by electrode."""
        answer = self._read(CHARGE_CURRENTS, _CHARGES_BYTES)
        currents, times = answer[:ELECTRODES], answer[13:]
        if any(each > 63 for each in currents) or any(each & 0x88 for each in times):
            most = max(currents)
            raise SensorFault(f"{self} says charge currents up to {most}: allowed is 0 to 63")
        codes = [times[n // 2] >> 4 * (n % 2) & 7 for n in range(ELECTRODES)]
        return {
            n: Tuning(charge_ua=current, charge_us=TIMES_US[codes[n]] or None)
            for n, current in enumerate(currents)
            if current
        }

    @abstractmethod
    def check(self) -> None:
        """Raise SensorFault when the chip no longer runs as it was set up."""

    @abstractmethod
    def _set_up(self, blocks: Blocks, mode: int) -> None:
        """Reset the chip and write the blocks, which leave `mode` in its register MODE."""

    @abstractmethod
    def _status(self) -> int:
        """Return the 16 bits of the touch status."""

    @abstractmethod
    def _read(self, register: int, count: int) -> bytes | bytearray:
        """Read registers."""


def _front_end(measuring: Measuring) -> bytes:
    """Encode debounce, CONFIG1 and CONFIG2 (0x5B to 0x5D)."""
    interval = measuring.interval_ms.bit_length() - 1
    return bytes(
        [
            measuring.release_debounce << 4 | measuring.touch_debounce,
            FIRST_FILTERS.index(measuring.first_filter) << 6 | measuring.charge_ua,
            TIMES_US.index(measuring.charge_us) << 5
            | SECOND_FILTERS.index(measuring.second_filter) << 3
            | interval,
        ]
    )


def _charges(tunings: Mapping[int, Tuning]) -> bytes:
    """Encode the charge settings of single electrodes (0x5F to 0x71); 0 takes the common one."""
    currents, times = bytearray(13), bytearray(6)
    for number, tuning in tunings.items():
        currents[number] = tuning.charge_ua or 0
        times[number // 2] |= TIMES_US.index(tuning.charge_us or 0.0) << 4 * (number % 2)
    return bytes(currents + times)
