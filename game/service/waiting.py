"""What the service does while it cannot play, until it is worth trying again.

Owns when the hardware is searched, when play is tried again, and that the board is left alone while
another program has it. Must not know how a game is opened. Time comes in.
"""

import logging
import threading
from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from math import inf
from pathlib import Path
from typing import Self

from game.common.data_folder import board_lock_file
from game.common.lock import hold_if_free
from game.rules.base.values import Json
from game.service.hardware_search import (
    FindPorts,
    FoundHardware,
    open_strip,
    search_buses,
    search_ports,
    stamp,
)
from game.service.paths import ServicePaths
from game.service.waiting_lights import Pattern, next_frame, pattern_frame, power_of
from game.service.waiting_page import Reason, WaitingPage, Why, news_of
from game.store import LOCK
from hal.backends.coprocessor.port import find_ports
from hal.drivers.platform import Platform
from hal.lights.strip import Lights
from hal.profile import Profile, built_in

log = logging.getLogger(__name__)

CHECK_S = 2.0
"""Time between two looks at files and locks, which are cheap."""
SEARCH_S = 10.0
"""Time between two searches of the buses."""
RETRY_S = 30.0
"""Time after which play is tried again although nothing has changed."""

_DEVICES = (Why.HARDWARE, Why.LINK, Why.FIRMWARE)
"""These may be over when other hardware is found than before."""
_TRIED_AGAIN = (*_DEVICES, Why.OTHER)
"""These may be over without a change that can be seen, such as rights."""
_LEARN = "run `sudo lifeboard service learn`"
_OTHERS = (
    "`sudo lifeboard service learn --backend coprocessor` learns one on a Pico, and"
    f' backend = "sim" in {ServicePaths().settings} simulates one'
)


class Waiting:
    """Wait, with a pattern on the lights and all else on `page`, until `over`.

    `trouble` is why no game can be played, None that no board was learned. `board` is the file of
    the learned board; `files` are others whose change ends the wait. `machine` is None if no real
    board is wanted. `profile` describes the strip; None is the usual strip. `data` is the folder
    with the locks of programs that have the board on `backend`, that of `board` by default. `root`
    is the root of the file system. `ports` lists the Picos.
    """

    shown = True
    switched_off = False

    def __init__(
        self,
        trouble: Exception | None,
        board: Path,
        machine: Platform | None,
        *,
        profile: Profile | None = None,
        files: Iterable[Path] = (),
        data: Path | None = None,
        backend: str = "pi",
        root: Path = Path("/"),
        ports: FindPorts = find_ports,
    ) -> None:
        self.over = False
        self.page = WaitingPage()
        self._reason = Reason(Why.UNLEARNT) if trouble is None else Reason.of(trouble)
        self._machine = machine
        self._root = root
        self._ports = ports
        self._pico = None if profile is None else profile.pico
        self._files = {file: stamp(file) for file in (board, *files)}
        if trouble is None:
            # It was missing when it was looked for.
            self._files[board] = None
        kind = profile or built_in()
        folder = board.parent if data is None else data
        self._locks = folder / LOCK, board_lock_file(folder, kind, backend)
        self._strip = kind.strip
        self._power = power_of(kind)
        self._pattern = Pattern.LEARN if trouble is None else Pattern.TROUBLE
        self._lights: Lights | None = None
        self._taken = False
        self._first: FoundHardware | None = None
        self._found: FoundHardware | None = None
        self._began: float | None = None
        self._logged = ""
        self._check_due = self._search_due = -inf
        self._closed = threading.Event()

    @property
    def status(self) -> str:
        """Why it waits and what ends that, in one English line."""
        if self._reason.why is not Why.UNLEARNT:
            return f"waiting: {self._reason.detail}"
        return f"no board learned yet{self._next_step()}"

    def _next_step(self) -> str:
        if self._taken:
            return ": another lifeboard is at work on it"
        if self._found is None:
            return f"; {_LEARN}"
        match Reason.unlearnt(self._found).why:
            case Why.NO_BOARD:
                return f", and this computer is no Raspberry Pi with one; {_OTHERS}"
            case Why.NO_CHIPS:
                return ", and no touch chip answers; run `sudo lifeboard service doctor`"
        number = self._found.chips
        return f": {number} chip{'s' * (number != 1)} found; {_LEARN}"

    @property
    def stepping(self) -> Self:
        return self

    def adopt(self, settings: object) -> None:
        """Only the board matters to waiting."""

    def step(self, now: float) -> None:
        """Search and show what is due now."""
        if self._closed.is_set():
            return
        if now >= self._check_due:
            self._check_due = now + CHECK_S
            self._use_board(now)
            if self._began is None:
                # Not at once: what fails at once again must not keep the computer busy.
                self._began = now
            elif self._may_be_over(now - self._began):
                self.over = True
        if self._lights is not None:
            self._shine(self._lights, now)
        if (status := self.status) != self._logged:
            self._logged = status
            log.warning("%s", status)
        self.page.show(self._news())

    def due(self, now: float) -> float:
        if self._lights is None:
            return self._check_due
        lit = self._lights.fault is None
        return min(self._check_due, next_frame(now) if lit else self._lights.due())

    def wait(self, timeout_s: float) -> None:
        """Sleep until the time-out, or until it is closed."""
        self._closed.wait(timeout_s)

    def close(self) -> None:
        """Put the lights out and release them; may be called twice."""
        self._closed.set()
        self._release()

    def _may_be_over(self, waited_s: float) -> bool:
        """Tell whether play is worth trying again."""
        if any(stamp(file) != before for file, before in self._files.items()):
            return True
        why = self._reason.why
        if why is Why.IN_USE:
            return not self._taken
        if why in _DEVICES and self._found != self._first:
            return True
        return why in _TRIED_AGAIN and waited_s >= RETRY_S

    def _use_board(self, now: float) -> None:
        """Search the hardware and light the lights, if no other program has the board."""
        with ExitStack() as held:
            # All locks are held, so that no program takes one during a search.
            free = [held.enter_context(hold_if_free(lock)) for lock in self._locks]
            self._taken = not all(free)
            if self._taken:
                self._release()
                return
            if self._pico is not None:
                self._found = search_ports(self._ports, self._pico.port)
                self._first = self._first or self._found
            if self._machine is None:
                return
            if self._lights is None:
                opening = partial(open_strip, self._machine, self._strip)
                self._lights = Lights(opening, self._strip.pixels, now)
            if now >= self._search_due:
                self._search_due = now + SEARCH_S
                self._found = search_buses(self._machine, self._root)
                self._first = self._first or self._found

    def _shine(self, lights: Lights, now: float) -> None:
        if lights.fault is not None:
            lights.attend(now)
        if lights.fault is None:
            lights.show(pattern_frame(self._pattern, self._strip.pixels, self._power, now), now)

    def _news(self) -> Json:
        reason = self._reason
        if reason.why is Why.UNLEARNT and self._found is not None and not self._taken:
            reason = Reason.unlearnt(self._found)
        fault = None if self._lights is None else self._lights.fault
        lit = self._lights is not None and fault is None
        return news_of(reason, self._found, fault, lit=lit, taken=self._taken)

    def _release(self) -> None:
        lights, self._lights = self._lights, None
        if lights is not None:
            lights.close()
