"""Machines on which lifeboard is installed, for the tests of the service under real systemd."""

import shutil
from pathlib import Path

import pytest

from tests.helpers.machines.deb_package import package
from tests.helpers.machines.image import image
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import SETTINGS, Served
from tests.helpers.shared import built_once, shared_folder


@pytest.fixture(scope="session")
def installed():
    """Return the disk of a machine on which lifeboard was installed as the guide describes."""
    return built_once("installed-machine", _install)


def _install() -> Path:
    with Machine([image()], shared_folder() / "installed") as machine:
        shutil.copy(package(), machine.inside("/root"))
        machine.call("dpkg", "--install", f"/root/{package().name}")
        machine.write("/etc/lifeboard/lifeboard.toml", SETTINGS)
    return machine.disk


@pytest.fixture
def off(installed, tmp_path):
    """Return a machine with lifeboard, still off; its plug is pulled after the test."""
    machine = Machine([installed, image()], tmp_path / "machine")
    yield machine
    machine.throw_away()


@pytest.fixture(scope="module")
def running(installed, tmp_path_factory):
    """Return the service of a machine that tests of a module share, and must restore."""
    machine = Machine([installed, image()], tmp_path_factory.mktemp("running") / "machine")
    machine.boot()
    yield Served(machine)
    machine.throw_away()


@pytest.fixture
def served(off):
    """Return the service of a machine that was just switched on."""
    off.boot()
    return Served(off)
