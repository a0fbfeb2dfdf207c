"""The result of a match: score, interval and difference in Elo, as text.

Owns the arithmetic and the report. The pair is the unit: its two games from one opening with the
colours exchanged are not independent. Must not know engines or files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from statistics import NormalDist
from typing import Any

from game.rules.base.values import Json
from tests.tools.match.playing import Played

_Z = NormalDist().inv_cdf(0.975)
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What an engine can score in a pair, as a share of its two points."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value, and its confidence interval of 95 %."""

    value: float
    low: float
    high: float


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


def pair_counts(pairs: Sequence[float]) -> tuple[int, ...]:
    """Count the pairs by what they gave, as `PAIR_SCORES` orders them."""
    return tuple(sum(pair == score for pair in pairs) for score in PAIR_SCORES)


_MOST_FAULTS = 5
"""Faults that are reported in full; all are counted."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What an engine spent on a move on average, and how many of its moves the clock cut."""

    moves: int
    seconds: float
    nodes: float
    cut: int


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match for engine A.

    `pairs` are the scores of the pairs whose games were both played; `score` is their mean, None
    without any. `by_player` has wins, losses and draws as player 1 and as player 2. `faults` name
    the games that were lost by a fault.
    """

    games: int
    pairs: tuple[float, ...]
    score: Interval | None
    by_player: tuple[tuple[int, int, int], tuple[int, int, int]]
    plies: float
    efforts: tuple[Effort, Effort]
    faults: tuple[str, ...]


def result_of(games: Sequence[Played]) -> Result:
    """Work out the result of games."""
    scores = {game.fixture.number: game.score for game in games}
    pairs = tuple(
        (score + scores[number + 1]) / 2
        for number, score in sorted(scores.items())
        if number % 2 == 0 and number + 1 in scores
    )
    return Result(
        games=len(games),
        pairs=pairs,
        score=score_interval(pairs) if pairs else None,
        by_player=(_tally(games, 1), _tally(games, 2)),
        plies=sum(game.plies for game in games) / len(games) if games else 0.0,
        efforts=(_effort(games, 0), _effort(games, 1)),
        faults=tuple(_fault(game) for game in games if game.fault),
    )


def _tally(games: Sequence[Played], player: int) -> tuple[int, int, int]:
    scores = [game.score for game in games if game.fixture.a == player]
    return scores.count(1.0), scores.count(0.0), scores.count(0.5)


def _effort(games: Sequence[Played], side: int) -> Effort:
    moves = sum(game.thoughts[side] for game in games)
    each = max(1, moves)
    return Effort(
        moves,
        sum(game.seconds[side] for game in games) / each,
        sum(game.nodes[side] for game in games) / each,
        sum(game.cut[side] for game in games),
    )


def _fault(game: Played) -> str:
    loser = "B" if game.winner == game.fixture.a else "A"
    return f"game {game.fixture.number}: {loser} {game.fault}"


def as_text(described: Json, result: Result) -> str:
    """Write a match and its result for reading."""
    return "\n".join(_lines(described, result))


def _lines(described: Any, result: Result) -> Iterator[str]:
    options = "".join(f" {key}={value}" for key, value in described["options"].items())
    yield f"A {described['a']} against B {described['b']}"
    yield (
        f"{described['game']}{options}, seed {described['seed']},"
        f" openings of {described['opening']} random plies, each played twice"
    )
    if result.score is None:
        yield "no pair of games yet"
    else:
        score, gap = result.score, elo_interval(result.score)
        yield f"A scores {score.value:.1%} (95%: {score.low:.1%} to {score.high:.1%})"
        yield f"Elo {gap.value:+.0f} (95%: {gap.low:+.0f} to {gap.high:+.0f})"
        counts = zip(PAIR_SCORES, pair_counts(result.pairs), strict=True)
        told = ", ".join(f"{2 * score:g}: {count}" for score, count in counts)
        yield f"{len(result.pairs)} pairs by A's points: {told}"
    for player, (wins, losses, draws) in enumerate(result.by_player, 1):
        yield f"A as player {player}: {wins} won, {losses} lost, {draws} drawn"
    yield f"{result.games} games of {result.plies:.1f} plies"
    for name, effort in zip("AB", result.efforts, strict=True):
        cut = f", {effort.cut} of {effort.moves} moves cut by the clock" if effort.cut else ""
        yield f"{name} a move: {effort.seconds:.3f} s, {effort.nodes:,.0f} nodes{cut}"
    if result.faults:
        yield f"{len(result.faults)} games lost by a fault:"
        yield from (f"  {fault}" for fault in result.faults[:_MOST_FAULTS])
