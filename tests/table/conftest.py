"""Tables at a known moment, for the tests of the state machine."""

from collections.abc import Callable
from typing import Any

import pytest

from game.rules.base.game import Game
from game.rules.circle_of_life import GAME
from tests.table.random_game import TableSession


@pytest.fixture
def sit() -> Callable[..., TableSession]:
    def _sit(
        game: Game[Any, Any] = GAME, presence: bool = False, offers: bool = False, **options: str
    ) -> TableSession:
        return TableSession(game, {"first": "1", **options}, presence, offers)

    return _sit
