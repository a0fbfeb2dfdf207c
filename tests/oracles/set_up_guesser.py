"""A guesser of set-ups in CirKle Mind, who knows the program and sees which squares are occupied.

It learns from many drawn set-ups which faces go with what is visible of a square, and is scored on
others; without leaks it does no better than chance.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from game.rules.cirkle_mind.squares import BOARD, ZONES

CHANCE_OF_NAMES, CHANCE_OF_TARGET = 1.0, 1 / 24
"""Faces that are named rightly in a set-up, and how often the first guess is the own target."""
MOST = 1.5
"""A guesser may be this many times as good as chance."""

_Seen = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Guessed:
    """How well it guesses: faces named correctly in a set-up, share of targets found at once."""

    names: float
    target: float

    @property
    def as_good_as_chance(self) -> bool:
        return self.names <= MOST * CHANCE_OF_NAMES and self.target <= MOST * CHANCE_OF_TARGET


def guess(draws: Sequence[Mapping[str, str]], target: str) -> Guessed:
    """Learn from each half of some set-ups, codes by cell, and guess the other half."""
    halves = draws[::2], draws[1::2]
    names = targets = 0
    for known, hidden in (halves, halves[::-1]):
        likely: defaultdict[_Seen, Counter[str]] = defaultdict(Counter)
        for pieces in known:
            for seen, code in _look(pieces):
                likely[seen][code] += 1
        best = {seen: codes.most_common(1)[0][0] for seen, codes in likely.items()}
        odds = {seen: codes[target] / codes.total() for seen, codes in likely.items()}
        for pieces in hidden:
            army = list(_look(pieces))
            names += sum(best.get(seen) == code for seen, code in army)
            targets += max(army, key=lambda each: odds.get(each[0], 0.0))[1] == target
    return Guessed(names / len(draws), targets / len(draws))


def _look(pieces: Mapping[str, str]) -> Iterator[tuple[_Seen, str]]:
    """List what is visible of each occupied square, and its face; for the score the face only.

    Visible are the square, and whether all squares of the zone around it are occupied.
    """
    zone = next(each for each in ZONES if next(iter(pieces)) in each)
    for cell, code in pieces.items():
        near = (other for other in BOARD.neighbours[cell] if other in zone)
        yield (cell, all(other in pieces for other in near)), code
