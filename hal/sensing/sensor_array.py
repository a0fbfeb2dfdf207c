"""All touch chips of a board: when they are read, and how a failure of one affects the others."""

import errno
from collections.abc import Callable, Mapping
from functools import partial
from math import inf

from hal.base.errors import SensorFault
from hal.base.events import Trouble
from hal.drivers.mpr121_registers import ChipDriver, Reading
from hal.profile import PRESENCE, BoardMemory, Chip, Electrode, Profile
from hal.sensing.chip_watch import ChipWatch

LINE_STUCK_POLL_S = 0.02
"""How often chips are read while something holds their interrupt line low permanently."""
_MOST_ROUNDS = 3


class SensorArray:
    """All chips of a profile; baselines are stored of `empty` electrodes only."""

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
        # Stones stay on electrodes in presence sensing only: baselines must not absorb them.
        keeps = profile.sensing.mode == PRESENCE
        self.empty = frozenset() if keeps else self._wired
        self._watches = [
            ChipWatch(open_chip(chip), profile.measuring, memory, keeps) for chip in profile.chips
        ]
        self.restart(now, learn=not keeps)

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
                self._attempt(watch, now, watch.check)
                if turn % 2 or watch.doubtful:
                    self._attempt(watch, now, partial(watch.look, empty=self.empty))
        return frozenset([watch.pads[number] for watch in self._watches for number in watch.sensed])

    def due(self) -> float:
        own = min(watch.due() for watch in self._watches)
        return min(self._poll_due_s, self._line_due_s, own)

    def failing(self) -> Mapping[str, SensorFault]:
        """Return the fault of each chip that cannot be used now."""
        return {each.chip.name: each.fault for each in self._watches if each.fault is not None}

    def given_up(self) -> Mapping[Electrode, Trouble]:
        """Return the fault of each electrode that is not used."""
        found = {
            Electrode(watch.chip.name, number): why
            for watch in self._watches
            for number, why in watch.given_up.items()
        }
        return {electrode: why for electrode, why in found.items() if electrode in self._wired}

    def readings(self, now: float) -> dict[Electrode, Reading]:
        for watch in self._watches:
            self._attempt(watch, now, watch.refresh)
            self._attempt(watch, now, partial(watch.inspect, empty=self.empty))
        return {
            Electrode(watch.chip.name, number): reading
            for watch in self._watches
            if watch.fault is None
            for number, reading in enumerate(watch.readings)
        }

    def restart(self, now: float, *, learn: bool) -> None:
        """Set up all chips again; with `learn` on a board that is empty now."""
        for watch in self._watches:
            self._start(watch, now, learn=learn)

    def _read_touches(self, now: float, *, poll: bool) -> None:
        low = self._line_low()
        waiting = low and now < self._line_due_s < inf
        if poll or (low and not waiting):
            # A chip that pulls the line while another chip holds it makes no new edge, so there is
            # no wake-up for it.
            for _ in range(_MOST_ROUNDS if self._line_due_s == inf else 1):
                for watch in self._watches:
                    self._attempt(watch, now, watch.refresh)
                    # Once the line is released, no chip has anything new.
                    low = self._line_low()
                    if not (low or poll):
                        break
                if not low:
                    break
            self._line_due_s = now + LINE_STUCK_POLL_S
        if not low:
            self._line_due_s = inf

    def _attempt(self, watch: ChipWatch, now: float, read: Callable[[float], None]) -> None:
        """Read a working chip; a first failure may be a glitch, a second one at once is a fault."""
        if watch.fault is not None:
            return
        for again in (True, False):
            try:
                read(now)
            except SensorFault as fault:
                if not again or _timed_out(fault):
                    self._fail(watch, fault, now)
                    return
            else:
                return

    def _start(self, watch: ChipWatch, now: float, *, learn: bool) -> None:
        held = _timed_out(watch.fault)
        try:
            watch.start(now, learn=learn)
        except SensorFault as fault:
            self._fail(watch, fault, now)
            return
        if held:
            # The bus is free again, so retry the other chips now.
            for other in self._others(watch):
                if _timed_out(other.fault):
                    self._start(other, now, learn=learn)

    def _others(self, watch: ChipWatch) -> list[ChipWatch]:
        return [
            each for each in self._watches if each.chip.bus == watch.chip.bus and each is not watch
        ]

    def _fail(self, watch: ChipWatch, fault: SensorFault, now: float) -> None:
        """Stop using a chip for a while, and all others of its bus if the bus is held."""
        watch.fail(fault, now)
        others = self._others(watch)
        # Each retry on a held bus costs a time-out. A single chip may be stretching the clock; when
        # a second one fails too, one chip retries for all.
        if not _timed_out(fault) or not any(_timed_out(each.fault) for each in others):
            return
        for other in others:
            same = SensorFault(f"{other} is on a bus that hangs: see {watch}")
            same.__cause__ = fault
            other.fail(other.fault or same, now)


def _timed_out(fault: BaseException | None) -> bool:
    """Return whether a time-out caused a fault; the drivers wrap it in errors of their own."""
    while fault is not None:
        if isinstance(fault, OSError) and fault.errno == errno.ETIMEDOUT:
            return True
        fault = fault.__cause__ or fault.__context__
    return False
