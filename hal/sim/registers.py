"""The registers of the MPR121 and their bits (NXP data sheet, revision 4, section 5)."""

from collections.abc import Iterable
from dataclasses import dataclass

TOUCH_STATUS = 0x00  # 0x00 and 0x01
FILTERED_DATA = 0x04  # two bytes a channel, low byte first
BASELINE = 0x1E  # the upper eight of ten bits
BASELINE_FILTER = 0x2B  # 0x2B to 0x35
THRESHOLDS = 0x41  # touch, release, touch, release...
DEBOUNCE = 0x5B
CONFIG1 = 0x5C
CONFIG2 = 0x5D
ECR = 0x5E
CHARGE_CURRENT = 0x5F  # 0x5F to 0x6B, one a channel
CHARGE_TIME = 0x6C  # 0x6C to 0x72, two channels a byte
AUTO_CONFIG = 0x7B  # 0x7B to 0x7F, the last one the target level
AUTO_ENABLE = 1  # in 0x7B: ACE
LOAD_BITS = {2: 5, 3: 10}  # CL and BVA: the number of high bits of the first result in the baseline
SOFT_RESET = 0x80
SOFT_RESET_KEY = 0x63
SIZE = 0x81

CHANNELS = 12  # the thirteenth, for proximity, is not emulated

CURRENTS_UA = range(1, 64)  # CDC; 0 is none
TIME_CODES = range(1, 8)  # CDT; 0 is none

RESET_VALUES = {CONFIG1: 0x10, CONFIG2: 0x24}  # every other register resets to zero

_FIRST_SAMPLES = (6, 10, 18, 34)  # FFI
_SECOND_SAMPLES = (4, 6, 10, 18)  # SFI


@dataclass(frozen=True, slots=True)
class Drift:
    """The baseline filter of one scenario (rising, falling, touched)."""

    max_half_delta: int
    noise_half_delta: int
    noise_count_limit: int
    filter_delay: int


def samples(registers: bytearray) -> tuple[int, int]:
    """Decode how many samples the first and second filter average (FFI, SFI)."""
    return _FIRST_SAMPLES[registers[CONFIG1] >> 6], _SECOND_SAMPLES[registers[CONFIG2] >> 3 & 3]


def period_s(registers: bytearray, channels: Iterable[int]) -> float:
    """Return the time between results: SFI samples, one every ESI or as fast as the chip can."""
    first, second = samples(registers)
    charges_us = sum(2 * charge_time_us(charge(registers, number)[1]) for number in channels)
    return second * max((1 << (registers[CONFIG2] & 7)) / 1000, first * charges_us * 1e-6)


def charge_time_us(code: int) -> float:
    """Decode a CDT field: 0 is none, then 0.5 us, doubling to 32 us."""
    return 0.5 * (1 << (code - 1)) if code else 0.0


def charge(registers: bytearray, channel: int) -> tuple[int, int]:
    """Decode a channel's current in microamperes and time code, its own or the global ones."""
    register, shift = _time_field(channel)
    own_current, own_time = registers[CHARGE_CURRENT + channel], registers[register] >> shift & 7
    return own_current & 0x3F or registers[CONFIG1] & 0x3F, own_time or registers[CONFIG2] >> 5


def put_charge(registers: bytearray, channel: int, current_ua: int, time_code: int) -> None:
    """Set a channel's own charge."""
    registers[CHARGE_CURRENT + channel] = current_ua
    register, shift = _time_field(channel)
    registers[register] = registers[register] & ~(7 << shift) | time_code << shift


def _time_field(channel: int) -> tuple[int, int]:
    return CHARGE_TIME + channel // 2, 4 if channel % 2 else 0


def drifts(registers: bytearray) -> tuple[Drift, Drift, Drift]:
    """Decode the baseline filter registers into rising, falling, touched."""
    values = registers[BASELINE_FILTER : BASELINE_FILTER + 11]
    rising = Drift(values[0] & 0x3F, values[1] & 0x3F, values[2], values[3])
    falling = Drift(values[4] & 0x3F, values[5] & 0x3F, values[6], values[7])
    # "There is no maximum half delta for the touched scenario."
    touched = Drift(0, values[8] & 0x3F, values[9], values[10])
    return rising, falling, touched
