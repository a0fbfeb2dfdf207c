"""Machines on which lifeboard is installed, for the tests of the service under real systemd."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.helpers.machines.image import image
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import SETTINGS, Served
from tests.helpers.machines.wheels import Wheels


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wheels]:
    here = tmp_path_factory.mktemp("wheels")
    yield Wheels(here)
    shutil.rmtree(here)


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Machine]:
    """Give machines without lifeboard, off."""
    return lambda: Machine([image()], tmp_path_factory.mktemp("machine"))


@pytest.fixture(scope="session")
def installed(bare: Callable[[], Machine], wheels: Wheels) -> Iterator[Path]:
    """Give the disk of a machine on which lifeboard was installed as the guide says."""
    with bare() as machine:
        shutil.copytree(wheels.folder, machine.inside("/root/wheels"))
        machine.call("python3", "-m", "venv", "/root/lifeboard")
        machine.call(
            *("/root/lifeboard/bin/pip", "install", "--quiet", "--no-index"),
            *("--find-links", "/root/wheels", "lifeboard"),
        )
        machine.call(
            *("/root/lifeboard/bin/lifeboard", "service", "install"),
            *("--wheels", "/root/wheels"),
        )
        machine.call("rm", "-r", "/root/lifeboard")
        machine.write("/etc/lifeboard/lifeboard.toml", SETTINGS)
    yield machine.disk
    machine.throw_away()


@pytest.fixture
def off(installed: Path, tmp_path: Path) -> Iterator[Machine]:
    """Give a machine with lifeboard, still off; it is off again after the test."""
    machine = Machine([installed, image()], tmp_path / "machine")
    try:
        yield machine
        machine.power_off()
    finally:
        machine.throw_away()


@pytest.fixture
def served(off: Machine) -> Served:
    """Give the service of a machine that was just switched on."""
    off.boot()
    return Served(off)
