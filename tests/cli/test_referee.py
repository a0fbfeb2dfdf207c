"""`lifeboard referee` as other programs use it: lines in, lines out, an exit status."""

import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from game.cli import main
from game.cli.referee import MOST_LINE

PATIENCE_S = 60
"""How long a process may take: a lost answer must not hang the tests."""

KEYS = ["ply", "move", "to_move", "pieces", "removed", "score", "legal", "outcome"]


@pytest.fixture
def run(monkeypatch, capsys):
    """Call the command with lines; give exit status, standard output and standard error."""

    def run(lines: str | bytes, *arguments: str) -> tuple[int, str, str]:
        fed = lines.encode() if isinstance(lines, str) else lines
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(fed), encoding="utf-8"))
        try:
            status = main.main(["referee", *arguments])
        except SystemExit as left:
            status = int(left.code or 0)
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def answers(run):
    """Referee lines, and read the answers; nothing may be said on standard error."""

    def answers(lines: str | bytes, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
        status, out, err = run(lines, "circle-of-life", *arguments)
        assert err == ""
        return status, [json.loads(line) for line in out.splitlines()]

    return answers


def test_keys_are_exactly_those_documented(answers):
    _, plain = answers("e5\nzz\n")
    start = (0, None, 1, {}, [], [0, 0], 61, None)
    assert plain[0] == dict(zip(KEYS, start, strict=True))
    assert [list(answer) for answer in plain] == [KEYS, KEYS, [*KEYS, "error"]]
    _, listed = answers("e5\nzz\n", "--legal")
    assert [set(answer) - set(KEYS) for answer in listed] == [
        {"moves"},
        {"moves"},
        {"moves", "error"},
    ]


def test_a_move_that_eats_is_answered_with_what_left_the_board(answers):
    for move in ("e4", "e4x"):
        status, [*_, last] = answers(f"e5\ne6\n{move}\n")
        assert status == 0
        assert (last["ply"], last["move"], last["removed"]) == (3, "e4x", ["e6"])
        assert last["pieces"] == {"e4": "1", "e5": "1"}
        assert last["score"] == [1, 0]
        # An answer is accepted as a position.
        _, [again] = answers("", "--position", json.dumps(last))
        assert again == {**last, "move": None, "removed": []}
    status, [_, refused] = answers("e5x\n")
    assert status == 1
    assert refused["error"] == "'e5x' is not a legal move here."


def test_blank_lines_and_comments_are_skipped_and_lines_may_end_as_on_windows(answers):
    status, [_, *played] = answers("\n# a record\n   \n e5 \n\t\n  # another\n#e6\ne7\r\n\nd4")
    assert status == 0
    assert [(each["move"], each["ply"]) for each in played] == [("e5", 1), ("e7", 2), ("d4", 3)]


@pytest.mark.parametrize(
    "line",
    ["e5", "e5x", "nonsense", "\u00e9\u4e2d", "a" * 9999, b"\xff\xfe"],
)
def test_a_refused_line_answers_the_unchanged_position_and_the_reading_goes_on(answers, line):
    said = line.encode() if isinstance(line, str) else line
    status, [_, played, refused, after] = answers(b"e5\n" + said + b"\nd4\n", "--legal")
    assert status == 1
    assert refused.pop("error").strip()
    assert refused == played
    assert (after["move"], after["ply"], "error" in after) == ("d4", 2, False)


@pytest.mark.parametrize(
    ("position", "named"),
    [
        ("{", ["JSON"]),
        ("[" * 50_000, ["JSON"]),
        ("[]", ["object"]),
        ('{"to_move": 3}', ["to_move", "3"]),
        ('{"ply": -1}', ["ply", "-1"]),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_wrong_position_is_refused_with_what_is_wrong(run, position, named):
    assert_refused(run("e5\n", "circle-of-life", "--position", position), *named)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (("checkers",), ["checkers", "circle-of-life"]),
        (("a\nb",), ["circle-of-life"]),
        (("circle-of-life", "--option", "target=0"), ["target", "'0'", "1 - 999"]),
        (("circle-of-life", "--option", "size=5"), ["size", "first, target"]),
        (("circle-of-life", "--option", "target"), ["'target'", "KEY=VALUE"]),
        (("circle-of-life", "--wrong"), ["--wrong"]),
        ((), ["GAME"]),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_status_2(run, call, named):
    assert_refused(run("e5\n", *call), *named)


def assert_refused(done: tuple[int, str, str], *named: str) -> None:
    status, out, err = done
    assert (status, out) == (2, "")
    assert err.startswith("lifeboard")
    assert (err.count("\n"), err[-1]) == (1, "\n")
    for part in named:
        assert part in err


@pytest.mark.timeout(PATIENCE_S)
def test_each_answer_of_a_process_comes_before_the_next_line_on_a_terminal_of_any_encoding():
    # A caller's own setting would hide an answer that is not flushed.
    inherited = {key: each for key, each in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [sys.executable, "-m", "game.cli", "referee", "circle-of-life"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=inherited | {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    ) as referee:
        assert referee.stdin is not None
        assert referee.stdout is not None
        assert json.loads(referee.stdout.readline())["ply"] == 0
        for line, ply in (("e5", 1), ("\u4e2d\u00e9", 1), ("a1", 2)):
            referee.stdin.write(f"{line}\n")
            referee.stdin.flush()
            answer = json.loads(referee.stdout.readline())
            assert (answer["ply"], "error" in answer) == (ply, not line.isascii())
        # A reader who goes away gets no traceback.
        referee.stdout.close()
        referee.stdin.write("e6\ne4\n")
        referee.stdin.close()
        referee.wait(PATIENCE_S)
        assert referee.stderr is not None
        assert referee.stderr.read() == ""


@pytest.mark.parametrize("end", ["", "\n", "\ne5\n"])
def test_line_that_is_too_long_is_refused_and_the_reading_goes_on(answers, end):
    status, shown = answers("a1\n" + "x" * (3 * MOST_LINE) + end)
    assert status == 1
    assert shown[2]["error"] == f"a line is longer than {MOST_LINE} bytes, and was not read"
    assert shown[2] | {"error": None} == shown[1] | {"error": None}
    assert [each["move"] for each in shown[3:]] == (["e5"] if "e5" in end else [])


def test_input_that_does_not_block_is_waited_for(monkeypatch):
    source, target = os.pipe()
    os.set_blocking(source, False)
    os.close(target)
    with open(source) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main.main(["referee", "circle-of-life"]) == 0
        assert os.get_blocking(source)
