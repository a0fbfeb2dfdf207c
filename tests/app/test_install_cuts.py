"""The plug is pulled at every step of installing, upgrading and removing the service."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from game.app.service.places import UNIT, Places
from game.app.service.setup.install import InstallOptions, install, roll_back
from game.app.service.setup.releases import Releases
from game.app.service.setup.systemctl import InstallError
from game.app.service.setup.trial import trial_of
from game.app.service.setup.uninstall import UninstallOptions, uninstall
from tests.helpers.programs.fake_system import (
    PLUG,
    FakeSystem,
    PowerCut,
    kept_in,
    make_checkout,
    make_root,
    power_for,
    tree,
)

MOVES = 3


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for no disk: what is cut is what is done to it, not what it has in its cache."""
    monkeypatch.setattr(os, "sync", lambda: None)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def disk() -> Iterator[Path]:
    """Give a folder in memory where there is one: SQLite waits for real disks."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


def bring(system: FakeSystem, checkout: Path) -> None:
    install(InstallOptions(source=str(checkout)), system.places, system, lambda _: None)


def bring_or_fail(system: FakeSystem, checkout: Path) -> None:
    try:
        bring(system, checkout)
    except InstallError:
        return


def every_step(work: Callable[[int], int | None], steps: int = 0) -> int:
    """Do some work with ever more power, until it is enough; return how many steps it takes.

    `work` returns how many steps were done, None if it came to its end.
    """
    while work(steps) is not None:
        steps += 1
    return steps


def new_computer(folder: Path, number: int, like: Path | None = None) -> FakeSystem:
    root = folder / f"root-{number}"
    if like is None:
        return FakeSystem(make_root(root))
    shutil.copytree(like, root, symlinks=True)
    # Nothing but the command's link and the list of our files tells where they are.
    places = Places(root)
    for file in (places.home / "files.json",):
        file.write_text(file.read_text().replace(str(like), str(root)))
    places.command.unlink()
    places.command.symlink_to(places.current / "bin" / "lifeboard")
    return FakeSystem(places)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root on which 1.1 came after 1.0, and moves were played."""
    folder = tmp_path_factory.mktemp("played")
    system = FakeSystem(make_root(folder / "root"))
    for version in ("1.0", "1.1"):
        bring(system, make_checkout(folder / version, version))
    system.play(MOVES)
    return folder / "root"


def taken_up(folder: Path, number: int, played: Path) -> FakeSystem:
    system = new_computer(folder, number, played)
    system.enabled, system.moves = True, MOVES
    system._sysusers([str(system.places.root / "etc/sysusers.d/lifeboard.conf")])
    system._start([UNIT])
    return system


def assert_whole(system: FakeSystem) -> None:
    """What runs is a whole release with its own unit, and has all games."""
    places = system.places
    current = Releases(places).current
    assert current is not None
    assert system.state == "active"
    assert (places.units / UNIT).exists()
    assert system.kept() == set(range(1, system.moves + 1))


def assert_settled(system: FakeSystem) -> None:
    """Nothing is left of what was cut short."""
    places = system.places
    assert_whole(system)
    current = Releases(places).current
    assert current is not None
    version = current.note().version
    assert (places.units / UNIT).read_text() == f"unit of {version}"
    trial = trial_of(places)
    assert trial is None or trial.passed
    assert all(each.complete for each in Releases(places).all())
    assert len(Releases(places).all()) <= 2
    left = {each.name for each in places.home.iterdir()}
    assert left <= {
        *("releases", "current", "previous", ".lock", "files.json", "groups-made", "installed"),
        *(("on-trial",) if trial is not None else ()),
    }


BEHAVIOURS = {
    "good": {},
    "falls over": {"crashes_after_s": 0.5},
    "changes the games": {"form": 3},
    "changes the games and does not start": {"form": 3, "comes_up": False},
}


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_upgrade_that_is_cut_anywhere_leaves_a_board_that_plays(
    tmp_path: Path, disk: Path, played: Path, behaviour: str
):
    new = make_checkout(tmp_path / "new", "2.0", **BEHAVIOURS[behaviour])  # type: ignore[arg-type]
    form = 3 if behaviour == "changes the games" else 2
    newest = make_checkout(tmp_path / "newest", "2.1", form=form)

    def work(steps: int) -> int | None:
        system = taken_up(disk, steps, played)
        cut = True
        with power_for(steps, system.places.root) as plug:
            bring_or_fail(system, new)
            cut = False
        done = plug.done if cut else None
        system.reboot()
        assert_whole(system)
        system.play(1)
        bring(system, newest)
        assert_settled(system)
        shutil.rmtree(system.places.root)
        return done

    # How a release is made has nothing to do with how it behaves.
    built = 0 if behaviour == "good" else steps_until(taken_up(disk, 0, played), new, "check")
    assert every_step(work, built) > built + 30


def steps_until(system: FakeSystem, checkout: Path, command: str) -> int:
    """Count the steps that an installation takes until it runs a command."""
    reached: list[int] = []
    system.at = lambda line: reached.append(PLUG.done) if command in line else None
    with power_for(10_000, system.places.root):
        bring_or_fail(system, checkout)
    shutil.rmtree(system.places.root)
    return reached[0]


def test_rollback_that_is_cut_anywhere_leaves_a_board_that_plays(disk: Path, played: Path):
    def work(steps: int) -> int | None:
        system = taken_up(disk, steps, played)
        cut = True
        with power_for(steps, system.places.root) as plug:
            roll_back(places=system.places, machine=system, report=lambda _: None)
            cut = False
        done = plug.done if cut else None
        system.reboot()
        assert_whole(system)
        roll_back(places=system.places, machine=system, report=lambda _: None)
        assert_settled(system)
        shutil.rmtree(system.places.root)
        return done

    assert every_step(work) > 10


def test_going_back_that_is_cut_anywhere_is_done_again(tmp_path: Path, disk: Path, played: Path):
    """The release on trial falls over, and the power goes while the old one is fetched."""
    new = make_checkout(tmp_path / "new", "2.0", form=3, crashes_after_s=2.0)

    def on_trial(number: int) -> FakeSystem:
        system = taken_up(disk, number, played)

        def die(line: str) -> None:
            if line.startswith("systemctl start"):
                raise PowerCut

        system.at = die
        with pytest.raises(PowerCut):
            bring(system, new)
        system.at = None
        return system

    def work(steps: int) -> int | None:
        system = on_trial(steps)
        cut = True
        with power_for(steps, system.places.root) as plug:
            system.reboot()
            system.pause(2.0)
            system.give_up()
            cut = False
        done = plug.done if cut else None
        system.reboot()
        system.pause(2.0)
        system.give_up()
        assert_whole(system)
        assert os.readlink(system.places.current) == "releases/1.1"
        roll_back(places=system.places, machine=system, report=lambda _: None)
        assert_whole(system)
        assert not (system.places.home / "on-trial").exists()
        shutil.rmtree(system.places.root)
        return done

    assert every_step(work) > 10


def test_going_back_after_the_installer_is_cut_anywhere_and_is_done_again(
    tmp_path: Path, disk: Path, played: Path
):
    """The release falls over when its installer has ended well."""
    new = make_checkout(tmp_path / "new", "2.0", form=3, crashes_after_s=8.0)
    newest = make_checkout(tmp_path / "newest", "2.1")

    def work(steps: int) -> int | None:
        system = taken_up(disk, steps, played)
        bring(system, new)
        system.pause(8.0)
        assert system.state == "failed"
        cut = True
        with power_for(steps, system.places.root) as plug:
            system.give_up()
            cut = False
        done = plug.done if cut else None
        system.reboot()
        system.pause(8.0)
        system.give_up()
        assert_whole(system)
        assert os.readlink(system.places.current) == "releases/1.1"
        bring(system, newest)
        assert_settled(system)
        shutil.rmtree(system.places.root)
        return done

    assert every_step(work) > 10


def test_first_installation_that_is_cut_anywhere_is_done_again(tmp_path: Path, disk: Path):
    one = make_checkout(tmp_path / "one", "1.0")

    def work(steps: int) -> int | None:
        system = new_computer(disk, steps)
        cut = True
        with power_for(steps, system.places.root) as plug:
            bring(system, one)
            cut = False
        done = plug.done if cut else None
        system.reboot()
        bring(system, one)
        assert system.enabled
        assert_settled(system)
        shutil.rmtree(system.places.root)
        return done

    assert every_step(work) > 30


def test_removal_that_is_cut_anywhere_is_done_again_and_leaves_nothing(
    tmp_path: Path, disk: Path, played: Path
):
    bare = tree(make_root(tmp_path / "bare").root)

    def work(steps: int) -> int | None:
        system = taken_up(disk, steps, played)
        cut = True
        with power_for(steps, system.places.root) as plug:
            remove(system, games=True)
            cut = False
        done = plug.done if cut else None
        remove(system, games=True)
        assert tree(system.places.root) == bare
        assert (system.users, system.groups) == (set(), {"dialout": ["ann"]})
        shutil.rmtree(system.places.root)
        return done

    assert every_step(work) > 10


def remove(system: FakeSystem, *, games: bool) -> None:
    uninstall(UninstallOptions(games=games), system.places, system, lambda _: None)


@pytest.mark.parametrize("games", [True, False])
def test_installation_that_was_cut_anywhere_can_be_removed(tmp_path: Path, disk: Path, games: bool):
    one = make_checkout(tmp_path / "one", "1.0")
    bare = tree(make_root(tmp_path / "bare").root)

    def work(steps: int) -> int | None:
        system = new_computer(disk, steps)
        cut = True
        with power_for(steps, system.places.root) as plug:
            bring(system, one)
            system.play(MOVES)
            cut = False
        remove(system, games=games)
        games_file = system.places.state / "games.sqlite3"
        if not games and games_file.exists():
            assert kept_in(games_file) <= set(range(1, MOVES + 1))
            shutil.rmtree(system.places.state)
        assert tree(system.places.root) == bare
        assert (system.users, system.enabled) == (set(), False)
        shutil.rmtree(system.places.root)
        return plug.done if cut else None

    assert every_step(work) > 30


def test_the_plug_can_be_pulled(tmp_path: Path):
    system = FakeSystem(make_root(tmp_path / "root"))
    with power_for(3, system.places.root) as plug:
        bring(system, make_checkout(tmp_path / "one", "1.0"))
        pytest.fail("there was power enough")
    assert plug.done == 3
    assert Releases(system.places).current is None
