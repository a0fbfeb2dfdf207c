"""Whole games by clumsy hands, in every game and both ways of sensing. `make soak` plays more."""

import pytest

from game.play import default_board
from game.rules.base.registry import find_game
from tests.tools.soak.session import Plan
from tests.tools.soak.soak import soak

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
    board = default_board("sim", find_game(name)).name
    found = soak(Plan(board, "clumsy", sensing, "sim", name), GAMES[name], 1)
    assert not found.failed, found.failures
