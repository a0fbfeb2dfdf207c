"""The inputs of the table: sensor readings and people's requests.

Time is passed separately, as `now` in seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, dataclass_transform

from game.rules.base.grades import Grades
from game.rules.base.message import Message, say
from game.table.entries import Entry


class Command(Enum):
    """The requests that people make by a key or on the page; the values are the keys' names."""

    NEW_GAME = "new_game"
    TAKE_BACK = "take_back"
    REDO = "redo"  # Redo what was taken back last
    RESIGN = "resign"
    DRAW = "draw"  # Agree on a draw
    NEXT_CELL = "next_cell"  # Move the cursor to the next masked cell
    TOUCH_CELL = "touch_cell"  # Touch the cell under the cursor
    CONFIRM = "confirm"
    """Confirm that the board matches, as after a restart; at any other time, start such a check."""
    SET_UP = "set_up"  # Set up a position; while one is being set up, begin with an empty board
    HINT = "hint"  # Show the best moves, or hide them
    COACH = "coach"  # Give all players the coach's help, or none any help
    MENU = "menu"  # Choose computer players on the board itself, or close this menu


class Phrase(Enum):
    """A phrase that one board can send to another."""

    HELLO = "hello"
    ONE_MOMENT = "one_moment"
    WELL_PLAYED = "well_played"
    GOOD_GAME = "good_game"
    THANK_YOU = "thank_you"

    @property
    def words(self) -> Message:
        """The message that people read."""
        return say(f"page.phrase_{self.value}")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Input:
    """What a sensor reports or people request; each kind of input is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Say(Input):
    """Send a phrase to the other board."""

    phrase: Phrase


class OfSpot(Input):
    """An input about a cell, or a key or a ring of the game."""

    spot: str


class OfCells(Input):
    """An input about cells."""

    cells: frozenset[str]


class Touched(OfSpot):
    """A finger or a stone came down on a cell, or on a key that belongs to the game."""


class Performed(OfSpot):
    """A program that stands in for hands did what is asked on a cell, or with a key or a ring.

    No finger was involved, so there are no bounces and slides.
    """


class Held(OfSpot):
    """The finger on a cell stays there."""


class Lifted(OfSpot):
    """The finger left the cell."""


class PalmDetected(OfCells):
    """A hand rested on several cells at once; nothing was touched."""


class StonesChanged(OfCells):
    """Exactly these cells have stones; sent at the start and at every change (presence)."""


class FaultsChanged(Input):
    """The board cannot sense these cells now, or has another fault; none if there are no `reasons`.

    `warnings` are about faults that do not stop play.
    """

    cells: frozenset[str]
    reasons: tuple[Message, ...]
    warnings: tuple[Message, ...] = ()


class MaskChanged(OfCells):
    """Exactly these cells are masked, not sensed; sent at the start and at every change."""


class Asked(Input):
    """People gave a command by a key or on a page; `player` is the page's seat, 0 for none."""

    command: Command
    player: int = 0


class Dismissed(Input):
    """People answer no to the request to confirm a command."""


class Saved(Input):
    """Whether the game is saved; `trouble` is the reason why not, None if it is saved.

    If the trouble is only a warning, the game is `safe`.
    """

    trouble: Message | None
    safe: bool = False


class SetNames(Input):
    """Set the players' names: one per player, "" for none."""

    names: tuple[str, ...]


class SetPiece(Input):
    """Put a piece on a cell of the position that is being set up; "" removes it."""

    cell: str
    piece: str


class SelectPiece(Input):
    """Choose the piece that touches set while a position is being set up."""

    piece: str


class SetScore(Input):
    """Set the score and the player to move of the position that is being set up."""

    score: tuple[int, ...]
    to_move: int


class SubmitSetup(Input):
    """Lay out a player's pieces in secret, by cell; None takes the set-up back.

    Only the device that holds the player's seat may send it.
    """

    player: int
    pieces: Mapping[str, str] | None = field(repr=False)


class SeatsChanged(Input):
    """These players' sides are held by devices; sent at the start and at every change."""

    players: frozenset[int]


class SetOpponents(Input):
    """Set the computer players: one level's name per player, "" for a person."""

    computers: tuple[str, ...]


class StartGame(Input):
    """Begin a new game; a field that is None stays unchanged.

    `options` also apply to all later games; without `first`, the beginner is drawn.
    """

    options: Mapping[str, str] | None = None
    computers: tuple[str, ...] | None = None
    names: tuple[str, ...] | None = None


REPEAT = StartGame()  # The same players begin another game with the same options


class Decided(Input):
    """Entries that another board and this one have agreed on; recorded unless the rules forbid."""

    entries: tuple[Entry, ...]


class Announce(Input):
    """Show a message to all players for a while; a `good` one is no warning."""

    message: Message
    good: bool = False


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move, by its plain text, and its player's expected score, from 0 to 1.

    `decided` means that the score is proved.
    """

    move: str
    value: float
    decided: bool = False


JUDGE, GRADE = "judge", "grade"
"""In place of a level: a search for who stands better, or for the grades of all moves."""


class SearchResult(Input):
    """The result of a search: moves of a position, best first.

    Positions are compared by ==. `level` is the computer player's; "" means hints for a person, and
    JUDGE that only the score counts.
    """

    position: Any
    level: str
    moves: tuple[ScoredMove, ...]


class GradesFound(Input):
    """The grades of the moves of a position, as a spectator sees it, so far."""

    position: Any
    grades: Grades


class Look(OfSpot):
    """A person points at a cell on a page, to see its grade; "" if they point at none."""


class SetHelp(Input):
    """Set how much help each player has, such as "3:2" (`help_in`); "" leaves it unchanged."""

    levels: tuple[str, ...]


class EngineUnavailable(Input):
    """The reason why the engine does not answer; None if it answers again."""

    trouble: Message | None


CONFIRM_S = 8.0  # Time within which a command must be given a second time to count
