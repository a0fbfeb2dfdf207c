"""Tables at a known moment, for the tests of the state machine."""

from collections.abc import Callable
from typing import Any

import pytest

from game.rules.base.game import Game
from game.rules.circle_of_life import GAME
from tests.table.random_game import Sitting


@pytest.fixture
def sit() -> Callable[..., Sitting]:
    def _sit(game: Game[Any, Any] = GAME, presence: bool = False, **options: str) -> Sitting:
        return Sitting(game, {"first": "1", **options}, presence)

    return _sit
