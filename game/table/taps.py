"""Walk the legal moves of a position touch by touch.

Owns the prefix tree of taps. Knows no phase of play and no light.
"""

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from game.rules.game import Game

P = TypeVar("P")
M = TypeVar("M")


class TapWalk(Generic[P, M]):
    """The taps of every legal move of one position.

    Taps are prefix-free (the game promises it), so a complete sequence is one move at once.
    """

    def __init__(self, game: Game[P, M], position: P) -> None:
        players = range(1, len(game.players) + 1)
        # What is laid out before play is entered by no taps, and there is no end of it.
        walks = all(game.arranging(position, each) is None for each in players)
        moves = game.legal_moves(position) if walks else ()
        self._moves = {game.taps(position, move): move for move in moves}

    def next_taps(self, taken: Sequence[str]) -> frozenset[str]:
        """Return the touches that go on from those taken; empty if none does."""
        done = tuple(taken)
        at = len(done)
        return frozenset(taps[at] for taps in self._moves if len(taps) > at and taps[:at] == done)

    def going_on(self, taken: Sequence[str]) -> Iterator[tuple[tuple[str, ...], M]]:
        """Yield the taps of each move that begins with these, and the move."""
        done = tuple(taken)
        return ((taps, move) for taps, move in self._moves.items() if taps[: len(done)] == done)

    def move(self, taken: Sequence[str]) -> M | None:
        """Return the move that these touches complete, or None."""
        return self._moves.get(tuple(taken))
