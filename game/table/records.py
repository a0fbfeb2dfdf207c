"""The typed records that the table's state is made of.

Each is changed by one module, named in its docstring, through `dataclasses.replace` or its methods.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from game.rules.base.edits import Edit
from game.rules.base.message import Message
from game.rules.base.values import Advice, Flaw
from game.table.inputs import Command, ScoredMove, SearchResult

NOTICE_S = 6.0
"""Time a notice is shown: long enough to read two short sentences."""
REJECTED_S = 2.5
"""Time a rejected touch is flagged on its cell."""


class Phase(Enum):
    """What the table waits for."""

    DRAW = "draw"
    """The lights run: who begins is being drawn."""
    TAP = "tap"
    """A player enters a move."""
    EDIT = "edit"
    """Hands must bring the board to the position."""
    OVER = "over"
    """The game has ended; a new one can begin."""
    CONFIRM = "confirm"
    """People confirm by one touch that the board matches: after a restart or a rebuild."""
    SET_UP = "set_up"
    """People set up a position."""
    ARRANGE = "arrange"
    """Players lay out their pieces in secret."""
    SHOW = "show"
    """The faces that the last move uncovered are shown until people have seen them."""
    MENU = "menu"
    """The cells are a menu of computer players."""


OTHER_BOARD = "board"
"""Stands among the computer players for a player who is at another board: no level of an engine."""
EVEN = "even"
"""Stands among the computer players' levels for the one that suits the other player."""
UNKNOWN_PIECE = "?"
"""A stone that stands where none should, of an unknown kind. Games have no such piece."""


@dataclass(frozen=True, slots=True)
class Played:
    """One move of the game so far, with the position `before` it.

    `focus` is the cell that the move is about, "" if none; `turned` are the rings it turned.
    `faces` are the hidden pieces that it showed, by cell; for viewers who must not see them any
    more, the backs of these pieces. `clocks` is the time that was left before it.
    """

    before: Any
    player: int
    text: str
    focus: str
    removed: tuple[str, ...]
    summary: Message
    turned: tuple[Edit, ...] = ()
    faces: Mapping[str, str] = field(default_factory=dict)
    clocks: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """A message that is shown until a time, in seconds; `good` news needs no attention."""

    message: Message
    until: float
    good: bool = False


@dataclass(frozen=True, slots=True)
class RejectedTouch:
    """A cell whose touch was rejected, flagged until a time, in seconds."""

    cell: str
    until: float


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A command that must be given once more before a time, in seconds.

    Not by the same `player`, if it was given on the page of that player's seat; 0 if not.
    """

    command: Command
    until: float
    player: int = 0


@dataclass(frozen=True, slots=True)
class Notices:
    """What is shown for a while, and whether the game is saved. Changed by `book` and `table`.

    `save_problem` says what is wrong with saving the game, which may be `saved` all the same.
    """

    current: Notice | None = None
    rejected: RejectedTouch | None = None
    confirmation: Confirmation | None = None
    save_problem: Message | None = None
    saved: bool = True

    def notify(self, message: Message, now: float, good: bool = False) -> "Notices":
        """Show a message for a while."""
        return replace(self, current=Notice(message, now + NOTICE_S, good))

    def reject(self, cell: str, why: Message, now: float) -> "Notices":
        flagged = replace(self, rejected=RejectedTouch(cell, now + REJECTED_S))
        return flagged.notify(why, now)

    def clear(self) -> "Notices":
        return replace(self, current=None, rejected=None, confirmation=None)

    def expire(self, now: float) -> "Notices":
        """Drop what has been shown long enough."""
        after, rejected, asked = self, self.rejected, self.confirmation
        if self.current is not None and now >= self.current.until:
            after = replace(after, current=None)
        if rejected is not None and now >= rejected.until:
            after = replace(after, rejected=None)
        return replace(after, confirmation=None) if asked and now >= asked.until else after

    def times(self) -> Iterator[float]:
        """Yield when something expires."""
        shown = (self.current, self.rejected, self.confirmation)
        return (each.until for each in shown if each is not None)


@dataclass(frozen=True, slots=True)
class UndoneMoves:
    """Moves that hands have just taken back; `until` a time they may turn out to be kept.

    `second_thought` means that it was so soon that players must have taken back their own move.
    """

    texts: tuple[str, ...]
    until: float
    second_thought: bool


@dataclass(frozen=True, slots=True)
class Hands:
    """What hands do on a board that feels stones. Changed by `presence` and `restoring`.

    `felt` are the cells on which something is felt; None where the board feels touches only, or
    has not reported yet. `swapping` are cells where hands put one piece for another. `undone` are
    the moves that hands have just taken back, until the next entry; `moved_at` is the time of
    their last move, `placed_at` when a stone came to which cell by a recent one. `knocked_over`
    means that many stones fell, and are being put back.
    """

    felt: frozenset[str] | None = None
    swapping: frozenset[str] = frozenset()
    undone: UndoneMoves | None = None
    moved_at: float | None = None
    placed_at: Mapping[str, float] = field(default_factory=dict)
    knocked_over: bool = False


@dataclass(frozen=True, slots=True)
class Faults:
    """What the board cannot sense. Changed by `table` and `presence`.

    While there are `reasons`, play pauses, and `cells` are not sensed. `masked` cells are never
    sensed. Of `unverified` ones it is not known whether the stones there were changed meanwhile.
    With `warnings` alone play goes on.
    """

    reasons: tuple[Message, ...] = ()
    warnings: tuple[Message, ...] = ()
    cells: frozenset[str] = frozenset()
    masked: frozenset[str] = frozenset()
    unverified: frozenset[str] = frozenset()

    @property
    def unread(self) -> frozenset[str]:
        """The cells whose readings tell nothing of what hands did."""
        return self.masked | self.unverified


@dataclass(frozen=True, slots=True)
class RingTurn:
    """A ring that is being turned: `steps` clockwise (below 0: back), shown until a time.

    It is `late` when hands are still busy with it after that.
    """

    ring: str
    steps: int
    until: float
    late: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A position that is being set up. Changed by `setting_up`.

    `brush` is the piece that the next touch sets. `stood` is what stood when it was begun.
    `flaw` says why these pieces cannot stand together.
    """

    pieces: Mapping[str, str]
    brush: str
    to_move: int
    score: tuple[int, ...]
    stood: Mapping[str, str]
    flaw: Flaw | None = None


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """A player sets pieces on the board itself, under a cover, in the order of their list.

    `cells` are where pieces stand that are set already.
    """

    player: int
    cells: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Setups:
    """Pieces that players lay out in secret. Changed by `arranging` and `reducer`.

    `submitted` are the moves of players who are done, by player; only these may see them.
    `on_board` is the set-up that is made on the board. `seated` are the players whose sides are
    held by a device of their own.
    """

    submitted: Mapping[int, str] = field(default_factory=dict, repr=False)
    on_board: BoardSetup | None = None
    seated: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class EngineState:
    """What the engine offers and has answered. Changed by `players` and `commands`.

    `levels` are the computer players there are, easiest first. `result` is the latest search of a
    computer player, perhaps of an earlier position; `unavailable` says why the engine does not
    answer. `hinting` waits for the `hints` for the player to move. Where the table is `shared`, the
    moves of OTHER_BOARD come as results too, and no person here makes them; else people may, as in
    a game that goes on without the other board.
    """

    levels: tuple[str, ...] = ()
    result: SearchResult | None = None
    unavailable: Message | None = None
    hinting: bool = False
    hints: tuple[ScoredMove, ...] = ()
    shared: bool = False

    def without_hints(self) -> "EngineState":
        """Show no hints, and wait for none."""
        return replace(self, hinting=False, hints=())


@dataclass(frozen=True, slots=True)
class Coach:
    """What the coach has found and told. Changed by `coach`, and forgotten by `reducer`.

    `ideas` are those of the `position`, the most useful first, of which `told` is shown. `known`
    counts, by player and key of an idea, how well it is known, and `silent` the turns since one was
    told.
    """

    on: bool = False
    position: Any = None
    ideas: tuple[Advice, ...] = ()
    told: Advice | None = None
    known: Mapping[tuple[int, str], int] = field(default_factory=dict)
    silent: int = 9
