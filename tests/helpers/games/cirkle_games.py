"""Positions of CirKle Mind for tests at any level: random set-ups, and games played on."""

from random import Random
from typing import Any

from game.rules.base.game import Game
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.position import Position

LEVELS = ("easy", "medium", "super", "super-easy")


def arranged(level: str = "easy", seed: int = 0, first: int = 1) -> Position:
    """Return the position after two random set-ups, before the first move."""
    return started(GAME, {"level": level, "first": str(first)}, seed)


def started(game: Game[Any, Any], options: dict[str, str] | None = None, seed: int = 0) -> Any:
    """Return the first position with listable moves: the start, or after random set-ups."""
    rng, position = Random(seed), game.initial(options or {})
    while any(game.arranging(position, n + 1) for n in range(len(game.players))):
        position = game.play(position, game.legal_moves(position).pick(rng))
    return position


def played_on(position: Position, plies: int, seed: int = 0) -> Position:
    """Play up to this many random legal moves, attacking whenever possible."""
    rng = Random(seed)
    for _ in range(plies):
        moves = GAME.legal_moves(position)
        if not moves:
            break
        attacks = [move for move in moves if "*" in move]
        move = rng.choice(attacks) if attacks else moves.pick(rng)
        position = GAME.play(position, move)
    return position
