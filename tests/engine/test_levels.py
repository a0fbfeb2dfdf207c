"""Levels are found by name, and overlook moves and what follows as often as they say."""

from collections import Counter
from random import Random

import pytest

from game.engine import TOP, EngineError, find_level
from game.engine.levels import LEVELS, Level, pick
from game.engine.search import Choice
from game.rules.base.errors import RulesError
from game.rules.base.message import say


def choice(move: str, value: float, glance: float, visits: int = 10_000) -> Choice:
    return Choice(move, value, visits, (move,), glance=glance)


MEAL, QUIET, BAIT = choice("a1", 0.7, 0.6), choice("b1", 0.5, 0.5), choice("c1", 0.2, 0.7)
CHOICES = (MEAL, QUIET, BAIT)
PICKS = 5_000


def shares(overlooks: float, choices: tuple[Choice, ...] = CHOICES) -> dict[str, float]:
    """Return how often a level that overlooks so much picks each choice."""
    rng, level = Random(1), Level("x", say("level.first"), 1, 1.0, overlooks)
    picked = Counter(pick(level, choices, rng).move for _ in range(PICKS))
    return {each.move: picked[each.move] / PICKS for each in choices}


def test_levels_are_random_and_harder_ones_whose_numbers_rise():
    chance, *numbered = LEVELS
    assert (chance.name, TOP) == ("random", "6")
    numbers = [float(level.name) for level in numbered]
    assert numbers == sorted(numbers)
    # Games and settings of earlier versions name these.
    assert {1, 2, 3, 4, 5, 6} <= set(numbers)
    assert [each.nodes for each in LEVELS] == sorted(each.nodes for each in LEVELS)
    overlooks = [each.overlooks for each in LEVELS]
    assert overlooks == sorted(overlooks, reverse=True)
    assert len({each.word.key for each in LEVELS}) == len(LEVELS)


@pytest.mark.parametrize("name", ["", "0", "7", "Random", "1 "])
def test_level_that_is_not_there_is_refused_with_those_that_are(name: str):
    with pytest.raises(EngineError) as refused:
        find_level(name)
    assert isinstance(refused.value, RulesError)
    allowed = "random, 0.5, 1, 2, 3, 3.5, 4, 5, 5.5, 6"
    assert refused.value.message.args == {"name": name, "allowed": allowed}


def test_level_that_overlooks_nothing_takes_the_best_and_draws_nothing():
    rng = Random(1)
    before = rng.getstate()
    assert pick(find_level("4"), CHOICES, rng) is MEAL
    assert rng.getstate() == before


def test_move_is_missed_as_often_as_it_is_overlooked():
    # Of two moves that hide nothing, the worse one is played where only it is noticed, and every
    # second time where neither is.
    both = (choice("a1", 0.7, 0.7), choice("b1", 0.5, 0.5))
    for overlooks in (0.1, 0.5):
        missed = overlooks * (1 - overlooks) + overlooks**2 / 2
        assert shares(overlooks, both)["b1"] == pytest.approx(missed, abs=0.02)


def test_bait_is_taken_where_it_is_noticed_and_consequences_are_not():
    for overlooks in (0.1, 0.5):
        noticed = (1 - overlooks) * overlooks
        alone = overlooks**2 * (1 - overlooks) ** 2 + overlooks**3 / 3
        assert shares(overlooks)["c1"] == pytest.approx(noticed + alone, abs=0.02)


def test_move_that_was_hardly_searched_is_judged_at_first_glance():
    fluke = choice("d1", 1.0, 0.2, visits=1)
    assert shares(0.01, (MEAL, fluke))["d1"] < 0.02
