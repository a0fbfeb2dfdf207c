"""Waits while the service cannot play, until it tries again. Reads no clock."""

import logging
import threading
from functools import lru_cache, partial

from game.service.waiting_page import WaitingPage, Why, why
from hal.base.errors import LightsFault
from hal.drivers.platform import Platform
from hal.lights import DARK, WHITE, Frame, Glow, Lights, Pixels, correct
from hal.profile import Profile, Strip

log = logging.getLogger(__name__)

RETRY_S = 10.0
"""Time after which the service tries to play again."""
PERIOD = 12
"""Pixels between two lights that run along the strip, whose length may be unknown."""
STEP_S = 0.125
_LIGHT = WHITE.scaled(0.2)
"""White is the same in any order of colours. One of these draws 12 mA, which any supply gives."""


class Waiting:
    """Wait, with lights that run along the strip and the reason on `page`, until `over`.

    `trouble` is why no game can be played, None that no board was learned. `machine` has the strip;
    it is None if no real board is wanted. `profile` describes the strip. `now` is in seconds.
    """

    shown = True
    switched_off = False
    pressed: frozenset[str] = frozenset()

    def __init__(
        self, trouble: Exception | None, machine: Platform | None, profile: Profile, now: float
    ) -> None:
        self.over = False
        self.page = WaitingPage(why(trouble), " ".join(str(trouble or "").split()))
        self.stepping = self
        self.status = "no board learned yet; run `sudo lifeboard service learn`"
        if trouble is not None:
            self.status = f"waiting: {self.page.detail}"
        log_status(self.status)
        self._profile = profile
        self._retry_at = now + RETRY_S
        self._glow: Glow | None = None
        self._closed = threading.Event()
        self._lights: Lights | None = None
        # The program that uses the board also drives its lights.
        if machine is not None and self.page.why is not Why.IN_USE:
            self._lights = Lights(
                partial(_open_strip, machine, profile.strip), profile.pixel_count, now
            )

    def adopt(self, settings: object) -> None:
        """Do nothing: waiting depends on the board only."""

    def cover(self, glow: Glow | None) -> None:
        """Show one glow on all lights, or the lights that run."""
        self._glow = glow

    def step(self, now: float) -> None:
        """Show what is due now."""
        self.over = now >= self._retry_at
        if self._lights is not None and not self._closed.is_set():
            self._lights.show(running_lights(self._profile, now, self._glow), now)

    def due(self, now: float) -> float:
        return min(self._retry_at, (round(now / STEP_S) + 1) * STEP_S)

    def wait(self, timeout_s: float) -> None:
        """Sleep until the time-out, or until it is closed."""
        self._closed.wait(timeout_s)

    def close(self) -> None:
        """Put the lights out and release them; may be called twice."""
        self._closed.set()
        if self._lights is not None:
            self._lights.close()


def running_lights(profile: Profile, now: float, glow: Glow | None = None) -> Frame:
    """Draw the lights at a time in seconds, in the colour of a `glow`, as final levels."""
    step = round(now / STEP_S) % PERIOD
    light = _LIGHT if glow is None else glow.colour.scaled(0.2 * glow.rhythm.level(now))
    lit = (glow is not None or n % PERIOD == step for n in range(profile.pixel_count))
    return correct(tuple(light if each else DARK for each in lit), profile.power)


def _open_strip(machine: Platform, strip: Strip) -> Pixels:
    try:
        return machine.pixels(strip)
    except (OSError, ImportError, RuntimeError, ValueError) as error:
        # Hardware libraries raise these on a computer without the hardware.
        raise LightsFault(f"the strip cannot be opened: {error}") from error


@lru_cache(1)
def log_status(status: str) -> None:
    """Log a status unless it was the last one: play is tried again every few seconds."""
    log.warning("%s", status)
