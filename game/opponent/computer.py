"""The computer player: engines in processes of their own, as the board's loop uses them.

Owns when such a process is started, what it is asked, and how long it may take: one that dies,
hangs or breaks the protocol is killed, and restarted after a pause that grows. Its conversation is
one coroutine on a thread of its own, so that no call of the board's loop waits, and no fault of an
engine raises an exception there.
"""

import asyncio
import logging
import re
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from game.common import redacted
from game.engine import TOP, EngineError, find_level
from game.opponent.program import Background, Program, ProgramError, running
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.grades import GRADES, Grades, grades_in
from game.rules.base.message import Message, say
from game.rules.base.moves import from_word
from game.table import SearchRequest
from game.table.entries import EVEN
from game.table.inputs import (
    GRADE,
    JUDGE,
    EngineUnavailable,
    GradesFound,
    Input,
    ScoredMove,
    SearchResult,
)

log = logging.getLogger(__name__)

HINT_S = 2.0  # time for a hint
JUDGE_S = 1.0  # time to judge who stands better after a move
GRADES_S = 3.0  # time for grades; the first come after a quarter of a second
_SECONDS = {"": HINT_S, JUDGE: JUDGE_S, GRADE: GRADES_S}  # of searches at the top level
START_S = 60.0  # longest start, on a slow computer with a slow card
GRACE_S = 15.0  # how much longer than its limit a move may take, also after `stop`
PAUSES_S = (1.0, 5.0, 30.0, 60.0, 300.0)  # pause after each failure in a row
END_S = 2.0  # longest wait for the process at the end
NICE = 10
UNKNOWN_VALUE = 0.5  # the value of a move without a score
_TEN_TO_ONE_CP = 400  # centipawns at which the odds are ten to one


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
        self._refused: Message | None = None
        self._reported: Message | None = None

    def follow(self, wanted: SearchRequest | None) -> tuple[Input, ...]:
        """Follow the search that the table wants now; return new inputs for the table.

        A search is answered once, but grades as often as they change; to repeat it, ask for
        another one or none in between. A trouble is reported once per search, and when it ends.
        """
        is_new = wanted != self._wanted
        if is_new:
            self._wanted, self._refused = wanted, None
            self._engine.stop()
            if wanted is not None:
                self._engine = self._others.get(wanted.level, self._own)
                try:
                    self._engine.ask(self._task(wanted))
                except EngineError as error:
                    self._refused = error.message
        answer = self._engine.poll()
        if wanted is None:
            return ()
        trouble = self._refused or self._engine.trouble
        report: tuple[Input, ...] = ()
        if trouble != self._reported or (is_new and trouble is not None):
            self._reported, report = trouble, (EngineUnavailable(trouble),)
        if answer is None:
            return report
        if isinstance(answer, tuple):
            return (*report, SearchResult(wanted.position, wanted.level, answer))
        return (*report, GradesFound(wanted.position, answer))

    def close(self) -> None:
        for each in (self._own, *self._others.values()):
            each.close()

    def _task(self, wanted: SearchRequest) -> "EngineTask":
        """Return the engine's task; a hint is the best move found in a short time."""
        level = wanted.level
        if level in self._others:
            return EngineTask(wanted.position, "", wanted.count)
        if (seconds := _SECONDS.get(level)) is not None:
            return EngineTask(wanted.position, TOP, wanted.count or 1, seconds, level == GRADE)
        return EngineTask(wanted.position, self._even() if level == EVEN else level, wanted.count)


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


class EngineProcess:
    """One engine, started when it is needed.

    `command` starts it, by default our own. `wake` is called from another thread when `poll` has
    an answer, or there is a trouble.
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
        own += ("--nice", str(NICE), *chance)
        self._command = own if command is None else tuple(command)
        self._wanted: EngineTask | None = None
        self._answers: deque[tuple[EngineTask | None, EngineAnswer | Exception | None]] = deque()
        self.trouble: Message | None = None
        """The message that the engine has failed; None once it answers, or may be asked again."""
        # What follows is used on the thread only.
        self._task: EngineTask | None = None
        self._asked = asyncio.Event()
        self._searching: Program | None = None
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

    def poll(self) -> EngineAnswer | None:
        """Return an answer to the task once, when it is there."""
        while self._answers:
            task, answer = self._answers.popleft()
            if isinstance(answer, Exception):
                raise answer
            if self._wanted is not None and task is self._wanted:
                if answer is None or isinstance(answer, tuple):
                    self._wanted = None
                if answer is not None:
                    return answer
        return None

    def close(self) -> None:
        self._wanted = None
        self._background.cancel(END_S)

    def _order(self, task: EngineTask | None) -> None:
        """Take up another task, or none; runs on the thread, like all methods below."""
        self._task = task
        if task is None:
            self._asked.clear()
        else:
            self._asked.set()
        if self._searching is not None:
            self._searching.send("stop")
            self._searching = None

    def _report(self, answer: EngineAnswer | Exception | None) -> None:
        self._answers.append((self._task, answer))
        self._wake()

    async def _serve(self) -> None:
        """Start the engine when there is a task, and again after a pause when it has failed."""
        while True:
            await self._asked.wait()
            try:
                async with running(self._command) as program:
                    options = await self._greet(program)
                    while True:
                        await self._asked.wait()
                        await self._search(program, options)
            except ProgramError as error:
                self._searching = None
                # What an engine says may hold hidden information.
                why = redacted(self._game, str(error), "(hidden)")
                log.warning("the computer player has failed: %s", why)
            except Exception as error:
                # Our own fault: `poll` raises it in the board's loop.
                self._report(error)
                return
            self.trouble = say("opponent.stopped")
            self._wake()
            pause_s = PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
            self._failures += 1
            await asyncio.sleep(pause_s)
            if self._task is None:
                self.trouble = None  # The next request tries the engine again.

    async def _greet(self, program: Program) -> dict[str, str]:
        """Return the names of the engine's options, by their names in lower case."""
        program.send("ugi")
        said = await self._until("ugiok", program, START_S)
        program.send("isready")
        await self._until("readyok", program, START_S)
        lines = [line for line in said if line.startswith("option")]
        names = [line.partition("name ")[2].partition(" type ")[0].strip() for line in lines]
        return {name.lower(): name for name in names}

    async def _search(self, program: Program, options: dict[str, str]) -> None:
        if (task := self._task) is None:
            return  # It was stopped before this thread took it up.
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
        self._searching = program
        said = await self._until("bestmove", program, seconds + GRACE_S, task)
        self._searching = None
        if self._task is task:
            found = moves_found(self._game, task, said)
            self._failures, self.trouble = 0, None
            self._report(None if task.grades else found)
            self._order(None)

    async def _until(
        self, last: str, program: Program, limit_s: float, task: EngineTask | None = None
    ) -> list[str]:
        """Read lines up to one whose first word is `last`, and report the grades of a task.

        Raises ProgramError after the limit.
        """
        lines: list[str] = []
        try:
            async with asyncio.timeout(limit_s):
                while not lines or lines[-1].split()[:1] != [last]:
                    lines.append(await program.line())
                    if task and task.grades and GRADES in lines[-1] and self._task is task:
                        self._report(grades_in(lines[-1].partition(GRADES)[2]))
        except TimeoutError:
            raise ProgramError(f"it does not say {last}") from None
        return lines


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
        raise ProgramError("it names no move")
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
        raise ProgramError(f"{text[:40]!r} is no move: {error}") from error


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
