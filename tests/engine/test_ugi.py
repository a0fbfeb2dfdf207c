"""The engine's side of the Universal Game Interface: commands and answers."""

import re
from copy import copy
from pathlib import Path

import pytest

from game.common import words
from game.engine import TOP, UgiServer
from game.engine.levels import LEVELS
from game.engine.ugi import SLICE_S, TELL_EVERY_S
from game.rules.base.registry import find_game
from tests.helpers.games.small_games import Heap, Noughts

GUIDE = Path(__file__).parents[2] / "docs" / "engine.md"


def server(game=None, *, cost: float = 5e-4, **more) -> UgiServer:
    """Return a server whose clock advances by this many seconds with each move played.

    It advances a little with each reading too.
    """
    now, slow = 100.0, copy(game or Heap())

    def clock() -> float:
        nonlocal now
        now += 1e-5
        return now

    def play(position, move, quick=slow.play):
        nonlocal now
        now += cost
        return quick(position, move)

    slow.play = play
    return UgiServer(slow, clock=clock, tell=words("en").text, **more)


def reported(server: UgiServer, *lines: str) -> list[str]:
    """Return the answers to some lines, all of which are answered at once."""
    return [answer for line in lines for answer in server.feed(line)]


def run(server: UgiServer, most: int = 100_000) -> list[str]:
    """Let a search go on to its end."""
    answers: list[str] = []
    for _ in range(most):
        if not server.busy:
            return answers
        answers += server.step()
    pytest.fail("the search does not end")


def bestmove(answers: list[str]) -> str:
    assert sum(line.startswith("bestmove ") for line in answers) == 1
    assert answers[-1].startswith("bestmove ")
    return answers[-1].split()[1]


def spent(answers: list[str], what: str = "time") -> int:
    """Return how many milliseconds, or nodes, a search took."""
    return int(re.findall(rf" {what} (\d+)", answers[-2])[0])


def test_introduction_names_engine_and_options_and_ends_with_ugiok():
    mind, go = server(find_game("cirkle-mind")), server(find_game("capture-go"))
    assert reported(mind, "setoption name LEVEL value 1", "setoption name FIRST value 2") == []
    # Variants are games of their own.
    assert "unknown" in " ".join(reported(go, "setoption name variant value cells-7"))
    answers = reported(server(find_game("circle-of-life")), "ugi")
    assert answers[0] == "id name lifeboard circle-of-life"
    assert answers[1].startswith("id author ")
    levels = "".join(f" var {level.name}" for level in LEVELS)
    assert answers[2:] == [
        f"option name Level type combo default {TOP}{levels}",
        "option name Seed type spin default 0 min 0 max 2147483647",
        "option name MultiPV type spin default 1 min 1 max 500",
        "option name first type combo default 1 var 1 var 2",
        "option name target type spin default 20 min 1 max 999",
        "ugiok",
    ]


@pytest.mark.parametrize(
    ("game", "position", "answers"),
    [
        (Heap(), "fen 1 1 moves 1", ["true", "false", "p1win"]),
        (Heap(), "fen 1 2 moves 1", ["true", "false", "p2win"]),
        (Heap(players=3), "fen 1 3 moves 1", ["true", "false", "p3win"]),
        (Heap(players=3), "fen 2 3", ["false", "false", "none"]),
        (Noughts(), "fen 121122.1. moves 6 8", ["true", "false", "draw"]),
    ],
)
def test_queries_tell_of_the_position(game, position, answers):
    asked = ("query gameover", "query p1turn", "query result")
    engine = server(game)
    found = reported(engine, f"position {position}", *asked)
    assert found == [f"response {answer}" for answer in answers]
    over = answers[0] == "true"
    assert reported(engine, "go")[1:] == (["bestmove (none)"] if over else [])


def test_options_of_the_game_hold_for_the_next_start():
    engine = server()
    reported(engine, "setoption name heap value 3", "setoption name First value 2")
    assert reported(engine, "query p1turn") == ["response true"]
    assert reported(engine, "position startpos", "query p1turn") == ["response false"]
    reported(engine, "go")
    assert bestmove(run(engine)) == "3"
    assert reported(engine, "uginewgame", "query p1turn") == ["response false"]


def test_search_ends_when_its_time_is_over():
    engine = server(cost=1e-4)
    reported(engine, "position fen 90 1", "go movetime 2000")
    answers = run(engine)
    assert 2000 <= spent(answers) <= 2000 + 1000 * SLICE_S
    assert 4 <= sum(line.startswith("info") for line in answers) <= 2 / TELL_EVERY_S + 1
    reported(engine, "go depth 4")
    assert len(run(engine)[-2].partition(" pv ")[2].split()) >= 4
    # The top level keeps to its own limits only if nothing is said.
    for asked, seconds in (("go", LEVELS[-1].seconds), ("go movetime 30000", 30)):
        engine = server()
        reported(engine, "position fen 90 1", asked)
        assert spent(run(engine)) == pytest.approx(1000 * seconds, rel=0.05)


@pytest.mark.parametrize(
    ("mover", "clocks", "least", "most"),
    [
        (1, "p1time 20000 p2time 1 p1inc 0 p2inc 0", 900, 1000),
        (2, "p1time 1 p2time 20000 p1inc 0 p2inc 500", 1400, 1500),
        (1, "p1time 40 p2time 20000", 5, 40),
    ],
)
def test_clock_gives_a_share_of_the_movers_time(mover, clocks, least, most):
    engine = server()
    reported(engine, f"position fen 90 {mover}", f"go {clocks}")
    assert least <= spent(run(engine)) <= most


def test_levels_of_so_many_nodes_stay_weak_however_much_time_they_are_given():
    engine = server(level="1", cost=1e-7)
    reported(engine, "position fen 90 1")
    for asked, nodes in (
        ("go movetime 100000", LEVELS[1].nodes),
        ("go nodes 5", 5),
        ("setoption name Level value uct:30", 0),
        ("go ponder movetime 100000", 30),
    ):
        reported(engine, asked)
        assert not nodes or spent(run(engine), "nodes") == nodes
    assert any("default uct:40 var" in line for line in reported(server(level="uct:40"), "ugi"))


def test_endless_search_goes_on_until_stop_and_nothing_is_changed_within():
    engine = server(level="1")
    reported(engine, "position fen 90 2", "go infinite")
    for _ in range(300):
        assert not any(line.startswith("bestmove") for line in engine.step())
    for line in ("position startpos", "setoption name Seed value 3", "uginewgame", "go nodes 1"):
        (answer,) = reported(engine, line)
        assert answer.startswith(f"info string error: {line.split()[0]} has to wait")
    assert reported(engine, "isready", "query p1turn") == ["readyok", "response false"]
    assert engine.busy
    assert bestmove(reported(engine, "stop")) in "123"
    assert (engine.busy, engine.step()) == (False, [])


SCORE = r"info nodes \d+ time \d+ nps \d+ multipv 1 score cp (-?\d+) wdl (\d+) 0 (\d+) decided (.*)"


@pytest.mark.parametrize(
    ("game", "position", "score"),
    [
        (Heap(), "7 1", ("10000", "1000", "0", "1 pv 3")),
        (Heap(), "4 1", ("-10000", "0", "1000", "1 pv ")),
        (Noughts(), "1...2....", ("0", "500", "500", "1 pv ")),
    ],
)
def test_info_tells_a_score_that_is_proved(game, position, score):
    engine = server(game)
    reported(engine, f"position fen {position}", "go nodes 20000")
    *found, line = re.fullmatch(SCORE, run(engine)[-2]).groups()
    assert (*found, line[: len(score[3])]) == score


def test_info_tells_what_the_mover_may_expect():
    engine = server()
    reported(engine, "position fen 90 1", "go nodes 500")
    cp, won, lost, line = re.fullmatch(SCORE, run(engine)[-2]).groups()
    assert int(won) + int(lost) == 1000
    assert (int(cp) > 0) == (int(won) > 500)
    assert re.fullmatch("0 pv [123 ]+", line)


def test_several_lines_are_told_best_first():
    engine = server()
    reported(engine, "setoption name multipv value 3", "position fen 7 1", "go nodes 500")
    *infos, last = run(engine)[-4:]
    told = [re.findall(r"multipv (\d) .* pv (\d)", line)[0] for line in infos]
    assert [number for number, _ in told] == list("123")
    assert told[0][1] == bestmove([last])


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("frobnicate now", ["frobnicate now", "isready", "quit"]),
        ("setoption name Hash value 3", ["Hash", "Level", "MultiPV", "heap"]),
        ("setoption name Level value 99", ["99", "random", TOP]),
        ("setoption name Seed value -1", ["Seed", "-1", "0 - 2147483647"]),
        ("setoption name heap value 100", ["heap", "100", "1 - 99"]),
        ("setoption name first value 3", ["first", "3", "1 | 2"]),
        ("position middle", ["middle", "startpos", "fen"]),
        ("position fen nonsense", ["nonsense"]),
        ("position startpos moves 1 4", ["4"]),
        ("go nodes many", ["nodes", "many", "1", "1000000000"]),
        ("go p2time ٣", ["p2time", "٣"]),
        ("query weather", ["weather", "gameover", "p1turn", "result"]),
    ],
)
def test_wrong_command_is_told_with_what_is_allowed_and_changes_nothing(line, names):
    engine, untouched = server(), server()
    reported(engine, "position fen 11 2")
    reported(untouched, "position fen 11 2")
    (answer,) = reported(engine, line)
    assert answer.startswith("info string error: ")
    assert [name for name in names if name not in answer] == []
    assert not engine.busy
    assert reported(engine, "query p1turn", "ugi") == reported(untouched, "query p1turn", "ugi")
    for each in (engine, untouched):
        reported(each, "go nodes 50")
    assert bestmove(run(engine)) == bestmove(run(untouched))


def test_guide_shows_what_is_answered_and_names_every_command():
    text, game = GUIDE.read_text(), find_game("circle-of-life")
    engine = server(game, seed=1)
    example = text.split("```")[3].strip().splitlines()
    said = [line[2:] for line in example if line.startswith("> ")]
    answered = [answer for line in said for answer in [*reported(engine, line), *run(engine)]]
    shown = [line[2:] for line in example if line.startswith("< ")]

    def shapes(lines: list[str]) -> list[str]:
        # Numbers, lines and moves may be others.
        told = [line.partition(" pv ")[0] for line in lines if not line.startswith("bestmove")]
        return [re.sub(r"-?\d+", "N", x) if x.startswith("info") else x for x in told]

    assert shapes(shown) == shapes(answered) != []
    assert engine.ended
    (drawn,) = re.findall(r"^[.12/]{69} [12] \d+-\d+ \d+$", text, re.MULTILINE)
    assert game.text(game.parse(drawn)) == drawn
    commands = server().feed("nonsense")[0].rpartition("allowed: ")[2].split(", ")
    assert len(commands) == 9
    assert [command for command in commands if f"`{command}" not in text] == []
