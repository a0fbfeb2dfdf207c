"""Whole games by clumsy hands, in every game and both ways of sensing. `make soak` plays more."""

import pytest

from tests.tools.soak.__main__ import soak
from tests.tools.soak.session import Plan

GAMES = {
    "circle-of-life": 3,
    "azteka": 2,
    "azteka-aggressive": 1,
    "azteka-three": 1,
    "adaptoid": 1,
    "eat-your-neighbor": 2,
    # Its games are long: players lay out 48 pieces.
    "cirkle-mind": 1,
}


@pytest.mark.parametrize("sensing", ["touch", "presence"])
@pytest.mark.parametrize("name", GAMES)
def test_games_by_clumsy_hands_end_well(name, sensing):
    failures = [each.failure for each in soak(Plan(sensing, game=name), GAMES[name], 1)]
    assert not any(failures), failures
