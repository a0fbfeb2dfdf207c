"""Installing, upgrading, going back and removing the service on a computer that is made up."""

import os
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from zipfile import ZipFile

import pytest

from game.app.lock import Lock
from game.app.service.places import EXIT_CONFIG, NAME, UNIT, Places
from game.app.service.setup import building
from game.app.service.setup.building import Builder, Python, find_source
from game.app.service.setup.install import InstallOptions, install, roll_back
from game.app.service.setup.releases import Note, Releases
from game.app.service.setup.systemctl import Done, InstallError, ThisMachine
from game.app.service.setup.trial import TRIAL_S
from game.app.service.setup.uninstall import UninstallOptions, uninstall
from tests.helpers.programs.fake_system import (
    FakeSystem,
    PowerCut,
    make_checkout,
    make_root,
    power_for,
    tree,
)

ROOT = Path(__file__).parents[2]
STRIDE = 7
"""The plug is pulled at every seventh step."""


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sync", lambda: None)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def disk() -> Iterator[Path]:
    """Give a folder in memory where there is one: SQLite waits for real disks."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture
def system(disk: Path) -> FakeSystem:
    return FakeSystem(make_root(disk / "root"))


@pytest.fixture
def first(system: FakeSystem, tmp_path: Path) -> FakeSystem:
    """A computer on which 1.0 is installed, and some moves were played."""
    bring(system, make_checkout(tmp_path / "one", "1.0"))
    system.play(3)
    return system


@pytest.fixture
def on_trial(first: FakeSystem, tmp_path: Path) -> FakeSystem:
    """A computer whose installer died when it had started 2.0 on trial, after 1.0."""

    def die(line: str) -> None:
        if line.startswith("systemctl start"):
            raise PowerCut

    first.at = die
    with pytest.raises(PowerCut):
        bring(first, make_checkout(tmp_path / "two", "2.0"))
    first.at = None
    first.run(["systemctl", "start", UNIT])
    return first


def bring(system: FakeSystem, checkout: Path, said: list[str] | None = None, **more: object) -> int:
    options = InstallOptions(source=str(checkout), **more)  # type: ignore[arg-type]
    return install(options, system.places, system, (said if said is not None else []).append)


def rolled_back(system: FakeSystem, **more: bool) -> list[str]:
    said: list[str] = []
    roll_back(places=system.places, machine=system, report=said.append, **more)
    return said


def remove(system: FakeSystem, **options: bool) -> list[str]:
    said: list[str] = []
    assert uninstall(UninstallOptions(**options), system.places, system, said.append) == 0
    return said


def current(system: FakeSystem) -> str:
    return os.readlink(system.places.current).removeprefix("releases/")


def releases(system: FakeSystem) -> list[str]:
    return sorted(each.name for each in system.places.releases.iterdir())


def test_first_installation_starts_an_enabled_service_and_says_where_its_page_is(
    system: FakeSystem, tmp_path: Path
):
    places, said = system.places, []
    bring(system, make_checkout(tmp_path / "one", "1.0"), said)
    assert (system.state, system.enabled, current(system)) == ("active", True, "1.0")
    assert (places.units / UNIT).read_text() == "unit of 1.0"
    assert places.settings.read_text() == "# settings\n"
    assert (places.root / "etc/udev/rules.d/60-lifeboard.rules").exists()
    assert (places.root / "usr/local/lib/systemd/catalog/lifeboard.catalog").exists()
    assert os.readlink(places.command) == str(places.current / "bin" / NAME)
    assert system.users == {NAME}
    # The device rules name its groups.
    made = next(i for i, line in enumerate(system.ran) if line.endswith("lifeboard.conf"))
    assert made < system.ran.index("udevadm control --reload")
    assert "its page is at http://127.0.0.1:8765/" in said[-1]


def test_upgrades_keep_games_settings_and_the_release_before(first: FakeSystem, tmp_path: Path):
    first.places.settings.write_text("# mine\n")
    for version in ("1.1", "1.2"):
        bring(first, make_checkout(tmp_path / version, version))
    assert (current(first), releases(first)) == ("1.2", ["1.1", "1.2"])
    assert (first.places.units / UNIT).read_text() == "unit of 1.2"
    assert first.places.settings.read_text() == "# mine\n"
    assert (first.state, first.kept()) == ("active", {1, 2, 3})
    bring(first, tmp_path / "1.2")
    assert (current(first), releases(first)) == ("1.2-2", ["1.2", "1.2-2"])


def test_service_that_was_disabled_is_not_started_by_an_upgrade(first: FakeSystem, tmp_path: Path):
    first.enabled, first.state, starts = False, "inactive", first.starts
    bring(first, make_checkout(tmp_path / "two", "1.1"))
    assert (first.starts, first.enabled, current(first)) == (starts, False, "1.1")


def test_image_is_installed_and_enabled_with_nothing_started(system: FakeSystem, tmp_path: Path):
    (system.places.root / "run/systemd/system").rmdir()
    one = make_checkout(tmp_path / "one", "1.0")
    with pytest.raises(InstallError, match="--no-start"):
        bring(system, one)
    bring(system, one, start=False)
    assert (system.starts, system.enabled, current(system)) == (0, True, "1.0")


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


@pytest.mark.parametrize(
    ("behaviour", "why"),
    [({"comes_up": False}, "did not start"), ({"crashes_after_s": 2.0, "form": 3}, "fell over")],
)
def test_release_that_does_not_come_up_goes_and_the_one_before_comes_back(
    first: FakeSystem, tmp_path: Path, behaviour: dict[str, object], why: str
):
    bad = make_checkout(tmp_path / "bad", "2.0", **behaviour)  # type: ignore[arg-type]
    said: list[str] = []
    with pytest.raises(InstallError, match=rf"{why}.*1\.0 runs again"):
        bring(first, bad, said)
    assert "    what it said last" in said
    assert (first.state, current(first), releases(first)) == ("active", "1.0", ["1.0"])
    assert (first.places.units / UNIT).read_text() == "unit of 1.0"
    assert first.kept() == {1, 2, 3}
    # Games of a newer form are kept aside.
    aside = [str(each) for each in first.places.state.glob("games.newer-*.sqlite3")]
    assert len(aside) == ("form" in behaviour)
    assert all(any(name in line for line in said) for name in aside)


def test_first_installation_that_does_not_come_up_stays_and_is_stopped(
    system: FakeSystem, tmp_path: Path
):
    with pytest.raises(InstallError, match="is installed, but it does not come up"):
        bring(system, make_checkout(tmp_path / "bad", "2.0", comes_up=False))
    assert (system.state, system.enabled, current(system)) == ("inactive", True, "2.0")


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ({"pip install": Done(1, err="NewConnectionError\nERROR: No matching")}, "no network"),
        ({"pip install": Done(1, err="ERROR: No space left on device")}, "No space left"),
        ({"systemd-sysusers --version": Done(127)}, "no systemd-sysusers"),
        ({"-m venv": Done(1, err="ensurepip is not available")}, "apt install python3-venv"),
    ],
)
def test_installation_that_cannot_be_made_changes_nothing_and_says_why(
    first: FakeSystem, tmp_path: Path, refused: dict[str, Done], message: str
):
    before = tree(first.places.root)
    first.refuse |= refused
    with pytest.raises(InstallError, match=message) as error:
        bring(first, make_checkout(tmp_path / "two", "1.1"))
    assert "\n" not in str(error.value)
    assert tree(first.places.root) == before


def test_settings_that_the_new_release_refuses_change_nothing(first: FakeSystem, tmp_path: Path):
    before = tree(first.places.root)
    with pytest.raises(InstallError, match=r"2\.0 refuses the settings.*\[page\] port: no"):
        bring(first, make_checkout(tmp_path / "bad", "2.0", settings_good=False))
    assert tree(first.places.root) == before
    assert first.state == "active"


def test_wrong_calls_are_refused(
    first: FakeSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(InstallError, match="neither a checkout nor a wheel"):
        bring(first, tmp_path / "nothing")
    first.probe["version"] = [3, 9, 2]
    with pytest.raises(InstallError, match=r"is 3\.9\.2, and lifeboard needs 3\.11 or later"):
        bring(first, tmp_path / "one")
    first.probe |= {"version": [3, 11, 2], "program": "/home/ann/bin/python3"}
    with pytest.raises(InstallError, match="/home is hidden from the service"):
        bring(first, tmp_path / "one")
    first.probe["program"] = "/usr/bin/python3"
    with pytest.raises(InstallError, match="no release to go back to"):
        rolled_back(first)
    with pytest.raises(InstallError, match="choose one"):
        remove(first, games=True, keep_settings=True)
    with (
        Lock(first.places.home / ".lock", "the installation", ""),
        pytest.raises(InstallError, match="in use by another lifeboard"),
    ):
        bring(first, tmp_path / "one")
    monkeypatch.setattr(building, "_NEEDED_MB", 10**9)
    with pytest.raises(InstallError, match="MB are needed"):
        bring(first, tmp_path / "one")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(InstallError, match="sudo lifeboard service install"):
        install(InstallOptions())


@pytest.mark.parametrize("step", ["pip install", "daemon-reload"])
def test_installer_that_is_ended_goes_back(first: FakeSystem, tmp_path: Path, step: str):
    def end(line: str) -> None:
        if step in line:
            first.at = None
            signal.raise_signal(signal.SIGINT)

    first.at = end
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises((KeyboardInterrupt, InstallError)):
        bring(first, make_checkout(tmp_path / "two", "1.1"))
    assert (first.state, current(first), first.kept()) == ("active", "1.0", {1, 2, 3})
    assert releases(first) == ["1.0"]
    assert signal.getsignal(signal.SIGINT) is before


def test_rollback_by_hand_goes_to_the_release_before_and_back_again(
    first: FakeSystem, tmp_path: Path
):
    bring(first, make_checkout(tmp_path / "two", "1.1", form=3))
    first.play(2)
    # The games are as each release left them; those of the newer form are kept aside meanwhile.
    for version, moves in (("1.0", {1, 2, 3}), ("1.1", {1, 2, 3, 4, 5})):
        rolled_back(first)
        assert (first.state, current(first), first.kept()) == ("active", version, moves)
        assert (first.places.units / UNIT).read_text() == f"unit of {version}"


def test_release_on_trial_that_systemd_gives_up_goes_by_itself(on_trial: FakeSystem):
    assert "has not failed" in rolled_back(on_trial, only_on_trial=True)[-1]
    assert current(on_trial) == "2.0"
    on_trial.state = "failed"
    assert rolled_back(on_trial, only_on_trial=True)[-1] == ("2.0 did not come up; 1.0 runs again.")
    assert (on_trial.state, current(on_trial), on_trial.kept()) == ("active", "1.0", {1, 2, 3})


def test_release_that_ran_for_long_stays_when_it_fails(on_trial: FakeSystem):
    on_trial.on_s += TRIAL_S + 1
    on_trial.state = "failed"
    assert "not on trial any more" in rolled_back(on_trial, only_on_trial=True)[-1]
    assert current(on_trial) == "2.0"


def test_release_that_falls_over_when_its_installer_has_ended_goes_by_itself(
    first: FakeSystem, tmp_path: Path
):
    bring(first, make_checkout(tmp_path / "two", "2.0", crashes_after_s=30.0))
    first.pause(30.0)
    # Nobody goes back because of settings that are wrong.
    first.ended_with = EXIT_CONFIG
    assert "settings are refused" in rolled_back(first, only_on_trial=True)[-1]
    first.ended_with = 1
    assert rolled_back(first, only_on_trial=True)[-1] == "2.0 fell over; 1.0 runs again."
    assert (first.state, current(first)) == ("active", "1.0")


def test_removal_leaves_the_games_and_what_was_learnt_until_they_are_asked_for(
    first: FakeSystem, tmp_path: Path
):
    for name in ("pin.json", "board.toml"):
        (first.places.state / name).write_text(name)
    said = remove(first)
    assert (first.state, first.enabled, first.users) == ("inactive", False, set())
    assert first.groups == {"dialout": ["ann"]}
    assert first.kept() == {1, 2, 3}
    assert (first.places.state / "board.toml").exists()
    assert not (first.places.state / "pin.json").exists()
    assert any(str(first.places.state) in line for line in said)
    assert remove(first) == ["lifeboard is not installed as a service."]
    remove(first, games=True)
    assert tree(first.places.root) == tree(make_root(tmp_path / "bare").root)


def test_settings_and_data_stay_for_a_return(first: FakeSystem, tmp_path: Path):
    first.places.settings.write_text("# mine\n")
    before = tree(first.places.state)
    remove(first, keep_settings=True)
    assert tree(first.places.state) == before
    assert first.users == {NAME}
    assert not first.places.home.exists()
    bring(first, tmp_path / "one")
    assert first.places.settings.read_text() == "# mine\n"
    assert (first.state, first.kept()) == ("active", {1, 2, 3})


def test_what_belongs_to_others_stays(
    first: FakeSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    first.groups["gpio"].append("ann")
    first.places.command.unlink()
    first.places.command.write_text("another program")
    bring(first, make_checkout(tmp_path / "two", "1.1"))
    # A package of the system is removed by the system, whose script alone may call.
    monkeypatch.delenv("DPKG_MAINTSCRIPT_PACKAGE", raising=False)
    first.refuse["dpkg-query"] = Done(0, "install ok installed")
    with pytest.raises(InstallError, match="sudo apt remove lifeboard"):
        remove(first)
    monkeypatch.setenv("DPKG_MAINTSCRIPT_PACKAGE", "lifeboard")
    said = remove(first)
    assert first.groups == {"dialout": ["ann"], "gpio": ["ann"]}
    assert "What stays: group gpio, which ann is in" in said
    assert first.places.command.read_text() == "another program"


def cut_often(
    system_of: Callable[[Path], FakeSystem],
    disk: Path,
    act: Callable[[FakeSystem], object],
    check: Callable[[FakeSystem], None],
) -> None:
    """Pull the plug at many steps of an act, each on a computer of its own, until it ends."""
    for number in count():
        system, ended = system_of(disk / f"cut-{number}"), False
        with power_for(STRIDE * number, system.places.root):
            act(system)
            ended = True
        check(system)
        if ended:
            assert number > 3
            return


def bring_or_fail(system: FakeSystem, checkout: Path) -> None:
    try:
        bring(system, checkout)
    except InstallError:
        return


@pytest.mark.parametrize("behaviour", [{}, {"form": 3, "crashes_after_s": 0.5}])
def test_upgrade_that_is_cut_anywhere_leaves_a_board_that_plays(
    tmp_path: Path, disk: Path, behaviour: dict[str, object]
):
    old = make_checkout(tmp_path / "old", "1.0")
    new = make_checkout(tmp_path / "new", "2.0", **behaviour)  # type: ignore[arg-type]
    newest = make_checkout(tmp_path / "newest", "2.1")

    def played(root: Path) -> FakeSystem:
        system = FakeSystem(make_root(root))
        bring(system, old)
        system.play(3)
        return system

    def check(system: FakeSystem) -> None:
        system.reboot()
        assert (system.state, system.kept()) == ("active", {1, 2, 3})
        system.play(1)
        bring(system, newest)
        assert (system.state, current(system)) == ("active", "2.1")
        assert system.kept() == {1, 2, 3, 4}
        assert len(releases(system)) <= 2

    cut_often(played, disk, lambda system: bring_or_fail(system, new), check)


def test_installation_and_removal_that_are_cut_anywhere_can_be_removed(tmp_path: Path, disk: Path):
    one = make_checkout(tmp_path / "one", "1.0")
    bare = tree(make_root(tmp_path / "bare").root)

    def check(system: FakeSystem) -> None:
        remove(system, games=True)
        assert tree(system.places.root) == bare
        assert (system.users, system.enabled) == (set(), False)

    def come_and_go(system: FakeSystem) -> None:
        bring(system, one)
        remove(system, games=True)

    cut_often(lambda root: FakeSystem(make_root(root)), disk, come_and_go, check)


PROGRAM = "import sys\n\ndef main():\n    print('lifeboard', *sys.argv[1:])\n"


def make_wheel(folder: Path) -> Path:
    """Write a small wheel that is called lifeboard."""
    folder.mkdir()
    wheel = folder / "lifeboard-9.1-py3-none-any.whl"
    about = {
        "METADATA": "Metadata-Version: 2.1\nName: lifeboard\nVersion: 9.1\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": "[console_scripts]\nlifeboard = tiny:main\n",
        "RECORD": "",
    }
    with ZipFile(wheel, "w") as file:
        file.writestr("tiny.py", PROGRAM)
        for name, text in about.items():
            file.writestr(f"lifeboard-9.1.dist-info/{name}", text)
    return wheel


def test_release_is_made_from_wheels_alone_by_the_real_pip(tmp_path: Path):
    wheel = make_wheel(tmp_path / "wheels")
    places = Places(tmp_path / "root")
    python = Python(Path(sys.executable), has_pins=False)
    source = find_source(None, wheel.parent, Releases(places))
    release = Releases(places).room_for(source.version)
    Builder(places, ThisMachine(), python, wheel.parent).build(source, release, ("pwm",))
    told = subprocess.run([release.command, "hello"], capture_output=True, text=True, check=True)
    assert told.stdout == "lifeboard hello\n"
    assert release.note() == Note("9.1", str(wheel), ("pwm",))


def test_copy_of_the_checkout_has_all_that_the_distribution_needs():
    source = find_source(str(ROOT), None, Releases(Places(Path("/nowhere"))))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert source.version == settings["project"]["version"]
    with building._room(source) as (copy, scratch):
        for package in settings["tool"]["setuptools"]["packages"]["find"]["include"]:
            assert (copy / package.rstrip("*") / "__init__.py").is_file()
        files = copy / "game/app/service/files"
        assert {each.name for each in files.iterdir()} == {
            each.name for each in (ROOT / "systemd").iterdir()
        }
        assert not any(each.is_symlink() for each in copy.rglob("*"))
    assert not scratch.exists()
