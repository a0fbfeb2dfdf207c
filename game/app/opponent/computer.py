"""The computer player, as the loop of the board holds it.

Owns what the table's wish becomes for the engine, and what the engine's answers and troubles become
for the table. Nothing here waits, and nothing that an engine does is raised.
"""

from collections.abc import Callable, Sequence
from typing import Any

from game.app.opponent.engine_process import Answer, EngineProcess, Task, Trouble
from game.engine.errors import EngineError
from game.engine.levels import TOP
from game.rules.game import Game
from game.rules.message import Message
from game.table.inputs import Input, Stumped, Thought
from game.table.thinking import Wanted

HINT_S = 2.0
"""So long is thought about a hint."""


class Computer:
    """Thinks about what the table wants, in a process that is there only while it is needed.

    `wake` is called from another thread when `follow` may have something to tell; `command` starts
    another engine than our own. `seed` makes its chance repeatable.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        wake: Callable[[], None],
        *,
        seed: int | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self._engine = EngineProcess(game, wake=wake, seed=seed, command=command)
        self._wanted: Wanted | None = None
        self._trouble: Message | None = None
        self._told = False

    def follow(self, wanted: Wanted | None, now: float) -> tuple[Input, ...]:
        """Take what is to be thought about now, and give what the table is to hear of it, once.

        A thought comes once for a wish; the same wish again needs another one, or none, between.
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
                    return self._stumped(error.message)
                if self._trouble is not None:
                    # What is begun only now is not stumped yet.
                    rests = self._engine.rests(now)
                    return self._stumped(self._trouble if rests else None)
        heard = self._engine.poll(now)
        if isinstance(heard, Trouble):
            return self._stumped(heard.message)
        if isinstance(heard, Answer) and wanted is not None:
            return (
                *self._stumped(None),
                Thought(heard.task.position, wanted.level, heard.ideas),
            )
        return ()

    def due(self, now: float) -> float:
        """Return when it is to be asked again at the latest."""
        return max(now, self._engine.due())

    def close(self) -> None:
        """End the engine's process."""
        self._engine.close()

    def _stumped(self, trouble: Message | None) -> tuple[Input, ...]:
        """Tell a trouble once for each wish, and when it becomes another one or is over."""
        if trouble == self._trouble and (self._told or trouble is None):
            return ()
        self._trouble = trouble
        self._told = True
        return (Stumped(trouble),)


def _task(wanted: Wanted) -> Task:
    """Say what a wish is for the engine; a hint is as good as a short time allows."""
    if wanted.level:
        return Task(wanted.position, wanted.level, wanted.ideas)
    return Task(wanted.position, TOP, wanted.ideas, HINT_S)
