"""How long a search may go on: what `go` says, as the Universal Game Interface has it.

Owns the words of `go`, their bounds, and how much of a clock one move may have. Knows no search.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from game.engine.errors import EngineError
from game.engine.levels import TOP, Level
from game.rules.message import say

MOST = 10**9
"""The highest number that `go` takes; as milliseconds, eleven days."""
MOVES_LEFT = 20
"""A clock is to last for so many more moves."""
OVERHEAD_S = 0.05
"""So much of a clock is lost on the way between two programs."""
LEAST_S = 0.01

_NUMBERS = ("movetime", "nodes", "depth")


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a search, whichever comes first: nodes, seconds, or the length of its best line.

    `forever` says that nothing does but `stop`.
    """

    nodes: float = inf
    seconds: float = inf
    depth: float = inf
    forever: bool = False

    @property
    def given(self) -> bool:
        """Whether anything was said."""
        return self != Limits()

    def within(self, level: Level) -> "Limits":
        """Keep to the limits of a level too; those of the top level hold only if nothing is said.

        So a weak level stays weak however much time it is given.
        """
        if self.forever or (self.given and level.name == TOP):
            return self
        return Limits(min(self.nodes, level.nodes), min(self.seconds, level.seconds), self.depth)


def read_limits(words: Sequence[str], mover: int) -> Limits:
    """Read what follows `go`, for the player who moves (from 1); unknown words are skipped.

    Raises EngineError, which names the word, its value and what is allowed.
    """
    told: dict[str, int] = {}
    clocks = {f"p{mover}time", f"p{mover}inc"}
    for at, word in enumerate(words):
        if word in _NUMBERS or word in clocks:
            least = 0 if word in clocks else 1
            told[word] = _number(word, words[at + 1] if at + 1 < len(words) else "", least)
    if "infinite" in words:
        return Limits(forever=True)
    seconds = told["movetime"] / 1000 if "movetime" in told else inf
    if f"p{mover}time" in told:
        left = told[f"p{mover}time"] / 1000
        share = left / MOVES_LEFT + told.get(f"p{mover}inc", 0) / 1000
        seconds = min(seconds, max(LEAST_S, min(share, left) - OVERHEAD_S))
    return Limits(told.get("nodes", inf), seconds, told.get("depth", inf))


def _number(word: str, value: str, least: int) -> int:
    if value.isascii() and value.isdigit() and len(value) <= 10 and least <= int(value) <= MOST:
        return int(value)
    raise EngineError(say("engine.bad_number", name=word, value=value, least=least, most=MOST))
