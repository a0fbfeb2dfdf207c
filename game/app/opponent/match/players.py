"""Who makes the moves of a match: our own searches, here in this process.

Owns how a search is given its nodes and its time. Another program plays through
`game.app.opponent.match.foreign`.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from game.app.opponent.match.specs import Kind, Spec
from game.engine.catalogue import new_search
from game.engine.levels import find_level, pick
from game.engine.search import Search
from game.rules.game import Game

_SEEDS = 2**32
_FEW, _MOST = 16, 1 << 20
_SLICE_S = 0.02
"""So long may a search go on, roughly, before the clock is looked at again."""


@dataclass(frozen=True, slots=True)
class Thought:
    """The plain text of a move, and what it cost; `cut` says that the clock ended the search."""

    move: str
    nodes: int
    seconds: float
    cut: bool = False


class PlayerError(Exception):
    """A player that made no legal move; it loses the game."""


class Player(Protocol):
    """One engine in one game after the other."""

    def begin(self, rng: Random) -> None:
        """Begin a game; all chance in it comes from `rng`. Raises PlayerError."""
        ...

    def think(self, position: Any) -> Thought:
        """Choose a move in a position that is this player's; raises PlayerError."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


class House:
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

    def think(self, position: Any) -> Thought:
        """Search, and choose as the level does; plain UCT takes the best."""
        began = self._clock()
        plain = self._spec.kind is Kind.UCT
        search = new_search(self._game, position, self._rng.randrange(_SEEDS), plain=plain)
        cut = self._search(search, began)
        choices = search.choices()
        level = None if plain else find_level(self._spec.name)
        chosen = pick(level, choices, self._rng) if level else choices[0]
        return Thought(chosen.move, search.nodes, self._clock() - began, cut)

    def close(self) -> None:
        """There is nothing to let go of."""

    def _search(self, search: Search, began: float) -> bool:
        """Search to the limits; tell whether the clock was the one that was reached."""
        nodes, seconds = self._spec.nodes, self._spec.seconds
        step = _FEW
        while not search.settled and (nodes is None or search.nodes < nodes):
            left_s = _SLICE_S
            if seconds is not None:
                left_s = began + seconds - self._clock()
                if left_s <= 0:
                    return True
            before, then = search.nodes, self._clock()
            search.go_on(step if nodes is None else min(step, nodes - before))
            if search.nodes == before:
                break
            took_s = self._clock() - then
            step = _next_step(search.nodes - before, took_s, min(left_s, _SLICE_S))
        return False


def _next_step(nodes: int, took_s: float, slice_s: float) -> int:
    """Say how many nodes fit into a slice of time, after so many took so long."""
    fitting = int(nodes * slice_s / took_s) if took_s > 0 else _MOST
    return max(1, min(fitting, 4 * nodes, _MOST))
