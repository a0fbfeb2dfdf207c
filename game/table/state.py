"""Everything that the table knows, in one immutable value.

Owns the state and what can be read off it. The transitions stand in `game.table.table`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from game.rules.game import Edit, EditKind, Game, Outcome
from game.rules.message import Message
from game.table.inputs import Command


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


@dataclass(frozen=True, slots=True)
class Played:
    """One move of the game so far, with the position `before` it.

    `focus` is the cell that the move is about, "" if there is none.
    """

    before: Any
    player: int
    text: str
    focus: str
    removed: tuple[str, ...]
    summary: Message


@dataclass(frozen=True, slots=True)
class Notice:
    """Words that stay until a time, in seconds."""

    message: Message
    until: float


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
class State:
    """The whole state of the table.

    `standing` is what stands on the board as far as hands and touches have told; the position
    says what should stand. `down` are touches on pieces that may yet become an inspection.
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

    def pending(self, game: Game[Any, Any]) -> tuple[Edit, ...]:
        """List what hands must still change, in the board's order of cells."""
        return edits_between(self.standing, game.pieces(self.position), game.board.cells)

    def turn(self, game: Game[Any, Any]) -> int | None:
        """Return who must act, at the end the winner; nobody while the beginner is drawn."""
        if self.phase is Phase.DRAW:
            return None
        if self.outcome is not None:
            return self.outcome.winner
        if self.after_last_move(game):
            # A turn lasts until the stones that it ate are gone.
            return self.history[-1].player
        return game.to_move(self.position)

    def after_last_move(self, game: Game[Any, Any]) -> bool:
        """Tell whether hands are still busy with what the last move took off the board."""
        pending = {edit.cell for edit in self.pending(game)}
        return bool(pending and self.history) and pending <= set(self.history[-1].removed)


def edits_between(
    standing: Mapping[str, str], expected: Mapping[str, str], cells: tuple[str, ...]
) -> tuple[Edit, ...]:
    """List the edits that turn what stands into what is expected."""
    edits = []
    for cell in cells:
        now, then = standing.get(cell, ""), expected.get(cell, "")
        if now == then:
            continue
        kind = EditKind.SWAP if now and then else EditKind.PUT if then else EditKind.REMOVE
        edits.append(Edit(kind, cell, then))
    return tuple(edits)
