"""The tutorial of a game, played step by step on the lights and the page.

Owns which touch goes on, and what is shown meanwhile. The steps are `game.rules.base.tutorial`'s.
`Tutorial` reads no clock; `game.play.loop` calls `step`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from math import inf
from typing import Any

from game.common.data_folder import board_lock, board_memory
from game.common.errors import AppError
from game.play import light_theme, loop
from game.play.board_mapping import fitted
from game.play.fault_log import FaultLog
from game.play.input_queue import InputQueue
from game.play.session import PAGE_INPUTS, Audience, Decision, Snapshot
from game.rules.base.game import Game
from game.rules.base.message import InlineText, Message, say
from game.rules.base.tutorial import tutorial
from game.store.records.record import initial_state
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command, Input, Touched
from game.table.player_view import PlayerView
from game.table.records import REJECTED_S, UNKNOWN_PIECE, Phase
from game.table.scene import Cue, Lamp, Scene, scene
from game.table.state import State
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from game.web.game_runtime import GameConfig, Running
from game.web.replay_frames import ReplayFrame, frames_after
from game.web.server import Server, listen, show_in_browser
from game.web.views.state_view import Replayed
from hal.backends.device import Device
from hal.backends.registry import open_backend
from hal.base.events import CellTouch, Event, KeyTouch, Moment, Standing
from hal.lights.frame import Layer, on_screen

SLOWER = 1.5
"""How much longer than in a replay a move is shown: newcomers read what happens."""
LEARNER = 1
"""The player who learns: of a game that hides pieces, the tutorial shows what this one sees."""


class Tutorial:
    """The tutorial of one game on one board; raises AppError for a game without one.

    The expected touches enter moves. No pieces are needed: lights show them. Where stones are felt,
    one that is set on a cell touches it. A take-back goes one step back, a confirmation does what
    the step expects, and a new game begins again.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        device: Device,
        audience: Audience,
        brightness: Callable[[], float] | None = None,
        speed: float = 1.0,
    ) -> None:
        self.game = game
        self.device = device
        self._speed = speed / SLOWER
        self._steps = tutorial(game)
        if not self._steps:
            raise AppError(f"{game.title} has no tutorial")
        self._audience = audience
        self._brightness = brightness
        self._asked: InputQueue[Command | str] = InputQueue()
        self._views = PlayerView(game)
        self._standing: frozenset[str] | None = None
        self._layers: tuple[Layer, ...] = ()
        self._fault_log = FaultLog()
        self._shown: object = None
        self._at = 0
        self._state = initial_state(game)
        self._taps: tuple[str, ...] = ()
        self._frames: tuple[ReplayFrame, ...] = ()
        self._next_s = inf
        self._wrong: tuple[str, float] | None = None
        self._go_to(0)

    @property
    def at(self) -> int:
        """The number of the step, from 1."""
        return self._at + 1

    def give(self, request: Input | Decision, source: str = "") -> None:
        """Queue a command or a touch, from any thread; other inputs do nothing here."""
        if isinstance(request, Asked):
            self._asked.put(request.command, source)
        elif isinstance(request, Touched):
            self._asked.put(request.spot, source)
        self.device.wake()

    def analyse(self) -> None:
        """Do nothing: nobody has played."""

    def step(self, now: float) -> None:
        """Sense, go on where it is time, show: in this order."""
        for event in self.device.poll(now):
            self._sense(event, now)
        self._fault_log.take(self.device.faults, self.device.masked, now)
        for asked in self._asked.take(PAGE_INPUTS):
            if isinstance(asked, Command):
                self._obey(asked, now)
            else:
                self._touch(asked, now)
        while self._frames and now >= self._next_s:
            self._next_frame(now)
        if self._wrong is not None and now >= self._wrong[1]:
            self._wrong = None
        self._show(now)

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""
        if self._asked:
            return now
        wrong_s = inf if self._wrong is None else self._wrong[1]
        return max(now, min(self._next_s, wrong_s, self.device.due(now)))

    def wait(self, timeout_s: float) -> None:
        """Sleep until the board may have changed, something is asked, or the time-out."""
        self.device.wait(timeout_s)

    def _sense(self, event: Event, now: float) -> None:
        match event:
            case CellTouch(cell, Moment.DOWN):
                self._touch(cell, now)
            case Standing(cells):
                for cell in sorted(cells - (cells if self._standing is None else self._standing)):
                    self._touch(cell, now)
                self._standing = cells
            case KeyTouch(key, Moment.DOWN) if key in _COMMANDS:
                self._obey(_COMMANDS[key], now)
            case KeyTouch(key, Moment.DOWN):
                self._touch(key, now)

    def _obey(self, asked: Command, now: float) -> None:
        match asked:
            case Command.TAKE_BACK if self._frames or self._taps:
                self._go_to(self._at)
            case Command.TAKE_BACK:
                self._go_to(max(0, self._at - 1))
            case Command.NEW_GAME:
                self._go_to(0)
            case Command.CONFIRM if self._frames:
                self._go_to(self._at + 1)
            case Command.CONFIRM:
                at, wanted = self._at, self._steps[self._at]
                while self._at == at < len(self._steps) - 1 and not self._frames:
                    # Without anything expected any touch goes on.
                    spots = wanted.expected(self._taps) or set(self.game.board.cells)
                    self._touch(min(spots), now)

    def _touch(self, spot: str, now: float) -> None:
        """Take a touch: the expected one goes on, others are flagged; one skips what is shown."""
        if spot not in (*self.game.board.cells, *self.game.keys):
            return
        wanted = self._steps[self._at]
        if self._frames:
            self._go_to(self._at + 1)
            return
        expected = wanted.expected(self._taps)
        self._wrong = None
        if expected and spot not in expected:
            self._wrong = spot, now + REJECTED_S
        elif wanted.move and len(self._taps) + 1 < len(wanted.taps):
            self._taps = (*self._taps, spot)
        elif wanted.move:
            entry = Entry(EntryKind.MOVE, wanted.move)
            self._frames = tuple(frames_after(self.game, self._state, [entry]))
            self._next_s = now + self._frames[0].seconds / self._speed
        else:
            self._go_to(self._at + 1)

    def _next_frame(self, now: float) -> None:
        if len(self._frames) == 1:
            self._go_to(self._at + 1)
        else:
            self._frames = self._frames[1:]
            self._next_s = now + self._frames[0].seconds / self._speed

    def _go_to(self, at: int) -> None:
        """Begin a step, the last one at most."""
        self._at = min(at, len(self._steps) - 1)
        self._taps = ()
        self._frames, self._next_s, self._wrong = (), inf, None
        position = self._steps[self._at].position
        start = initial_state(self.game)
        pieces = self.game.pieces(position)
        self._state = replace(start, phase=Phase.TAP, position=position, standing=pieces)

    def _show(self, now: float) -> None:
        """Paint the lights, and show the audience what is new."""
        if self._brightness is not None:
            self.device.dim(self._brightness())
        shown = (self._at, self._taps, self._frames, self._wrong)
        if shown != self._shown:
            self._shown = shown
            state, picture = self._picture()
            self._layers = light_theme.layers(picture, self.device.profile.lights)
            touch = self.device.profile.sensing.mode == "touch"
            self.device.settle(frozenset(self.device.profile.cells) if touch else frozenset())
            lesson = self._at + 1, len(self._steps)
            self._audience.see(Snapshot(self.game, state, picture, lesson=lesson))
        if self.device.paint(self._layers, now):
            self._audience.see_lights(on_screen(self.device.shown(), self.device.power))

    def _picture(self) -> tuple[State, Scene]:
        """Return what is seen of the step: every piece is lit, and what is expected."""
        wanted, text = self._steps[self._at], self._text
        if self._frames:
            state = self._views.seen(self._frames[0].state, LEARNER)
            expected, light = frozenset[str](), dict[str, Lamp]()
            prompt: tuple[Message, ...] = (state.history[-1].summary,)
        else:
            told = replace(self._state, taps=self._taps, inspecting=wanted.inspect)
            state = self._views.seen(told, LEARNER)
            expected = wanted.expected(self._taps)
            light = {cell: Lamp(Cue.CRITTER, self._side(state, cell)) for cell in wanted.light}
            mover = self.game.to_move(state.position)
            side = mover and self.game.presentation.side_of(state.position, mover)
            light |= {spot: Lamp(Cue.LEGAL, side) for spot in expected & {*self.game.board.cells}}
            felt = self.device.profile.sensing.mode == "presence" and self._at == 0
            prompt = (text(wanted.texts), *([say("tutorial.by_stone")] if felt else []))
        bare = scene(self.game, state, expected)
        standing = {cell: Lamp(Cue.STANDS, self._side(state, cell)) for cell in state.standing}
        notice = None
        if self._wrong is not None:
            spot = self._wrong[0]
            light |= {spot: Lamp(Cue.WRONG)} if spot in self.game.board.cells else {}
            keys = expected <= {*self.game.keys}
            notice = say("tutorial.press") if keys else say("tutorial.elsewhere", cell=spot)
            notice = text(wanted.wrong) if wanted.wrong else notice
        cells = standing | dict(bare.cells) | light
        return state, replace(bare, cells=cells, prompt=prompt, notice=notice)

    @staticmethod
    def _text(texts: Any) -> Message:
        return InlineText("tutorial", texts=texts)

    def _side(self, state: State, cell: str) -> int | None:
        piece = state.standing.get(cell, UNKNOWN_PIECE)
        return None if piece == UNKNOWN_PIECE else self.game.presentation.side(piece)


_COMMANDS = {command.value: command for command in Command}


@contextmanager
def open_tutorial(plan: GameConfig, speed: float = 1.0) -> Iterator[Running]:
    """Open a board for the tutorial of a game; raises AppError, HalError or RulesError.

    At `speed` 1 a move is shown for SLOWER times as long as in a replay.
    """
    game, board = plan.game, plan.profile
    profile = fitted(board, game)
    with ExitStack() as opened:
        opened.enter_context(board_lock(plan.folder, board, plan.backend))
        memory = board_memory(plan.folder, board, plan.backend)
        carrier = open_backend(plan.backend, profile, clock=plan.clock, memory=memory)
        device = opened.enter_context(closing(Device(profile, carrier)))
        broadcaster = Broadcaster()
        runner = Tutorial(game, device, broadcaster, plan.brightness, speed)
        # Pages touch the cells of the tutorial, and not those of a simulated board.
        page = Page(game, profile, broadcaster, None, runner, Replayed(tutorial=True))
        yield Running(runner, broadcaster, page)


def teach(plan: GameConfig, port: int, browser: bool) -> None:
    """Run a game's tutorial until SIGINT or SIGTERM; raises AppError, HalError or RulesError."""
    stop = loop.Flag()
    loop.stop_on_signals(stop)
    with (
        listen(port) as listening,
        open_tutorial(plan) as running,
        Server(running.page, listening) as server,
    ):
        running.session.step(time.monotonic())
        print(
            f"The tutorial of {plan.game.title}: open {server.address} in a browser."
            " Ctrl-C ends it.",
            flush=True,
        )
        if browser:
            show_in_browser(server.address)
        loop.run(running.session, stop)
