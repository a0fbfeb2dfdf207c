"""The engine in a separate process, the conversation with it, and its answers by the rules.

Owns when that process is started, what it is asked, how long it may take, and what happens if it
dies, hangs or breaks the protocol: it is killed, and restarted after a pause that grows. No call
waits, so that the loop of the board can make all of them. Time comes in as `now`, in seconds. Must
not know the table.
"""

import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import inf
from typing import Any, TypeAlias

from game.common import cut, escaped, redacted
from game.engine import TOP, find_level
from game.opponent.line_process import End, LineProcess
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.grades import GRADES, Grades, grades_in
from game.rules.base.message import Message, say
from game.rules.base.moves import from_word
from game.table.inputs import ScoredMove

log = logging.getLogger(__name__)

START_S = 60.0  # longest start, on a slow computer with a slow card
ANSWER_S = 1.0  # how late an answer may be before an unknown line is reported
GRACE_S = 15.0  # how much longer than its limit a move may take
STOP_S = 15.0  # longest time to react to `stop`
IDLE_S = 300.0  # how long an idle process keeps running
PAUSES_S = (1.0, 5.0, 30.0, 60.0, 300.0)  # pause after each failure in a row
MOST_SHOWN = 80  # most characters that are reported of an unknown line
END_S = 2.0  # longest wait for the process at the end
NICE = 10
UNKNOWN_VALUE = 0.5  # the value of a move without a score
_TEN_TO_ONE_CP = 400  # centipawns of odds of ten to one

TROUBLES = {
    End.GONE: say("opponent.died"),
    End.KILLED: say("opponent.died"),
    End.UNSTARTED: say("opponent.unstarted"),
    End.FLOODING: say("opponent.nonsense"),
    End.SILENT: say("opponent.silent"),
}


@dataclass(frozen=True, slots=True)
class Task:
    """A position to search, the level, and how many moves are wanted.

    `seconds` replaces the level's own limit if that is higher. A level of "" is the engine's own
    strength, within the time of the top level. With `grades` all moves are graded instead.
    """

    position: Any
    level: str
    ideas: int = 1
    seconds: float | None = None
    grades: bool = False


Answer: TypeAlias = tuple[ScoredMove, ...] | Grades
"""The moves found for a task, best first, all legal; or its grades so far."""

_KNOWN = frozenset({"", "id", "option", "ugiok", "readyok", "response"})  # known first words


class _Stage(Enum):
    """The state of the conversation."""

    GREETING = auto()  # `ugi` was sent
    PREPARING = auto()  # `isready` was sent
    READY = auto()
    THINKING = auto()
    STOPPING = auto()  # `stop` was sent: the next answer is discarded


class EngineProcess:
    """One engine, started when it is needed.

    `command` starts it, by default our own. `wake` is called from another thread when `poll` may
    have a result.
    """

    def __init__(
        self,
        game: AnyGame,
        *,
        wake: Callable[[], None],
        command: Sequence[str] | None = None,
        seed: int | None = None,
    ) -> None:
        self._game = game
        self._wake = wake
        own = (sys.executable, "-P", "-m", "game.cli", "engine", "--game", game.name)
        chance = () if seed is None else ("--seed", str(seed))
        own += ("--nice", str(NICE), "--with-parent", *chance)
        self._command = own if command is None else tuple(command)
        self._process: LineProcess | None = None
        self._stage = _Stage.GREETING
        self._options: dict[str, str] = {}
        self._info = SearchInfo()
        self._wanted: Task | None = None
        self._deadline = inf
        self._answer_due = inf
        self._not_understood = ""
        self._failures = 0
        self._paused_until = -inf
        self._trouble: Message | None = None
        self._closed = False

    def ask(self, task: Task, now: float) -> None:
        """Start this task in place of any other; `poll` returns its answer; raises EngineError."""
        find_level(task.level or TOP)
        if task != self._wanted:
            self.stop(now)
            self._wanted = task

    def stop(self, now: float) -> None:
        self._wanted = None
        if self._process is not None and self._stage is _Stage.THINKING:
            self._process.send("stop")
            self._enter(_Stage.STOPPING, now + STOP_S)

    def poll(self, now: float) -> Answer | Message | None:
        """Read the engine's output; return the task's result once, when it is there.

        A message is the reason why there is none; the task is tried again automatically.
        """
        return self._listen(now) or self._watch(now) or self._go_on(now)

    def trouble(self, now: float) -> Message | None:
        """Return why the engine has failed, while it waits before its next start."""
        return self._trouble if self._process is None and now < self._paused_until else None

    def due(self) -> float:
        if self._process is not None:
            return min(self._deadline, self._answer_due if self._not_understood else inf)
        return inf if self._wanted is None else self._paused_until

    def close(self) -> None:
        self._closed = True
        self._wanted = None
        if self._process is not None:
            self._process.kill()
            self._process.join(END_S)
            self._process = None

    def _go_on(self, now: float) -> Message | None:
        """Take the next step towards the wanted task, if that is possible now."""
        if self._wanted is None or self._closed:
            return None
        if self._process is not None:
            if self._stage is _Stage.READY:
                self._send(self._process, self._wanted, now)
            return None
        if now < self._paused_until:
            return None
        try:
            self._process = LineProcess(
                self._command,
                lambda: None if self._closed else self._wake(),
                # Lines of a running search can wait, unless they have grades.
                lambda line: not line.startswith("info") or GRADES in line,
            )
        except (OSError, RuntimeError) as error:
            return self._fail(TROUBLES[End.UNSTARTED], f"cannot be started: {error}", now)
        self._options = {}
        self._process.send("ugi")
        self._enter(_Stage.GREETING, now + START_S)
        self._answer_due = now + ANSWER_S
        return None

    def _send(self, process: LineProcess, task: Task, now: float) -> None:
        level = find_level(task.level or TOP)
        seconds = level.seconds if task.seconds is None else min(task.seconds, level.seconds)
        # The engine must know no more than the player to move.
        mover = self._game.to_move(task.position)
        seen = self._game.seen_by(task.position, mover, remembers=True)
        lines = [f"position fen {self._game.text(seen)}"]
        for name, value in (("level", task.level), ("multipv", str(task.ideas))):
            if name in self._options and value:
                lines.append(f"setoption name {self._options[name]} value {value}")
        # An engine with levels knows their time.
        agreed = task.level and "level" in self._options and task.seconds is None
        limit = "" if agreed else f" movetime {max(1, round(1000 * seconds))}"
        lines.append(f"go{GRADES.rstrip() if task.grades else ''}{limit}")
        process.send(*lines)
        self._info = SearchInfo()
        self._enter(_Stage.THINKING, now + seconds + GRACE_S)
        self._answer_due = now + seconds + ANSWER_S

    def _enter(self, stage: _Stage, deadline: float) -> None:
        self._stage = stage
        self._deadline = deadline
        self._not_understood = ""

    def _listen(self, now: float) -> Answer | Message | None:
        """Read all lines; an error after an answer does not discard the answer."""
        process = self._process
        if process is None:
            return None
        answer = None
        for line in process.lines():
            try:
                answer = self._take(process, line, now) or answer
            except ProtocolError as error:
                why = self._fail(TROUBLES[End.FLOODING], "breaks the protocol: ", now, str(error))
                return answer or why
        ended = process.ended
        if answer is not None or ended is None:
            return answer
        if self._wanted is not None and self._stage is not _Stage.READY:
            return self._fail(TROUBLES[ended.how], f"is {ended.how.value}: ", now, ended.why)
        # It was idle, so nothing is reported; the next task starts it again.
        log.info("the computer player has ended: %s", self._loggable(ended.why))
        self._drop_process()
        return None

    def _take(self, process: LineProcess, line: str, now: float) -> Answer | None:
        """Handle one line; raises ProtocolError."""
        word = line.split(None, 1)[0] if line.strip() else ""
        if word == "info":
            if "string error" in line:
                log.info("the computer player complains: %s", self._loggable(line[:200]))
            elif self._stage is _Stage.THINKING:
                self._info.take(line)
                if self._wanted is not None and self._wanted.grades and GRADES in line:
                    return grades_in(line.partition(GRADES)[2])
        elif word == "bestmove":
            return self._take_move(line, now)
        elif self._stage is _Stage.GREETING and word == "option":
            name = line.partition("name ")[2].partition(" type ")[0].strip()
            self._options[name.lower()] = name
        elif self._stage is _Stage.GREETING and word == "ugiok":
            process.send("isready")
            self._stage = _Stage.PREPARING
        elif self._stage is _Stage.PREPARING and word == "readyok":
            self._enter(_Stage.READY, now + IDLE_S)
        elif word not in _KNOWN and self._stage is not _Stage.READY:
            self._not_understood = escaped(cut(line, MOST_SHOWN))
        return None

    def _take_move(self, line: str, now: float) -> Answer | None:
        if self._stage not in (_Stage.THINKING, _Stage.STOPPING):
            raise ProtocolError(f"a move without a search: {line[:80]!r}")
        task = self._wanted if self._stage is _Stage.THINKING else None
        self._enter(_Stage.READY, now + IDLE_S)
        if task is None:
            return None
        words = line.split()
        if len(words) < 2:
            raise ProtocolError("no move")
        ideas = self._info.ideas(self._game, task.position, words[1], task.ideas)
        self._wanted = None
        self._failures = 0
        return None if task.grades else ideas

    def _watch(self, now: float) -> Message | None:
        """Report an unknown line if the answer is late; end a process silent or idle too long."""
        if self._process is None:
            return None
        line = self._loggable(self._not_understood)
        trouble = say("opponent.not_understood", line=line) if line else TROUBLES[End.SILENT]
        if line and now >= self._answer_due:
            self._answer_due = inf
            if self._wanted is not None:
                log.warning("the computer player is not understood: %s", line)
                return trouble
        if now < self._deadline:
            return None
        if self._stage is not _Stage.READY:
            return self._fail(trouble, f"is silent while {self._stage.name.lower()}", now)
        if self._wanted is None:
            self._drop_process()
        return None

    def _fail(self, message: Message, why: str, now: float, said: str = "") -> Message | None:
        """End this process, and pause before the next; what it `said` may have to be hidden."""
        log.warning("the computer player fails: it %s%s", why, self._loggable(said))
        self._drop_process()
        pause_s = PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
        self._failures += 1
        self._paused_until = now + pause_s
        self._trouble = message
        return None if self._wanted is None else message

    def _loggable(self, said: str) -> str:
        """Return an engine's text for the log, unless it may hold hidden information."""
        return redacted(self._game, said, "(hidden)") if said else ""

    def _drop_process(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None


class ProtocolError(Exception):
    """An answer that breaks the protocol: an illegal move, or none."""


class SearchInfo:
    """The info lines of one search."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[str, float, bool]] = {}

    def take(self, line: str) -> None:
        """Read an `info` line; ignore one that is malformed or has no move."""
        words = line.split()
        if words[:2] == ["info", "string"] or "pv" not in words:
            return
        at = words.index("pv")
        head, play = words[:at], words[at + 1 :]
        number = _number(head, "multipv", 1)
        # The limit keeps an engine from filling our memory.
        if play and 1 <= number <= 100:
            decided = _number(head, "decided", 0) == 1
            self._lines[number] = (play[0], _value(head), decided)

    def ideas(self, game: AnyGame, position: Any, best: str, most: int) -> tuple[ScoredMove, ...]:
        """Return the best move and up to `most` - 1 others, by their plain texts.

        Raises ProtocolError if one is not legal.
        """
        scored = {
            _plain(game, position, move): (value, decided)
            for _, (move, value, decided) in sorted(self._lines.items(), reverse=True)
        }
        first = _plain(game, position, best)
        value, decided = scored.pop(first, (UNKNOWN_VALUE, False))
        others = [ScoredMove(move, *each) for move, each in reversed(scored.items())]
        return (ScoredMove(first, value, decided), *others)[:most]


def _plain(game: AnyGame, position: Any, text: str) -> str:
    try:
        return game.plain_text(position, game.parse_move(position, from_word(text)))
    except RulesError as error:
        raise ProtocolError(f"{text[:40]!r} is no move: {error}") from error


def _number(words: Sequence[str], name: str, otherwise: int) -> int:
    try:
        return int(words[words.index(name) + 1])
    except (ValueError, IndexError):
        return otherwise


def _value(words: Sequence[str]) -> float:
    """Return the expected score, 0 to 1, from wins and draws, else from centipawns."""
    if "wdl" in words:
        at = words.index("wdl") + 1
        try:
            won, drawn, lost = (int(word) for word in words[at : at + 3])
            return min(1.0, max(0.0, (won + drawn / 2) / (won + drawn + lost)))
        except (ValueError, ZeroDivisionError):
            return UNKNOWN_VALUE
    cp = max(-10_000, min(10_000, _number(words, "cp", 0)))
    return 1 / (1 + 10 ** (-cp / _TEN_TO_ONE_CP))
