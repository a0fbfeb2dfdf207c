"""Which search serves which game, and how far it has to go to judge one.

Owns the choice: a game with a search of its own gets that, any other a general one, of which there
are two: for games in which players see all, and for those in which they do not.
"""

from typing import Any

from game.engine.circle.search import CircleSearch
from game.engine.general import GeneralSearch
from game.engine.hidden import HiddenSearch
from game.engine.search import Search
from game.rules.circle_of_life import GAME as CIRCLE_OF_LIFE
from game.rules.game import Game

JUDGING, GENERAL_JUDGING = 10_000, 500
"""So many nodes judge a position; of the general search, which is far slower, so many."""


def new_search(game: Game[Any, Any], position: Any, seed: int, *, plain: bool = False) -> Search:
    """Begin the best search that there is for a game, in a position where somebody moves.

    `plain` asks for one without any knowledge of the game: UCT with random playouts.
    """
    if game.name == CIRCLE_OF_LIFE.name:
        return CircleSearch(position, seed, plain=plain)
    if game.hidden:
        return HiddenSearch(game, position, seed, plain=plain)
    return GeneralSearch(game, position, seed, plain=plain)


def judging_nodes(game: Game[Any, Any]) -> int:
    """Return how many nodes judge a position of a game well enough, in a time that people wait."""
    return JUDGING if game.name == CIRCLE_OF_LIFE.name else GENERAL_JUDGING
