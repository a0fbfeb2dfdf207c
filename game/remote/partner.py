"""Keeps the table of one board in step with the game on two boards, and opens a room for it.

Owns the exchange between table and link. The other board's moves are proposed, as a computer's are,
and this board's hands make them; all other entries are recorded at the table at once. An own move
is made at the table first, and goes to the record once the table's journal has it on disk.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from importlib.metadata import version
from math import inf
from pathlib import Path
from secrets import token_hex
from threading import Event

from game.common import AppError, words
from game.remote.address import Address
from game.remote.chain import ChainEntry, Keys
from game.remote.direct import Door
from game.remote.link import BoardChannel, Link, RecordFile, recorded_side
from game.remote.shared_game import Ask, Setting, SharedGame, undoable
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.rules.base.names import player_name
from game.table import Phase, State, proposed_move
from game.table.entries import (
    OTHER_BOARD,
    TIME_UP,
    Entry,
    EntryKind,
    clock_text,
    computers_text,
    names_text,
    options_text,
)
from game.table.inputs import (
    CONFIRM_S,
    Announce,
    Asked,
    Command,
    Decided,
    Input,
    Say,
    ScoredMove,
    SearchResult,
    SelectPiece,
    SetHelp,
    SetNames,
    SetOpponents,
    SetPiece,
    SetScore,
    StartGame,
    SubmitSetup,
)

REPEAT_S = 20.0
"""How often a message for players, such as the other board's request, is repeated."""
REACH_S = 15.0
"""Longest wait for the other board or the broker before a room is entered."""
_UNDECIDED = ("remote.connecting", "remote.looking")
_ASKS = {Command(ask.value): ask for ask in Ask}
_BOTH_AWAY = (OTHER_BOARD, OTHER_BOARD)


class Partner:
    """The other board, as the session of this one sees it. All calls are on the board's thread."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._game = link.game.setting.game
        self._side = link.game.setting.side
        self._followed: SharedGame | None = None
        self._taken_back = False
        self._sent: tuple[int, str] | None = None
        self._clocked: tuple[int, int] | None = None
        self._news: Message | None = None
        self._news_until = -inf
        self._resigning_until = -inf

    def before(self, event: Input, state: State, now: float) -> Input | None:
        """Return what replaces `event`, if anything; ask the other board if it must agree."""
        match event:
            case Asked(Command.TAKE_BACK) if state.taps:
                return event
            case Asked(command) if command in _ASKS:
                return Announce(self._ask(_ASKS[command], state, now))
            case StartGame():
                return Announce(self._ask(Ask.NEW_GAME, state, now))
            case SetHelp() | Asked(Command.COACH):
                return Announce(say("remote.help_agreed"))
            case (
                Asked(Command.SET_UP | Command.MENU | Command.REDO)
                | SetOpponents()
                | SetNames()
                | SetPiece()
                | SelectPiece()
                | SetScore()
            ):
                return Announce(say("remote.alone_only"))
            case SubmitSetup():
                return None
            case Say(phrase):
                self._link.say(phrase)
                return Announce(say("remote.said", phrase=phrase.words), good=True)
        return event

    def follow(self, state: State, saved: bool, now: float) -> Input | None:
        """Return the next input that brings the table up to date with the shared game, if any.

        `saved` tells whether the table's journal is on disk.
        """
        shared = self._link.game
        new = shared.chain[len((self._followed or shared).chain) :]
        self._followed = shared
        self._taken_back |= any(entry.kind is EntryKind.TAKE_BACK for entry in new)
        here, then = (state.options, state.agreement, state.computers), shared.state
        if then is None:
            entries = () if state.computers == _BOTH_AWAY else _start(state, _BOTH_AWAY)
        elif here != (then.options, then.agreement, self._computers()):
            self._taken_back = False
            entries = _start(then, self._computers())
        else:
            entries = self._catch_up(state, then, shared.chain[-1])
            entries = entries or self._set_clocks(state, then, len(shared.chain))
        if entries:
            return Decided(entries)
        if then is not None and (proposed := self._propose(state, then)) is not None:
            return proposed
        if then is not None and saved:
            self._send_own(state, shared)
        if (phrase := self._link.take_phrase()) is not None:
            return Announce(say("remote.says", phrase=phrase.words), good=True)
        return self._tell_news(shared, now)

    def due(self, now: float) -> float:
        """Return when `follow` must repeat or remove a message by itself."""
        return max(now, self._news_until) if self._news is not None else inf

    # From the shared game to the table.

    def _computers(self) -> tuple[str, ...]:
        return tuple("" if each == self._side else OTHER_BOARD for each in (1, 2))

    def _catch_up(self, state: State, then: State, last: ChainEntry) -> tuple[Entry, ...]:
        """Return entries for moves taken back, and for an end that no move made."""
        here, there = _moves(state), _moves(then)
        pairs = enumerate(zip(here, there, strict=False))
        common = next((n for n, (a, b) in pairs if a != b), min(len(here), len(there)))
        own = all(each.player == self._side for each in state.history[common:])
        # Own moves that the record lacks are sent, unless a take-back has removed them there.
        sends = common == len(there) and own and then.outcome is None and not self._taken_back
        keep = len(here) if sends else common
        ended = undoable(state) > len(here)
        both_ended = ended and here == there and then.outcome == state.outcome
        self._taken_back = False
        ended = ended and not (both_ended or _is_up(state, then))
        if (back := len(here) - keep + ended) > 0:
            return (Entry(EntryKind.TAKE_BACK),) * back
        if here == there and then.outcome is not None and state.outcome is None:
            return (Entry(last.kind, last.text),)
        if len(here) < len(there) and then.history[len(here)].player == self._side:
            # This board has lost its own move: hands set it up again.
            return (Entry(EntryKind.MOVE, there[len(here)]),) if state.phase is Phase.TAP else ()
        return ()

    def _set_clocks(self, state: State, then: State, length: int) -> tuple[Entry, ...]:
        """Set the clocks by the record, once for each entry; this board's may have run on."""
        at = length, len(state.history)
        if state.clocks is None or then.clocks is None or at == self._clocked:
            return ()
        if len(state.history) != len(then.history):
            return ()
        self._clocked = at
        left, own = list(then.clocks.left), self._side - 1
        left[own] = min(left[own], state.clocks.left[own])
        return (Entry(EntryKind.CLOCK, clock_text(tuple(left))),)

    def _propose(self, state: State, then: State) -> Input | None:
        """Propose the other board's next move, or withdraw one that was taken back."""
        at, text = len(state.history), ""
        if at < len(then.history) and then.history[at].player != self._side:
            move = self._game.parse_move(state.position, then.history[at].text)
            text = self._game.plain_text(state.position, move)
        if state.outcome is not None or proposed_move(state) == text:
            return None
        return SearchResult(state.position, OTHER_BOARD, (ScoredMove(text, 0.5),) if text else ())

    def _send_own(self, state: State, shared: SharedGame) -> None:
        then, length = shared.state, len(shared.chain)
        if then is None or shared.writer != self._side:
            return
        at = len(then.history)
        played = state.history[at] if len(state.history) > at else None
        own = length, "" if played is None else played.text
        if own == self._sent:
            return
        if played is not None:
            self._sent = own
            left = played.clocks[self._side - 1] if played.clocks else None
            self._link.request(lambda game: game.play(*own, left))
        elif _is_up(state, then):
            self._sent = own
            self._link.request(lambda game: game.flag(length))

    # Players' requests, and messages to them.

    def _ask(self, ask: Ask, state: State, now: float) -> Message:
        """Ask the other board, or agree with it; return the message for players."""
        shared = self._link.game
        if shared.state is None:
            return say("remote.waiting")
        count = 1
        if ask is Ask.TAKE_BACK:
            mine = shared.state.history and shared.state.history[-1].player == self._side
            count = shared.their_asks.get(ask, 1 if mine or shared.state.outcome else 2)
        if not shared.may_ask(ask, count):
            return say("remote.not_now")
        if ask is Ask.RESIGN and now >= self._resigning_until:
            self._resigning_until = now + CONFIRM_S
            who = self._game.presentation.called(state.position, self._side)
            return say("table.confirm_resign", player=who)
        self._link.request(lambda game: game.ask(len(shared.chain), ask, count))
        return say("remote.agreed") if ask in shared.their_asks else say("remote.asked")

    def _tell_news(self, shared: SharedGame, now: float) -> Input | None:
        waits = say("remote.waiting") if shared.state is None else None
        away = say("remote.away") if self._link.is_away else None
        news = self._link.trouble or self._asked(shared) or waits or away
        if news == self._news and (news is None or now < self._news_until):
            return None
        self._news, self._news_until = news, now + REPEAT_S
        return None if news is None else Announce(news)

    def _asked(self, shared: SharedGame) -> Message | None:
        wanted = shared.their_asks.keys() - shared.asks.keys()
        if Ask.TAKE_BACK in wanted:
            return say("remote.asks_take_back", count=shared.their_asks[Ask.TAKE_BACK])
        if Ask.DRAW in wanted:
            return say("remote.asks_draw")
        return say("remote.asks_new_game") if Ask.NEW_GAME in wanted else None


def _start(state: State, computers: tuple[str, ...]) -> tuple[Entry, ...]:
    return (
        Entry(EntryKind.START, options_text(dict(state.options) | state.agreement.options)),
        Entry(EntryKind.NAMES, names_text(state.names or ("", ""))),
        Entry(EntryKind.COMPUTERS, computers_text(computers)),
    )


def _is_up(state: State, then: State) -> bool:
    """Return whether this board's player is out of time, and the record does not have it yet."""
    up = state.outcome is not None and state.outcome.reason == TIME_UP
    return up and then.outcome is None and then.clocks is not None


def _moves(state: State) -> tuple[str, ...]:
    return tuple(played.text for played in state.history)


@contextmanager
def open_partner(
    address: Address,
    keys: Keys,
    folder: Path,
    game: AnyGame,
    options: Mapping[str, str],
    names: tuple[str, ...],
    wake: Callable[[], None],
    door: Door,
) -> Iterator[Partner]:
    """Open a room; raises AppError. `wake` is called from another thread when something is new."""
    with ExitStack() as stack:
        record = stack.enter_context(closing(RecordFile(folder, keys, address.side)))
        name = player_name(names[record.side - 1]) if names else ""
        setting = Setting(
            game, keys, record.side, token_hex(8), version("lifeboard"), options, name
        )
        channel = partial(_channel, address, keys, record.side, door)
        try:
            link = Link(setting, record, channel, wake)
        except RulesError as error:
            why = words("en").text(error.message)
            raise AppError(f"room record {record.file} does not fit the rules: {why}") from error
        stack.enter_context(closing(link))
        yield Partner(link)


def offers(address: Address, folder: Path) -> bool:
    """Return whether this board offers a room without a broker, so that others connect to it."""
    side = address.side or recorded_side(folder, address.code)
    return address.direct and side == 1


def unreached(address: Address, folder: Path) -> Message | None:
    """Return why the broker or the other board is not reached; None if it is, or need not be.

    Waits for REACH_S at most. An unreadable file is reported when the room is opened.
    """
    if offers(address, folder):
        return None
    changed, end = Event(), time.monotonic() + REACH_S
    with suppress(AppError), ExitStack() as stack:
        channel = _channel(address, Keys.of(address.code), 2, Door(), changed.set)
        stack.enter_context(closing(channel))
        while not channel.connections:
            why = channel.trouble or say("remote.looking")
            if why.key not in _UNDECIDED or time.monotonic() > end:
                return why
            changed.wait(end - time.monotonic())
            changed.clear()
    return None


def _channel(
    address: Address, keys: Keys, side: int, door: Door, wake: Callable[[], None]
) -> BoardChannel:
    # A room needs the library of only one of these modules.
    if not address.direct:
        from game.remote.mqtt import MqttChannel

        return MqttChannel(address, keys.name, side, wake)
    from game.remote.direct import EnteredRoom, OfferedRoom

    return OfferedRoom(keys, door, wake) if side == 1 else EnteredRoom(address, keys, wake)
