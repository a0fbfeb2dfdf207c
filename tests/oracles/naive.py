"""What the positions of all naive implementations have in common."""

from typing import Any


class Naive:
    """A position; `gone` are the cells whose pieces left the board in the move before it."""

    to_move: int | None
    score: tuple[int, ...]
    gone: tuple[str, ...]
    outcome: Any
    """Who has won, None for a draw, and why; None as long as the game goes on."""

    def legal(self) -> list[str]:
        """List the legal moves as texts, sorted."""
        raise NotImplementedError

    def codes(self) -> dict[str, str]:
        """Return the pieces on the board as the referee writes them."""
        raise NotImplementedError

    def extras(self) -> dict[str, Any]:
        """Return what only this game knows."""
        return {}

    def facts(self) -> dict[str, Any]:
        """Return all that is known of the position, in the referee's keys."""
        won = self.outcome
        return {
            "pieces": self.codes(),
            "to_move": None if won else self.to_move,
            "score": self.score,
            "moves": self.legal(),
            "outcome": won and {"winner": won[0], "reason": won[1]},
            **self.extras(),
        }
