"""Shows steps on the lights and the page in place of a game, and obeys requests.

Owns how it senses and lights a board. Which steps there are, and what leads to the next, is decided
by `game.web.tutorial` and `game.web.replay`. Reads no clock; `game.play.loop` calls `step`.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TypeAlias

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
from game.rules.base.game import AnyGame
from game.table.inputs import Asked, Command, Input, SetNames, Touched
from hal.backends.backend import Clock
from hal.backends.device import Device
from hal.backends.registry import capabilities, open_backend
from hal.base.events import CellTouch, Event, KeyTouch, Moment, Standing
from hal.lights import Layer, on_screen
from hal.profile import BoardMemory, Profile

Request: TypeAlias = Command | str | int | SetNames
"""A command, a touch of a cell or key, the number of moves after which to look at the game, or
names of the players."""
_COMMANDS = {command.value: command for command in Command}


class Show(ABC):
    """Something that is shown on one board; `brightness` returns that of its lights."""

    switched_off = False
    leads_to = ""

    def __init__(
        self,
        game: AnyGame,
        device: Device,
        audience: Audience,
        brightness: Callable[[], float] | None = None,
    ) -> None:
        self.game = game
        self.device = device
        self._audience = audience
        self._brightness = brightness
        self._asked: InputQueue[Request] = InputQueue()
        self._standing: frozenset[str] | None = None
        self._shown: object = None
        self._layers: tuple[Layer, ...] = ()
        self._fault_log = FaultLog()

    @property
    @abstractmethod
    def step_at(self) -> object:
        """Identifies the present step: when it changes, the new step is shown."""

    @property
    @abstractmethod
    def next_s(self) -> float:
        """When the next step begins by itself; infinity if it waits."""

    @abstractmethod
    def advance(self, now: float) -> None:
        """Go on by itself, if that is due."""

    @abstractmethod
    def obey(self, asked: Request, now: float) -> None:
        """Carry out a request, if possible."""

    @abstractmethod
    def picture(self) -> Snapshot:
        """Return the snapshot of the present step."""

    def give(self, request: Input | Decision, source: str = "") -> None:
        """Queue a command, a touch or names, from any thread; other inputs do nothing here."""
        if isinstance(request, Asked):
            self._asked.put(request.command, source)
        elif isinstance(request, Touched):
            self._asked.put(request.spot, source)
        elif isinstance(request, SetNames):
            self._asked.put(request, source)
        self.device.wake()

    def seek(self, ply: int) -> None:
        """Ask for the position after so many moves, from any thread."""
        self._asked.put(ply, "")
        self.device.wake()

    def analyse(self) -> None:  # noqa: B027
        """Do nothing: `lifeboard analyse` judges saved games."""

    def step(self, now: float) -> None:
        """Sense, advance, show: in this order."""
        for event in self.device.poll(now):
            self._sense(event, now)
        self._fault_log.take(self.device.faults, self.device.masked, now)
        for asked in self._asked.take(PAGE_INPUTS):
            self.obey(asked, now)
        self.advance(now)
        self._show(now)

    def due(self, now: float) -> float:
        return now if self._asked else max(now, min(self.next_s, self.device.due(now)))

    def wait(self, timeout_s: float) -> None:
        self.device.wait(timeout_s)

    def _sense(self, event: Event, now: float) -> None:
        """Handle touches of cells and keys; a stone that is set on a cell touches it."""
        match event:
            case CellTouch(cell, Moment.DOWN):
                self.obey(cell, now)
            case Standing(cells):
                added = frozenset[str]() if self._standing is None else cells - self._standing
                self._standing = cells
                if added:
                    self.obey(min(added), now)
            case KeyTouch(key, Moment.DOWN):
                self.obey(_COMMANDS.get(key, key), now)

    def _show(self, now: float) -> None:
        """Paint the lights, and show the audience what is new."""
        if self._brightness is not None:
            self.device.dim(self._brightness())
        if self._shown != self.step_at:
            self._shown = self.step_at
            seen, profile = self.picture(), self.device.profile
            self._layers = light_layers(seen.scene, profile.lights)
            # The pieces shown are not on the board: cells that sense touches are empty.
            touch = profile.sensing.mode == "touch"
            self.device.settle(frozenset(profile.cells) if touch else frozenset())
            self._audience.see(seen)
        if self.device.paint(self._layers, now):
            self._audience.see_lights(on_screen(self.device.shown(), self.device.power))


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
