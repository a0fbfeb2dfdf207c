"""What the service does at a time: it plays, or it waits until it can.

Owns how a game on a board and the waiting for one look to the service, which treats them alike.
Must not know signals, pages' ports or the service manager.
"""

import logging
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from game.app import boards, night
from game.app.carriers import PI
from game.app.errors import AppError
from game.app.loop import Stepping
from game.app.opened import Opened, Plan, opened
from game.app.serve import Site
from game.app.service.herald import status_of
from game.app.service.settings import Settings
from game.app.service.waiting import Waiting
from game.app.words import Words
from game.rules.catalogue import find_game
from game.table.inputs import Named, Opposed
from hal.errors import HalError
from hal.pi import RaspberryPi
from hal.profile import Profile, load

log = logging.getLogger(__name__)

STARTING = "starting"
OPPONENT = "[game] opponent"


class Activity(Protocol):
    """What the service does, until it is `over` or the shutdown key was held."""

    @property
    def stepping(self) -> Stepping:
        """What the loop runs."""
        ...

    @property
    def page(self) -> Site:
        """The page to it."""
        ...

    @property
    def shown(self) -> bool:
        """Whether the lights have had their first frame of what goes on."""
        ...

    @property
    def over(self) -> bool:
        """Whether the board is to be opened anew."""
        ...

    @property
    def switched_off(self) -> bool:
        """Whether the shutdown key was held."""
        ...

    def status(self) -> str:
        """Say in one line what goes on; asked in every round of the loop."""
        ...

    def adopt(self, settings: Settings) -> None:
        """Take settings for which nothing needs to be opened anew."""
        ...


@dataclass(frozen=True, slots=True)
class Ground:
    """Say where the service has its data, and the board that it has learnt."""

    data: Path
    board: Path


def open_activity(stack: ExitStack, settings: Settings, ground: Ground, speak: Words) -> Activity:
    """Open what the settings say until the stack is left; wait where that cannot be done."""
    trouble: AppError | HalError | None = None
    profile: Profile | None = None
    try:
        profile = _board(settings, ground.board)
        if profile is not None:
            return _play(stack, settings, profile, ground.data, speak)
    except (AppError, HalError) as error:
        trouble = error
    named = settings.board.profile
    backend = settings.board.carrier(profile)
    # A Pico that nobody speaks to shows that by itself.
    on_header = backend == PI and (profile is None or profile.pico is None)
    waiting = Waiting(
        trouble,
        ground.board,
        RaspberryPi() if on_header else None,
        profile=profile,
        files=() if named is None else (Path(named),),
        data=ground.data,
        backend=backend,
    )
    return _Waits(stack.enter_context(closing(waiting)))


def _play(
    stack: ExitStack, settings: Settings, profile: Profile, data: Path, speak: Words
) -> Activity:
    """Open a board and a game on it; raises AppError, HalError or RulesError."""
    game, names = find_game(settings.game.name), settings.game.players
    backend = settings.board.carrier(profile)
    dimmer = _Dimmer(profile, settings)
    computers = settings.game.computers(OPPONENT)
    plan = Plan(game, profile, backend, data, dimmer, names, computers, insists=False)
    table = stack.enter_context(opened(plan))
    for note in table.notes:
        log.warning("%s", note)
    return _Playing(table, dimmer, settings, speak)


def opens_anew(old: Settings, new: Settings) -> bool:
    """Tell whether the board must be opened anew for new settings."""

    def opened_for(settings: Settings) -> tuple[object, ...]:
        return settings.board.backend, settings.board.profile, settings.game.name

    return opened_for(old) != opened_for(new)


def _board(settings: Settings, learnt: Path) -> Profile | None:
    """Load the board that is meant; None for a real one that has not been learnt yet."""
    if settings.board.profile is not None:
        return boards.find(settings.board.profile)
    if not settings.board.real:
        return boards.usual(settings.board.backend, find_game(settings.game.name))
    return load(learnt) if learnt.exists() else None


class _Dimmer:
    """Give the strip's brightness; what it is by can be changed meanwhile."""

    def __init__(self, profile: Profile, settings: Settings) -> None:
        self._profile = profile
        self._brightness: Callable[[], float]
        self.adopt(settings)

    def adopt(self, settings: Settings) -> None:
        self._brightness = night.brightness(self._profile, settings.board.night)

    def __call__(self) -> float:
        return self._brightness()


class _Playing:
    """A game on a board."""

    over = False

    def __init__(self, table: Opened, dimmer: _Dimmer, settings: Settings, speak: Words) -> None:
        self.stepping = table.session
        self.page = table.page
        self._hub = table.hub
        self._dimmer = dimmer
        self._names = settings.game.players
        self._opponent = settings.game.opponent
        self._speak = speak
        self._told, self._status = 0, STARTING

    @property
    def shown(self) -> bool:
        # Until the game is on disk the lights are sent nothing but that they are out.
        news = self._hub.news
        return news.snapshot is not None and news.lights_number > 0

    @property
    def switched_off(self) -> bool:
        return self.stepping.switched_off

    def status(self) -> str:
        news = self._hub.news
        if news.snapshot is not None and news.state_number != self._told:
            self._told = news.state_number
            self._status = status_of(news.snapshot, self._speak)
        return self._status

    def adopt(self, settings: Settings) -> None:
        self._dimmer.adopt(settings)
        if settings.game.players and settings.game.players != self._names:
            self.stepping.give(Named(settings.game.players))
        self._names = settings.game.players
        computers = settings.game.computers(OPPONENT)
        if computers and settings.game.opponent != self._opponent:
            self.stepping.give(Opposed(computers))
        self._opponent = settings.game.opponent


class _Waits:
    """The waiting for a board."""

    shown = True
    switched_off = False

    def __init__(self, waiting: Waiting) -> None:
        self.stepping = waiting
        self.page: Site = waiting.page

    @property
    def over(self) -> bool:
        return self.stepping.over

    def status(self) -> str:
        return self.stepping.status

    def adopt(self, settings: Settings) -> None:
        """Nothing but the board matters to the waiting."""
