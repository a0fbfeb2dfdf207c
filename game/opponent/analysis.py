"""The course of a game that is over, computed in the background for its players.

Owns the process that computes it (this module, run by Python), the reading of its output, and when
the game on a board is reviewed. That process has low priority; if it dies or sends nonsense, the
course ends with a message.
"""

import json
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
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
from game.opponent.program import Background, ProgramError, lower_priority, running
from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.rules.base.registry import find_game
from game.table import Played, State
from game.table.inputs import Announce

NICE, SEED = 15, 0
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

    def longer(self, point: Point) -> "Course":
        """Return the course with the next point; raises ValueError if it is not that of its ply."""
        if point.ply != len(self.points):
            raise ValueError(f"move {point.ply} is not the next one")
        points = (*self.points, point)
        return replace(self, points=points, turning=turning_points(points))


@dataclass(slots=True)
class Analyst:
    """Computes the course of one game at a time, in a separate process.

    `wake` is called from another thread when `poll` may have a longer course.
    """

    game: AnyGame
    wake: Callable[[], None]
    nodes: int | None = None
    command: Sequence[str] = (sys.executable, "-m", "game.opponent.analysis")
    _background: Background | None = None
    _newest: deque[Course] = field(default_factory=deque)

    def start(self, position: str, moves: Sequence[str]) -> Course:
        """Start to analyse a game, given its first position, as text, and its moves.

        Cancel any other analysis. Return the course, which is still empty.
        """
        self.cancel()
        course = Course(len(moves))
        request = {
            "game": self.game.name,
            "start": position,
            "moves": list(moves),
            "nodes": self.nodes or judging_nodes(self.game),
        }
        self._newest = deque(maxlen=1)
        self._background = Background(self._analyse(json.dumps(request), course, self._newest))
        return course

    def poll(self) -> Course | None:
        """Return the course if it has changed."""
        return self._newest.pop() if self._newest else None

    def cancel(self, timeout_s: float = 0.0) -> None:
        self._newest.clear()
        if self._background is not None:
            self._background.cancel(timeout_s)
            self._background = None

    def close(self) -> None:
        """Cancel everything, and wait for the process."""
        self.cancel(END_S)

    async def _analyse(self, request: str, course: Course, newest: deque[Course]) -> None:
        """Have the process judge each move; on a thread."""
        try:
            async with running(self.command) as program:
                program.send(request)
                while not course.done:
                    sent = json.loads(await program.line())
                    if "final" in sent:
                        course = replace(course, done=True, final=sent["final"])
                    else:
                        course = course.longer(Point(**{**sent, "line": tuple(sent["line"])}))
                    newest.append(course)
                    self.wake()
                return
        except (ProgramError, ValueError, KeyError, TypeError, RecursionError):
            newest.append(replace(course, done=True, trouble=say("analysis.broken_off")))
        self.wake()


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
    asked: Any = json.loads(sys.stdin.readline())
    lower_priority(NICE)
    game = find_game(asked["game"])
    positions, moves = positions_of(game, game.parse(asked["start"]), asked["moves"])
    for point in analysed(game, positions, moves, asked["nodes"], SEED):
        print(json.dumps(asdict(point)), flush=True)
    print(json.dumps({"final": final_value(game, positions[-1])}), flush=True)


if __name__ == "__main__":
    main()
