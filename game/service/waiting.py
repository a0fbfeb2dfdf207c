"""What the service does while it cannot play, until it is worth trying again.

Owns when play is tried again, and that the board is left alone while another program has it. Must
not know how a game is opened. Time comes in.
"""

import logging
import threading
from collections.abc import Iterable
from contextlib import ExitStack
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from typing import Self

from game.common.data_folder import board_lock_file
from game.common.lock import hold_if_free
from game.service.waiting_page import WaitingPage, Why, why
from game.store import LOCK
from hal.base.errors import LightsFault
from hal.drivers.platform import Platform
from hal.lights.colour import DARK, WHITE
from hal.lights.frame import Frame, correct
from hal.lights.strip import Lights, Pixels
from hal.profile import Profile, Strip, built_in

log = logging.getLogger(__name__)

CHECK_S = 2.0
"""Time between two looks at files and locks."""
RETRY_S = 10.0
"""Time after which play is tried again although no file has changed."""
PERIOD = 12
"""Pixels between two lights that run along the strip, of which nothing may be known."""
STEP_S = 0.125
_LIGHT = WHITE.scaled(0.2)
"""White is the same in any order of colours. One of these draws 12 mA, which any supply gives."""

_TRIED_AGAIN = (Why.HARDWARE, Why.LINK, Why.FIRMWARE, Why.OTHER)
"""These may be over without a change of a file, such as by a cable that is plugged in."""

Stamp = tuple[int, int, int] | None
"""What changes with a file; None for one that is missing or cannot be read."""


class Waiting:
    """Wait, with lights that run along the strip and the reason on `page`, until `over`.

    `trouble` is why no game can be played, None that no board was learned. `board` is the file of
    the learned board; `files` are others whose change ends the wait. `machine` has the strip; it is
    None if no real board is wanted. `profile` describes the strip; None is the usual strip. `data`
    is the folder with the locks of programs that have the board on `backend`, that of `board` by
    default.
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
    ) -> None:
        self.over = False
        said = "" if trouble is None else str(trouble) or type(trouble).__name__
        self.page = WaitingPage(why(trouble), " ".join(said.split()))
        self._machine = machine
        self._files = {file: _stamp(file) for file in (board, *files)}
        if trouble is None:
            # It was missing when it was looked for.
            self._files[board] = None
        self._profile = profile or built_in()
        folder = board.parent if data is None else data
        self._locks = folder / LOCK, board_lock_file(folder, self._profile, backend)
        self._lights: Lights | None = None
        self._began: float | None = None
        self._check_due = -inf
        self._closed = threading.Event()

    @property
    def status(self) -> str:
        """Why it waits and what ends that, in one English line."""
        if self.page.why is not Why.UNLEARNT:
            return f"waiting: {self.page.detail}"
        return "no board learned yet; run `sudo lifeboard service learn`"

    @property
    def stepping(self) -> Self:
        return self

    def adopt(self, settings: object) -> None:
        """Only the board matters to waiting."""

    def step(self, now: float) -> None:
        """Check and show what is due now."""
        if self._closed.is_set():
            return
        if now >= self._check_due:
            self._check_due = now + CHECK_S
            free = self._use_strip(now)
            if self._began is None:
                # Not at once: what fails at once again must not keep the computer busy.
                self._began = now
            else:
                self.over |= self._may_be_over(now - self._began, free)
        if self._lights is not None:
            if self._lights.fault is not None:
                self._lights.attend(now)
            if self._lights.fault is None:
                self._lights.show(running_lights(self._profile, now), now)
        self.page.lit = self._lights is not None and self._lights.fault is None
        log_status(self.status)

    def due(self, now: float) -> float:
        if self._lights is None:
            return self._check_due
        return min(self._check_due, _next_step(now) if self.page.lit else self._lights.due())

    def wait(self, timeout_s: float) -> None:
        """Sleep until the time-out, or until it is closed."""
        self._closed.wait(timeout_s)

    def close(self) -> None:
        """Put the lights out and release them; may be called twice."""
        self._closed.set()
        self._release()

    def _may_be_over(self, waited_s: float, free: bool) -> bool:
        """Tell whether play is worth trying again."""
        if any(_stamp(file) != before for file, before in self._files.items()):
            return True
        if self.page.why is Why.IN_USE:
            return free
        return self.page.why in _TRIED_AGAIN and waited_s >= RETRY_S

    def _use_strip(self, now: float) -> bool:
        """Light the strip if no other program has the board; tell whether that is so."""
        with ExitStack() as held:
            # All locks are held, so that no program takes one meanwhile.
            free = all(held.enter_context(hold_if_free(lock)) for lock in self._locks)
            if not free:
                self._release()
            elif self._lights is None and self._machine is not None:
                opening = partial(_open_strip, self._machine, self._profile.strip)
                self._lights = Lights(opening, self._profile.pixel_count, now)
        return free

    def _release(self) -> None:
        lights, self._lights = self._lights, None
        if lights is not None:
            lights.close()


def running_lights(profile: Profile, now: float) -> Frame:
    """Draw the lights at a time in seconds, as final levels."""
    step = round(now / STEP_S) % PERIOD
    lit = (n % PERIOD == step for n in range(profile.pixel_count))
    return correct(tuple(_LIGHT if each else DARK for each in lit), profile.power)


def _next_step(now: float) -> float:
    return (round(now / STEP_S) + 1) * STEP_S


def _open_strip(machine: Platform, strip: Strip) -> Pixels:
    try:
        return machine.pixels(strip)
    except (OSError, ImportError, RuntimeError, ValueError) as error:
        # What hardware libraries raise on a computer without the hardware.
        raise LightsFault(f"the strip cannot be opened: {error}") from error


@lru_cache(1)
def log_status(status: str) -> None:
    """Log a status unless it was the last one: play is tried again every few seconds."""
    log.warning("%s", status)


def _stamp(file: Path) -> Stamp:
    """Return what changes with a file, its rights too."""
    try:
        seen = file.stat()
    except OSError:
        return None
    return seen.st_ctime_ns, seen.st_ino, seen.st_size
