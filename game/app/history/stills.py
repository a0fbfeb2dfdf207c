"""A kept game as a row of stills: what to show one after the other, and for how long.

Owns the making of stills from a record, by the ledger that play uses, and what is lit and said.
Knows no board, no clock and no page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from typing import Any

from game.app.history.record import DECIDING, Record, before_all, lines_of
from game.rules.game import Edit, EditKind, Game
from game.rules.message import Message, say
from game.table.entries import Entry, Kind
from game.table.ledger import applied
from game.table.scene import Cue, Lamp, Scene, scene
from game.table.state import UNKNOWN_PIECE, State, Travel

AnyGame = Game[Any, Any]

MOVE_S = 2.0
"""How long a move is shown; where it takes pieces, half of that before they are gone."""


class Pace(Enum):
    """Whether the show goes on."""

    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Still:
    """One state of a game after so many `steps` (moves, or how players ended it), shown so long."""

    state: State
    steps: int
    seconds: float


def stills(game: AnyGame, record: Record) -> tuple[Still, ...]:
    """Lay out the moves that stand at the end of a game, from its beginning on."""
    entries = [line.entry for line in lines_of(replace(record, journal=()), record.started)]
    steps = [entry for entry in entries if entry.kind in (Kind.MOVE, *DECIDING)]
    state = before_all(game)
    for entry in entries[: len(entries) - len(steps)]:
        state = applied(game, state, entry)
    return Still(state, 0, MOVE_S), *_of_steps(game, state, steps)


def picture(game: AnyGame, still: Still, pace: Pace, plies: int) -> Scene:
    """Show a still: all that stands is lit, and nothing that could be touched."""
    state = still.state
    bare = scene(game, state, frozenset())
    standing = {
        cell: Lamp(Cue.STANDS, None if piece == UNKNOWN_PIECE else game.side(piece))
        for cell, piece in state.standing.items()
    }
    said = _said(state, pace, min(still.steps, plies), plies)
    return replace(bare, cells=standing | dict(bare.cells), prompt=said, notice=None)


def _of_steps(game: AnyGame, state: State, steps: Sequence[Entry]) -> Iterator[Still]:
    for number, entry in enumerate(steps, start=1):
        state = applied(game, state, entry)
        if state.showing:
            yield Still(state, number, MOVE_S)
            state = applied(game, state, Entry(Kind.COVER))
        late = [edit for edit in state.pending(game) if _is_shown(game, state, edit)]
        for edit in state.pending(game):
            if edit not in late:
                state = applied(game, state, Entry(Kind.EDIT, edit.cell))
        if late:
            yield Still(_turning(state, late), number, MOVE_S / 2)
        for edit in late:
            state = applied(game, state, Entry(Kind.EDIT, edit.cell))
        yield Still(state, number, MOVE_S / 2 if late else MOVE_S)


def _is_shown(game: AnyGame, state: State, edit: Edit) -> bool:
    """Tell whether an edit is shown before it is made: what a move takes, turns, or clears away."""
    taken = bool(state.history) and edit.cell in state.history[-1].removed
    return taken or edit.kind is EditKind.TURN or not game.pieces(state.position)


def _turning(state: State, edits: Sequence[Edit]) -> State:
    """Show the ring turn that is to be turned, as long as the still stays."""
    turn = next((edit for edit in edits if edit.kind is EditKind.TURN), None)
    return state if turn is None else replace(state, travel=Travel(turn.cell, turn.steps, inf))


def _said(state: State, pace: Pace, ply: int, plies: int) -> tuple[Message, ...]:
    happened = (state.history[-1].summary,) if state.history else ()
    match pace:
        case Pace.RUNNING:
            return *happened, say("replay.running", ply=ply, plies=plies)
        case Pace.PAUSED:
            return *happened, say("replay.paused", ply=ply, plies=plies)
        case Pace.ENDED:
            outcome = (state.outcome.message,) if state.outcome else ()
            return *happened, *outcome, say("replay.ended", count=plies)
