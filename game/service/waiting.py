"""Waits while the service cannot play: its lights, and its page, which says why and what to do."""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from html import escape
from string import Template

from game.common import Cause, StoreError, Words, words
from game.rules.base.message import Message, say
from game.service.paths import ServicePaths
from game.web import App, page_folder, written_site
from game.web.access import Access, AccessLevel, Caller
from hal.backends.backend import Platform
from hal.lights import DARK, WHITE, Frame, Glow, Lights, correct
from hal.profile import Profile

log = logging.getLogger(__name__)

RETRY_S = 10.0
"""Time after which the service tries to play again."""
PERIOD = 12
"""Pixels between two lights that run along the strip, whose length may be unknown."""
STEP_S = 0.125
_LIGHT = WHITE.scaled(0.2)
"""White is the same in any order of colours. One of these draws 12 mA, which any supply gives."""
KIND = "service"
"""The page's name for pages that were open before, which load themselves again."""
_SETTINGS = ServicePaths().settings
_LEARN = "sudo lifeboard service learn"
_SIMULATE = f"""sudo sed -i 's/^#* *backend.*/backend = "sim"/' {_SETTINGS}"""

_Step = tuple[Message, str]
"""What to do, and its command."""

_DOCTOR: _Step = (say("waiting.doctor"), "sudo lifeboard service doctor")
_RELOAD: _Step = (say("waiting.reload"), "sudo systemctl reload lifeboard")


class Why(Enum):
    """Why the service waits: its name in the catalogues."""

    UNLEARNT = "unlearnt"
    IN_USE = "in_use"
    OTHER = "other"


_STEPS: Mapping[Why, tuple[_Step, ...]] = {
    Why.UNLEARNT: (
        _DOCTOR,
        (say("waiting.learn"), _LEARN),
        (say("waiting.learn_pico"), f"{_LEARN} --backend coprocessor"),
    ),
    Why.IN_USE: (),
    Why.OTHER: (
        _DOCTOR,
        (say("waiting.settings_mend"), f"sudo nano {_SETTINGS}"),
        _RELOAD,
        (say("waiting.logs"), "sudo journalctl -u lifeboard"),
    ),
}


def why(error: Exception | None) -> Why:
    """Return the kind of an error; None means that no board was learned."""
    if error is None:
        return Why.UNLEARNT
    in_use = isinstance(error, StoreError) and error.cause is Cause.IN_USE
    return Why.IN_USE if in_use else Why.OTHER


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """The page; `detail` is the text of an error."""

    why: Why
    detail: str = ""

    def app(self, access: Access) -> App:
        def write(caller: Caller, level: AccessLevel) -> str:
            # An error can name files and devices, which strangers must not see.
            return self.html(words(caller.language), detailed=level is not AccessLevel.NOTHING)

        return written_site(write, KIND, access)

    def html(self, speak: Words, *, detailed: bool) -> str:
        """Write the page in a language."""

        def text(message: Message) -> str:
            return escape(speak.text(message))

        def listed(*steps: _Step) -> str:
            return "".join(
                f"<li><p>{text(said)}</p>"
                f'<div class="code"><code>{escape(command)}</code></div></li>'
                for said, command in steps
            )

        page = (page_folder() / "waiting.html").read_text("utf-8")
        return Template(page).substitute(
            lang=speak.language,
            title=text(say(f"waiting.{self.why.value}")),
            text=text(say(f"waiting.{self.why.value}_text")),
            detail=escape(self.detail) if detailed else "",
            caption=text(say("waiting.steps")),
            steps=listed(*_STEPS[self.why]),
            simulate=text(say("waiting.sim")),
            simulation=listed((say("waiting.sim_lines"), _SIMULATE), _RELOAD),
        )


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
        self._lights: Lights | None = None
        # The program that uses the board also drives its lights.
        if machine is not None and self.page.why is not Why.IN_USE:
            opened = partial(machine.pixels, profile.strip)
            self._lights = Lights(opened, profile.pixel_count, now)

    def adopt(self, settings: object) -> None:
        """Do nothing: waiting depends on the board only."""

    def cover(self, glow: Glow | None) -> None:
        """Show one glow on all lights, or the lights that run."""
        self._glow = glow

    def step(self, now: float) -> None:
        """Show what is due now."""
        self.over = now >= self._retry_at
        if self._lights is not None:
            self._lights.show(running_lights(self._profile, now, self._glow), now)

    def due(self, now: float) -> float:
        return min(self._retry_at, (round(now / STEP_S) + 1) * STEP_S)

    def wait(self, timeout_s: float) -> None:
        time.sleep(timeout_s)

    def close(self) -> None:
        """Put the lights out and release them; may be called twice."""
        if self._lights is not None:
            self._lights.close()


def running_lights(profile: Profile, now: float, glow: Glow | None = None) -> Frame:
    """Draw the lights at a time in seconds, in the colour of a `glow`, as final levels."""
    step = round(now / STEP_S) % PERIOD
    light = _LIGHT if glow is None else glow.colour.scaled(0.2 * glow.rhythm.level(now))
    lit = (glow is not None or n % PERIOD == step for n in range(profile.pixel_count))
    return correct(tuple(light if each else DARK for each in lit), profile.power)


@lru_cache(1)
def log_status(status: str) -> None:
    """Log a status unless it was the last one: play is tried again every few seconds."""
    log.warning("%s", status)
