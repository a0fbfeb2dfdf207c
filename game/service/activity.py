"""The service's activity: it plays a game on a board, or waits until it can.

Owns the interface of both: the loop runs `stepping`, the server serves `page`, `status` is one
line, `shown` is whether the lights have had their first frame, `pressed` has the keys that are
down, and `cover` shows one glow on all lights. An activity that is `over` must be opened again.
Must not know signals, ports or systemd.
"""

import logging
import time
from contextlib import ExitStack, closing
from pathlib import Path

from game.common import AppError, Words
from game.play import Dimmer, Snapshot, default_board, find_board, fits_board, language_of
from game.rules.base.game import AnyGame
from game.service.notify import status_of
from game.service.paths import ServicePaths
from game.service.settings import GameSettings, Settings
from game.service.waiting import Waiting, log_status
from game.store import last_game
from game.table.inputs import SetHelp, SetNames, SetOpponents
from game.web import GameConfig, Host
from hal.backends.registry import capabilities, open_platform
from hal.base.errors import HalError
from hal.lights import Glow
from hal.profile import Profile, built_in, load

log = logging.getLogger(__name__)

STARTING = "starting"


def open_activity(
    stack: ExitStack, settings: Settings, paths: ServicePaths, words: Words
) -> "Activity":
    """Open the board and the game until the stack is closed; wait if that fails."""
    trouble: AppError | HalError | None = None
    profile: Profile | None = None
    try:
        profile = _load_board(settings, paths)
        if profile is not None:
            activity = _play(stack, settings, profile, paths.data, words)
            # If the same trouble comes back, log it again.
            log_status.cache_clear()
            return activity
    except (AppError, HalError) as error:
        trouble = error
    backend = settings.board.carrier(profile)
    # A Pico without a host shows its waiting lights by itself.
    suits = profile is None or capabilities(backend).suits(profile)
    machine = open_platform(backend) if suits else None
    waiting = Waiting(trouble, machine, profile or built_in(), time.monotonic())
    return stack.enter_context(closing(waiting))


def _play(
    stack: ExitStack, settings: Settings, profile: Profile, data: Path, words: Words
) -> "Activity":
    """Open a board and a game on it; raises AppError, HalError or RulesError."""
    game, names = _game(settings, data, profile), settings.game.players
    backend = settings.board.carrier(profile)
    dimmer = Dimmer(profile, settings.board.night)
    plan = GameConfig(
        *(game, profile, backend, data, dimmer, names, settings.game.computers()),
        insists=False,
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
    return _PlayingActivity(host, dimmer, settings.game, data, words)


def needs_reopening(old: Settings, new: Settings) -> bool:
    def key(settings: Settings) -> tuple[object, ...]:
        board, game = settings.board, settings.game
        fixed = (board.backend, board.profile, board.sound, board.voice, board.publish)
        return *fixed, game.name, game.room

    return key(old) != key(new)


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

    def __init__(
        self, host: Host, dimmer: Dimmer, wanted: GameSettings, data: Path, words: Words
    ) -> None:
        self.stepping = self.page = host
        self._dimmer, self._wanted, self._data, self._words = dimmer, wanted, data, words
        self._reported: Snapshot | None = None
        self._status = STARTING

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
        if snapshot is not None and snapshot is not self._reported:
            self._reported = snapshot
            self._status = self._words.text(status_of(snapshot))
        return self._status

    def adopt(self, settings: Settings) -> None:
        self._dimmer.mode = settings.board.night
        old, new = self._wanted, settings.game
        if new == old or self.page.running.page.game != new.game:
            return
        self._wanted = new
        if new.players and new.players != old.players:
            self.page.give(SetNames(new.players))
        if new.opponent is not None and new.opponent != old.opponent:
            self.page.give(SetOpponents(new.computers()))
        if new.help is not None and new.help != old.help:
            self.page.give(SetHelp(new.help_levels(self._data)))


Activity = _PlayingActivity | Waiting
