"""The engine in a process of its own, and the conversation with it.

Owns when that process is started, what it is asked, how long it may take, and what becomes of one
that dies, hangs or talks nonsense: it is ended, and started anew after a pause that grows. No call
waits, so that the loop that reads the board can make all of them. Time comes in as `now`, in
seconds. Must not know the table.
"""

import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import inf
from typing import Any

from game.app.opponent.answers import Nonsense, Notes
from game.app.opponent.child import Child, End, Ended
from game.engine.levels import find_level
from game.rules.game import Game
from game.rules.message import Message, say
from game.table.inputs import Idea

log = logging.getLogger(__name__)

START_S = 60.0
"""So long may it take until it is ready, on a slow computer with a slow card."""
GRACE_S = 15.0
"""So much longer than agreed may a move take."""
STOP_S = 15.0
"""So long may it take to hear that nobody wants its answer any more."""
IDLE_S = 300.0
"""So long it is kept while nobody wants anything of it."""
PAUSES_S = (1.0, 5.0, 30.0, 60.0, 300.0)
"""How long it is let alone after a failure, and after each that follows."""
END_S = 2.0
"""So long is waited at the very end until it is gone."""
NICE = 10

TROUBLES = {
    End.GONE: say("opponent.died"),
    End.KILLED: say("opponent.died"),
    End.UNSTARTED: say("opponent.unstarted"),
    End.WILD: say("opponent.nonsense"),
}
SILENT = say("opponent.silent")
NONSENSE = say("opponent.nonsense")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be thought about: a position, at which level, and how many moves are wanted.

    `seconds` takes the place of the level's own limits where they are higher.
    """

    position: Any
    level: str
    ideas: int = 1
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The ideas that a task has brought, best first; at least one, all of them legal."""

    task: Task
    ideas: tuple[Idea, ...]


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no answer; it is tried again by itself."""

    message: Message


class _Stage(Enum):
    """How far the conversation with a process has come."""

    GREETED = auto()
    """`ugi` was said."""
    AWAITED = auto()
    """`isready` was said."""
    READY = auto()
    THINKING = auto()
    STOPPING = auto()
    """`stop` was said: the answer that comes is no longer wanted."""


def own_engine(game: Game[Any, Any], nice: int = NICE, seed: int | None = None) -> tuple[str, ...]:
    """Return the command that starts our own engine for a game."""
    chance = () if seed is None else ("--seed", str(seed))
    return (
        *(sys.executable, "-P", "-m", "game.app", "engine", "--game", game.name),
        *("--nice", str(nice), "--with-parent", *chance),
    )


class EngineProcess:
    """One engine, there as long as something is wanted of it.

    `command` starts it, by default our own. `wake` is called from another thread when `poll` may
    have something to tell.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        wake: Callable[[], None],
        command: Sequence[str] | None = None,
        nice: int = NICE,
        seed: int | None = None,
    ) -> None:
        self._game = game
        self._wake = wake
        self._command = own_engine(game, nice, seed) if command is None else tuple(command)
        self._child: Child | None = None
        self._stage = _Stage.GREETED
        self._options: dict[str, str] = {}
        self._notes = Notes()
        self._wanted: Task | None = None
        self._asked: Task | None = None
        self._deadline = inf
        self._failures = 0
        self._rests_until = -inf
        self._closed = False

    def ask(self, task: Task, now: float) -> None:
        """Want the answer to this task alone, which `poll` then gives; raises EngineError."""
        find_level(task.level)
        if task != self._wanted:
            self.stop(now)
            self._wanted = task

    def stop(self, now: float) -> None:
        """Want nothing any more."""
        self._wanted = None
        if self._child is not None and self._stage is _Stage.THINKING:
            self._child.say("stop")
            self._enter(_Stage.STOPPING, now + STOP_S)

    def poll(self, now: float) -> Answer | Trouble | None:
        """Hear what it says; return what has become of the task, each time once."""
        return self._listen(now) or self._watch(now) or self._go_on(now)

    def rests(self, now: float) -> bool:
        """Tell whether it has failed, and is let alone for a while."""
        return self._child is None and now < self._rests_until

    def due(self) -> float:
        """Return when `poll` is to be called at the latest, if nothing wakes before."""
        if self._child is not None:
            return self._deadline
        return inf if self._wanted is None else self._rests_until

    def close(self) -> None:
        """End it for good."""
        self._closed = True
        self._wanted = None
        if self._child is not None:
            self._child.kill()
            self._child.join(END_S)
            self._child = None

    def _go_on(self, now: float) -> Trouble | None:
        """Do the next thing that the wanted task needs, if it can be done now."""
        if self._wanted is None or self._closed:
            return None
        if self._child is None:
            return self._start(now) if now >= self._rests_until else None
        if self._stage is _Stage.READY:
            self._send(self._child, self._wanted, now)
        return None

    def _start(self, now: float) -> Trouble | None:
        try:
            self._child = Child(self._command, self._rouse, _is_news)
        except (OSError, RuntimeError) as error:
            return self._fail(TROUBLES[End.UNSTARTED], f"it cannot be started: {error}", now)
        self._options = {}
        self._child.say("ugi")
        self._enter(_Stage.GREETED, now + START_S)
        return None

    def _send(self, child: Child, task: Task, now: float) -> None:
        level = find_level(task.level)
        seconds = level.seconds if task.seconds is None else min(task.seconds, level.seconds)
        # Whoever asks, an engine hears no more than the player knows for whom it thinks.
        mover = self._game.to_move(task.position)
        seen = self._game.seen_by(task.position, mover, remembers=True)
        lines = [f"position fen {self._game.text(seen)}"]
        for name, value in (("level", task.level), ("multipv", str(task.ideas))):
            if name in self._options:
                lines.append(f"setoption name {self._options[name]} value {value}")
        # Who knows levels knows how long they think.
        agreed = "level" in self._options and task.seconds is None
        lines.append("go" if agreed else f"go movetime {max(1, round(1000 * seconds))}")
        child.say(*lines)
        self._asked = task
        self._notes = Notes()
        self._enter(_Stage.THINKING, now + seconds + GRACE_S)

    def _enter(self, stage: _Stage, deadline: float) -> None:
        self._stage = stage
        self._deadline = deadline

    def _listen(self, now: float) -> Answer | Trouble | None:
        """Take all that was said; what follows an answer does not undo it."""
        child = self._child
        if child is None:
            return None
        answer = None
        for line in child.hear():
            try:
                answer = self._take(child, line, now) or answer
            except Nonsense as nonsense:
                told = self._tellable(str(nonsense))
                trouble = self._fail(NONSENSE, f"it talks nonsense: {told}", now)
                return answer or trouble
        if answer is None and (ended := child.ended) is not None:
            return self._gone(ended, now)
        return answer

    def _take(self, child: Child, line: str, now: float) -> Answer | None:
        """Follow one line; raises Nonsense."""
        word = line.split(None, 1)[0] if line.strip() else ""
        if word == "info":
            if "string error" in line:
                log.info("the computer player complains: %s", self._tellable(line[:200]))
            elif self._stage is _Stage.THINKING:
                self._notes.take(line)
        elif word == "bestmove":
            return self._take_move(line, now)
        elif self._stage is _Stage.GREETED and word == "option":
            name = line.partition("name ")[2].partition(" type ")[0].strip()
            self._options[name.lower()] = name
        elif self._stage is _Stage.GREETED and word == "ugiok":
            child.say("isready")
            self._stage = _Stage.AWAITED
        elif self._stage is _Stage.AWAITED and word == "readyok":
            self._enter(_Stage.READY, now + IDLE_S)
        return None

    def _take_move(self, line: str, now: float) -> Answer | None:
        stage = self._stage
        if stage not in (_Stage.THINKING, _Stage.STOPPING):
            raise Nonsense(f"a move that nobody has asked for: {line[:80]!r}")
        task, self._asked = self._asked, None
        self._enter(_Stage.READY, now + IDLE_S)
        if stage is _Stage.STOPPING or task is None:
            return None
        words = line.split()
        if len(words) < 2:
            raise Nonsense("no move")
        ideas = self._notes.ideas(self._game, task.position, words[1], task.ideas)
        self._wanted = None
        self._failures = 0
        return Answer(task, ideas)

    def _watch(self, now: float) -> Trouble | None:
        """End a process that is silent for too long, and one that nobody has wanted for long."""
        if self._child is None or now < self._deadline:
            return None
        if self._stage is not _Stage.READY:
            return self._fail(SILENT, f"it is silent while {self._stage.name.lower()}", now)
        if self._wanted is None:
            self._let_go()
        return None

    def _gone(self, ended: Ended, now: float) -> Trouble | None:
        if self._wanted is None or self._stage is _Stage.READY:
            # It was asked nothing, so nobody has to know; what is wanted now starts it again.
            log.info("the computer player has ended: %s", self._tellable(ended.why))
            self._let_go()
            return None
        why = self._tellable(ended.why)
        return self._fail(TROUBLES[ended.how], f"it is {ended.how.value}: {why}", now)

    def _fail(self, message: Message, why: str, now: float) -> Trouble | None:
        """Give this process up, and let some time pass before the next."""
        log.warning("the computer player fails: %s", why)
        self._let_go()
        pause_s = PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
        self._failures += 1
        self._rests_until = now + pause_s
        return None if self._wanted is None else Trouble(message)

    def _tellable(self, said: str) -> str:
        """Keep what an engine says out of the log where it knows what players must not see."""
        return "(what it says is hidden)" if self._game.hidden else said

    def _let_go(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _rouse(self) -> None:
        if not self._closed:
            self._wake()


def _is_news(line: str) -> bool:
    """Tell whether somebody waits for a line: not for what a search says on its way."""
    return not line.startswith("info")
