"""The service on a booted machine: started, watched, stopped, and reconfigured."""

import json
import os
import re
import signal
from http import HTTPStatus

import pytest

from game.service.paths import PROGRAM, UNIT
from game.service.settings import DEFAULT_PORT
from tests.helpers.machines.served import PATHS, Served

pytestmark = pytest.mark.timeout(600)

KEY = re.compile(r'"[a-z_]+\.[a-z0-9_]+"')


def said(served: Served, boot: str = "") -> list[str]:
    """Return the journal's lines of the service since a boot, by default the last one."""
    entries = served.machine.journal(f"--boot{boot}", f"--unit={UNIT}")
    return [entry["MESSAGE"] for entry in entries]


def assert_page_comes_when_its_port_is_free(served: Served, move: int) -> None:
    """Restart the service while its port is in use, and check that a reload serves the page."""
    machine = served.machine
    taken = (
        f"import socket; other = socket.create_server(('127.0.0.1', {DEFAULT_PORT}));"
        " print(flush=True); other.accept()"
    )
    with machine.start(["python3", "-c", taken]) as other:
        assert other.stdout is not None
        other.stdout.readline()
        try:
            served.restart()
            served.until_move(move)
            shown = served.command("status")
        finally:
            machine.connect(DEFAULT_PORT).close()
    assert "no page is served: port 8765" in shown
    machine.call("systemctl", "reload", UNIT)
    machine.until(UNIT, lambda _: "the page is at" in said(served)[-1])
    assert "Page: http://localhost:8765/" in served.command("status")


def test_machine_that_is_switched_on_plays_takes_settings_and_stops_cleanly(served):
    unit, machine = served.until_move(1), served.machine
    assert unit["StatusText"] == "Circle of Life, move 1"
    assert unit["UnitFileState"] == "enabled"
    # The package has all that a Raspberry Pi needs.
    machine.call(f"{PROGRAM}/bin/python3", "-c", "import hal.backends.pi")
    # There is no network in this machine, and nothing waited for one.
    assert machine.call("systemctl", "--failed", "--quiet", "--no-legend") == ""
    served.play("e5", "a1")
    served.until_move(3)
    with served.page() as talk:
        assert talk.state["ply"] == 2
        # The machine's older Python must not leave message keys in place of words.
        shown = {**talk.hello, "words": list(talk.hello["words"].values()), "pixels": {}}
        assert shown["legend"][0]["name"] == "singleton"
        assert KEY.findall(json.dumps([shown, talk.state])) == []
    entries = machine.journal("--boot", f"--unit={UNIT}")
    ours = [entry for entry in entries if entry.get("_COMM") != "systemd"]
    assert ours
    for entry in ours:
        assert entry["SYSLOG_IDENTIFIER"] == "lifeboard"
        assert entry["PRIORITY"] in "34567"
        assert not entry["MESSAGE"].startswith("<"), entry
    machine.call("useradd", "ann")
    shown = machine.call("su", "ann", "-c", "lifeboard service status")
    assert "Circle of Life, move 3" in shown
    before = served.unit
    served.set('[game]\nplayers = ["Ann", "Bo"]\n')
    machine.call("systemctl", "reload", UNIT)
    pages = "the page is at"
    machine.until(UNIT, lambda _: sum(pages in each for each in said(served)) == 2)
    with served.page() as talk:
        talk.until(lambda t: t.state["names"] == ["Ann", "Bo"])
    served.set("[page]\nnetwork = 7\n")
    why = "[page] network is 7; allowed: true or false"
    machine.call("systemctl", "reload", UNIT, status=1)
    assert any(why in message for message in said(served))
    # The reason, and nothing around it.
    shown = served.command("check", status=78)
    assert shown == f"lifeboard: {PATHS.settings}: {why}\n"
    served.until_move(3)
    assert served.unit["InvocationID"] == before["InvocationID"]
    machine.call("systemctl", "stop", UNIT)
    unit = served.unit
    assert (unit["ActiveState"], unit["Result"], unit["ExecMainStatus"]) == (
        *("inactive", "success", "0"),
    )
    assert any("lights are out" in message for message in said(served))
    served.set("")
    assert_page_comes_when_its_port_is_free(served, 3)
    # At the start wrong settings are reported once, and not tried again.
    served.set("[page]\nnetwork = 7\n")
    served.restart(status=1)
    unit = machine.until(UNIT, lambda unit: unit["ActiveState"] == "failed")
    assert (unit["ExecMainStatus"], unit["NRestarts"]) == ("78", "0")
    # Without a board it says what to do.
    machine.write(str(PATHS.settings), "")
    served.restart()
    unit = machine.until(UNIT, lambda unit: unit["ActiveState"] == "active")
    assert "learn" in unit["StatusText"]
    assert served.front() == HTTPStatus.OK


def test_service_goes_on_after_shutdown_hang_and_crash_and_is_given_up_when_it_dies_at_once(served):
    served.until_move(1)
    served.play("e5")
    with served.page() as talk:
        talk.send(do="press", pointer="test", spot="shutdown")
        served.machine.wait_off()
    served.machine.boot()
    served.until_move(2)
    last = said(served, "=-1")
    assert any("switching off" in message for message in last)
    assert any(f"{UNIT}: Deactivated successfully" in message for message in last)
    # One that hangs or crashes is started again.
    before = served.until_move(2)
    os.kill(served.pid, signal.SIGSTOP)
    assert served.until_another(before)["NRestarts"] == "1"
    before = served.until_move(2)
    assert any("Watchdog timeout" in message for message in said(served))
    tries = int(before["StartLimitBurst"])
    os.kill(served.pid, signal.SIGKILL)
    served.until_another(before)
    # It is given up when it dies at once.
    served.drop_in("ExecStart=\nExecStart=/bin/false")
    earlier = sum(message.startswith(f"Starting {UNIT}") for message in said(served))
    served.machine.call("systemctl", "reset-failed", UNIT)
    served.restart(status=1)
    served.machine.until(UNIT, lambda unit: unit["SubState"] == "failed")
    messages = said(served)
    assert any("Start request repeated too quickly" in message for message in messages)
    starts = sum(message.startswith(f"Starting {UNIT}") for message in messages)
    assert starts - earlier <= tries + 1
    # No later start is scheduled, once it was seen that there is nothing to go back from.
    served.machine.until(
        "lifeboard-upgrade@failed.service", lambda unit: unit["ActiveState"] != "activating"
    )
    assert served.machine.call("systemctl", "list-jobs", "--no-legend") == ""
