"""Waiting: what the service does while it cannot play, until it is worth trying again.

Owns when it looks around and when it tries again, and who may use the hardware meanwhile: nobody
is disturbed who has the board. Must not know how a game is opened. Time comes in.
"""

import logging
import threading
from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from math import inf
from pathlib import Path

from game.app.data import board_lock_file
from game.app.journal.store import LOCK
from game.app.lock import kept_free
from game.app.service import sign
from game.app.service.look_around import (
    FindPorts,
    Surroundings,
    look_around,
    look_for_pico,
    open_strip,
    stamp,
)
from game.app.service.places import Places
from game.app.service.reasons import Reason, Why, reason_of, without_board
from game.app.service.sign import Sign
from game.app.service.waiting_page import WaitingPage, news_of
from game.rules.game import Json
from hal.coprocessor.port import find_ports
from hal.machine import Machine
from hal.profile import Profile, built_in
from hal.strip import Lights

log = logging.getLogger(__name__)

CHECK_S = 2.0
"""How often files and locks are looked at, which costs next to nothing."""
LOOK_S = 10.0
"""How often the buses are searched."""
RETRY_S = 30.0
"""After how long it is tried again although nothing is seen to have changed."""

_DEVICES = (Why.HARDWARE, Why.LINK, Why.FIRMWARE)
"""What may be mended as soon as something else is found than before."""
_MAYBE_MENDED = (*_DEVICES, Why.OTHER)
"""What may be mended without a trace that can be watched: rights, or devices that come late."""
_LEARN = "run `sudo lifeboard service learn`"
_OTHERS = (
    "`sudo lifeboard service learn --backend coprocessor` learns one on a Pico, and"
    f' backend = "sim" in {Places().settings} simulates one'
)


class Waiting:
    """Wait, show a sign on the lights and all else on `page`, until `over`.

    `trouble` is why it cannot be played, None that no board has been learnt. `board` is the file of
    the board that is learnt, `files` are others that decide whether it can be played. `machine` is
    None where there is no real board to look for. `profile` says how the strip hangs, None that
    nobody knows: then it is taken for the one that `learn` takes it for. `data` is the folder with
    the locks of others who may have the board, on `backend`; without it, that of `board`. `root` is
    where the system's files hang. `ports` lists the Picos that are plugged in, for a board that
    hangs on one.
    """

    def __init__(
        self,
        trouble: Exception | None,
        board: Path,
        machine: Machine | None,
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
        self._reason = Reason(Why.UNLEARNT) if trouble is None else reason_of(trouble)
        self._machine = machine
        self._root = root
        self._ports = ports
        self._pico = None if profile is None else profile.pico
        self._files = {file: stamp(file) for file in (board, *files)}
        if trouble is None:
            # It was not there when it was asked for.
            self._files[board] = None
        kind = profile or built_in()
        folder = board.parent if data is None else data
        self._locks = folder / LOCK, board_lock_file(folder, kind, backend)
        self._strip = kind.strip
        self._power = sign.power_of(kind)
        self._sign = Sign.LEARN if trouble is None else Sign.TROUBLE
        self._lights: Lights | None = None
        self._taken = False
        self._first: Surroundings | None = None
        self._found: Surroundings | None = None
        self._began: float | None = None
        self._logged = ""
        self._check_due = self._look_due = -inf
        self._closed = threading.Event()

    @property
    def status(self) -> str:
        """Say in one English line why it waits, and what ends that."""
        if self._reason.why is not Why.UNLEARNT:
            return f"waiting: {self._reason.detail}"
        return f"no board learnt yet{self._next_step()}"

    def _next_step(self) -> str:
        """Say what keeps a board from being learnt, or the command that does it."""
        if self._taken:
            return ": another lifeboard is at work on it"
        if self._found is None:
            return f"; {_LEARN}"
        match without_board(self._found):
            case Why.NO_BOARD:
                return f", and this computer is no Raspberry Pi with one; {_OTHERS}"
            case Why.NO_CHIPS:
                return ", and no touch chip answers; run `sudo lifeboard service doctor`"
        number = self._found.chips
        return f": {number} chip{'s' * (number != 1)} found; {_LEARN}"

    def step(self, now: float) -> None:
        """Do all that is to be done now: look, and show."""
        if self._closed.is_set():
            return
        if now >= self._check_due:
            self._check_due = now + CHECK_S
            self._use(now)
            if self._began is None:
                # Not before the next time: what fails at once again must not keep it busy.
                self._began = now
            elif self._mended(now - self._began):
                self.over = True
        if self._lights is not None:
            self._shine(self._lights, now)
        if (status := self.status) != self._logged:
            self._logged = status
            log.warning("%s", status)
        self.page.show(self._news())

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""
        if self._lights is None:
            return self._check_due
        working = self._lights.fault is None
        return min(self._check_due, sign.next_frame(now) if working else self._lights.due())

    def wait(self, timeout_s: float) -> None:
        """Sleep until the time-out, or until it is closed."""
        self._closed.wait(timeout_s)

    def close(self) -> None:
        """Put the lights out and let go of them; calling it again does nothing."""
        self._closed.set()
        self._let_go()

    def _mended(self, waited_s: float) -> bool:
        """Tell whether it is worth trying again."""
        if any(stamp(file) != before for file, before in self._files.items()):
            return True
        why = self._reason.why
        if why is Why.IN_USE:
            return not self._taken
        if why in _DEVICES and self._found != self._first:
            return True
        return why in _MAYBE_MENDED and waited_s >= RETRY_S

    def _use(self, now: float) -> None:
        """Look around and light the lights, if nobody else has the board."""
        with ExitStack() as held:
            # All are kept, so that nobody takes one of them in the middle of a search.
            free = [held.enter_context(kept_free(lock)) for lock in self._locks]
            self._taken = not all(free)
            if self._taken:
                self._let_go()
                return
            if self._pico is not None:
                # This disturbs nobody, and costs little.
                self._found = look_for_pico(self._ports, self._pico.port)
                self._first = self._first or self._found
            if self._machine is None:
                return
            if self._lights is None:
                opening = partial(open_strip, self._machine, self._strip)
                self._lights = Lights(opening, self._strip.pixels, now)
            if now >= self._look_due:
                self._look_due = now + LOOK_S
                self._found = look_around(self._machine, self._root)
                self._first = self._first or self._found

    def _shine(self, lights: Lights, now: float) -> None:
        if lights.fault is not None:
            lights.attend(now)
        if lights.fault is None:
            lights.show(sign.frame(self._sign, self._strip.pixels, self._power, now), now)

    def _news(self) -> Json:
        reason = self._reason
        if reason.why is Why.UNLEARNT and self._found is not None and not self._taken:
            reason = Reason(without_board(self._found))
        fault = None if self._lights is None else self._lights.fault
        lit = self._lights is not None and fault is None
        return news_of(reason, self._found, fault, lit=lit, taken=self._taken)

    def _let_go(self) -> None:
        lights, self._lights = self._lights, None
        if lights is not None:
            lights.close()
