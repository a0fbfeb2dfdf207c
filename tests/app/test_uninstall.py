"""Removing the service leaves nothing but the games, or what is to stay for a return."""

import os
from pathlib import Path

import pytest

from game.app.service.places import UNIT
from game.app.service.setup.install import InstallOptions, install
from game.app.service.setup.systemctl import Done, InstallError
from game.app.service.setup.uninstall import UninstallOptions, uninstall
from tests.helpers.programs.fake_system import FakeSystem, kept_in, make_checkout, make_root, tree


@pytest.fixture
def system(tmp_path: Path) -> FakeSystem:
    """A computer with an upgraded service that has played and learnt."""
    system = FakeSystem(make_root(tmp_path / "root"))
    for version in ("1.0", "1.1"):
        checkout = make_checkout(
            tmp_path / version, version, files={"lifeboard-pixels.socket": "socket"}
        )
        install(InstallOptions(source=str(checkout)), system.places, system, lambda _: None)
    system.play(3)
    for name in ("pin.json", "board.toml", "board-pi-x.json", "lifeboard.lock"):
        (system.places.state / name).write_text(name)
    return system


def remove(system: FakeSystem, **options: bool) -> list[str]:
    said: list[str] = []
    assert uninstall(UninstallOptions(**options), system.places, system, said.append) == 0
    return said


def test_nothing_stays_but_games_and_what_was_learnt(system: FakeSystem, tmp_path: Path):
    said = remove(system)
    places = system.places
    assert (system.state, system.enabled) == ("inactive", False)
    assert {each.name for each in places.state.iterdir()} >= {
        *("games.sqlite3", "board.toml", "board-pi-x.json", "before-upgrade")
    }
    assert not (places.state / "pin.json").exists()
    assert not (places.state / "lifeboard.lock").exists()
    assert kept_in(system.file) == {1, 2, 3}
    assert any(str(places.state) in line for line in said)
    for path in sorted(places.state.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    places.state.rmdir()
    assert tree(places.root) == tree(make_root(tmp_path / "bare").root)
    assert (system.users, system.groups) == (set(), {"dialout": ["ann"]})


def test_games_go_when_asked(system: FakeSystem, tmp_path: Path):
    remove(system, games=True)
    assert tree(system.places.root) == tree(make_root(tmp_path / "bare").root)


def test_games_that_were_left_go_when_asked_later(system: FakeSystem, tmp_path: Path):
    remove(system)
    remove(system, games=True)
    assert tree(system.places.root) == tree(make_root(tmp_path / "bare").root)


def test_removal_is_repeatable(system: FakeSystem):
    remove(system)
    assert remove(system) == ["lifeboard is not installed as a service."]


def test_settings_data_and_user_stay_for_a_return(system: FakeSystem, tmp_path: Path):
    system.places.settings.write_text("# mine\n")
    before = tree(system.places.state)
    remove(system, keep_settings=True)
    assert system.places.settings.read_text() == "# mine\n"
    assert tree(system.places.state) == before
    assert system.users == {"lifeboard"}
    assert not system.places.home.exists()
    assert not (system.places.units / UNIT).exists()
    one = str(tmp_path / "1.0")
    install(InstallOptions(source=one), system.places, system, lambda _: None)
    assert system.places.settings.read_text() == "# mine\n"
    assert (system.state, system.kept()) == ("active", {1, 2, 3})


def test_groups_that_others_use_or_had_stay(system: FakeSystem):
    system.groups["gpio"].append("ann")
    said = remove(system)
    assert system.groups == {"dialout": ["ann"], "gpio": ["ann"]}
    assert "What stays: group gpio, which ann is in" in said


def test_user_that_cannot_be_removed_is_told_of(system: FakeSystem):
    system.refuse["userdel"] = Done(8, err="userdel: user lifeboard is used by process 7")
    assert any("used by process 7" in line for line in remove(system))
    assert not system.places.home.exists()


def test_socket_is_stopped_before_services(system: FakeSystem):
    remove(system)
    stops = [line for line in system.ran if line.startswith("systemctl stop")]
    assert stops[-3:] == [
        "systemctl stop lifeboard-pixels.socket",
        "systemctl stop lifeboard-rollback.service",
        "systemctl stop lifeboard.service",
    ]


def test_package_of_the_system_is_left_to_the_system(
    system: FakeSystem, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("DPKG_MAINTSCRIPT_PACKAGE", raising=False)
    system.refuse["dpkg-query"] = Done(0, "install ok installed")
    for options in ({}, {"games": True}, {"keep_settings": True}):
        with pytest.raises(InstallError, match="sudo apt remove lifeboard"):
            remove(system, **options)
    assert system.state == "active"
    # Its own script is what apt calls.
    monkeypatch.setenv("DPKG_MAINTSCRIPT_PACKAGE", "lifeboard")
    remove(system, keep_settings=True)
    assert system.state == "inactive"


def test_package_that_was_removed_before_is_in_nobodys_way(system: FakeSystem):
    system.refuse["dpkg-query"] = Done(0, "deinstall ok config-files")
    remove(system)
    assert system.state == "inactive"


def test_files_of_others_stay(system: FakeSystem):
    other = system.places.root / "usr/local/lib/systemd/catalog/other.catalog"
    other.write_text("other")
    system.places.command.unlink()
    system.places.command.write_text("another program")
    remove(system)
    assert other.exists()
    assert system.places.command.exists()


def test_links_in_the_data_folder_are_not_followed(
    system: FakeSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    outside = tmp_path / "outside"
    outside.write_text("x")
    (system.places.state / "before-upgrade" / "link").symlink_to(outside)
    changed: list[bool] = []
    monkeypatch.setattr(
        os, "chown", lambda *_, follow_symlinks=True, **__: changed.append(follow_symlinks)
    )
    remove(system)
    assert changed.count(False) >= 3


def test_both_wishes_at_once_and_no_rights_are_refused(
    system: FakeSystem, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(InstallError, match="choose one"):
        remove(system, games=True, keep_settings=True)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(InstallError, match="sudo lifeboard service uninstall"):
        uninstall(UninstallOptions())
