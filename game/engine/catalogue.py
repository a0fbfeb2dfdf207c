"""Choose the search for a game: a fast board if it has one, else the general board."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from game.engine.search import OnlyMove, Search
from game.rules.base.game import AnyGame

if TYPE_CHECKING:
    from game.engine.fast.board import Board
    from game.engine.fast.search import Texts

JUDGING, GENERAL_JUDGING = 10_000, 2_000
"""Nodes to judge a position; fewer for the general search, which is far slower."""

NOISE_VISITS: dict[str, int] = {"adaptoid": 5, "": 50}
"""With so many nodes, by game, half of the difference between two values is noise, and is left
out. Games whose playouts end early, by an evaluation, have less of it."""


# Import boards only when a search begins: the process that runs the table never searches.
def _circle_of_life(position: Any) -> "tuple[Board, Texts]":
    from game.engine.circle import board

    return board.board_of(position), board.texts


def _adaptoid(position: Any) -> "tuple[Board, Texts]":
    from game.engine.fast import adaptoid

    return adaptoid.board_of(position), partial(adaptoid.texts_from, position)


def _azteka(position: Any) -> "tuple[Board, Texts]":
    from game.engine.fast import azteka

    return azteka.board_of(position), azteka.texts


def _cirkle_mind(position: Any, seen: Any = None) -> "tuple[Board, Texts]":
    from game.engine.fast import cirkle_mind

    return cirkle_mind.board_of(position, seen), partial(cirkle_mind.texts_from, position)


FAST: dict[str, "Callable[..., tuple[Board, Texts]]"] = {
    "adaptoid": _adaptoid,
    "circle-of-life": _circle_of_life,
    "cirkle-mind": _cirkle_mind,
    **dict.fromkeys(("azteka", "azteka-aggressive", "azteka-three"), _azteka),
}
"""By game, a function from a position to its fast board and a writer of move texts.

In a game that hides pieces it takes a drawn position and the one that is seen."""


def new_search(game: AnyGame, position: Any, seed: int, *, plain: bool = False) -> Search:
    """Create the best search for a game, in a position where the game is not over.

    `plain` asks for UCT with random playouts, without knowledge of the game.
    """
    rng = Random(seed)
    if game.arranging(position, game.to_move(position) or 1) is not None:
        # All hidden set-ups are equally good, so nothing is searched.
        move = game.legal_moves(position).pick(rng)
        return OnlyMove(game.plain_text(position, move), 1 / len(game.players))
    from game.engine.fast.search import DrawnSearch, FastSearch

    if game.name not in FAST:
        from game.engine.general import GeneralBoard

        board = GeneralBoard(game, game.supposed(position, rng), seed)
        plain = plain or not (game.goals(position) or game.evaluate(position))
        if not plain:
            board.prepare()
        return FastSearch(board, board.texts, seed, plain=plain)
    board_of = FAST[game.name]
    if game.supposed(position, rng) is position:
        return FastSearch(*board_of(position), seed, plain=plain)

    def draw() -> "Board":
        return board_of(game.supposed(position, rng), position)[0]

    return DrawnSearch(draw, board_of(position)[1], seed, plain=plain)


def judging_nodes(game: AnyGame) -> int:
    """Return the number of nodes to judge a position: accurate enough, and soon enough."""
    return JUDGING if game.name in FAST else GENERAL_JUDGING
