"""How the service is, in words and as JSON, and what going back lacks."""

import json
import socket
from importlib.metadata import version

import pytest

from game.common import AppError
from game.service import unit
from game.service.paths import ServicePaths
from game.service.unit import as_text, print_status, read_status, roll_back
from tests.helpers.programs.fake_programs import FakeSystemd


@pytest.fixture
def paths(tmp_path, monkeypatch):
    paths = ServicePaths(tmp_path / "lifeboard.toml", tmp_path / "data")
    monkeypatch.setattr(unit, "ServicePaths", lambda: paths)
    monkeypatch.setattr(unit, "UPGRADES", tmp_path / "upgrades")
    return paths


@pytest.fixture
def systemd(tmp_path, paths, monkeypatch):
    """Return a unit that runs, whose journal has a warning, on a computer without network."""
    systemd = FakeSystemd(tmp_path / "programs", monkeypatch)
    systemd.say("warnings", "12:00 chip 0x5A does not answer\n")
    monkeypatch.setattr(unit, "own_addresses", tuple)
    monkeypatch.setattr(unit, "_AVAHI", tmp_path / "avahi")
    return systemd


def test_rollback_says_what_it_lacks(tmp_path, monkeypatch):
    for user, said in ((0, "not installed"), (1000, "put sudo before it")):
        monkeypatch.setattr("game.service.unit.os.geteuid", lambda user=user: user)
        with pytest.raises(AppError, match=said):
            roll_back(tmp_path / "upgrade")


def test_status_says_what_runs_and_how(systemd, capsys):
    assert print_status(as_json=False) == 0
    shown = capsys.readouterr().out
    for part in (
        f"lifeboard {version('lifeboard')} runs since Sat 2026-11-21 12:00:00 UTC",
        "Circle of Life, move 17, Orange to play",
        "http://localhost:8765/",
        "for this computer only",
        "chip 0x5A does not answer",
    ):
        assert part in shown
    assert "sudo" not in shown
    print_status(as_json=True)
    shown = json.loads(capsys.readouterr().out)
    assert (shown["running"], shown["version"]) == (True, version("lifeboard"))
    assert shown["pages"] == ["http://localhost:8765/"]


def test_status_names_every_address_for_the_network(systemd, paths):
    paths.settings.write_text('[page]\nnetwork = true\nport = 8080\nnames = ["b.home"]\n')
    shown = read_status()
    assert shown.pages == ("http://localhost:8080/", "http://b.home:8080/")
    assert "lifeboard pin" in as_text(shown)
    unit._AVAHI.touch()
    name = socket.gethostname().partition(".")[0]
    assert f"http://{name}.local:8080/" in read_status().pages
    paths.settings.write_text("")
    assert read_status().pages == ("http://localhost:8765/",)


def test_status_of_a_stopped_service_is_3_and_of_nothing_4(systemd, capsys):
    systemd.set(ActiveState="inactive")
    assert print_status(as_json=False) == 3
    shown = capsys.readouterr().out
    assert "is stopped" in shown
    # An earlier run said that.
    assert "Circle of Life" not in shown
    systemd.set(LoadState="not-found")
    assert print_status(as_json=False) == 4
    assert "`make service`" in capsys.readouterr().out


def test_status_of_a_failed_service_names_what_to_do(systemd, paths):
    systemd.set(ActiveState="failed", UnitFileState="disabled")
    paths.settings.write_text("[page]\nport = 1\n")
    shown = as_text(read_status())
    assert "`sudo journalctl -u lifeboard` tells why" in shown
    assert "rollback" not in shown
    assert "does not start with the computer" in shown
    assert "The settings cannot be read: " in shown
    unit.UPGRADES.mkdir()
    (unit.UPGRADES / "previous-version").write_text("1.0\n")
    assert "`sudo lifeboard service rollback` goes back to 1.0" in as_text(read_status())
