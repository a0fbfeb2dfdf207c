"""Other commands as the service runs: its games and board, people's own files, and its rest."""

import signal

import pytest
from served import Served

from game.app.service.places import UNIT

pytestmark = [
    pytest.mark.machine,
    pytest.mark.timeout(600),
]


def test_records_go_to_and_come_from_files_that_only_their_owner_can_read(served: Served):
    served.until_move(1)
    served.play("e5", "a1")
    machine = served.machine
    machine.call("install", "-d", "-m", "0700", "/root/mine")
    out = "/root/mine/game.txt"
    served.command("export", "last", "--out", out)
    assert "1. e5 a1" in machine.inside(out).read_text()
    # A file that is there is not overwritten, unless that is asked for.
    machine.write(out, "precious")
    assert out in served.command("export", "last", f"--out={out}", status=1)
    assert machine.inside(out).read_text() == "precious"
    served.command("export", "last", "--out", out, "--force")
    machine.call("chmod", "0600", out)
    # The game that is on is there already; another one comes in.
    text = machine.inside(out).read_text()
    machine.write("/root/mine/other.txt", text.replace("1. e5 a1", "1. e4 i1"))
    machine.call("chmod", "0600", "/root/mine/other.txt")
    told = served.command("import", out, "/root/mine/other.txt")
    assert "game.txt" in told
    assert len(served.command("history").splitlines()) >= 2
    assert "1. e4 i1" in served.command("export", "all")
    assert served.unit["ActiveState"] == "active"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_service_rests_while_a_tool_has_the_board_and_goes_on_however_it_ends(
    served: Served, how: signal.Signals
):
    served.until_move(1)
    served.play("e5")
    machine = served.machine
    tool = machine.start(["lifeboard", "service", "monitor", "--port", "9999"])
    machine.until(UNIT, lambda unit: unit["ActiveState"] == "inactive")
    found = machine.run(["sh", "-c", "until pgrep -f 'bin/lifeboard monitor'; do :; done"])
    user = machine.call("ps", "-o", "user=", "-p", found.stdout.split()[-1])
    assert user.strip() == "lifeboard"
    if how is signal.SIGINT:
        # Ctrl-C reaches all processes of the terminal.
        machine.call("pkill", "-INT", "-f", "lifeboard (service )?monitor")
    else:
        machine.call("pkill", f"-{how.name.removeprefix('SIG')}", "-f", "lifeboard service monitor")
    tool.communicate(timeout=60)
    machine.until(UNIT, lambda unit: unit["ActiveState"] == "active")
    served.until_move(2)
