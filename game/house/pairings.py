"""Who meets whom in a tournament: pure functions of the players and the results.

Must not know boards. In a round with an odd number of players one meets `BYE`.
"""

from collections.abc import Iterable, Mapping, Sequence

BYE = ""
Round = list[tuple[str, str]]
Scores = Mapping[frozenset[str], Mapping[str, float]]
"""The points of each game, by its two players."""


def round_robin(players: Sequence[str]) -> list[Round]:
    """Pair all with all, by the circle method."""
    seats, rounds = _seats(players), list[Round]()
    half = len(seats) // 2
    for _ in seats[1:]:
        rounds.append(list(zip(seats[:half], reversed(seats[half:]), strict=True)))
        seats.insert(1, seats.pop())
    return rounds


def swiss(players: Sequence[str], scores: Scores) -> list[Round]:
    """Pair as many rounds as it takes to leave one unbeaten, each once the last has its results.

    Neighbours by points meet, if they have not met: that is Monrad's system.
    """
    seats, rounds = _seats(players), list[Round]()
    for _ in range((len(seats) - 1).bit_length()):
        sums = points(players, rounds, scores, bye=1)
        order = sorted(seats, key=lambda each: (each == BYE, -sums.get(each, 0)))
        met = {frozenset(pair) for pairs in rounds for pair in pairs}
        # All rounds but the last leave each with half the others to meet, so that pairs exist.
        rounds.append(_paired(order, met) or [])
        if any(BYE not in pair and frozenset(pair) not in scores for pair in rounds[-1]):
            break
    return rounds


def points(
    players: Sequence[str], rounds: Iterable[Round], scores: Scores, bye: float
) -> dict[str, float]:
    """Return the points of each player, the best first, with what a `bye` is worth."""
    sums = dict.fromkeys(players, 0.0)
    for pair in (pair for pairs in rounds for pair in pairs):
        for player in sums.keys() & set(pair):
            sums[player] += bye if BYE in pair else scores.get(frozenset(pair), {}).get(player, 0)
    return dict(sorted(sums.items(), key=lambda each: -each[1]))


def _seats(players: Sequence[str]) -> list[str]:
    return [*players, *[BYE] * (len(players) % 2)]


def _paired(seats: Sequence[str], met: set[frozenset[str]]) -> Round | None:
    """Pair each with the next one below whom they have not met; None if that cannot be."""
    for two in seats[1:]:
        if frozenset((seats[0], two)) not in met:
            rest = _paired([each for each in seats[1:] if each != two], met)
            if rest is not None:
                return [(seats[0], two), *rest]
    return None if seats else []
