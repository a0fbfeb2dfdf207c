"""The course of a game: each player's chances before each move, and what moves give away.

Owns the judgement of played games for two: a value for each position, the loss of each move, the
turning points, and better play; and the grades of all moves of a position. Must not know clocks,
processes or files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from game.engine.search import FAST, SearchedMove, new_search
from game.rules.base.game import AnyGame
from game.rules.base.grades import (
    BLUNDER,
    INACCURACY,
    MISTAKE,
    Grade,
    Graded,
    Grades,
    grade_of,
)
from game.rules.base.situation import Taps

JUDGING, GENERAL_JUDGING = 10_000, 2_000
"""Nodes to judge a position; fewer for the general search, which is far slower."""
NOISE_VISITS = {"adaptoid": 1, "capture-go": 1, "capture-go-7": 1, "": 300}
"""With this many nodes, by game, half of the difference between two values is noise, which is
replaced by the usual loss. Chosen by measurement; see docs/engine.md.
"""
USUAL_LOSS = 0.045
"""The loss of a move when nothing else is known: a little less than an inaccuracy."""
MOST_TURNING = 5  # most turning points of a game, those with the largest losses
SLICE = 10_000  # nodes searched at once, so that a signal is handled in between
LONGEST_LINE = 6  # most moves of the better play


@dataclass(frozen=True, slots=True)
class Point:
    """A move of a game, and the search of the position before it.

    `ply` counts from 0. `value` is player 1's expected score with best play before the move, 0 to
    1, and `after` the same after it; `decided` means that `value` is proved. `best` is the move
    that the search prefers, and `line` the expected play, `best` first, in plain texts.
    """

    ply: int
    player: int
    move: str
    value: float
    best: str
    line: tuple[str, ...]
    after: float
    decided: bool = False

    @property
    def best_value(self) -> float:
        """The player's expected score before the move, which is that of the best move."""
        return self.value if self.player == 1 else 1 - self.value

    @property
    def move_value(self) -> float:
        """The player's expected score after the move that was made."""
        return self.after if self.player == 1 else 1 - self.after

    @property
    def loss(self) -> float:
        """How much of their score the player gave away, 0 for the best move."""
        return 0.0 if self.move == self.best else max(0.0, self.best_value - self.move_value)

    @property
    def mark(self) -> str:
        """The sign of a fault as in chess notation, "" for a move without a fault."""
        faults = ((BLUNDER, "??"), (MISTAKE, "?"), (INACCURACY, "?!"))
        return next((mark for least, mark in faults if self.loss >= least), "")


@dataclass(frozen=True, slots=True)
class _Searched:
    """A position's value for player 1, the best line, and whether the value is proved."""

    value: float
    line: tuple[str, ...]
    decided: bool


def judging_nodes(game: AnyGame) -> int:
    """Return the number of nodes to judge a position: accurate enough, and soon enough."""
    return JUDGING if game.name in FAST else GENERAL_JUDGING


def can_be_judged(game: AnyGame) -> bool:
    """Return whether a game can be judged: it has two players and no hidden information.

    A search that sees everything would blame players for what they could not know.
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
    game: AnyGame, positions: Sequence[Any], moves: Sequence[str], nodes: int, seed: int
) -> Iterator[Point]:
    """Judge the moves of a game for two, lazily and in order.

    `positions` and plain `moves` are those of `positions_of`. Every position is searched with
    `nodes`; a move's loss is the difference between the values before and after it. Another search,
    of the position after the best move, checks each fault and may lower its loss.
    """

    def searched(position: Any, ply: int) -> _Searched:
        return _search(game, position, nodes, seed + ply)

    before, last = searched(positions[0], 0), None
    for ply, move in enumerate(moves):
        position, after = positions[ply], searched(positions[ply + 1], ply + 1)
        player, line = game.to_move(position) or 1, before.line[:LONGEST_LINE]
        point = Point(ply, player, move, before.value, line[0], line, after.value, before.decided)
        if point.mark and not before.decided:
            best = game.play(position, game.parse_move(position, line[0]))
            value = (min if player == 1 else max)(before.value, searched(best, ply + 1).value)
            point = replace(point, value=value)
        if last is not None:
            yield replace(last, after=point.value)
        last, before = point, after
    if last is not None:
        yield last


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
        if point.loss >= (MISTAKE if point.best_value >= 0.5 > point.move_value else BLUNDER)
    ]
    turning.sort(key=lambda point: -point.loss)
    return tuple(sorted(point.ply for point in turning[:MOST_TURNING]))


def _search(game: AnyGame, position: Any, nodes: int, seed: int) -> _Searched:
    """Search a position; forced moves are played first."""
    forced: list[str] = []
    while len(moves := game.legal_moves(position)) == 1:
        move = next(iter(moves))
        forced.append(game.plain_text(position, move))
        position = game.play(position, move)
    value = final_value(game, position)
    if value is not None:
        return _Searched(value, tuple(forced), decided=True)
    search = new_search(game, position, seed)
    for spent in range(0, nodes, SLICE):
        search.go_on(min(SLICE, nodes - spent))
    choices = search.choices()
    best = choices[0]
    # The best move's own value is optimistic for the player to move; the mean is not.
    expected = best.value if best.decided else _mean(choices)
    value = expected if game.to_move(position) == 1 else 1 - expected
    return _Searched(value, (*forced, *best.line), best.decided)


def _mean(choices: Sequence[SearchedMove]) -> float:
    visits = sum(choice.visits for choice in choices)
    if not visits:
        return choices[0].value
    return sum(choice.visits * choice.value for choice in choices) / visits


class Grading:
    """Grades the choices of one position; a move that was not searched has no grade.

    A move that loses at once is graded LOSING, however little it gives away.
    """

    def __init__(self, game: AnyGame, position: Any) -> None:
        self._game, self._position = game, position
        self._at_once = cache(self._loses_at_once)
        moves = game.moves_by_taps(position)
        self._noise = NOISE_VISITS.get(game.name, NOISE_VISITS[""])
        self._taps = {game.plain_text(position, move): taps for taps, move in moves.items()}

    def grades(self, choices: Sequence[SearchedMove]) -> Grades:
        """Grade choices, best first, and each beginning of their taps by its best move."""
        found: dict[Taps, Graded | None] = {}
        best = choices[0].value
        unproved = [max(0.0, best - each.value) for each in choices if not each.decided]
        usual = (USUAL_LOSS + sum(unproved) / max(1, len(unproved))) / 2
        for choice in choices:
            known = choice.decided or choice.visits > 0
            loss = max(0.0, best - choice.value)
            if not choice.decided and choice is not choices[0]:
                sure = choice.visits / (choice.visits + self._noise)
                loss = sure * loss + (1 - sure) * usual
            grade = grade_of(loss)
            if grade < Grade.LOSING and choice.decided and choice.value == 0:
                grade = Grade.LOSING if self._at_once(choice.move, choice.line[1:2]) else grade
            reply = choice.line[1] if grade >= Grade.BLUNDER and len(choice.line) > 1 else ""
            graded = Graded(grade, round(100 * loss), reply)
            taps = self._taps[choice.move]
            for length in range(1, len(taps) + 1):
                found.setdefault(taps[:length], graded if known else None)
        return {taps: each for taps, each in found.items() if each is not None}

    def _loses_at_once(self, move: str, likely: tuple[str, ...]) -> bool:
        """Return whether a losing move ends the game, or a reply wins; `likely` is tried first.

        A turn of Adaptoid has hundreds of replies; after most losing moves, the likely one wins.
        """
        game, player = self._game, self._game.to_move(self._position)
        if game.hidden:
            return False  # Hidden faces may decide.
        after = game.play(self._position, game.parse_move(self._position, move))
        if game.outcome(after) is not None or game.to_move(after) == player:
            return game.outcome(after) is not None

        def wins(reply: Any) -> bool:
            end = game.outcome(game.play(after, reply))
            return end is not None and end.winner not in (player, None)

        return any(wins(game.parse_move(after, each)) for each in likely) or any(
            map(wins, game.legal_moves(after))
        )
