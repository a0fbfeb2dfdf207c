"""Levels are found by name, and pick from a search's choices as loosely as they say."""

import math
from collections import Counter
from random import Random

import pytest

from game.engine import TOP, EngineError, find_level
from game.engine.levels import LEVELS, Level, pick
from game.engine.search import Choice
from game.rules.base.errors import RulesError
from game.rules.base.message import say


def choice(move: str, value: float, *, decided: bool = False) -> Choice:
    return Choice(move, value, 10, (move,), decided)


def level(looseness: float) -> Level:
    return Level("x", say("level.first"), 1, 1.0, looseness)


CHOICES = (choice("a1", 0.7), choice("b1", 0.65), choice("c1", 0.2))


def test_levels_are_random_and_six_harder_ones():
    assert [each.name for each in LEVELS] == ["random", "1", "2", "3", "4", "5", "6"]
    assert TOP == "6"
    assert [each.nodes for each in LEVELS] == sorted(each.nodes for each in LEVELS)
    looseness = [each.looseness for each in LEVELS]
    assert looseness == sorted(looseness, reverse=True)
    assert len({each.word.key for each in LEVELS}) == len(LEVELS)


@pytest.mark.parametrize("name", ["", "0", "7", "Random", "1 "])
def test_level_that_is_not_there_is_refused_with_those_that_are(name: str):
    with pytest.raises(EngineError) as refused:
        find_level(name)
    assert isinstance(refused.value, RulesError)
    assert refused.value.message.args == {"name": name, "allowed": "random, 1, 2, 3, 4, 5, 6"}


def test_level_without_looseness_takes_the_best_and_draws_nothing():
    rng = Random(1)
    before = rng.getstate()
    assert pick(level(0.0), CHOICES, rng) is CHOICES[0]
    assert rng.getstate() == before


def test_looser_level_takes_a_worse_choice_more_often():
    shares = []
    for looseness in (0.02, 0.1, 0.5):
        rng = Random(2)
        picked = Counter(pick(level(looseness), CHOICES, rng).move for _ in range(2_000))
        shares.append(picked["c1"])
        assert picked["a1"] > picked["b1"] > picked["c1"] or looseness == 0.02
    assert shares == sorted(shares)
    assert shares[0] == 0


def test_choice_worse_by_the_looseness_is_taken_e_times_less():
    choices = (choice("a1", 0.6), choice("b1", 0.5))
    rng = Random(3)
    for looseness, spread in ((0.1, 1.0), (0.05, 2.0)):
        picked = Counter(pick(level(looseness), choices, rng, spread).move for _ in range(10_000))
        assert picked["a1"] / picked["b1"] == pytest.approx(math.e, rel=0.1)


def test_random_level_takes_any_with_the_same_chance():
    rng = Random(4)
    picked = Counter(pick(find_level("random"), CHOICES, rng).move for _ in range(3_000))
    assert all(900 < picked[each.move] < 1_100 for each in CHOICES)
