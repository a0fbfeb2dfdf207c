"""The service on a booted machine: started, watched, stopped, and set anew."""

import os
import re
import shutil
import signal
import sqlite3
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import pytest

from game.app.arguments import DEFAULT_PORT
from game.app.service.places import UNIT
from tests.helpers.machines.held_thread import held
from tests.helpers.machines.served import PLACES, Served

pytestmark = [
    pytest.mark.machine,
    pytest.mark.timeout(600),
]

MOST_S = 2.0
"""From the start of the unit to the first frame, and from the wish to stop to the end."""
STARTS = 3


def seconds(unit: dict[str, str], since: str, until: str) -> float:
    """Return how long it was between two times that systemd has noted."""
    return (int(unit[f"{until}Monotonic"]) - int(unit[f"{since}Monotonic"])) / 1e6


def test_machine_that_is_switched_on_is_ready_to_play(served: Served):
    unit = served.until_move(1)
    assert re.fullmatch(r"Circle of Life, move 1, \w+ to play", unit["StatusText"])
    assert unit["UnitFileState"] == "enabled"
    # There is no network in this machine, and nothing waited for one.
    assert served.machine.call("systemctl", "--failed", "--quiet", "--no-legend") == ""


def test_status_follows_the_moves_made_on_the_page(served: Served):
    served.until_move(1)
    served.play("e5", "a1")
    unit = served.until_move(3)
    with served.page() as talk:
        assert talk.state["ply"] == 2
    assert unit["StatusText"] == served.unit["StatusText"]


def test_first_frame_comes_soon_after_the_start(served: Served):
    served.until_move(1)
    starts = []
    for _ in range(STARTS):
        served.machine.call("systemctl", "restart", UNIT)
        # The service is ready when the lights have had their first frame.
        starts.append(seconds(served.unit, "InactiveExitTimestamp", "ActiveEnterTimestamp"))
    memory = dict(
        line.split(":", 1)
        for line in (served.process / "smaps_rollup").read_text().splitlines()[1:]
    )
    print(f"\nfirst frame after {starts} s; memory: Rss{memory['Rss']}, Pss{memory['Pss']}")
    assert min(starts) < MOST_S


def test_stopped_process_is_killed_by_the_watchdog_and_the_game_goes_on(served: Served):
    served.until_move(1)
    served.play("e5", "a1")
    before = served.until_move(3)
    os.kill(served.pid, signal.SIGSTOP)
    unit = served.until_another(before)
    assert unit["NRestarts"] == "1"
    served.until_move(3)
    with served.page() as talk:
        assert talk.state["cells"]["e5"]["piece"]
        assert talk.state["cells"]["a1"]["piece"]
    said = served.machine.journal("--boot", f"--unit={UNIT}")
    assert any("Watchdog timeout" in entry["MESSAGE"] for entry in said)


def test_watchdog_is_fed_by_the_loop_and_by_no_other_thread(served: Served):
    # Sooner than else, to wait less.
    served.drop_in("WatchdogSec=3")
    served.machine.call("systemctl", "restart", UNIT)
    served.until_move(1)
    served.play("e5")
    before = served.until_move(2)
    # The first thread reads the board; the page has others, which live on.
    pid = served.pid
    assert len(os.listdir(f"/proc/{pid}/task")) > 1
    with held(pid):
        assert served.front() == HTTPStatus.OK
        # Let go of then, since who holds a thread must see it die before systemd can.
        served.machine.until(UNIT, lambda unit: unit["ActiveState"] != "active")
    unit = served.until_another(before)
    assert unit["NRestarts"] == "1"
    said = served.machine.journal("--boot", f"--unit={UNIT}")
    assert any("Watchdog timeout" in entry["MESSAGE"] for entry in said)
    served.until_move(2)


def test_service_that_dies_at_once_is_given_up(served: Served):
    before = served.until_move(1)
    tries = int(before["StartLimitBurst"])
    served.drop_in("ExecStart=\nExecStart=/bin/false")
    served.machine.call("systemctl", "restart", UNIT, status=1)
    unit = served.machine.until(UNIT, lambda unit: unit["ActiveState"] == "failed")
    assert unit["SubState"] == "failed"
    said = served.machine.journal("--boot", f"--unit={UNIT}")
    assert any("Start request repeated too quickly" in entry["MESSAGE"] for entry in said)
    starts = [entry for entry in said if entry["MESSAGE"].startswith(f"Starting {UNIT}")]
    assert len(starts) <= tries + 1
    # And none comes later: nothing is planned.
    assert served.machine.call("systemctl", "list-jobs", "--no-legend") == ""


def test_starts_by_people_leave_all_tries_to_a_service_that_crashes(served: Served):
    before = served.until_move(1)
    for _ in range(int(before["StartLimitBurst"]) + 1):
        assert served.command("restart") == "lifeboard was restarted, and runs.\n"
    before = served.until_move(1)
    os.kill(served.pid, signal.SIGKILL)
    served.until_another(before)


def test_start_that_fails_shows_what_lifeboard_said_and_nothing_else(served: Served):
    served.until_move(1)
    served.drop_in("ExecStart=\nExecStart=/bin/sh -c 'echo the reason; exit 1'\nRestart=no")
    told = served.command("restart", status=1)
    assert told.splitlines()[0] == "    the reason"
    assert "lights are out" not in told
    assert len(told.splitlines()) <= 3


def test_people_without_rights_are_told_to_use_sudo(served: Served):
    served.until_move(1)
    served.machine.call("useradd", "ann")
    for command in ("restart", "logs"):
        asked = ("su", "ann", "-c", f"lifeboard service {command}")
        assert "put sudo before it" in served.machine.call(*asked, status=1)
    told = served.machine.call("su", "ann", "-c", "lifeboard service status")
    assert "Circle of Life, move 1" in told
    assert "With sudo it also tells the last warnings." in told


def test_status_tells_of_this_run_alone(served: Served):
    served.until_move(1)
    served.command("stop")
    taken = (
        f"import socket; other = socket.create_server(('127.0.0.1', {DEFAULT_PORT}));"
        " print(flush=True); other.accept()"
    )
    with served.machine.start(["python3", "-c", taken]) as other:
        assert other.stdout is not None
        other.stdout.readline()
        try:
            served.command("start")
            told = served.command("status")
        finally:
            served.machine.connect(DEFAULT_PORT).close()
    assert "No page is served: port 8765" in told
    assert "http://" not in told
    served.command("restart")
    told = served.command("status")
    assert "Page: http://localhost:8765/" in told
    assert "Last warnings" not in told


def test_stop_is_clean_and_soon_and_the_lights_are_out(served: Served, tmp_path: Path):
    served.until_move(1)
    served.play("e5")
    served.machine.call("systemctl", "stop", UNIT)
    unit = served.unit
    assert (unit["ActiveState"], unit["Result"]) == ("inactive", "success")
    assert (unit["ExecMainCode"], unit["ExecMainStatus"]) == ("1", "0")
    took_s = seconds(unit, "ActiveExitTimestamp", "InactiveEnterTimestamp")
    print(f"\nstopped after {took_s} s")
    assert took_s < MOST_S
    said = served.machine.journal("--boot", f"--unit={UNIT}")
    assert any("lights are out" in entry["MESSAGE"] for entry in said)
    # The games file is closed: nothing is left beside it that is not yet in it.
    games = list(served.machine.inside(str(PLACES.state)).glob("*.sqlite3*"))
    assert games
    assert [file.name for file in games if file.name.endswith("-wal") and file.stat().st_size] == []
    for file in games:
        copy = shutil.copy(file, tmp_path)
        with closing(sqlite3.connect(copy)) as opened:
            assert opened.execute("pragma integrity_check").fetchone() == ("ok",)


def test_reload_takes_new_settings_and_the_game_goes_on(served: Served):
    served.until_move(1)
    served.play("e5")
    before = served.until_move(2)
    served.set('[game]\nplayers = ["Ann", "Bo"]\n')
    with served.page() as talk:
        served.command("reload")
        talk.until(lambda t: t.state["names"] == ["Ann", "Bo"])
        assert talk.state["ply"] == 1
    after = served.until_move(2)
    assert after["InvocationID"] == before["InvocationID"]
    assert after["MainPID"] == before["MainPID"]


def test_reload_of_a_wrong_file_fails_with_the_reason_and_changes_nothing(served: Served):
    before = served.until_move(1)
    served.set("[page]\nnetwork = 7\n")
    served.machine.call("systemctl", "reload", UNIT, status=1)
    why = "[page] network = 7: allowed is true or false"
    said = served.machine.journal("--boot", f"--unit={UNIT}")
    assert any(why in entry["MESSAGE"] for entry in said)
    assert why in served.command("check", status=78)
    # The reason, and nothing around it.
    told = served.command("reload", status=78)
    assert told == f"lifeboard: {PLACES.settings}: {why}\n"
    served.play("e5")
    after = served.until_move(2)
    assert after["MainPID"] == before["MainPID"]


def test_wrong_file_at_the_start_is_told_once_and_not_tried_again(served: Served):
    served.until_move(1)
    served.set("[page]\nnetwork = 7\n")
    served.machine.call("systemctl", "restart", UNIT, status=1)
    unit = served.machine.until(UNIT, lambda unit: unit["ActiveState"] == "failed")
    assert (unit["ExecMainStatus"], unit["NRestarts"]) == ("78", "0")


def test_journal_entries_have_levels_and_fields(served: Served):
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    said = [
        entry
        for entry in served.machine.journal("--boot", f"--unit={UNIT}")
        if entry.get("_COMM") != "systemd"
    ]
    assert said
    for entry in said:
        assert entry["SYSLOG_IDENTIFIER"] == "lifeboard"
        assert entry["PRIORITY"] in "34567"
        assert entry["_TRANSPORT"] == "journal", entry["MESSAGE"]
        assert entry["LOGGER"].startswith("game."), entry


def test_shutdown_key_switches_the_machine_off_and_on_again_it_goes_on(served: Served):
    served.until_move(1)
    served.play("e5")
    with served.page() as talk:
        talk.send(do="press", pointer="test", spot="shutdown")
        served.machine.wait_off()
    served.machine.boot()
    served.until_move(2)
    last = served.machine.journal("--boot=-1", f"--unit={UNIT}")
    assert any("switching off" in entry["MESSAGE"] for entry in last)
    assert any(f"{UNIT}: Deactivated successfully" in entry["MESSAGE"] for entry in last)
