"""CirKle Mind agrees with its naive implementation."""

import json
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from game.cli.referee import referee
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.faces import FACES, NUMBER, Result, bare, shielded
from game.rules.cirkle_mind.squares import shield
from tests.helpers.effort import effort
from tests.oracles.naive_cirkle_mind import PRINTED, SHIELDED, NaiveMind, verdict
from tests.oracles.naive_cirkle_mind_hands import Line, hemmed_in, lines_of_game, some_left

LEVELS = tuple(SHIELDED)
GAMES = effort(24, 300)
MOST_PLIES = 5000
RESULTS = {Result.ATTACKER: "win", Result.DEFENDER: "loss", Result.BOTH: "stay"}
WRONG_SHARE = 0.1

EVENTS = {
    "target taken",
    "target lost by its own attack",
    "pass",
    "attack ahead in front",
    "attack ahead beside",
    "attack aside in front",
    "attack aside beside",
    "came back to an enemy",
    "seen attacker",
    "unseen attacker",
}


def start_of(seed: int, level: str) -> NaiveMind:
    """Draw where the game of a seed begins: mostly with the set-ups, else with few pieces."""
    rng = Random(seed)
    start = NaiveMind(level, first=rng.choice((1, 2)))
    if seed % 6 == 4:
        start = some_left(rng, level)
    if seed % 6 == 5:
        start = hemmed_in(rng, level)
    return start


def lines_of(seed: int, start: NaiveMind, seen: Counter[str]) -> list[Line]:
    return list(lines_of_game(Random(seed), start, MOST_PLIES, WRONG_SHARE, seen))


def options_of(start: NaiveMind) -> dict[str, str]:
    return {"level": start.level, "first": str(start.first)}


def compare(start: NaiveMind, lines: list[Line]) -> None:
    """Let the referee hear the lines of a naive game, and compare every answer."""
    shown = None if start.phase == "setup" else json.dumps(lines[0].answer)
    heard = [line.text for line in lines[1:]]
    answers = referee(GAME, options_of(start), shown, True, heard)
    for line, answer in zip(lines, answers, strict=True):
        check(line, json.loads(answer.text))
        assert answer.refused == line.refused


def check(line: Line, got: dict[str, Any]) -> None:
    """Compare one answer; a refusal has an error text beside the usual answer."""
    if line.refused:
        assert got.pop("error", "") != "", line
    assert got == line.answer, line


@pytest.mark.parametrize("level", LEVELS)
def test_random_games_agree_at_every_ply(level: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        start = start_of(seed, level)
        compare(start, lines_of(seed, start, seen))
    assert EVENTS - set(seen) == set()
    assert seen["played to the end"] == GAMES


def test_every_attack_between_any_squares_ends_as_the_naive_one() -> None:
    # Squares that the layout never puts beside each other, too.
    prints = sorted(set(PRINTED.values()))
    for one, two in product(FACES, FACES):
        numbers = NUMBER[one], NUMBER[two]
        assert RESULTS[bare(*numbers)] == verdict(one, two, "", "", shielded=False)
        for at, against in product(prints, prints):
            got = shielded(*numbers, shield(one, at), shield(two, against))
            wanted = verdict(one, two, at, against, shielded=True)
            assert RESULTS[got] == wanted, (one, two, at, against)
