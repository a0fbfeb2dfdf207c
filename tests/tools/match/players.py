"""Who makes the moves of a match: a level or plain UCT, searched in this process.

Owns how a search is given its nodes and its time. Another program plays through `ugi_program`.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from game.engine.catalogue import new_search
from game.engine.levels import find_level, pick
from game.engine.search import Search
from game.rules.base.game import Game
from tests.tools.match.specs import Kind, Spec

_SLICE = 32
"""Nodes between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """The plain text of a move, and what it cost; `cut` says that the clock ended the search."""

    move: str
    nodes: int
    seconds: float
    cut: bool = False


class PlayerError(Exception):
    """A player made no legal move; it loses the game."""


class Player(Protocol):
    """One engine in one game after the other."""

    def begin(self, rng: Random) -> None:
        """Begin a game; all chance in it comes from `rng`. Raises PlayerError."""

    def choose(self, position: Any) -> ChosenMove:
        """Choose a move in a position of this player's turn; raises PlayerError."""

    def close(self) -> None:
        """Release everything."""


class OwnEngine:
    """A level, or plain UCT."""

    def __init__(
        self,
        game: Game[Any, Any],
        spec: Spec,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._game = game
        self._spec = spec
        self._clock = clock
        self._rng = Random(0)

    def begin(self, rng: Random) -> None:
        """Begin a game."""
        self._rng = rng

    def choose(self, position: Any) -> ChosenMove:
        """Search, and choose as the level does; plain UCT takes the best."""
        began = self._clock()
        plain = self._spec.kind is Kind.UCT
        search = new_search(self._game, position, self._rng.randrange(2**32), plain=plain)
        cut = self._search(search, began)
        choices = search.choices()
        chosen = choices[0]
        if not plain:
            chosen = pick(find_level(self._spec.name), choices, self._rng, search.spread)
        return ChosenMove(chosen.move, search.nodes, self._clock() - began, cut)

    def close(self) -> None:
        """Do nothing."""

    def _search(self, search: Search, began: float) -> bool:
        """Search to the limits; tell whether the limit of time was reached."""
        nodes, seconds = self._spec.nodes, self._spec.seconds
        while not search.settled and (nodes is None or search.nodes < nodes):
            if seconds is not None and self._clock() >= began + seconds:
                return True
            search.go_on(_SLICE if nodes is None else min(_SLICE, nodes - search.nodes))
        return False
