"""The computer player, as the loop of the board uses it.

Owns the translation between the table and the engine: tasks, answers and troubles. No call
blocks, and no fault of an engine raises an exception.
"""

from collections.abc import Callable, Mapping, Sequence

from game.engine import TOP, EngineError
from game.opponent.engine_process import EngineProcess, EngineTask
from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.table import SearchRequest
from game.table.entries import EVEN
from game.table.inputs import GRADE, JUDGE, EngineUnavailable, GradesFound, Input, SearchResult

HINT_S = 2.0  # time for a hint
JUDGE_S = 1.0  # time to judge who stands better after a move
GRADES_S = 3.0  # time for grades, which come at first after a quarter of a second
_SECONDS = {"": HINT_S, JUDGE: JUDGE_S, GRADE: GRADES_S}  # of searches at the top level


class Computer:
    """Searches the positions that the table asks for, in a process started when it is needed.

    `wake` is called from another thread when `follow` may have a result; `command` starts an engine
    instead of our own. `engines` are the commands of further engines, by level. `even` returns the
    level of an even match. `seed` makes random choices repeatable.
    """

    def __init__(
        self,
        game: AnyGame,
        wake: Callable[[], None],
        *,
        seed: int | None = None,
        command: Sequence[str] | None = None,
        engines: Mapping[str, Sequence[str]] | None = None,
        even: Callable[[], str] = lambda: TOP,
    ) -> None:
        self._own = self._engine = EngineProcess(game, wake=wake, seed=seed, command=command)
        self._others = {
            level: EngineProcess(game, wake=wake, command=each)
            for level, each in (engines or {}).items()
        }
        self._even = even
        self._wanted: SearchRequest | None = None
        self._trouble: Message | None = None
        self._reported = False

    def follow(self, wanted: SearchRequest | None) -> tuple[Input, ...]:
        """Follow the search that the table wants now; return new inputs for the table.

        A search is answered once, but grades as often as they change; to repeat it, ask for
        another one or none in between.
        """
        if wanted != self._wanted:
            self._wanted = wanted
            self._reported = False
            self._engine.stop()
            if wanted is not None:
                self._engine = self._others.get(wanted.level, self._own)
                try:
                    self._engine.ask(self._task(wanted))
                except EngineError as error:
                    return self._report_trouble(error.message)
                # A new search has no trouble, unless its engine waits for a restart.
                trouble = self._engine.trouble
                if self._trouble is not None or trouble is not None:
                    return self._report_trouble(trouble)
        heard = self._engine.poll()
        if isinstance(heard, Message):
            return self._report_trouble(heard)
        if heard is None or wanted is None:
            return ()
        if isinstance(heard, tuple):
            found: Input = SearchResult(wanted.position, wanted.level, heard)
        else:
            found = GradesFound(wanted.position, heard)
        return (*self._report_trouble(None), found)

    def close(self) -> None:
        for each in (self._own, *self._others.values()):
            each.close()

    def _report_trouble(self, trouble: Message | None) -> tuple[Input, ...]:
        """Report a trouble once for each search, and when it changes or ends."""
        if trouble == self._trouble and (self._reported or trouble is None):
            return ()
        self._trouble = trouble
        self._reported = True
        return (EngineUnavailable(trouble),)

    def _task(self, wanted: SearchRequest) -> EngineTask:
        """Return the engine's task; a hint is the best move found in a short time."""
        level = wanted.level
        if level in self._others:
            return EngineTask(wanted.position, "", wanted.count)
        if (seconds := _SECONDS.get(level)) is not None:
            return EngineTask(wanted.position, TOP, wanted.count or 1, seconds, level == GRADE)
        return EngineTask(wanted.position, self._even() if level == EVEN else level, wanted.count)
