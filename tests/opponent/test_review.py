"""Looking back on a finished game: what the judge is given, and where its courses go."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from threading import Event

from game.engine import Point
from game.opponent import Course, Review
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.rules.cirkle_mind import GAME as MIND
from game.table.inputs import Announce, Asked, Command, Lifted, Touched
from game.table.state import State
from game.table.table import Table

LATE = 100.0
TOUCH_S = 2.0


class Judge:
    """An analyst that records the games that it must judge, and reports the courses it is given."""

    def __init__(self) -> None:
        self.wanted: tuple[str, ...] | None = None
        self.given = 0
        self.courses: list[Course] = []

    def start(self, position: str, moves: Sequence[str]) -> Course:
        assert GAME.parse(position) == GAME.initial({"first": "1"})
        self.wanted = tuple(moves)
        self.given += 1
        return Course(len(moves))

    def poll(self) -> Course | None:
        return self.courses.pop(0) if self.courses else None

    def cancel(self) -> None:
        self.wanted = None


class Reviewed:
    """A review with its judge, and the courses that it has shown."""

    def __init__(self) -> None:
        self.seen: list[Course | None] = []
        self.bell = Event()
        self.judge = Judge()
        self.review = Review(GAME, self.seen.append, self.bell.set)
        self.review.analyst = self.judge


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


def going_on(table: Table) -> State:
    return replace(table.state, outcome=None)


def test_judge_is_given_a_game_that_is_over_and_was_asked_for():
    room, table = Reviewed(), resigned()
    room.review.look(table.state)
    assert room.judge.wanted is None
    room.review.ask()
    assert room.bell.is_set()
    # Asking while a game is in progress has no later effect either.
    room.review.look(going_on(table))
    room.review.look(table.state)
    assert room.judge.wanted is None
    room.review.ask()
    for _ in range(2):
        room.review.look(table.state)
        assert room.judge.wanted == ("e5", "a1")
        room.review.ask()
    assert room.judge.given == 1


def test_course_is_shown_as_it_grows_until_the_game_goes_on_and_a_new_end_is_judged_anew():
    room, table = Reviewed(), resigned()
    room.review.ask()
    room.judge.courses = [Course(2, done=done) for done in (False, True)]
    for _ in range(3):
        room.review.look(table.state)
    assert room.seen == [Course(2), Course(2), Course(2, done=True)]
    table.handle(Asked(Command.TAKE_BACK), 2 * LATE)
    room.judge.courses = [Course(2)]
    room.review.look(table.state)
    assert room.judge.wanted is None
    touch(table, "i1", 2 * LATE)
    resign(table)
    room.judge.courses.clear()
    room.review.ask()
    room.review.look(table.state)
    assert room.judge.wanted == ("e5", "a1", "i1")
    assert room.seen[3:] == [None, Course(3)]


def test_hidden_game_is_not_judged():
    room, table = Reviewed(), resigned()
    room.review._game = MIND
    room.review.ask()
    room.review.look(table.state)
    assert (room.judge.given, room.seen) == (0, [])


def test_coach_asks_by_itself_and_tells_the_move_that_turned_the_game():
    room, table = Reviewed(), resigned()
    table.handle(Asked(Command.COACH), 3 * LATE)
    assert room.review.look(table.state) is None
    assert room.judge.wanted == ("e5", "a1")
    points = tuple(
        Point(ply, ply + 1, move, 0.5, "d4", ("d4",), 0.5 + (-loss, loss)[ply])
        for ply, (move, loss) in enumerate((("e5", 0.2), ("a1", 0.4)))
    )
    room.judge.courses = [
        Course(2, points, (0, 1)),
        Course(2, points, (0, 1), done=True),
        Course(2, points, done=True),
    ]
    blue = say("player.blue")
    turned = say("coach.turned", ply=2, player=blue, move="a1", best="d4")
    found = [room.review.look(table.state) for _ in range(3)]
    assert found == [None, Announce(turned, good=True), None]
