"""Refutations of wrong moves in puzzles: the other player's answer, found by trying all moves."""

from itertools import islice
from typing import Any

from game.rules.base.game import AnyGame
from game.rules.base.puzzles import Kind, Puzzle


class Wins:
    """Wins of a game that starts at a position, or of the current round of a match."""

    def __init__(self, game: AnyGame, start: Any) -> None:
        self._game = game
        self._before = self._rounds(start)

    def _rounds(self, position: Any) -> dict[int, int]:
        """Count the rounds that each player has won; nothing without rounds."""
        return {goal.player: goal.reached for goal in self._game.goals(position) if goal.of_match}

    def winner(self, position: Any) -> int | None:
        """Return who has won, 0 for a draw, None while it goes on."""
        if self._before:
            for player, won in self._rounds(position).items():
                if won > self._before[player]:
                    return player
        outcome = self._game.outcome(position)
        return None if outcome is None else outcome.winner or 0

    def forced(self, position: Any, player: int, moves: int) -> bool:
        """Return whether a player can force a win with so many own moves."""
        game, winner = self._game, self.winner(position)
        if winner is not None:
            return winner == player
        own = game.to_move(position) == player
        if own and moves == 0:
            return False
        after = (game.play(position, move) for move in game.legal_moves(position))
        results = (self.forced(each, player, moves - own) for each in after)
        return any(results) if own else all(results)


def refuted(
    game: AnyGame, puzzle: Puzzle, played: int, position: Any, move: Any
) -> tuple[str, ...]:
    """Return a wrong move and the answer that shows why it is wrong, as texts.

    The position is that after `played` moves of the puzzle's line. Answers that win come first,
    then those that raise the opponent's score most. There is no answer if the move ends the game,
    or if the puzzle asks for the highest gain by one move.
    """
    player, then = game.to_move(position) or 0, game.play(position, move)
    kind, other, left = puzzle.kind, 3 - player, puzzle.count - played // 2
    wins = Wins(game, position)
    text = game.move_text(position, move)
    if kind is Kind.MOST or wins.winner(then) is not None or game.to_move(then) != other:
        return (text,)

    def strength(answer: Any) -> tuple[bool, int]:
        after = game.play(then, answer)
        return wins.winner(after) == other, game.score(after)[other - 1]

    def refutes(answer: Any) -> bool:
        after = game.play(then, answer)
        if kind is Kind.WIN:
            return not wins.forced(after, player, left - 1)
        return kind is Kind.SAFE or wins.forced(after, other, left - 1)

    answers = sorted(game.legal_moves(then), key=strength, reverse=True)
    return (text, *(game.move_text(then, each) for each in islice(filter(refutes, answers), 1)))
