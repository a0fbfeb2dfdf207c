"""Tables at a known moment, for the tests of the state machine."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from game.rules.circle_of_life import GAME
from game.rules.game import Game
from game.table.inputs import Lifted, Touched
from game.table.table import DRAW_S, Table


class Sitting:
    """A table with a clock of its own, touched by a hand that lifts again."""

    def __init__(self, game: Game[Any, Any], options: dict[str, str]) -> None:
        self.table = Table(game, options, Random(7))
        self.now = 0.0
        self.kept = list(self.table.start(self.now))
        self.wait(DRAW_S)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.table.tick(self.now)

    def give(self, event: Any) -> None:
        self.now += 0.05
        self.kept += self.table.handle(event, self.now)

    def tap(self, *spots: str) -> None:
        for spot in spots:
            self.give(Touched(spot))
            self.give(Lifted(spot))

    def cue(self, cell: str) -> str:
        lamp = self.table.scene().cells.get(cell)
        return lamp.cue.value if lamp else ""

    @property
    def notice(self) -> str:
        notice = self.table.scene().notice
        return notice.key if notice else ""

    @property
    def prompts(self) -> list[str]:
        return [message.key for message in self.table.scene().prompt]


@pytest.fixture
def sit() -> Callable[..., Sitting]:
    def _sit(game: Game[Any, Any] = GAME, **options: str) -> Sitting:
        return Sitting(game, {"first": "1", **options})

    return _sit
