"""A game on a board, opened and closed as one: journal, board, table and page."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random, SystemRandom

from game.common import board_lock, board_memory, words
from game.engine import LEVEL_NAMES
from game.opponent import Computer, EvenMatch, KnownHelp, Review
from game.play import (
    Audience,
    AutomaticHands,
    FittedMasks,
    Loudspeaker,
    Partner,
    Session,
    Voice,
    fitted_profile,
    lacking_keys,
)
from game.remote.address import Address
from game.remote.chain import Keys
from game.remote.direct import Door
from game.rules.base.game import AnyGame
from game.store import BOARD, ROOM, Journal
from game.table import Table
from game.table.entries import EVEN, HELP_LEVELS
from game.table.inputs import SeatsChanged, SetHelp, SetNames, SetOpponents, StartGame
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from game.web.lesson import Lesson
from game.web.past_game import past_page
from game.web.seats import Seats
from hal.backends.backend import Clock, Hands
from hal.backends.device import Device
from hal.backends.registry import open_backend
from hal.profile import Profile

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GameConfig:
    """What is played, on which board, and where it is stored.

    `options` apply to new games. `names` are one per player, or none to leave them unchanged;
    likewise `computers`: a level's name for each, "" for a person. Unless the config `insists` on
    them, a resumed game keeps its own computers. Without a `seed` chance is random. With
    `automatic` a simulated board makes its own edits. With `sound` the computer's loudspeaker plays
    the game's sounds; `voice` is the language in which the game is spoken, "" for none. With
    `start` a new game begins, and none is resumed. In a `room` the game is played with another
    board, without computers; without one, the room chosen on the page is opened again if the config
    `resumes_room`. `engines` are the commands of other engines, by the level that each plays.
    `help_levels` are read by `read_help`, and empty to leave them unchanged.
    """

    game: AnyGame
    profile: Profile
    backend: str
    folder: Path
    brightness: Callable[[], float]
    names: tuple[str, ...] = ()
    computers: tuple[str, ...] = ()
    insists: bool = True
    seed: int | None = None
    clock: Clock = time.monotonic
    options: Mapping[str, str] = field(default_factory=dict)
    automatic: bool = False
    sound: bool = False
    voice: str = ""
    start: StartGame | None = None
    room: Address | None = None
    engines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    resumes_room: bool = False
    help_levels: tuple[str, ...] = ()
    door: Door = field(default_factory=Door)


@dataclass(frozen=True, slots=True)
class Running:
    """An open activity of a board: a game, stored in a `journal`, or a lesson."""

    session: Session | Lesson
    page: Page
    journal: Journal | None = None


@contextmanager
def open_game(plan: GameConfig) -> Iterator[Running]:
    """Open board and games; raises AppError, HalError or RulesError.

    On exit the lights go out and the games are closed.
    """
    game, board = plan.game, plan.profile
    profile = fitted_profile(board, game)
    # From set-ups shown after games, a pseudo-random generator's next values could be computed.
    chance = SystemRandom() if plan.seed is None else Random(plan.seed)
    with ExitStack() as stack:
        keys = None if plan.room is None else Keys.of(plan.room.code)
        # A room's games are stored apart: leaving the room resumes the game played alone.
        source = BOARD if keys is None else f"{ROOM}{keys.name}"
        journal = stack.enter_context(closing(Journal(plan.folder, game.name, source=source)))
        stack.enter_context(board_lock(plan.folder, board, plan.backend))
        memory = board_memory(plan.folder, board, plan.backend)
        stack.enter_context(memory.written_aside())
        backend = open_backend(plan.backend, profile, clock=plan.clock, memory=memory)
        journal.wake = backend.wake
        device = stack.enter_context(closing(Device(profile, backend)))
        seats, broadcaster = None, Broadcaster()
        if game.hidden:
            seats = Seats(plan.folder, game.name, len(game.players))
            broadcaster = Broadcaster(seats.holders)
        hands = backend if isinstance(backend, Hands) else None
        automatic = None if hands is None else AutomaticHands(hands, plan.automatic)
        table = _new_table(plan, profile, chance, on_page=hands is not None)
        review = Review(game, broadcaster.see_course, backend.wake)
        stack.enter_context(closing(review))
        session = Session(
            table,
            device,
            journal,
            heard(broadcaster, plan, stack),
            memory=FittedMasks(memory, board, profile),
            brightness=plan.brightness,
            computer=_open_computer(plan, table, journal, backend.wake, stack),
            review=review,
            hands=automatic,
            partner=_open_partner(plan, keys, chance, backend.wake, stack),
            known_help=None if plan.room else KnownHelp(plan.folder),
        )
        first = [] if seats is None else [SeatsChanged(seats.taken)]
        session.begin(plan.clock(), *first, start=plan.start)
        if plan.room is None:
            _set_players(session, plan)
        if hands is not None:
            hands.place_stones(_left_standing(table))
        page = Page(
            game,
            profile,
            broadcaster,
            hands,
            session,
            levels=_levels(plan),
            seats=seats,
            automatic=automatic,
            clock=plan.clock,
            past=partial(past_page, plan.folder),
            even_help=lambda name, names: EvenMatch(plan.folder, name).helps(names),
        )
        if lacking := ", ".join(lacking_keys(board, game)):
            text = "board %r has no key for %s of %s: press it on the page"
            log.warning(text, board.name, lacking, game.name)
        yield Running(session, page, journal)


def _levels(plan: GameConfig) -> tuple[str, ...]:
    return (EVEN, *LEVEL_NAMES, *plan.engines)


def _new_table(plan: GameConfig, profile: Profile, chance: Random, on_page: bool) -> Table:
    """Return the table; `on_page` the board is simulated, and the page stands in for its keys."""
    return Table(
        plan.game,
        plan.options,
        chance,
        presence=profile.sensing.stones,
        levels=_levels(plan),
        keys=frozenset() if on_page else frozenset(profile.keys),
        shared=plan.room is not None,
        # The page's first screen offers the same.
        offers=not (on_page or plan.game.hidden or plan.room or plan.computers or plan.start),
    )


def _open_computer(
    plan: GameConfig, table: Table, journal: Journal, wake: Callable[[], None], stack: ExitStack
) -> Computer:
    match = EvenMatch(plan.folder, plan.game.name)
    computer = Computer(
        plan.game,
        wake,
        seed=plan.seed,
        engines=plan.engines,
        even=lambda: match.level(table.state, journal.number),
    )
    return stack.enter_context(closing(computer))


def _open_partner(
    plan: GameConfig, keys: Keys | None, chance: Random, wake: Callable[[], None], stack: ExitStack
) -> Partner | None:
    """Open the room, if the game is played in one; raises AppError."""
    if plan.room is None or keys is None:
        return None
    # Boards that play alone do not need this module and its library.
    from game.remote.partner import open_partner

    begins, helps = chance.choice("12"), ",".join(plan.help_levels)
    options = {"first": begins, **plan.options, HELP_LEVELS: helps}
    place = plan.room, keys, plan.folder
    return stack.enter_context(
        open_partner(*place, plan.game, options, plan.names, wake, plan.door)
    )


def _set_players(session: Session, plan: GameConfig) -> None:
    """Ask for the players of the config; a game with moves keeps its opponents and helps."""
    if plan.names:
        session.give(SetNames(plan.names))
    if not plan.insists and session.table.state.history:
        return
    if plan.computers:
        session.give(SetOpponents(plan.computers))
    if plan.help_levels:
        session.give(SetHelp(plan.help_levels))


def heard(audience: Audience, plan: GameConfig, stack: ExitStack) -> Audience:
    """Add sound and voice to what an audience sees, as the config says."""
    if plan.sound:
        audience = stack.enter_context(closing(Loudspeaker(audience)))
    if plan.voice:
        audience = stack.enter_context(closing(Voice(audience, words(plan.voice, True))))
    return audience


def _left_standing(table: Table) -> frozenset[str]:
    """Return where stones of a simulated board stand at the start.

    They stand where they should, and where eaten stones were not yet seen to be removed.
    """
    state = table.seen()
    eaten = state.history[-1].removed if state.history else ()
    return frozenset({*state.expected, *(set(eaten) & state.standing.keys())})
