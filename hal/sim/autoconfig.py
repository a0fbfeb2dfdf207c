"""The MPR121's auto-configuration: a charge for each electrode that brings it near a target.

Where these are unclear, this is assumed:

- The search takes the shortest charge time with which the target is within reach, and then the
  current that comes nearest to it: the shorter the time, the finer the steps of the current. The
  data sheet says "binary search" and "as close as possible", not where it begins.
- It is done when the first result of a run comes, so registers that are read before say nothing.
- It measures without noise, so retries (RETRY) would find the same and are left out.
- A search cannot succeed while USL, TL and LSL break "255 > USL > TL > LSL > 0", nor while its
  number of samples (FFI in 0x7B) is not that of register 0x5C.
- A channel that fails keeps the charge that came nearest. Auto-reconfiguration (ARE) tries it again
  with the next result, and from then on when its capacitance has changed, because nothing else can
  change its verdict. Channels that were in range are never touched.
- ACFF stays for the run, ARFF until no channel is out of range. An interrupt is made when a flag
  that has one enabled is newly set, not with every further result.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hal.sim import front_end
from hal.sim import registers as reg

OUT_OF_RANGE = 0x1FFF  # Ex_OOR, one bit a channel, in registers 0x02 and 0x03
AUTO_FAILED = 0x8000  # ACFF
AGAIN_FAILED = 0x4000  # ARFF


@dataclass(frozen=True, slots=True)
class ChargeSearch:
    """Settings in registers 0x7B to 0x7F; levels in counts of ten bits."""

    enabled: bool  # ACE
    again: bool  # ARE
    baseline: int  # BVA
    skip_time: bool  # SCTS
    alarms: int  # which bits of the status make an interrupt, as a mask
    upper: int  # USL
    lower: int  # LSL
    target: int  # TL
    valid: bool


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge, and what a channel measures with it."""

    current_ua: int
    time_code: int
    counts: float


def decode(values: bytes, config1: int) -> ChargeSearch:
    """Decode registers 0x7B to 0x7F, with 0x5C beside them."""
    control, alarms, upper, lower, target = values
    return ChargeSearch(
        enabled=bool(control & 1),
        again=bool(control & 2),
        baseline=control >> 2 & 3,
        skip_time=bool(alarms & 0x80),
        alarms=(OUT_OF_RANGE if alarms & 4 else 0)
        | (AGAIN_FAILED if alarms & 2 else 0)
        | (AUTO_FAILED if alarms & 1 else 0),
        upper=upper << 2,
        lower=lower << 2,
        target=target << 2,
        valid=255 > upper > target > lower > 0 and control >> 6 == config1 >> 6,
    )


def find(target: float, capacitance_pf: float, time_codes: Iterable[int]) -> Charge:
    best = Charge(0, 0, 0.0)
    for code in time_codes:
        time_us = reg.charge_time_us(code)
        for current_ua in reg.CURRENTS_UA:
            counts = front_end.counts(current_ua, time_us, capacitance_pf)
            if best.time_code == 0 or abs(counts - target) < abs(best.counts - target):
                best = Charge(current_ua, code, counts)
            if counts >= target:
                return best
    return best


class AutoConfiguration:
    """The state of auto-configuration of all channels during a run."""

    def __init__(self) -> None:
        self.due: set[int] = set()  # channels to be searched when the next result comes
        self.status = 0  # registers 0x02 and 0x03, as one number
        self._search = decode(bytes(5), 0)
        self._first: set[int] = set()

    def begin(self, search: ChargeSearch, channels: Iterable[int]) -> None:
        self._search = search
        self._first = set(channels) if search.enabled else set()
        self.due = set(self._first)
        self.status = 0

    def clear(self) -> None:
        """Forget everything, as a reset does."""
        self.due = set()
        self.status = 0

    def reconsider(self, channels: Iterable[int]) -> None:
        """Take the channels whose capacitance has changed."""
        if self._search.again:
            self.due.update(each for each in channels if self.status >> each & 1)

    @property
    def baseline(self) -> int:
        """Return the baseline that BVA sets for a searched channel."""
        return self._search.baseline

    def search(self, registers: bytearray, channel: int, capacitance_pf: float) -> bool:
        """Search a channel that is due and set its charge; tell whether that interrupts."""
        search, before = self._search, self.status
        self.due.discard(channel)
        _, time_code = reg.charge(registers, channel)
        codes = (time_code,) if search.skip_time else reg.TIME_CODES
        found = find(search.target, capacitance_pf, codes)
        reg.put_charge(
            registers, channel, found.current_ua, None if search.skip_time else found.time_code
        )
        first = channel in self._first
        self._first.discard(channel)
        if search.valid and search.lower <= found.counts <= search.upper:
            self.status &= ~(1 << channel)
            if not self.status & OUT_OF_RANGE:
                self.status &= ~AGAIN_FAILED
        else:
            self.status |= 1 << channel | (AUTO_FAILED if first else AGAIN_FAILED)
            if first and search.again:
                self.due.add(channel)
        return bool(self.status & ~before & search.alarms)
