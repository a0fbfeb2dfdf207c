"""Positions of CirKle Mind: with given pieces, after random set-ups, and of games played on."""

from collections.abc import Mapping
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


def standing(pieces: Mapping[str, str], to_move: int = 1, **shown: Any) -> Position:
    """Return a position in play with these pieces only; `level` is an option."""
    options = {"level": shown.pop("level", "easy")}
    return GAME.from_json({"pieces": dict(pieces), "to_move": to_move, **shown}, options)


def after(pieces: Mapping[str, str], *moves: str, to_move: int = 1, **shown: Any) -> Position:
    """Play these moves on the usual board, from a position with these pieces only."""
    position = standing(pieces, to_move, **shown)
    for move in moves:
        position = GAME.play(position, GAME.parse_move(position, move))
    return position
