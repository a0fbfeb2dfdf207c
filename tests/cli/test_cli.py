"""The command line: help, wrong calls, one-line errors, and starting and stopping."""

import os
import signal
import subprocess
import sys

import pytest

from game.cli import main
from game.store import BOARD, JournalLine, Store
from game.table.entries import Entry, EntryKind
from tests.helpers.programs.running import Lifeboard, Talk


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "game.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        **options,
    )


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command in this process; return its status, output and errors."""
    try:
        status = main.main(arguments)
    except SystemExit as left:
        status = int(left.code or 0)
    return status, *capsys.readouterr()


def assert_one_line(errors: str, *parts: str) -> None:
    assert len(errors.strip().splitlines()) == 1
    assert errors.startswith("lifeboard: ")
    for part in parts:
        assert part in errors


def test_help_names_every_command(capsys):
    _, shown, _ = call(capsys, "help")
    assert run().stdout == shown
    for command in ("play", "referee", "engine", "games", "history", "import"):
        assert command in shown
    assert "--no-browser" in call(capsys, "help", "play")[1]


def test_games_lists_variants_as_games_with_what_can_be_chosen_in_each(capsys):
    lines = {line.split()[0]: line for line in call(capsys, "games")[1].splitlines()}
    assert "target=1 - 999" in lines["circle-of-life"]
    assert "variant=basic | aggressive | three" in lines["azteka"]
    assert "3 players" in lines["azteka-three"]
    assert "variant" not in lines["azteka-three"] + lines["azteka-aggressive"]
    titles = {line.index("A") for name, line in lines.items() if name.startswith("a")}
    assert len(titles) == 1


def test_play_goes_on_with_the_last_game_or_opens_another(tmp_path):
    moves = Entry(EntryKind.START, '{"first": "1"}'), Entry(EntryKind.MOVE, "e5")
    with Store(tmp_path) as store:
        lines = [JournalLine(each, "2026-11-28T08:00:00.000+00:00", 0.0) for each in moves]
        store.begin("capture-go", BOARD, lines, None)
    other = ("--game", "azteka", "--option", "variant=three")
    for options, game in (((), "capture-go"), (other, "azteka-three")):
        with Lifeboard(tmp_path, *options) as lifeboard, lifeboard.page() as page:
            talk = Talk(page)
            talk.until(lambda t: t.hello and t.state)
            assert talk.hello["game"] == game
            # The game is on the board that it needs.
            cells = talk.hello["board"]["cells"]
            assert {spot for spot in talk.hello["pixels"] if "." not in spot} == set(cells)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("plya",), "play"),
        (("service", "chek"), "check"),
        (("play", "--game", "cirle-mind"), "cirkle-mind"),
        (("tutorial", "circel"), "circle-of-life"),
        (("play", "--backend", "sm"), "sim"),
        (("history", "--jsn"), "--json"),
        (("play", "--game", "chess"), ""),
    ],
)
def test_what_was_meant_is_asked_where_a_name_is_like_it(capsys, arguments, meant):
    status, _, errors = call(capsys, *arguments)
    assert status == 2
    assert_one_line(errors, arguments[-1])
    assert (f" Did you mean {meant}?" in errors) == bool(meant)


def test_no_word_of_an_object_is_taken_for_a_name(capsys):
    supply = '{"pieces": {}, "supply": {"W": 1}}'
    errors = call(capsys, "referee", "adaptoid", "--position", supply)[2]
    assert_one_line(errors, "supply is {'W': 1}; allowed: ")
    assert "Did you mean" not in errors


@pytest.mark.parametrize(
    ("arguments", "status", "parts"),
    [
        (("--game", "chess"), 2, ("chess", "circle-of-life")),
        (("--backend", "magic"), 2, ("magic", "coprocessor, mock, pi, sim")),
        (("--backend", "coprocessor", "--board", "hexagon-61"), 1, ("not wired to a Pico",)),
        (("--backend", "pi", "--board", "hexagon-61-pico"), 1, ("is wired to a Pico",)),
        (("--board", "nowhere.toml"), 1, ("nowhere.toml",)),
        (("--game", "azteka", "--option", "variant=seven"), 2, ("variant", "seven", "three")),
        (("--players", "Anna"), 1, ("--players", "'Anna'", "2 names")),
    ],
)
def test_play_that_cannot_start_says_why_in_one_line(tmp_path, capsys, arguments, status, parts):
    data = ("--data", str(tmp_path))
    found, _, errors = call(capsys, "play", "--no-browser", "--port", "0", *data, *arguments)
    assert found == status
    assert_one_line(errors, *parts)


INTERRUPTED = """
import os, runpy, signal, sys

def interrupt(event, details):
    if event == "import" and details[0] == module:
        os.kill(os.getpid(), signal.SIGINT)

module = sys.argv[1]
sys.addaudithook(interrupt)
sys.argv[1:] = ["referee", "azteka"]
runpy.run_module("game.cli", run_name="__main__")
"""


@pytest.mark.parametrize("module", ["game.cli.main", "game.rules.base.errors", "game.cli.referee"])
def test_interrupt_while_a_module_is_imported_ends_quietly(module):
    command = [sys.executable, "-c", INTERRUPTED, module]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert (done.returncode in (130, -signal.SIGINT), done.stderr) == (True, b"")


def test_output_that_cannot_be_written_is_told_in_one_line():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "game.cli", "games"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert_one_line(done.stderr, "standard output cannot be written: No space left")
    assert "Errno" not in done.stderr


def test_browser_that_stays_open_does_not_hold_up_the_board(tmp_path):
    pipe, script = tmp_path / "pipe", tmp_path / "browser"
    os.mkfifo(pipe)
    script.write_text(f'#!/bin/sh\ncat "{pipe}" > /dev/null\n')
    script.chmod(0o755)
    command = [sys.executable, "-m", "game.cli", "play", "--port", "0", "--data", str(tmp_path)]
    environment = {**os.environ, "DISPLAY": ":77", "BROWSER": str(script)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert "http://" in running.stdout.readline()
        with pipe.open("w"):  # waits until the browser is open, and keeps it so
            running.send_signal(signal.SIGTERM)
            assert "saved" in running.stdout.readline()
    assert running.returncode == 0


def test_play_tells_troubles_in_lines_of_one_style(tmp_path):
    (tmp_path / "games.sqlite3").symlink_to("/nowhere/games.sqlite3")
    with Lifeboard(tmp_path) as running:
        running._process.send_signal(signal.SIGTERM)
        reported, errors = running._process.communicate(timeout=20)
    assert_one_line(errors, "the game is not being saved", "cannot be opened")
    assert reported.endswith("Ended. All moves are saved.\n")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGHUP])
def test_play_by_named_players_ends_quietly_on_signals(tmp_path, how):
    with Lifeboard(tmp_path, "--players", "Anna, Ben") as running, running.page() as socket:
        Talk(socket).until(lambda talk: talk.state.get("names") == ["Anna", "Ben"])
        assert running.stop(how) == (0, "")


def test_board_and_games_in_use_are_refused_to_a_second_lifeboard(tmp_path, capsys):
    data = ("--port", "0", "--data", str(tmp_path))
    with Lifeboard(tmp_path):
        status, _, errors = call(capsys, "play", "--no-browser", *data)
        assert status == 1
        assert_one_line(errors, str(tmp_path), "in use by another lifeboard")
        for tool in (("calibrate", "--quick"), ("monitor", "--seconds", "1"), ("learn",)):
            status, _, errors = call(capsys, *tool, "--backend", "sim", *data)
            assert status == 1
            assert_one_line(errors, "board sim-hexagon-61 is in use by another lifeboard")
