"""The interface of a search of one position.

Must not know clocks or processes: the caller decides how long to search.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from game.rules.base.game import AnyGame


@dataclass(frozen=True, slots=True)
class Choice:
    """One move of a searched position.

    `move` is its plain text. `value` is the expected score of its player, from 0 (loss) to 1 (win);
    `decided` means that it is proved. `visits` counts the nodes below it. `line` is the likeliest
    play, `move` first, in plain texts. `glance` is its value before any reply is considered; only
    the glances of one search can be compared.
    """

    move: str
    value: float
    visits: int
    line: tuple[str, ...]
    decided: bool = False
    glance: float = 0.5


class Search(ABC):
    """A search of one position, whose game is not over, for the player to move.

    The same seed and numbers of nodes give the same choices.
    """

    @property
    @abstractmethod
    def nodes(self) -> int:
        """How many nodes have been searched; one node is one simulation."""

    @property
    @abstractmethod
    def settled(self) -> bool:
        """Whether more nodes cannot change the result: the best move is proved or the only one."""

    def grade(self) -> None:
        """Search every move enough to be graded, also when the best one is proved."""
        return

    @abstractmethod
    def go_on(self, nodes: int) -> None:
        """Search more nodes, or fewer if the search becomes settled."""

    @abstractmethod
    def choices(self) -> tuple[Choice, ...]:
        """List the searched moves, best first; at least one."""


class OnlyMove(Search):
    """A search result without a search: one move, with the value of an even position."""

    nodes, settled = 0, True

    def __init__(self, move: str, even: float) -> None:
        self._choice = Choice(move, even, 0, (move,))

    def go_on(self, nodes: int) -> None:
        """Search nothing."""

    def choices(self) -> tuple[Choice, ...]:
        return (self._choice,)


NewSearch: TypeAlias = Callable[[AnyGame, Any, int], Search]
"""Begins a search of a game, a position and a seed."""
