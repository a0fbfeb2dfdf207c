"""Which search a game gets: its own if it has one, else the general one, with or without hiding."""

from typing import Any

from game.engine.circle.search import CircleSearch
from game.engine.general import GeneralSearch
from game.engine.hidden import HiddenSearch
from game.engine.search import Search
from game.rules.base.game import AnyGame
from game.rules.circle_of_life import GAME as CIRCLE_OF_LIFE

JUDGING, GENERAL_JUDGING = 10_000, 500
"""Nodes to judge a position; fewer for the general search, which is far slower."""


def new_search(game: AnyGame, position: Any, seed: int, *, plain: bool = False) -> Search:
    """Begin the best search of a game in a position that is not the end.

    `plain` asks for UCT with random playouts, without knowledge of the game.
    """
    if game.name == CIRCLE_OF_LIFE.name:
        return CircleSearch(position, seed, plain=plain)
    if game.hidden:
        return HiddenSearch(game, position, seed, plain=plain)
    return GeneralSearch(game, position, seed, plain=plain)


def judging_nodes(game: AnyGame) -> int:
    """Return how many nodes judge a position well enough in a time that people wait."""
    return JUDGING if game.name == CIRCLE_OF_LIFE.name else GENERAL_JUDGING
