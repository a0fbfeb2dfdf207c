"""A guesser of set-ups in CirKle Mind, who knows the program and sees which squares are occupied.

It learns from many drawn set-ups which faces go with what is visible of a square, and is scored on
others; without leaks it does no better than chance.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from game.rules.cirkle_mind.squares import BOARD, ZONES

MOST = 1.5
"""A guesser may be this many times as good as chance."""


@dataclass(frozen=True, slots=True)
class Guessed:
    """How well it guesses: faces named correctly in a set-up, share of targets found at once."""

    names: float
    target: float

    @property
    def as_good_as_chance(self) -> bool:
        return self.names <= MOST and self.target <= MOST / 24


def guess(draws: Sequence[Mapping[str, str]], target: str) -> Guessed:
    """Learn from each half of some set-ups, codes by cell, and guess the other half."""
    halves, names, targets = (draws[::2], draws[1::2]), 0, 0
    for known, hidden in (halves, halves[::-1]):
        likely: defaultdict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
        for pieces in known:
            for cell, code in pieces.items():
                likely[_seen(pieces, cell)][code] += 1
        for pieces in hidden:
            codes = {cell: likely[_seen(pieces, cell)] for cell in pieces}
            firsts = {cell: (codes[cell].most_common(1) or [("", 0)])[0][0] for cell in pieces}
            names += sum(firsts[cell] == code for cell, code in pieces.items())
            best = max(codes, key=lambda cell: codes[cell][target] / (codes[cell].total() or 1))
            targets += pieces[best] == target
    return Guessed(names / len(draws), targets / len(draws))


def _seen(pieces: Mapping[str, str], cell: str) -> tuple[str, bool]:
    """Return what is visible of a square: which it is, and whether all around it are occupied."""
    zone = next(each for each in ZONES if cell in each)
    return cell, all(other in pieces for other in BOARD.neighbours[cell] if other in zone)
