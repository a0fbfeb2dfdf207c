"""The course of saved games: in the terminal, and computed in the background for the page."""

import json
import sys
from contextlib import closing
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from game.cli import main
from game.engine import Point, analysed, turning_points
from game.opponent import Analyst, Course
from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind
from tests.engine.test_course import random_game
from tests.helpers.programs.odd_rig import Rig
from tests.store.test_history import journal, save_game

NODES = 100


POSITIONS, MOVES = random_game(1, "3")
START = GAME.text(POSITIONS[0])


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
    points = list(analysed(GAME, POSITIONS, MOVES, NODES, 0))
    turning = turning_points(points)
    assert turning, "the game has no turning point to tell"
    status, out, _ = shown(saved, capsys, "1")
    lines = out.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("   1 "))
    rows = lines[first : first + len(MOVES)]
    assert status == 0
    assert '[Player1 "Anna"]' in out or "Anna" in out
    assert [int(row.split()[0]) - 1 for row in rows if "*" in row[:8]] == list(turning)
    for point, row in zip(points, rows, strict=True):
        assert f"{point.value:4.0%}" in row
        assert ("Orange" if point.player == 1 else "Blue") in row
        assert ("".join(each for each in row if each in "?!")) == point.mark
        assert (f"better {' '.join(point.line)}" in row) == bool(point.mark)
    winner = GAME.outcome(POSITIONS[-1]).winner
    assert lines[first + len(MOVES)].split()[0] == "end"
    assert lines[first + len(MOVES)].endswith("100%" if winner == 1 else "  0%")
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


class Watched:
    """An analyst, by a program in Python in place of its own if one is given, and its courses."""

    def __init__(self, folder: Path, program: str = "", **more: Any) -> None:
        self.rig = Rig(folder)
        if program:
            more["command"] = (sys.executable, "-S", "-E", "-c", program)
        self.analyst = Analyst(GAME, self.rig.bell.set, nodes=NODES, **more)
        self.course = self.analyst.start(START, MOVES)

    def ended(self) -> Course:
        """Poll until the course is done, and return it."""
        with closing(self.analyst):
            while not self.course.done:
                self.course = self.rig.until(self.analyst.poll)
        return self.course


def test_course_grows_and_is_that_of_the_search(tmp_path: Path):
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
BAD = ["[]", "nonsense", "[" * 5000, POINT]


@pytest.mark.parametrize(
    "then",
    [
        "sys.exit(0)",
        "[print('x' * 9999, end='') for _ in iter(int, 1)]",
        *(f"print({bad!r}, flush=True); signal.pause()" for bad in BAD),
    ],
)
def test_a_process_that_dies_or_talks_nonsense_costs_a_word_and_no_more(tmp_path: Path, then: str):
    course = Watched(tmp_path, f"{FIRST}; {then}").ended()
    assert len(course.points) == 1
    assert course.trouble is not None
    assert course.trouble.key == "analysis.broken_off"


def test_a_process_that_hangs_is_given_up(tmp_path: Path):
    course = Watched(tmp_path, "import signal; signal.pause()", silence_s=0.05).ended()
    assert course.points == ()
    assert course.trouble is not None
    assert course.trouble.key == "analysis.too_slow"


def test_another_game_takes_the_place_of_the_first(tmp_path: Path):
    ends = "import sys; print('{\"final\": null}') if len(input()) < 200 else sys.stdin.read()"
    watched = Watched(tmp_path, ends)
    watched.course = watched.analyst.start(START, MOVES[:1])
    assert watched.ended() == Course(1, done=True)
