"""Small positions of Azteka, built from cells, and what the tests ask of them."""

from typing import Any

import pytest

from game.rules.azteka import GAME
from game.rules.azteka.play import Position
from game.rules.base.errors import IllegalMove

BASIC, AGGRESSIVE, THREE = "basic", "aggressive", "three"
ALL = (BASIC, AGGRESSIVE, THREE)


def at(
    life: str = "",
    death: str = "",
    mummies: str = "",
    variant: str = BASIC,
    to_move: int | None = 1,
    **told: Any,
) -> Position:
    """Build a position from the cells of each side."""
    pieces = {
        cell: code
        for code, cells in zip("LDM", (life, death, mummies), strict=True)
        for cell in cells.split()
    }
    return GAME.from_json({"pieces": pieces, "to_move": to_move, **told}, {"variant": variant})


def after(position: Position, *moves: str) -> Position:
    for move in moves:
        position = GAME.play(position, GAME.parse_move(position, move))
    return position


def legal(position: Position) -> set[str]:
    return set(GAME.legal_moves(position))


def placements(position: Position) -> set[str]:
    return {move for move in legal(position) if move in GAME.board.cells}


def turns(position: Position) -> set[str]:
    return {move for move in legal(position) if move.startswith("T")}


def standing(position: Position, code: str) -> set[str]:
    return {cell for cell, piece in GAME.pieces(position).items() if piece == code}


def extras(position: Position) -> dict[str, Any]:
    return GAME.extras(position)


def ended(position: Position) -> tuple[int | None, str]:
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert GAME.to_move(position) is None
    assert not GAME.legal_moves(position)
    return outcome.winner, outcome.reason


def why_not(position: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse_move(position, text)
    with pytest.raises(IllegalMove):
        GAME.play(position, text)
    return caught.value.message.key


def second_round(pieces: int, winner: int = 1, **told: Any) -> Position:
    """Stand before the end of round 2, in which player 1 is Death and needs one piece."""
    noted = {"winner": winner, "pieces": pieces}
    return at("a1", "c1 c2 c3", to_move=1, round=2, first_round=noted, **told)
