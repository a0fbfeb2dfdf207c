"""One game of a match: an opening, two players, and what became of it.

Owns the course of a game and what is kept of it. Must not know files or processes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from game.common.translation import words
from game.rules.base.errors import IllegalMove
from game.rules.base.game import Game
from tests.tools.match.players import Player, PlayerError

MOST_PLIES = 1000
"""A longer game is a draw."""
_LONGEST_FAULT = 300
_LONGEST_MOVE = 40


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to play: its number from 0, its opening, and which player engine A is."""

    number: int
    opening: tuple[str, ...]
    a: int


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played.

    `moves` come after the opening. `winner` is a player's number, None for a draw; `fault` tells
    the fault by which the loser lost, "" for none. The pairs of numbers are of engine A and engine
    B: the moves that they chose, the seconds and nodes that these took, and how many of them the
    clock cut short.
    """

    fixture: Fixture
    moves: tuple[str, ...]
    winner: int | None
    reason: str
    fault: str
    thoughts: tuple[int, int]
    seconds: tuple[float, float]
    nodes: tuple[int, int]
    cut: tuple[int, int]

    @property
    def plies(self) -> int:
        """The length of the game with its opening."""
        return len(self.fixture.opening) + len(self.moves)

    @property
    def score(self) -> float:
        """The score of engine A: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == self.fixture.a)


def fixture(number: int, opening: tuple[str, ...]) -> Fixture:
    """Return the game of a number: A is player 1 in the first game of a pair, then player 2."""
    return Fixture(number, opening, 1 + number % 2)


def play_game(
    game: Game[Any, Any], start: Any, what: Fixture, a: Player, b: Player, seed: int
) -> Played:
    """Play one game; a player that makes no legal move loses it.

    Each player gets what their side sees of a position and remembers.
    """
    players: Mapping[int, tuple[int, Player]] = {what.a: (0, a), 3 - what.a: (1, b)}
    position = replayed(game, start, what.opening)
    moves: list[str] = []
    thoughts, nodes, cut, seconds = [0, 0], [0, 0], [0, 0], [0.0, 0.0]

    def told(winner: int | None, reason: str, fault: str = "") -> Played:
        return Played(
            what,
            tuple(moves),
            winner,
            reason,
            fault[:_LONGEST_FAULT],
            (thoughts[0], thoughts[1]),
            (round(seconds[0], 6), round(seconds[1], 6)),
            (nodes[0], nodes[1]),
            (cut[0], cut[1]),
        )

    begun: set[int] = set()
    while (mover := game.to_move(position)) is not None:
        if len(moves) >= MOST_PLIES:
            return told(None, "too long")
        side, player = players[mover]
        try:
            if side not in begun:
                player.begin(Random(f"{seed}/{what.number}/{mover}"))
                begun.add(side)
            chosen = player.choose(game.seen_by(position, mover, remembers=True))
            position = game.play(position, game.parse_move(position, chosen.move))
        except PlayerError as error:
            return told(3 - mover, "no move", str(error))
        except IllegalMove as error:
            why = words("en").text(error.message)
            return told(3 - mover, "illegal move", f"{chosen.move[:_LONGEST_MOVE]!r}: {why}")
        moves.append(chosen.move)
        thoughts[side] += 1
        seconds[side] += chosen.seconds
        nodes[side] += chosen.nodes
        cut[side] += chosen.cut
    outcome = game.outcome(position)
    return told(outcome.winner if outcome else None, outcome.reason if outcome else "")


def replayed(game: Game[Any, Any], position: Any, moves: tuple[str, ...]) -> Any:
    """Return the position after moves in plain text; raises IllegalMove."""
    for text in moves:
        position = game.play(position, game.parse_move(position, text))
    return position
