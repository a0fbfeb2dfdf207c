"""Updates from a USB stick, and with power cuts; those by the page are tested with the package."""

import shutil
import subprocess

import pytest

from game.service.paths import PROGRAM, UNIT, UPGRADES
from game.service.signed_package import SIGNERS
from game.service.updates import STICK_DEVICE
from tests.helpers.machines.cut_disk import CutDisk
from tests.helpers.machines.deb_package import later, package, signed
from tests.tools.plugs import begin_update, package_state, playing, pull

pytestmark = pytest.mark.timeout(600)

GOOD = "99.1"


@pytest.fixture
def stick(tmp_path):
    """Return the folder and the device of a disk that stands in for a USB stick."""
    image, folder = tmp_path / "stick", tmp_path / "folder"
    (folder / "lifeboard").mkdir(parents=True)
    subprocess.run(["truncate", "--size=32M", image], check=True)
    found = subprocess.run(["losetup", "--find", "--show", image], check=True, capture_output=True)
    device = found.stdout.decode().strip()
    yield folder, device
    subprocess.run(["losetup", "--detach", device], check=True)


def test_package_comes_from_a_stick_that_is_mounted_while_it_is_read(served, stick):
    served.until_move(1)
    folder, device = stick
    # The machine is made without the device by which systemd mounts on demand.
    served.machine.call("mknod", "/dev/autofs", "c", "10", "235")
    served.machine.call("systemctl", "daemon-reexec")
    served.machine.call("systemctl", "start", "run-lifeboard_stick.automount")
    good, signer = signed(later(GOOD))
    served.machine.write(str(SIGNERS), signer)
    assert served.update("/check?stick")["text"] == "No USB stick is plugged into the board."
    numbers = subprocess.run(["stat", "-c", "%Hr %Lr", device], check=True, capture_output=True)
    make = ("mknod", str(STICK_DEVICE), "b", *numbers.stdout.decode().split())
    for key, shown in (("text", "has no package"), ("version", GOOD)):
        if key == "version":
            shutil.copy(good, folder / "lifeboard/lifeboard_99.1.deb")
        subprocess.run(["mkfs.ext4", "-q", "-F", "-d", folder, device], check=True)
        if not served.machine.inside(str(STICK_DEVICE)).exists():
            served.machine.call(*make)
        assert shown in served.update("/check?stick")[key]
        served.machine.until("run-lifeboard_stick.mount", lambda u: u["ActiveState"] == "inactive")


def test_power_cut_in_an_update_leaves_a_version_that_plays(tmp_path):
    old, new = package().name.split("_")[1], later(GOOD)
    with CutDisk(tmp_path) as disk, playing(disk) as served:
        here = served.machine.inside
        moments = (
            lambda: here(f"{UPGRADES}/tree").exists(),
            lambda: here(f"{PROGRAM}/upgrade.dpkg-new").exists(),
            lambda: package_state(served.machine) == f"half-configured {GOOD}",
        )
        for moment in moments:
            begin_update(served, new)
            served.machine.until(UNIT, lambda _, moment=moment: moment())
            pull(served, disk, old, GOOD)
