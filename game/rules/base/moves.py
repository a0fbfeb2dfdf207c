"""The legal moves of a position as a view, and moves as single words.

Records and the engine's protocol write `W:d4_B:e4` for `W:d4 B:e4`; no game's notation has `_`.
"""

from collections.abc import Iterator
from random import Random
from typing import Protocol, TypeVar

M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)


class Moves(Protocol[M_co]):
    """The legal moves of a position, as a view that computes on demand."""

    def __iter__(self) -> Iterator[M_co]: ...
    def __contains__(self, move: object) -> bool: ...
    def __len__(self) -> int: ...
    def pick(self, rng: Random) -> M_co:
        """Draw one move uniformly; LookupError if there is none."""


class MoveList(tuple[M, ...]):
    """`Moves` as a tuple, for games that list all their moves at once."""

    def pick(self, rng: Random) -> M:
        return rng.choice(self)


BLANK, STAND_IN = " ", "_"


def as_word(move: str) -> str:
    """Write the text of a move without blanks."""
    return move.replace(BLANK, STAND_IN)


def from_word(word: str) -> str:
    return word.replace(STAND_IN, BLANK)
