"""The engines of a match: how they are written on a command line, and how they choose a move.

An engine is a level, plain UCT, or another program that speaks UGI
(https://github.com/kz04px/cutegames/blob/master/ugi.md), which at worst loses the game.
"""

import re
import shlex
import time
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from threading import Event
from typing import Any

from game.common import AppError, words
from game.engine import find_level
from game.engine.levels import pick
from game.engine.search import Choice, Search, new_search
from game.opponent.engine_process import EngineProcess, Task
from game.rules.base.game import AnyGame
from game.rules.base.message import Message

PROGRAM_S = 3.0
"""Time for a move of another program."""
_SPEC = re.compile(
    r"(?:uct:(?P<uct>[1-9]\d*)|(?P<name>[^:@+]+)(?:\+(?P<help>1|2|3x[1-6]|4|5))?)"
    r"(?:@(?=[\d.])(?:(?P<seconds>\d+(?:\.\d+)?)s)?(?:(?<=s),)?(?:(?P<nodes>[1-9]\d*)n)?)?"
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


class PlayerError(Exception):
    """A player made no legal move; it loses the game."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One engine of a match, limited in nodes, seconds or both.

    `name` is "uct", "eater", "ugi:COMMAND" or that of a level. `help` is a level's help: 1 to 5 as
    people have it, 3xN with N looks a turn.
    """

    name: str
    nodes: int | None = None
    seconds: float | None = None
    help: str = ""

    def __str__(self) -> str:
        """Write the engine with all its limits, in a form that `read_spec` reads."""
        limits = [f"{self.seconds:g}s"] if self.seconds is not None else []
        engine = f"uct:{self.nodes}"
        if self.name != "uct":
            limits += [f"{self.nodes}n"] if self.nodes is not None else []
            engine = "+".join(filter(None, (self.name, self.help)))
        return "@".join(filter(None, (engine, ",".join(limits))))


def read_spec(text: str) -> Spec:
    """Read an engine; raises AppError, or RulesError for an unknown level."""
    if text.startswith("ugi:"):
        return Spec(text)
    found = _SPEC.fullmatch(text)
    if found is None or (found["uct"] and found["nodes"]):
        raise AppError(
            f"engine is {text!r}; allowed: a level, a level with help such as 2+3x4, eater, uct:N"
            " or ugi:COMMAND; a level may end in @3s, @5000n or @3s,5000n, and uct:N in @3s"
        )
    name, count = "uct" if found["uct"] else found["name"], found["uct"] or found["nodes"]
    seconds = float(found["seconds"]) if found["seconds"] else None
    if name not in ("uct", "eater"):
        level = find_level(name)
        if count is None and seconds is None:
            return Spec(name, level.nodes, level.seconds, found["help"] or "")
    return Spec(name, int(count) if count else None, seconds, found["help"] or "")


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """The plain text of a move, and what it cost; `cut` says that the clock ended the search."""

    move: str
    nodes: int
    seconds: float
    cut: bool = False


class Player:
    """One engine in a game; all chance in it comes from `rng`."""

    rng = Random(0)

    def choose(self, position: Any) -> ChosenMove:
        """Choose a move in a position of this player's turn; raises PlayerError."""
        raise NotImplementedError

    def close(self) -> None:
        pass


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
        chosen = choices[0].move if spec.name == "uct" else self._pick(position, choices)
        return ChosenMove(chosen, search.nodes, self._clock() - began, cut)

    def _search(self, position: Any) -> Search:
        seed, plain = self.rng.randrange(2**32), self._spec.name == "uct"
        return new_search(self._game, position, seed, plain=plain)

    def _pick(self, position: Any, choices: Sequence[Choice]) -> str:
        """Choose as the level does; with help, as a person of its strength would use it."""
        own, help_ = self._candidates(choices), self._spec.help
        if not help_:
            return next(own)
        judge = self._search(position)
        judge.go_on(JUDGE_NODES)
        best, *_ = judged = judge.choices()
        values = {choice.move: choice.value for choice in judged}

        def grade(move: str) -> int:
            return bisect(GRADES, best.value - values[move])

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
    """Another program, as the computer player runs it: at its own strength, PROGRAM_S a move.

    It is started again after it has failed.
    """

    def __init__(self, game: AnyGame, command: str) -> None:
        self._game, self._command = game, shlex.split(command)
        self._wake = Event()
        self._engine: EngineProcess | None = None

    def choose(self, position: Any) -> ChosenMove:
        if self._engine is None:
            self._engine = EngineProcess(self._game, wake=self._wake.set, command=self._command)
        began = time.perf_counter()
        self._engine.ask(Task(position, "", seconds=PROGRAM_S))
        while (heard := self._engine.poll()) is None:
            self._wake.wait()
            self._wake.clear()
        took_s = time.perf_counter() - began
        if isinstance(heard, Message):
            self.close()
            raise PlayerError(words("en").text(heard))
        assert isinstance(heard, tuple)
        return ChosenMove(heard[0].move, 0, took_s, took_s >= _SPENT * PROGRAM_S)

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None


def make_player(game: AnyGame, spec: Spec) -> Player:
    if spec.name.startswith("ugi:"):
        return UgiProgram(game, spec.name.removeprefix("ugi:"))
    return Eater(game) if spec.name == "eater" else OwnEngine(game, spec)
