"""The course of a game: computed for the page, and of the game on the board."""

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from threading import Event

import pytest

from game.engine import Point, analysed, turning_points
from game.opponent import Analyst, Course, Review
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.rules.cirkle_mind import GAME as MIND
from game.table.inputs import Announce, Asked, Command, Lifted, Touched
from game.table.table import Table
from tests.engine.test_course import random_game
from tests.helpers.programs.odd_rig import Rig

NODES = 100
POSITIONS, MOVES = random_game(1, "3")
START = GAME.text(POSITIONS[0])


class Watched:
    """An analyst, by a program in Python in place of its own if one is given, and its courses."""

    def __init__(self, folder: Path, program: str = "") -> None:
        self.rig = Rig(folder)
        self.analyst = Analyst(GAME, self.rig.bell.set, nodes=NODES)
        if program:
            self.analyst.command = (sys.executable, "-S", "-E", "-c", program)
        self.course = self.analyst.start(START, MOVES)

    def ended(self) -> Course:
        """Poll until the course is done, and return it."""
        with closing(self.analyst):
            while not self.course.done:
                self.course = self.rig.until(self.analyst.poll)
        return self.course


def test_course_grows_and_is_that_of_the_search(tmp_path):
    watched = Watched(tmp_path)
    assert watched.course == Course(len(MOVES))
    points = tuple(analysed(GAME, POSITIONS, MOVES, NODES, 0))
    first = watched.rig.until(watched.analyst.poll)
    assert first.points == points[: len(first.points)]
    final = float(GAME.outcome(POSITIONS[-1]).winner == 1)
    assert watched.ended() == Course(len(MOVES), points, turning_points(points), True, final)
    assert watched.analyst.poll() is None


POINT = json.dumps(asdict(Point(0, 1, "e5", 0.5, "e5", ("e5",), 0.5)))
FIRST = f"import sys, signal; sys.stdin.readline(); print({POINT!r}, flush=True)"


@pytest.mark.parametrize(
    "then",
    [
        f"{FIRST}; sys.exit(0)",
        f"{FIRST}; print('nonsense', flush=True); signal.pause()",
        # The same point again.
        f"{FIRST}; print({POINT!r}, flush=True); signal.pause()",
    ],
)
def test_a_process_that_fails_costs_a_word_and_no_more(tmp_path, then):
    course = Watched(tmp_path, then).ended()
    assert len(course.points) == 1
    assert course.trouble is not None
    assert course.trouble.key == "analysis.broken_off"


def test_another_game_takes_the_place_of_the_first(tmp_path):
    ends = "import sys; print('{\"final\": null}') if len(input()) < 200 else sys.stdin.read()"
    watched = Watched(tmp_path, ends)
    watched.course = watched.analyst.start(START, MOVES[:1])
    assert watched.ended() == Course(1, done=True)


LATE = 100.0
TOUCH_S = 2.0


class Reviewed:
    """A review, its judge, who reports the courses it is given, and the courses it has shown."""

    def __init__(self) -> None:
        self.wanted: tuple[str, ...] | None = None
        self.given = 0
        self.courses: list[Course] = []
        self.seen: list[Course | None] = []
        self.bell = Event()
        self.review = Review(GAME, self.seen.append, self.bell.set)
        self.review.analyst = self

    def start(self, position: str, moves: Sequence[str]) -> Course:
        assert GAME.parse(position) == GAME.initial({"first": "1"})
        self.wanted = tuple(moves)
        self.given += 1
        return Course(len(moves))

    def poll(self) -> Course | None:
        return self.courses.pop(0) if self.courses else None

    def cancel(self) -> None:
        self.wanted = None


def resigned() -> Table:
    """Play two moves and resign."""
    table = Table(GAME, {"first": "1"}, Random(1))
    table.start(0.0)
    table.tick(LATE)
    for number, cell in enumerate(("e5", "a1")):
        touch(table, cell, LATE + number * TOUCH_S)
    resign(table)
    return table


def touch(table: Table, cell: str, now: float) -> None:
    table.handle(Touched(cell), now)
    table.handle(Lifted(cell), now + 0.1)


def resign(table: Table) -> None:
    for _ in range(2):
        table.handle(Asked(Command.RESIGN), 2 * LATE)
    assert table.state.outcome is not None


def test_judge_is_given_a_game_that_is_over_and_was_asked_for():
    room, table = Reviewed(), resigned()
    room.review.look(table.state)
    assert room.wanted is None
    room.review.ask()
    assert room.bell.is_set()
    # Asking while a game is in progress has no later effect either.
    room.review.look(replace(table.state, outcome=None))
    room.review.look(table.state)
    assert room.wanted is None
    room.review.ask()
    for _ in range(2):
        room.review.look(table.state)
        assert room.wanted == ("e5", "a1")
        room.review.ask()
    assert room.given == 1


def test_course_is_shown_as_it_grows_until_the_game_goes_on_and_a_new_end_is_judged_anew():
    room, table = Reviewed(), resigned()
    room.review.ask()
    room.courses = [Course(2, done=done) for done in (False, True)]
    for _ in range(3):
        room.review.look(table.state)
    assert room.seen == [Course(2), Course(2), Course(2, done=True)]
    table.handle(Asked(Command.TAKE_BACK), 2 * LATE)
    room.courses = [Course(2)]
    room.review.look(table.state)
    assert room.wanted is None
    touch(table, "i1", 2 * LATE)
    resign(table)
    room.courses.clear()
    room.review.ask()
    room.review.look(table.state)
    assert room.wanted == ("e5", "a1", "i1")
    assert room.seen[3:] == [None, Course(3)]


def test_hidden_game_is_not_judged():
    room, table = Reviewed(), resigned()
    room.review._game = MIND
    room.review.ask()
    room.review.look(table.state)
    assert (room.given, room.seen) == (0, [])


def test_coach_asks_by_itself_and_tells_the_move_that_turned_the_game():
    room, table = Reviewed(), resigned()
    table.handle(Asked(Command.COACH), 3 * LATE)
    assert room.review.look(table.state) is None
    assert room.wanted == ("e5", "a1")
    points = tuple(
        Point(ply, ply + 1, move, 0.5, "d4", ("d4",), 0.5 + (-loss, loss)[ply])
        for ply, (move, loss) in enumerate((("e5", 0.2), ("a1", 0.4)))
    )
    room.courses = [
        Course(2, points, (0, 1)),
        Course(2, points, (0, 1), done=True),
        Course(2, points, done=True),
    ]
    blue = say("player.blue")
    turned = say("coach.turned", ply=2, player=blue, move="a1", best="d4")
    found = [room.review.look(table.state) for _ in range(3)]
    assert found == [None, Announce(turned, good=True), None]
