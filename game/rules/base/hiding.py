"""What a game may hide from players; the defaults are those of a game that hides nothing."""

from collections.abc import Mapping
from random import Random
from typing import Generic, TypeVar

from game.rules.base.errors import IllegalMove
from game.rules.base.message import Message, say
from game.rules.base.values import Arranging, Signal

P = TypeVar("P")
M = TypeVar("M")


class Hiding(Generic[P, M]):
    """Who knows what; the defaults are those of a game that hides nothing."""

    def arranging(self, position: P, player: int) -> Arranging | None:
        """Return what a player still has to lay out before play begins; None if nothing.

        All players may do so at the same time, although `to_move` names one after the other.
        Meanwhile the legal moves are too many to list or count: only `in`, `pick` and truth work
        on `legal_moves`, and moves have no taps.
        """
        return None

    def arrangement(self, position: P, player: int, pieces: Mapping[str, str]) -> str:
        """Write the move by which a player lays out pieces, by cell; raises IllegalMove.

        `parse_move` reads it when it is that player's turn.
        """
        raise IllegalMove(say("rules.nothing_to_arrange"))

    def laid(self, position: P, player: int, text: str) -> dict[str, str]:
        """Read what `arrangement` wrote for a player, pieces by cell; raises IllegalMove."""
        raise IllegalMove(say("rules.nothing_to_arrange"))

    def arranged_at_random(self, position: P, player: int, rng: Random) -> dict[str, str]:
        """Lay out a player's pieces at random, by cell, as a computer player does.

        The cells, which others see, should tell nothing of the pieces.
        """
        raise IllegalMove(say("rules.nothing_to_arrange"))

    def seen_by(self, position: P, player: int | None, remembers: bool = False) -> P:
        """Return a position without what a player must not see; None is a spectator.

        Unseen pieces become pieces of their side with an unknown face. A player who `remembers`
        also knows what the game has shown before. Legal moves and their texts stay the same; a
        move that depends on an unknown face cannot be played.
        """
        return position

    def supposed(self, position: P, rng: Random) -> P:
        """Draw a whole position that agrees with what a player sees."""
        return position

    def faces(self, position: P, move: M) -> Mapping[str, str]:
        """Return the hidden pieces that a move shows to everyone, by the cells where they are."""
        return {}

    def covered_text(self, text: str) -> str:
        """Write a move for those who must not see what its record hides."""
        return text

    def covered_summary(self, position: P, move: M) -> Message | None:
        """Say what a legal move does without telling faces; None if the summary tells none."""
        return None

    def signal(self, piece: str) -> Signal | None:
        """Return how a light depicts a hidden piece that is shown; None if none is hidden."""
        return None
