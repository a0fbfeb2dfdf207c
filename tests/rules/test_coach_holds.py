"""The coach's claims are true, shown by playing out every move that it mentions."""

import pytest

from game.rules.base.advice import ideas
from game.rules.base.registry import find_game
from game.rules.food_web import advice
from tests.helpers.effort import effort
from tests.oracles.coach_judge import Judge, positions

GAMES = {
    "circle-of-life": (20, 50),
    "eat-your-neighbor": (4, 0),
    "azteka": (60, 0),
    "azteka-three": (60, 0),
    "adaptoid": (20, 0),
}
"""Positions of each game, and the nodes by which the engine plays; 0 plays at random."""


@pytest.mark.parametrize("name", GAMES)
def test_what_the_coach_says_holds_by_the_rules(name: str):
    game, said = find_game(name), 0
    judge = Judge(game)
    for position, past in positions(game, effort(1, 10) * GAMES[name][0], GAMES[name][1], 4):
        for idea in ideas(game, position, past[-2:]):
            assert judge.holds(position, past, idea), (idea.message, game.text(position))
            said += 1
    assert said


def test_the_judge_finds_what_detectors_say_that_overlook_a_meal(monkeypatch):
    game, wrong = find_game("circle-of-life"), set()
    judge, whole = Judge(game), advice.meals
    monkeypatch.setattr(advice, "meals", lambda position: whole(position)[1:])
    for position, past in positions(game, 12, 20, 2):
        for idea in ideas(game, position, past[-2:]):
            if not judge.holds(position, past, idea):
                wrong.add(idea.message.key.rpartition("_")[2])
    assert "danger" in wrong
