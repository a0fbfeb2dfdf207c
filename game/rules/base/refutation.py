"""Refutations of wrong moves in puzzles: the other player's answer, found by trying all moves."""

from itertools import islice
from typing import Any

from game.rules.base.game import AnyGame
from game.rules.base.puzzles import Kind, Puzzle


def winner(game: AnyGame, position: Any) -> int | None:
    """Return who has won the game or the match, 0 for a draw, None while it goes on."""
    outcome = game.outcome(position)
    return None if outcome is None else outcome.winner or 0


def forced(game: AnyGame, position: Any, player: int, moves: int) -> bool:
    """Return whether a player can force a win with so many own moves."""
    won = winner(game, position)
    if won is not None:
        return won == player
    own = game.to_move(position) == player
    if own and moves == 0:
        return False
    after = (game.play(position, move) for move in game.legal_moves(position))
    results = (forced(game, each, player, moves - own) for each in after)
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
    text = game.move_text(position, move)
    if kind is Kind.MOST or winner(game, then) is not None or game.to_move(then) != other:
        return (text,)

    def strength(answer: Any) -> tuple[bool, int]:
        after = game.play(then, answer)
        return winner(game, after) == other, game.score(after)[other - 1]

    def refutes(answer: Any) -> bool:
        after = game.play(then, answer)
        if kind is Kind.WIN:
            return not forced(game, after, player, left - 1)
        return kind is Kind.SAFE or winner(game, after) == other

    answers = sorted(game.legal_moves(then), key=strength, reverse=True)
    return (text, *(game.move_text(then, each) for each in islice(filter(refutes, answers), 1)))
