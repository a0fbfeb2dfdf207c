"""The Debian package on Debian 13, whose Python is that of the Raspberry Pi OS of today."""

import platform
import shutil
from pathlib import Path

import pytest

from tests.helpers.machines.deb_package import newer_package
from tests.helpers.machines.image import newer_image
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import PATHS, SETTINGS, Served

pytestmark = pytest.mark.timeout(600)

LGPIO = ("lgpio.py", f"_lgpio.cpython-313-{platform.machine()}-linux-gnu.so")
HAS_LGPIO = "from game.maker.doctor.system import this_process; print(this_process().lgpio)"


def test_package_built_on_debian_13_plays_there_and_sees_the_lgpio_of_the_system(tmp_path: Path):
    package = newer_package()
    machine = Machine([newer_image()], tmp_path / "machine")
    try:
        machine.boot()
        shutil.copy(package, machine.inside("/root"))
        machine.inside(str(PATHS.settings)).parent.mkdir()
        machine.write(str(PATHS.settings), SETTINGS)
        machine.call("dpkg", "--install", f"/root/{package.name}")
        Served(machine).until_move(1)
        assert machine.call("systemctl", "--failed", "--quiet", "--no-legend") == ""
        look = ("/usr/lib/lifeboard/bin/python3", "-c", HAS_LGPIO)
        assert machine.call(*look).strip() == "False"
        for name in LGPIO:
            machine.write(f"/usr/lib/python3/dist-packages/{name}", "")
        assert machine.call(*look).strip() == "True"
        machine.power_off()
    finally:
        machine.throw_away()
