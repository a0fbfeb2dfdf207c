"""A whole game by clumsy hands of every game and way of sensing. `make soak` plays more.

Those of Circle of Life are in `test_soak.py`.
"""

import pytest

from tests.tools.soak.__main__ import soak
from tests.tools.soak.session import Plan

AZTEKAS = ("azteka", "azteka-aggressive", "azteka-three")


@pytest.mark.parametrize("sensing", ["touch", "presence"])
@pytest.mark.parametrize("name", [*AZTEKAS, "adaptoid", "eat-your-neighbor", "cirkle-mind"])
def test_games_by_clumsy_hands_end_well(name, sensing):
    # In many games of CirKle Mind hundreds of moves follow the set-up, in this one few.
    (played,) = soak(Plan(sensing, game=name), 1, 6 if name == "cirkle-mind" else 1)
    assert not played.failure, played.failure
