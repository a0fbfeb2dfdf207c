"""A stored game on one page, which looks back at it and may ask how it went.

The page has a position of its own, which does not affect the board and its game.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock

from game.common import AppError
from game.engine import can_be_judged
from game.opponent import Course, Review
from game.play import Decision, Snapshot, default_board, fitted_profile
from game.rules.base.message import say
from game.store import Record, final_state, game_named, record_of
from game.table import scene_of
from game.table.inputs import Input
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from game.web.views import state_view
from game.web.views.state_view import Replayed
from hal.profile import Profile

_ANALYSIS = Lock()
"""Held while a stored game is analysed: one at a time, for the sake of the game that is played."""


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
    day = local_day(record.started)
    replayed = Replayed(number, day, past.final.state, judged=past.judged)
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
