"""The engines of a match: how they are written on a command line, and how they choose a move.

An engine is a level, plain UCT, or another program that speaks UGI
(https://github.com/kz04px/cutegames/blob/master/ugi.md), which at worst loses the game.
"""

import re
import shlex
import time
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from threading import Event
from typing import Any

from game.common import AppError
from game.engine import find_level
from game.engine.levels import pick
from game.engine.search import Search, SearchedMove, new_search
from game.opponent.computer import EngineProcess, EngineTask
from game.rules.base.game import AnyGame

ENGINES = (
    "a level (random, 0.5 - 6), which may have help (`2+1` takes back gross mistakes, `2+2` has"
    " ideas, `2+3x4` looks at 4 moves a turn, `2+4` at all, `2+5` sees the best), `eater` (eats"
    " when it can), `uct:N` (plain UCT with N random games a move), or `ugi:COMMAND` (another"
    " program over UGI, 3 seconds a move); `6@3s`, `6@100000n` or `6@3s,100000n` sets seconds and"
    " nodes for a move of a level in place of its own"
)
PROGRAM_S = 3.0
"""Time for a move of another program."""
_SPEC = re.compile(
    r"uct:(?P<uct>[1-9]\d*)|(?P<name>[^:@+]+)(?:\+(?P<help>1|2|3x[1-6]|4|5))?"
    r"(?:@(?=[\d.])(?:(?P<seconds>\d+(?:\.\d+)?)s)?(?:(?<=s),)?(?:(?P<nodes>[1-9]\d*)n)?)?"
)
_SLICE = 32
"""Nodes between two looks at the clock."""
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
        if self.name == "uct":
            return f"uct:{self.nodes}"
        limits = [f"{self.seconds:g}s"] if self.seconds is not None else []
        limits += [f"{self.nodes}n"] if self.nodes is not None else []
        engine = "+".join(filter(None, (self.name, self.help)))
        return "@".join(filter(None, (engine, ",".join(limits))))


def read_spec(text: str) -> Spec:
    """Read an engine; raises AppError, or RulesError for an unknown level."""
    if text.startswith("ugi:"):
        return Spec(text)
    found = _SPEC.fullmatch(text)
    if found is None:
        raise AppError(f"engine is {text!r}; allowed: {ENGINES}")
    if found["uct"]:
        return Spec("uct", int(found["uct"]))
    name, help_ = found["name"], found["help"] or ""
    nodes = int(found["nodes"]) if found["nodes"] else None
    seconds = float(found["seconds"]) if found["seconds"] else None
    if name != "eater" and (level := find_level(name)) and nodes is None and seconds is None:
        nodes, seconds = level.nodes, level.seconds
    return Spec(name, nodes, seconds, help_)


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

    def __init__(self, game: AnyGame, spec: Spec) -> None:
        self._game, self._spec = game, spec

    def choose(self, position: Any) -> ChosenMove:
        began, spec, cut = time.perf_counter(), self._spec, False
        search = self._search(position)
        while not (cut or search.settled or search.nodes == spec.nodes):
            search.go_on(_SLICE if spec.nodes is None else min(_SLICE, spec.nodes - search.nodes))
            cut = spec.seconds is not None and time.perf_counter() >= began + spec.seconds
        choices = search.choices()
        chosen = choices[0].move if spec.name == "uct" else self._pick(position, choices)
        return ChosenMove(chosen, search.nodes, time.perf_counter() - began, cut)

    def _search(self, position: Any) -> Search:
        seed, plain = self.rng.randrange(2**32), self._spec.name == "uct"
        return new_search(self._game, position, seed, plain=plain)

    def _pick(self, position: Any, choices: Sequence[SearchedMove]) -> str:
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

    def _candidates(self, choices: Sequence[SearchedMove]) -> Iterator[str]:
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
        self._engine.ask(EngineTask(position, "", seconds=PROGRAM_S))
        while (heard := self._engine.poll()) is None:
            if self._engine.trouble is not None:
                self.close()
                raise PlayerError(f"{self._command[0]} has failed, as the log says")
            self._wake.wait()
            self._wake.clear()
        assert isinstance(heard, tuple)
        return ChosenMove(heard[0].move, 0, time.perf_counter() - began)

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None


def make_player(game: AnyGame, spec: Spec) -> Player:
    if spec.name.startswith("ugi:"):
        return UgiProgram(game, spec.name.removeprefix("ugi:"))
    return Eater(game) if spec.name == "eater" else OwnEngine(game, spec)
