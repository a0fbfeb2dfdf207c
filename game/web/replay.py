"""Replay: a saved game shown again, move by move, on the lights and the page.

Owns running, pausing and going back, and how board and page are set up for it. The frames are made
in `game.web.replay_frames`.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from math import inf
from pathlib import Path

from game.common.data_folder import data_folder
from game.play import board_choice, loop, night_mode
from game.play.night_mode import NightMode
from game.play.session import Audience, Snapshot
from game.store import Record, game_named, record_of
from game.table import State
from game.table.inputs import Command
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from game.web.past_game import local_day
from game.web.replay_frames import Pace, picture, replay_frames
from game.web.server import Server, listen, show_in_browser
from game.web.show import Request, Show, open_device
from game.web.views.state_view import Replayed
from hal.backends.device import Device


class Replay(Show):
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
        super().__init__(game_named(record.game), device, audience, brightness)
        self._frames = replay_frames(self.game, record)
        self._plies = len(record.moves)
        self._speed = speed
        self._at = 0
        self._paused = False
        self._due_s: float | None = None

    @property
    def ply(self) -> int:
        """How many moves have been played in the current frame."""
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
    stop = loop.Flag()
    loop.stop_on_signals(stop)
    with ExitStack() as opened:
        listening = opened.enter_context(listen(port))
        device = opened.enter_context(open_device(chosen, game, backend, folder))
        broadcaster = Broadcaster()
        bright = night_mode.brightness(device.profile, NightMode.AUTO)
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
        loop.run(shown, stop)
