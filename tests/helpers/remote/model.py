"""Every behaviour of two boards that play a short game over an unreliable channel.

The channel may deliver any message that was ever sent, at any time, as often as it likes, or never:
so it loses, duplicates, delays and reorders. People move and ask as they like; a board may be
killed, which leaves what is on its disk, or lose its disk. All reachable states are visited. Paths
to the same two boards are merged, with the messages of all of them: that is more than can happen,
never less.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeVar

from game.remote.chain import ChainEntry, Keys
from game.remote.shared_game import Ask, Asks, Setting, SharedGame, SideReport
from game.table.entries import EntryKind, clock_in
from tests.helpers.games.small_games import Heap

KEYS = Keys("room", b"k" * 32)
ROUNDS = 12
MINUTE_S = 60.0
T = TypeVar("T")
R = TypeVar("R")


class DrawnHeap(Heap):
    """A heap whose players may agree on a draw."""

    agreed_draws = True

    def __init__(self) -> None:
        super().__init__()
        self.game = self


GAME = DrawnHeap()


def setting(side: int, session: str = "s", heap: int = 3, **more: str) -> Setting:
    options = {"heap": str(heap), "first": "1", **more}
    return Setting(GAME, KEYS, side, session, "1", options, f"P{side}")


@dataclass(frozen=True)
class Limits:
    """Limits of one model: how much people ask, and how often power or disks fail.

    In a game with a clock, `lefts` is what may be left of a player's minute at a move (or no time).
    """

    length: int
    moves: tuple[str, ...] = ("1",)
    asks: tuple[tuple[Ask, int], ...] = ()
    most_asks: int = 2
    kills: tuple[int, int] = (0, 0)
    lost_disks: tuple[int, int] = (0, 0)
    heap: int = 3
    lefts: tuple[float, ...] = ()


class Past(NamedTuple):
    """What people asked for, how often power was cut, and which disks were lost."""

    pressed: frozenset[tuple[int, str, Ask]] = frozenset()
    kills: tuple[int, int] = (0, 0)
    lost: tuple[int, int] = (0, 0)


Both = tuple[int, int, int]
"""Two boards and their past, by number."""


@dataclass
class Found:
    """What a run of the model has met."""

    states: int = 0
    entries: set[tuple[EntryKind, ...]] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)


class Numbered(Generic[T]):
    """Things, each with a number; those with the same key are the same."""

    def __init__(self, key: Callable[[T], object]) -> None:
        self._key, self._numbers = key, dict[object, int]()
        self._things: list[T] = []

    def __getitem__(self, number: int) -> T:
        return self._things[number]

    def number(self, thing: T) -> int:
        number = self._numbers.setdefault(self._key(thing), len(self._things))
        if number == len(self._things):
            self._things.append(thing)
        return number


def once(method: Callable[..., R]) -> Callable[..., R]:
    """Keep what a method returns for the same arguments, with the model."""

    def kept(self: "Model", *given: object) -> R:
        results = self.results[method.__name__]
        if given not in results:
            results[given] = method(self, *given)
        return results[given]

    return kept


class Model:
    """Two unmodified machines, or one that a test has changed and expects to be caught."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.results: dict[str, dict[Any, Any]] = defaultdict(dict)
        self._games, self._messages = Numbered(_game_key), Numbered(_key)
        self._pasts = Numbered[Past](lambda past: past)
        self._of_side = [0, 0]
        self._met: set[tuple[int, int]] = set()

    def explore(self) -> Found:
        """Visit all states. The messages that were sent are a set of bits."""
        found = Found()
        clock = {"clock": f"fischer:{MINUTE_S:.0f}+0"} if self.limits.lefts else {}
        one, two = (
            self._games.number(
                SharedGame.opened(setting(side, f"{side}a", self.limits.heap, **clock), (), {})
            )
            for side in (1, 2)
        )
        sent: dict[Both, int] = {}
        waiting = {(one, two, self._pasts.number(Past())): 0}
        while waiting:
            state = next(iter(waiting))
            now = waiting.pop(state) | 1 << self._tells(state[0]) | 1 << self._tells(state[1])
            if state not in sent:
                found.states += 1
                self._check(state, found)
                if found.wrong:
                    return found
            sent[state] = now = now | sent.get(state, 0)
            for each in self._next(state, now):
                more = waiting.get(each, 0) | now
                if more | (before := sent.get(each, 0)) != before:
                    waiting[each] = more
        return found

    def _next(self, state: Both, sent: int) -> Iterator[Both]:
        yield from self._do(state)
        one, two, past = state
        for after in self._hear(one, sent & self._of_side[1]):
            yield after, two, past
        for after in self._hear(two, sent & self._of_side[0]):
            yield one, after, past

    @once
    def _do(self, state: Both) -> list[Both]:
        """Apply all that people, power cuts and disks can do."""
        past, after_it = self._pasts[state[2]], list[Both]()
        for at in (0, 1):
            board = state[at]
            for ask, after in self._people_do(board):
                pressed = past.pressed
                if ask is not None:
                    if sum(n == at for n, _, _ in pressed) >= self.limits.most_asks:
                        continue
                    pressed |= {(at, self._games[board].head, ask)}
                after_it.append(self._with(state, at, after, past._replace(pressed=pressed)))
            if past.kills[at] < self.limits.kills[at]:
                game = self._games[board]
                killed = self._again(board, "k", game.chain, game.asks)
                after_kill = past._replace(kills=_counted(past.kills, at))
                after_it.append(self._with(state, at, killed, after_kill))
            if past.lost[at] < self.limits.lost_disks[at] and self._games[board].chain:
                empty = self._again(board, "d", (), {})
                after_it.append(
                    self._with(state, at, empty, past._replace(lost=_counted(past.lost, at)))
                )
        return after_it

    def _with(self, state: Both, at: int, board: int, past: Past) -> Both:
        one, two, _ = state
        number = self._pasts.number(past)
        return (board, two, number) if at == 0 else (one, board, number)

    @once
    def _hear(self, board: int, messages: int) -> list[int]:
        """List the boards that a board becomes by any one of these messages."""
        bits = (bit for bit in range(messages.bit_length()) if messages >> bit & 1)
        return sorted({self._receive(board, bit) for bit in bits} - {board})

    @once
    def _people_do(self, board: int) -> list[tuple[Ask | None, int]]:
        """List what a person can do at a board, and the board after it."""
        game, limits, done = self._games[board], self.limits, list[tuple[Ask | None, SharedGame]]()
        if (length := len(game.chain)) < limits.length:
            lefts = limits.lefts or (None,)
            done += [(None, game.play(length, n, left)) for n in limits.moves for left in lefts]
            done += [(None, game.flag(length))] if limits.lefts else []
            done += [(ask, game.ask(length, ask, count)) for ask, count in limits.asks]
        numbers = [(ask, self._games.number(after)) for ask, after in done]
        return [(ask, after) for ask, after in numbers if after != board]

    def _again(self, board: int, mark: str, chain: tuple[ChainEntry, ...], asks: Asks) -> int:
        """Start the program of a board again with what is on its disk."""
        old = self._games[board].setting
        again = replace(old, session=old.session + mark)
        return self._games.number(SharedGame.opened(again, chain, asks))

    @once
    def _tells(self, board: int) -> int:
        report = self._games[board].report()
        number = self._messages.number(report)
        self._of_side[report.side - 1] |= 1 << number
        return number

    @once
    def _receive(self, board: int, message: int) -> int:
        return self._games.number(self._games[board].receive(self._messages[message]))

    def _check(self, state: Both, found: Found) -> None:
        games = [self._games[number] for number in state[:2]]
        pressed = self._pasts[state[2]].pressed
        short, long = sorted((game.chain for game in games), key=len)
        parted = long[: len(short)] != short
        said = [game for game in games if game.differs is not None]
        found.entries.add(tuple(entry.kind for entry in long))
        if (parted or said) and not any(self.limits.lost_disks):
            found.wrong.append(f"the records part: {short} {long} {[g.differs for g in games]}")
        left = (MINUTE_S, MINUTE_S)
        for entry in long:
            if entry.kind is EntryKind.CLOCK:
                before, left = left, clock_in(entry.text)
                if left[2 - entry.side] != before[2 - entry.side]:
                    found.wrong.append(f"time of the other player: {entry}")
            needs = _NEEDS.get(entry.kind)
            if entry.kind is EntryKind.RESIGN and entry.text != str(entry.side):
                needs = Ask.RESIGN
            for at in (0, 1) if needs and needs is not Ask.RESIGN and entry.number else ():
                if (at, entry.previous, needs) not in pressed:
                    found.wrong.append(f"side {at + 1} never asked for {entry}")
            if needs is Ask.RESIGN and (2 - entry.side, entry.previous, needs) not in pressed:
                found.wrong.append(f"nobody resigned: {entry}")
        if state[:2] not in self._met:
            self._met.add(state[:2])
            self._check_meeting(games, found)

    def _check_meeting(self, games: list[SharedGame], found: Found) -> None:
        """Check that both boards agree once messages arrive again, or both report a difference."""
        longest = max(len(game.chain) for game in games)
        one, two = (self._games.number(game) for game in games)
        for _ in range(ROUNDS):
            two = self._receive(two, self._tells(one))
            one = self._receive(one, self._tells(two))
        one, two = self._games[one], self._games[two]
        if any(self.limits.lost_disks) and one.differs is not None and two.differs is not None:
            return
        if one.chain != two.chain or one.differs is not None or two.differs is not None:
            found.wrong.append(
                f"not the same when they meet: {one.chain} {one.differs} {two.chain} {two.differs}"
            )
        elif len(one.chain) < longest:
            found.wrong.append("an entry was lost")
        elif one.state is None:
            found.wrong.append("no game begins")
        elif (common := set(one.asks) & set(two.asks)) or {*one.asks, *two.asks} & {Ask.RESIGN}:
            found.wrong.append(f"both want {common}, and nobody wrote it")


_NEEDS = {
    EntryKind.TAKE_BACK: Ask.TAKE_BACK,
    EntryKind.DRAW: Ask.DRAW,
    EntryKind.START: Ask.NEW_GAME,
}


def _asks(asks: Asks) -> object:
    return tuple(sorted((ask.value, count) for ask, count in asks.items()))


def _game_key(game: SharedGame) -> object:
    of_program = game.setting.side, game.setting.session, game.restoring, game.differs is None
    return of_program, game.chain, _asks(game.asks), _key(game.other)


def _key(report: SideReport | None) -> object:
    if report is None:
        return None
    of_program = report.session, report.echo, report.stopped
    return of_program, report.length, report.head, _asks(report.asks), report.entries


def _counted(counts: tuple[int, int], at: int) -> tuple[int, int]:
    return (counts[0] + (at == 0), counts[1] + (at == 1))
