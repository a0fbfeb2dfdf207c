"""One touch chip: what it senses, whether it can be trusted, and its empty baselines.

working   read at each scan, checked at each poll  -> failing, after two failures in a row
failing   left alone until `retry_s`               -> working, after a successful set-up
"""

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from math import inf
from typing import Any

from hal.base.errors import SensorFault
from hal.base.events import Trouble
from hal.drivers.mpr121_registers import SATURATED_COUNTS, SHORTED_COUNTS, ChipDriver, Reading
from hal.profile import ELECTRODES, BoardMemory, Chip, Electrode, Measuring

FIRST_RETRY_S = 0.25
LONGEST_RETRY_S = 5.0
SOUND_S = 30.0
"""How long a chip must work until its retry delay is reset."""
FRESH_S = 0.1
"""How long a new touch is measured repeatedly, to distinguish it from a fault."""
WEIGH_S = 0.015
"""The interval of these measurements, which take a millisecond each on the bus."""
AFTER_LIGHT_S = 0.003
"""How soon a new touch is first measured: its light comes first."""
SETTLED_S = 1.0
"""How long after its set-up a chip's baselines are worth storing."""
LEARN_S = 10.0
"""How long after that a chip is measured for baselines that are still unknown."""
CALM_COUNTS = 8
"""A baseline is stored only if the cell's reading is this near to it."""
ODD_LOOKS = 2
"""An electrode with this many impossible readings in a row is not used."""


@dataclass(eq=False)
class ChipWatch:
    """Watches one chip. Reading it raises SensorFault; `fault` says why it is not used now."""

    driver: ChipDriver
    measuring: Measuring
    memory: BoardMemory
    keeps_stones: bool
    fault: SensorFault | None = None
    retry_s: float = inf
    readings: tuple[Reading, ...] = ()
    _touched: frozenset[int] = frozenset()
    _odd: Counter[int] = field(default_factory=Counter)
    _levels: dict[int, int] = field(default_factory=dict)  # the empty baselines of this run
    _delay_s: float = FIRST_RETRY_S
    _settled_s: float = inf
    _sound_s: float = inf
    _weigh_s: float = inf
    _fresh_s: float = -inf

    def __post_init__(self) -> None:
        self.chip = self.driver.chip
        self.pads = tuple(Electrode(self.chip.name, number) for number in range(ELECTRODES))

    @property
    def sensed(self) -> frozenset[int]:
        """The touched electrodes, without those with impossible readings."""
        return self._touched - self._odd.keys()

    @property
    def doubtful(self) -> bool:
        """Whether any electrode has just had an impossible reading."""
        return bool(self._odd)

    @property
    def given_up(self) -> Mapping[int, Trouble]:
        """The fault of each electrode that is not used."""
        if self.fault is not None or not self._odd:
            return {}
        numbers = [number for number, looks in self._odd.items() if looks >= ODD_LOOKS]
        troubles = {number: _oddity(self.readings[number].raw) for number in numbers}
        return {number: why for number, why in troubles.items() if why is not None}

    def due(self) -> float:
        """Return when `start` or `weigh` is next due; infinity for never."""
        if self.fault is not None:
            return self.retry_s
        return self._weigh_s if self._weigh_s <= self._fresh_s else inf

    def start(self, now: float, *, learn: bool) -> None:
        """Set the chip up; with `learn` from the present readings, else with stored baselines."""
        # On a touch board a chip learns at its first start: stored baselines may be out of date.
        first = self._settled_s == inf
        tunings = _of(self.chip, self.memory.tunings)
        charged = any(each.charge_ua for each in tunings.values())
        baselines = _of(self.chip, self.memory.baselines)
        # A baseline is valid only for the charge that it was measured with.
        if learn or (first and not self.keeps_stones) or (self.measuring.automatic and not charged):
            baselines = {}
        self.driver.set_up(self.measuring, tunings, baselines)
        self.fault = None
        self.readings, self._touched, self._levels = (), frozenset(), baselines
        self._odd.clear()
        self._fresh_s = -inf
        self._settled_s, self._sound_s = now + SETTLED_S, now + SOUND_S

    def fail(self, fault: SensorFault, now: float) -> None:
        """Stop using the chip for a while, each time for longer."""
        self.fault = fault
        self._touched, self._fresh_s = frozenset(), -inf
        self.retry_s = now + self._delay_s
        self._delay_s = min(2 * self._delay_s, LONGEST_RETRY_S)

    def refresh(self, now: float) -> None:
        """Read the touched electrodes; `weigh` checks a new touch later: its light comes first."""
        touched = self.driver.touched()
        # Read twice: a flipped bit would stay until the next poll, and so be a false touch.
        if touched != self._touched and self.driver.touched() != touched:
            raise SensorFault(f"{self.driver} gives two different answers")
        come = touched - self._touched
        self._touched = touched
        if come:
            self._fresh_s, self._weigh_s = now + FRESH_S, now + AFTER_LIGHT_S

    def weigh(self, now: float) -> None:
        """Measure touched electrodes: a shorted or loose wire looks like a touch at first."""
        self._weigh_s = now + WEIGH_S
        readings = self.driver.readings(self._touched)
        fallen_back = any(self._risen(number, readings[number]) for number in self._touched)
        if self._take(readings) or fallen_back:
            self.start(now, learn=False)

    def check(self, _: float) -> None:
        self.driver.check()

    def look(self, now: float, empty: Set[Electrode]) -> None:
        """Inspect the chip if an electrode is in doubt, or an empty reading is still unknown."""
        unknown = now < self._settled_s + LEARN_S and any(
            pad in empty and number not in self._levels for number, pad in enumerate(self.pads)
        )
        unsure = any(looks < ODD_LOOKS for looks in self._odd.values())
        if unsure or unknown or self.driver.suspect(now):
            self.inspect(now, empty)

    def inspect(self, now: float, empty: Set[Electrode]) -> None:
        """Find electrodes with impossible readings, and store the baselines of `empty` ones."""
        readings = self.driver.readings(self._touched)
        if not any(each.raw for each in readings):
            return  # the chip has no result yet in its first moments
        if self._take(readings):
            self.start(now, learn=False)
            return
        if now < self._settled_s:
            return
        if self.driver.automatic:
            found = self.driver.charges()
            self.memory.tune({self.pads[number]: each for number, each in found.items()})
            self.driver.automatic = False
        if now >= self._sound_s:
            self._delay_s, self._sound_s = FIRST_RETRY_S, inf
        known = {
            number: reading.baseline
            for number, reading in enumerate(readings)
            if self.pads[number] in empty
            and not reading.touched
            and number not in self._odd
            and abs(reading.fall) <= CALM_COUNTS
        }
        self._levels |= known
        self.memory.remember({self.pads[number]: level for number, level in known.items()})

    def _take(self, readings: tuple[Reading, ...]) -> bool:
        """Store readings; return whether an unused electrode works again: its baseline is old."""
        self.readings = readings
        healed = False
        for number, reading in enumerate(readings):
            if _oddity(reading.raw) is not None:
                self._odd[number] += 1
            else:
                healed |= self._odd.pop(number, 0) >= ODD_LOOKS
        return healed

    def _risen(self, number: int, reading: Reading) -> bool:
        """Return whether a touch is only a repaired loose wire, which had let the baseline rise."""
        level = self._levels.get(number)
        return level is not None and reading.fall > 0 and 2 * (level - reading.raw) < reading.fall

    def __str__(self) -> str:
        return str(self.driver)


def _of(chip: Chip, by_electrode: Mapping[Electrode, Any]) -> dict[int, Any]:
    return {each.electrode: value for each, value in by_electrode.items() if each.chip == chip.name}


def _oddity(raw: int) -> Trouble | None:
    """Return why a reading is impossible for a touched or empty cell; None if it is possible."""
    if raw <= SHORTED_COUNTS:
        return Trouble.SHORT
    return Trouble.OPEN if raw >= SATURATED_COUNTS else None
