"""`lifeboard referee` as other programs use it: a process, lines in, lines out, an exit status."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

import pytest

COMMAND = [sys.executable, "-c", "from game.app.cli import main; raise SystemExit(main())"]
PATIENCE_S = 60
"""How long a process may take before it is ended: a lost answer must not hang the tests."""

KEYS = ["ply", "move", "to_move", "pieces", "removed", "score", "legal", "outcome"]
OURS = "a5 a1 b5 b6 a3 b2 c7 c4 c3 d2 d1 e9 e5 e3 c1 f8 f4 f1 g4 g2 h4 h2 h1 d6 e7 f6"
THEIRS = "a2 a4 b4 b3 c6 d8 d7 d5 d4 e8 e6 e4 b1 c2 e2 e1 f2 g7 g5 g1 h6 g3 h5 h3 i3 i2"
CLOSING = {
    "pieces": {**dict.fromkeys(OURS.split(), "1"), **dict.fromkeys(THEIRS.split(), "2")},
    "to_move": 1,
}


# A caller's own setting would hide an answer that is not flushed.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}


def arguments(*more: str, game: str = "circle-of-life") -> list[str]:
    return [*COMMAND, "referee", game, *more]


def run(call: list[str], lines: str | bytes = "", **environment: str) -> tuple[int, str, str]:
    """Run to the end; give exit status, standard output and standard error."""
    fed = lines.encode() if isinstance(lines, str) else lines
    done = subprocess.run(
        call,
        input=fed,
        capture_output=True,
        timeout=PATIENCE_S,
        env={**ENVIRONMENT, **environment},
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def answers(call: list[str], lines: str) -> tuple[int, list[dict[str, Any]]]:
    """Run, and read the answers; nothing may be said on standard error."""
    status, out, err = run(call, lines)
    assert err == ""
    return status, [json.loads(line) for line in out.splitlines()]


@contextmanager
def running(call: list[str], patience_s: float = PATIENCE_S) -> Iterator[subprocess.Popen[str]]:
    """Hold a conversation; the process is ended afterwards, and when it takes too long."""
    with subprocess.Popen(
        call,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=ENVIRONMENT,
    ) as process:
        watchdog = Timer(patience_s, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            process.kill()


def told(process: subprocess.Popen[str], line: str | None = None) -> dict[str, Any]:
    """Send a line, if any, and wait for one answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    if line is not None:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    answer = process.stdout.readline()
    assert answer, "no answer"
    read = json.loads(answer)
    assert isinstance(read, dict)
    return read


def test_no_lines_answer_the_start_alone() -> None:
    status, [start] = answers(arguments(), "")
    assert status == 0
    assert start == {
        "ply": 0,
        "move": None,
        "to_move": 1,
        "pieces": {},
        "removed": [],
        "score": [0, 0],
        "legal": 61,
        "outcome": None,
    }


def test_keys_are_exactly_those_documented() -> None:
    _, plain = answers(arguments(), "e5\nzz\n")
    assert [list(answer) for answer in plain] == [KEYS, KEYS, [*KEYS, "error"]]
    _, listed = answers(arguments("--legal"), "e5\nzz\n")
    assert [set(answer) for answer in listed] == [
        {*KEYS, "moves"},
        {*KEYS, "moves"},
        {*KEYS, "moves", "error"},
    ]


def test_legal_lists_the_moves_sorted_and_without_x() -> None:
    _, [*_, last] = answers(arguments("--legal"), "e5\ne6\n")
    assert last["moves"] == sorted(last["moves"])
    assert len(last["moves"]) == last["legal"] == 59
    assert "e4" in last["moves"]
    assert not any(move.endswith("x") for move in last["moves"])


def test_a_move_that_eats_is_answered_with_what_left_the_board() -> None:
    status, [*_, last] = answers(arguments(), "e5\ne6\ne4\n")
    assert status == 0
    assert last["move"] == "e4x"
    assert last["removed"] == ["e6"]
    assert last["pieces"] == {"e4": "1", "e5": "1"}
    assert last["score"] == [1, 0]
    assert last["ply"] == 3


def test_blank_lines_and_comments_are_skipped() -> None:
    lines = "\n# a record\n   \n e5 \n\t\n  # another\n#e6\ne7\n\n"
    status, [_, one, two] = answers(arguments(), lines)
    assert status == 0
    assert (one["move"], two["move"], two["ply"]) == ("e5", "e7", 2)


def test_the_last_line_needs_no_end_and_lines_may_end_as_on_windows() -> None:
    status, [*_, last] = answers(arguments(), "e5\r\ne7\r\nd4")
    assert (status, last["ply"], last["move"]) == (0, 3, "d4")


@pytest.mark.parametrize(
    "line", ["e5", "e5x", "e10", "nonsense", "e5 e6", "{}", "null", "-", "\u00e9\u4e2d", "a" * 9999]
)
def test_a_refused_line_answers_the_unchanged_position_and_the_reading_goes_on(line: str) -> None:
    status, [_, played, refused, after] = answers(arguments("--legal"), f"e5\n{line}\nd4\n")
    assert status == 1
    assert refused.pop("error").strip()
    assert refused == played
    assert (after["move"], after["ply"], "error" in after) == ("d4", 2, False)


def test_an_x_that_eats_nothing_is_refused_and_one_that_eats_is_not() -> None:
    status, [_, refused] = answers(arguments(), "e5x\n")
    assert status == 1
    assert "eats nothing" in refused["error"]
    assert answers(arguments(), "e5\ne6\ne4x\n")[0] == 0


def test_the_exit_status_is_0_only_if_every_line_was_accepted() -> None:
    assert answers(arguments(), "e5\ne6\n")[0] == 0
    assert answers(arguments(), "e5\ne5\ne6\n")[0] == 1


def test_cells_of_board_game_arena_are_accepted_and_answered_in_ours() -> None:
    status, got = answers(arguments(), "E4\nE5\nE3x\nA0\nI4\n")
    assert status == 0
    assert [answer["move"] for answer in got] == [None, "e5", "e6", "e4x", "i1", "a1"]


def test_a_move_after_the_end_is_refused() -> None:
    call = arguments("--option", "target=1")
    status, [*_, last, refused] = answers(call, "e5\ne6\ne4\na1\n")
    assert status == 1
    assert last["outcome"] == {"winner": 1, "reason": "stones eaten"}
    assert (last["to_move"], last["legal"]) == (None, 0)
    assert refused == {**last, "error": refused["error"]}


def test_the_closing_position_of_the_rules_ends_as_they_say() -> None:
    status, [start, last] = answers(arguments("--legal", "--position", json.dumps(CLOSING)), "i1\n")
    assert status == 0
    assert (start["outcome"], start["moves"]) == (None, ["g6", "i1", "i5"])
    assert (last["removed"], last["moves"], last["to_move"]) == ([], [], None)
    assert last["outcome"] == {"winner": 2, "reason": "no legal placement"}


def test_options_are_heeded() -> None:
    call = arguments("--option", "first=2", "--option=target=1")
    _, [start, *_, last] = answers(call, "e5\ne6\ne4\n")
    assert start["to_move"] == 2
    assert last["pieces"] == {"e4": "2", "e5": "2"}
    assert last["outcome"]["winner"] == 2


def test_a_position_given_is_where_the_game_starts() -> None:
    position = json.dumps({"pieces": {"E4": "1", "e6": "2"}, "to_move": 1, "score": [3, 4]})
    _, [start, last] = answers(arguments("--position", position), "e4\n")
    assert (start["ply"], start["pieces"]) == (0, {"e5": "1", "e6": "2"})
    assert (last["ply"], last["score"], last["to_move"]) == (1, [4, 4], 2)


@pytest.mark.parametrize("lines", ["e5\ne6\n", "e5\ne6\ne4\n"])
def test_an_answer_is_accepted_as_a_position_also_when_the_game_is_over(lines: str) -> None:
    options = ["--legal", "--option=target=1"]
    _, [*_, last] = answers(arguments(*options), lines)
    _, [again] = answers(arguments(*options, "--position", json.dumps(last)), "")
    assert again == {**last, "move": None, "removed": []}


def test_each_answer_comes_before_the_next_line_is_sent() -> None:
    with running(arguments()) as process:
        assert told(process)["ply"] == 0
        for ply, cell in enumerate(["e5", "a1", "i5", "e9"], 1):
            assert told(process, cell)["ply"] == ply
        assert "error" in told(process, "e5")
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 1


def test_the_conversation_notices_a_program_that_answers_late() -> None:
    late = [sys.executable, "-c", "import sys; sys.stdin.read(); print('{}')"]
    with (
        running(late, patience_s=0.2) as process,
        pytest.raises(AssertionError, match="no answer"),
    ):
        told(process, "e5")


def test_a_reader_who_goes_away_leaves_no_traceback() -> None:
    with running(arguments("--legal")) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        process.stdin.write("e5\ne6\ne4\n")
        process.stdin.close()
        process.wait(PATIENCE_S)
        assert process.stderr.read() == ""


def test_bytes_that_are_no_text_are_refused_like_any_nonsense() -> None:
    for encoding in ("utf-8:strict", "utf-8:surrogateescape"):
        status, out, err = run(arguments(), b"e5\n\xff\xfe\nd4\n", PYTHONIOENCODING=encoding)
        assert (status, err) == (1, "")
        _, played, refused, after = (json.loads(line) for line in out.splitlines())
        assert refused == {**played, "error": refused["error"]}
        assert after["move"] == "d4"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_refusal_is_told_on_a_terminal_of_any_encoding(encoding: str) -> None:
    environment = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    status, out, err = run(arguments(), "\u4e2d\u00e9\nd4\n".encode(), **environment)
    assert (status, err) == (1, "")
    _, refused, after = (json.loads(line) for line in out.splitlines())
    assert (refused["ply"], after["move"]) == (0, "d4")
    assert refused["error"]


FIVE = json.dumps({"pieces": dict.fromkeys(("a1", "a2", "a3", "a4", "a5"), "1")})


@pytest.mark.parametrize(
    ("call", "named"),
    [
        pytest.param(arguments(game="checkers"), ["checkers", "circle-of-life"], id="game"),
        pytest.param(arguments("--option", "target=0"), ["target", "'0'", "1 - 999"], id="target"),
        pytest.param(arguments("--option", "target=x"), ["target", "'x'", "1 - 999"], id="word"),
        pytest.param(arguments("--option", "first=3"), ["first", "'3'", "1 | 2"], id="first"),
        pytest.param(arguments("--option", "size=5"), ["size", "first, target"], id="option"),
        pytest.param(arguments("--option", "target"), ["'target'", "KEY=VALUE"], id="no value"),
        pytest.param(arguments("--option", "=1"), ["'=1'", "KEY=VALUE"], id="no key"),
        pytest.param(arguments("--option"), ["--option"], id="option missing"),
        pytest.param(arguments("--position"), ["--position"], id="position missing"),
        pytest.param(arguments("--position", "{"), ["--position", "JSON"], id="bad JSON"),
        pytest.param(arguments("--position", ""), ["--position", "JSON"], id="empty JSON"),
        pytest.param(arguments("--position", "[" * 50_000), ["--position", "JSON"], id="deep JSON"),
        pytest.param(arguments("--position", "9" * 5000), ["--position"], id="long number"),
        pytest.param(arguments("--position", "[]"), ["--position", "object"], id="a list"),
        pytest.param(arguments("--position", "null"), ["--position", "object"], id="null"),
        pytest.param(arguments("--position", FIVE), ["5 stones", "a1, a2"], id="five"),
        pytest.param(
            arguments("--position", '{"pieces": {"e5": "3"}}'), ["e5", "'3'", "1 | 2"], id="code"
        ),
        pytest.param(arguments("--position", '{"pieces": {"k5": "1"}}'), ["'k5'"], id="cell"),
        pytest.param(
            arguments("--position", '{"pieces": {"\\ud800": "1"}}'), ["cell"], id="no character"
        ),
        pytest.param(
            arguments("--position", '{"pieces": {"e5\\ne6": "1"}}'), ["cell"], id="line break"
        ),
        pytest.param(
            arguments("--position", '{"pieces": {"e5": "1", "E4": "1"}}'), ["e5"], id="twice"
        ),
        pytest.param(arguments("--position", '{"to_move": 3}'), ["to_move", "3"], id="to_move"),
        pytest.param(arguments("--position", '{"to_move": null}'), ["to_move"], id="not over"),
        pytest.param(arguments("--position", '{"score": [0]}'), ["score", "[0]"], id="score"),
        pytest.param(arguments("--position", '{"ply": -1}'), ["ply", "-1"], id="ply"),
        pytest.param(arguments("--position", '{"ply": "1"}'), ["ply", "'1'"], id="ply text"),
        pytest.param(arguments("--wrong"), ["--wrong"], id="unknown argument"),
        pytest.param(arguments("more"), ["more"], id="argument too many"),
        pytest.param([*COMMAND, "referee"], ["GAME"], id="game missing"),
        pytest.param([*COMMAND, "umpire"], ["umpire"], id="unknown command"),
        pytest.param([*COMMAND], ["COMMAND"], id="command missing"),
        pytest.param(arguments(game="a\nb"), ["circle-of-life"], id="game with a line break"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_status_2(call: list[str], named: list[str]) -> None:
    status, out, err = run(call, "e5\n")
    assert (status, out) == (2, "")
    assert err.startswith("lifeboard")
    assert err.count("\n") == 1, err
    assert err.endswith("\n")
    for part in named:
        assert part in err


def test_help_names_every_option() -> None:
    status, out, err = run([*COMMAND, "referee", "--help"])
    assert (status, err) == (0, "")
    for part in ("GAME", "--option", "--position", "--legal"):
        assert part in out
