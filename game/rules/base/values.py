"""The values that pass between a game and everything above it.

Owns outcomes, edits, goals, inspections and what else a game tells. Must not know any game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from game.rules.base.message import Message

Json = dict[str, object]

CHOICES = ("choice1", "choice2")
"""The keys of a board whose meaning each game defines."""
HUES = ("#ff7814", "#286eff", "#e6dc5a")
"""The default colours of the sides: orange, blue, yellow."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `winner` is a player's number, or None for a draw.

    `reason` is a fixed English text for other programs, `message` the same for the players.
    """

    winner: int | None
    reason: str
    message: Message


class Role(Enum):
    """The part that a cell or a legend entry plays when a piece is inspected.

    `Presentation.roles` says what each means in a game, and which of them it uses.
    """

    INSPECTED = "inspected"
    """The inspected piece, or all that belong to it."""
    VICTIM = "victim"
    """What the inspected piece could take."""
    THREAT = "threat"
    """What could take the inspected piece."""
    MARK = "mark"
    """A light that counts something of the inspected piece."""
    OTHER_MARK = "other_mark"
    """The same of another kind."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is shown of the piece on a cell: roles of cells and legend entries, and words."""

    cells: Mapping[str, Role]
    legend: Mapping[int, Role]
    message: Message


@dataclass(frozen=True, slots=True)
class Threats:
    """Cells by what could be taken there, from one player's point of view.

    `endangered` are that player's pieces that another could take in one turn, `edible` those of
    others that the player could take in one turn.
    """

    endangered: frozenset[str] = frozenset()
    edible: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Advice:
    """One idea of the coach for the player to move, in words and cells to light.

    `weight`, from 1 to 9, says how much it matters. `heeding` are the moves, in plain text, that
    follow it; none where it only tells something. `spots` are cells to think of first, `attackers`
    the cells from which others take, and `subject` those of which it says something else.
    """

    message: Message
    weight: int
    threats: Threats = Threats()
    spots: frozenset[str] = frozenset()
    attackers: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    heeding: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One figure printed beside the board, with a light of its own.

    `shape` holds the centres of its stones in the units of `Board.centres`; `arrow_to` is the
    index of the entry that an arrow points to, or None, and `arrow_word` says what the arrow means.
    """

    name: Message
    shape: tuple[tuple[float, float], ...]
    arrow_to: int | None = None
    arrow_word: Message | None = None


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why pieces cannot stand together as they do, and on which cells."""

    cells: frozenset[str]
    message: Message


@dataclass(frozen=True, slots=True)
class Goal:
    """How near a player is to one way of winning: `reached` of `wanted`.

    A goal `of_match` counts rounds, not what is on the board; the bars of lights leave it out.
    """

    player: int
    word: Message
    reached: int
    wanted: int
    of_match: bool = False


def score_goals(word: Message, score: Sequence[int], wanted: int) -> tuple[Goal, ...]:
    """Return, for each player, the one goal of reaching a score."""
    return tuple(Goal(player, word, each, wanted) for player, each in enumerate(score, start=1))


@dataclass(frozen=True, slots=True)
class Arranging:
    """What a player lays out in secret before play: all `pieces`, on some of `cells`.

    The order of both is public.
    """

    cells: tuple[str, ...]
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signal:
    """How a single light depicts a piece: a colour (`#rrggbb`), and how many flashes in a row.

    Without flashes it stays lit.
    """

    hue: str
    flashes: int
