"""The review of a game that is over: when its course is computed, and how long it is valid.

Owns the requests to the analyst, and passes its courses to the board's thread. Must not know
how a course is computed, nor how it is shown.
"""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

from game.opponent.analysis import Analyst, Course
from game.rules.base.game import AnyGame
from game.rules.base.message import say
from game.table import Played, State
from game.table.inputs import Announce

See = Callable[[Course | None], None]
"""Callback on the board's thread for the newest course; None when it is not valid any more."""


class Review:
    """Follows one table. `see` and `look` run on the board's thread, other methods on any."""

    def __init__(self, game: AnyGame, see: See, wake: Callable[[], None] = lambda: None) -> None:
        self._game = game
        self._see = see
        self._wake = wake
        self._asked: SimpleQueue[None] = SimpleQueue()
        self._courses: SimpleQueue[tuple[object, Course]] = SimpleQueue()
        self._reviewed: tuple[Played, ...] = ()
        self.judge: Analyst | None = None

    def ask(self) -> None:
        """Ask for the course of the game that is over; ignored during a game."""
        self._asked.put(None)
        self._wake()

    def tell(self, course: Course) -> None:
        """Queue a new course of the game whose analysis was started last."""
        self._courses.put((self._reviewed, course))
        self._wake()

    def look(self, state: State) -> Announce | None:
        """Follow the table: start the analysis if requested, cancel it when the game goes on.

        The coach requests it too, and announces the worst move: that announcement is returned.
        """
        if self.judge is None:
            return None
        if self._reviewed and (state.outcome is None or state.history is not self._reviewed):
            self.judge.cancel()
            self._reviewed = ()
            self._see(None)
        if (
            (_drained(self._asked) or state.coached)
            and not self._reviewed
            and state.outcome is not None
            and state.history
        ):
            self._reviewed = state.history
            start = self._game.text(state.history[0].before)
            self.judge.start(start, [played.text for played in state.history])
        found = None
        for of, course in _drained(self._courses):
            if of and of is self._reviewed:
                self._see(course)
                if course.done and state.coached:
                    found = self._turned(course, state)
        return found

    def _turned(self, course: Course, state: State) -> Announce | None:
        """Return the announcement of the worst turning move and of a better one; None if none."""
        turning = [point for point in course.points if point.ply in course.turning]
        if not turning:
            return None
        worst = max(turning, key=lambda point: point.loss)
        before = state.history[worst.ply].before
        who = self._game.presentation.called(before, worst.player)
        move, best, ply = worst.move, worst.best, worst.ply + 1
        return Announce(say("coach.turned", ply=ply, player=who, move=move, best=best), good=True)


def _drained(queue: "SimpleQueue[Any]") -> list[Any]:
    taken = []
    while True:
        try:
            taken.append(queue.get_nowait())
        except Empty:
            return taken
