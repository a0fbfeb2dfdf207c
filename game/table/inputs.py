"""What can happen at the table: felt by the board, told by it, or asked for by people.

Owns the inputs of the state machine. Time comes beside them, as `now` in seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from game.rules.message import Message


class Command(Enum):
    """What people ask for by a key or on the page; the values are the names of the keys."""

    NEW_GAME = "new_game"
    TAKE_BACK = "take_back"
    RESIGN = "resign"
    DRAW = "draw"
    """Agree that nobody wins."""
    NEXT_CELL = "next_cell"
    """Move the cursor to the next masked cell that can be touched now."""
    TOUCH_CELL = "touch_cell"
    """Touch the cell under the cursor."""
    CONFIRM = "confirm"
    """Say that the board stands as it is shown, as after a restart; at any other time, have it
    shown."""
    SET_UP = "set_up"
    """Set up a position; while one is being set up, begin with an empty board."""
    HINT = "hint"
    """Show the best moves; once more, show them no longer."""
    TEACH = "teach"
    """Show which pieces could be taken next turn, or show it no longer."""
    MENU = "menu"
    """Choose on the board itself who is a computer; once more, play on."""


@dataclass(frozen=True, slots=True)
class Touched:
    """A finger or a stone has come down on a cell, or on a key that belongs to the game."""

    spot: str


@dataclass(frozen=True, slots=True)
class Held:
    """The finger on a cell stays there."""

    spot: str


@dataclass(frozen=True, slots=True)
class Lifted:
    """The finger has left the cell."""

    spot: str


@dataclass(frozen=True, slots=True)
class Palmed:
    """A hand rested on several cells at once; nothing was touched."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stood:
    """Something stands on just these cells; told at the start and at every change (presence)."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class Disturbed:
    """The board cannot feel these cells now, or has another trouble; no reasons: all is well."""

    cells: frozenset[str]
    reasons: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Masked:
    """Just these cells are taken out of sensing; told at the start and at every change."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody asked for something, by a key or on the page."""

    command: Command


@dataclass(frozen=True, slots=True)
class Kept:
    """Whether the game is being kept: `trouble` says why not, None that all is well.

    A trouble that is only to be told of is `safe`: the game is being kept all the same.
    """

    trouble: Message | None
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Named:
    """Who plays: one name a player, "" for nobody named."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """What is to stand on a cell of the position that is being set up; "" for nothing."""

    cell: str
    piece: str


@dataclass(frozen=True, slots=True)
class Picked:
    """The piece that touches set, while a position is being set up."""

    piece: str


@dataclass(frozen=True, slots=True)
class Tallied:
    """The score and the player who moves first, in the position that is being set up."""

    score: tuple[int, ...]
    to_move: int


@dataclass(frozen=True, slots=True)
class Arranged:
    """How a player lays out his pieces, by cell, unseen by the others; None: he does it anew.

    Only who has the seat of that player may say so.
    """

    player: int
    pieces: Mapping[str, str] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Seated:
    """Whose sides are held by a device of their own; told at the start and at every change."""

    players: frozenset[int]


@dataclass(frozen=True, slots=True)
class Opposed:
    """Who is a computer from now on: one level's name a player, "" for a person.

    `new` begins a new game.
    """

    computers: tuple[str, ...]
    new: bool = False


@dataclass(frozen=True, slots=True)
class Idea:
    """A move, by its plain text, and the score from 0 to 1 that its player may expect of it.

    `decided` says that the score is proved.
    """

    move: str
    value: float
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Thought:
    """What a computer player thinks of a position: its ideas, best first.

    Positions are compared by ==. A `level` is the computer player's; "" is a hint for a person.
    """

    position: Any
    level: str
    ideas: tuple[Idea, ...]


@dataclass(frozen=True, slots=True)
class Stumped:
    """Why the computer player does not think now; None: it thinks again."""

    trouble: Message | None


Input = (
    Touched
    | Held
    | Lifted
    | Palmed
    | Stood
    | Disturbed
    | Masked
    | Asked
    | Kept
    | Named
    | Laid
    | Picked
    | Tallied
    | Arranged
    | Seated
    | Opposed
    | Thought
    | Stumped
)
