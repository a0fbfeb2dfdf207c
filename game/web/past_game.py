"""A stored game on one page: the position that the page looks at, and its analysis.

Owns how a game is loaded for a page, and which games may be. Each page looks at a position of its
own; this does not affect the board and its game.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock

from game.common import AppError
from game.engine import can_be_judged
from game.opponent import Analyst, Course
from game.play import Decision, Snapshot, default_board, fitted_profile
from game.rules.base.message import say
from game.store import Record, final_state, game_named, record_of
from game.table import scene_of
from game.table.inputs import Input
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from game.web.views import look_view
from game.web.views.state_view import Replayed
from hal.profile import Profile

_ANALYSIS = Lock()
"""Held while a stored game is analysed: one at a time, for the sake of the game that is played."""


class PastGame:
    """One stored game for one page; lives on the server's thread."""

    def __init__(self, record: Record, profile: Profile) -> None:
        self.game = game_named(record.game)
        state = final_state(record)
        self.final = Snapshot(self.game, state, scene_of(self.game, state, frozenset()))
        self.broadcaster = Broadcaster()
        self._profile = profile
        self._ply = 0
        self._course: Course | None = None
        self._analyst: Analyst | None = None

    @property
    def judged(self) -> bool:
        state = self.final.state
        return bool(state.outcome and state.history and can_be_judged(self.game))

    def give(self, request: Input | Decision, source: str = "") -> None:
        """Do nothing: a stored game does not change."""

    def seek(self, ply: int) -> None:
        past = look_view.after(self.final, ply, self._course)
        self._ply = len(past.state.history)
        self.broadcaster.see(past)
        self.broadcaster.see_lights(look_view.lights(past, self._profile))

    def analyse(self) -> None:
        """Analyse the game, unless another stored game is being analysed."""
        history = self.final.state.history
        if self._analyst is not None or not self.judged:
            return
        if not _ANALYSIS.acquire(blocking=False):
            self._learn(Course(len(history), done=True, trouble=say("analysis.busy")))
            return
        loop = asyncio.get_running_loop()

        def wake() -> None:
            loop.call_soon_threadsafe(self._follow)

        self._analyst = Analyst(self.game, wake)
        start = self.game.text(history[0].before)
        self._learn(self._analyst.start(start, [played.text for played in history]))

    def _follow(self) -> None:
        if self._analyst is not None and (course := self._analyst.poll()) is not None:
            self._learn(course)

    def close(self) -> None:
        """End the analysis, and wait for its process."""
        if self._analyst is not None:
            self._analyst.close()
            self._analyst = None
            _ANALYSIS.release()

    def _learn(self, course: Course) -> None:
        self._course = course
        self.broadcaster.see_course(course)
        self.seek(self._ply)


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
