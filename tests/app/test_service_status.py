"""How the service is, told in words and as JSON; its log."""

import json
from pathlib import Path

import pytest

from game.app.service import status as module
from game.app.service.setup.install import InstallOptions, install
from game.app.service.setup.systemctl import Done, InstallError
from game.app.service.status import as_text, logs, look, status
from tests.helpers.programs.fake_system import FakeSystem, make_checkout, make_root

NO_RIGHTS = "Hint: You are currently not seeing messages from other users and the system."


@pytest.fixture
def system(tmp_path: Path) -> FakeSystem:
    """A computer with the service, whose journal has warnings."""
    system = FakeSystem(make_root(tmp_path / "root"))
    one = make_checkout(tmp_path / "one", "1.0")
    install(InstallOptions(source=str(one)), system.places, system, lambda _: None)
    system.warnings = "12:00 chip 0x5A does not answer\n"
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
    system.places.settings.write_text('[page]\nnetwork = true\nport = 8080\nnames = ["b.home"]\n')
    monkeypatch.setattr(module, "local_addresses", frozenset)
    told = look(system.places, system)
    assert told.pages == ("http://localhost:8080/", "http://b.home:8080/")
    assert "lifeboard pin" in as_text(told)


@pytest.mark.parametrize(
    ("told", "name"),
    [("", "lifeboard.local"), ("the page has the name lifeboard-2.local on", "lifeboard-2.local")],
)
def test_status_names_what_avahi_announces(
    system: FakeSystem, monkeypatch: pytest.MonkeyPatch, told: str, name: str
):
    monkeypatch.setattr(module, "local_addresses", frozenset)
    avahi = system.places.root / "run/avahi-daemon/socket"
    avahi.parent.mkdir()
    avahi.touch()
    assert look(system.places, system).pages == ("http://localhost:8765/",)
    system.places.settings.write_text("[page]\nnetwork = true\n")
    system.of_page = told
    assert look(system.places, system).pages == ("http://localhost:8765/", f"http://{name}:8765/")


def test_status_says_why_no_page_is_served(system: FakeSystem):
    system.of_page = "no page is served: port 8765 is taken"
    told = as_text(look(system.places, system))
    assert "  No page is served: port 8765 is taken" in told
    assert "http://" not in told
    assert "this computer only" not in told
    system.of_page = "the page is at http://127.0.0.1:8765/"
    assert "  Page: http://localhost:8765/" in as_text(look(system.places, system))


def test_status_of_a_stopped_service_is_3(system: FakeSystem, capsys: pytest.CaptureFixture[str]):
    system.state = "inactive"
    assert status(as_json=False, places=system.places, machine=system) == 3
    told = capsys.readouterr().out
    assert "lifeboard 1.0 is stopped" in told
    # That was said by a run that is over.
    assert "Circle of Life" not in told


def test_status_of_one_that_has_failed_names_the_ways_out(system: FakeSystem, tmp_path: Path):
    two = make_checkout(tmp_path / "two", "1.1")
    install(InstallOptions(source=str(two)), system.places, system, lambda _: None)
    assert "rollback" not in as_text(look(system.places, system))
    system.state = "failed"
    told = as_text(look(system.places, system))
    assert "lifeboard 1.1 has failed" in told
    assert "`sudo lifeboard service logs` tells why" in told
    assert "`sudo lifeboard service rollback` goes back to 1.0" in told
    assert "Circle of Life" not in told


def test_status_of_nothing_is_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    system = FakeSystem(make_root(tmp_path / "bare"))
    assert status(as_json=False, places=system.places, machine=system) == 4
    assert "not installed" in capsys.readouterr().out


def test_status_and_log_ask_for_sudo_where_the_journal_cannot_be_seen(system: FakeSystem):
    hint = "With sudo it also tells the last warnings."
    assert hint not in as_text(look(system.places, system))
    system.refuse["journalctl"] = Done(1, err=NO_RIGHTS)
    assert as_text(look(system.places, system)).endswith(hint)
    with pytest.raises(InstallError, match="put sudo before it"):
        logs(lines=5, follow=False, machine=system)
