"""The game's page: what it is sent, and what it may request, over one websocket each.

Passes on touches and commands, and reads the broadcaster; must not touch the table or the store.
"""

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from queue import Full
from typing import Protocol

from game.common import AppError, Words, redact_errors, words
from game.engine import LEVEL_NAMES
from game.play import AutomaticHands, Decision, Snapshot
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.grades import LOOKS
from game.rules.base.message import Message, say
from game.table import State, inputs
from game.table.entries import EVEN, HELP_LEVELS
from game.web import page_messages as ask
from game.web import server_messages as wire
from game.web.access import Access, AccessLevel
from game.web.broadcaster import Broadcaster, Latest
from game.web.page_files import ART
from game.web.page_messages import MessageError, parse
from game.web.seats import PageSeat, Seats, shared
from game.web.server import TOO_MANY, App, PageLink, page_folder, site
from game.web.views import game_view, state_view
from game.web.views.state_view import Replayed
from hal.backends.backend import Clock, Hands
from hal.base.errors import HalError
from hal.profile import Profile

_WITHOUT_CONTROL = ask.TakeSeat | ask.ReturnToSeat | ask.LeaveSeat | ask.Arrange
GAME = "game"
"""The kind of activity in which a game is played."""
_LONGEST_NUMBER = 9
"""Most characters of a game number that an error message quotes."""
_PAGE_WORD = re.compile(r'"(page\.[a-z0-9_]+)"')


@cache
def page_words(language: str) -> dict[str, str]:
    """Return the texts that the page's own files use, by key."""
    named = {
        key
        for file in page_folder().iterdir()
        if file.suffix in (".html", ".js")
        for key in _PAGE_WORD.findall(file.read_text(encoding="utf-8"))
    }
    speak = words(language)
    # The page fills placeholders itself, so they must stay unfilled.
    return {key: speak.template(key) for key in sorted(named)}


class Control(Protocol):
    """What pages may request of the session; every method is thread-safe."""

    def give(self, request: inputs.Input | Decision, source: str = "") -> None:
        """Queue an input, or a decision; raises `queue.Full` if too much of its source waits.

        The source is the page, or the device on which it is open.
        """

    def analyse(self) -> None:
        """Analyse the finished game; does nothing if that is under way."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Another activity that a page asks for: its kind, its game, and the new game to begin.

    With a `room` the board enters or leaves one; either way it leaves its present room.
    """

    kind: str
    game: str
    start: inputs.StartGame | None = None
    room: ask.EnterRoom | ask.LeaveRoom | None = None


RequestOpening = Callable[[Opening], Message | None]
"""Asks for another activity; returns why it is refused."""


@dataclass(frozen=True, slots=True)
class Page:
    """The page of one game on one board.

    `hands` touch a simulated board when cells are pressed on the page, and `automatic` makes
    edits; None on a real board. `control` takes all other requests. `replayed` is None during play.
    `levels` are the names of the computer's levels, easiest first. `seek` goes to a move of a
    stored game. `past` loads another stored game for one page, by its number; it raises AppError,
    HalError or RulesError. `even_help` returns the help that evens a game, by game and names.
    """

    game: AnyGame
    profile: Profile
    broadcaster: Broadcaster
    hands: Hands | None
    control: Control
    replayed: Replayed | None = None
    levels: tuple[str, ...] = LEVEL_NAMES
    seats: Seats | None = None
    automatic: AutomaticHands | None = None
    clock: Clock = time.monotonic
    seek: Callable[[int], None] | None = None
    past: Callable[[str], AbstractContextManager["Page"]] | None = None
    even_help: Callable[[str, tuple[str, ...]], str] | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    def app(self, access: Access) -> App:
        return site("index.html", self.talk, access, (ART,))

    async def talk(
        self,
        link: PageLink,
        left: Callable[[], bool] = lambda: False,
        ask_for: RequestOpening = lambda _: say("games.not_here"),
    ) -> bool:
        """Serve this page, or the stored game that its address names, until it is `left`.

        Returns True if the page waits for the next activity, False if its connection has ended.
        """
        which, stack, page, complaint = link.caller.game, ExitStack(), self, None
        if which and self.past is not None and link.level is not AccessLevel.NOTHING:
            try:
                page = await asyncio.to_thread(stack.enter_context, self.past(which))
            except (AppError, HalError, RulesError):
                complaint = say("access.no_past_game", number=which[:_LONGEST_NUMBER])
        name = f"page{next(self._numbers)}."
        try:
            with page.broadcaster.subscribed() as changed:
                visit = _Visit(page, link, changed.set, name, ask_for, complaint)
                return await link.converse(changed, visit.send_pending, visit.take, left)
        finally:
            if page.hands is not None:
                page.hands.lift_all(name)
            if page is not self:
                await asyncio.to_thread(stack.close)


@dataclass(eq=False)
class _Visit:
    """One open page: its seat, the state it was sent, and its fingers."""

    _page: Page
    _link: PageLink
    _notify: Callable[[], None]
    _name: str
    _ask_for: RequestOpening
    _complaint: Message | None
    _sent: Latest = field(default_factory=Latest)
    _sent_to: int | None = None
    _before: State | None = None
    _greeted: AccessLevel | None = None
    _previewed: str = ""
    _looks_at: int | None = None

    def __post_init__(self) -> None:
        page, caller, self._loop = self._page, self._link.caller, asyncio.get_running_loop()
        # All pages of a network device share one source, since a page is easily opened again.
        self._source = self._name if caller.local else caller.client
        self._speak = words(caller.language)
        self._seat: PageSeat | None = None
        if page.seats is not None:
            self._seat = PageSeat(
                page.game,
                page.seats,
                page.broadcaster,
                lambda decision: page.control.give(decision, self._source),
                self._tell,
                shared(self._link.access, caller),
            )

    @property
    def _level(self) -> AccessLevel:
        """What this page may do: the holder of a seat may watch, also without the PIN."""
        seated, level = self._seat is not None and self._seat.player is not None, self._link.level
        return AccessLevel.WATCH if seated and level is AccessLevel.NOTHING else level

    def _tell(self, act: Callable[[], None]) -> None:
        """Call `act` on the server's thread, from any thread, and send what has changed."""
        # The server may have ended meanwhile.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(act)
            self._loop.call_soon_threadsafe(self._notify)

    async def send_pending(self) -> None:
        """Send what has changed, the newest only."""
        if self._seat is not None:
            self._seat.check()
        for message in self._pending(self._level):
            await self._link.send(message)

    def _pending(self, level: AccessLevel) -> Iterator[Mapping[str, object]]:
        page, speak = self._page, self._speak
        if self._seat is not None:
            yield from self._seat.pending(level, speak.text)
        if self._greeted is not level:
            self._greeted, self._sent, self._before = level, Latest(), None
            yield self._first(level)
        if level is AccessLevel.NOTHING:
            return
        latest, sent = page.broadcaster.latest, self._sent
        self._sent = latest
        if latest.snapshot is not None:
            player = self._seat.viewer(latest) if self._seat is not None else None
            with redact_errors(page.game):
                if latest.snapshot is not sent.snapshot or player != self._sent_to:
                    yield from self._state(latest.snapshot, player)
                cell, self._previewed = self._previewed, ""
                if cell:
                    yield game_view.preview(latest.snapshot.of(player), cell, speak)
                ply, self._looks_at = self._looks_at, None
                if ply is not None:
                    fixed = self._words(player), page.profile, latest.course
                    yield state_view.look(latest.snapshot, ply, *fixed)
        if latest.colours is not sent.colours:
            yield state_view.lights(latest.colours)
        if latest.course is not sent.course:
            yield game_view.analysis(latest.course, speak)
        if self._complaint is not None:
            yield {"type": "error", "text": speak.text(self._complaint)}
            self._complaint = None

    def _state(self, seen: Snapshot, player: int | None) -> Iterator[wire.Guide | wire.State]:
        """Yield the state for a player; before it the rules, if the game's level is new."""
        page, snapshot, before = self._page, seen.of(player), self._before
        self._sent_to, self._before = player, snapshot.state
        level_of = page.game.presentation.level
        if before is None or level_of(before.position) != level_of(snapshot.state.position):
            stones = page.profile.sensing.stones
            yield game_view.guide(seen, stones, self._speak)
        shown, speak = page.replayed or state_view.PLAYED, self._words(player)
        yield state_view.state(snapshot, speak, player, page.clock(), shown, before)

    def _words(self, player: int | None) -> Words:
        """Return the words of a state, which address players, but not spectators."""
        replayed = self._page.replayed
        plays = player is not None or self._level is AccessLevel.CONTROL
        to_you = plays and (replayed is None or bool(replayed.lesson))
        return words(self._link.caller.language, to_you)

    def _first(self, level: AccessLevel) -> wire.Locked | wire.Hello:
        page, access, caller = self._page, self._link.access, self._link.caller
        texts = page_words(caller.language)
        greeting = state_view.greeting(caller.language, texts, access.pin_command)
        if level is AccessLevel.NOTHING:
            return {"type": "locked", "seats": self._seat is not None, **greeting}
        simulated, share = page.hands is not None, shared(access, caller)
        fixed = page.game, page.profile, self._speak, greeting, simulated, page.replayed
        return state_view.hello(*fixed, level, page.levels, share)

    def take(self, text: str) -> str:
        """Act on one message; return why it is refused, or nothing."""
        with redact_errors(self._page.game):
            try:
                kinds = ask.ON_GAME_PAGE if self._seat is None else ask.ON_SEATED_PAGE
                asked = parse(text, kinds)
                refusal = self._refusal(asked) or self._do(asked)
            except (MessageError, HalError) as error:
                return str(error)
            except Full:
                return TOO_MANY
            return "" if refusal is None else self._speak.text(refusal)

    def _refusal(self, asked: ask.FromPage) -> Message | None:
        """Return why this page may not request something; None if it may."""
        only_watches = self._link.access.only_watches(self._link.caller)
        if self._link.level is AccessLevel.CONTROL:
            return None
        if isinstance(asked, _WITHOUT_CONTROL) and not only_watches:
            return None
        locked = self._level is AccessLevel.NOTHING
        led = self._page.replayed is not None and self._page.replayed.lesson
        if isinstance(asked, ask.Look) and not locked and not led:
            return None
        if only_watches:
            return say("access.only_watches")
        return say("access.locked") if locked else say("access.needs_pin")

    def _do(self, asked: ask.FromPage) -> Message | None:
        """Act on an allowed message; return why it is refused. Raises HalError."""
        page, control, source = self._page, self._page.control, self._source
        match asked:
            case inputs.Input():
                control.give(asked, source)
            case ask.PressKey(name):
                control.give(inputs.Touched(name), source)
            case ask.GiveCommand(command):
                player = self._seat.player if self._seat is not None else None
                control.give(inputs.Asked(command, player or 0), source)
            case _ if isinstance(asked, ask.OfSeat):
                self._notify()
                return None if self._seat is None else self._seat.take(asked)
            case ask.Press(pointer, spot) if page.hands is not None:
                page.hands.press(self._name + pointer, spot)
            case ask.Press():
                stones = page.profile.sensing.stones
                return say("page.not_simulated_stones") if stones else say("page.not_simulated")
            case ask.Lift(pointer) if page.hands is not None:
                page.hands.lift(self._name + pointer)
            case ask.Preview(cell):
                latest = page.broadcaster.latest.snapshot
                if latest is not None and any(each.level >= LOOKS for each in latest.state.helps):
                    control.give(inputs.Look(cell), source)
                self._previewed = cell
                self._notify()
            case ask.StartGame(name, options, computers, names):
                if options and options.get(HELP_LEVELS) == EVEN and page.even_help:
                    helps = "" if any(computers) else page.even_help(name, names or ())
                    options = {**options, HELP_LEVELS: helps}
                start = inputs.StartGame(options, computers, names)
                if name != page.game.name or page.replayed is not None:
                    return self._ask_for(Opening(GAME, name, start))
                control.give(start, source)
            case ask.OpenActivity(kind, name):
                return self._ask_for(Opening(kind, name))
            case ask.EnterRoom() | ask.LeaveRoom():
                return self._ask_for(Opening(GAME, page.game.name, room=asked))
            case ask.SwitchHands(automatic) if (hands := page.automatic) is not None:
                control.give(lambda _: hands.switch(automatic), source)
            case ask.Look(ply) if page.seek is not None:
                page.seek(ply)
            case ask.Look(ply):
                self._looks_at = ply
                self._notify()
            case ask.Analyse():
                control.analyse()
        return None
