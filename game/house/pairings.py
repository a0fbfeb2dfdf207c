"""Who meets whom in a tournament, and their points: pure, from the players and the results.

Must not know boards. In a round with an odd number of players one meets `BYE`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

BYE = ""
Round = list[tuple[str, str]]
Scores = Mapping[frozenset[str], Mapping[str, float]]
"""The points of each game, by its two players."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A round robin of these players, or a `swiss` tournament, by Monrad's system."""

    players: tuple[str, ...] = ()
    swiss: bool = False

    def rounds(self, scores: Scores) -> list[Round]:
        """Pair all rounds of a round robin, by the circle method; of a Swiss one those so far.

        There are as many as leave one unbeaten. Neighbours by points meet, if they have not met.
        """
        seats, rounds = [*self.players, *[BYE] * (len(self.players) % 2)], list[Round]()
        if not self.swiss:
            for _ in seats[1:]:
                half = len(seats) // 2
                rounds.append(list(zip(seats[:half], reversed(seats[half:]), strict=True)))
                seats.insert(1, seats.pop())
            return rounds
        for _ in range((len(seats) - 1).bit_length()):
            sums = self._sums(rounds, scores)
            order = sorted(seats, key=lambda each: (each == BYE, -sums.get(each, 0)))
            met = {frozenset(pair) for pairs in rounds for pair in pairs}
            # Each has half of the others still to meet at least, so that there are pairs.
            rounds.append(_paired(order, met) or [])
            if any(BYE not in pair and frozenset(pair) not in scores for pair in rounds[-1]):
                break
        return rounds

    def points(self, scores: Scores) -> dict[str, float]:
        """Return the points of each player, the best first; a Swiss bye counts as a game won."""
        sums = self._sums(self.rounds(scores), scores)
        return dict(sorted(sums.items(), key=lambda each: -each[1]))

    def _sums(self, rounds: list[Round], scores: Scores) -> dict[str, float]:
        sums = dict.fromkeys(self.players, 0.0)
        for pair in (pair for pairs in rounds for pair in pairs):
            byes = dict.fromkeys(pair, float(self.swiss)) if BYE in pair else {}
            for player in sums.keys() & set(pair):
                sums[player] += scores.get(frozenset(pair), byes).get(player, 0)
        return sums


def _paired(seats: Sequence[str], met: set[frozenset[str]]) -> Round | None:
    """Pair each with the next one below whom they have not met; None if that cannot be."""
    for two in seats[1:]:
        if frozenset((seats[0], two)) not in met:
            rest = _paired([each for each in seats[1:] if each != two], met)
            if rest is not None:
                return [(seats[0], two), *rest]
    return None if seats else []
