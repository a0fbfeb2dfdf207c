"""The engines of a match: how they are written on a command line, and how they choose a move.

An engine is a level, plain UCT, or another program that speaks UGI
(https://github.com/kz04px/cutegames/blob/master/ugi.md), which at worst loses the game.
"""

import re
import shlex
import time
from bisect import bisect
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from threading import Event
from typing import Any

from game.common import AppError
from game.engine import find_level
from game.engine.levels import pick
from game.engine.search import Choice, Search, new_search
from game.engine.ugi import offered_name
from game.opponent.line_process import LineProcess
from game.rules.base.game import AnyGame
from game.rules.base.moves import from_word

PROGRAM_S = 3.0
"""Time for a move of another program, unless set."""
LONGEST_S = 86400.0
FORMS = (
    "a level, a level with help such as 2+3x4, eater, uct:N or ugi:COMMAND; each may end in @3s,"
    f" and others than uct:N in @5000n or @3s,5000n; 1 and more nodes, up to {LONGEST_S:g} s"
)
START_S, GRACE_S, NODES_S = 20.0, 5.0, 600.0
"""Time for a program to start, beyond its time for a move, and for one limited by nodes alone."""
_SPEC = re.compile(
    r"(?:uct:(?P<uct>\d{1,12})|ugi:\s*(?P<ugi>\S.*?)|(?P<eater>eater)"
    r"|(?P<level>[^:@+]+)(?:\+(?P<help>1|2|3x[1-6]|4|5))?)"
    r"(?:@(?=[\d.])(?:(?P<seconds>[\d.]+)s)?(?:(?<=s),)?(?:(?P<nodes>\d{1,12})n)?)?",
    re.DOTALL,
)
_SLICE = 32
"""Nodes between two looks at the clock."""
_SPENT = 0.9
"""A program that has used this share of its time counts as ended by the clock."""
JUDGE_NODES = 2000
"""Nodes of the search whose grades help a player."""
GRADES = (0.02, 0.05, 0.1, 0.2)
"""Losses of winning chance at which the five grades part; the last one is a gross mistake."""
IDEAS = 0.25
"""Share of the turns in which a coach has an idea, and the player takes it."""


class MatchError(AppError):
    """Refuse a match that cannot be played as it was asked for."""

    status = 2


class PlayerError(Exception):
    """A player made no legal move; it loses the game."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One engine of a match, limited in nodes, seconds or both.

    `kind` is "level", "uct", "ugi" or "eater"; `name` is that of a level, a command line, or "".
    `help` is a level's help: 1 to 5 as people have it, 3xN with N looks a turn.
    """

    kind: str
    name: str
    nodes: int | None
    seconds: float | None
    help: str = ""

    def __str__(self) -> str:
        """Write the engine with all its limits, in a form that `read_spec` reads."""
        limits = [f"{self.seconds:g}s"] if self.seconds is not None else []
        if self.kind == "uct":
            return "@".join([f"uct:{self.nodes}", *limits])
        if self.kind == "eater":
            return self.kind
        limits += [f"{self.nodes}n"] if self.nodes is not None else []
        engine = (
            f"ugi:{self.name}"
            if self.kind == "ugi"
            else "+".join(filter(None, (self.name, self.help)))
        )
        return f"{engine}@{','.join(limits)}"


def read_spec(text: str) -> Spec:
    """Read an engine; raises MatchError, or RulesError for an unknown level."""
    wrong = MatchError(f"engine is {text!r}; allowed: {FORMS}")
    found = _SPEC.fullmatch(text)
    if found is None:
        raise wrong
    try:
        nodes = int(found["nodes"]) if found["nodes"] else None
        seconds = float(found["seconds"]) if found["seconds"] else None
        program = shlex.split(found["ugi"] or "")
    except ValueError as error:
        raise wrong from error
    usual: tuple[int | None, float | None] = (None, PROGRAM_S)
    if found["uct"]:
        if nodes is not None:
            raise wrong
        kind, name, nodes = "uct", "", int(found["uct"])
    elif program:
        kind, name = "ugi", found["ugi"].strip()
    elif found["eater"]:
        kind, name, usual = "eater", "", (1, None)
    else:
        level = find_level(found["level"] or "")
        kind, name, usual = "level", level.name, (level.nodes, level.seconds)
    if nodes is None and seconds is None:
        nodes, seconds = usual
    if nodes == 0 or (seconds is not None and not 0 < seconds <= LONGEST_S):
        raise wrong
    return Spec(kind, name, nodes, seconds, found["help"] or "")


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """The plain text of a move, and what it cost; `cut` says that the clock ended the search."""

    move: str
    nodes: int
    seconds: float
    cut: bool = False


class Player:
    """One engine in one game after the other."""

    rng = Random(0)

    def begin(self, rng: Random) -> None:
        """Begin a game; all chance in it comes from `rng`. Raises PlayerError."""
        self.rng = rng

    def choose(self, position: Any) -> ChosenMove:
        """Choose a move in a position of this player's turn; raises PlayerError."""
        raise NotImplementedError

    def close(self) -> None:
        """Release everything."""


class OwnEngine(Player):
    """A level, or plain UCT."""

    def __init__(
        self, game: AnyGame, spec: Spec, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._game, self._spec, self._clock = game, spec, clock

    def choose(self, position: Any) -> ChosenMove:
        began, spec, cut = self._clock(), self._spec, False
        search = self._search(position)
        while not (cut or search.settled or search.nodes == spec.nodes):
            search.go_on(_SLICE if spec.nodes is None else min(_SLICE, spec.nodes - search.nodes))
            cut = spec.seconds is not None and self._clock() >= began + spec.seconds
        choices = search.choices()
        chosen = choices[0].move if spec.kind == "uct" else self._pick(position, choices)
        return ChosenMove(chosen, search.nodes, self._clock() - began, cut)

    def _search(self, position: Any) -> Search:
        seed, plain = self.rng.randrange(2**32), self._spec.kind == "uct"
        return new_search(self._game, position, seed, plain=plain)

    def _pick(self, position: Any, choices: Sequence[Choice]) -> str:
        return pick(find_level(self._spec.name), choices, self.rng).move


class HelpedEngine(OwnEngine):
    """A level that plays with help, as a person of its strength would use it."""

    def _pick(self, position: Any, choices: Sequence[Choice]) -> str:
        judge = self._search(position)
        judge.go_on(JUDGE_NODES)
        best, *_ = judged = judge.choices()
        values = {choice.move: choice.value for choice in judged}

        def grade(move: str) -> int:
            return bisect(GRADES, best.value - values[move])

        own, help_ = self._candidates(choices), self._spec.help
        if help_ == "5" or (help_ == "2" and self.rng.random() < IDEAS):
            return best.move
        if help_ == "2":
            return next(own)
        looks = None if help_ == "4" else int(help_[-1])
        chosen = min(islice(own, looks), key=grade)
        # Where all looks show gross mistakes, any other move is likely to be better.
        return chosen if grade(chosen) < len(GRADES) else next(own, chosen)

    def _candidates(self, choices: Sequence[Choice]) -> Iterator[str]:
        """Yield all moves in the order in which the level thinks of them."""
        left, level = list(choices), find_level(self._spec.name)
        while left:
            chosen = pick(level, left, self.rng)
            left.remove(chosen)
            yield chosen.move


class Eater(Player):
    """A beginner who makes any move that raises their score, if there is one."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, position: Any) -> ChosenMove:
        game, began = self._game, time.perf_counter()
        mover, legal = game.to_move(position) or 1, list(game.legal_moves(position))

        def eats(move: Any) -> bool:
            after = game.score(game.play(position, move))
            return after[mover - 1] > game.score(position)[mover - 1]

        move = self.rng.choice([move for move in legal if eats(move)] or legal)
        return ChosenMove(game.plain_text(position, move), 1, time.perf_counter() - began)


class UgiProgram(Player):
    """A program that plays; it is started again when it is not running as a game begins."""

    def __init__(
        self, game: AnyGame, spec: Spec, options: Mapping[str, str], grace_s: float = GRACE_S
    ) -> None:
        self._game, self._spec, self._options, self._grace_s = game, spec, options, grace_s
        self._child: LineProcess | None = None
        self._heard: deque[str] = deque()
        self._wake = Event()
        self._offered: dict[str, str] = {}

    def begin(self, rng: Random) -> None:
        deadline = time.perf_counter() + START_S
        if self._child is None:
            self._heard.clear()
            self._offered.clear()
            self._child = LineProcess(shlex.split(self._spec.name), self._wake.set)
            self._child.send("ugi")
            while (line := self._line(deadline, "ugiok")) != "ugiok":
                if line.startswith("option name "):
                    name = line.removeprefix("option name ").partition(" type ")[0].strip()
                    self._offered[name.lower()] = name
            for option, value in self._options.items():
                self._set(self._child, offered_name(option), value)
        self._set(self._child, "seed", rng.randrange(10**9))
        self._child.send("uginewgame", "isready")
        while self._line(deadline, "readyok") != "readyok":
            pass

    def choose(self, position: Any) -> ChosenMove:
        if self._child is None:
            raise PlayerError("is not running")
        began, searched = time.perf_counter(), 0
        seconds, nodes = self._spec.seconds, self._spec.nodes
        limits = [f"movetime {max(1, round(1000 * seconds))}"] if seconds is not None else []
        limits += [f"nodes {nodes}"] if nodes is not None else []
        self._child.send(f"position fen {self._game.text(position)}", f"go {' '.join(limits)}")
        deadline = began + (NODES_S if seconds is None else seconds + self._grace_s)
        while True:
            match self._line(deadline, "a move").split():
                case ["info", *shown] if "nodes" in shown[:-1]:
                    number = shown[shown.index("nodes") + 1]
                    searched = int(number) if number.isdecimal() else searched
                case ["bestmove", *shown]:
                    took_s = time.perf_counter() - began
                    cut = seconds is not None and took_s >= _SPENT * seconds
                    return ChosenMove(from_word(shown[0]) if shown else "", searched, took_s, cut)

    def close(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.join(5.0)
            self._child = None

    def _set(self, child: LineProcess, option: str, value: object) -> None:
        """Set an option if the program offers it."""
        if option.lower() in self._offered:
            child.send(f"setoption name {self._offered[option.lower()]} value {value}")

    def _line(self, deadline: float, wanted: str) -> str:
        """Wait for its next line; raises PlayerError."""
        while self._child is not None and not self._heard:
            self._wake.clear()
            self._heard.extend(line.strip() for line in self._child.lines())
            if not self._heard and (ended := self._child.ended) is not None:
                self.close()
                raise PlayerError(f"ended: {ended.why}")
            if not self._heard and not self._wake.wait(max(0.0, deadline - time.perf_counter())):
                break
        if not self._heard or time.perf_counter() > deadline:
            self.close()
            raise PlayerError(f"gave no answer in time where {wanted} was expected")
        return self._heard.popleft()
