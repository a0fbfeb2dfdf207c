"""The engine in a separate process, the conversation with it, and its answers by the rules.

Owns when that process is started, what it is asked, how long it may take, and what happens if it
dies, hangs or breaks the protocol: it is killed, and restarted after a pause that grows. The
conversation is one coroutine on a thread of its own, so that no call of the board's loop waits.
Must not know the table.
"""

import asyncio
import logging
import re
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from game.common import cut, escaped, redacted
from game.engine import TOP, find_level
from game.opponent.program import Background, Failure, Program, ProgramError, running
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.grades import GRADES, Grades, grades_in
from game.rules.base.message import Message, say
from game.rules.base.moves import from_word
from game.table.inputs import ScoredMove

log = logging.getLogger(__name__)

START_S = 60.0  # longest start, on a slow computer with a slow card
ANSWER_S = 1.0  # how late an answer may be before an unknown line is reported
GRACE_S = 15.0  # how much longer than its limit a move may take, also after `stop`
IDLE_S = 300.0  # how long an idle process keeps running
PAUSES_S = (1.0, 5.0, 30.0, 60.0, 300.0)  # pause after each failure in a row
MOST_SHOWN = 80  # most characters that are reported of an unknown line
END_S = 2.0  # longest wait for the process at the end
NICE = 10
UNKNOWN_VALUE = 0.5  # the value of a move without a score
_TEN_TO_ONE_CP = 400  # centipawns of odds of ten to one


@dataclass(frozen=True, slots=True)
class EngineTask:
    """A position to search, the level, and how many moves are wanted.

    `seconds` replaces the level's own limit if that is higher. A level of "" is the engine's own
    strength, within the time of the top level. With `grades` all moves are graded instead.
    """

    position: Any
    level: str
    ideas: int = 1
    seconds: float | None = None
    grades: bool = False


EngineAnswer: TypeAlias = tuple[ScoredMove, ...] | Grades
"""The moves found for a task, best first, all legal; or its grades so far."""

_KNOWN = frozenset(
    {"", "id", "info", "option", "ugiok", "readyok", "response", "bestmove"}
)  # known first words


class EngineProcess:
    """One engine, started when it is needed.

    `command` starts it, by default our own. `wake` is called from another thread when `poll` has
    a result.
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
        self._wanted: EngineTask | None = None
        self._results: deque[
            tuple[EngineTask | None, EngineAnswer | Message | Exception | None]
        ] = deque()
        self.trouble: Message | None = None
        """Why the engine has failed, while it waits before its next start."""
        # What follows is used on the thread only.
        self._task: EngineTask | None = None
        self._asked = asyncio.Event()
        self._searching: Program | None = None
        self._idle: asyncio.Timeout | None = None
        self._failures = 0
        self._background = Background(self._serve())

    def ask(self, task: EngineTask) -> None:
        """Start this task in place of any other; `poll` returns its answer; raises EngineError."""
        find_level(task.level or TOP)
        if task != self._wanted:
            # A copy, so that each request is an object of its own.
            self._wanted = replace(task)
            self._background.call(self._order, self._wanted)

    def stop(self) -> None:
        self._wanted = None
        self._background.call(self._order, None)

    def poll(self) -> EngineAnswer | Message | None:
        """Return a result of the task once, when it is there.

        A message is the reason why there is none; the task is tried again automatically.
        """
        while self._results:
            task, result = self._results.popleft()
            if isinstance(result, Exception):
                raise result
            if self._wanted is not None and task is self._wanted:
                if result is None or isinstance(result, tuple):
                    self._wanted = None
                if result is not None:
                    return result
        return None

    def close(self) -> None:
        self._wanted = None
        self._background.cancel(END_S)

    def _order(self, task: EngineTask | None) -> None:
        """Take up another task, or none; on the thread, as all below."""
        self._task = task
        if task is None:
            self._asked.clear()
        else:
            self._asked.set()
            if self._idle is not None:
                with suppress(RuntimeError):  # that wait is over
                    self._idle.reschedule(0.0)
        if self._searching is not None:
            self._searching.send("stop")
            self._searching = None

    def _report(self, result: EngineAnswer | Message | Exception | None) -> None:
        self._results.append((self._task, result))
        self._wake()

    async def _serve(self) -> None:
        """Start the engine when there is a task, and again after a pause when it has failed."""
        while True:
            await self._asked.wait()
            try:
                async with running(self._command) as program:
                    options = await self._greet(program)
                    while await self._await_task(program):
                        await self._search(program, options)
            except ProgramError as error:
                if self._task is not None or error.failure is not Failure.DIED:
                    await self._pause(error)
                else:
                    # It was idle, so nothing is reported; the next task starts it again.
                    log.info("the computer player has ended: %s", self._loggable(error.why))
            except Exception as error:
                # Our own fault: `poll` raises it in the board's loop.
                self._report(error)
                return

    async def _pause(self, error: ProgramError) -> None:
        failure = error.failure
        said = failure not in (Failure.SILENT, Failure.UNSTARTED)
        why = self._loggable(error.why) if said else error.why
        log.warning("the computer player fails: it %s%s", failure.value, why)
        named = say(f"opponent.{failure.name.lower()}")
        self.trouble = _not_understood(error.line) if error.line else named
        self._report(self.trouble)
        pause_s = PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
        self._failures += 1
        await asyncio.sleep(pause_s)
        self.trouble = None

    async def _greet(self, program: Program) -> dict[str, str]:
        """Return the names of the engine's options, by their names in lower case."""
        options = {}
        program.send("ugi")
        async for line in self._until("ugiok", program, ANSWER_S, START_S):
            if line.startswith("option"):
                name = line.partition("name ")[2].partition(" type ")[0].strip()
                options[name.lower()] = name
        program.send("isready")
        async for _ in self._until("readyok", program, ANSWER_S, START_S):
            pass
        return options

    async def _await_task(self, program: Program) -> bool:
        """Wait for a task; return False if there was none for IDLE_S."""
        with suppress(TimeoutError):
            async with asyncio.timeout(IDLE_S) as self._idle:
                while not self._asked.is_set():
                    _refuse_move(await program.line())
        return self._asked.is_set()

    async def _search(self, program: Program, options: dict[str, str]) -> None:
        task = self._task
        assert task is not None
        level = find_level(task.level or TOP)
        seconds = level.seconds if task.seconds is None else min(task.seconds, level.seconds)
        # The engine must know no more than the player to move.
        mover = self._game.to_move(task.position)
        seen = self._game.seen_by(task.position, mover, remembers=True)
        lines = [f"position fen {self._game.text(seen)}"]
        for name, value in (("level", task.level), ("multipv", str(task.ideas))):
            if name in options and value:
                lines.append(f"setoption name {options[name]} value {value}")
        # An engine with levels knows their time.
        agreed = task.level and "level" in options and task.seconds is None
        limit = "" if agreed else f" movetime {max(1, round(1000 * seconds))}"
        lines.append(f"go{GRADES.rstrip() if task.grades else ''}{limit}")
        program.send(*lines)
        self._searching, lines = program, []
        async for line in self._until("bestmove", program, seconds + ANSWER_S, seconds + GRACE_S):
            lines.append(line)
            if task.grades and GRADES in line and self._task is task:
                self._report(grades_in(line.partition(GRADES)[2]))
        self._searching = None
        if self._task is task:
            found = moves_found(self._game, task, lines)
            self._failures = 0
            self._report(None if task.grades else found)
            self._order(None)

    async def _until(
        self, last: str, program: Program, answer_s: float, limit_s: float
    ) -> AsyncIterator[str]:
        """Read lines whose first word is known, up to one whose first word is `last`.

        Report an unknown line after `answer_s`, and raise ProgramError after `limit_s`.
        """
        now = asyncio.get_running_loop().time()
        report_at, limit, unknown = now + answer_s, now + limit_s, ""
        while True:
            try:
                async with asyncio.timeout_at(report_at if unknown else limit):
                    line = await program.line()
            except TimeoutError:
                shown = self._loggable(escaped(cut(unknown, MOST_SHOWN))) if unknown else ""
                if not unknown or report_at == limit:
                    raise ProgramError(Failure.SILENT, f"before {last}", shown) from None
                report_at = limit
                if self._task is not None:
                    log.warning("the computer player is not understood: %s", shown)
                    self._report(_not_understood(shown))
                continue
            word = line.split(None, 1)[0] if line.strip() else ""
            if word != last:
                _refuse_move(line)
            if word in _KNOWN:
                if word == "info" and "string error" in line:
                    log.info("the computer player complains: %s", self._loggable(line[:200]))
                yield line
            else:
                unknown = line
            if word == last:
                return

    def _loggable(self, said: str) -> str:
        """Return an engine's text for the log, unless it may hold hidden information."""
        return redacted(self._game, said, "(hidden)")


def _not_understood(line: str) -> Message:
    return say("opponent.not_understood", line=line)


def _refuse_move(line: str) -> None:
    if line.split(None, 1)[:1] == ["bestmove"]:
        raise ProgramError(Failure.NONSENSE, f"a move without a search: {line[:80]!r}")


def moves_found(game: AnyGame, task: EngineTask, lines: Sequence[str]) -> tuple[ScoredMove, ...]:
    """Read what an engine said in a search, `bestmove` last: that move and the others it named.

    Raises ProgramError if one is not legal.
    """
    named: dict[int, tuple[str, float, bool]] = {}
    for line in lines:
        told, _, played = f" {' '.join(line.split())}".partition(" pv ")
        if played and not told.startswith(" info string"):
            decided = _number(told, "decided", 0) == 1
            move = played.split()[0]
            named[_number(told, "multipv", 1)] = (move, _value(told), decided)
    best = lines[-1].split()[1:2]
    if not best:
        raise ProgramError(Failure.NONSENSE, "no move")
    scored = {
        _plain(game, task.position, move): (value, decided)
        for _, (move, value, decided) in sorted(named.items(), reverse=True)
    }
    first = _plain(game, task.position, best[0])
    value, decided = scored.pop(first, (UNKNOWN_VALUE, False))
    others = [ScoredMove(move, *each) for move, each in reversed(scored.items())]
    return (ScoredMove(first, value, decided), *others)[: task.ideas]


def _plain(game: AnyGame, position: Any, text: str) -> str:
    try:
        return game.plain_text(position, game.parse_move(position, from_word(text)))
    except RulesError as error:
        raise ProgramError(Failure.NONSENSE, f"{text[:40]!r} is no move: {error}") from error


def _number(info: str, name: str, otherwise: int) -> int:
    found = re.search(rf" {name} (-?[0-9]{{1,9}})(?= |$)", info)
    return int(found[1]) if found else otherwise


def _value(info: str) -> float:
    """Return the expected score, 0 to 1, from wins and draws, else from centipawns."""
    if found := re.search(r" wdl ([0-9]{1,9}) ([0-9]{1,9}) ([0-9]{1,9})(?= |$)", info):
        won, drawn, lost = map(int, found.groups())
        if games := won + drawn + lost:
            return (won + drawn / 2) / games
    cp = max(-10_000, min(10_000, _number(info, "cp", 0)))
    return 1 / (1 + 10 ** (-cp / _TEN_TO_ONE_CP))
