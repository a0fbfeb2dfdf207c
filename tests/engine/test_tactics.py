"""Levels, what they find in positions of Circle of Life, and what they overlook."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from game.engine import TOP, EngineError, find_level
from game.engine.levels import LEVELS, Level, pick
from game.engine.search import SearchedMove, new_search
from game.rules.base.message import say
from game.rules.circle_of_life import GAME, Position
from tests.helpers.effort import effort
from tests.helpers.programs import forms

THINKERS = tuple(level for level in LEVELS if not level.overlooks)
"""Levels that always take the best move; the others may overlook anything, as people do."""
STRONG = tuple(find_level(name) for name in ("5", "6"))

EAT = {
    "2122./112111/.21...1/..2..22./122122..2/.1....2./.....2./.11.../.11.1 2 17-17 20": "g4",
    "...12/2.1121/...2121/.2....21/.11....12/..1.2.2./..22112/12.11./..22. 1 19-19 20": "d2",
}
"""Only this move wins at once, by eating what is missing to the target."""

THREE = {
    # By having no placement left.
    "2..21/.1211./.122.1./.1.2.2.2/222..111./2..2.122/.12122./112111/1.2.. 1 15-16 20": "f3",
    "22.11/11.221/1122..1/.2...12./.12211211/121.2.22/.1212.1/212122/12211 1 13-12 20": "d6",
    # By eating.
    "11.../112.1./.22...2/2..2.22./.2...2.../..21.12./12...22/11..2./.1... 2 13-19 20": "e1",
    "2..21/112211/2.1..../.21..2../12.....1./21..1221/121122./1..1.1/1...1 1 19-13 20": "f8",
    "2..../..21../...2.2./222..221/211.1.2../.1121.../..211../22.22./.111. 2 14-19 20": "c7",
}
"""Only this move wins by force within three plies."""

SAVES = {
    # By denying the enemy an immediate win by eating; critters that grow are eaten.
    "11.2./.2112./22..2../1.2.2122/.1......./21.11.../122.1.2/21212./1..2. 1 15-18 20": "b6",
    ".1122/1..11./.212.21/122..122/.12.2.12./21.2..11/1..1.22/2...21/21.21 1 17-18 20": "e4",
    "2211./1.2212/1.1.1.1/2.2...11/121212.1./1.1.2..2/212.11./21222./2.11. 2 18-16 20": "d6",
    # By leaving the enemy a placement; without one they would win.
    "..21./111221/.21.11./1122..12/1..11.221/.112.1.2/.221211/211221/.212. 2 19-14 20": "f5",
    "22.11/..1221/.211.2./1221.212/.112...21/2..12111/22.122./.2121./..1.2 1 11-12 20": "b6",
}
"""Only this move does not lose."""


def chosen(position: Position, level: Level, seed: int, nodes: int) -> tuple[str, float, bool]:
    """Return what a level plays, with its value and whether that is proved, in bounded nodes."""
    search = new_search(GAME, position, seed)
    search.go_on(min(nodes, level.nodes))
    choice = pick(level, search.choices(), Random(seed))
    return choice.move, choice.value, choice.decided


@pytest.mark.parametrize("seed", range(1, 1 + effort(1, 3)))
def test_forced_wins_and_moves_that_alone_do_not_lose_are_found(seed):
    for levels, moves, nodes in ((THINKERS, EAT, 1), (STRONG, THREE, 1_500)):
        for level, (text, move) in product(levels, moves.items()):
            assert chosen(GAME.parse(text), level, seed, nodes) == (move, 1.0, True)
    for level, (text, move) in product(STRONG, SAVES.items()):
        assert chosen(GAME.parse(text), level, seed, 800)[0] == move


def test_search_stops_when_it_is_settled():
    search = new_search(GAME, GAME.parse(next(iter(EAT))), 1)
    assert not search.settled
    for _ in range(2):
        search.go_on(1_000)
        assert (search.settled, search.nodes) == (True, 1)
    assert search.choices()[0].decided


def test_losses_come_last_and_are_said_to_be_proved():
    text = "2221./21112./1.22212/.11..11./.2..2.122/22.2.22./2..2.1./.11.1./11..1 2 16-19 20"
    search = new_search(GAME, GAME.parse(text), 1)
    search.go_on(800)
    proved = [choice.decided and choice.value == 0.0 for choice in search.choices()]
    assert proved == sorted(proved)
    assert any(proved)


def test_tree_keeps_to_its_bounds(monkeypatch):
    plain = forms.plain()
    monkeypatch.setattr(plain["fast.tree"], "MOST_NODES", 2_048)
    monkeypatch.setattr(plain["fast.tree"], "DEEPEST", 3)
    tree = plain["fast.tree"].Tree(plain["food_web.board"].board_of(GAME.initial()), 1, True)
    tree.go_on(500)
    assert tree.used <= tree.capacity == 2_048
    assert tree.nodes == 500
    assert all(len(tree.line(child[0])) < 2 for child in tree.children())


def choice(move: str, value: float, glance: float, visits: int = 10_000) -> SearchedMove:
    return SearchedMove(move, value, visits, (move,), glance=glance)


MEAL, QUIET, BAIT = choice("a1", 0.7, 0.6), choice("b1", 0.5, 0.5), choice("c1", 0.2, 0.7)
CHOICES = (MEAL, QUIET, BAIT)
PICKS = 5_000


def shares(overlooks: float, choices: tuple[SearchedMove, ...] = CHOICES) -> dict[str, float]:
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
    with pytest.raises(EngineError) as refused:
        find_level("Random")
    allowed = ", ".join(each.name for each in LEVELS)
    assert refused.value.message.args == {"name": "Random", "allowed": allowed}


def test_level_that_overlooks_nothing_takes_the_best_and_draws_nothing():
    rng = Random(1)
    before = rng.getstate()
    assert pick(find_level("4"), CHOICES, rng) is MEAL
    assert rng.getstate() == before


@pytest.mark.parametrize("overlooks", [0.1, 0.5])
def test_moves_are_missed_as_often_as_they_are_overlooked(overlooks):
    # Of two moves that hide nothing, the worse one is played where only it is noticed, and every
    # second time where neither is.
    both = (choice("a1", 0.7, 0.7), choice("b1", 0.5, 0.5))
    missed = overlooks * (1 - overlooks) + overlooks**2 / 2
    assert shares(overlooks, both)["b1"] == pytest.approx(missed, abs=0.02)
    # A bait is taken where it is noticed and its consequences are not.
    noticed = (1 - overlooks) * overlooks
    alone = overlooks**2 * (1 - overlooks) ** 2 + overlooks**3 / 3
    assert shares(overlooks)["c1"] == pytest.approx(noticed + alone, abs=0.02)


def test_move_that_was_hardly_searched_is_judged_at_first_glance():
    fluke = choice("d1", 1.0, 0.2, visits=1)
    assert shares(0.01, (MEAL, fluke))["d1"] < 0.02
