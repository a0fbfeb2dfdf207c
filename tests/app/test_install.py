"""Installing and upgrading the service on a computer that is made up."""

import json
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from game.app.lock import Lock
from game.app.service.places import NAME, UNIT, Places
from game.app.service.setup import building
from game.app.service.setup.install import InstallOptions, install, roll_back
from game.app.service.setup.systemctl import Done, InstallError
from tests.helpers.programs.fake_system import SITE, FakeSystem, make_checkout, make_root, tree


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sync", lambda: None)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return make_root(tmp_path / "root")


@pytest.fixture
def system(places: Places) -> FakeSystem:
    return FakeSystem(places)


@pytest.fixture
def first(system: FakeSystem, tmp_path: Path) -> FakeSystem:
    """A computer on which 1.0 is installed, and some moves were played."""
    bring(system, make_checkout(tmp_path / "one", "1.0"))
    system.play(3)
    return system


def bring(system: FakeSystem, checkout: Path, said: list[str] | None = None, **more: object) -> int:
    options = InstallOptions(source=str(checkout), **more)  # type: ignore[arg-type]
    return install(options, system.places, system, (said if said is not None else []).append)


def current(places: Places) -> str:
    return os.readlink(places.current).removeprefix("releases/")


def releases(places: Places) -> list[str]:
    return sorted(each.name for each in places.releases.iterdir())


def test_first_installation_starts_an_enabled_service(first: FakeSystem):
    places = first.places
    assert (first.state, first.enabled) == ("active", True)
    assert current(places) == "1.0"
    assert (places.units / UNIT).read_text() == "unit of 1.0"
    assert places.settings.read_text() == "# settings\n"
    assert (places.root / "etc/sysusers.d/lifeboard.conf").exists()
    assert (places.root / "etc/udev/rules.d/60-lifeboard.rules").exists()
    assert (places.root / "usr/local/lib/systemd/catalog/lifeboard.catalog").exists()
    assert os.readlink(places.command) == str(places.current / "bin" / NAME)
    assert first.users == {NAME}
    assert "journalctl --update-catalog" in first.ran
    assert "udevadm control --reload" in first.ran


def test_user_is_made_before_the_device_rules_that_name_its_groups_are_read(first: FakeSystem):
    made = next(i for i, line in enumerate(first.ran) if line.endswith("lifeboard.conf"))
    assert made < first.ran.index("udevadm control --reload")


def test_upgrade_exchanges_the_release_and_keeps_games_and_settings(
    first: FakeSystem, tmp_path: Path
):
    first.places.settings.write_text("# mine\n")
    bring(first, make_checkout(tmp_path / "two", "1.1"))
    assert current(first.places) == "1.1"
    assert os.readlink(first.places.previous) == "releases/1.0"
    assert (first.places.units / UNIT).read_text() == "unit of 1.1"
    assert first.places.settings.read_text() == "# mine\n"
    assert (first.state, first.kept()) == ("active", {1, 2, 3})


def test_first_installation_says_where_to_go_on_and_an_upgrade_does_not(
    system: FakeSystem, tmp_path: Path
):
    said: list[str] = []
    bring(system, make_checkout(tmp_path / "one", "1.0"), said)
    assert "its page is at http://127.0.0.1:8765/" in said[-1]
    assert "lifeboard service status" in said[-2]
    bring(system, make_checkout(tmp_path / "two", "1.1"), said)
    assert "page" not in said[-1]


def test_start_by_the_installer_does_not_count_against_the_start_limit(
    first: FakeSystem, tmp_path: Path
):
    bring(first, make_checkout(tmp_path / "two", "1.1"))
    last = [line for line in first.ran if line.startswith("systemctl")][-2:]
    assert last == [f"systemctl start {UNIT}", f"systemctl reset-failed {UNIT}"]


def test_settings_that_nobody_changed_follow_the_release(first: FakeSystem, tmp_path: Path):
    two = make_checkout(tmp_path / "two", "1.1", files={"lifeboard.toml": "# new words\n"})
    bring(first, two)
    assert first.places.settings.read_text() == "# new words\n"


def test_the_same_version_again_is_another_release(first: FakeSystem, tmp_path: Path):
    bring(first, tmp_path / "one")
    assert (current(first.places), releases(first.places)) == ("1.0-2", ["1.0", "1.0-2"])
    bring(first, tmp_path / "one")
    bring(first, tmp_path / "one")
    assert len(releases(first.places)) == 2


def test_only_the_current_and_the_previous_release_stay(first: FakeSystem, tmp_path: Path):
    for version in ("1.1", "1.2", "1.3"):
        bring(first, make_checkout(tmp_path / version, version))
    assert releases(first.places) == ["1.2", "1.3"]
    assert [each.name for each in (first.places.state / "before-upgrade").iterdir()] == [
        "1.2.sqlite3"
    ]


def test_file_that_only_an_old_release_had_goes_with_it(first: FakeSystem, tmp_path: Path):
    pixels = first.places.units / "lifeboard-pixels.socket"
    two = make_checkout(tmp_path / "two", "1.1", files={pixels.name: "socket"})
    bring(first, two)
    assert pixels.exists()
    bring(first, make_checkout(tmp_path / "three", "1.2"))
    assert not pixels.exists()


def test_unit_that_is_not_ours_is_kept_beside(system: FakeSystem, tmp_path: Path):
    (system.places.units / UNIT).write_text("by hand")
    said: list[str] = []
    bring(system, make_checkout(tmp_path / "one", "1.0"), said)
    assert (system.places.units / f"{UNIT}.kept-1").read_text() == "by hand"
    assert (system.places.units / UNIT).read_text() == "unit of 1.0"
    assert any("kept-1" in line for line in said)


def test_command_of_another_program_stays(system: FakeSystem, tmp_path: Path):
    system.places.command.write_text("another")
    said: list[str] = []
    bring(system, make_checkout(tmp_path / "one", "1.0"), said)
    assert system.places.command.read_text() == "another"
    assert any("another program" in line for line in said)


@pytest.mark.parametrize(
    ("behaviour", "why"),
    [
        ({"comes_up": False}, "did not start"),
        ({"crashes_after_s": 2.0}, "fell over"),
        ({"crashes_after_s": 2.0, "form": 3}, "fell over"),
        ({"comes_up": False, "form": 3}, "did not start"),
    ],
)
def test_release_that_does_not_come_up_goes_and_the_one_before_comes_back(
    first: FakeSystem, tmp_path: Path, behaviour: dict[str, object], why: str
):
    bad = make_checkout(tmp_path / "bad", "2.0", **behaviour)  # type: ignore[arg-type]
    said: list[str] = []
    with pytest.raises(InstallError, match=why) as refused:
        bring(first, bad, said)
    assert "1.0 runs again; what it said stands above" in str(refused.value)
    # In lines of its own.
    assert "    what it said last" in said
    assert (first.state, current(first.places), releases(first.places)) == (
        "active",
        "1.0",
        ["1.0"],
    )
    assert not os.path.lexists(first.places.previous)
    assert (first.places.units / UNIT).read_text() == "unit of 1.0"
    assert first.kept() == {1, 2, 3}
    assert not (first.places.home / "on-trial").exists()


def test_failed_upgrade_leaves_the_release_before_the_last_one(first: FakeSystem, tmp_path: Path):
    bring(first, make_checkout(tmp_path / "two", "1.1"))
    with pytest.raises(InstallError):
        bring(first, make_checkout(tmp_path / "bad", "2.0", comes_up=False))
    assert os.readlink(first.places.previous) == "releases/1.0"
    assert releases(first.places) == ["1.0", "1.1"]


def test_moves_of_a_trial_stay_where_the_form_is_the_same(first: FakeSystem, tmp_path: Path):
    def play(line: str) -> None:
        if "daemon-reload" in line:
            with closing(sqlite3.connect(first.file)) as db, db:
                db.execute("INSERT INTO moves VALUES (99)")

    first.at = play
    with pytest.raises(InstallError):
        bring(first, make_checkout(tmp_path / "bad", "2.0", crashes_after_s=1.0))
    assert {1, 2, 3, 99} == first.kept()


def test_newer_games_are_kept_aside_when_their_form_has_to_go_back(
    first: FakeSystem, tmp_path: Path
):
    said: list[str] = []
    with pytest.raises(InstallError):
        bring(first, make_checkout(tmp_path / "bad", "2.0", crashes_after_s=1.0, form=3), said)
    (aside,) = first.places.state.glob("games.newer-*.sqlite3")
    with closing(sqlite3.connect(aside)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (3,)
    assert any(str(aside) in line for line in said)


def test_settings_that_the_new_release_refuses_change_nothing(first: FakeSystem, tmp_path: Path):
    before, starts = tree(first.places.root), first.starts
    with pytest.raises(InstallError, match=r"2\.0 refuses the settings.*\[page\] port: no"):
        bring(first, make_checkout(tmp_path / "bad", "2.0", settings_good=False))
    assert tree(first.places.root) == before
    assert (first.starts, first.state) == (starts, "active")


def test_first_installation_that_does_not_come_up_stays_and_is_stopped(
    system: FakeSystem, tmp_path: Path
):
    said: list[str] = []
    with pytest.raises(InstallError, match="is installed, but it does not come up"):
        bring(system, make_checkout(tmp_path / "bad", "2.0", comes_up=False), said)
    assert "    what it said last" in said
    assert (system.state, system.enabled, current(system.places)) == ("inactive", True, "2.0")
    bring(system, make_checkout(tmp_path / "good", "2.1"))
    assert (system.state, current(system.places)) == ("active", "2.1")


def test_service_that_was_disabled_is_not_started_by_an_upgrade(first: FakeSystem, tmp_path: Path):
    first.enabled, first.state, starts = False, "inactive", first.starts
    bring(first, make_checkout(tmp_path / "two", "1.1"))
    assert (first.starts, first.enabled, current(first.places)) == (starts, False, "1.1")


def test_image_is_installed_and_enabled_with_nothing_started(system: FakeSystem, tmp_path: Path):
    (system.places.root / "run/systemd/system").rmdir()
    one = make_checkout(tmp_path / "one", "1.0")
    with pytest.raises(InstallError, match="--no-start"):
        bring(system, one)
    bring(system, one, start=False)
    assert (system.starts, system.enabled, current(system.places)) == (0, True, "1.0")
    assert "systemctl daemon-reload" not in system.ran
    bring(system, one, start=False)
    assert (system.starts, current(system.places)) == (0, "1.0-2")


def test_extras_that_were_asked_for_once_stay(system: FakeSystem, tmp_path: Path):
    one = make_checkout(tmp_path / "one", "1.0")
    bring(system, one, extras=("pwm",))
    bring(system, one)
    installed = [line for line in system.ran if "pip install" in line]
    assert [line.endswith("source[pwm]") for line in installed] == [True, True]


@pytest.mark.parametrize("pins", [True, False])
def test_a_raspberry_pi_gets_its_pins_from_the_system_or_from_pip(
    system: FakeSystem, tmp_path: Path, pins: bool
):
    (system.places.root / "proc/device-tree").mkdir(parents=True)
    (system.places.root / "proc/device-tree/model").write_text("Raspberry Pi")
    system.probe["lgpio"] = pins
    bring(system, make_checkout(tmp_path / "one", "1.0"))
    made = next(line for line in system.ran if "-m venv" in line)
    installed = next(line for line in system.ran if "pip install" in line)
    assert ("--system-site-packages" in made) is pins
    assert installed.endswith("[hardware]") is not pins


def test_wheels_stand_in_for_the_network(system: FakeSystem, tmp_path: Path):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    options = InstallOptions(wheels=wheels)
    with pytest.raises(InstallError, match="one wheel of lifeboard, and has: none"):
        install(options, system.places, system, print)
    one = make_checkout(tmp_path / "one", "1.0")
    bring(system, one, wheels=wheels)
    assert any(f"--no-index --find-links {wheels}" in line for line in system.ran)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("Retrying: NewConnectionError\nERROR: No matching distribution found", "no network"),
        ("error: command 'gcc' failed\nERROR: Failed building wheel", "apt install gcc"),
        ("ERROR: No space left on device", "No space left on device"),
        ("", "does not say why"),
    ],
)
def test_what_pip_says_becomes_one_line(first: FakeSystem, tmp_path: Path, told: str, message: str):
    before = tree(first.places.root)
    first.refuse["pip install"] = Done(1, err=told)
    with pytest.raises(InstallError, match=message) as refused:
        bring(first, make_checkout(tmp_path / "two", "1.1"))
    assert "\n" not in str(refused.value)
    assert tree(first.places.root) == before


@pytest.mark.parametrize(
    ("probe", "message"),
    [
        ({"version": [3, 9, 2]}, r"is 3\.9\.2, and lifeboard needs 3\.11 or later"),
        ({"lacks": ["ensurepip"]}, "has no ensurepip; .*sudo apt install python3-venv"),
        ({"program": "/home/ann/bin/python3"}, "/home is hidden from the service"),
    ],
)
def test_python_that_cannot_carry_the_service_is_refused(
    system: FakeSystem, tmp_path: Path, probe: dict[str, object], message: str
):
    system.probe.update(probe)
    before = tree(system.places.root)
    with pytest.raises(InstallError, match=message):
        bring(system, make_checkout(tmp_path / "one", "1.0"))
    assert {**before, "opt/lifeboard": "folder"}.keys() >= set(tree(system.places.root)) - {
        "opt/lifeboard/.lock"
    }


def test_what_is_missing_is_named(system: FakeSystem, tmp_path: Path):
    one = make_checkout(tmp_path / "one", "1.0")
    system.refuse = {"systemd-sysusers --version": Done(127)}
    with pytest.raises(InstallError, match="no systemd-sysusers"):
        bring(system, one)
    system.refuse = {"/usr/bin/python3": Done(127, err="No such file or directory")}
    with pytest.raises(InstallError, match="sudo apt install python3"):
        bring(system, one)
    system.refuse = {"-m venv": Done(1, err="ensurepip is not available")}
    with pytest.raises(InstallError, match="sudo apt install python3-venv"):
        bring(system, one)
    assert releases(system.places) == []


def test_disk_without_room_is_refused(
    system: FakeSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(building, "_NEEDED_MB", 10**9)
    with pytest.raises(InstallError, match="MB are needed"):
        bring(system, make_checkout(tmp_path / "one", "1.0"))


def test_root_is_needed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(InstallError, match="sudo lifeboard service install"):
        install(InstallOptions())
    with pytest.raises(InstallError, match="sudo lifeboard service rollback"):
        roll_back()


@pytest.mark.parametrize("name", ["nothing", "other"])
def test_source_that_is_no_lifeboard_is_refused(system: FakeSystem, tmp_path: Path, name: str):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1"\n')
    with pytest.raises(InstallError, match="neither a checkout nor a wheel"):
        bring(system, tmp_path / name)


def test_nothing_is_written_into_the_checkout(system: FakeSystem, tmp_path: Path):
    one = make_checkout(tmp_path / "one", "1.0")
    before = tree(one)
    bring(system, one)
    assert tree(one) == before
    assert not any(str(one) in line for line in system.ran)


def test_release_knows_what_it_was_made_of(first: FakeSystem, tmp_path: Path):
    note = json.loads((first.places.releases / "1.0" / ".complete").read_text())
    assert note == {"version": "1.0", "source": str(tmp_path / "one"), "extras": []}


def test_second_installer_is_sent_away(first: FakeSystem, tmp_path: Path):
    with (
        Lock(first.places.home / ".lock", "the installation", ""),
        pytest.raises(InstallError, match="in use by another lifeboard"),
    ):
        bring(first, tmp_path / "one")


@pytest.mark.parametrize("step", ["-m venv", "pip install", "service check"])
def test_installer_that_is_ended_while_it_builds_leaves_nothing(
    first: FakeSystem, tmp_path: Path, step: str
):
    before = tree(first.places.root)
    end_at(first, step)
    with pytest.raises(KeyboardInterrupt):
        bring(first, make_checkout(tmp_path / "two", "1.1"))
    assert tree(first.places.root) == before


@pytest.mark.parametrize("step", ["systemctl stop", "daemon-reload", "systemctl start"])
def test_installer_that_is_ended_during_the_exchange_goes_back(
    first: FakeSystem, tmp_path: Path, step: str
):
    end_at(first, step)
    with pytest.raises(InstallError, match=r"you ended it.*1\.0 runs again"):
        bring(first, make_checkout(tmp_path / "two", "1.1"))
    assert (first.state, current(first.places), first.kept()) == ("active", "1.0", {1, 2, 3})
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def end_at(system: FakeSystem, step: str) -> None:
    """Have a person press Ctrl-C, twice, when a command is run for the first time."""

    def end(line: str) -> None:
        if step in line:
            system.at = None
            signal.raise_signal(signal.SIGHUP)
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    system.at = end


def test_rollback_by_hand_goes_to_the_release_before_and_back_again(
    first: FakeSystem, tmp_path: Path
):
    with pytest.raises(InstallError, match="no release to go back to"):
        roll_back(places=first.places, machine=first)
    bring(first, make_checkout(tmp_path / "two", "1.1"))
    for version in ("1.0", "1.1"):
        roll_back(places=first.places, machine=first)
        assert (first.state, current(first.places)) == ("active", version)
        assert (first.places.units / UNIT).read_text() == f"unit of {version}"
        assert first.kept() == {1, 2, 3}


def test_rollback_by_hand_to_an_older_form_brings_the_games_that_it_left(
    first: FakeSystem, tmp_path: Path
):
    bring(first, make_checkout(tmp_path / "two", "1.1", form=3))
    first.play(2)
    said: list[str] = []
    roll_back(places=first.places, machine=first, report=said.append)
    assert first.kept() == {1, 2, 3}
    (aside,) = first.places.state.glob("games.newer-*.sqlite3")
    assert any(str(aside) in line for line in said)


def test_rollback_says_when_nothing_is_installed(places: Places, system: FakeSystem):
    with pytest.raises(InstallError, match="not installed"):
        roll_back(places=places, machine=system)


def test_a_release_brings_all_that_the_real_one_has(first: FakeSystem):
    """What the fake release leaves out would not be tried here."""
    real = Path(__file__).parents[2] / "systemd"
    brought = first.places.releases / "1.0" / SITE / "game/app/service/files"
    kinds = {each.suffix for each in real.iterdir() if each.is_file()} - {".socket", ".md"}
    assert {each.suffix for each in brought.iterdir()} >= kinds
