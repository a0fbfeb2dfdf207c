"""The inputs of the table's state machine: what the board senses and what people ask for.

Time comes beside them, as `now` in seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from game.rules.base.message import Message, say
from game.table.entries import Entry


class Command(Enum):
    """What people ask for by a key or on the page; the values are the names of the keys."""

    NEW_GAME = "new_game"
    TAKE_BACK = "take_back"
    REDO = "redo"
    """Make again what was taken back last."""
    RESIGN = "resign"
    DRAW = "draw"
    """Agree on a draw."""
    NEXT_CELL = "next_cell"
    """Move the cursor to the next masked cell that can be touched now."""
    TOUCH_CELL = "touch_cell"
    """Touch the cell under the cursor."""
    CONFIRM = "confirm"
    """Confirm that the board matches, as after a restart; at any other time, ask for it."""
    SET_UP = "set_up"
    """Set up a position; while one is being set up, begin with an empty board."""
    HINT = "hint"
    """Show the best moves, or hide them."""
    COACH = "coach"
    """Call the coach, who tells what is worth knowing of a position, or send it away."""
    MENU = "menu"
    """Choose computer players on the board itself, or close this menu."""


class Phrase(Enum):
    """What one board can say to another."""

    HELLO = "hello"
    ONE_MOMENT = "one_moment"
    WELL_PLAYED = "well_played"
    GOOD_GAME = "good_game"
    THANK_YOU = "thank_you"

    @property
    def words(self) -> Message:
        """What people read."""
        return _WORDS[self]


_WORDS: Mapping[Phrase, Message] = {
    Phrase.HELLO: say("page.phrase_hello"),
    Phrase.ONE_MOMENT: say("page.phrase_one_moment"),
    Phrase.WELL_PLAYED: say("page.phrase_well_played"),
    Phrase.GOOD_GAME: say("page.phrase_good_game"),
    Phrase.THANK_YOU: say("page.phrase_thank_you"),
}


@dataclass(frozen=True, slots=True)
class Say:
    """Say something to the other board."""

    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Touched:
    """A finger or a stone came down on a cell, or on a key that belongs to the game."""

    spot: str


@dataclass(frozen=True, slots=True)
class Performed:
    """Automatic hands did what is asked for on a cell, or with a key or a ring of the game.

    No finger did, so that it neither bounces nor slides.
    """

    spot: str


@dataclass(frozen=True, slots=True)
class Held:
    """The finger on a cell stays there."""

    spot: str


@dataclass(frozen=True, slots=True)
class Lifted:
    """The finger left the cell."""

    spot: str


@dataclass(frozen=True, slots=True)
class PalmDetected:
    """A hand rested on several cells at once; nothing was touched."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class StonesChanged:
    """Stones stand on just these cells; sent at the start and at every change (presence)."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class FaultsChanged:
    """The board cannot sense these cells now, or has another fault; no reasons: all is well.

    `warnings` are of faults that play can go on with.
    """

    cells: frozenset[str]
    reasons: tuple[Message, ...]
    warnings: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class MaskChanged:
    """Just these cells are taken out of sensing; sent at the start and at every change."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """People asked for something, by a key or on a page: that of a player's seat, or another's."""

    command: Command
    player: int = 0


@dataclass(frozen=True, slots=True)
class Dismissed:
    """People answer no to the question whether a command is meant."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Whether the game is saved: `trouble` says why not, None that all is well.

    With a trouble that is only a warning, the game is `safe`.
    """

    trouble: Message | None
    safe: bool = False


@dataclass(frozen=True, slots=True)
class SetNames:
    """Set the players' names: one a player, "" for none."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetPiece:
    """Put a piece on a cell of the position that is being set up; "" removes it."""

    cell: str
    piece: str


@dataclass(frozen=True, slots=True)
class SelectPiece:
    """Choose the piece that touches set while a position is being set up."""

    piece: str


@dataclass(frozen=True, slots=True)
class SetScore:
    """Set the score and the player to move of the position that is being set up."""

    score: tuple[int, ...]
    to_move: int


@dataclass(frozen=True, slots=True)
class SubmitSetup:
    """Lay out a player's pieces in secret, by cell; None takes the set-up back.

    Only the device that holds the player's seat may send it.
    """

    player: int
    pieces: Mapping[str, str] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """These players' sides are held by devices; sent at the start and at every change."""

    players: frozenset[int]


@dataclass(frozen=True, slots=True)
class SetOpponents:
    """Set the computer players: one level's name a player, "" for a person."""

    computers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin a new game. What is None stays as it was.

    `options` are those of all new games from now on; without `first` it is drawn who begins.
    """

    options: Mapping[str, str] | None = None
    computers: tuple[str, ...] | None = None
    names: tuple[str, ...] | None = None


REPEAT = StartGame()
"""The same players begin another game with the same options."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Entries that another board and this one have agreed on; they hold unless the rules forbid."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Announce:
    """Show a message to all players for a while; a `good` one is no warning."""

    message: Message
    good: bool = False


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move, by its plain text, and the score from 0 to 1 that its player may expect of it.

    `decided` means that the score is proved.
    """

    move: str
    value: float
    decided: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found in a position: its moves, best first.

    Positions are compared by ==. A `level` is the computer player's; "" is a hint for a person.
    """

    position: Any
    level: str
    moves: tuple[ScoredMove, ...]


@dataclass(frozen=True, slots=True)
class EngineUnavailable:
    """Why the engine does not answer; None: it answers again."""

    trouble: Message | None


Input = (
    Touched
    | Performed
    | Held
    | Lifted
    | PalmDetected
    | StonesChanged
    | FaultsChanged
    | MaskChanged
    | Asked
    | Dismissed
    | Saved
    | SetNames
    | SetPiece
    | SelectPiece
    | SetScore
    | SubmitSetup
    | SeatsChanged
    | SetOpponents
    | StartGame
    | Decided
    | Announce
    | Say
    | SearchResult
    | EngineUnavailable
)
