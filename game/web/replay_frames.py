"""A saved game as a sequence of frames: what to show, and for how long.

Owns how a record becomes frames, through the reducer that play uses, and their lights and messages.
Knows no board, no clock and no page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf

from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.store import DECIDING, Record, initial_state, lines_of
from game.table import (
    UNKNOWN_PIECE,
    Cue,
    Lamp,
    RingTurn,
    Scene,
    State,
    apply_entries,
    move_sentence,
    named,
    scene_of,
)
from game.table.entries import Entry, EntryKind

MOVE_S = 2.0  # how long a move is shown; if it removes pieces, half of that before they are gone


class Pace(Enum):
    """Whether the replay is running."""

    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """One state of a game, after `steps` (moves, and how players ended it), shown for `seconds`."""

    state: State
    steps: int
    seconds: float


def replay_frames(game: AnyGame, record: Record) -> tuple[ReplayFrame, ...]:
    """Return the frames of the moves at the end of a game, from its beginning on."""
    entries = [line.entry for line in lines_of(replace(record, journal=()), record.started)]
    steps = [entry for entry in entries if entry.kind in (EntryKind.MOVE, *DECIDING)]
    state = initial_state(game)
    for entry in entries[: len(entries) - len(steps)]:
        state = apply_entries(game, state, entry)
    return ReplayFrame(state, 0, MOVE_S), *frames_after(game, state, steps)


def picture(game: AnyGame, frame: ReplayFrame, pace: Pace, plies: int) -> Scene:
    """Return the scene of a frame: every piece is lit, and nothing can be touched."""
    state, ply = frame.state, min(frame.steps, plies)
    bare = scene_of(game, state, frozenset())
    said: list[Message] = [move_sentence(game, state, each) for each in state.history[-1:]]
    if pace is Pace.RUNNING:
        said.append(say("replay.running", ply=ply, plies=plies))
    elif pace is Pace.PAUSED:
        said.append(say("replay.paused", ply=ply, plies=plies))
    else:
        said += [named(game, state, state.outcome.message)] if state.outcome else []
        said.append(say("replay.ended", count=plies))
    return replace(
        bare, cells=standing(game, state) | dict(bare.cells), prompt=tuple(said), notice=None
    )


def standing(game: AnyGame, state: State) -> dict[str, Lamp]:
    return {
        cell: Lamp(Cue.STANDS, None if piece == UNKNOWN_PIECE else game.presentation.side(piece))
        for cell, piece in state.standing.items()
    }


def frames_after(game: AnyGame, state: State, steps: Sequence[Entry]) -> Iterator[ReplayFrame]:
    for number, entry in enumerate(steps, start=1):
        state = apply_entries(game, state, entry)
        if state.showing_faces:
            yield ReplayFrame(state, number, MOVE_S)
            state = apply_entries(game, state, Entry(EntryKind.COVER))
        late = [edit for edit in state.pending if _is_shown(game, state, edit)]
        for edit in state.pending:
            if edit not in late:
                state = apply_entries(game, state, Entry(EntryKind.EDIT, edit.cell))
        if late:
            turn = next((edit for edit in late if edit.kind is EditKind.TURN), None)
            travel = state.ring_turn if turn is None else RingTurn(turn.cell, turn.steps, inf)
            yield ReplayFrame(replace(state, ring_turn=travel), number, MOVE_S / 2)
        for edit in late:
            state = apply_entries(game, state, Entry(EntryKind.EDIT, edit.cell))
        yield ReplayFrame(state, number, MOVE_S / 2 if late else MOVE_S)


def _is_shown(game: AnyGame, state: State, edit: Edit) -> bool:
    """Tell whether an edit is shown before it is made: a piece taken, a turn, or clearing."""
    taken = bool(state.history) and edit.cell in state.history[-1].removed
    return taken or edit.kind is EditKind.TURN or not state.situation.pieces
