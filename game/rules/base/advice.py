"""The coach's advice for the player to move: immediate wins, and ideas of the game itself."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.rules.base.values import Advice

MOST_PLAYS = 2_000
"""Most moves played to find an idea: 0.02 s on a fast core, about ten times that on a slow one."""
FEW = 3  # Most cells to light for advised moves; if there are more, none are lit


def ideas(game: AnyGame, position: Any, past: Sequence[Any]) -> tuple[Advice, ...]:
    """List a coach's ideas for the player whose turn it is, the most useful first.

    `past` are the positions before, the newest last. In a game that hides pieces, all positions
    must be as a spectator sees them.
    """
    deciding = () if game.hidden else tuple(_deciding(game, position))
    found_ideas = (*deciding, *game.presentation.advice(position, past))
    return tuple(sorted(found_ideas, key=lambda advice: -advice.weight))


def _deciding(game: AnyGame, position: Any) -> Iterator[Advice]:
    """Find the moves that win at once, else the few that keep others from winning next turn."""
    player = game.to_move(position)
    moves = tuple(islice(game.legal_moves(position), MOST_PLAYS + 1))
    if len(moves) > MOST_PLAYS:
        return
    result, won_by = partial(game.result, position), game.presentation.won_by
    finish, guard = game.presentation.win_words(position)
    winning = [move for move in moves if won_by(result(move)) == player]
    if winning:
        message = Message(finish.key, {"count": len(winning)})
        yield _advice(game, position, winning, 9, message)
        return
    plays = [0]
    if len(moves) ** 2 > MOST_PLAYS:
        return
    safe = [move for move in moves if not _loses(game, position, move, player, plays)]
    if not plays[0] <= MOST_PLAYS or not safe or 2 * len(safe) >= len(moves):
        return
    other = game.to_move(game.play(position, safe[0]))
    if other is not None and other != player:
        who = game.presentation.called(position, other)
        message = Message(guard.key, {"player": who, "count": len(safe)})
        yield _advice(game, position, safe, 8, message)


def _loses(game: AnyGame, position: Any, move: Any, player: int | None, plays: list[int]) -> bool:
    """Return whether another player can win after a move and the rest of its turn."""
    result = game.result(position, move)
    if (winner := game.presentation.won_by(result)) is not None:
        return winner != player
    after = result.after
    if game.to_move(after) != player:
        return _can_win(game, after, plays)
    return all(_loses(game, after, each, player, plays) for each in game.legal_moves(after))


def _can_win(game: AnyGame, position: Any, plays: list[int]) -> bool:
    """Return whether the player to move can win in this turn, all its moves included."""
    mover = game.to_move(position)
    for move in game.legal_moves(position):
        plays[0] += 1
        if plays[0] > MOST_PLAYS:
            return False
        result = game.result(position, move)
        winner = game.presentation.won_by(result)
        if winner is None and game.to_move(result.after) == mover:
            winner = mover if _can_win(game, result.after, plays) else None
        if winner is not None and winner == mover:
            return True
    return False


def _advice(
    game: AnyGame, position: Any, moves: Sequence[Any], weight: int, message: Message
) -> Advice:
    firsts = frozenset(game.taps(position, move)[0] for move in moves)
    return Advice(
        message,
        weight,
        spots=firsts if len(firsts) <= FEW else frozenset(),
        heeding=frozenset(game.plain_text(position, move) for move in moves),
    )
