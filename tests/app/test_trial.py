"""A release on trial whose installer has died: who goes back, and when nobody does any more."""

import json
import os
from pathlib import Path

import pytest

from game.app.lock import Lock
from game.app.service.places import EXIT_CONFIG
from game.app.service.setup import system_files
from game.app.service.setup.install import InstallOptions, install, roll_back
from game.app.service.setup.systemctl import Done, InstallError
from game.app.service.setup.trial import TRIAL_S
from tests.helpers.programs.fake_system import FakeSystem, PowerCut, make_checkout, make_root


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sync", lambda: None)


@pytest.fixture
def system(tmp_path: Path) -> FakeSystem:
    """A computer whose installer died when it had started 2.0 on trial, after 1.0."""
    system = FakeSystem(make_root(tmp_path / "root"))
    bring(system, make_checkout(tmp_path / "one", "1.0"))
    system.play(3)

    def die(line: str) -> None:
        if line.startswith("systemctl start"):
            raise PowerCut

    system.at = die
    with pytest.raises(PowerCut):
        bring(system, make_checkout(tmp_path / "two", "2.0"))
    system.at = None
    system._start(["lifeboard.service"])
    return system


def bring(system: FakeSystem, checkout: Path, said: list[str] | None = None) -> None:
    say = (said if said is not None else []).append
    install(InstallOptions(source=str(checkout)), system.places, system, say)


def called_by_unit(system: FakeSystem) -> str:
    said: list[str] = []
    roll_back(only_on_trial=True, places=system.places, machine=system, report=said.append)
    return said[-1]


def current(system: FakeSystem) -> str:
    return os.readlink(system.places.current).removeprefix("releases/")


def on_trial(system: FakeSystem) -> bool:
    return (system.places.home / "on-trial").exists()


def test_release_on_trial_that_systemd_gives_up_goes_by_itself(system: FakeSystem):
    system.state = "failed"
    assert called_by_unit(system) == "2.0 did not come up; 1.0 runs again."
    assert (system.state, current(system), on_trial(system)) == ("active", "1.0", False)
    assert not os.path.lexists(system.places.previous)


def test_release_on_trial_goes_by_itself_after_power_on_too(system: FakeSystem):
    system.boots, system.on_s, system.state = 2, 30.0, "failed"
    assert "1.0 runs again" in called_by_unit(system)


@pytest.mark.parametrize("boots", [0, 1])
def test_release_that_ran_for_long_stays_whatever_happens(system: FakeSystem, boots: int):
    system.boots += boots
    system.on_s += TRIAL_S + 1
    system.state = "failed"
    assert "not on trial any more" in called_by_unit(system)
    assert (current(system), on_trial(system)) == ("2.0", False)
    assert called_by_unit(system) == "no release is on trial."


def test_release_that_ran_for_weeks_stays_though_the_computer_was_just_switched_on(
    system: FakeSystem,
):
    system.boots, system.on_s, system.state = 20, 30.0, "failed"
    system.before_s += 14 * 86400
    assert "not on trial any more" in called_by_unit(system)
    assert (current(system), on_trial(system)) == ("2.0", False)


def test_service_that_runs_is_left_alone(system: FakeSystem):
    assert "has not failed" in called_by_unit(system)
    assert (current(system), on_trial(system)) == ("2.0", True)


def test_installer_at_work_sees_to_it_itself(system: FakeSystem):
    system.state = "failed"
    with Lock(system.places.home / ".lock", "the installation", ""):
        assert "An installer is at work" in called_by_unit(system)
        with pytest.raises(InstallError, match="in use"):
            roll_back(places=system.places, machine=system)
    assert current(system) == "2.0"


def test_old_release_that_does_not_come_up_either_is_told_of(system: FakeSystem):
    system.state = "failed"
    system.refuse["systemctl start"] = Done(1)
    with pytest.raises(InstallError, match=r"1\.0 is back, and does not come up either"):
        called_by_unit(system)
    assert (current(system), on_trial(system)) == ("1.0", False)


def test_next_installation_takes_one_that_runs_as_good(system: FakeSystem, tmp_path: Path):
    bring(system, make_checkout(tmp_path / "three", "3.0"))
    assert current(system) == "3.0"
    assert os.readlink(system.places.previous) == "releases/2.0"


def test_next_installation_goes_back_first_from_one_that_is_not_up(
    system: FakeSystem, tmp_path: Path
):
    system.state = "failed"
    said: list[str] = []
    bring(system, make_checkout(tmp_path / "three", "3.0"), said)
    assert "2.0 was on trial, and is not up: going back." in said
    assert os.readlink(system.places.previous) == "releases/1.0"


def test_rollback_by_hand_ends_the_trial(system: FakeSystem):
    system.state = "failed"
    roll_back(places=system.places, machine=system, report=lambda _: None)
    assert (system.state, current(system), on_trial(system)) == ("active", "1.0", False)


def test_note_that_cannot_be_read_is_named(system: FakeSystem):
    (system.places.home / "on-trial").write_text("{")
    with pytest.raises(InstallError, match="on-trial cannot be read"):
        roll_back(places=system.places, machine=system)


def test_files_that_cannot_be_put_back_do_not_keep_the_old_release_down(
    system: FakeSystem, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    system.state = "failed"
    monkeypatch.setattr(system_files, "write_whole", full)
    assert "1.0 runs again" in called_by_unit(system)
    assert (system.state, current(system), on_trial(system)) == ("active", "1.0", False)


def test_running_board_is_not_stopped_while_a_cut_short_upgrade_is_settled(
    system: FakeSystem, tmp_path: Path
):
    """The plug was pulled when the old release was back, and only the note was left."""
    system.places.current.unlink()
    system.places.current.symlink_to("releases/1.0")
    system.refuse["pip install"] = Done(1, err="ERROR: no")
    stops = system.ran.count("systemctl stop lifeboard.service")
    with pytest.raises(InstallError, match="pip cannot install"):
        bring(system, make_checkout(tmp_path / "three", "3.0"))
    assert system.ran.count("systemctl stop lifeboard.service") == stops
    assert (system.state, on_trial(system)) == ("active", False)


def test_games_that_cannot_be_copied_stop_an_upgrade(system: FakeSystem, tmp_path: Path):
    (system.places.state / "before-upgrade" / "2.0.new").mkdir()
    with pytest.raises(InstallError, match=r"games cannot be copied before the upgrade.*2\.0 runs"):
        bring(system, make_checkout(tmp_path / "three", "3.0"))
    assert (system.state, current(system)) == ("active", "2.0")


@pytest.fixture
def passed(tmp_path: Path) -> FakeSystem:
    """A computer on which 2.0 came after 1.0, and its installer has ended well."""
    system = FakeSystem(make_root(tmp_path / "root"))
    bring(system, make_checkout(tmp_path / "one", "1.0"))
    bring(system, make_checkout(tmp_path / "two", "2.0", crashes_after_s=30.0))
    assert (system.state, current(system)) == ("active", "2.0")
    return system


def test_release_that_falls_over_when_its_installer_has_ended_goes_by_itself(passed: FakeSystem):
    passed.pause(30.0)
    assert called_by_unit(passed) == "2.0 fell over; 1.0 runs again."
    assert (passed.state, current(passed), on_trial(passed)) == ("active", "1.0", False)


def test_release_that_passed_stays_when_it_fails_much_later(passed: FakeSystem):
    passed.on_s += TRIAL_S
    passed.state = "failed"
    assert "not on trial any more" in called_by_unit(passed)
    assert (current(passed), on_trial(passed)) == ("2.0", False)
    assert os.readlink(passed.places.previous) == "releases/1.0"


def test_release_that_passed_is_not_blamed_for_settings_that_are_wrong(passed: FakeSystem):
    passed.state, passed.ended_with = "failed", EXIT_CONFIG
    assert "settings are refused" in called_by_unit(passed)
    assert current(passed) == "2.0"


@pytest.mark.parametrize("state", ["active", "inactive"])
def test_next_installation_keeps_one_that_passed_and_was_stopped(
    passed: FakeSystem, tmp_path: Path, state: str
):
    passed.state = state
    said: list[str] = []
    bring(passed, make_checkout(tmp_path / "three", "3.0"), said)
    assert current(passed) == "3.0"
    assert os.readlink(passed.places.previous) == "releases/2.0"
    assert not any("going back" in line for line in said)


def test_rollback_by_hand_leaves_one_that_passed_for_good(passed: FakeSystem):
    roll_back(places=passed.places, machine=passed, report=lambda _: None)
    assert (passed.state, current(passed), on_trial(passed)) == ("active", "1.0", False)
    assert os.readlink(passed.places.previous) == "releases/2.0"


def test_rollback_by_hand_after_a_fall_goes_back_once(passed: FakeSystem):
    passed.pause(30.0)
    roll_back(places=passed.places, machine=passed, report=lambda _: None)
    assert (passed.state, current(passed), on_trial(passed)) == ("active", "1.0", False)


def test_note_of_a_later_version_is_understood(passed: FakeSystem):
    note = passed.places.home / "on-trial"
    note.write_text(json.dumps({**json.loads(note.read_text()), "invented": 1}))
    passed.pause(30.0)
    assert "1.0 runs again" in called_by_unit(passed)
