"""A release is made by the real venv and pip, without a network."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from game.app.service.places import Places
from game.app.service.setup import building
from game.app.service.setup.building import Builder, Python, find_python, find_source
from game.app.service.setup.releases import Note, Release, Releases
from game.app.service.setup.systemctl import Done, InstallError, ThisMachine

ROOT = Path(__file__).parents[2]
PROGRAM = "import sys\n\ndef main():\n    print('lifeboard', *sys.argv[1:])\n    return {status}\n"


def make_wheel(folder: Path, version: str, *, requires: str = "", status: int = 0) -> Path:
    """Write a small wheel that is called lifeboard."""
    folder.mkdir(exist_ok=True)
    wheel = folder / f"lifeboard-{version}-py3-none-any.whl"
    about = f"lifeboard-{version}.dist-info"
    with ZipFile(wheel, "w") as file:
        file.writestr("tiny.py", PROGRAM.format(status=status))
        metadata = f"Metadata-Version: 2.1\nName: lifeboard\nVersion: {version}\n"
        file.writestr(f"{about}/METADATA", metadata + requires)
        file.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{about}/entry_points.txt", "[console_scripts]\nlifeboard = tiny:main\n")
        file.writestr(f"{about}/RECORD", "")
    return wheel


class Installed:
    """A distribution that has a `direct_url.json`, or none."""

    def __init__(self, told: str | None) -> None:
        self._told = told

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self._told


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "root")


def builder(places: Places, wheels: Path) -> Builder:
    return Builder(places, ThisMachine(), Python(Path(sys.executable), has_pins=False), wheels)


def test_release_is_made_from_wheels_alone_and_compiled(places: Places, tmp_path: Path):
    wheels = tmp_path / "wheels"
    make_wheel(wheels, "9.1")
    releases = Releases(places)
    source = find_source(None, wheels, releases)
    release = releases.room_for(source.version)
    builder(places, wheels).build(source, release, ("pwm",))
    told = subprocess.run([release.command, "hello"], capture_output=True, text=True, check=True)
    assert told.stdout == "lifeboard hello\n"
    assert release.note() == Note("9.1", str(wheels / "lifeboard-9.1-py3-none-any.whl"), ("pwm",))
    assert list(release.folder.glob("lib/python3*/site-packages/__pycache__/tiny.*.pyc"))
    assert releases.room_for("9.1").name == "9.1-2"


@pytest.mark.parametrize(
    ("wheel", "message"),
    [
        ({"requires": "Requires-Dist: no-such-thing\n"}, "from .*wheels: .*no-such-thing"),
        ({"status": 3}, "the new release does not run"),
    ],
)
def test_release_that_cannot_be_made_leaves_nothing(
    places: Places, tmp_path: Path, wheel: dict[str, str], message: str
):
    wheels = tmp_path / "wheels"
    make_wheel(wheels, "9.1", **wheel)  # type: ignore[arg-type]
    releases = Releases(places)
    source = find_source(None, wheels, releases)
    with pytest.raises(InstallError, match=message):
        builder(places, wheels).build(source, releases.room_for("9.1"), ())
    assert list(places.releases.iterdir()) == []


def test_copy_of_the_checkout_has_all_that_the_distribution_needs():
    source = find_source(str(ROOT), None, Releases(Places(Path("/nowhere"))))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert source.version == project["version"]
    with building._room(source) as (copy, scratch):
        for name in (project["readme"], *project["license-files"], "pyproject.toml"):
            assert (copy / name).is_file()
        files = copy / "game/app/service/files"
        assert {each.name for each in files.iterdir()} == {
            each.name for each in (ROOT / "systemd").iterdir()
        }
        assert not any(each.is_symlink() for each in copy.rglob("*"))
        assert not list(copy.rglob("__pycache__"))
        assert (copy / "hal/boards/hexagon-61.toml").is_file()
    assert not scratch.exists()


def test_copy_of_a_checkout_has_every_package_of_the_distribution():
    source = find_source(str(ROOT), None, Releases(Places(Path("/nowhere"))))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = settings["tool"]["setuptools"]["packages"]["find"]["include"]
    with building._room(source) as (copy, _):
        for package in packages:
            assert (copy / package.rstrip("*") / "__init__.py").is_file()


def test_lifeboard_of_a_checkout_comes_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    releases = Releases(Places(tmp_path))
    told = {"url": f"file://{ROOT}", "dir_info": {"editable": True}}
    monkeypatch.setattr(building, "distribution", lambda _: Installed(json.dumps(told)))
    assert find_source(None, None, releases).path == ROOT
    monkeypatch.setattr(building, "distribution", lambda _: Installed(None))
    with pytest.raises(InstallError, match="not known; name it"):
        find_source(None, None, releases)
    gone = json.dumps({"url": "file:///no/such%20place"})
    monkeypatch.setattr(building, "distribution", lambda _: Installed(gone))
    with pytest.raises(InstallError, match=r"/no/such place, where .* not there any more"):
        find_source(None, None, releases)


def test_installed_lifeboard_comes_from_where_its_release_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    places = Places(tmp_path)
    release = Release(places.releases / "1.0")
    release.folder.mkdir(parents=True)
    release.finish(Note("1.0", str(ROOT)))
    monkeypatch.setattr(sys, "prefix", str(release.folder))
    assert find_source(None, None, Releases(places)).path == ROOT


def test_this_python_can_carry_a_release_unless_it_is_hidden(monkeypatch: pytest.MonkeyPatch):
    program = Path(sys.executable)
    monkeypatch.setattr(building, "HIDDEN", ())
    found = find_python(program, ThisMachine()).program
    assert os.path.samefile(found, program)
    monkeypatch.setattr(building, "HIDDEN", ("/",))
    with pytest.raises(InstallError, match="/ is hidden from the service"):
        find_python(program, ThisMachine())


def test_command_that_is_not_there_or_fails_is_told_of(tmp_path: Path):
    machine = ThisMachine()
    assert machine.run(["/no/such/program"]).status == 127
    assert machine.run([str(tmp_path)]).status == 126
    assert machine.run(["sh", "-c", "echo a; echo b >&2; exit 4"]) == Done(4, "a\n", "b\n")
    assert Done(4, "a\nb\n").told == "b"
    assert Done(4).told == "it ended with status 4"


def test_uptime_does_not_go_back_and_a_boot_has_a_name():
    machine = ThisMachine()
    assert 0 < machine.uptime_s() <= machine.uptime_s()
    assert machine.boot() == machine.boot() != ""
