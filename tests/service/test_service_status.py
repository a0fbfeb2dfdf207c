"""How the service is, in words and as JSON."""

import json
import socket
from importlib.metadata import version
from pathlib import Path

import pytest

from game.service import unit as module
from game.service.paths import ServicePaths
from game.service.unit import Status, as_text, print_status, read_status
from tests.helpers.programs.fake_programs import FakeSystemd


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSystemd:
    """Return a unit that runs, whose journal has a warning, on a computer without network."""
    systemd = FakeSystemd(tmp_path / "programs", monkeypatch)
    systemd.say("warnings", "12:00 chip 0x5A does not answer\n")
    monkeypatch.setattr(module, "own_addresses", tuple)
    monkeypatch.setattr(module, "_AVAHI", tmp_path / "avahi")
    monkeypatch.setattr(module, "ServicePaths", lambda: paths(tmp_path))
    return systemd


def paths(folder: Path) -> ServicePaths:
    return ServicePaths(folder / "lifeboard.toml", folder / "data")


def read(folder: Path) -> Status:
    return read_status(paths(folder), folder / "upgrades")


def test_status_says_what_runs_and_how(systemd: FakeSystemd, capsys: pytest.CaptureFixture[str]):
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


def test_status_names_every_address_for_the_network(systemd: FakeSystemd, tmp_path: Path):
    settings = paths(tmp_path).settings
    settings.write_text('[page]\nnetwork = true\nport = 8080\nnames = ["b.home"]\n')
    shown = read(tmp_path)
    assert shown.pages == ("http://localhost:8080/", "http://b.home:8080/")
    assert "lifeboard pin" in as_text(shown)
    (tmp_path / "avahi").touch()
    name = socket.gethostname().partition(".")[0]
    assert f"http://{name}.local:8080/" in read(tmp_path).pages
    settings.write_text("")
    assert read(tmp_path).pages == ("http://localhost:8765/",)


def test_status_says_why_no_page_is_served(systemd: FakeSystemd, tmp_path: Path):
    systemd.say("page", "no page is served: port 8765 is taken\n")
    shown = as_text(read(tmp_path))
    assert "  No page is served: port 8765 is taken" in shown
    assert "http://" not in shown
    assert "this computer only" not in shown
    systemd.say("page", "the page is at http://127.0.0.1:8765/\n")
    assert "  Page: http://localhost:8765/" in as_text(read(tmp_path))


def test_status_of_a_stopped_service_is_3_and_of_nothing_4(
    systemd: FakeSystemd, capsys: pytest.CaptureFixture[str]
):
    systemd.set(ActiveState="inactive")
    assert print_status(as_json=False) == 3
    shown = capsys.readouterr().out
    assert "is stopped" in shown
    # An earlier run said that.
    assert "Circle of Life" not in shown
    systemd.set(LoadState="not-found")
    assert print_status(as_json=False) == 4
    assert "`make service`" in capsys.readouterr().out


def test_status_of_a_failed_service_names_what_to_do(systemd: FakeSystemd, tmp_path: Path):
    systemd.set(ActiveState="failed", UnitFileState="disabled")
    shown = as_text(read(tmp_path))
    assert "`sudo lifeboard service logs` tells why" in shown
    assert "rollback" not in shown
    assert "does not start with the computer" in shown
    (tmp_path / "upgrades").mkdir()
    (tmp_path / "upgrades/previous-version").write_text("1.0\n")
    assert "`sudo lifeboard service rollback` goes back to 1.0" in as_text(read(tmp_path))


def test_status_names_wrong_settings_and_asks_for_sudo(systemd: FakeSystemd, tmp_path: Path):
    systemd.say("hint", "Hint: You are currently not seeing messages from other users.")
    paths(tmp_path).settings.write_text("[page]\nport = 1\n")
    shown = as_text(read(tmp_path))
    assert "The settings cannot be read: " in shown
    assert shown.endswith("With sudo it also tells the last warnings.")
