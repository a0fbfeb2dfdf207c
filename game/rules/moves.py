"""The legal moves of a position, as a game shows them to everything above it.

Owns the view, and its plain form. Must not know what a move is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Generic, Protocol, TypeVar

M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)


class Moves(Protocol[M_co]):
    """The legal moves of a position, as a view that works out only what is asked of it."""

    def __iter__(self) -> Iterator[M_co]: ...
    def __contains__(self, move: object) -> bool: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def pick(self, rng: Random) -> M_co:
        """Draw one move, each with the same chance; LookupError if there is none."""
        ...


@dataclass(frozen=True, slots=True)
class MoveList(Generic[M]):
    """The plain form of `Moves`: a tuple, for games that list their moves at once."""

    moves: tuple[M, ...] = field(default=())

    def __iter__(self) -> Iterator[M]:
        return iter(self.moves)

    def __contains__(self, move: object) -> bool:
        return move in self.moves

    def __len__(self) -> int:
        return len(self.moves)

    def __bool__(self) -> bool:
        return bool(self.moves)

    def pick(self, rng: Random) -> M:
        """Draw one move, each with the same chance; LookupError if there is none."""
        return rng.choice(self.moves)
