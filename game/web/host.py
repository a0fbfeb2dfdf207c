"""The one activity of a process, such as a game, and the change to another on a page's request.

On the board's thread one activity is closed before the next is opened, on the same board or on a
simulated one that fits; if that fails the old one comes back. Open pages get a new hello.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import Self

from game.common import AppError, board_lock, board_memory, own_addresses
from game.play import default_board, fits_board, fitted_profile
from game.remote.address import ChosenRoom, check_game
from game.remote.direct import Door
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame, settle
from game.rules.base.message import Message, say
from game.rules.base.registry import all_games
from game.rules.base.values import Json
from game.store import Solved
from game.table.entries import parse
from game.table.inputs import Announce, Input
from game.web.access import LOCAL, ROOM, Access, Caller
from game.web.broadcaster import Broadcaster
from game.web.game_library import GameLibrary
from game.web.game_pages import GAME, Opening, Page
from game.web.game_runtime import GameConfig, Running, heard, open_game
from game.web.lessons import Puzzles, Tutorial
from game.web.page_files import ART
from game.web.page_messages import EnterRoom
from game.web.seats import address_for, qr_code
from game.web.server import App, PageLink, room_route, site
from game.web.views.state_view import Replayed
from hal.backends.device import Device
from hal.backends.registry import capabilities, open_backend
from hal.base.errors import HalError
from hal.profile import BoardMemory

TUTORIAL, PUZZLES = "tutorial", "puzzles"
log = logging.getLogger(__name__)

FAILURES = (AppError, HalError, RulesError)
"""What opening an activity raises."""


@contextmanager
def open_lesson(kind: str, config: GameConfig) -> Iterator[Running]:
    """Open a board for the tutorial or the puzzles of a game; raises one of FAILURES."""
    game, broadcaster = config.game, Broadcaster()
    profile, memory = fitted_profile(config.profile, game), BoardMemory()
    with ExitStack() as stack:
        if capabilities(config.backend).real:
            # Emulated boards are never shared.
            board = config.folder, config.profile, config.backend
            stack.enter_context(board_lock(*board))
            memory = board_memory(*board)
        backend = open_backend(config.backend, profile, clock=config.clock, memory=memory)
        device = stack.enter_context(closing(Device(profile, backend)))
        audience, solved = heard(broadcaster, config, stack), Solved(config.folder)
        shown: Tutorial | Puzzles
        if kind == TUTORIAL:
            shown, seek = Tutorial(game, device, audience, config.brightness), None
        else:
            shown = Puzzles(game, device, audience, config.brightness, solved=solved)
            seek = shown.seek
        # Pages touch the cells of the lesson, and not those of a simulated board.
        page = Page(game, profile, broadcaster, None, shown, Replayed(lesson=kind), seek=seek)
        yield Running(shown, page)


KINDS: dict[str, Callable[[GameConfig], AbstractContextManager[Running]]] = {
    GAME: open_game,
    TUTORIAL: partial(open_lesson, TUTORIAL),
    PUZZLES: partial(open_lesson, PUZZLES),
}
"""How to open each kind of activity, by the name that pages send."""


class Host:
    """Runs the first activity of a config, and then what pages ask for, inside a `with` block."""

    def __init__(self, config: GameConfig, kind: str = GAME) -> None:
        self._first = self._config = replace(config, door=Door())
        self._kind = kind
        self._stack = ExitStack()
        self._wanted: tuple[Opening, ChosenRoom | None] | None = None
        self._joining = Thread()
        self._access = LOCAL
        self.after_step: Callable[[float], None] = lambda _: None
        self.running: Running

    def __enter__(self) -> Self:
        resumes = self._first.resumes_room and self._first.room is None
        chosen = ChosenRoom.read(self._first.folder) if resumes else None
        if chosen is not None and chosen.game in self.games:
            try:
                self._open(GAME, self._in_room(chosen))
                return self
            except FAILURES as error:
                log.warning("the room that was chosen cannot be opened: %s", error)
        self._open(self._kind, self._config)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def games(self) -> dict[str, AnyGame]:
        """The games that can be opened here, by name: on a real board those that fit on it."""
        board = self._first.profile
        real = capabilities(self._first.backend).real
        return {
            name: each for name, each in all_games().items() if not real or fits_board(board, each)
        }

    def step(self, now: float) -> None:
        """Change the activity if a page asked for it, then step it."""
        # Closing a journal that still waits for the disk would block the board and keep the lock.
        journal = self.running.journal
        if self._wanted and (journal is None or journal.settle() or not journal.saving):
            wanted, self._wanted = self._wanted, None
            self._change(*wanted)
        self.running.session.step(now)
        if (kind := self.running.session.leads_to) and self._wanted is None:
            self._want(Opening(kind, self.running.page.game.name), None)
        self.after_step(now)

    def due(self, now: float) -> float:
        return self.running.session.due(now)

    def wait(self, timeout_s: float) -> None:
        self.running.session.wait(timeout_s)

    def give(self, request: Input) -> None:
        """Pass an input on, from any thread."""
        self.running.session.give(request)

    def app(self, access: Access) -> App:
        self._access, first = access, self._first.folder
        library = GameLibrary(
            first, lambda: self.games, lambda: self.running, access, self._describe_room
        )
        door = self._first.door
        door.served, door.network = (access.port, access.certificate is not None), access.network
        routes = (ART, room_route(door), *library.routes)
        return site("index.html", self._talk, access, routes)

    async def _talk(self, link: PageLink) -> None:
        """Serve one page; after each change of activity, the new activity's page."""
        left = True
        while left:
            page = self.running.page
            left = await page.talk(link, partial(self._is_left, page), self.ask)

    def _is_left(self, page: Page) -> bool:
        return self.running.page is not page

    def ask(self, opening: Opening) -> Message | None:
        """Ask for another activity, from any thread; return why that is refused."""
        if opening.kind not in KINDS or opening.game not in self.games:
            return say("games.not_here")
        if opening.room is None and self._config.room is not None:
            return say("remote.alone_only")
        chosen = None
        if isinstance(opening.room, EnterRoom):
            try:
                check_game(self.games[opening.game])
                known, asked = self._first, opening.room
                room = (asked.broker, asked.tls, asked.user, asked.password, asked.code, asked.name)
                chosen = ChosenRoom.wanted(known.folder, known.room, *room)
                chosen = replace(chosen, game=opening.game, options=asked.options or {})
            except AppError:
                return say("remote.bad_room")
            except RulesError as error:
                return error.message
        computers = opening.start and opening.start.computers
        if computers and len(computers) != len(self.games[opening.game].players):
            return say("games.not_here")
        if chosen is None:
            self._want(opening, None)
        elif self._joining.is_alive():
            return say("remote.looking")
        else:
            self._joining = Thread(target=self._join, args=(opening, chosen), daemon=True)
            self._joining.start()
        return None

    def _want(self, opening: Opening, chosen: ChosenRoom | None) -> None:
        self._wanted = opening, chosen
        self.give(Announce(say("games.opening", title=self.games[opening.game].title)))

    def _join(self, opening: Opening, chosen: ChosenRoom) -> None:
        """Enter a room; if it cannot be reached, keep the present game."""
        from game.remote.partner import unreached

        self.give(Announce(say("remote.looking"), good=True))
        if (why := unreached(chosen.address, self._first.folder)) is None:
            self._want(opening, chosen)
        else:
            self.give(Announce(why))

    def _change(self, wanted: Opening, chosen: ChosenRoom | None) -> None:
        """Close the activity and open another; if that fails, open the old one again."""
        journal = self.running.journal
        if journal is not None and not journal.saving:
            self.give(Announce(say("games.not_saved")))
            return
        pages, kind, config = self.running.page.broadcaster, self._kind, self._config
        game = self.games[wanted.game]
        own = game.name == self._first.game.name
        try:
            if chosen is not None:
                after = self._in_room(chosen)
            else:
                options = self._first.options if own else {}
                after = replace(self._alone(game), options=options, start=wanted.start)
            self._stack.close()
            self._open(wanted.kind, after)
        except FAILURES as error:
            self._stack.close()
            self._open(kind, replace(config, computers=(), start=None))
            why = error.message if isinstance(error, RulesError) else str(error)
            self.give(Announce(say("games.not_opened", title=game.title, why=why)))
        else:
            if chosen is not None:
                chosen.write(self._first.folder)
            elif wanted.room is not None and (known := ChosenRoom.read(self._first.folder)):
                known.left().write(self._first.folder)
        pages.notify()

    def _alone(self, game: AnyGame) -> GameConfig:
        first = self._first
        board = first.profile if fits_board(first.profile, game) else None
        profile = board or default_board(first.backend, game)
        engines = first.engines if game.name == first.game.name else {}
        alone = replace(first, game=game, profile=profile, engines=engines)
        return replace(alone, names=(), computers=(), start=None, room=None)

    def _in_room(self, chosen: ChosenRoom) -> GameConfig:
        """Return the config of a game in a room; raises AppError, HalError or RulesError."""
        game = self.games[chosen.game]
        settle(game, parse(chosen.options)[1])
        names = (chosen.name,) * len(game.players)
        return replace(self._alone(game), names=names, options=chosen.options, room=chosen.address)

    def _describe_room(self, caller: Caller) -> Json:
        """Describe room and broker, without the password, for pages that play."""
        room, known = self._config.room, ChosenRoom.read(self._first.folder)
        address = room or (known and known.address) or self._first.room
        if address is None:
            return {"broker": ""}
        link = address.link
        if room is not None and room.direct:
            link = f"{address_for(self._access, caller).rstrip('/')}{ROOM}#{room.code}"
        elif address.host in ("localhost", "127.0.0.1", "::1") and (own := own_addresses()):
            link = replace(address, host=own[0]).link
        return {
            "broker": "" if address.direct else address.broker,
            "tls": address.tls,
            "user": address.user,
            "password": bool(address.password),
            "name": known.name if known else "",
            "room": room and {"code": room.code, "link": link, "qr": qr_code(link)},
        }

    def _open(self, kind: str, config: GameConfig) -> None:
        with ExitStack() as opened:
            running = opened.enter_context(KINDS[kind](config))
            self._stack = opened.pop_all()
        self._kind, self._config = kind, config
        self.running = running
