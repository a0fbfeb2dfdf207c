"""How the service is, told in words and as JSON; starting and stopping it; its log."""

import json
from pathlib import Path

import pytest
from fake_system import FakeSystem, make_checkout, make_root

from game.app.service import status as module
from game.app.service.setup.install import InstallOptions, install
from game.app.service.setup.systemctl import Done, InstallError, call
from game.app.service.status import as_text, logs_command, look, status


@pytest.fixture
def system(tmp_path: Path) -> FakeSystem:
    """A computer with the service, whose journal has warnings."""
    system = FakeSystem(make_root(tmp_path / "root"))
    one = make_checkout(tmp_path / "one", "1.0")
    install(InstallOptions(source=str(one)), system.places, system, lambda _: None)
    system.refuse["--priority warning"] = Done(0, "12:00 chip 0x5A does not answer\n")
    return system


def test_status_says_what_runs_and_how(system: FakeSystem, capsys: pytest.CaptureFixture[str]):
    assert status(as_json=False, places=system.places, machine=system) == 0
    told = capsys.readouterr().out
    for part in (
        "lifeboard 1.0 runs since Sat 2026-11-21 12:00:00 UTC",
        "Circle of Life, move 17, Orange to play",
        "42 MB of memory, no restart",
        "http://localhost:8765/",
        "for this computer only",
        "chip 0x5A does not answer",
    ):
        assert part in told
    assert "on trial" not in told


def test_status_as_json_has_the_same(system: FakeSystem, capsys: pytest.CaptureFixture[str]):
    status(as_json=True, places=system.places, machine=system)
    told = json.loads(capsys.readouterr().out)
    assert (told["running"], told["version"], told["previous"]) == (True, "1.0", None)
    assert (told["memory_mb"], told["restarts"]) == (41.9, 0)
    assert told["pages"] == ["http://localhost:8765/"]


def test_status_names_every_address_where_the_network_may_come(
    system: FakeSystem, monkeypatch: pytest.MonkeyPatch
):
    system.places.settings.write_text('[page]\nnetwork = true\nport = 80\nnames = ["board.home"]\n')
    monkeypatch.setattr(module, "local_addresses", frozenset)
    told = look(system.places, system)
    assert told.pages == ("http://localhost:80/", "http://board.home:80/")
    assert "lifeboard pin" in as_text(told)


def test_status_of_a_stopped_service_is_3(system: FakeSystem, capsys: pytest.CaptureFixture[str]):
    call("stop", system)
    assert status(as_json=False, places=system.places, machine=system) == 3
    assert "lifeboard 1.0 is inactive" in capsys.readouterr().out


def test_status_of_nothing_is_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    system = FakeSystem(make_root(tmp_path / "bare"))
    assert status(as_json=False, places=system.places, machine=system) == 4
    assert "not installed" in capsys.readouterr().out


def test_status_tells_of_a_trial_and_of_one_that_was_cut_short(system: FakeSystem):
    note = {"release": "1.0", "back_to": "0.9", "previous": None, "boot": "x", "begun_s": 1.0}
    (system.places.home / "on-trial").write_text(json.dumps(note))
    assert "on trial" in as_text(look(system.places, system))
    (system.places.home / "on-trial").write_text(json.dumps({**note, "release": "1.1"}))
    assert "cut short" in as_text(look(system.places, system))


def test_status_says_what_is_wrong_with_the_settings(system: FakeSystem):
    system.places.settings.write_text("[page]\nport = 0\n")
    assert "settings cannot be read" in as_text(look(system.places, system))


def test_status_says_where_warnings_cannot_be_seen(system: FakeSystem):
    system.refuse["--priority warning"] = Done(1, err="insufficient permissions")
    assert "sudo lifeboard service status" in as_text(look(system.places, system))


def test_service_that_cannot_start_says_why(system: FakeSystem):
    system.refuse["systemctl --no-ask-password start"] = Done(1, err="Job failed.\nSee more.")
    with pytest.raises(InstallError, match=r"cannot start: Job failed\.(.|\n)*said last"):
        call("start", system)
    assert "systemctl reset-failed lifeboard.service" in system.ran


def test_service_without_rights_asks_for_sudo(system: FakeSystem):
    system.refuse["systemctl --no-ask-password stop"] = Done(
        1, err="Failed to stop: Interactive authentication required."
    )
    with pytest.raises(InstallError, match="put sudo before it"):
        call("stop", system)


def test_nothing_can_be_started_where_nothing_is_installed(tmp_path: Path):
    with pytest.raises(InstallError, match="not installed"):
        call("start", FakeSystem(make_root(tmp_path / "bare")))


def test_log_is_that_of_the_unit():
    assert logs_command(20, follow=True) == [
        *("journalctl", "--unit", "lifeboard.service", "--lines", "20", "--follow")
    ]
    assert logs_command(None, follow=False) == ["journalctl", "--unit", "lifeboard.service"]
