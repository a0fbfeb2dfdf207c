"""Positions of Adaptoid that several tests look at, and how to get to others."""

from collections.abc import Iterator
from random import Random
from typing import Any

from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import Position

EVERYTHING = {
    # All bodies, legs and pincers of White stand on the board, none of them hungry.
    "a1": "W0L0P",
    "a4": "W0L0P",
    "b1": "W0L0P",
    "b5": "W0L0P",
    "c1": "W0L0P",
    "c6": "W0L0P",
    "d1": "W0L0P",
    "d7": "W0L0P",
    "e2": "W3L3P",
    "e5": "W3L3P",
    "c3": "W3L3P",
    "f3": "W3L3P",
}
SCENE = {
    "d4": "W2L1P",
    "c3": "W0L0P",
    "e1": "W1L0P",
    "d6": "B0L2P",
    "e4": "B1L0P",
    "e2": "B0L1P",
    "b4": "W3L3P",
}
FULL = {**EVERYTHING, "g4": "B2L1P", "e4": "B0L1P"}


def at(pieces: dict[str, str], to_move: int = 1, **more: Any) -> Position:
    """Read a position, in play if there are pieces; player 1 is White."""
    return GAME.from_json({"pieces": pieces, "to_move": to_move, **more}, {})


def after(position: Position, *texts: str) -> Position:
    """Make moves."""
    for text in texts:
        position = GAME.play(position, GAME.parse_move(position, text))
    return position


def positions(seed: int) -> Iterator[Position]:
    """Visit a random game, now and then one from a position in which White has used all parts."""
    rng = Random(seed)
    position = GAME.initial({"first": rng.choice("12")}) if seed % 4 else at(FULL)
    yield position
    while GAME.to_move(position) is not None:
        position = GAME.play(position, GAME.legal_moves(position).pick(rng))
        yield position
