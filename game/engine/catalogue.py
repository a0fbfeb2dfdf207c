"""Which search a game gets: a fast board if it has one, else the general one, or the hidden one."""

from collections.abc import Callable
from functools import partial
from typing import Any

from game.engine.circle import board as circle
from game.engine.fast import adaptoid, azteka
from game.engine.fast.board import Board
from game.engine.fast.search import FastSearch, Texts
from game.engine.general import GeneralSearch
from game.engine.hidden import HiddenSearch
from game.engine.search import Search
from game.rules.base.game import AnyGame

JUDGING, GENERAL_JUDGING = 10_000, 500
"""Nodes to judge a position; fewer for the general search, which is far slower."""
FAST: dict[str, tuple[Callable[[Any], Board], Callable[[Any], Texts]]] = {
    "adaptoid": (adaptoid.board_of, lambda position: partial(adaptoid.texts_from, position)),
    "circle-of-life": (circle.board_of, lambda position: circle.texts),
    **dict.fromkeys(
        ("azteka", "azteka-aggressive", "azteka-three"),
        (azteka.board_of, lambda position: azteka.texts),
    ),
}
"""The games with a fast board: its board of a position, and the texts of moves from there."""


def new_search(game: AnyGame, position: Any, seed: int, *, plain: bool = False) -> Search:
    """Begin the best search of a game in a position that is not the end.

    `plain` asks for UCT with random playouts, without knowledge of the game.
    """
    if game.name in FAST:
        board_of, texts_from = FAST[game.name]
        return FastSearch(board_of(position), texts_from(position), seed, plain=plain)
    if game.hidden:
        return HiddenSearch(game, position, seed, plain=plain)
    return GeneralSearch(game, position, seed, plain=plain)


def judging_nodes(game: AnyGame) -> int:
    """Return how many nodes judge a position well enough in a time that people wait."""
    return JUDGING if game.name in FAST else GENERAL_JUDGING
