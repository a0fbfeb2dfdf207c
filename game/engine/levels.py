"""How strong a computer player is: its levels, and what each makes of a search.

Owns the levels from easy to hard, how long each searches, and how loosely it picks. Must not know
clocks: whoever searches keeps to `seconds`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from game.engine.errors import EngineError
from game.engine.search import Choice
from game.rules.message import Message, say


@dataclass(frozen=True, slots=True)
class Level:
    """One strength: its name for programs, its word for people, and how it plays.

    It searches until `nodes` or `seconds` are spent, whichever comes first. `looseness` is in
    units of a choice's value: 0 always takes the best, infinity any with the same chance.
    """

    name: str
    word: Message
    nodes: int
    seconds: float
    looseness: float


LEVELS: tuple[Level, ...] = (
    Level("random", say("level.random"), 1, 3.0, math.inf),
    Level("1", say("level.first"), 50, 3.0, 0.15),
    Level("2", say("level.second"), 50, 3.0, 0.06),
    Level("3", say("level.third"), 60, 3.0, 0.02),
    Level("4", say("level.fourth"), 200, 3.0, 0.0),
    Level("5", say("level.fifth"), 2_000, 3.0, 0.0),
    Level("6", say("level.sixth"), 10_000_000, 3.0, 0.0),
)
"""All levels, easiest first."""

TOP = LEVELS[-1].name


def find_level(name: str) -> Level:
    """Return the level of that name; raises EngineError and names those that are there."""
    for level in LEVELS:
        if level.name == name:
            return level
    allowed = ", ".join(level.name for level in LEVELS)
    raise EngineError(say("level.unknown", name=name, allowed=allowed))


def pick(level: Level, choices: Sequence[Choice], rng: Random) -> Choice:
    """Return the choice that a level makes of what a search found, best first.

    With a looseness, a choice worse by it is taken e times less often than the best.
    """
    if level.looseness <= 0:
        return choices[0]
    best = choices[0].value
    weights = [math.exp((choice.value - best) / level.looseness) for choice in choices]
    return rng.choices(choices, weights)[0]
