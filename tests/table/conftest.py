"""Tables at a known moment, for the tests of the state machine."""

from typing import Any

import pytest

from game.rules.base.game import Game
from game.rules.circle_of_life import GAME
from game.table import Phase
from game.table.inputs import Command, SeatsChanged, SubmitSetup
from tests.helpers.games.toy_hidden import GREEN, MAUVE, ToyHidden
from tests.table.random_game import TableSession


@pytest.fixture
def sit():
    def _sit(
        game: Game[Any, Any] = GAME, presence: bool = False, offers: bool = False, **options: str
    ) -> TableSession:
        return TableSession(game, {"first": "1", **options}, presence, offers)

    return _sit


@pytest.fixture
def hidden(sit):
    """Start laying out with the toy of hidden pieces; the table has been told of seats."""

    def _hidden(*seated: int, presence: bool = False) -> TableSession:
        return sit(ToyHidden(), presence=presence).do(SeatsChanged(frozenset(seated)))

    return _hidden


@pytest.fixture
def started(hidden):
    """Start before the first move."""

    def _started(*seated: int, presence: bool = False) -> TableSession:
        session = hidden(*seated, presence=presence)
        session.do(SubmitSetup(1, GREEN), SubmitSetup(2, MAUVE))
        session.do({*GREEN, *MAUVE} if presence else Command.CONFIRM)
        assert session.phase is Phase.TAP
        return session

    return _started
