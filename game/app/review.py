"""Looking back on the game that is over: when its course is worked out, and for how long it holds.

Owns what is asked of the analyst, and the way of what he says to the board's thread. Must not know
how a course is worked out, nor how it is shown.
"""

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from game.app.opponent.analysing import Course
from game.rules.game import Game
from game.table.state import Played, State

See = Callable[[Course | None], None]
"""Takes the newest course, on the board's thread; None when there is none any more."""


class Judge(Protocol):
    """Whoever works out courses, on threads of its own; see `game.app.opponent.analysing`."""

    def want(self, start: str, moves: Sequence[str]) -> None:
        """Work out this game, and no other any more."""
        ...

    def drop(self) -> None:
        """Work out nothing any more."""
        ...


class Review:
    """Follows one table. `see` and `look` belong to the board's thread, the others to any."""

    def __init__(
        self, game: Game[Any, Any], see: See, wake: Callable[[], None] = lambda: None
    ) -> None:
        self._game = game
        self._see = see
        self._wake = wake
        self._asked: SimpleQueue[None] = SimpleQueue()
        self._courses: SimpleQueue[tuple[object, Course]] = SimpleQueue()
        self._of: tuple[Played, ...] = ()
        self.judge: Judge | None = None

    def ask(self) -> None:
        """Ask how the game went; while none is over this is nothing."""
        self._asked.put(None)
        self._wake()

    def tell(self, course: Course) -> None:
        """Take what the judge says of the game that he was last given."""
        self._courses.put((self._of, course))
        self._wake()

    def look(self, state: State) -> None:
        """Follow the table: give the judge a game that is over and was asked for, or drop it."""
        if self.judge is None:
            return
        if self._of and (state.outcome is None or state.history is not self._of):
            # What he has told so far is of the game that he still has.
            self.judge.drop()
            self._of = ()
            self._see(None)
        if _drained(self._asked) and not self._of and state.outcome is not None and state.history:
            self._of = state.history
            start = self._game.text(state.history[0].before)
            self.judge.want(start, [played.text for played in state.history])
        for of, course in _drained(self._courses):
            if of and of is self._of:
                self._see(course)


def _drained(queue: "SimpleQueue[Any]") -> list[Any]:
    """Take all that a queue holds."""
    taken = []
    while True:
        try:
            taken.append(queue.get_nowait())
        except Empty:
            return taken
