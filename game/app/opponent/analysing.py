"""The course of the game that is over, worked out in the background for those who played it.

Owns the process that works it out (`game.app.opponent.judging`) and the thread that reads from it.
It gives way to everything else; if it dies, hangs or talks nonsense, people are told so, and
nothing else happens. Must not know table or page.
"""

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import RLock, Thread
from typing import Any

from game.engine.catalogue import judging_nodes
from game.engine.course import Point, can_be_judged, turning_points
from game.rules.game import Game
from game.rules.message import Message, say

NICE = 15
PATIENCE_S = 900.0
"""So long may it take over one move, on a slow machine that has other things to do."""
_MOST_LINE = 1 << 16


@dataclass(frozen=True, slots=True)
class Course:
    """What is known of how a game went.

    `moves` is how many it has, `points` are the first of them that have been judged, `turning` the
    plies that turned it. `done` says that no more will come. `final` is player 1's score at the
    end, None where the rules did not end it or it is not known yet. `trouble` says why not
    everything could be judged.
    """

    moves: int
    points: tuple[Point, ...] = ()
    turning: tuple[int, ...] = ()
    done: bool = False
    final: float | None = None
    trouble: Message | None = None


Tell = Callable[[Course], None]


class Analyst:
    """Works out the course of one game at a time, in a process of its own.

    `tell` hears of the work's beginning and of each move that was judged, in a thread of its own,
    never of a game that is wanted no longer. It must not wait for anybody who calls the analyst.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        tell: Tell,
        *,
        nodes: int | None = None,
        nice: int = NICE,
        patience_s: float = PATIENCE_S,
        command: Sequence[str] = (sys.executable, "-m", "game.app.opponent.judging"),
    ) -> None:
        self._game = game
        self._tell = tell
        self._nodes = judging_nodes(game) if nodes is None else nodes
        self._nice = nice
        self._patience_s = patience_s
        self._command = tuple(command)
        self._lock = RLock()
        self._wanted: tuple[str, tuple[str, ...]] | None = None
        self._work: _Work | None = None

    def want(self, start: str, moves: Sequence[str]) -> None:
        """Work out a game from its first position, as text, and its moves; any thread.

        What was worked out before is left, unless it is the same game. A game that is not for two
        has no course, and nothing is told of it.
        """
        wanted = (start, tuple(moves))
        if not can_be_judged(self._game):
            return
        with self._lock:
            if wanted == self._wanted:
                return
            self.drop()
            self._wanted = wanted
            told = {
                "game": self._game.name,
                "start": start,
                "moves": list(moves),
                "nodes": self._nodes,
                "seed": 0,
                "nice": self._nice,
            }
            work = _Work(self._command, json.dumps(told), len(moves), self._patience_s)
            self._work = work
            Thread(target=self._follow, args=(work,), name="analyst", daemon=True).start()

    def drop(self) -> None:
        """Leave what is being worked out; nothing is told of it any more."""
        with self._lock:
            self._wanted = None
            if self._work is not None:
                self._work.stop()
                self._work = None

    def close(self) -> None:
        """Leave everything."""
        self.drop()

    def _follow(self, work: "_Work") -> None:
        for course in work.courses():
            with self._lock:
                if self._work is not work:
                    return
                self._tell(course)


class _Work:
    """One process at one game; made in one thread, and read in another."""

    def __init__(
        self, command: tuple[str, ...], request: str, moves: int, patience_s: float
    ) -> None:
        self._command = command
        self._request = request
        self._moves = moves
        self._patience_s = patience_s
        self._lock = RLock()
        self._stopped = False
        self._process: subprocess.Popen[bytes] | None = None

    def stop(self) -> None:
        """End the process, whatever it does; any thread."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()

    def courses(self) -> Iterator[Course]:
        """Yield the course as it grows; the last one is done, if need be with a trouble.

        The first one, without a point, says that it is being worked out.
        """
        course = Course(self._moves)
        yield course
        try:
            for line in self._lines():
                told = json.loads(line)
                if "final" in told:
                    yield replace(course, done=True, final=_score(told["final"]))
                    return
                points = (*course.points, _point(told, len(course.points)))
                course = replace(course, points=points, turning=turning_points(points))
                yield course
            trouble = say("analysis.broken_off")
        except TimeoutError:
            trouble = say("analysis.too_slow")
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            trouble = say("analysis.broken_off")
        finally:
            self._end()
        yield replace(course, done=True, trouble=trouble)

    def _lines(self) -> Iterator[bytes]:
        """Start the process and yield what it says; raises OSError, TimeoutError, ValueError."""
        # The thread that starts it must be the one that stays: see `giving_way.end_with_parent`.
        with self._lock:
            if self._stopped:
                return
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                bufsize=0,
            )
        request, said = self._process.stdin, self._process.stdout
        if request is None or said is None:
            raise OSError("a process without pipes")
        with request:
            request.write(self._request.encode() + b"\n")
        heard = b""
        while True:
            ready, _, _ = select.select([said], [], [], self._patience_s)
            if not ready:
                raise TimeoutError
            piece = os.read(said.fileno(), _MOST_LINE)
            if not piece:
                return
            *lines, heard = (heard + piece).split(b"\n")
            yield from lines
            if len(heard) > _MOST_LINE:
                raise ValueError("a line without end")

    def _end(self) -> None:
        """Let go of the process and wait for it."""
        with self._lock:
            process = self._process
        if process is None:
            return
        with suppress(OSError):
            process.kill()
        if process.stdout is not None:
            process.stdout.close()
        process.wait()


def _point(told: Any, ply: int) -> Point:
    """Read what was said of a move; raises ValueError, KeyError or TypeError."""
    point = Point(
        ply=int(told["ply"]),
        player=int(told["player"]),
        move=str(told["move"]),
        value=_share(told["value"]),
        best=str(told["best"]),
        line=tuple(str(move) for move in told["line"]),
        loss=_share(told["loss"]),
        decided=bool(told["decided"]),
    )
    if point.ply != ply or point.player not in (1, 2):
        raise ValueError(f"a move that is not the next one: {point.ply}")
    return point


def _score(value: Any) -> float | None:
    return None if value is None else _share(value)


def _share(value: Any) -> float:
    share = float(value)
    if not 0 <= share <= 1:
        raise ValueError(f"no share of a win: {share}")
    return share
