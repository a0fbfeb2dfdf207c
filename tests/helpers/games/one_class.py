"""A game and its presentation in one class, for small made-up games."""

from functools import cached_property
from typing import Any

from game.rules.base.game import Game, HiddenGame, Presentation


class OneClassGame(Game[Any, Any], Presentation[Any, Any]):
    """A game that is its own presentation."""

    def __init__(self) -> None:
        self.game = self

    @cached_property
    def presentation(self) -> Presentation[Any, Any]:
        return self


class OneClassHiddenGame(HiddenGame[Any, Any], OneClassGame):
    """Like OneClassGame, for a game that hides pieces."""
