"""One board's side of a game on two boards: a protocol machine without I/O.

Owns which entry may follow, who writes it, and what a board sends to the other one. Only one side
may write at a time, so that the record cannot fork: the side to move, or side 1 before a game and
after its end. All else needs an ask, which stands until the next entry, and takes effect once both
sides have asked for the same. A message has a side's whole state, never a change, so that a lost,
late or duplicate one does no harm; it is an authentication code and a JSON object with a version.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from math import inf
from typing import Annotated

from game.remote.chain import MOST_BYTES, ChainEntry, Hash, Keys, Side, follows, head, write
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame, settle
from game.rules.base.message import Message, say
from game.rules.base.names import player_name
from game.rules.base.situation import Situation
from game.table import Phase, State, apply_entries
from game.table.entries import (
    Entry,
    EntryKind,
    bad_entry,
    clock_in,
    clock_text,
    names_text,
    options_text,
    parse,
)
from hal.base import schema
from hal.base.schema import Meta

MOST_ENTRIES = 20_000
"""Longest record, of all games in a room: years of play, and read in a few seconds."""
_IN_PLAY = (EntryKind.MOVE, EntryKind.CLOCK, EntryKind.FLAG, EntryKind.RESIGN, EntryKind.DRAW)
_ROUNDED_S = 0.001
"""Entries store times to the millisecond."""
SENT_UNASKED = 16
"""Entries sent before the other side's length is known: usually it lacks one move."""
SENT_AT_ONCE = 64
"""Most entries in a message; the rest follows when these have arrived."""
LONGEST_SESSION, LONGEST_PHRASE = 16, 20
VERSION = 1
"""Of messages."""
_CODE = 64
"""Characters of a message's authentication code, which stands before its JSON object."""
Count = Annotated[int, Meta(ge=0, lt=10**6)]


class Ask(Enum):
    """What needs the consent of both sides, or must be written by the other one."""

    TAKE_BACK = "take_back"
    DRAW = "draw"
    RESIGN = "resign"
    """The other side writes it if that side is to move."""
    NEW_GAME = "new_game"


Asks = Mapping[Ask, int]
"""What a side has asked for since the last entry; for TAKE_BACK how many moves, else 1."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same as long as a process runs.

    `session` is drawn at its start: a side that repeats it has heard this process. `options` are
    those of games that side 1 begins.
    """

    game: AnyGame = field(repr=False)
    keys: Keys = field(repr=False)
    side: int
    session: str
    program: str
    options: Mapping[str, str] = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True, slots=True)
class SideReport:
    """A message of one side, read and authenticated: what it has, wants and sends.

    `echo` is the session that it heard last. It has `stopped` when it found that the records
    differ. `said` is its newest phrase, and how many there were in this session.
    """

    side: Side
    session: Annotated[str, Meta(max_length=LONGEST_SESSION)]
    echo: Annotated[str, Meta(max_length=LONGEST_SESSION)]
    program: Annotated[str, Meta(max_length=40)]
    game: Annotated[str, Meta(max_length=40)]
    name: str
    length: Count
    head: Hash
    asks: Mapping[Ask, Count] = field(default_factory=dict)
    entries: Annotated[tuple[ChainEntry, ...], Meta(max_length=SENT_AT_ONCE)] = ()
    stopped: bool = False
    said: tuple[Count, Annotated[str, Meta(max_length=LONGEST_PHRASE)]] = (0, "")

    def __post_init__(self) -> None:
        player_name(self.name)
        texts = self.session, self.echo, self.program, self.game, self.said[1]
        if not all(map(str.isprintable, texts)):
            raise ValueError("a text has a character that cannot be printed")


class Unreadable(ValueError):
    """A message written with the room's code that this version cannot read."""


def pack(keys: Keys, report: SideReport) -> bytes:
    """Write a message."""
    content = {"version": VERSION, **schema.to_builtins(report)}
    while True:
        body = json.dumps(content, separators=(",", ":")).encode()
        if len(body) <= MOST_BYTES - _CODE:
            return keys.sign(body).encode() + body
        content["entries"] = content["entries"][: len(content["entries"]) // 2]


def unpack(keys: Keys, payload: bytes) -> SideReport:
    """Read a message; raises ValueError, and Unreadable."""
    code, body = payload[:_CODE], payload[_CODE:]
    if len(payload) > MOST_BYTES or not keys.signed(body, code.decode("latin-1")):
        raise ValueError("not written with the room's code")
    try:
        content = schema.decode(body, dict[str, object])
        if content.pop("version", None) != VERSION:
            raise Unreadable(f"its version is not {VERSION}")
        return schema.convert(content, SideReport)
    except schema.SchemaError as error:
        raise Unreadable(str(error)) from error


@dataclass(frozen=True, slots=True)
class SharedGame:
    """All that one side knows. Its `chain` and `asks` must be on disk before they are sent.

    `state` is the game after the chain, None before the first entry. `restoring` means that the
    record was empty at the start and may come from the other side. `differs` says why nothing more
    is accepted or written until the other side's program restarts.
    """

    setting: Setting
    chain: tuple[ChainEntry, ...] = ()
    state: State | None = None
    asks: Asks = field(default_factory=dict)
    other: SideReport | None = None
    restoring: bool = True
    differs: Message | None = None

    @classmethod
    def opened(cls, setting: Setting, chain: tuple[ChainEntry, ...], asks: Asks) -> "SharedGame":
        """Resume a stored record; raises RulesError if it breaks the rules."""
        state = None
        for entry in chain:
            state = _after(setting.game, state, entry)
        return cls(setting, chain, state, asks, restoring=not chain)

    @property
    def writer(self) -> int:
        """The side that may write the next entry."""
        state = self.state
        if state is None or state.outcome is not None:
            return 1
        return state.situation.to_move or 1

    @property
    def their_asks(self) -> Asks:
        """What the other side asks for now."""
        other, here = self.other, (len(self.chain), self.head)
        return {} if other is None or (other.length, other.head) != here else other.asks

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return head(self.chain)

    @property
    def hears(self) -> bool:
        """Whether the other side's last message answers this process, and is not an old one."""
        return self.other is not None and self.other.echo == self.setting.session

    # Players' actions on this board.

    def play(self, length: int, text: str, left: float | None = None) -> "SharedGame":
        """Write an own move after `length` entries; do nothing if it cannot follow.

        `left` is how many seconds its player had left then, in a game with a clock.
        """
        if length != len(self.chain):
            return self
        timed = self if left is None else self._timed(left)
        after = timed._write(EntryKind.MOVE, text)
        return self if after is timed else after

    def flag(self, length: int) -> "SharedGame":
        """Write after `length` entries that the own player's time is up."""
        if length != len(self.chain):
            return self
        return self._write(EntryKind.FLAG, str(self.setting.side))

    def ask(self, length: int, ask: Ask, count: int = 1) -> "SharedGame":
        """Ask for something after `length` entries, or agree to what the other side asks."""
        if length != len(self.chain) or not self.may_ask(ask, count):
            return self
        most = max(count, self.asks.get(ask, 0))
        return replace(self, asks={**self.asks, ask: most})._agree()

    # Messages of the other side, and to it.

    def receive(self, report: SideReport) -> "SharedGame":
        """Handle a message of the other side, and return the new state."""
        after = replace(self, other=report)
        new_session = self.other is None or self.other.session != report.session
        if self.differs is not None and after.hears and new_session:
            after = replace(after, differs=None)
        if after.differs is not None or report.game != self.setting.game.name:
            return after
        for entry in report.entries:
            # An empty record takes no entries from an old message.
            known = bool(after.chain) and not after.restoring
            if entry.number == len(after.chain) and (after.hears or known):
                after = after._take(entry)
        if after.hears and after.differs is None:
            place = _parted(after.chain, report)
            if place is not None:
                return replace(after, differs=say("remote.differs", entry=place))
            if report.stopped:
                return replace(after, differs=say("remote.stopped"))
            if report.length <= len(after.chain):
                after = replace(after, restoring=False)
        return after._agree()

    def report(self) -> SideReport:
        """Return the message that this side now sends to the other one."""
        setting, other, length = self.setting, self.other, len(self.chain)
        start = max(0, length - SENT_UNASKED) if other is None else min(other.length, length)
        return SideReport(
            setting.side,
            setting.session,
            "" if other is None else other.session,
            setting.program,
            setting.game.name,
            setting.name,
            length,
            self.head,
            self.asks,
            self.chain[start : start + SENT_AT_ONCE],
            self.differs is not None,
        )

    # Rules.

    def may_ask(self, ask: Ask, count: int) -> bool:
        state, game = self.state, self.setting.game
        if state is None or self.differs is not None:
            return False
        match ask:
            case Ask.TAKE_BACK:
                return 1 <= count <= undoable(state) and not state.agreement.strict
            case Ask.DRAW:
                return state.outcome is None and game.agreed_draws
            case Ask.RESIGN:
                return state.outcome is None
            case Ask.NEW_GAME:
                return True

    def _agree(self) -> "SharedGame":
        """Write what both sides want, if it is this side's turn to write."""
        mine, theirs, other, side = self.asks, self.their_asks, self.other, self.setting.side
        if Ask.RESIGN in mine:
            return self._write(EntryKind.RESIGN, str(side))
        if other is None:
            return self
        if self.state is None:
            meet = self.hears and other.length == 0 and other.game == self.setting.game.name
            return self._write(EntryKind.START, self._start(other)) if meet else self
        if Ask.RESIGN in theirs:
            return self._write(EntryKind.RESIGN, str(3 - side))
        both = {ask: min(count, theirs[ask]) for ask, count in mine.items() if ask in theirs}
        if Ask.DRAW in both:
            return self._write(EntryKind.DRAW, "")
        if Ask.TAKE_BACK in both:
            return self._write(EntryKind.TAKE_BACK, str(both[Ask.TAKE_BACK]))
        if Ask.NEW_GAME in both:
            return self._write(EntryKind.START, self._start(other))
        return self

    def _start(self, other: SideReport) -> str:
        """Return the text of a START entry; the first player changes from game to game."""
        options = dict(self.setting.options)
        if self.state is not None:
            options["first"] = str(3 - int(self.state.options["first"]))
        agreement, own = parse(options)
        both: list[Setting | SideReport] = [self.setting, other]
        both.sort(key=lambda each: each.side)
        text = {
            "game": self.setting.game.name,
            "options": settle(self.setting.game, own) | agreement.options,
            "names": [each.name for each in both],
            "programs": [each.program for each in both],
            # So that no entry of another game in this room can follow it.
            "session": self.setting.session,
        }
        return json.dumps(text, sort_keys=True)

    def _write(self, kind: EntryKind, text: str) -> "SharedGame":
        setting = self.setting
        if self.writer != setting.side or self.differs is not None:
            return self
        entry = write(setting.keys, self.chain, setting.side, kind, text)
        try:
            return self._with(entry)
        except RulesError:
            return self

    def _timed(self, left: float) -> "SharedGame":
        """Write how much time is left: each side does so for its own player."""
        clocks = None if self.state is None else self.state.clocks
        own = self.setting.side - 1
        if clocks is None:
            return self
        all_left = list(clocks.left)
        all_left[own] = max(0.0, min(left, all_left[own]))
        return self._write(EntryKind.CLOCK, clock_text(tuple(all_left)))

    def _take(self, entry: ChainEntry) -> "SharedGame":
        """Take the next entry; one that the rules refuse ends the game on two boards."""
        setting = self.setting
        if not follows(setting.keys, self.chain, entry):
            return self
        if entry.side == setting.side and not self.restoring:
            return replace(self, differs=say("remote.forgotten", entry=entry.number))
        try:
            if entry.side != self.writer or not (self.restoring or self._agreed(entry)):
                raise bad_entry(entry.kind, entry.text)
            return self._with(entry)
        except RulesError as error:
            return replace(self, differs=say("remote.refused", why=error.message))

    def _agreed(self, entry: ChainEntry) -> bool:
        match entry.kind:
            case EntryKind.TAKE_BACK:
                return entry.text in map(str, range(1, self.asks.get(Ask.TAKE_BACK, 0) + 1))
            case EntryKind.DRAW:
                return Ask.DRAW in self.asks
            case EntryKind.START:
                return not self.chain or Ask.NEW_GAME in self.asks
            case EntryKind.RESIGN:
                return entry.text == str(entry.side) or Ask.RESIGN in self.asks
            case EntryKind.FLAG:
                return entry.text == str(entry.side)
        return True

    def _with(self, entry: ChainEntry) -> "SharedGame":
        """Add an entry, and drop this side's asks; raises RulesError."""
        state = _after(self.setting.game, self.state, entry)
        return replace(self, chain=(*self.chain, entry), state=state, asks={})


def undoable(state: State) -> int:
    """Return how many entries can be taken back: the moves, and an end not made by a move."""
    return len(state.history) + (state.outcome is not None and state.situation.outcome is None)


def _after(game: AnyGame, state: State | None, entry: ChainEntry) -> State:
    kind, text = entry.kind, entry.text
    if entry.number >= MOST_ENTRIES:
        raise bad_entry(kind, text)
    if kind is EntryKind.START:
        empty = State(Phase.OVER, Situation(game, game.initial({})), settle(game, {}))
        return apply_entries(empty, *_started(game, text))
    if state is None:
        raise bad_entry(kind, text)
    if kind is EntryKind.TAKE_BACK:
        if text not in map(str, range(1, undoable(state) + 1)):
            raise bad_entry(kind, text)
        return apply_entries(state, *[Entry(kind)] * int(text))
    wrong_clock = kind is EntryKind.CLOCK and not _runs_down(state, entry.side, clock_in(text))
    no_clock = kind is EntryKind.FLAG and state.clocks is None
    if kind not in _IN_PLAY or state.outcome is not None or wrong_clock or no_clock:
        raise bad_entry(kind, text)
    return apply_entries(state, Entry(kind, text))


def _runs_down(state: State, side: int, left: tuple[float, ...]) -> bool:
    """Return whether clock times only lower the time of the player of `side`."""
    before = () if state.clocks is None else state.clocks.left
    if len(left) != len(before):
        return False
    less = [old - new for old, new in zip(before, left, strict=True)]
    return all(
        -_ROUNDED_S < each < (inf if n == side else _ROUNDED_S) for n, each in enumerate(less, 1)
    )


def _parted(chain: tuple[ChainEntry, ...], report: SideReport) -> int | None:
    """Return where a chain and that of a message diverge; None if they do not."""
    heads = {each.number: each.previous for each in report.entries} | {report.length: report.head}
    differing = [n for n, hash in heads.items() if n <= len(chain) and head(chain[:n]) != hash]
    return max(0, min(differing) - 1) if differing else None


def _started(game: AnyGame, text: str) -> tuple[Entry, Entry]:
    with suppress(ValueError, RecursionError):
        match json.loads(text):
            case {"game": game.name, "options": dict(options), "names": list(names)}:
                start = Entry(EntryKind.START, options_text(options))
                return start, Entry(EntryKind.NAMES, names_text(tuple(names)))
    raise bad_entry(EntryKind.START, text)
