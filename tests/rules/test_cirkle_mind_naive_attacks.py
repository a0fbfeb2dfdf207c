"""Every attack of CirKle Mind ends as its naive implementation says: all faces, all shields."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind_attack import Result, bare, shielded
from game.rules.cirkle_mind_faces import NUMBER
from game.rules.cirkle_mind_squares import shield
from tests.oracles.naive_cirkle_mind import (
    AHEAD,
    ARMIES,
    FACES,
    OTHER,
    PRINTED,
    SHIELDED,
    SIDES,
    SQUARES,
    TARGETS,
    NaiveMind,
    kind,
    verdict,
)

LEVELS = tuple(SHIELDED)
EASY_ENDS = {
    "black black win",
    "black coloured win",
    "black target win",
    "coloured black loss",
    "coloured black win",
    "coloured coloured stay",
    "coloured coloured win",
    "coloured target win",
    "target black loss",
    "target coloured stay",
    "target coloured win",
    "target target win",
}
SHIELDED_ENDS = EASY_ENDS | {
    "black black loss",
    "black coloured stay",
    "coloured coloured loss",
    "target coloured loss",
}
RESULTS = {Result.ATTACKER: "win", Result.DEFENDER: "loss", Result.BOTH: "stay"}
FAR = ("A1", "C1", "F6", "A11", "H9")
"""Where targets stand that a position must have."""
PRINTS = sorted(set(PRINTED.values()))
"""All that can be on a square, nothing too."""


def test_every_attack_between_any_squares_ends_as_the_naive_one() -> None:
    # Squares that the layout never puts beside each other, too.
    for one, two in product(FACES, FACES):
        numbers = NUMBER[one], NUMBER[two]
        assert RESULTS[bare(*numbers)] == verdict(one, two, "", "", shielded=False)
        for at, against in product(PRINTS, PRINTS):
            got = shielded(*numbers, shield(one, at), shield(two, against))
            wanted = verdict(one, two, at, against, shielded=True)
            assert RESULTS[got] == wanted, (one, two, at, against)


def relation(face: str, square: str) -> str:
    """Say how a face goes with what is printed on a square."""
    if not square:
        return "neutral"
    return f"{face[0] == square[0]} {face[1] == square[1]}"


def approaches(army: str) -> list[tuple[str, str, str]]:
    """List from where to where a piece of an army can go, and whom it can attack from there."""
    return [
        (start, at, against)
        for start in SQUARES
        for at in (AHEAD[army][start], *SIDES[start])
        if at is not None
        for against in (AHEAD[army][at], *SIDES[at])
        if against is not None and against != start
    ]


def compare_attack(naive: NaiveMind, text: str) -> None:
    """Let an attack be played in both, and compare what comes of it."""
    position = GAME.from_json(naive.answer(0, None), {"level": naive.level})
    move = GAME.parse_move(position, text)
    got, wanted = GAME.play(position, move), naive.play(text)
    assert GAME.pieces(got) == wanted.pieces, (naive.pieces, text)
    assert GAME.removed(position, move) == wanted.gone, (naive.pieces, text)
    assert GAME.score(got) == wanted.score
    assert GAME.to_move(got) == wanted.to_move
    outcome = GAME.outcome(got)
    assert (outcome and (outcome.winner, outcome.reason)) == wanted.outcome


def ended(naive: NaiveMind, one: str, two: str, at: str, against: str) -> str:
    """Name the two kinds of an attack, and how it ends."""
    here, there = PRINTED[at], PRINTED[against]
    return f"{kind(one)} {kind(two)} {verdict(one, two, here, there, SHIELDED[naive.level])}"


@pytest.mark.parametrize("level", LEVELS)
def test_every_attack_on_the_board_ends_as_the_naive_one(level: str) -> None:
    rng = Random(9)
    ways = {army: approaches(army) for army in ARMIES}
    met: Counter[str] = Counter()
    for number, (one, two) in enumerate(product(FACES, FACES)):
        army = ARMIES[number % 2]
        # One way for each that the two faces can stand on what is printed.
        there = {
            (relation(one, PRINTED[at]), relation(two, PRINTED[against])): (start, at, against)
            for start, at, against in rng.sample(ways[army], len(ways[army]))
        }
        for start, at, against in there.values():
            pieces = {start: army + one, against: OTHER[army] + two}
            far = [each for each in FAR if each not in (start, at, against)]
            for code in set(TARGETS.values()) - set(pieces.values()):
                pieces[far.pop()] = code
            leader = 1 if NaiveMind(level).led_by(1) == army else 2
            naive = NaiveMind(level, to_move=leader, phase="play", pieces=pieces)
            compare_attack(naive, f"{start}-{at}*{against}")
            met[ended(naive, one, two, at, against)] += 1
    assert set(met) >= (SHIELDED_ENDS if SHIELDED[level] else EASY_ENDS)
    assert sum(met.values()) > 6000
