"""One step of play: what the board felt goes to the table, what the table wants is kept and shown.

Owns the order of these things: kept on disk before it is shown. Reads no clock of its own and runs
no thread; `game.app.loop` calls `step`.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from game.app import look
from game.app.store import Store
from game.rules.game import Game
from game.rules.message import Message, say
from game.table.inputs import (
    Asked,
    Command,
    Disturbed,
    Held,
    Input,
    Lifted,
    Masked,
    Palmed,
    Stood,
    Touched,
)
from game.table.scene import Scene
from game.table.state import State
from game.table.table import Table
from hal import events
from hal.device import Device
from hal.events import CellTouch, Event, KeyTouch, Moment, Palm, Standing
from hal.faults import Fault, Trouble
from hal.light import Frame, Layer, on_screen
from hal.memory import BoardMemory

log = logging.getLogger(__name__)

_COMMANDS = {command.value: command for command in Command}
_TOUCHES: dict[Moment, type[Touched | Held | Lifted]] = {
    Moment.DOWN: Touched,
    Moment.HELD: Held,
    Moment.UP: Lifted,
}
CELL_KEY = "cell"
"""The key for masked cells: a press moves on to the next one, a long press touches it. While play
pauses, a long press masks the cells that cannot be felt."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What there is to see of a game, immutable, so that any thread may read it."""

    game: Game[Any, Any]
    state: State
    scene: Scene


class Audience(Protocol):
    """Whoever watches the game; called from the board's thread and must not block."""

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest state."""
        ...

    def see_lights(self, colours: Frame) -> None:
        """Take the newest colours of the strip, as a screen shows them."""
        ...


def felt(event: Event) -> Input | None:
    """Translate what the board tells into what the table takes; None for what it ignores."""
    match event:
        case CellTouch(cell, moment):
            return _TOUCHES[moment](cell)
        case KeyTouch(key, Moment.DOWN):
            return Asked(_COMMANDS[key]) if key in _COMMANDS else Touched(key)
        case Palm(cells):
            return Palmed(cells)
        case Standing(cells):
            return Stood(cells)
        case events.Disturbed(faults):
            cells = frozenset().union(*(fault.cells for fault in faults))
            return Disturbed(cells, tuple(reason(fault) for fault in faults))
    return None


def reason(fault: Fault) -> Message:
    """Say what a fault means for the people at the table."""
    match fault.trouble:
        case Trouble.CHIP:
            return say("fault.chip", part=fault.part)
        case Trouble.STRIP:
            return say("fault.strip")
        case Trouble.SHORT:
            return say("fault.short", part=fault.part)
        case Trouble.OPEN:
            return say("fault.open", part=fault.part)
        case Trouble.STUCK:
            return say("fault.stuck", part=fault.part)
        case Trouble.FLAPPING:
            return say("fault.flapping", part=fault.part)


class Session:
    """One table on one board, with its store and its audience.

    `memory` keeps which cells are masked. `brightness` gives the strip's brightness at any moment,
    None leaves it to the profile.
    """

    def __init__(
        self,
        table: Table,
        device: Device,
        store: Store,
        audience: Audience,
        memory: BoardMemory | None = None,
        brightness: Callable[[], float] | None = None,
    ) -> None:
        self.table = table
        self.device = device
        self._store = store
        self._audience = audience
        self._memory = BoardMemory() if memory is None else memory
        self._brightness = brightness
        self._asked: SimpleQueue[Asked | Touched | Masked] = SimpleQueue()
        self._cell_key_held = False
        self._shown: State | None = None
        self._layers: tuple[Layer, ...] = ()

    def begin(self, now: float) -> None:
        """Take up the newest game, ended or not; if there is none, start one."""
        entries = self._store.newest()
        if entries:
            self.table.resume(entries, now)
            log.info("resumed a game of %d entries", len(entries))
        else:
            self._store.append(self.table.start(now), self.table.state.outcome)
        self._handle(Masked(self._memory.masked & self.device.profile.cells.keys()), now)

    def ask(self, command: Command) -> None:
        """Hand over a command, from any thread."""
        self._hand_over(Asked(command))

    def touch(self, cell: str) -> None:
        """Touch a masked cell, which cannot be felt; from any thread. Others are left alone."""
        self._hand_over(Touched(cell))

    def mask(self, cells: frozenset[str]) -> None:
        """Take the whole set of cells that are not to be felt any more, from any thread."""
        self._hand_over(Masked(cells & self.device.profile.cells.keys()))

    def step(self, now: float) -> None:
        """Sense, decide, keep, show: in this order."""
        for event in self.device.poll(now):
            if isinstance(event, KeyTouch) and event.key == CELL_KEY:
                self._press_cell_key(event.moment, now)
            elif (each := felt(event)) is not None:
                self._handle(each, now)
        while True:
            try:
                asked = self._asked.get_nowait()
            except Empty:
                break
            if isinstance(asked, Touched):
                self._touch_masked(asked.spot, now)
            else:
                self._handle(asked, now)
        self.table.tick(now)
        self._show(now)

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""
        due = self.table.due()
        board = self.device.due(now)
        return board if due is None else max(now, min(due, board))

    def _hand_over(self, asked: Asked | Touched | Masked) -> None:
        self._asked.put(asked)
        self.device.backend.wake()

    def _handle(self, event: Input, now: float) -> None:
        """Give one input to the table, and keep what it wants kept before anything is shown."""
        if isinstance(event, Masked):
            self.device.mask(event.cells)
            self._remember_mask(event.cells)
        entries = self.table.handle(event, now)
        log.debug("%s -> %s", event, [entry.kind.value for entry in entries])
        if entries:
            self._store.append(entries, self.table.state.outcome)

    def _touch_masked(self, cell: str, now: float) -> None:
        if cell in self.device.masked:
            self._handle(Touched(cell), now)
            self._handle(Lifted(cell), now)

    def _press_cell_key(self, moment: Moment, now: float) -> None:
        if moment is Moment.HELD:
            lost = frozenset().union(*(fault.cells for fault in self.device.faults))
            if lost:
                self._handle(Masked(self.device.masked | lost), now)
            else:
                self._handle(Asked(Command.TOUCH_CELL), now)
        elif moment is Moment.UP and not self._cell_key_held:
            self._handle(Asked(Command.NEXT_CELL), now)
        self._cell_key_held = moment is Moment.HELD

    def _remember_mask(self, cells: frozenset[str]) -> None:
        self._memory.mask(cells)
        try:
            self._memory.save()
        except OSError as error:
            log.warning("board file %s cannot be written: %s", self._memory.path, error)

    def _show(self, now: float) -> None:
        """Paint the lights, and tell the audience of a state that it has not seen."""
        if self._brightness is not None:
            self.device.dim(self._brightness())
        state = self.table.state
        if state is not self._shown:
            self._shown = state
            self.device.backend.settle(self._empty(state))
            scene = self.table.scene()
            self._layers = look.layers(scene, self.device.profile.lights)
            self._audience.see(Snapshot(self.table.game, state, scene))
        if self.device.paint(self._layers, now):
            colours = on_screen(self.device.shown(), self.device.power)
            self._audience.see_lights(colours)

    def _empty(self, state: State) -> frozenset[str]:
        """Give the cells on which nothing stands that could be felt.

        Where touches are moments, stones are not felt, and so every cell counts as empty.
        """
        cells = self.device.profile.cells.keys()
        if self.device.profile.sensing.mode == "touch":
            return frozenset(cells)
        return frozenset(
            cells - self.table.game.pieces(state.position).keys() - state.standing.keys()
        )
