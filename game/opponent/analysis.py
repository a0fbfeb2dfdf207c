"""The course of a game that is over, computed in the background for its players.

Owns the process that computes it, which is this module run by Python, and the reading of its
output. It has low priority; if it dies, hangs or sends nonsense, the course ends with a message.
Must not know table or page.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from threading import RLock
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

NICE = 15
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

    `tell` gets an empty course at the beginning and a longer one after each move, on any thread,
    but none of a cancelled game. It must not wait for a caller of the analyst.
    """

    def __init__(
        self,
        game: AnyGame,
        tell: Callable[[Course], None],
        *,
        nodes: int | None = None,
        nice: int = NICE,
        silence_s: float = SILENCE_S,
        command: Sequence[str] = (sys.executable, "-m", "game.opponent.analysis"),
    ) -> None:
        self._game = game
        self._tell = tell
        self._nodes = judging_nodes(game) if nodes is None else nodes
        self._nice = nice
        self._silence_s = silence_s
        self._command = tuple(command)
        self._lock = RLock()
        self._game_asked: tuple[str, tuple[str, ...]] | None = None
        self._course = Course(0)
        self._process: LineProcess | None = None

    def start(self, position: str, moves: Sequence[str]) -> None:
        """Analyse a game from its first position, as text, and its moves; callable from any thread.

        Another game is cancelled first. Games that cannot be judged have no course.
        """
        asked = (position, tuple(moves))
        if not can_be_judged(self._game):
            return
        with self._lock:
            if asked == self._game_asked:
                return
            self.cancel()
            self._game_asked = asked
            self._course = Course(len(moves))
            self._tell(self._course)
            if self._game_asked is not asked:
                return
            request = {
                "game": self._game.name,
                "start": position,
                "moves": list(moves),
                "nodes": self._nodes,
                "seed": 0,
                "nice": self._nice,
            }
            try:
                self._process = LineProcess(
                    self._command, lambda: self._read(asked), silence_s=self._silence_s
                )
            except (OSError, RuntimeError):
                self._finish(trouble=say("analysis.broken_off"))
            else:
                self._process.send(json.dumps(request))

    def cancel(self) -> None:
        with self._lock:
            self._game_asked = None
            self._kill()

    def close(self) -> None:
        """Cancel everything, and wait for the process."""
        with self._lock:
            process = self._process
            self.cancel()
        if process is not None:
            process.join(END_S)

    def _read(self, asked: object) -> None:
        """Read what the process has written; on its thread."""
        with self._lock:
            process = self._process
            if self._game_asked is not asked or process is None:
                return
            try:
                for line in process.lines():
                    sent = json.loads(line)
                    if "final" in sent:
                        self._finish(final=sent["final"])
                        return
                    course = self._course
                    point = Point(**{**sent, "line": tuple(sent["line"])})
                    if point.ply != len(course.points):
                        raise ValueError(f"move {point.ply} is not the next one")
                    points = (*course.points, point)
                    self._course = replace(course, points=points, turning=turning_points(points))
                    self._tell(self._course)
                    if self._game_asked is not asked:
                        return
            except (ValueError, KeyError, TypeError, RecursionError):
                self._finish(trouble=say("analysis.broken_off"))
                return
            if (ended := process.ended) is not None:
                silent = ended.how is End.SILENT
                self._finish(
                    trouble=say("analysis.too_slow") if silent else say("analysis.broken_off")
                )

    def _finish(self, *, final: float | None = None, trouble: Message | None = None) -> None:
        self._kill()
        self._course = replace(self._course, done=True, final=final, trouble=trouble)
        self._tell(self._course)

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None


def main() -> None:
    """Judge the game on standard input: write a line for each move, and one for the end."""
    end_with_parent()
    asked: Any = json.loads(sys.stdin.readline())
    lower_priority(int(asked["nice"]))
    game = find_game(asked["game"])
    positions, moves = positions_of(game, game.parse(asked["start"]), asked["moves"])
    for point in analysed(game, positions, moves, asked["nodes"], asked["seed"]):
        print(json.dumps(asdict(point)), flush=True)
    print(json.dumps({"final": final_value(game, positions[-1])}), flush=True)


if __name__ == "__main__":
    main()
