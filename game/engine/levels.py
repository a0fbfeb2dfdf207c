"""The levels of the computer player: how far each searches, and how it picks a move.

Must not know clocks: the caller of a search enforces `seconds`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from game.engine.search import SearchedMove
from game.rules.base.errors import RulesError
from game.rules.base.message import Message, say


class EngineError(RulesError):
    """A request that no engine can fulfil, such as an unknown level."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level: its name for programs, a sentence for people, and how it plays.

    It searches until `nodes` or `seconds` are spent. `overlooks` is a probability that is used
    twice: for each move, that the player does not see it; and once a turn, that the player sees no
    replies.
    """

    name: str
    word: Message
    nodes: int
    seconds: float
    overlooks: float


MANY = 60
"""With more moves than this, a larger share is overlooked: about as many are noticed."""
DOUBT = 4
"""The number of visits that count as much as the first glance."""

LEVELS: tuple[Level, ...] = (
    Level("random", say("level.by_chance"), 1, 3.0, 1.0),
    Level("0.5", say("level.half"), 100, 3.0, 0.855),
    Level("1", say("level.first"), 100, 3.0, 0.65),
    Level("2", say("level.second"), 100, 3.0, 0.46),
    Level("3", say("level.third"), 100, 3.0, 0.24),
    Level("3.5", say("level.third_half"), 100, 3.0, 0.05),
    Level("4", say("level.fourth"), 200, 3.0, 0.0),
    Level("5", say("level.fifth"), 1_500, 3.0, 0.0),
    Level("5.5", say("level.fifth_half"), 8_000, 3.0, 0.0),
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


def pick(level: Level, choices: Sequence[SearchedMove], rng: Random) -> SearchedMove:
    """Pick a level's move among a search's choices, best first, with the errors of people.

    An overlooked move is not played (a missed capture), unless all are overlooked. If replies are
    overlooked, moves are judged by their `glance` (a bait that is taken).
    """
    if not level.overlooks:
        return choices[0]
    visits = sum(choice.visits for choice in choices)
    found = sum(choice.visits * choice.value for choice in choices) / max(1, visits)
    lift = found - sum(choice.glance for choice in choices) / len(choices)
    hurried = rng.random() < level.overlooks

    def judged(choice: SearchedMove) -> tuple[float, float]:
        glance, weight = choice.glance + lift, choice.visits / (choice.visits + DOUBT)
        seen = 0.0 if hurried else 1.0 if choice.decided else weight
        return glance + (choice.value - glance) * seen, rng.random()

    misses = level.overlooks ** min(1.0, MANY / len(choices))
    noticed = [choice for choice in choices if rng.random() >= misses]
    return max(noticed, key=judged) if noticed else rng.choice(choices)
