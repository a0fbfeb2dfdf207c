"""Other commands beside the running service: its games and board, and people's own files."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from game.service.board_commands import added_arguments
from game.service.paths import UNIT, ServicePaths
from game.service.settings import BoardSettings, Settings

pytestmark = pytest.mark.timeout(600)

ADDED = added_arguments("monitor", (), Settings(BoardSettings("sim")), ServicePaths())


def processes(*said: str, program: str = "") -> list[int]:
    """Find processes by the ends of their command lines, and by their programs."""
    end = "".join(f"{each}\0" for each in said).encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        # Processes start and end meanwhile.
        with suppress(OSError):
            line = (process / "cmdline").read_bytes()
            if line.endswith(end) and program.encode() in line.partition(b"\0")[0]:
                found.append(int(process.name))
    return found


def test_records_are_their_owners_files_and_the_service_rests_while_a_tool_has_the_board(served):
    served.until_move(1)
    served.play("e5", "a1")
    machine = served.machine
    text = served.command("export", "last")
    assert "1. e5 a1" in text
    # People's own files come by standard input.
    other = "/root/other.txt"
    machine.write(other, text.replace("1. e5 a1", "1. e4 i1"))
    machine.call("chmod", "0600", other)
    machine.call("sh", "-c", f"lifeboard service import - <{other}")
    assert len(served.command("history").splitlines()) >= 2
    assert "1. e4 i1" in served.command("export", "all")
    assert served.unit["ActiveState"] == "active"
    # A tool has the board while it runs, however it ends.
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for port, how in enumerate(signals, start=9991):
        asked = ("monitor", "--port", str(port))
        with served.machine.start(["lifeboard", "service", *asked]) as sudo:
            served.machine.until(UNIT, lambda unit: unit["ActiveState"] == "inactive")
            while not (tool := processes("monitor", *ADDED, "--port", str(port))):
                assert sudo.poll() is None, sudo.communicate()
            status = Path(f"/proc/{tool[0]}/status").read_text().splitlines()
            rights = dict(line.split(":\t") for line in status)
            assert "0" not in rights["Uid"].split()
            (ours,) = processes("service", *asked, program="python")
            # Ctrl-C reaches all processes of a terminal, other signals only their target.
            for process in (tool[0], ours) if how is signal.SIGINT else (ours,):
                os.kill(process, how)
            _, shown = sudo.communicate(timeout=60)
        assert "the service runs again" in shown
        served.until_move(3)
