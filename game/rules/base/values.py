"""The values that pass between a game and everything above it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from game.rules.base.message import Message

Json = dict[str, object]

CHOICES = ("choice1", "choice2")  # The keys of a board whose meaning each game defines
HUES = ("#ff7814", "#286eff", "#e6dc5a")
"""The default colours of the sides: orange, blue, yellow."""
VARIANT = "variant"  # The option by which a game chooses between its variants


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made before a game begins: whole numbers from `least` to `most`, or `choices`.

    `word` names it for players, and `choice_words` name its choices; the default is the plain name.
    """

    default: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    word: Message | None = None
    choice_words: tuple[Message, ...] = ()

    @property
    def allowed(self) -> str:
        """The permitted values, as text."""
        return " | ".join(self.choices) if self.choices else f"{self.least} - {self.most}"

    def accepts(self, value: str) -> bool:
        """Return whether the text is a permitted value."""
        if self.choices:
            return value in self.choices
        if self.least is None or self.most is None or not (value.isascii() and value.isdigit()):
            return False
        return len(value) <= 9 and self.least <= int(value) <= self.most


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `winner` is a player's number, or None for a draw.

    `reason` is a fixed English text for other programs, `message` the same for the players.
    """

    winner: int | None
    reason: str
    message: Message


class Role(Enum):
    """The role of a cell or a legend entry when a piece is inspected."""

    INSPECTED = "inspected"  # The inspected piece, or all pieces that belong to it
    VICTIM = "victim"  # What the inspected piece could take
    THREAT = "threat"  # What could take the inspected piece
    MARK = "mark"  # A light that counts something of the inspected piece
    OTHER_MARK = "other_mark"  # Like MARK, in a second style


@dataclass(frozen=True, slots=True)
class Inspection:
    """The view of an inspected piece: roles of cells and legend entries, and a message."""

    cells: Mapping[str, Role]
    legend: Mapping[int, Role]
    message: Message


@dataclass(frozen=True, slots=True)
class Threats:
    """Cells of a player's pieces and of others' pieces that could be taken in one turn."""

    endangered: frozenset[str] = frozenset()
    edible: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Advice:
    """One idea of the coach for the player to move, in words and cells to light.

    `weight`, from 1 to 9, is its importance. `heeding` are the moves, in plain text, that follow
    it; none if it is only information. `spots` are cells to consider first, `attackers` are cells
    from which others take, and `subject` are cells of other pieces that it speaks of.
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
    """The reason why pieces cannot stand together, and their cells."""

    cells: frozenset[str]
    message: Message


@dataclass(frozen=True, slots=True)
class Goal:
    """A player's progress towards one way of winning: `reached` of `wanted`.

    A goal `of_match` counts rounds, not pieces on the board; bars of lights do not show it.
    """

    player: int
    word: Message
    reached: int
    wanted: int
    of_match: bool = False


@dataclass(frozen=True, slots=True)
class Arranging:
    """The pieces that a player lays out in secret on some of `cells`; neither order tells where."""

    cells: tuple[str, ...]
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signal:
    """How a light depicts a piece: a colour (`#rrggbb`), and flashes in a row, 0 to stay lit."""

    hue: str
    flashes: int
