"""The result of a match, and what it says of its game, as values and as text.

The pair is the unit: its two games from one opening with the colours exchanged are not independent.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from statistics import NormalDist, quantiles
from typing import Any

from game.rules.base.registry import find_game
from tests.tools.match.games import Played

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Interval:
    """A value, and its confidence interval of 95 %."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.1%} (95%: {self.low:.1%} to {self.high:.1%})"


def score_interval(pairs: Sequence[float]) -> Interval:
    """Estimate the score that an engine gets from the scores of its pairs, each from 0 to 1.

    Wilson's interval with the effective number of trials, which C. Franco, R. Little, T. Louis and
    E. Slud recommend for clustered trials ("Comparative Study of Confidence Intervals for
    Proportions in Complex Sample Surveys", J. Surv. Stat. Methodol. 7, 2019): as many independent
    trials as would vary like the mean of the pairs does. The variance of pairs is that of
    fastchess and fishtest ("pentanomial"), and one more pair as uneven as can be is counted into
    it, so that a few equal pairs do not give a tiny interval.
    """
    count = len(pairs)
    mean = sum(pairs) / count
    most = mean * (1 - mean)
    trials = float(count)
    if most > 0:
        variance = (sum((pair - mean) ** 2 for pair in pairs) + most) / count
        trials = count * most / variance
    return wilson(mean, trials)


def wilson(share: float, trials: float) -> Interval:
    """Return E. B. Wilson's interval of a share in so many trials (JASA 22, 1927)."""
    spread = _Z * _Z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(spread * share * (1 - share) + spread * spread / 4) / (1 + spread)
    return Interval(share, max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)))


def elo_interval(score: Interval) -> Interval:
    """Turn an interval of the score into one of the difference in Elo, infinite at 0 and 1."""

    def elo(score: float) -> float:
        if not 0 < score < 1:
            return inf if score > 0 else -inf
        return 400 * log10(score / (1 - score))

    return Interval(elo(score.value), elo(score.low), elo(score.high))


def pair_scores(scores: Mapping[int, float]) -> list[float]:
    """Return the mean scores of the pairs whose games were both played, from those by number."""
    whole = (n for n in sorted(scores) if n % 2 == 0 and n + 1 in scores)
    return [(scores[n] + scores[n + 1]) / 2 for n in whole]


def pairs_of(games: Sequence[Played]) -> list[float]:
    """Return the scores of engine A in whole pairs."""
    return pair_scores({each.game: each.score(each.a) for each in games})


def lines(described: Any, games: Sequence[Played]) -> Iterator[str]:
    """Write the result of a match for engine A."""
    options = "".join(f" {key}={value}" for key, value in described["options"].items())
    yield f"A {described['a']} against B {described['b']}"
    yield (
        f"{described['game']}{options}, seed {described['seed']},"
        f" openings of {described['opening']} random plies, each played twice"
    )
    if pairs := pairs_of(games):
        score = score_interval(pairs)
        gap = elo_interval(score)
        yield f"A scores {score} in {len(pairs)} pairs"
        yield f"Elo {gap.value:+.0f} (95%: {gap.low:+.0f} to {gap.high:+.0f})"
    for side, name in enumerate("AB"):
        moves = max(1, sum(game.thoughts[side] for game in games))
        seconds = sum(game.seconds[side] for game in games) / moves
        nodes = sum(game.nodes[side] for game in games) / moves
        yield f"{name} a move: {seconds:.3f} s, {nodes:,.0f} nodes"
    if cut := sum(sum(game.cut) for game in games):
        yield f"{cut} moves cut by the clock"
    for game in games:
        if game.fault:
            yield f"game {game.game} lost by a fault: {'BA'[game.winner != game.a]} {game.fault}"


def report_lines(described: Any, games: Sequence[Played]) -> Iterator[str]:
    """Write what games say of their game: the first player's share, length and endings."""
    game = find_game(described["game"])
    first = game.to_move(game.initial(described["options"]))
    if pairs := pair_scores({each.game: each.score(first) for each in games}):
        yield f"first player: {score_interval(pairs)}"
    plies = sorted(each.plies for each in games)
    low, middle, high = quantiles(plies * 2, n=4, method="inclusive")
    yield (
        f"plies: {plies[0]} to {plies[-1]}, half of the games {low:g} to {high:g},"
        f" median {middle:g}"
    )
    won = Counter(each.reason for each in games if each.winner == first)
    for reason, count in Counter(each.reason for each in games).most_common():
        yield (
            f"{reason}: {count / len(games):.1%} of the games,"
            f" of which the first player won {won[reason] / count:.1%}"
        )
