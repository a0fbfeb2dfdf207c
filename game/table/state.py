"""Everything that the table knows, in one immutable value.

Owns the state and what can be read off it. The transitions stand in `game.table.table`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from game.rules.game import Edit, EditKind, Flaw, Game, Outcome
from game.rules.message import Message
from game.table.edits import cells_of, edits_between
from game.table.inputs import Command, Idea, Thought


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
    """People say by one touch that the board stands as it is shown: after a restart, or where it is
    laid out anew."""
    SET_UP = "set_up"
    """People set up a position."""
    ARRANGE = "arrange"
    """Players lay out their pieces, each unseen by the others."""
    SHOW = "show"
    """The faces are shown that the last move uncovered, until people have seen them."""
    MENU = "menu"
    """The cells are a menu, of who is a computer."""


UNKNOWN_PIECE = "?"
"""A stone that stands where none should, and of which nobody knows what it is.

Games have no such piece, and are never asked about it.
"""


@dataclass(frozen=True, slots=True)
class Played:
    """One move of the game so far, with the position `before` it.

    `focus` is the cell that the move is about, "" if there is none; `turned` are the rings that
    were turned. Where the move showed hidden pieces, these are its `faces`, by cell; who must not
    see them any more sees their backs. `covered` is the summary without what is hidden, None if
    nothing is.
    """

    before: Any
    player: int
    text: str
    focus: str
    removed: tuple[str, ...]
    summary: Message
    turned: tuple[Edit, ...] = ()
    covered: Message | None = None
    faces: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Covering:
    """A player sets his pieces on the board itself, under a cover, in the order of their list.

    `cells` are where those stand that he has set already.
    """

    player: int
    cells: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Notice:
    """Words that stay until a time, in seconds; `good` news need nobody's attention."""

    message: Message
    until: float
    good: bool = False


@dataclass(frozen=True, slots=True)
class Flash:
    """A cell whose touch was refused, flagged until a time, in seconds."""

    cell: str
    until: float


@dataclass(frozen=True, slots=True)
class Question:
    """A command that must be given once more before a time, in seconds."""

    command: Command
    until: float


@dataclass(frozen=True, slots=True)
class Undone:
    """Moves that hands have just taken back, which `until` a time may turn out not to have been.

    `second_thought` says that it was so soon that a player must have taken back his own.
    """

    texts: tuple[str, ...]
    until: float
    second_thought: bool


@dataclass(frozen=True, slots=True)
class Travel:
    """A ring that is being turned, so many steps clockwise (back below 0), shown until a time.

    It is `late` when hands are still busy with it after that.
    """

    ring: str
    steps: int
    until: float
    late: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A position that is being set up.

    `brush` is the piece that the next touch sets. `stood` is what stood when it was begun. `flaw`
    says why these pieces cannot stand so.
    """

    pieces: Mapping[str, str]
    brush: str
    to_move: int
    score: tuple[int, ...]
    stood: Mapping[str, str]
    flaw: Flaw | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The whole state of the table.

    `standing` is what stands on the board as far as hands and touches have told; the position
    says what should stand. `down` are touches on pieces that may yet become an inspection;
    the `echoes` among them are refused without a word. `contacts` holds, for each cell that has
    lately been touched, until when a touch there counts as the same finger's; without end while
    the finger is down. For a key of the game it never lasts without end. `sliding` are those of the
    finger that made the last move. `vain` are those where it had no effect, and until when that was
    an echo.

    `names` are the players' names, one a player or none at all. `unkept` says what is
    wrong with the keeping of the game, which may be `kept` all the same. `draft` is the position
    that is being set up.

    `felt` are the cells on which the board feels something stand; None where it feels touches
    only, or has not told yet. `masked` cells are not felt at all, `lost` ones not now, for the
    reasons in `disturbed`; `unsure` ones can be felt again, but what stands there has not been
    told since. `undone` are the moves that hands have just taken back, until another entry,
    `moved_at` is when they made the last one, `laid` when a stone
    came to which cell by a recent one, and `upset` says that the board was knocked over.
    `cursor` is the masked cell that the cell key touches, "" while there is none.

    `levels` are the computer players that there are, easiest first. `computers` is who is one: a
    level a player, "" for a person, or none at all. `thought` is the last that one of them thought,
    perhaps of an earlier position; `stumped` says why none thinks now. `hinting` waits for the
    `hints` for the one who moves; `teaching` shows what could be taken. `beneath` is the phase that
    the menu covers.

    `sealed` are the moves of those who have laid out their pieces, by player, which nobody else may
    see, `covering` is the one who does it on the board. `showing` says that people still
    look at the faces that the last move has shown. `seated` are the players whose sides are held by
    a device of their own.
    """

    phase: Phase
    position: Any
    options: Mapping[str, str]
    standing: Mapping[str, str] = field(default_factory=dict)
    history: tuple[Played, ...] = ()
    outcome: Outcome | None = None
    taps: tuple[str, ...] = ()
    down: frozenset[str] = frozenset()
    inspecting: str = ""
    draw_until: float | None = None
    notice: Notice | None = None
    wrong: Flash | None = None
    question: Question | None = None
    disturbed: tuple[Message, ...] = ()
    lost: frozenset[str] = frozenset()
    masked: frozenset[str] = frozenset()
    felt: frozenset[str] | None = None
    unsure: frozenset[str] = frozenset()
    cursor: str = ""
    exchanging: frozenset[str] = frozenset()
    travel: Travel | None = None
    relaying: bool = False
    undone: Undone | None = None
    moved_at: float | None = None
    laid: Mapping[str, float] = field(default_factory=dict)
    upset: bool = False
    contacts: Mapping[str, float] = field(default_factory=dict)
    sliding: frozenset[str] = frozenset()
    vain: Mapping[str, float] = field(default_factory=dict)
    echoes: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    unkept: Message | None = None
    kept: bool = True
    draft: Draft | None = None
    levels: tuple[str, ...] = ()
    computers: tuple[str, ...] = ()
    thought: Thought | None = None
    stumped: Message | None = None
    hinting: bool = False
    hints: tuple[Idea, ...] = ()
    teaching: bool = False
    beneath: Phase | None = None
    sealed: Mapping[int, str] = field(default_factory=dict, repr=False)
    covering: Covering | None = None
    showing: bool = False
    seated: frozenset[int] = frozenset()

    def expected(self, game: Game[Any, Any]) -> Mapping[str, str]:
        """Return what should stand, by cell: as the position says, or the one being set up."""
        return game.pieces(self.position) if self.draft is None else self.draft.pieces

    def pending(self, game: Game[Any, Any]) -> tuple[Edit, ...]:
        """List what hands must still change: rings first, then cells in the board's order.

        Where stones are felt, each is looked for in its place, and no ring as a whole.
        """
        if self.arranging(game):
            return ()
        keys = game.keys if self.draft is None and self.felt is None else ()
        edits = edits_between(self.standing, self.expected(game), game.board, keys)
        if self.outcome is None or self.felt is None or self.draft is not None:
            return edits
        # After the end stones are put away, and nobody wants them back.
        return tuple(edit for edit in edits if edit.kind is not EditKind.PUT)

    def arranging(self, game: Game[Any, Any]) -> bool:
        """Tell whether anybody still has to lay out his pieces before play begins."""
        if self.outcome is not None or self.draft is not None:
            return False
        players = range(1, len(game.players) + 1)
        return any(game.arranging(self.position, each) is not None for each in players)

    def unsealed(self, game: Game[Any, Any]) -> tuple[int, ...]:
        """List who has not laid out his pieces yet, in the order of their moves."""
        if not self.arranging(game):
            return ()
        count, first = len(game.players), (game.to_move(self.position) or 1) - 1
        order = [(first + n) % count + 1 for n in range(count)]
        return tuple(
            each
            for each in order
            if each not in self.sealed and game.arranging(self.position, each) is not None
        )

    def resting(self, game: Game[Any, Any]) -> Phase:
        """Return what the table waits for once nothing else is asked of people."""
        if self.showing:
            return Phase.SHOW
        if self.outcome is not None:
            return Phase.OVER
        if self.arranging(game):
            return Phase.ARRANGE
        if not self.pending(game):
            return Phase.TAP
        return Phase.CONFIRM if self.relaying and self.felt is None else Phase.EDIT

    def turn(self, game: Game[Any, Any]) -> int | None:
        """Return who must act, at the end the winner; nobody while the beginner is drawn."""
        if self.phase is Phase.DRAW:
            return None
        if self.draft is not None:
            return self.draft.to_move
        if self.outcome is not None:
            return self.outcome.winner
        if self.arranging(game):
            covers = self.covering.player if self.covering is not None else None
            return covers or next(iter(self.unsealed(game)), game.to_move(self.position))
        if self.after_last_move(game):
            # A turn lasts until the pieces that it took are gone.
            return self.history[-1].player
        return game.to_move(self.position)

    def after_last_move(self, game: Game[Any, Any]) -> bool:
        """Tell whether hands are still busy with what the last move took off the board or turned.

        Where stones are felt, hands may bring other cells into disorder meanwhile.
        """
        if not self.history or self.draft is not None:
            return False
        last, board = self.history[-1], game.board
        pending = {cell for edit in self.pending(game) for cell in cells_of(edit, board)}
        theirs = {cell for edit in last.turned for cell in board.rings[edit.cell]}
        busy = pending & (theirs | set(last.removed) | last.faces.keys())
        return bool(busy) and (busy == pending or self.felt is not None)
