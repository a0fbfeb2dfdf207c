"""What a search of one position offers to whoever wants to play, hint or judge.

Owns the small interface that every search has. Must not know clocks, processes or people: whoever
holds a search decides how long it goes on.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from game.rules.game import Game


@dataclass(frozen=True, slots=True)
class Choice:
    """One move of a searched position, as far as it is known.

    `move` is its plain text. `value` is the score that its player may expect of it, from 0 (a loss)
    to 1 (a win); `decided` says that this is proved. `visits` is how many nodes looked at it.
    `line` is the likeliest play from here, `move` first, in plain texts.
    """

    move: str
    value: float
    visits: int
    line: tuple[str, ...]
    decided: bool = False


class Search(ABC):
    """A search of one position, whose game is not over, for the player to move.

    It goes on when it is told to, by so many nodes, and can be asked at any time between.
    With the same seed and the same numbers of nodes it finds the same.
    """

    @property
    @abstractmethod
    def nodes(self) -> int:
        """How many nodes have been searched so far; one node is one simulation."""

    @property
    @abstractmethod
    def settled(self) -> bool:
        """Whether more nodes would change nothing: the best move is proved, or is the only one."""

    @abstractmethod
    def go_on(self, nodes: int) -> None:
        """Search so many nodes more, fewer if it becomes settled."""

    @abstractmethod
    def choices(self) -> tuple[Choice, ...]:
        """List the legal moves that were looked at, best first; at least one."""


NewSearch: TypeAlias = Callable[[Game[Any, Any], Any, int], Search]
"""Begins a search: of a game, a position in which somebody moves, and with a seed."""
