"""Replay: shows a kept game again, move by move, on the lights and the page.

Owns the going on, pausing and going back, and the putting together of a board and a page for it.
What is shown is made in `game.app.history.stills`. `Replay` reads no clock; `game.app.loop` calls
`step`.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue

from game.app import boards, look, loop, night
from game.app.carriers import is_wired
from game.app.data import board_lock, board_memory, data_folder
from game.app.fault_log import FaultLog
from game.app.fitting import fitted
from game.app.history.archive import record_of
from game.app.history.record import Record, game_named
from game.app.history.stills import Pace, picture, stills
from game.app.hub import Hub
from game.app.night import NightMode
from game.app.serve import Server, listen, show_in_browser
from game.app.session import Audience, Snapshot
from game.app.view import Replayed
from game.app.web import Page
from game.engine.levels import LEVELS
from game.table.inputs import Asked, Command, Input
from hal.backend import Hands, open_backend
from hal.device import Device
from hal.events import CellTouch, Event, KeyTouch, Moment, Standing
from hal.light import Layer, on_screen
from hal.memory import BoardMemory


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What the command line says; None where it says nothing."""

    which: str
    backend: str
    board: str | None
    speed: float
    port: int
    browser: bool
    data: Path | None
    serial: str | None = None


class Replay:
    """One game that is shown again on one board.

    A touch of any cell pauses and goes on; a take-back goes one move back and stays there; a new
    game begins again. The end stays. `speed` 1 is a move every `stills.MOVE_S`.
    """

    def __init__(
        self,
        record: Record,
        device: Device,
        audience: Audience,
        speed: float = 1.0,
        brightness: Callable[[], float] | None = None,
    ) -> None:
        self.game = game_named(record.game)
        self.device = device
        self._stills = stills(self.game, record)
        self._plies = len(record.moves)
        self._audience = audience
        self._speed = speed
        self._brightness = brightness
        self._asked: SimpleQueue[Command | None] = SimpleQueue()
        self._at = 0
        self._paused = False
        self._next_s = inf
        self._stood: frozenset[str] | None = None
        self._shown: tuple[int, Pace] | None = None
        self._layers: tuple[Layer, ...] = ()
        self._fault_log = FaultLog()

    @property
    def ply(self) -> int:
        """After how many moves the game is shown."""
        return min(self._stills[self._at].steps, self._plies)

    @property
    def pace(self) -> Pace:
        """Whether the show goes on."""
        if self._at == len(self._stills) - 1:
            return Pace.ENDED
        return Pace.PAUSED if self._paused else Pace.RUNNING

    def ask(self, command: Command) -> None:
        """Hand over a command, from any thread; all but two mean nothing here."""
        self._hand_over(command)

    def give(self, event: Input) -> None:
        """Hand over what a page asks of a table; only commands mean something here."""
        if isinstance(event, Asked):
            self._hand_over(event.command)

    def touch(self, cell: str) -> None:
        """Touch a cell, from any thread."""
        self._hand_over(None)

    def press(self, key: str) -> None:
        """Press no key of the game: a show has moves of its own."""

    def mask(self, cells: frozenset[str]) -> None:
        """Take no cell out of sensing: a show asks for none."""

    def analyse(self) -> None:
        """Judge no game: `lifeboard analyse` does that for those that are kept."""

    def step(self, now: float) -> None:
        """Sense, go on if it is time, show: in this order."""
        for event in self.device.poll(now):
            self._feel(event, now)
        self._fault_log.take(self.device.faults, self.device.masked, now)
        while True:
            try:
                asked = self._asked.get_nowait()
            except Empty:
                break
            self._obey(asked, now)
        if self._shown is None:
            self._wait(now)
        if self.pace is Pace.RUNNING and now >= self._next_s:
            self._at += 1
            self._wait(now)
        self._show(now)

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""
        next_s = self._next_s if self.pace is Pace.RUNNING else inf
        return max(now, min(next_s, self.device.due(now)))

    def wait(self, timeout_s: float) -> None:
        """Sleep until the board may have changed, something is asked, or the time-out."""
        self.device.backend.wait(timeout_s)

    def _hand_over(self, asked: Command | None) -> None:
        self._asked.put(asked)
        self.device.backend.wake()

    def _wait(self, now: float) -> None:
        self._next_s = now + self._stills[self._at].seconds / self._speed

    def _feel(self, event: Event, now: float) -> None:
        """Take what the board tells: touches of cells, and stones that are set."""
        match event:
            case CellTouch(_, Moment.DOWN):
                self._obey(None, now)
            case Standing(cells):
                if self._stood is not None and cells - self._stood:
                    self._obey(None, now)
                self._stood = cells
            case KeyTouch(key, Moment.DOWN) if key in _COMMANDS:
                self._obey(_COMMANDS[key], now)

    def _obey(self, asked: Command | None, now: float) -> None:
        """Take a command; None is a touch."""
        match asked:
            case None:
                self._paused = not self._paused and self.pace is Pace.RUNNING
            case Command.TAKE_BACK:
                steps = self._stills[self._at].steps - 1
                self._at = max(
                    (at for at, still in enumerate(self._stills) if still.steps <= steps), default=0
                )
                self._paused = True
            case Command.NEW_GAME:
                self._at = 0
                self._paused = False
            case _:
                return
        self._wait(now)

    def _show(self, now: float) -> None:
        """Paint the lights, and tell the audience of what it has not seen."""
        if self._brightness is not None:
            self.device.dim(self._brightness())
        if self._shown != (self._at, self.pace):
            self._shown = (self._at, self.pace)
            still = self._stills[self._at]
            scene = picture(self.game, still, self.pace, self._plies)
            self._layers = look.layers(scene, self.device.profile.lights)
            self.device.backend.settle(self._empty())
            self._audience.see(Snapshot(self.game, still.state, scene))
        if self.device.paint(self._layers, now):
            self._audience.see_lights(on_screen(self.device.shown(), self.device.power))

    def _empty(self) -> frozenset[str]:
        """Give the cells on which nothing can be felt: where stones are, nobody told of any."""
        touch = self.device.profile.sensing.mode == "touch"
        return frozenset(self.device.profile.cells) if touch else frozenset()


_COMMANDS = {command.value: command for command in Command}


def replay(options: ReplayOptions) -> None:
    """Show a game until SIGINT or SIGTERM; raises AppError, HalError or RulesError."""
    folder = options.data or data_folder()
    number, record = record_of(folder, options.which)
    game = game_named(record.game)
    board = boards.choose(options.board, options.backend, options.serial, game)
    profile = fitted(board, game)
    stop = loop.Flag()
    loop.stop_on_signals(stop)
    with ExitStack() as opened:
        listening = opened.enter_context(listen(options.port))
        memory = BoardMemory()
        if is_wired(options.backend):
            # Every emulated board is one of its own, which nobody else can want.
            opened.enter_context(board_lock(folder, board, options.backend))
            memory = board_memory(folder, board, options.backend)
        backend = open_backend(options.backend, profile, memory=memory)
        device = opened.enter_context(closing(Device(profile, backend)))
        hub = Hub()
        bright = night.brightness(profile, NightMode.AUTO)
        shown = Replay(record, device, hub, options.speed, bright)
        hands = backend if isinstance(backend, Hands) else None
        day = _day(record.started)
        levels = tuple(level.name for level in LEVELS)
        page = Page(game, profile, hub, hands, shown, Replayed(number, day), levels=levels)
        server = opened.enter_context(Server(page, listening))
        shown.step(time.monotonic())
        print(
            f"Game {number} of {game.title}{f' ({day})' if day else ''} is shown again:"
            f" open {server.address} in a browser. Ctrl-C ends it.",
            flush=True,
        )
        if options.browser:
            show_in_browser(server.address)
        loop.run(shown, stop)


def _day(at: str) -> str:
    """Give the date here of an ISO time in UTC; nothing where nobody knows it."""
    try:
        return datetime.fromisoformat(at).astimezone().date().isoformat()
    except (ValueError, OverflowError):
        return ""
