"""The course of a game that is over, computed in the background for its players.

Owns the process that computes it, which is this module run by Python, the reading of its output,
and when the game on a board is reviewed. The process has low priority; if it dies, hangs or sends
nonsense, the course ends with a message. Must not know how a course is shown.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from threading import Event
from typing import Any

from game.engine import (
    Point,
    analysed,
    can_be_judged,
    final_value,
    judging_nodes,
    positions_of,
    turning_points,
)
from game.opponent.line_process import End, LineProcess
from game.opponent.low_priority import end_with_parent, lower_priority
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.rules.base.registry import find_game
from game.table import Played, State
from game.table.inputs import Announce

NICE, SEED = 15, 0
SILENCE_S = 900.0  # longest time for one move, on a slow machine with other work
END_S = 2.0  # longest wait for the process at the end


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a game, as far as it has been computed.

    `moves` is the number of moves, `points` are the judgements of the first of them; `turning` are
    the plies that turned the game. `done` means that no more will come. `final` is player 1's score
    at the end, None if the rules did not end the game or it is not known yet. `trouble` is the
    reason why some moves could not be judged.
    """

    moves: int
    points: tuple[Point, ...] = ()
    turning: tuple[int, ...] = ()
    done: bool = False
    final: float | None = None
    trouble: Message | None = None


class Analyst:
    """Computes the course of one game at a time, in a separate process.

    `wake` is called from another thread when `poll` may have a longer course.
    """

    def __init__(
        self,
        game: AnyGame,
        wake: Callable[[], None],
        *,
        nodes: int | None = None,
        silence_s: float = SILENCE_S,
        command: Sequence[str] = (sys.executable, "-m", "game.opponent.analysis"),
    ) -> None:
        self._game = game
        self._wake = wake
        self._nodes = judging_nodes(game) if nodes is None else nodes
        self._silence_s = silence_s
        self._command = tuple(command)
        self._process: LineProcess | None = None
        self._course = Course(0)

    def start(self, position: str, moves: Sequence[str]) -> Course:
        """Analyse a game, in place of another, from its first position, as text, and its moves.

        Return its course, which is empty.
        """
        self.cancel()
        self._course = Course(len(moves))
        request = {
            "game": self._game.name,
            "start": position,
            "moves": list(moves),
            "nodes": self._nodes,
        }
        try:
            self._process = LineProcess(self._command, self._wake, silence_s=self._silence_s)
        except (OSError, RuntimeError):
            self._finish(trouble=say("analysis.broken_off"))
        else:
            self._process.send(json.dumps(request))
        return self._course

    def poll(self) -> Course | None:
        """Return the course if it has changed."""
        before, process = self._course, self._process
        if process is None:
            return None
        try:
            for line in process.lines():
                self._take(json.loads(line))
        except (ValueError, KeyError, TypeError, RecursionError):
            self._finish(trouble=say("analysis.broken_off"))
        if (ended := process.ended) is not None and not self._course.done:
            silent = ended.how is End.SILENT
            self._finish(trouble=say("analysis.too_slow") if silent else say("analysis.broken_off"))
        return None if self._course is before else self._course

    def cancel(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None

    def close(self) -> None:
        """Cancel everything, and wait for the process."""
        process = self._process
        self.cancel()
        if process is not None:
            process.join(END_S)

    def _take(self, sent: Any) -> None:
        """Add a move's point to the course, or its end."""
        if "final" in sent:
            self._finish(final=sent["final"])
            return
        point = Point(**{**sent, "line": tuple(sent["line"])})
        points = (*self._course.points, point)
        if point.ply != len(self._course.points):
            raise ValueError(f"move {point.ply} is not the next one")
        self._course = replace(self._course, points=points, turning=turning_points(points))

    def _finish(self, *, final: float | None = None, trouble: Message | None = None) -> None:
        self.cancel()
        self._course = replace(self._course, done=True, final=final, trouble=trouble)


class Review:
    """Follows one table: the course of its last game, from a request until the game goes on.

    `see` gets the newest course, and None when it is not valid any more; `wake` is called from
    another thread when `look` may have something new.
    """

    def __init__(
        self,
        game: AnyGame,
        see: Callable[[Course | None], None],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self._game = game
        self._see = see
        self._wake = wake
        self._asked = Event()
        self._reviewed: tuple[Played, ...] = ()
        self.analyst = Analyst(game, wake)

    def ask(self) -> None:
        """Ask for the course of the game that is over, on any thread; ignored during a game."""
        self._asked.set()
        self._wake()

    def look(self, state: State) -> Announce | None:
        """Follow the table: start the analysis if requested, cancel it when the game goes on.

        The coach requests it too, and announces the worst move: that announcement is returned.
        Games that cannot be judged have no course.
        """
        if self._reviewed and (state.outcome is None or state.history is not self._reviewed):
            self.analyst.cancel()
            self._reviewed = ()
            self._see(None)
        asked = self._asked.is_set() or state.coached
        self._asked.clear()
        history = () if state.outcome is None else state.history
        if asked and history and not self._reviewed and can_be_judged(self._game):
            self._reviewed = history
            start = self._game.text(history[0].before)
            self._see(self.analyst.start(start, [played.text for played in history]))
        course = self.analyst.poll() if self._reviewed else None
        if course is None:
            return None
        self._see(course)
        return self._turned(course, state) if course.done and state.coached else None

    def close(self) -> None:
        self.analyst.close()

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


def main() -> None:
    """Judge the game on standard input: write a line for each move, and one for the end."""
    end_with_parent()
    asked: Any = json.loads(sys.stdin.readline())
    lower_priority(NICE)
    game = find_game(asked["game"])
    positions, moves = positions_of(game, game.parse(asked["start"]), asked["moves"])
    for point in analysed(game, positions, moves, asked["nodes"], SEED):
        print(json.dumps(asdict(point)), flush=True)
    print(json.dumps({"final": final_value(game, positions[-1])}), flush=True)


if __name__ == "__main__":
    main()
