"""The computer player, as the loop of the board uses it.

Owns the translation between the table and the engine: tasks, answers and troubles. Nothing here
waits, and nothing that an engine does is raised.
"""

from collections.abc import Callable, Sequence

from game.engine.levels import TOP, EngineError
from game.opponent.engine_process import EngineAnswer, EngineProcess, Task, Trouble
from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.table.computer import SearchRequest
from game.table.inputs import EngineUnavailable, Input, SearchResult

HINT_S = 2.0  # time for a hint


class Computer:
    """Searches the positions that the table asks for, in a process started when it is needed.

    `wake` is called from another thread when `follow` may have a result; `command` starts another
    engine than our own. `seed` makes chance repeatable.
    """

    def __init__(
        self,
        game: AnyGame,
        wake: Callable[[], None],
        *,
        seed: int | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self._engine = EngineProcess(game, wake=wake, seed=seed, command=command)
        self._wanted: SearchRequest | None = None
        self._trouble: Message | None = None
        self._told = False

    def follow(self, wanted: SearchRequest | None, now: float) -> tuple[Input, ...]:
        """Take what the table wants searched now, and return its inputs, each once.

        A search is answered once; to repeat it, ask for another one or none in between.
        """
        if wanted != self._wanted:
            self._wanted = wanted
            self._told = False
            if wanted is None:
                self._engine.stop(now)
            else:
                try:
                    self._engine.ask(_task(wanted), now)
                except EngineError as error:
                    self._engine.stop(now)
                    return self._report_trouble(error.message)
                if self._trouble is not None:
                    # A search that has only just begun has no trouble yet.
                    rests = self._engine.rests(now)
                    return self._report_trouble(self._trouble if rests else None)
        heard = self._engine.poll(now)
        if isinstance(heard, Trouble):
            return self._report_trouble(heard.message)
        if isinstance(heard, EngineAnswer) and wanted is not None:
            return (
                *self._report_trouble(None),
                SearchResult(heard.task.position, wanted.level, heard.ideas),
            )
        return ()

    def due(self, now: float) -> float:
        return max(now, self._engine.due())

    def close(self) -> None:
        self._engine.close()

    def _report_trouble(self, trouble: Message | None) -> tuple[Input, ...]:
        """Report a trouble once for each search, and when it changes or ends."""
        if trouble == self._trouble and (self._told or trouble is None):
            return ()
        self._trouble = trouble
        self._told = True
        return (EngineUnavailable(trouble),)


def _task(wanted: SearchRequest) -> Task:
    """Return the engine's task; a hint is the best move found in a short time."""
    if wanted.level:
        return Task(wanted.position, wanted.level, wanted.count)
    return Task(wanted.position, TOP, wanted.count, HINT_S)
