"""A lesson of a game on the lights and the page, in place of a game.

Owns the board, the requests, and how moves are shown; which touch leads to the next step is decided
in `game.web.lessons`. Reads no clock; `game.play.loop` calls `step`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar, TypeAlias

from game.play import (
    PAGE_INPUTS,
    Audience,
    Decision,
    FaultLog,
    InputQueue,
    PuzzleList,
    Snapshot,
    light_layers,
)
from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.rules.base.situation import Situation
from game.store import initial_state
from game.table import (
    REJECTED_S,
    UNKNOWN_PIECE,
    Cue,
    Lamp,
    Phase,
    RingTurn,
    State,
    apply_entries,
    scene_of,
)
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command, Input, SetNames, Touched
from game.web.game_pages import GAME
from hal.backends.device import Device
from hal.base.events import CellTouch, Event, KeyTouch, Moment, Standing
from hal.lights import Layer, on_screen

MOVE_S = 3.0  # how long a move is shown; if it removes pieces, half of that before they are gone
Request: TypeAlias = Command | str | int | SetNames
"""A command, a touch of a cell or key, the number of a puzzle, or names of the players."""
_COMMANDS = {command.value: command for command in Command}


@dataclass(frozen=True, slots=True)
class Frame:
    """One state while a move is shown, for `seconds`."""

    state: State
    seconds: float


@dataclass(eq=False)
class Lesson(ABC):
    """Steps on one board; `brightness` returns that of its lights.

    No pieces are needed. The board's key for a new game leads back to the game.
    """

    game: AnyGame
    device: Device
    audience: Audience
    brightness: Callable[[], float] | None = None
    switched_off: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.leads_to = ""
        # When `_advance` is due; infinity while nothing goes on by itself.
        self._next_s = inf
        self._asked: InputQueue[Request] = InputQueue()
        self._standing: frozenset[str] | None = None
        self._is_new = True
        self._layers: tuple[Layer, ...] = ()
        self._fault_log = FaultLog()

    @abstractmethod
    def obey(self, asked: Request, now: float) -> None:
        """Carry out a request, if possible."""

    @abstractmethod
    def picture(self) -> Snapshot:
        """Return the snapshot of the present step."""

    @abstractmethod
    def _go_on(self) -> None:
        """Do what follows when the moves have been shown."""

    def give(self, request: Input | Decision, source: str = "") -> None:
        """Queue a command, a touch or names, from any thread; other inputs do nothing here."""
        match request:
            case Asked(asked) | Touched(asked) | (SetNames() as asked):
                self._asked.put(asked, source)
        self.device.backend.wake()

    def seek(self, number: int) -> None:
        """Ask for a puzzle, from any thread."""
        self._asked.put(number, "")
        self.device.backend.wake()

    def analyse(self) -> None:  # noqa: B027
        """Do nothing: only games are analysed."""

    def step(self, now: float) -> None:
        """Sense, advance, show: in this order."""
        sensed = [self._request(event) for event in self.device.poll(now)]
        self._fault_log.take(self.device.faults, now)
        for asked in (*sensed, *self._asked.take(PAGE_INPUTS)):
            if asked is not None:
                self.obey(asked, now)
                self._is_new = True
        if now >= self._next_s:
            self._advance(now)
            self._is_new = True
        self._show(now)

    def due(self, now: float) -> float:
        return now if self._asked else max(now, min(self._next_s, self.device.due(now)))

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
            case KeyTouch(Command.NEW_GAME.value, Moment.DOWN):
                self.leads_to = GAME
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
            empty = () if profile.sensing.stones else profile.cells
            self.device.backend.settle(frozenset(empty))
            self.audience.see(seen)
        if self.device.paint(self._layers, now):
            self.audience.see_lights(on_screen(self.device.backend.lit(), self.device.power))

    def _begin(self, position: Any) -> None:
        """Show a position, in which nothing has been touched."""
        self._taps: tuple[str, ...] = ()
        self._frames: tuple[Frame, ...] = ()
        self._wrong: tuple[str, Message] | None = None
        self._next_s = inf
        start, now = initial_state(self.game), Situation(self.game, position)
        self._state = replace(start, phase=Phase.TAP, situation=now, standing=now.pieces)

    def _advance(self, now: float) -> None:
        """Show the next frame, continue after the last one, or end a flag; set `_next_s`."""
        if len(self._frames) > 1:
            self._show_frames(self._frames[1:], now)
        elif self._frames:
            self._go_on()
        else:
            self._wrong, self._next_s = None, inf

    def _flag(self, spot: str, why: Message, now: float) -> None:
        """Flag a touch for a while."""
        self._wrong, self._next_s = (spot, why), now + REJECTED_S

    def _play(self, moves: Iterable[str], now: float) -> None:
        self._show_frames(tuple(frames_after(self.game, self._state, moves)), now)

    def _show_frames(self, frames: tuple[Frame, ...], now: float) -> None:
        self._frames, self._next_s = frames, now + frames[0].seconds

    def _seen(
        self,
        state: State,
        expected: frozenset[str],
        light: Mapping[str, Lamp],
        prompt: Sequence[Message],
        lesson: tuple[int, int],
        puzzles: PuzzleList | None = None,
    ) -> Snapshot:
        """Return the snapshot of a state: every piece is lit, and `light` overrides some spots."""
        bare, notice = scene_of(state, expected), None
        if self._wrong is not None:
            spot, notice = self._wrong
            light = {**light, spot: Lamp(Cue.WRONG)}
        lit = standing(self.game, state) | dict(bare.cells) | dict(light)
        cells = {spot: lamp for spot, lamp in lit.items() if spot in self.game.board.centres}
        keys = {key: light.get(key, lamp) for key, lamp in bare.keys.items()}
        seen = replace(bare, cells=cells, keys=keys, prompt=tuple(prompt), notice=notice)
        return Snapshot(self.game, state, seen, lesson=lesson, puzzles=puzzles)


def standing(game: AnyGame, state: State) -> dict[str, Lamp]:
    return {
        cell: Lamp(Cue.STANDS, None if piece == UNKNOWN_PIECE else game.presentation.side(piece))
        for cell, piece in state.standing.items()
    }


def frames_after(game: AnyGame, state: State, moves: Iterable[str]) -> Iterator[Frame]:
    """Yield the frames that show moves: faces, then what is taken or turned, then the end."""
    for move in moves:
        state = apply_entries(state, Entry(EntryKind.MOVE, move))
        if state.showing_faces:
            yield Frame(state, MOVE_S)
            state = apply_entries(state, Entry(EntryKind.COVER))
        late = [edit for edit in state.pending if _is_shown(game, state, edit)]
        for edit in state.pending:
            if edit not in late:
                state = apply_entries(state, Entry(EntryKind.EDIT, edit.cell))
        if late:
            turn = next((edit for edit in late if edit.kind is EditKind.TURN), None)
            travel = state.ring_turn if turn is None else RingTurn(turn.cell, turn.steps, inf)
            yield Frame(replace(state, ring_turn=travel), MOVE_S / 2)
        for edit in late:
            state = apply_entries(state, Entry(EntryKind.EDIT, edit.cell))
        yield Frame(state, MOVE_S / 2 if late else MOVE_S)


def _is_shown(game: AnyGame, state: State, edit: Edit) -> bool:
    """Return whether an edit is shown before it is made: a piece taken, a turn, or clearing."""
    taken = bool(state.history) and edit.cell in state.history[-1].removed
    return taken or edit.kind is EditKind.TURN or not state.situation.pieces
