"""What a match tells of its game, whoever played: the first player's share, length and endings.

Owns these figures, as values and as text. The pair is the unit, as in `result`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any

from game.rules.base.registry import find_game
from game.rules.base.values import Json
from tests.tools.match.playing import Played
from tests.tools.match.result import Interval, score_interval


@dataclass(frozen=True, slots=True)
class Report:
    """Figures of a game.

    `first` is the share of the points that the player who begins gets, None without whole pairs.
    `plies` are the least, the quartiles and the most, with the opening. `endings` has for each
    reason the games that ended so, and how many of them the first player won.
    """

    games: int
    first: Interval | None
    plies: tuple[float, ...]
    endings: dict[str, tuple[int, int]]


def report_of(described: Json, games: Sequence[Played]) -> Report:
    """Work out the report of at least one game, and of the description of their match."""
    told: Any = described
    game = find_game(told["game"])
    first = game.to_move(game.initial(told["options"]))
    points = {
        each.fixture.number: 0.5 if each.winner is None else float(each.winner == first)
        for each in games
    }
    pairs = [(points[n] + points[n + 1]) / 2 for n in points if n % 2 == 0 and n + 1 in points]
    plies = sorted(each.plies for each in games)
    reasons = Counter(each.reason for each in games)
    won = Counter(each.reason for each in games if each.winner == first)
    return Report(
        len(games),
        score_interval(pairs) if pairs else None,
        (plies[0], *quantiles(plies * 2, n=4, method="inclusive"), plies[-1]),
        {reason: (count, won[reason]) for reason, count in reasons.most_common()},
    )


def lines(report: Report) -> Iterator[str]:
    """Write a report for reading."""
    if report.first is not None:
        each = report.first
        yield f"first player: {each.value:.1%} (95%: {each.low:.1%} to {each.high:.1%})"
    least, low, middle, high, most = report.plies
    yield f"plies: {least:g} to {most:g}, half of the games {low:g} to {high:g}, median {middle:g}"
    for reason, (count, won) in report.endings.items():
        share = count / report.games
        yield f"{reason}: {share:.1%} of the games, of which the first player won {won / count:.1%}"
