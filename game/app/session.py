"""One step of play: what the board felt goes to the table, what the table wants is kept and shown.

Owns the order of these things: kept on disk before it is shown. Reads no clock of its own and runs
no thread; `game.app.loop` calls `step`.
"""

import logging
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from game.app import look
from game.app.store import Store
from game.rules.game import Game
from game.table.inputs import Asked, Command, Held, Input, Lifted, Palmed, Touched
from game.table.scene import Scene
from game.table.state import State
from game.table.table import Table
from hal.device import Device
from hal.events import CellTouch, Event, KeyTouch, Moment, Palm
from hal.light import Frame, Layer, on_screen

log = logging.getLogger(__name__)

_COMMANDS = {command.value: command for command in Command}
_TOUCHES: dict[Moment, type[Touched | Held | Lifted]] = {
    Moment.DOWN: Touched,
    Moment.HELD: Held,
    Moment.UP: Lifted,
}


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
    return None


class Session:
    """One table on one board, with its store and its audience."""

    def __init__(self, table: Table, device: Device, store: Store, audience: Audience) -> None:
        self.table = table
        self.device = device
        self._store = store
        self._audience = audience
        self._asked: SimpleQueue[Command] = SimpleQueue()
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

    def ask(self, command: Command) -> None:
        """Hand over a command, from any thread."""
        self._asked.put(command)
        self.device.backend.wake()

    def step(self, now: float) -> None:
        """Sense, decide, keep, show: in this order."""
        inputs: list[Input] = [
            each for event in self.device.poll(now) if (each := felt(event)) is not None
        ]
        while True:
            try:
                inputs.append(Asked(self._asked.get_nowait()))
            except Empty:
                break
        for each in inputs:
            entries = self.table.handle(each, now)
            log.debug("%s -> %s", each, [entry.kind.value for entry in entries])
            if entries:
                self._store.append(entries, self.table.state.outcome)
        self.table.tick(now)
        self._show(now)

    def _show(self, now: float) -> None:
        """Paint the lights, and tell the audience of a state that it has not seen."""
        state = self.table.state
        if state is not self._shown:
            self._shown = state
            scene = self.table.scene()
            self._layers = look.layers(scene, self.device.profile.lights)
            self._audience.see(Snapshot(self.table.game, state, scene))
        if self.device.paint(self._layers, now):
            colours = on_screen(self.device.shown(), self.device.profile.power)
            self._audience.see_lights(colours)

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""
        due = self.table.due()
        board = self.device.due(now)
        return board if due is None else max(now, min(due, board))
