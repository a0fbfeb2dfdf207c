"""The service's activity: it plays a game on a board, or waits until it can.

Owns the interface of both: the loop runs `stepping`, the server serves `page`, `status` is one
line, `shown` is whether the lights have had their first frame, `pressed` has the keys that are
down, and `cover` shows one glow on all lights. An activity that is `over` must be opened again.
Must not know signals, ports or systemd.
"""

import logging
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from string import Template

from game.common import AppError, StoreError, Words, words
from game.play import Dimmer, Snapshot, default_board, find_board, fits_board, language_of
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.service.paths import ServicePaths
from game.service.settings import GameSettings, Settings
from game.store import last_game
from game.web import App, GameConfig, Host, page_folder, written_site
from game.web.access import Access, AccessLevel, Caller
from hal.backends.backend import Platform
from hal.backends.registry import capabilities, open_platform
from hal.base.errors import HalError
from hal.lights import DARK, WHITE, Frame, Glow, Lights, correct
from hal.profile import Profile, built_in, load

log = logging.getLogger(__name__)

STARTING = "starting"
RETRY_S = 10.0
"""Time after which the service tries to play again."""
PERIOD = 12
"""Pixels between two lights that run along the strip, whose length may be unknown."""
STEP_S = 0.125
_LIGHT = WHITE.scaled(0.2)
"""White is the same in any order of colours. One of these draws 12 mA, which any supply gives."""
KIND = "service"
"""The kind that this page sends to pages that were open before, so that they reload."""
_LEARN = "sudo lifeboard service learn"
_STEPS = (
    (say("waiting.doctor"), "sudo lifeboard service doctor"),
    (say("waiting.learn"), _LEARN),
    (say("waiting.learn_pico"), f"{_LEARN} --backend coprocessor"),
    (
        say("waiting.settings_mend"),
        f"sudo nano {ServicePaths().settings}; sudo systemctl reload lifeboard",
    ),
    (say("waiting.logs"), "sudo journalctl -u lifeboard"),
)
"""What to do, each with its command."""


def open_activity(
    stack: ExitStack, settings: Settings, paths: ServicePaths, words: Words, insists: bool = False
) -> "Activity":
    """Open the board and the game until the stack is closed; wait if that fails.

    With `insists` the settings' players replace those of a resumed game, even if it has moves.
    """
    trouble: AppError | HalError | None = None
    profile: Profile | None = None
    try:
        profile = _load_board(settings, paths)
        if profile is not None:
            activity = _play(stack, settings, profile, paths.data, words, insists)
            # If the same trouble comes back, log it again.
            log_once.cache_clear()
            return activity
    except (AppError, HalError) as error:
        trouble = error
    backend = settings.board.carrier(profile)
    # A Pico without a host shows its waiting lights by itself, and a program that uses the board
    # drives its lights.
    suits = profile is None or capabilities(backend).suits(profile)
    lit = suits and not isinstance(trouble, StoreError)
    machine = open_platform(backend) if lit else None
    waiting = Waiting(trouble, machine, profile or built_in(), time.monotonic())
    return stack.enter_context(closing(waiting))


def _play(
    stack: ExitStack, settings: Settings, profile: Profile, data: Path, words: Words, insists: bool
) -> "Activity":
    """Open a board and a game on it; raises AppError, HalError or RulesError."""
    game, names = _game(settings, data, profile), settings.game.players
    backend = settings.board.carrier(profile)
    dimmer = Dimmer(profile, settings.board.night)
    plan = GameConfig(
        *(game, profile, backend, data, dimmer, names, settings.game.computers()),
        insists=insists,
        help_levels=settings.game.help_levels(data),
        automatic=True,
        sound=settings.board.sound,
        voice=language_of(settings.board.voice),
        room=settings.game.address(),
        resumes_room=True,
    )
    host = stack.enter_context(Host(plan))
    publishing = settings.board.publishing()
    if publishing is not None:
        from game.house.house import House

        house = stack.enter_context(closing(House(host, publishing, dimmer, data, words)))
        host.after_step = house.follow
    return _PlayingActivity(host)


def _game(settings: Settings, data: Path, profile: Profile | None = None) -> AnyGame:
    """Return the game of the settings; without one the last that was played, if the board fits."""
    if settings.game != GameSettings():
        return settings.game.game
    return last_game(data, lambda last: profile is None or fits_board(profile, last))


def _load_board(settings: Settings, paths: ServicePaths) -> Profile | None:
    """Load the board of the settings; None for a real one that is not learned yet."""
    if settings.board.profile is not None:
        return find_board(settings.board.profile)
    if not settings.board.real:
        return default_board(settings.board.backend, _game(settings, paths.data))
    return load(paths.board) if paths.board.exists() else None


class _PlayingActivity:
    over = False

    def __init__(self, host: Host) -> None:
        self.stepping = self.page = host

    @property
    def shown(self) -> bool:
        # Until the game is on disk, frames are dark.
        news = self.page.running.page.broadcaster.latest
        return news.snapshot is not None and bool(news.colours)

    @property
    def switched_off(self) -> bool:
        return self.page.running.session.switched_off

    @property
    def pressed(self) -> frozenset[str]:
        return self.page.running.session.device.pressed

    def cover(self, glow: Glow | None) -> None:
        self.page.running.session.device.cover(glow)

    @property
    def status(self) -> str:
        snapshot = self.page.running.page.broadcaster.latest.snapshot
        return STARTING if snapshot is None else status_of(snapshot)


def status_of(snapshot: Snapshot) -> str:
    """Return the state of a game in one line."""
    state = snapshot.state
    if state.faults.reasons:
        return f"{snapshot.game.title}, paused"
    if state.outcome is not None:
        return f"{snapshot.game.title}, over"
    return f"{snapshot.game.title}, move {len(state.history) + 1}"


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """Says why there is no game and what to do; `detail` is an error, "" if no board is learned."""

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

        why = "other" if self.detail else "unlearnt"
        page = (page_folder() / "waiting.html").read_text("utf-8")
        return Template(page).substitute(
            lang=speak.language,
            title=text(say(f"waiting.{why}")),
            text=text(say(f"waiting.{why}_text")),
            detail=escape(self.detail) if detailed else "",
            caption=text(say("waiting.steps")),
            steps="".join(
                f"<li><p>{text(said)}</p>"
                f'<div class="code"><code>{escape(command)}</code></div></li>'
                for said, command in _STEPS
            ),
        )


class Waiting:
    """Wait, with lights that run along the strip and the reason on `page`, until `over`.

    `trouble` is why no game can be played, None that no board was learned. `machine` has the strip,
    which `profile` describes; without one nothing is lit. `now` is in seconds.
    """

    shown = True
    switched_off = False
    pressed: frozenset[str] = frozenset()

    def __init__(
        self, trouble: Exception | None, machine: Platform | None, profile: Profile, now: float
    ) -> None:
        self.over = False
        self.page = WaitingPage(" ".join(str(trouble or "").split()))
        self.stepping = self
        self.status = f"no board learned yet; run `{_LEARN}`"
        if trouble is not None:
            self.status = f"waiting: {self.page.detail}"
        log_once(self.status)
        self._profile = profile
        self._retry_at = now + RETRY_S
        self._glow: Glow | None = None
        self._lights: Lights | None = None
        if machine is not None:
            opened = partial(machine.pixels, profile.strip)
            self._lights = Lights(opened, profile.pixel_count, now)

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


Activity = _PlayingActivity | Waiting


def running_lights(profile: Profile, now: float, glow: Glow | None = None) -> Frame:
    """Draw the lights at a time in seconds, in the colour of a `glow`, as final levels."""
    step = round(now / STEP_S) % PERIOD
    light = _LIGHT if glow is None else glow.colour.scaled(0.2 * glow.rhythm.level(now))
    lit = (glow is not None or n % PERIOD == step for n in range(profile.pixel_count))
    return correct(tuple(light if each else DARK for each in lit), profile.power)


@lru_cache(1)
def log_once(trouble: str) -> None:
    """Log a trouble unless it was the last one: play is tried again every few seconds."""
    log.warning("%s", trouble)
