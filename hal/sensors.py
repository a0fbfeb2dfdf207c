"""All touch chips of a board: when they are read, which of them can be believed, and their healing.

Owns the scan, the finding of faults and the retries. Time comes in as `now`, in monotonic seconds.
Must not know registers (`hal.drivers.mpr121`), cells, nor what play does about a fault; does not
debounce.

One chip goes through these states; there is no other way.

    working   read at each scan, checked at each slow poll -> failing, when it fails twice in a row
    failing   left alone until its next try                -> working, when it can be set up anew
"""

import errno
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from hal.drivers.i2c import reach
from hal.drivers.mpr121 import SATURATED_COUNTS, SHORTED_COUNTS, Reading, TouchChip
from hal.errors import SensorFault
from hal.memory import BoardMemory
from hal.profile import Electrode, Profile

FIRST_RETRY_S = 0.25
LONGEST_RETRY_S = 5.0
LINE_STUCK_POLL_S = 0.02
"""How often chips are read while something holds their interrupt line low for ever."""
FRESH_S = 0.1
"""How long a touch that has come is measured again and again: until it is believed or not."""
WEIGH_S = 0.015
"""How often, then. A measure takes a millisecond on the bus."""
SETTLED_S = 1.0
"""How long after its set-up a chip's baselines are worth remembering."""
_MOST_ROUNDS = 3
_ODD_POLLS = 2  # polls in a row with an impossible reading, until the electrode is given up

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Place:
    """One chip, and what is known of it now."""

    driver: TouchChip
    touched: frozenset[int] = frozenset()
    readings: tuple[Reading, ...] = ()
    odd: Counter[int] = field(default_factory=Counter)
    settled_s: float = inf
    fresh_s: float = -inf
    weighed_s: float = -inf
    fault: SensorFault | None = None
    retry_s: float = 0.0
    delay_s: float = FIRST_RETRY_S


class SensorArray:
    """Read all chips of a profile. `open_bus` gives an I2C bus by its number.

    `faults` counts the readings of each chip that failed or were refused. `empty` are the
    electrodes under cells that hold nothing: only their baselines are remembered.
    """

    def __init__(
        self,
        profile: Profile,
        open_bus: Callable[[int], Any],
        line_low: Callable[[], bool],
        memory: BoardMemory,
        now: float,
    ) -> None:
        self.faults: Counter[str] = Counter()
        self.memory = memory
        self._profile = profile
        self._measuring = profile.measuring
        self._open_bus = open_bus
        self._line_low = line_low
        self._poll_s = profile.sensing.poll_ms / 1000
        self._poll_due_s = now
        self._line_due_s = inf
        self._turn = 0
        self._places = {chip.name: _Place(TouchChip(chip)) for chip in profile.chips}
        pads = (each for each in profile.keys.values() if isinstance(each, Electrode))
        self._wired = frozenset({*profile.cells.values(), *pads})
        # Stones that stand are felt in presence sensing only, so only there can they be swallowed.
        keep = profile.sensing.mode == "presence"
        self.empty = frozenset() if keep else self._wired
        for name in self._places:
            self._start(name, now, learn=not keep)

    def scan(self, now: float) -> frozenset[Electrode]:
        """Give the electrodes that are touched, reading the chips if their line is low or it is
        time; those of a failing chip, and those that measure what no touch can, are left out.
        """
        for name, place in self._places.items():
            if place.fault is not None and now >= place.retry_s:
                self._start(name, now, learn=False)
        poll = now >= self._poll_due_s
        for name, place in self._places.items():
            if now <= place.fresh_s and now >= place.weighed_s + WEIGH_S:
                self._attempt(name, now, self._weigh)
        if poll or self._line_low():
            # A chip that pulls the line again while another still holds it makes no new edge, so
            # nothing would wake us for it.
            for _ in range(_MOST_ROUNDS):
                for name in self._places:
                    self._attempt(name, now, self._refresh)
                if not self._line_low():
                    break
            self._line_due_s = now + LINE_STUCK_POLL_S if self._line_low() else inf
        if poll:
            self._poll_due_s = now + self._poll_s
            self._poll(now)
        return frozenset(
            Electrode(name, number)
            for name, place in self._places.items()
            for number in place.touched
            if place.odd[number] == 0
        )

    def due(self) -> float:
        """Give the time at which `scan` has something to do although the line is silent."""
        retries = (each.retry_s for each in self._places.values() if each.fault is not None)
        return min(self._poll_due_s, self._line_due_s, min(retries, default=inf))

    def failing(self) -> Mapping[str, SensorFault]:
        """Give what is wrong with each chip that cannot be used now."""
        return {n: each.fault for n, each in self._places.items() if each.fault is not None}

    def stuck(self) -> Mapping[Electrode, str]:
        """Give what is wrong with each electrode that measures what no touch can make."""
        return {
            Electrode(name, number): _oddity(place.readings[number].raw)
            for name, place in self._places.items()
            if place.fault is None
            for number, times in place.odd.items()
            if times >= _ODD_POLLS and Electrode(name, number) in self._wired
        }

    def readings(self, now: float) -> dict[Electrode, Reading]:
        """Measure every electrode of every chip that works, now."""
        for name in self._places:
            self._attempt(name, now, self._refresh)
            self._attempt(name, now, self._inspect)
        return {
            Electrode(name, number): reading
            for name, place in self._places.items()
            if place.fault is None
            for number, reading in enumerate(place.readings)
        }

    def restart(self, now: float, *, learn: bool) -> None:
        """Set up all chips anew; with `learn` from a board that is empty now."""
        for name in self._places:
            self._start(name, now, learn=learn)

    def _start(self, name: str, now: float, *, learn: bool) -> None:
        """Set up a chip; it works from now on, or fails (again)."""
        place = self._places[name]
        tunings = _of(name, self.memory.tunings)
        baselines = {} if learn else _of(name, self.memory.baselines)
        try:
            try:
                bus = reach(self._open_bus, place.driver.chip)
            except OSError as error:
                raise SensorFault(f"{place.driver} cannot be reached: {error}") from error
            place.driver.set_up(bus, self._measuring, tunings, baselines)
        except SensorFault as fault:
            self._fail(name, fault, now)
            return
        if place.fault is not None:
            log.warning("%s answers again", place.driver)
        place.fault, place.delay_s = None, FIRST_RETRY_S
        place.touched, place.readings = frozenset(), ()
        place.odd.clear()
        place.settled_s = now + SETTLED_S

    def _attempt(self, name: str, now: float, read: Callable[[str, float], None]) -> None:
        """Read a working chip; one failure may be a spark, a second at once is a fault."""
        place = self._places[name]
        if place.fault is not None:
            return
        try:
            read(name, now)
        except SensorFault as fault:
            self.faults[name] += 1
            if not _timed_out(fault):
                try:
                    read(name, now)
                    return
                except SensorFault as second:
                    self.faults[name] += 1
                    fault = second
            self._fail(name, fault, now)

    def _poll(self, now: float) -> None:
        """Look after all chips; half of them at length, since touches wait while a bus is busy."""
        self._turn += 1
        for turn, (name, place) in enumerate(self._places.items(), start=self._turn):
            self._attempt(name, now, self._check)
            if turn % 2 or place.odd:
                self._attempt(name, now, self._inspect)

    def _refresh(self, name: str, now: float) -> None:
        """Read what is touched; a touch that has just come is checked by its measure."""
        place = self._places[name]
        touched = place.driver.touched()
        come = touched - place.touched
        place.touched = touched
        if come:
            place.fresh_s = now + FRESH_S
            self._weigh(name, now)

    def _check(self, name: str, _: float) -> None:
        """Find a chip that was reset."""
        self._places[name].driver.check()

    def _weigh(self, name: str, now: float) -> None:
        """Measure what is touched: a wire that is shorted feels as a touch at first."""
        place = self._places[name]
        place.weighed_s = now
        if self._measure(place, place.driver.readings(place.touched)):
            self._start(name, now, learn=False)

    def _inspect(self, name: str, now: float) -> None:
        """Find electrodes that measure nonsense, and remember empty baselines."""
        place = self._places[name]
        readings = place.driver.readings(place.touched)
        if not any(each.raw for each in readings):
            return  # the chip has no result yet in its first moments
        if self._measure(place, readings):
            self._start(name, now, learn=False)
            return
        if now < place.settled_s:
            return
        if place.driver.automatic:
            # A baseline means nothing without the charge that it was measured with.
            found = place.driver.charges()
            self.memory.tune({Electrode(name, number): each for number, each in found.items()})
            place.driver.automatic = False
        self.memory.remember(
            {
                electrode: reading.baseline
                for number, reading in enumerate(readings)
                if (electrode := Electrode(name, number)) in self.empty
                and not (reading.touched or place.odd[number])
            }
        )

    def _measure(self, place: _Place, readings: tuple[Reading, ...]) -> bool:
        """Keep readings; tell whether an electrode that was given up makes sense again.

        The chip must then be set up anew: what that baseline followed was no empty cell.
        """
        place.readings = readings
        healed = False
        for number, reading in enumerate(readings):
            if _oddity(reading.raw):
                place.odd[number] += 1
            else:
                healed |= place.odd.pop(number, 0) >= _ODD_POLLS
        return healed

    def _fail(self, name: str, fault: SensorFault, now: float) -> None:
        """Leave a chip alone for a while, with all others of its bus if that is held."""
        place = self._places[name]
        if place.fault is None:
            log.warning("%s", fault)
        self._put_off(place, fault, now)
        if not _timed_out(fault):
            return
        # Each try on a bus that somebody holds costs a time-out, so one chip asks for all.
        for other in self._places.values():
            if other is not place and other.driver.chip.bus == place.driver.chip.bus:
                same = SensorFault(f"{other.driver} is on a bus that hangs: see {place.driver}")
                self._put_off(other, other.fault or same, now)

    def _put_off(self, place: _Place, fault: SensorFault, now: float) -> None:
        place.fault = fault
        place.touched = frozenset()
        place.retry_s = now + place.delay_s
        place.delay_s = min(2 * place.delay_s, LONGEST_RETRY_S)


def _of(chip: str, by_electrode: Mapping[Electrode, Any]) -> dict[int, Any]:
    return {each.electrode: value for each, value in by_electrode.items() if each.chip == chip}


def _oddity(raw: int) -> str:
    """Say what is wrong with a reading that no touch and no empty cell can make, or nothing."""
    if raw <= SHORTED_COUNTS:
        return f"measures {raw}: it is shorted to ground or to its neighbour"
    if raw >= SATURATED_COUNTS:
        return f"measures {raw}, the top of the range: its wire is broken, or its charge too large"
    return ""


def _timed_out(fault: BaseException | None) -> bool:
    """Tell whether a time-out is behind a fault; the drivers wrap it in errors of their own."""
    while fault is not None:
        if isinstance(fault, OSError) and fault.errno == errno.ETIMEDOUT:
            return True
        fault = fault.__cause__ or fault.__context__
    return False
