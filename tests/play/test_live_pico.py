"""The Pico that people try without hardware: a process of its own, in real time, and its output."""

import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack

from tests.helpers.programs.running import ANSWER_S, Lifeboard, Talk


def test_live_pico_is_played_on_by_a_real_lifeboard_unplugged_and_plugged(tmp_path):
    command = (sys.executable, "-m", "tests.helpers.pico")
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as pico,
        ExitStack() as ends,
    ):
        ends.callback(pico.kill)

        def hear(wanted: str) -> str:
            return next(found[1] for line in pico.stdout if (found := re.search(wanted, line)))

        def enter(line: str) -> None:
            pico.stdin.write(line + "\n")

        port = hear("A Pico is at (.+)")
        enter("touch z9")
        assert hear("(spot 'z9' is unknown)")
        real = ("--backend", "coprocessor", "--serial", port, "--board", "hexagon-61-pico")
        # Without it the board offers its menu.
        real += ("--opponent", "person,person")
        with Lifeboard(tmp_path, *real) as playing, playing.page() as socket:
            talk = Talk(socket)
            talk.until(lambda talk: talk.state.get("phase") == "tap")
            for ply, cell in enumerate(("e5", "a1"), start=1):
                enter(f"touch {cell}")
                talk.until(lambda talk, ply=ply: talk.state["ply"] == ply)
            enter("unplug")
            talk.until(lambda talk: talk.state["faults"])
            assert not os.path.lexists(port)
            enter("plug")
            talk.until(lambda talk: not talk.state["faults"])
            enter("touch i5")
            talk.until(lambda talk: talk.state["ply"] == 3)
            # It glows shortly after the page shows it.
            enter("show")
            while "i5 #" not in hear("glowing: (.+)"):
                enter("show")
        pico.send_signal(signal.SIGINT)
        assert pico.wait(ANSWER_S) == 0
