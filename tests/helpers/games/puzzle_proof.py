"""The right moves of a puzzle: all legal moves are tried, by the rules alone."""

from collections.abc import Iterator
from typing import Any

from game.rules.base.game import AnyGame
from game.rules.base.puzzles import Kind, forced, winner


def solutions(game: AnyGame, kind: Kind, count: int, position: Any) -> Iterator[Any]:
    """Yield all right moves in a position."""
    player = game.to_move(position) or 0
    after = {move: game.play(position, move) for move in game.legal_moves(position)}
    score = game.score(position)
    gains = {move: game.score(then)[player - 1] - score[player - 1] for move, then in after.items()}
    for move, then in after.items():
        match kind:
            case Kind.WIN:
                right = forced(game, then, player, count - 1)
            case Kind.SAVE:
                right = not wins_next(game, then, 3 - player)
            case Kind.MOST:
                right = gains[move] == count == max(gains.values())
            case Kind.SAFE:
                answers = (game.play(then, answer) for answer in game.legal_moves(then))
                right = winner(game, then) != 3 - player and all(
                    game.score(each)[2 - player] <= score[2 - player] + count
                    for each in (then, *answers)
                )
        if right:
            yield move


def wins_next(game: AnyGame, position: Any, player: int) -> bool:
    """Return whether a player has won, or wins at once with the next move."""
    if winner(game, position) is not None or game.to_move(position) != player:
        return winner(game, position) == player
    after = (game.play(position, move) for move in game.legal_moves(position))
    return any(winner(game, each) == player for each in after)
