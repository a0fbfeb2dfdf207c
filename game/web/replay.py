"""Saved games: replayed on the lights and the page, or looked at on one page.

Frames come from the reducer that play uses. A page that looks at a game has a position of its own,
which does not affect the board and its game.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from math import inf
from pathlib import Path
from threading import Lock

from game.common import AppError, data_folder
from game.engine import can_be_judged
from game.opponent import Course, Review
from game.play import (
    Decision,
    Dimmer,
    Snapshot,
    StopFlag,
    choose_board,
    default_board,
    fitted_profile,
    run_loop,
    stop_on_signals,
)
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.store import (
    DECIDING,
    Record,
    final_state,
    game_named,
    initial_state,
    lines_of,
    record_of,
)
from game.table import Scene, apply_entries, move_sentence, named, scene_of
from game.table.entries import EntryKind
from game.table.inputs import Command, Input
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from game.web.server import Server, listen, show_in_browser
from game.web.show import MOVE_S, ReplayFrame, Request, Show, frames_after, open_device, standing
from game.web.views import state_view
from game.web.views.state_view import Replayed
from hal.profile import Profile

_ANALYSIS = Lock()
"""Held while a stored game is analysed: one at a time, for the sake of the game that is played."""


Pace = Enum("Pace", {"RUNNING": "running", "PAUSED": "paused", "ENDED": "ended"})
"""Whether a replay is running."""


def replay_frames(game: AnyGame, record: Record) -> tuple[ReplayFrame, ...]:
    """Return the frames of the moves at the end of a game, from its beginning on."""
    entries = [line.entry for line in lines_of(replace(record, journal=()), record.started)]
    steps = [entry for entry in entries if entry.kind in (EntryKind.MOVE, *DECIDING)]
    state = initial_state(game)
    for entry in entries[: len(entries) - len(steps)]:
        state = apply_entries(state, entry)
    return ReplayFrame(state, 0, MOVE_S), *frames_after(game, state, steps)


def picture(game: AnyGame, frame: ReplayFrame, pace: Pace, plies: int) -> Scene:
    """Return the scene of a frame: every piece is lit, and nothing can be touched."""
    state, ply = frame.state, min(frame.steps, plies)
    bare = scene_of(state, frozenset())
    said: list[Message] = [move_sentence(state, each) for each in state.history[-1:]]
    if pace is not Pace.ENDED:
        said.append(say(f"replay.{pace.value}", ply=ply, plies=plies))
    else:
        said += [named(state, state.outcome.message)] if state.outcome else []
        said.append(say("replay.ended", count=plies))
    return replace(
        bare, cells=standing(game, state) | dict(bare.cells), prompt=tuple(said), notice=None
    )


@dataclass(eq=False)
class Replay(Show):
    """One saved game on one board.

    A touch of any cell pauses and resumes; a take-back goes one move back and pauses; a new game
    restarts the replay; a page can go to any move. The end stays. At `speed` 1 a move takes
    MOVE_S.
    """

    record: Record = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._frames = replay_frames(self.game, self.record)
        self._at, self._paused = 0, False
        # The first frame is shown from the first step on.
        self.next_s = 0.0

    @property
    def pace(self) -> Pace:
        if self._at == len(self._frames) - 1:
            return Pace.ENDED
        return Pace.PAUSED if self._paused else Pace.RUNNING

    def advance(self, now: float) -> None:
        if self.next_s:
            self._at += 1
        self._wait(now)

    def obey(self, asked: Request, now: float) -> None:
        match asked:
            case str() if asked not in self.game.board.cells:
                return
            case str() | Command.CONFIRM:
                self._paused = not self._paused and self.pace is Pace.RUNNING
            case Command.TAKE_BACK:
                self._go(self._frames[self._at].steps - 1)
            case int(ply):
                # How players ended a game is shown with its last move.
                self._go(ply if ply < len(self.record.moves) else self._frames[-1].steps)
            case Command.NEW_GAME:
                self._at, self._paused = 0, False
            case _:
                return
        self._wait(now)

    def picture(self) -> Snapshot:
        frame = self._frames[self._at]
        scene = picture(self.game, frame, self.pace, len(self.record.moves))
        return Snapshot(self.game, frame.state, scene)

    def _wait(self, now: float) -> None:
        goes_on = self.pace is Pace.RUNNING
        self.next_s = now + self._frames[self._at].seconds / self.speed if goes_on else inf

    def _go(self, steps: int) -> None:
        frames = enumerate(self._frames)
        self._at = max((at for at, frame in frames if frame.steps <= steps), default=0)
        self._paused = True


class PastGame:
    """One stored game for one page; lives on the server's thread."""

    def __init__(self, record: Record, profile: Profile) -> None:
        self.game = game_named(record.game)
        state = final_state(record)
        self.final = Snapshot(self.game, state, scene_of(state, frozenset()))
        self.broadcaster = Broadcaster()
        self._profile = profile
        self._review: Review | None = None

    @property
    def judged(self) -> bool:
        state = self.final.state
        return bool(state.outcome and state.history and can_be_judged(self.game))

    def give(self, request: Input | Decision, source: str = "") -> None:
        """Do nothing: a stored game does not change."""

    def seek(self, ply: int) -> None:
        past = state_view.after(self.final, ply, self.broadcaster.latest.course)
        self.broadcaster.see(past)
        self.broadcaster.see_lights(state_view.colours(past, self._profile))

    def analyse(self) -> None:
        """Analyse the game, unless another stored game is being analysed."""
        if self._review is not None or not self.judged:
            return
        if not _ANALYSIS.acquire(blocking=False):
            moves = len(self.final.state.history)
            self._learn(Course(moves, done=True, trouble=say("analysis.busy")))
            return
        loop = asyncio.get_running_loop()

        def wake() -> None:
            loop.call_soon_threadsafe(self._follow)

        self._review = Review(self.game, self._learn, wake)
        self._review.ask()

    def _follow(self) -> None:
        if self._review is not None:
            self._review.look(self.final.state)

    def close(self) -> None:
        """End the analysis, and wait for its process."""
        if self._review is not None:
            self._review.close()
            self._review = None
            _ANALYSIS.release()

    def _learn(self, course: Course | None) -> None:
        self.broadcaster.see_course(course)
        if (shown := self.broadcaster.latest.snapshot) is not None:
            self.seek(len(shown.state.history))


@contextmanager
def past_page(folder: Path, which: str) -> Iterator[Page]:
    """Load a stored game for one page; raises AppError, HalError or RulesError.

    A game that hides things must have ended.
    """
    number, record = record_of(folder, which)
    game = game_named(record.game)
    if game.hidden and record.result is None:
        raise AppError(f"game {number} is {game.name} and has not ended")
    profile = fitted_profile(default_board("sim", game), game)
    past = PastGame(record, profile)
    past.seek(len(record.moves))
    replayed = Replayed(
        number, local_day(record.started), past.final.state, past=True, judged=past.judged
    )
    try:
        yield Page(game, profile, past.broadcaster, None, past, replayed, seek=past.seek)
    finally:
        past.close()


def local_day(at: str) -> str:
    """Return the local date of an ISO time in UTC, "" if unknown."""
    try:
        return datetime.fromisoformat(at).astimezone().date().isoformat()
    except (ValueError, OverflowError):
        return ""


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
        shown = Replay(game, device, broadcaster, bright, speed, record=record)
        day = local_day(record.started)
        replayed = Replayed(number, day, final_state(record))
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
