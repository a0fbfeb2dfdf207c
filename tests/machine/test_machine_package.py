"""The Debian package on a booted machine: in, up, and out again."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from game.app.service.places import UNIT
from tests.helpers.machines.deb_package import build_deb
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import PLACES, SETTINGS, Served
from tests.helpers.machines.wheels import Wheels

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


def bring(machine: Machine, wheels: Wheels, here: Path, version: str | None = None) -> str:
    """Build the package, bring it onto a machine, and return where it is.

    What the one brought before had from elsewhere is not fetched again.
    """
    source, packages = here / f"source-{version}", here / "packages"
    shutil.copytree(wheels.source, source, symlinks=True)
    known = None
    for before in packages.glob("*.deb"):
        subprocess.run(["dpkg-deb", "--extract", before, here / "before"], check=True)
        known = here / "before/usr/share/lifeboard/wheels"
    package = build_deb(source, packages, version=version, wheels=known)
    shutil.copy(package, machine.inside("/root"))
    return f"/root/{package.name}"


def test_package_installs_upgrades_and_goes_away(plain: Machine, wheels: Wheels, tmp_path: Path):
    plain.call("dpkg", "--install", bring(plain, wheels, tmp_path))
    served = Served(plain)
    assert served.unit["UnitFileState"] == "enabled"
    plain.write(str(PLACES.settings), SETTINGS)
    plain.call("systemctl", "restart", UNIT)
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    plain.call("dpkg", "--install", bring(plain, wheels, tmp_path, LATER))
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
