"""The course of a game: what each player could expect before each move, and what moves gave away.

Owns the judgement of games for two that were played: a value a position, the loss of each move, the
turning points, and what would have been better. Must not know clocks, processes or files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from game.engine.catalogue import new_search
from game.engine.search import Choice, NewSearch
from game.rules.game import Game

MUCH = 0.15
"""A move that gives away so much of a win is a turning point."""
SIDES = 0.08
"""So much is enough where the other player has the better chances afterwards."""
MOST_TURNING = 5
"""So many turning points are told of a game, those that gave away most."""
SLICE = 10_000
"""A search goes on by so many nodes at once, so that a signal is heard between."""
LONGEST_LINE = 6
"""So many moves of the better play are told."""


@dataclass(frozen=True, slots=True)
class Point:
    """A move of a game, and what the search thought of the position before it.

    `ply` counts from 0. `value` is the score that player 1 may expect there of best play, 0 to 1,
    and `decided` says that it is proved. `best` is the move that the search prefers, and `line` the
    play that it expects, `best` first, in plain texts. `loss` is what `player` gave away of his own
    score by the `move` that he made, 0 for the best one.
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
        """What the player who moves may expect of the best move."""
        return self.value if self.player == 1 else 1 - self.value

    @property
    def move_value(self) -> float:
        """What he may expect of the move that he made."""
        return max(0.0, self.best_value - self.loss)


@dataclass(frozen=True, slots=True)
class _View:
    """A position as the search sees it: player 1's score, the best line, and if it is proved.

    A search is hopeful for whoever moves, as his best move is known better than the answers to it.
    So only views of positions in which the same player moves are compared.
    """

    value: float
    line: tuple[str, ...]
    decided: bool


def can_be_judged(game: Game[Any, Any]) -> bool:
    """Tell whether a game has a course: one value says all only where there are two players.

    Of a hidden game there is none: who sees all would blame players for what they could not know.
    """
    return len(game.players) == 2 and not game.hidden


def positions_of(
    game: Game[Any, Any], start: Any, moves: Sequence[str]
) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Return the positions of a game, one more than its moves, and the moves in plain text.

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
    game: Game[Any, Any],
    positions: Sequence[Any],
    moves: Sequence[str],
    nodes: int,
    seed: int,
    search: NewSearch = new_search,
) -> Iterator[Point]:
    """Judge the moves of a game for two, in order, each when it is asked for.

    `positions` and plain `moves` are as `positions_of` gives them. Every position is searched by so
    many `nodes`, and where another move was made than the best one, also what that leads to.
    """

    def seen(position: Any, ply: int) -> _View:
        return _seen(game, position, nodes, seed + ply, search)

    after = seen(positions[0], 0)
    for ply, move in enumerate(moves):
        position, before = positions[ply], after
        after = seen(positions[ply + 1], ply + 1)
        best = before.line[0]
        best_after = before if before.decided else after
        if move != best and not before.decided:
            best_after = seen(game.play(position, game.parse_move(position, best)), ply + 1)
        mover = game.to_move(position) or 1
        loss = best_after.value - after.value if mover == 1 else after.value - best_after.value
        yield Point(
            ply,
            mover,
            move,
            # What the mover hopes and what the other one hopes after the best move.
            (before.value + best_after.value) / 2,
            best,
            before.line[:LONGEST_LINE],
            0.0 if move == best else max(0.0, loss),
            before.decided,
        )


def final_value(game: Game[Any, Any], position: Any) -> float | None:
    """Return player 1's score where a game is over, else None."""
    outcome = game.outcome(position)
    if outcome is None:
        return None
    return 0.5 if outcome.winner is None else float(outcome.winner == 1)


def turning_points(points: Sequence[Point]) -> tuple[int, ...]:
    """List the plies of the moves that turned a game, in order, `MOST_TURNING` at most."""
    turning = [point for point in points if _turned(point)]
    turning.sort(key=lambda point: -point.loss)
    return tuple(sorted(point.ply for point in turning[:MOST_TURNING]))


def _turned(point: Point) -> bool:
    changed_sides = point.best_value >= 0.5 > point.move_value
    return point.loss >= (SIDES if changed_sides else MUCH)


def _seen(game: Game[Any, Any], position: Any, nodes: int, seed: int, search: NewSearch) -> _View:
    """Look at a position; one with a single move is what comes of that."""
    forced: list[str] = []
    while len(moves := game.legal_moves(position)) == 1:
        move = next(iter(moves))
        forced.append(game.plain_text(position, move))
        position = game.play(position, move)
    value = final_value(game, position)
    if value is not None:
        return _View(value, tuple(forced), decided=True)
    searching = search(game, position, seed)
    for begun in range(0, nodes, SLICE):
        searching.go_on(min(SLICE, nodes - begun))
    choices = searching.choices()
    best = choices[0]
    expected = best.value
    if forced and not best.decided:
        # As the search would see it from above, where it cannot choose.
        expected = _mean(choices)
    value = expected if game.to_move(position) == 1 else 1 - expected
    return _View(value, (*forced, *best.line), best.decided)


def _mean(choices: Sequence[Choice]) -> float:
    visits = sum(choice.visits for choice in choices)
    if not visits:
        return choices[0].value
    return sum(choice.visits * choice.value for choice in choices) / visits
