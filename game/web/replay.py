"""Replay: a saved game shown again, move by move, on the lights and the page.

Owns how a record becomes frames, through the reducer that play uses; their lights and messages;
running, pausing and going back; and how board and page are set up for it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from pathlib import Path

from game.common import data_folder
from game.play import Audience, Dimmer, Snapshot, StopFlag, choose_board, run_loop, stop_on_signals
from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.store import DECIDING, Record, game_named, initial_state, lines_of, record_of
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
from game.table.inputs import Command
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from game.web.past_game import local_day
from game.web.server import Server, listen, show_in_browser
from game.web.show import Request, Show, open_device
from game.web.views.state_view import Replayed
from hal.backends.device import Device

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
    """Return whether an edit is shown before it is made: a piece taken, a turn, or clearing."""
    taken = bool(state.history) and edit.cell in state.history[-1].removed
    return taken or edit.kind is EditKind.TURN or not state.situation.pieces


class Replay(Show):
    """One saved game on one board.

    A touch of any cell pauses and resumes; a take-back goes one move back and pauses; a new game
    restarts the replay; a page can go to any move. The end stays. At `speed` 1 a move takes
    MOVE_S.
    """

    def __init__(
        self,
        record: Record,
        device: Device,
        audience: Audience,
        speed: float = 1.0,
        brightness: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(game_named(record.game), device, audience, brightness)
        self._frames = replay_frames(self.game, record)
        self._plies = len(record.moves)
        self._speed = speed
        self._at = 0
        self._paused = False
        self._due_s: float | None = None

    @property
    def ply(self) -> int:
        """The number of moves played in the current frame."""
        return min(self._frames[self._at].steps, self._plies)

    @property
    def final(self) -> State:
        return self._frames[-1].state

    @property
    def pace(self) -> Pace:
        if self._at == len(self._frames) - 1:
            return Pace.ENDED
        return Pace.PAUSED if self._paused else Pace.RUNNING

    @property
    def step_at(self) -> object:
        """The frame, and whether the replay is running."""
        return self._at, self.pace

    @property
    def next_s(self) -> float:
        return self._due_s or 0.0 if self.pace is Pace.RUNNING else inf

    def advance(self, now: float) -> None:
        if self._due_s is None:
            self._wait(now)
        elif now >= self.next_s:
            self._at += 1
            self._wait(now)

    def obey(self, asked: Request, now: float) -> None:
        """Obey a command, pause or go on at a touch of a cell, or go to a move."""
        match asked:
            case str() if asked not in self.game.board.cells:
                return
            case str() | Command.CONFIRM:
                self._paused = not self._paused and self.pace is Pace.RUNNING
            case Command.TAKE_BACK:
                self._go(self._frames[self._at].steps - 1)
            case int(ply):
                # How players ended a game is shown with its last move.
                self._go(ply if ply < self._plies else self._frames[-1].steps)
            case Command.NEW_GAME:
                self._at = 0
                self._paused = False
            case _:
                return
        self._wait(now)

    def picture(self) -> Snapshot:
        frame = self._frames[self._at]
        scene = picture(self.game, frame, self.pace, self._plies)
        return Snapshot(self.game, frame.state, scene)

    def _wait(self, now: float) -> None:
        self._due_s = now + self._frames[self._at].seconds / self._speed

    def _go(self, steps: int) -> None:
        frames = enumerate(self._frames)
        self._at = max((at for at, frame in frames if frame.steps <= steps), default=0)
        self._paused = True


def replay_game(
    which: str,
    *,
    backend: str,
    board: str | None,
    speed: float,
    port: int,
    browser: bool,
    data: Path | None,
    serial: str | None = None,
) -> None:
    """Replay a game until SIGINT or SIGTERM; raises AppError, HalError or RulesError."""
    folder = data or data_folder()
    number, record = record_of(folder, which)
    game = game_named(record.game)
    chosen = choose_board(board, backend, serial, game)
    stop = StopFlag()
    stop_on_signals(stop)
    with ExitStack() as opened:
        listening = opened.enter_context(listen(port))
        device = opened.enter_context(open_device(chosen, game, backend, folder))
        broadcaster = Broadcaster()
        bright = Dimmer(device.profile)
        shown = Replay(record, device, broadcaster, speed, bright)
        day = local_day(record.started)
        replayed = Replayed(number, day, shown.final)
        # Pages pause and go on by any cell, also of a simulated board.
        page = Page(game, device.profile, broadcaster, None, shown, replayed, seek=shown.seek)
        server = opened.enter_context(Server(page, listening))
        shown.step(time.monotonic())
        print(
            f"Game {number} of {game.title}{f' ({day})' if day else ''} is shown again:"
            f" open {server.address} in a browser. Ctrl-C ends it.",
            flush=True,
        )
        if browser:
            show_in_browser(server.address)
        run_loop(shown, stop)
