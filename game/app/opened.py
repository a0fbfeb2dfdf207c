"""A game on a board, opened and closed as one: journal, board, table and what pages are shown.

Owns the order of opening and closing. Must not know who runs the loop, nor who serves the page.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from game.app.data import board_lock, board_memory
from game.app.errors import AppError
from game.app.fitting import FittedMasks, fitted, lacking_keys
from game.app.hub import Hub
from game.app.journal.journal import Journal
from game.app.opponent.analysing import Analyst
from game.app.opponent.computer import Computer
from game.app.review import Review
from game.app.seats.seats import Seats
from game.app.seats.seats_file import SeatsFile
from game.app.session import Session
from game.app.web import Page
from game.engine.levels import LEVELS
from game.rules.game import Game
from game.table.inputs import Named, Opposed, Seated
from game.table.table import Table
from hal.backend import Clock, Hands, open_backend
from hal.device import Device
from hal.errors import HalError
from hal.profile import Profile

PERSON = "person"
LEVEL_NAMES = tuple(level.name for level in LEVELS)


@dataclass(frozen=True, slots=True)
class Plan:
    """Say what is to be played, on which board, and where it is kept.

    The game may fill a part of the board. `options` are those of the games that begin.
    `brightness` gives the strip's brightness at any moment. `names` are one a player,
    or none, which leaves them as they are. So are `computers`: a level's name for each, "" for a
    person; unless the plan `insists` on them, a game that was begun with others goes on with those.
    Without a `seed` chance is chance. `clock` gives monotonic seconds.
    """

    game: Game[Any, Any]
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


@dataclass(frozen=True, slots=True)
class Opened:
    """Hold a game that can be played; `notes` say, in English, what went wrong on the way."""

    session: Session
    journal: Journal
    hub: Hub
    page: Page
    notes: tuple[str, ...]


@contextmanager
def opened(plan: Plan) -> Iterator[Opened]:
    """Open board and games; raise AppError, HalError or RulesError where that cannot be done.

    On leaving, the lights go out and the games are closed.
    """
    game, board = plan.game, plan.profile
    profile = fitted(board, game)
    with ExitStack() as stack:
        journal = stack.enter_context(closing(Journal(plan.folder, game.name)))
        stack.enter_context(board_lock(plan.folder, board, plan.backend))
        memory = board_memory(plan.folder, board, plan.backend)
        backend = open_backend(plan.backend, profile, clock=plan.clock, memory=memory)

        def wake() -> None:
            # The journal may still be at work when the board is closed.
            with suppress(HalError):
                backend.wake()

        journal.wake = wake
        device = stack.enter_context(closing(Device(profile, backend)))
        hub = Hub()
        presence = profile.sensing.mode == "presence"
        table = Table(game, plan.options, Random(plan.seed), presence=presence, levels=LEVEL_NAMES)
        computer = stack.enter_context(closing(Computer(game, wake, seed=plan.seed)))
        review = Review(game, hub.see_course, wake)
        review.judge = stack.enter_context(closing(Analyst(game, review.tell)))
        masks = FittedMasks(memory, board, profile)
        session = Session(table, device, journal, hub, masks, plan.brightness, computer, review)
        seats = _seats(plan, session, hub) if game.hidden else None
        session.begin(plan.clock(), *([] if seats is None else [Seated(seats.taken)]))
        if plan.names:
            session.give(Named(plan.names))
        if plan.computers and (plan.insists or not table.state.history):
            session.give(Opposed(plan.computers))
        hands = backend if isinstance(backend, Hands) else None
        if hands is not None:
            hands.let_stand(_left_standing(table))
        page = Page(game, profile, hub, hands, session, levels=LEVEL_NAMES, seats=seats)
        notes = (*journal.notes, *session.notes, *_notes_on_keys(board, game))
        yield Opened(session, journal, hub, page, notes)


def _seats(plan: Plan, session: Session, hub: Hub) -> Seats:
    """Open the seats; the table hears of every change before anybody's page does."""

    def tell() -> None:
        session.give(Seated(seats.taken))
        hub.ring()

    seats = Seats(SeatsFile(plan.folder, plan.game.name), len(plan.game.players), tell)
    return seats


def check_names(game: Game[Any, Any], names: tuple[str, ...], where: str) -> None:
    """Raise AppError, saying `where` they stand, for names that are not one for each player."""
    if names and len(names) != len(game.players):
        raise AppError(
            f"{where} is {','.join(names)!r}: {game.title} wants {len(game.players)} names"
        )


def read_computers(game: Game[Any, Any], text: str, where: str) -> tuple[str, ...]:
    """Read who is a computer: a level for the last player, or for each a level or "person".

    Raises AppError, saying `where` it stands, for what is none.
    """
    players = len(game.players)
    each = [part.strip() for part in text.split(",")]
    if len(each) == 1:
        each = [PERSON] * (players - 1) + each
    if len(each) != players or set(each) - {PERSON, *LEVEL_NAMES}:
        first = ",".join([LEVEL_NAMES[-1], *[PERSON] * (players - 1)])
        raise AppError(
            f"{where} is {text!r}; allowed: {PERSON} or a level ({', '.join(LEVEL_NAMES)}) for the"
            f" last player, or one of these for each of {players} players, such as {first}"
        )
    return tuple("" if part == PERSON else part for part in each)


def _notes_on_keys(board: Profile, game: Game[Any, Any]) -> tuple[str, ...]:
    """Say which keys of a game a board has not."""
    lacking = lacking_keys(board, game)
    if not lacking:
        return ()
    keys = ", ".join(lacking)
    return (f"board {board.name!r} has no key for {keys} of {game.name}: press it on the page",)


def _left_standing(table: Table) -> frozenset[str]:
    """Return where stones of a simulated board stand on from before.

    That is where they should, and where the last move ate some that nobody was seen to take.
    """
    state = table.seen()
    eaten = state.history[-1].removed if state.history else ()
    return frozenset({*state.expected(table.game), *(set(eaten) & state.standing.keys())})
