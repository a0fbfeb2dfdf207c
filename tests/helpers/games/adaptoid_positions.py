"""Positions of Adaptoid that several tests look at, and how to get to others."""

from typing import Any

from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import Position

# All bodies, legs and pincers of White stand on the board, none of them hungry.
EVERYTHING = dict.fromkeys(("a1", "a4", "b1", "b5", "c1", "c6", "d1", "d7"), "W0L0P")
EVERYTHING |= dict.fromkeys(("e2", "e5", "c3", "f3"), "W3L3P")
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
    for text in texts:
        position = GAME.play(position, GAME.parse_move(position, text))
    return position
