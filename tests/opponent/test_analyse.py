"""The course of saved games: in the terminal, and computed in the background for the page."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Event, Thread

import pytest

from game.cli import main
from game.engine import analysed, positions_of, turning_points
from game.opponent import Analyst, Course
from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind
from tests.store.test_history import journal, save_game

WAIT_S = 60.0
NODES = 100


def random_moves(seed: int, target: str) -> list[str]:
    rng = Random(seed)
    position, moves = GAME.initial({"target": target}), []
    while GAME.to_move(position) is not None:
        moves.append(GAME.legal_moves(position).pick(rng))
        position = GAME.play(position, moves[-1])
    return moves


MOVES = random_moves(1, "3")
START = GAME.text(GAME.initial({"target": "3"}))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """One finished game, one that was resigned, one that has just begun."""
    folder = tmp_path / "data"
    save_game(folder, journal(MOVES, ("Anna", "Bruno"), target="3"))
    save_game(folder, journal(["e5", "d4"], more=[Entry(EntryKind.RESIGN, "1")]))
    save_game(folder, journal([]))
    return folder


def shown(
    saved: Path, capsys: pytest.CaptureFixture[str], which: str, *more: str
) -> tuple[int, str, str]:
    """Return what the command prints about a game."""
    call = ["analyse", which, "--data", str(saved), "--nodes", str(NODES), *more]
    try:
        status = main.main(call)
    except SystemExit as left:
        status = int(left.code or 0)
    out, error = capsys.readouterr()
    return status, out, error


def test_analyse_tells_every_move_the_turning_points_and_the_end(saved, capsys):
    positions, moves = positions_of(GAME, GAME.parse(START), MOVES)
    points = list(analysed(GAME, positions, moves, NODES, 0))
    turning = turning_points(points)
    assert turning, "the game has no turning point to tell"
    status, out, _ = shown(saved, capsys, "1")
    lines = out.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("   1 "))
    rows = lines[first : first + len(moves)]
    assert status == 0
    assert '[Player1 "Anna"]' in out or "Anna" in out
    assert [int(row.split()[0]) - 1 for row in rows if "*" in row[:8]] == list(turning)
    for point, row in zip(points, rows, strict=True):
        assert f"{point.value:4.0%}" in row
        assert ("Orange" if point.player == 1 else "Blue") in row
        assert ("".join(each for each in row if each in "?!")) == point.mark
        assert (f"better {' '.join(point.line)}" in row) == bool(point.mark)
    winner = GAME.outcome(positions[-1]).winner
    assert lines[first + len(moves)].split()[0] == "end"
    assert lines[first + len(moves)].endswith("100%" if winner == 1 else "  0%")
    assert ", ".join(str(ply + 1) for ply in turning) in lines[-1]


def test_analyse_of_a_game_resigned_or_without_moves(saved, capsys):
    found = json.loads(shown(saved, capsys, "2", "--json")[1])
    assert (len(found["points"]), found["final"]) == (2, 0.0)
    for one, then in pairwise(json.loads(shown(saved, capsys, "1", "--json")[1])["points"]):
        assert one["after"] == then["value"], "a position has one value"
    found = json.loads(shown(saved, capsys, "last", "--json")[1])
    assert (found["points"], found["final"]) == ([], None)
    assert "No move was made." in shown(saved, capsys, "last")[1]


def test_analyse_shows_its_progress_on_a_terminal_only(saved, capsys, monkeypatch):
    assert shown(saved, capsys, "2")[2] == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert shown(saved, capsys, "2")[2].startswith("0 of 2 moves\r1 of 2 moves\r\r")


@pytest.mark.parametrize(
    ("which", "more", "status", "why"),
    [
        ("9", (), 1, "9"),
        ("first", (), 1, "'first'; allowed: 1 - 3 | last"),
        ("1", ("--nodes", "0"), 2, "allowed: 1 - "),
        ("1", ("--nodes", "many"), 2, "not a whole number"),
    ],
)
def test_analyse_refuses_a_wrong_call(saved, capsys, which, more, status, why):
    found, out, error = shown(saved, capsys, which, *more)
    assert (found, out) == (status, "")
    assert why in error


class Listener:
    """Receives courses in the analyst's thread."""

    def __init__(self) -> None:
        self.heard: SimpleQueue[Course] = SimpleQueue()

    def __call__(self, course: Course) -> None:
        self.heard.put(course)

    def next(self) -> Course:
        return self.heard.get(timeout=WAIT_S)

    def last(self) -> Course:
        while not (course := self.next()).done:
            pass
        return course


@contextmanager
def analyst(tell: Callable[[Course], None], program: str = "", **more) -> Iterator[Analyst]:
    """An analyst, by a program in Python in place of its own if one is given."""
    if program:
        more["command"] = (sys.executable, "-S", "-E", "-c", program)
    working = Analyst(GAME, tell, nodes=NODES, nice=0, **more)
    try:
        yield working
    finally:
        working.close()


def test_course_comes_move_by_move_and_is_that_of_the_search():
    listener = Listener()
    positions, moves = positions_of(GAME, GAME.parse(START), MOVES)
    points = tuple(analysed(GAME, positions, moves, NODES, 0))
    with analyst(listener) as working:
        working.start(START, MOVES)
        for count in range(len(MOVES) + 1):
            course = listener.next()
            assert (course.moves, course.done, course.trouble) == (len(MOVES), False, None)
            assert course.points == points[:count]
            assert course.turning == turning_points(points[:count])
        course = listener.next()
    assert (course.points, course.done, course.trouble) == (points, True, None)
    assert course.final == float(GAME.outcome(positions[-1]).winner == 1)


POINT = {
    "ply": 0,
    "player": 1,
    "move": "e5",
    "value": 0.5,
    "best": "e5",
    "line": ["e5"],
    "after": 0.5,
    "decided": False,
}
END = {"final": None}
FIRST = (
    f"import sys, signal; sys.stdin.readline(); print({json.dumps(json.dumps(POINT))}, flush=True)"
)
BAD = [
    "[]",
    "nonsense",
    "[" * 5000,
    json.dumps(POINT),
]


@pytest.mark.parametrize(
    "then",
    [
        "sys.exit(0)",
        "[print('x' * 9999, end='') for _ in iter(int, 1)]",
        *(f"print({bad!r}, flush=True); signal.pause()" for bad in BAD),
    ],
)
def test_a_process_that_dies_or_talks_nonsense_costs_a_word_and_no_more(then: str):
    listener = Listener()
    with analyst(listener, f"{FIRST}; {then}") as working:
        working.start(START, MOVES)
        assert [len(listener.next().points) for _ in range(2)] == [0, 1]
        course = listener.next()
    assert (course.done, len(course.points)) == (True, 1)
    assert course.trouble is not None
    assert course.trouble.key == "analysis.broken_off"


def test_a_process_that_hangs_is_given_up():
    listener = Listener()
    program = "import signal; signal.pause()"
    with analyst(listener, program, silence_s=0.05) as working:
        working.start(START, MOVES)
        course = listener.last()
    assert (course.done, course.points) == (True, ())
    assert course.trouble is not None
    assert course.trouble.key == "analysis.too_slow"


def test_the_same_game_is_not_worked_out_twice_and_another_one_is(monkeypatch: pytest.MonkeyPatch):
    class Counted(Thread):
        started = 0

        def start(self) -> None:
            Counted.started += 1
            super().start()

    monkeypatch.setattr("game.opponent.line_process.Thread", Counted)
    listener = Listener()
    program = f"input(); print({json.dumps(json.dumps(END))})"
    with analyst(listener, program) as working:
        for moves, started in ((MOVES, 1), (MOVES[:1], 2), (MOVES, 3)):
            working.start(START, moves)
            assert listener.last() == Course(len(moves), done=True)
            working.start(START, tuple(moves))
            assert Counted.started == started
        working.cancel()
        working.start(START, MOVES)
        assert listener.last().done
    assert Counted.started == 4


def test_a_game_dropped_while_it_is_told_is_told_no_further():
    heard: list[Course] = []
    shown = Event()

    def tell(course: Course) -> None:
        heard.append(course)
        working.cancel()
        shown.set()

    with analyst(tell) as working:
        working.start(START, MOVES)
        assert shown.wait(WAIT_S)
    assert [course.points for course in heard] == [()]


def test_a_game_for_more_than_two_has_no_course(monkeypatch: pytest.MonkeyPatch):
    listener = Listener()
    with analyst(listener, "raise SystemExit") as working:
        monkeypatch.setattr(type(GAME), "players", (*GAME.players, *GAME.players))
        working.start(START, MOVES)
        monkeypatch.undo()
        # This game is reported, and none before it.
        working.start(START, ["e5"])
        assert listener.next().moves == 1
