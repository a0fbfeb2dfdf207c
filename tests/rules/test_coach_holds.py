"""What the coach says is true, shown by a judge that knows nothing of it but the rules."""

import pytest

from game.rules.base.registry import find_game
from tests.oracles.coach_judge import STARTS
from tests.tools.coach import judged


@pytest.mark.parametrize("name", STARTS)
def test_what_the_coach_says_holds_by_the_rules(name):
    said = 0
    for position, idea, true in judged(name, 40, 4):
        assert true, (idea.message, find_game(name).text(position))
        said += 1
    assert said
