"""All touch chips of a board: when each is read, what can be trusted, and its empty baselines.

working   read when its line is low, and polled    -> failing, after two failures in a row
failing   left alone until `retry_s`               -> working, after a successful set-up
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from math import inf
from typing import Any

from hal.base.errors import SensorFault
from hal.base.events import Trouble
from hal.drivers.mpr121_registers import SATURATED_COUNTS, SHORTED_COUNTS, ChipDriver, Reading
from hal.profile import ELECTRODES, BoardMemory, Chip, Electrode, Profile

FIRST_RETRY_S = 0.25
LONGEST_RETRY_S = 5.0
SOUND_S = 30.0  # how long a chip must work until its retry delay is reset
FRESH_S = 0.1  # how long a new touch is measured repeatedly, to distinguish it from a fault
WEIGH_S = 0.015  # the interval of these measurements, which take a millisecond each on the bus
AFTER_LIGHT_S = 0.003  # how soon a new touch is first measured: its light comes first
SETTLED_S = 1.0  # how long after its set-up a chip's baselines are worth storing
CALM_COUNTS = 8  # a baseline is stored only if the cell's reading is this near to it
ODD_LOOKS = 2  # an electrode with this many impossible readings in a row is not used


@dataclass(eq=False)
class ChipWatch:
    """Watches one chip. Reading it raises SensorFault; `fault` says why it is not used now."""

    driver: ChipDriver
    profile: Profile
    memory: BoardMemory
    fault: SensorFault | None = None
    retry_s: float = inf
    readings: tuple[Reading, ...] = ()
    _touched: frozenset[int] = frozenset()
    _odd: dict[int, tuple[int, Trouble]] = field(default_factory=dict)
    """The electrodes with impossible readings: how many in a row, and the fault of the last."""
    _delay_s: float = FIRST_RETRY_S
    _started_s: float = inf
    _weigh_s: float = inf
    _fresh_s: float = -inf

    def __post_init__(self) -> None:
        self.chip = self.driver.chip
        self.pads = tuple(Electrode(self.chip.name, number) for number in range(ELECTRODES))

    @property
    def sensed(self) -> frozenset[Electrode]:
        """The touched electrodes, without those with impossible readings."""
        return frozenset([self.pads[number] for number in self._touched - self._odd.keys()])

    @property
    def given_up(self) -> Mapping[Electrode, Trouble]:
        """The fault of each electrode that is not used."""
        odd = self._odd.items() if self.fault is None else ()
        return {self.pads[number]: why for number, (looks, why) in odd if looks >= ODD_LOOKS}

    def due(self) -> float:
        """Return when `start` or `weigh` is next due; infinity for never."""
        if self.fault is not None:
            return self.retry_s
        return self._weigh_s if self._weigh_s <= self._fresh_s else inf

    def start(self, now: float, *, learn: bool) -> None:
        """Set the chip up; with `learn` from the present readings, else with stored baselines."""
        # On a touch board a chip learns at its first start: stored baselines may be out of date.
        measuring, first = self.profile.measuring, self._started_s == inf
        tunings = _of(self.chip, self.memory.tunings)
        charged = any(each.charge_ua for each in tunings.values())
        baselines = _of(self.chip, self.memory.baselines)
        # A baseline is valid only for the charge that it was measured with.
        stale = first and not self.profile.sensing.stones
        if learn or stale or (measuring.automatic and not charged):
            baselines = {}
        self.driver.set_up(measuring, tunings, baselines)
        self.fault = None
        self.readings, self._touched = (), frozenset()
        self._odd.clear()
        self._fresh_s, self._started_s = -inf, now

    def fail(self, fault: SensorFault, now: float) -> None:
        """Stop using the chip for a while, each time for longer."""
        if self.fault is None and now >= self._started_s + SOUND_S:
            self._delay_s = FIRST_RETRY_S
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
        if self._take(self.driver.readings(self._touched)):
            self.start(now, learn=False)

    def poll(self, now: float, empty: Set[Electrode], *, fully: bool) -> None:
        """Check the settings; inspect the chip if a reading is in doubt, or when polled `fully`."""
        self.driver.check()
        unsure = any(looks < ODD_LOOKS for looks, _ in self._odd.values())
        if unsure or (fully and self.driver.suspect(now)):
            self.inspect(now, empty)

    def inspect(self, now: float, empty: Set[Electrode]) -> None:
        """Find electrodes with impossible readings, and store the baselines of `empty` ones."""
        readings = self.driver.readings(self._touched)
        if not any(each.raw for each in readings):
            return  # the chip has no result yet in its first moments
        if self._take(readings):
            self.start(now, learn=False)
            return
        if now < self._started_s + SETTLED_S:
            return
        if self.driver.automatic:
            found = self.driver.charges()
            self.memory.tune({self.pads[number]: each for number, each in found.items()})
            self.driver.automatic = False
        calm = {
            pad: reading.baseline
            for number, (pad, reading) in enumerate(zip(self.pads, readings, strict=True))
            if pad in empty
            and not reading.touched
            and number not in self._odd
            and abs(reading.fall) <= CALM_COUNTS
        }
        self.memory.remember(calm)

    def _take(self, readings: tuple[Reading, ...]) -> bool:
        """Store readings; return whether an unused electrode works again, with an old baseline."""
        self.readings = readings
        before, self._odd = self._odd, {}
        for number, reading in enumerate(readings):
            if (why := _oddity(reading.raw)) is not None:
                looks, _ = before.get(number, (0, why))
                self._odd[number] = looks + 1, why
        return any(looks >= ODD_LOOKS for n, (looks, _) in before.items() if n not in self._odd)


def _of(chip: Chip, by_electrode: Mapping[Electrode, Any]) -> dict[int, Any]:
    return {each.electrode: value for each, value in by_electrode.items() if each.chip == chip.name}


def _oddity(raw: int) -> Trouble | None:
    """Return why a reading is impossible for a touched or empty cell; None if it is possible."""
    if raw <= SHORTED_COUNTS:
        return Trouble.SHORT
    return Trouble.OPEN if raw >= SATURATED_COUNTS else None


LINE_STUCK_POLL_S = 0.02
"""How often chips are read while something holds their interrupt line low permanently."""
_MOST_ROUNDS = 3


class SensorArray:
    """All chips of a profile; only the baselines of `empty` electrodes are stored."""

    def __init__(
        self,
        profile: Profile,
        open_chip: Callable[[Chip], ChipDriver],
        line_low: Callable[[], bool],
        memory: BoardMemory,
        now: float,
    ) -> None:
        self._line_low = line_low
        self._poll_s = profile.sensing.poll_ms / 1000
        self._poll_due_s = now
        self._line_due_s = inf
        self._turn = 0
        pads = (each for each in profile.keys.values() if isinstance(each, Electrode))
        self._wired = frozenset({*profile.cells.values(), *pads})
        # Stones that stand must not be taken for empty baselines.
        self.empty = frozenset() if profile.sensing.stones else self._wired
        self._watches = [ChipWatch(open_chip(chip), profile, memory) for chip in profile.chips]
        self.restart(now, learn=False)

    def scan(self, now: float) -> frozenset[Electrode]:
        """Return the touched electrodes; read the chips if their line is low or a poll is due."""
        for watch in self._watches:
            if now >= watch.due():
                if watch.fault is not None:
                    self._start(watch, now, learn=False)
                else:
                    self._attempt(watch, now, watch.weigh)
        poll = now >= self._poll_due_s
        self._read_touches(now, poll=poll)
        if poll:
            self._poll_due_s = now + self._poll_s
            # Only half of the chips fully, since touches wait while a bus is busy.
            self._turn += 1
            for turn, watch in enumerate(self._watches, start=self._turn):
                fully = turn % 2 == 1
                self._attempt(watch, now, partial(watch.poll, empty=self.empty, fully=fully))
        return frozenset().union(*(watch.sensed for watch in self._watches))

    def due(self) -> float:
        own = min(watch.due() for watch in self._watches)
        return min(self._poll_due_s, self._line_due_s, own)

    def failing(self) -> Mapping[str, SensorFault]:
        """Return the fault of each chip that cannot be used now."""
        return {each.chip.name: each.fault for each in self._watches if each.fault is not None}

    def given_up(self) -> Mapping[Electrode, Trouble]:
        """Return the fault of each electrode that is not used."""
        found = (each for watch in self._watches for each in watch.given_up.items())
        return {pad: why for pad, why in found if pad in self._wired}

    def readings(self, now: float) -> dict[Electrode, Reading]:
        for watch in self._watches:
            self._attempt(watch, now, watch.refresh)
            self._attempt(watch, now, partial(watch.inspect, empty=self.empty))
        return {
            pad: reading
            for watch in self._watches
            if watch.fault is None
            for pad, reading in zip(watch.pads, watch.readings, strict=False)
        }

    def restart(self, now: float, *, learn: bool) -> None:
        """Set up all chips again; with `learn` on a board that is empty now."""
        for watch in self._watches:
            self._start(watch, now, learn=learn)

    def _read_touches(self, now: float, *, poll: bool) -> None:
        if now < self._line_due_s < inf and not poll:
            return
        # A chip that pulls the line while another chip holds it makes no new edge, so there is no
        # wake-up for it: read until the line is released, when no chip has anything new.
        rounds = range(_MOST_ROUNDS if self._line_due_s == inf else 1)
        for turn, watch in product(rounds, self._watches):
            if not self._line_low() and not (poll and turn == 0):
                self._line_due_s = inf
                return
            self._attempt(watch, now, watch.refresh)
        self._line_due_s = now + LINE_STUCK_POLL_S

    def _attempt(self, watch: ChipWatch, now: float, read: Callable[[float], None]) -> None:
        """Read a working chip; a first failure may be a glitch, a second one at once is a fault."""
        if watch.fault is not None:
            return
        try:
            try:
                read(now)
            except SensorFault:
                read(now)
        except SensorFault as fault:
            watch.fail(fault, now)

    def _start(self, watch: ChipWatch, now: float, *, learn: bool) -> None:
        try:
            watch.start(now, learn=learn)
        except SensorFault as fault:
            watch.fail(fault, now)
