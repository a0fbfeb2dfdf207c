"""The proof of a puzzle: all legal moves are tried, by the rules alone."""

from collections.abc import Iterator
from typing import Any

from game.rules.base.game import AnyGame
from game.rules.base.puzzles import Kind, Puzzle
from game.rules.base.refutation import Wins


def proved(game: AnyGame, puzzle: Puzzle) -> bool:
    """Return whether each own move of the line is the only solution, and no win is shorter."""
    position, player, count = puzzle.position, game.to_move(puzzle.position), puzzle.count
    if puzzle.kind is Kind.WIN and Wins(game, position).forced(position, player or 0, count - 1):
        return False
    for text in puzzle.line:
        move = game.parse_move(position, text)
        if game.to_move(position) == player:
            if list(solutions(game, puzzle.kind, count, position)) != [move]:
                return False
            count -= 1
        position = game.play(position, move)
    return puzzle.kind is not Kind.WIN or Wins(game, puzzle.position).winner(position) == player


def solutions(game: AnyGame, kind: Kind, count: int, position: Any) -> Iterator[Any]:
    """Yield all right moves in a position."""
    player, wins = game.to_move(position) or 0, Wins(game, position)
    after = {move: game.play(position, move) for move in game.legal_moves(position)}
    score = game.score(position)
    gains = {move: game.score(then)[player - 1] - score[player - 1] for move, then in after.items()}
    for move, then in after.items():
        match kind:
            case Kind.WIN:
                right = wins.forced(then, player, count - 1)
            case Kind.SAVE:
                right = not wins.forced(then, 3 - player, count)
            case Kind.MOST:
                right = gains[move] == count == max(gains.values())
            case Kind.SAFE:
                answers = (game.play(then, answer) for answer in game.legal_moves(then))
                right = wins.winner(then) != 3 - player and all(
                    game.score(each)[2 - player] <= score[2 - player] + count
                    for each in (then, *answers)
                )
        if right:
            yield move
