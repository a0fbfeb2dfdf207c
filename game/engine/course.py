"""The course of a game: each player's chances before each move, and what moves gave away.

Owns the judgement of played games for two: a value for each position, the loss of each move, the
turning points, and better play. Must not know clocks, processes or files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from game.engine.catalogue import new_search
from game.engine.search import Choice, NewSearch
from game.rules.base.game import AnyGame

LARGE_LOSS = 0.15  # A move that loses this much of a win is a turning point
CHANGING_LOSS = 0.08  # the same if the other player is ahead afterwards
MOST_TURNING = 5  # most turning points of a game, those with the largest losses
SLICE = 10_000  # nodes searched at once, so that a signal is handled in between
LONGEST_LINE = 6  # most moves of the better play


@dataclass(frozen=True, slots=True)
class Point:
    """A move of a game, and the search of the position before it.

    `ply` counts from 0. `value` is player 1's expected score with best play, 0 to 1; `decided`
    tells that it is proved. `best` is the move that the search prefers, and `line` the expected
    play, `best` first, in plain texts. `loss` is how much of their score `player` gave away by
    `move`, 0 for the best one.
    """

    ply: int
    player: int
    move: str
    value: float
    best: str
    line: tuple[str, ...]
    loss: float
    decided: bool = False

    @property
    def best_value(self) -> float:
        """The player's expected score after the best move."""
        return self.value if self.player == 1 else 1 - self.value

    @property
    def move_value(self) -> float:
        """The player's expected score after the move that was made."""
        return max(0.0, self.best_value - self.loss)


@dataclass(frozen=True, slots=True)
class _Searched:
    """A position's value for player 1, the best line, and whether the value is proved.

    A search is optimistic for the player to move, so only values of positions in which the same
    player moves are compared.
    """

    value: float
    line: tuple[str, ...]
    decided: bool


def can_be_judged(game: AnyGame) -> bool:
    """Tell whether a game has a course: one for two players, without hidden information.

    A search that sees all would blame players for what they could not know.
    """
    return len(game.players) == 2 and not game.hidden


def positions_of(
    game: AnyGame, start: Any, moves: Sequence[str]
) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Return a game's positions, one more than its moves, and the moves in plain text.

    Raises IllegalMove.
    """
    positions, plain = [start], []
    for text in moves:
        position = positions[-1]
        move = game.parse_move(position, text)
        plain.append(game.plain_text(position, move))
        positions.append(game.play(position, move))
    return tuple(positions), tuple(plain)


def analysed(
    game: AnyGame,
    positions: Sequence[Any],
    moves: Sequence[str],
    nodes: int,
    seed: int,
    search: NewSearch = new_search,
) -> Iterator[Point]:
    """Judge the moves of a game for two, lazily and in order.

    `positions` and plain `moves` are those of `positions_of`. Every position is searched by
    `nodes`, and so is the position after the best move if another one was made.
    """

    def searched(position: Any, ply: int) -> _Searched:
        return _search(game, position, nodes, seed + ply, search)

    after = searched(positions[0], 0)
    for ply, move in enumerate(moves):
        position, before = positions[ply], after
        after = searched(positions[ply + 1], ply + 1)
        best = before.line[0]
        best_after = before if before.decided else after
        if move != best and not before.decided:
            best_after = searched(game.play(position, game.parse_move(position, best)), ply + 1)
        mover = game.to_move(position) or 1
        loss = best_after.value - after.value if mover == 1 else after.value - best_after.value
        yield Point(
            ply,
            mover,
            move,
            # The mean of two optimistic views: the mover's, and the other's after the best move.
            (before.value + best_after.value) / 2,
            best,
            before.line[:LONGEST_LINE],
            0.0 if move == best else max(0.0, loss),
            before.decided,
        )


def final_value(game: AnyGame, position: Any) -> float | None:
    """Return player 1's score of an ended game, else None."""
    outcome = game.outcome(position)
    if outcome is None:
        return None
    return 0.5 if outcome.winner is None else float(outcome.winner == 1)


def turning_points(points: Sequence[Point]) -> tuple[int, ...]:
    """List the plies of the moves that turned a game, in order."""
    turning = [
        point
        for point in points
        if point.loss
        >= (CHANGING_LOSS if point.best_value >= 0.5 > point.move_value else LARGE_LOSS)
    ]
    turning.sort(key=lambda point: -point.loss)
    return tuple(sorted(point.ply for point in turning[:MOST_TURNING]))


def _search(game: AnyGame, position: Any, nodes: int, seed: int, new: NewSearch) -> _Searched:
    """Search a position; forced moves are played first."""
    forced: list[str] = []
    while len(moves := game.legal_moves(position)) == 1:
        move = next(iter(moves))
        forced.append(game.plain_text(position, move))
        position = game.play(position, move)
    value = final_value(game, position)
    if value is not None:
        return _Searched(value, tuple(forced), decided=True)
    search = new(game, position, seed)
    for begun in range(0, nodes, SLICE):
        search.go_on(min(SLICE, nodes - begun))
    choices = search.choices()
    best = choices[0]
    # After a forced move take the mean, as the search would see it from above.
    expected = _mean(choices) if forced and not best.decided else best.value
    value = expected if game.to_move(position) == 1 else 1 - expected
    return _Searched(value, (*forced, *best.line), best.decided)


def _mean(choices: Sequence[Choice]) -> float:
    visits = sum(choice.visits for choice in choices)
    if not visits:
        return choices[0].value
    return sum(choice.visits * choice.value for choice in choices) / visits
