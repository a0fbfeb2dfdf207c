"""What hands mean by setting and taking stones that are felt, as docs/hands.md tells it.

Owns which moves hands have taken back by restoring a board, and which moves a stone then makes.
Uses the rules of the game, and nothing of table, journal or store.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from game.rules.circle_of_life import GAME
from tests.helpers.kills.tale import Tale

AGAIN_S = 20.0
"""For so long moves that hands have taken back can be made again."""
OWNERS_S = 1.0
"""A stone that is lifted so soon after a move is lifted by its owner, and is not eaten."""


@dataclass(frozen=True, slots=True)
class _Back:
    """Moves taken back, which can be made again `until` a time, in seconds."""

    moves: tuple[str, ...]
    until: float
    by_owner: bool


class Hands:
    """Follow the hands of one sitting; `stones` are always those that really stand."""

    def __init__(self) -> None:
        self._back: _Back | None = None
        self._moved_at: float | None = None

    def end_back(self) -> None:
        """Something else happened: what was taken back can be made again no more."""
        self._back = None

    def take_back(self, tale: Tale, count: int, stones: AbstractSet[str], now: float) -> bool:
        """Tell whether the board as it was before the last `count` moves is restored."""
        if len(tale.befores) < count or stones != _cells(tale.befores[-count]):
            return False
        soon = self._moved_at is not None and now < self._moved_at + OWNERS_S
        earlier = self._back.moves if self._back else ()
        self._back = _Back((*tale.moves[-count:], *earlier), now + AGAIN_S, soon)
        return True

    def make(
        self,
        position: object,
        moves: tuple[str, ...],
        cell: str,
        stones: AbstractSet[str],
        now: float,
    ) -> str:
        """Say how the stone just set on a cell makes all of these moves, "" if it does not.

        It is their last move, or brings back the board as it was after moves that hands have taken
        back, or eats the last one of those, whose stone had only been lifted before it was set.
        """
        back = self._back if self._back and now < self._back.until else None
        how = ""
        if back and moves == back.moves[: len(moves)] and stones == _cells(_after(position, moves)):
            how, self._back = "made again", _left(back, len(moves))
        else:
            *others, last = moves
            right = not others or (
                back is not None and not back.by_owner and tuple(others) == back.moves
            )
            if right and _sets(_after(position, tuple(others)), last, cell, stones):
                how, self._back = "made again to be eaten" if others else "made", None
        if how:
            self._moved_at = now
        return how


def _left(back: _Back, count: int) -> _Back | None:
    """Give what can still be made again after so many of the moves have been."""
    left = back.moves[count:]
    return _Back(left, back.until, back.by_owner) if left else None


def _sets(position: object, text: str, cell: str, stones: AbstractSet[str]) -> bool:
    """Tell whether a stone set on a cell is this move: nothing is missing but what it eats."""
    move, right = GAME.parse_move(position, text), _cells(position)
    eaten = set(GAME.removed(position, move))
    return move == cell and stones - right == {cell} and right - stones <= eaten


def _after(position: object, moves: tuple[str, ...]) -> object:
    for text in moves:
        position = GAME.play(position, GAME.parse_move(position, text))
    return position


def _cells(position: object) -> set[str]:
    return set(GAME.pieces(position))
