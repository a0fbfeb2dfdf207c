"""Small matches for the tests, and other programs that play them, well or badly."""

import sys
from dataclasses import replace
from pathlib import Path

from game.rules.base.message import say
from game.rules.base.values import Outcome
from game.rules.circle_of_life import CircleOfLife, Position
from tests.tools.match.plan import Plan
from tests.tools.match.playing import Fixture, Played
from tests.tools.match.specs import Spec, read_spec

WEAK, WEAKER = "uct:30", "random@1n"


class Four(CircleOfLife):
    """Circle of Life that is a draw as soon as four stones have been placed."""

    name = "four"

    def outcome(self, position: Position) -> Outcome | None:
        if len(self.pieces(position)) < 4:
            return super().outcome(position)
        return Outcome(None, "four stones", say("rules.game_over"))

    def to_move(self, position: Position) -> int | None:
        return super().to_move(position) if self.outcome(position) is None else None


def small_plan(a: str = WEAK, b: str = WEAKER, seed: int = 1, target: str = "3") -> Plan:
    """A match of short games, the same each time."""
    return Plan("circle-of-life", {"target": target}, read_spec(a), read_spec(b), seed, 4)


def a_game(number: int, score: float) -> Played:
    """A game of which only the score of A counts; odd ones are its games as player 2."""
    a = 1 + number % 2
    winner = {1.0: a, 0.0: 3 - a, 0.5: None}[score]
    return Played(
        fixture=Fixture(number, ("e5",), a),
        moves=("a1", "a2", "a3"),
        winner=winner,
        reason="stones eaten",
        fault="",
        thoughts=(2, 1),
        seconds=(0.5, 0.25),
        nodes=(200, 50),
        cut=(0, 0),
    )


def untimed(games: list[Played]) -> list[Played]:
    """The games in order, without what they took by the clock."""
    games = sorted(games, key=lambda game: game.fixture.number)
    return [replace(game, seconds=(0.0, 0.0)) for game in games]


_PROGRAM = """
import os, signal, sys
def say(line):
    sys.stdout.write(line + "\\n")
    sys.stdout.flush()
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        {hello}
    elif words[:1] == ["isready"]:
        say("readyok")
    elif words[:1] == ["go"]:
        {go}
"""
_HELLO = 'say("id name other"); say("option name Seed type spin default 0"); say("ugiok")'


def program(folder: Path, go: str, hello: str = _HELLO) -> str:
    """Write a program that speaks UGI and does as told at `go`; give the engine's name."""
    file = folder / "other program.py"
    file.write_text(_PROGRAM.format(go=go, hello=hello))
    return f"ugi:{sys.executable} -S -E '{file}'"


def spec_of(engine: str) -> Spec:
    """Read an engine that has half a second for a move."""
    return read_spec(f"{engine}@0.5s")
