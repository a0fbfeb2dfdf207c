"""The levels of the computer player: how far each searches, and how it picks a move.

Must not know clocks: the caller of a search enforces `seconds`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from game.engine.search import Choice
from game.rules.base.errors import RulesError
from game.rules.base.message import Message, say


class EngineError(RulesError):
    """A request that no engine can fulfil, such as an unknown level."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level: its name for programs, a sentence for people, and how it plays.

    It searches until `nodes` or `seconds` are spent. `looseness` is the temperature of the softmax
    over the values of choices: 0 always takes the best, infinity any. `Search.spread` scales it.
    """

    name: str
    word: Message
    nodes: int
    seconds: float
    looseness: float


LEVELS: tuple[Level, ...] = (
    Level("random", say("level.by_chance"), 1, 3.0, math.inf),
    Level("1", say("level.first"), 50, 3.0, 0.15),
    Level("2", say("level.second"), 50, 3.0, 0.06),
    Level("3", say("level.third"), 60, 3.0, 0.02),
    Level("4", say("level.fourth"), 200, 3.0, 0.0),
    Level("5", say("level.fifth"), 2_000, 3.0, 0.0),
    Level("6", say("level.sixth"), 10_000_000, 3.0, 0.0),
)
"""All levels, easiest first."""

LEVEL_NAMES = tuple(level.name for level in LEVELS)
TOP = LEVELS[-1].name


def find_level(name: str) -> Level:
    """Return the level of a name; raises EngineError, which lists the levels."""
    for level in LEVELS:
        if level.name == name:
            return level
    raise EngineError(say("level.unknown", name=name, allowed=", ".join(LEVEL_NAMES)))


def pick(level: Level, choices: Sequence[Choice], rng: Random, spread: float = 1.0) -> Choice:
    """Pick a level's move among a search's choices, best first, whose values have this spread."""
    if level.looseness <= 0:
        return choices[0]
    best, looseness = choices[0].value, level.looseness * spread
    weights = [math.exp((choice.value - best) / looseness) for choice in choices]
    return rng.choices(choices, weights)[0]
