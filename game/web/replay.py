"""Replay: a saved game shown again, move by move, on the lights and the page.

Owns running, pausing and going back, and how board and page are set up for it. The frames are made
in `game.web.replay_frames`. `Replay` reads no clock; `game.play.loop` calls `step`.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from math import inf
from pathlib import Path

from game.common.data_folder import board_lock, board_memory, data_folder
from game.engine.levels import LEVELS
from game.play import board_choice, light_theme, loop, night_mode
from game.play.board_mapping import fitted
from game.play.fault_log import FaultLog
from game.play.input_queue import InputQueue
from game.play.night_mode import NightMode
from game.play.session import PAGE_INPUTS, Audience, Decision, Snapshot
from game.store.records.archive import record_of
from game.store.records.record import Record, game_named
from game.table.inputs import Asked, Command, Input, Touched
from game.table.state import State
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from game.web.past_game import local_day
from game.web.replay_frames import Pace, picture, replay_frames
from game.web.server import Server, listen, show_in_browser
from game.web.views.state_view import Replayed
from hal.backends.backend import Hands
from hal.backends.device import Device
from hal.backends.registry import capabilities, open_backend
from hal.base.events import CellTouch, Event, KeyTouch, Moment, Standing
from hal.lights.frame import Layer, on_screen
from hal.profile.memory import BoardMemory


class Replay:
    """One saved game on one board.

    A touch of any cell pauses and resumes; a take-back goes one move back and pauses; a new game
    restarts the replay; a page can go to any move. The end stays. At `speed` 1 a move takes
    `replay_frames.MOVE_S`.
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
        self._frames = replay_frames(self.game, record)
        self._plies = len(record.moves)
        self._audience = audience
        self._speed = speed
        self._brightness = brightness
        self._asked: InputQueue[Command | int | None] = InputQueue()
        self._at = 0
        self._paused = False
        self._next_s = inf
        self._standing: frozenset[str] | None = None
        self._shown: tuple[int, Pace] | None = None
        self._layers: tuple[Layer, ...] = ()
        self._fault_log = FaultLog()

    @property
    def ply(self) -> int:
        """How many moves have been played in the current frame."""
        return min(self._frames[self._at].steps, self._plies)

    @property
    def final(self) -> State:
        """The state at the end."""
        return self._frames[-1].state

    @property
    def pace(self) -> Pace:
        """Whether the replay is running."""
        if self._at == len(self._frames) - 1:
            return Pace.ENDED
        return Pace.PAUSED if self._paused else Pace.RUNNING

    def give(self, request: Input | Decision, source: str = "") -> None:
        """Queue a command or a touch of a cell, from any thread; other inputs do nothing here."""
        if isinstance(request, Asked):
            self._asked.put(request.command, source)
        elif isinstance(request, Touched) and request.spot in self.game.board.cells:
            self._asked.put(None, source)
        self.device.wake()

    def seek(self, ply: int) -> None:
        """Go to the position after so many moves and pause there, from any thread."""
        self._asked.put(ply, "")
        self.device.wake()

    def analyse(self) -> None:
        """Do nothing: `lifeboard analyse` judges saved games."""

    def step(self, now: float) -> None:
        """Sense, advance if due, show: in this order."""
        for event in self.device.poll(now):
            self._sense(event, now)
        self._fault_log.take(self.device.faults, self.device.masked, now)
        for asked in self._asked.take(PAGE_INPUTS):
            self._obey(asked, now)
        if self._shown is None:
            self._wait(now)
        if self.pace is Pace.RUNNING and now >= self._next_s:
            self._at += 1
            self._wait(now)
        self._show(now)

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""
        if self._asked:
            return now
        next_s = self._next_s if self.pace is Pace.RUNNING else inf
        return max(now, min(next_s, self.device.due(now)))

    def wait(self, timeout_s: float) -> None:
        """Sleep until the board may have changed, a command arrives, or the time-out."""
        self.device.wait(timeout_s)

    def _wait(self, now: float) -> None:
        self._next_s = now + self._frames[self._at].seconds / self._speed

    def _sense(self, event: Event, now: float) -> None:
        """Handle touches of cells and keys, and stones that are set."""
        match event:
            case CellTouch(_, Moment.DOWN):
                self._obey(None, now)
            case Standing(cells):
                if self._standing is not None and cells - self._standing:
                    self._obey(None, now)
                self._standing = cells
            case KeyTouch(key, Moment.DOWN) if key in _COMMANDS:
                self._obey(_COMMANDS[key], now)

    def _obey(self, asked: Command | int | None, now: float) -> None:
        """Carry out a command; None is a touch, a number the move to go to."""
        match asked:
            case None | Command.CONFIRM:
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

    def _go(self, steps: int) -> None:
        frames = enumerate(self._frames)
        self._at = max((at for at, frame in frames if frame.steps <= steps), default=0)
        self._paused = True

    def _show(self, now: float) -> None:
        """Paint the lights, and show the audience what is new."""
        if self._brightness is not None:
            self.device.dim(self._brightness())
        if self._shown != (self._at, self.pace):
            self._shown = (self._at, self.pace)
            frame = self._frames[self._at]
            scene = picture(self.game, frame, self.pace, self._plies)
            self._layers = light_theme.layers(scene, self.device.profile.lights)
            self.device.settle(self._empty())
            self._audience.see(Snapshot(self.game, frame.state, scene))
        if self.device.paint(self._layers, now):
            self._audience.see_lights(on_screen(self.device.shown(), self.device.power))

    def _empty(self) -> frozenset[str]:
        """Return the cells that a touch board senses as empty: all, since no stones were set."""
        touch = self.device.profile.sensing.mode == "touch"
        return frozenset(self.device.profile.cells) if touch else frozenset()


_COMMANDS = {command.value: command for command in Command}


def replay(
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
    chosen = board_choice.choose(board, backend, serial, game)
    profile = fitted(chosen, game)
    stop = loop.Flag()
    loop.stop_on_signals(stop)
    with ExitStack() as opened:
        listening = opened.enter_context(listen(port))
        memory = BoardMemory()
        if capabilities(backend).real:
            # Emulated boards are never shared.
            opened.enter_context(board_lock(folder, chosen, backend))
            memory = board_memory(folder, chosen, backend)
        carrier = open_backend(backend, profile, memory=memory)
        device = opened.enter_context(closing(Device(profile, carrier)))
        broadcaster = Broadcaster()
        bright = night_mode.brightness(profile, NightMode.AUTO)
        shown = Replay(record, device, broadcaster, speed, bright)
        hands = carrier if isinstance(carrier, Hands) else None
        day = local_day(record.started)
        replayed = Replayed(number, day, shown.final)
        levels = tuple(level.name for level in LEVELS)
        page = Page(
            game,
            profile,
            broadcaster,
            hands,
            shown,
            replayed,
            levels=levels,
            kind="replay",
            seek=shown.seek,
        )
        server = opened.enter_context(Server(page, listening))
        shown.step(time.monotonic())
        print(
            f"Game {number} of {game.title}{f' ({day})' if day else ''} is shown again:"
            f" open {server.address} in a browser. Ctrl-C ends it.",
            flush=True,
        )
        if browser:
            show_in_browser(server.address)
        loop.run(shown, stop)
