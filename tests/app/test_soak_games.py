"""Whole games by clumsy hands, in every game and both ways of sensing. `make soak` plays more."""

import pytest

from game.app.boards import usual
from game.app.soak.sitting import Plan
from game.app.soak.soak import report, soak
from game.rules.catalogue import find_game

GAMES = {
    "circle-of-life": 20,
    "azteka": 6,
    "azteka-aggressive": 4,
    "azteka-three": 4,
    "adaptoid": 6,
    # Its games are long: players lay out 48 pieces.
    "cirkle-mind": 2,
}


@pytest.mark.parametrize("sensing", ["touch", "presence"])
@pytest.mark.parametrize("name", GAMES)
def test_games_by_clumsy_hands_end_well(name: str, sensing: str):
    board = usual("sim", find_game(name)).name
    found = soak([Plan(board, "clumsy", sensing, "sim", name)], GAMES[name], 1, 1)
    assert not found.failed, report(found, as_json=False)
