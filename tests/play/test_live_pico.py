"""The Pico that people try without hardware: a process of its own, in real time, and its output."""

import os
import re
import signal
import subprocess
import sys
import threading
from queue import Queue
from typing import Self

import pytest

from tests.helpers.pico.terminal import StallFreeClock
from tests.helpers.programs.running import ANSWER_S, Lifeboard, Talk

MOVES = ("e5", "a1", "i5")


class ClockedBoard:
    """`python -m tests.helpers.pico` in a process of its own, with typed commands."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.pico"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self._lines: Queue[str] = Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.port = self.hear(r"A Pico is at (.+)")
        self.hear("Ctrl-C")

    def type(self, line: str) -> None:
        self._process.stdin.write(line + "\n")

    def hear(self, wanted: str) -> str:
        """Read until a line matches; return its group, or all that was found."""
        while True:
            found = re.search(wanted, self._lines.get(timeout=ANSWER_S))
            if found:
                return found[found.re.groups]

    def see(self, wanted: str) -> str:
        """Poll until it glows, shortly after the page shows it; return the group."""
        while True:
            self.type("show")
            if found := re.search(wanted, self.hear("glowing: .+")):
                return found[1]

    def stop(self) -> int:
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(ANSWER_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._listener.join()
        self._process.stdin.close()
        self._process.stdout.close()

    def _listen(self) -> None:
        for line in self._process.stdout:
            self._lines.put(line)


@pytest.fixture
def rig():
    with ClockedBoard() as rig:
        yield rig


def test_live_pico_is_played_on_by_a_real_lifeboard_unplugged_and_plugged(rig, tmp_path):
    rig.type("touch z9")
    rig.hear("spot 'z9' is unknown")
    real = ("--backend", "coprocessor", "--serial", rig.port, "--board", "hexagon-61-pico")
    # Without it the board offers its menu.
    real += ("--opponent", "person,person")
    with Lifeboard(tmp_path, *real) as playing, playing.page() as socket:
        talk = Talk(socket)
        talk.until(lambda talk: talk.state.get("phase") == "tap")
        for ply, cell in enumerate(MOVES[:2], start=1):
            rig.type(f"touch {cell}")
            talk.until(lambda talk, ply=ply: talk.state["ply"] == ply)
        rig.type("unplug")
        talk.until(lambda talk: talk.state["faults"])
        assert not os.path.lexists(rig.port)
        rig.type("plug")
        talk.until(lambda talk: not talk.state["faults"])
        rig.type(f"touch {MOVES[2]}")
        talk.until(lambda talk: talk.state["ply"] == 3)
        rig.see("(i5) #")
    assert rig.stop() == 0


def test_clock_of_the_live_pico_leaves_out_stalls():
    now = [100.0]
    clock = StallFreeClock(lambda: now[0])
    shown = []
    for passed in (0.0, 0.01, 0.05, 7.0, 0.01):
        now[0] += passed
        shown.append(clock())
    assert shown == pytest.approx([100.0, 100.01, 100.06, 100.11, 100.12])
