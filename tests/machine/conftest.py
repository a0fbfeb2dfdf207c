"""Machines on which lifeboard is installed, for the tests of the service under real systemd."""

import pytest

from tests.helpers.machines.deb_package import installed
from tests.helpers.machines.image import image
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import Served


@pytest.fixture
def off(tmp_path):
    """Return a machine with lifeboard, still off; its plug is pulled after the test."""
    machine = Machine([installed(), image()], tmp_path / "machine")
    yield machine
    machine.throw_away()


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """Return the service of a machine that tests of a module share, and must restore."""
    machine = Machine([installed(), image()], tmp_path_factory.mktemp("running") / "machine")
    machine.boot()
    yield Served(machine)
    machine.throw_away()


@pytest.fixture
def served(off):
    """Return the service of a machine that was just switched on."""
    off.boot()
    return Served(off)
