"""Shows steps on the lights and the page in place of a game, and obeys requests.

Which steps there are, and what leads to the next, is decided by `game.web.lessons` and
`game.web.replay`. Reads no clock; `game.play.loop` calls `step`.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import ClassVar, TypeAlias

from game.common import board_lock, board_memory
from game.play import (
    PAGE_INPUTS,
    Audience,
    Decision,
    FaultLog,
    InputQueue,
    Snapshot,
    fitted_profile,
    light_layers,
)
from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import AnyGame
from game.table import (
    UNKNOWN_PIECE,
    Cue,
    Lamp,
    RingTurn,
    State,
    apply_entries,
)
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command, Input, SetNames, Touched
from hal.backends.backend import Clock
from hal.backends.device import Device
from hal.backends.registry import capabilities, open_backend
from hal.base.events import CellTouch, Event, KeyTouch, Moment, Standing
from hal.lights import Layer, on_screen
from hal.profile import BoardMemory, Profile

MOVE_S = 2.0  # how long a move is shown; if it removes pieces, half of that before they are gone
Request: TypeAlias = Command | str | int | SetNames
"""A command, a touch of a cell or key, the number of moves after which to look at the game, or
names of the players."""
_COMMANDS = {command.value: command for command in Command}


@dataclass(eq=False)
class Show(ABC):
    """Something that is shown on one board; `brightness` returns that of its lights."""

    game: AnyGame
    device: Device
    audience: Audience
    brightness: Callable[[], float] | None = None
    speed: float = 1.0
    switched_off: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.leads_to = ""
        # When `advance` is due; infinity while nothing goes on by itself.
        self.next_s = inf
        self._asked: InputQueue[Request] = InputQueue()
        self._standing: frozenset[str] | None = None
        self._is_new = True
        self._layers: tuple[Layer, ...] = ()
        self._fault_log = FaultLog()

    @abstractmethod
    def advance(self, now: float) -> None:
        """Go on by itself, and set `next_s`."""

    @abstractmethod
    def obey(self, asked: Request, now: float) -> None:
        """Carry out a request, if possible."""

    @abstractmethod
    def picture(self) -> Snapshot:
        """Return the snapshot of the present step."""

    def give(self, request: Input | Decision, source: str = "") -> None:
        """Queue a command, a touch or names, from any thread; other inputs do nothing here."""
        match request:
            case Asked(asked) | Touched(asked) | (SetNames() as asked):
                self._asked.put(asked, source)
        self.device.backend.wake()

    def seek(self, ply: int) -> None:
        """Ask for the position after so many moves, from any thread."""
        self._asked.put(ply, "")
        self.device.backend.wake()

    def analyse(self) -> None:  # noqa: B027
        """Do nothing: `lifeboard analyse` judges saved games."""

    def step(self, now: float) -> None:
        """Sense, advance, show: in this order."""
        sensed = [self._request(event) for event in self.device.poll(now)]
        self._fault_log.take(self.device.faults, now)
        for asked in (*sensed, *self._asked.take(PAGE_INPUTS)):
            if asked is not None:
                self.obey(asked, now)
                self._is_new = True
        if now >= self.next_s:
            self.advance(now)
            self._is_new = True
        self._show(now)

    def due(self, now: float) -> float:
        return now if self._asked else max(now, min(self.next_s, self.device.due(now)))

    def wait(self, timeout_s: float) -> None:
        self.device.backend.wait(timeout_s)

    def _request(self, event: Event) -> Request | None:
        """Return what a touch of a cell or key asks; a stone that is set on a cell touches it."""
        match event:
            case CellTouch(cell, Moment.DOWN):
                return cell
            case Standing(cells):
                added = frozenset[str]() if self._standing is None else cells - self._standing
                self._standing = cells
                return min(added, default=None)
            case KeyTouch(key, Moment.DOWN):
                return _COMMANDS.get(key, key)
        return None

    def _show(self, now: float) -> None:
        if self.brightness is not None:
            self.device.dim(self.brightness())
        if self._is_new:
            self._is_new = False
            seen, profile = self.picture(), self.device.profile
            self._layers = light_layers(seen.scene, profile.lights)
            # The pieces shown are not on the board: cells that sense touches are empty.
            touch = profile.sensing.mode == "touch"
            self.device.backend.settle(frozenset(profile.cells) if touch else frozenset())
            self.audience.see(seen)
        if self.device.paint(self._layers, now):
            self.audience.see_lights(on_screen(self.device.backend.lit(), self.device.power))


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """One state of a game, after `steps` (moves, and how players ended it), shown for `seconds`."""

    state: State
    steps: int
    seconds: float


def standing(game: AnyGame, state: State) -> dict[str, Lamp]:
    return {
        cell: Lamp(Cue.STANDS, None if piece == UNKNOWN_PIECE else game.presentation.side(piece))
        for cell, piece in state.standing.items()
    }


def frames_after(game: AnyGame, state: State, steps: Sequence[Entry]) -> Iterator[ReplayFrame]:
    for number, entry in enumerate(steps, start=1):
        state = apply_entries(state, entry)
        if state.showing_faces:
            yield ReplayFrame(state, number, MOVE_S)
            state = apply_entries(state, Entry(EntryKind.COVER))
        late = [edit for edit in state.pending if _is_shown(game, state, edit)]
        for edit in state.pending:
            if edit not in late:
                state = apply_entries(state, Entry(EntryKind.EDIT, edit.cell))
        if late:
            turn = next((edit for edit in late if edit.kind is EditKind.TURN), None)
            travel = state.ring_turn if turn is None else RingTurn(turn.cell, turn.steps, inf)
            yield ReplayFrame(replace(state, ring_turn=travel), number, MOVE_S / 2)
        for edit in late:
            state = apply_entries(state, Entry(EntryKind.EDIT, edit.cell))
        yield ReplayFrame(state, number, MOVE_S / 2 if late else MOVE_S)


def _is_shown(game: AnyGame, state: State, edit: Edit) -> bool:
    """Return whether an edit is shown before it is made: a piece taken, a turn, or clearing."""
    taken = bool(state.history) and edit.cell in state.history[-1].removed
    return taken or edit.kind is EditKind.TURN or not state.situation.pieces


@contextmanager
def open_device(
    board: Profile, game: AnyGame, backend: str, folder: Path, clock: Clock = time.monotonic
) -> Iterator[Device]:
    """Open a board to show something of a game; raises AppError or HalError."""
    profile, memory = fitted_profile(board, game), BoardMemory()
    with ExitStack() as opened:
        if capabilities(backend).real:
            # Emulated boards are never shared.
            opened.enter_context(board_lock(folder, board, backend))
            memory = board_memory(folder, board, backend)
        carrier = open_backend(backend, profile, clock=clock, memory=memory)
        yield opened.enter_context(closing(Device(profile, carrier)))
