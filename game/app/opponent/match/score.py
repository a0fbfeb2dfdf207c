"""What the games of a match say about its two engines: score, interval and difference in Elo.

Owns the arithmetic. The pair is the unit: two games from one opening, with the colours exchanged,
hang together, so that what is known grows with the pairs. Must not know engines or files.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair can give to an engine, as a share of its two points."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value, and between what it lies with a confidence of 95 %."""

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
    it, so that a few pairs that happen to be alike make nobody sure. Raises ValueError without
    pairs.
    """
    if not pairs:
        raise ValueError("no pair of games has been played")
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


def elo(score: float) -> float:
    """Return the difference in Elo that lets an engine expect this score; infinite at 0 and 1."""
    if score <= 0:
        return -inf
    if score >= 1:
        return inf
    return 400 * log10(score / (1 - score))


def elo_interval(score: Interval) -> Interval:
    """Turn an interval of the score into one of the difference in Elo."""
    return Interval(elo(score.value), elo(score.low), elo(score.high))


def pair_counts(pairs: Sequence[float]) -> tuple[int, ...]:
    """Count the pairs by what they gave, as `PAIR_SCORES` orders them."""
    return tuple(sum(pair == score for pair in pairs) for score in PAIR_SCORES)
