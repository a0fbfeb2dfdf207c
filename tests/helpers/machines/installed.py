"""The disk of a machine on which lifeboard was installed as the guide describes."""

import shutil
from pathlib import Path

from tests.helpers.machines.deb_package import package
from tests.helpers.machines.image import image
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import SETTINGS
from tests.helpers.shared import built_once, shared_folder


def installed() -> Path:
    """Return the disk, made once in a run; what is below it is the image."""
    return built_once("installed-machine", _install)


def _install() -> Path:
    with Machine([image()], shared_folder() / "installed") as machine:
        shutil.copy(package(), machine.inside("/root"))
        machine.call("dpkg", "--install", f"/root/{package().name}")
        machine.write("/etc/lifeboard/lifeboard.toml", SETTINGS)
    return machine.disk
