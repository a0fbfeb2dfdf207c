"""Whole games by clumsy hands: each game, however it is sensed. `make soak` plays more.

Those of Circle of Life are in `test_soak.py`.
"""

from itertools import product

import pytest

from tests.tools.soak.__main__ import soak
from tests.tools.soak.session import Plan

GAMES = [
    *product(("azteka", "adaptoid", "eat-your-neighbor", "cirkle-mind"), ("touch", "presence")),
    # Variants ask the same of hands.
    ("azteka-aggressive", "touch"),
    ("azteka-three", "presence"),
]


@pytest.mark.parametrize(("name", "sensing"), GAMES)
def test_games_by_clumsy_hands_end_well(name, sensing):
    # In many games of CirKle Mind hundreds of moves follow the set-up, in this one few.
    (played,) = soak(Plan(sensing, game=name), 1, 6 if name == "cirkle-mind" else 1)
    assert not played.failure, played.failure
