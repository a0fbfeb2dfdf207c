"""`lifeboard engine` as other programs use it: over real pipes, with real signals."""

import os
import select
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from game.opponent.streams import MOST_LINE, converse
from game.rules.base.message import Message
from game.rules.base.registry import find_game
from tests.helpers.programs.odd_rig import PATIENCE_S

LINE = (sys.executable, "-m", "game.cli", "engine")
GAME = find_game("circle-of-life")


class Talk:
    """A conversation with the command."""

    def __init__(self, *arguments: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*LINE, *arguments], stdin=pipe, stdout=pipe, stderr=pipe)

    def say(self, *lines: str) -> None:
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def line(self) -> str:
        """Wait for the next line."""
        line = self.process.stdout.readline()
        assert line, f"it has ended: {self.process.stderr.read()!r}"
        return line.decode().rstrip()

    def until(self, word: str) -> list[str]:
        """Return all lines up to one that begins with a word."""
        lines = [self.line()]
        while lines[-1].split()[0] != word:
            lines.append(self.line())
        return lines

    def end(self) -> tuple[int, str]:
        """Wait for its end, and return its status and its error output."""
        status = self.process.wait(PATIENCE_S)
        return status, self.process.stderr.read().decode()

    def close(self) -> None:
        self.process.kill()
        with suppress(BrokenPipeError), self.process:
            pass


@pytest.fixture
def talk():
    started = Talk("--seed", "1", "--nice", "7")
    yield started
    started.close()


def test_whole_conversation(talk):
    talk.say("ugi")
    assert talk.until("ugiok")[0] == "id name lifeboard circle-of-life"
    pid = talk.process.pid
    wanted = min(19, os.getpriority(os.PRIO_PROCESS, 0) + 7)
    assert os.getpriority(os.PRIO_PROCESS, pid) == wanted
    assert int(Path(f"/proc/{pid}/oom_score_adj").read_text()) >= 500
    talk.say("setoption name Level value 3", "isready")
    assert talk.line() == "readyok"
    talk.say("uginewgame", "position startpos moves e5", "query p1turn", "go nodes 200")
    assert talk.line() == "response false"
    *infos, best = talk.until("bestmove")
    assert all(line.startswith("info nodes ") for line in infos)
    position = GAME.play(GAME.initial(), "e5")
    assert best.split()[1] in GAME.legal_moves(position)
    # An error shows what is invisible.
    talk.say("\u200bugi", "go infinite", "isready", "stop")
    assert "unknown command \\u200bugi" in talk.line()
    assert talk.line() == "readyok"
    assert talk.until("bestmove")
    talk.say("quit")
    assert talk.end() == (0, "")


@pytest.mark.parametrize(
    ("way", "status"),
    [
        (lambda talk: talk.say("quit"), 0),
        (lambda talk: talk.process.stdin.close(), 0),
        (lambda talk: talk.process.terminate(), 0),
        (lambda talk: talk.process.send_signal(signal.SIGINT), 130),
        (lambda talk: (talk.process.stdout.close(), talk.say("isready")), 1),
    ],
    ids=["quit", "end of input", "SIGTERM", "SIGINT", "reader gone"],
)
def test_search_ends_quietly(talk, way, status):
    talk.say("go infinite")
    talk.until("info")
    way(talk)
    assert talk.end() == (status, "")


class Idle:
    """A conversation with nothing to do until it gets input; fails if it is asked to work."""

    ended, busy = False, False

    def feed(self, line: str) -> list[str]:
        return [f"heard {line}"]

    def step(self) -> list[str]:
        raise AssertionError("nothing is to be done")


def conversed(said: bytes) -> list[str]:
    """Feed an idle conversation bytes and their end; return what it wrote.

    Its output does not block.
    """
    source, said_to = os.pipe()
    heard_from, target = os.pipe()
    os.set_blocking(target, False)

    def speak() -> None:
        with open(said_to, "wb") as file:
            file.write(said)

    def answer() -> None:
        try:
            converse(Idle(), Message.__str__, source, target)
        finally:
            os.close(source)
            os.close(target)

    with ThreadPoolExecutor() as threads, open(heard_from) as heard:
        ends = [threads.submit(each) for each in (speak, answer)]
        wrote = heard.read().splitlines()
        for each in ends:
            each.result()
    return wrote


def test_idle_engine_sleeps_until_a_line_comes(monkeypatch):
    waits: list[float | None] = []
    real = select.select

    def watched(*arguments):
        if arguments[0]:
            waits.append(arguments[3])
        return real(*arguments)

    monkeypatch.setattr(select, "select", watched)
    # The marks of an encoding and of a system are no part of a line.
    assert conversed("\ufeffone\r\ntwo".encode()) == ["heard one", "heard two"]
    assert set(waits) == {None}


def test_long_lines_are_answered_and_longer_ones_told_of():
    line = "x" * MOST_LINE
    wrote = conversed(f"{3 * line}\n{line}\n{line}\nisready\n".encode())
    too_long = f"info string error: engine.too_long(most={MOST_LINE})"
    assert wrote == [too_long, f"heard {line}", f"heard {line}", "heard isready"]
