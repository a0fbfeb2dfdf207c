"""The Debian package on a booted machine: in, up, and out again."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from game.app.service.places import UNIT
from tests.helpers.machines.deb_package import build_deb, package, source, wheels
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import PLACES, SETTINGS, Served

pytestmark = pytest.mark.timeout(600)

LATER = "99.1"


@pytest.fixture
def plain(bare: Callable[[], Machine]) -> Iterator[Machine]:
    """Give a machine without lifeboard, on; it is off again after the test."""
    machine = bare()
    try:
        machine.boot()
        yield machine
        machine.power_off()
    finally:
        machine.throw_away()


def bring(machine: Machine, deb: Path) -> str:
    """Bring a package onto a machine, and return where it is."""
    shutil.copy(deb, machine.inside("/root"))
    return f"/root/{deb.name}"


def test_package_installs_upgrades_and_goes_away(plain: Machine, tmp_path: Path):
    plain.call("dpkg", "--install", bring(plain, package()))
    served = Served(plain)
    assert served.unit["UnitFileState"] == "enabled"
    plain.write(str(PLACES.settings), SETTINGS)
    plain.call("systemctl", "restart", UNIT)
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    newer = shutil.copytree(source(), tmp_path / "source", symlinks=True)
    deb = build_deb(newer, tmp_path, version=LATER, wheels=wheels())
    plain.call("dpkg", "--install", bring(plain, deb))
    served.until_move(2)
    assert plain.call("lifeboard", "--version").strip() == LATER
    assert plain.inside(str(PLACES.settings)).read_text() == SETTINGS
    assert "sudo apt remove lifeboard" in served.command("uninstall", status=1)
    plain.call("dpkg", "--purge", "lifeboard")
    assert plain.unit(UNIT)["LoadState"] == "not-found"
    assert not plain.inside(str(PLACES.home)).exists()
    assert not plain.inside(str(PLACES.settings_folder)).exists()
    # What people made stays.
    assert list(plain.inside(str(PLACES.state)).glob("*.sqlite3"))
