"""The service is brought up to date on a booted machine, goes back by itself, and goes away."""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from game.app.service.places import NAME, UNIT
from tests.helpers.machines.image import image
from tests.helpers.machines.served import PLACES, Served
from tests.helpers.machines.wheels import later

pytestmark = pytest.mark.timeout(600)

GOOD, BROKEN = "99.1", "99.2"
# What a running system writes by itself, and what was the folder of the wheels.
NOT_OURS = (
    "/root/",
    "/run/",
    "/tmp/",
    "/var/cache/",
    "/var/log/",
    "/var/lib/systemd/",
    "/var/tmp/",
)


def release(served: Served, link: str = "current") -> str:
    """Return the name of the release to which a link leads."""
    return os.readlink(served.machine.inside(str(PLACES.home / link))).split("/")[-1]


def bring(served: Served, wheels: Path) -> str:
    """Bring wheels onto the machine, and return where they are."""
    shutil.copytree(wheels, served.machine.inside(f"/root/{wheels.name}"))
    return f"/root/{wheels.name}"


def kill(process: int) -> None:
    """Kill a process and all that it has started."""
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        kill(int(child))
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def interrupt_after_the_switch(served: Served, folder: str) -> None:
    """Begin an upgrade, and kill the installer once the new release is tried out."""
    before = served.unit
    with served.machine.start(["lifeboard", "service", "install", "--wheels", folder]) as installer:
        served.machine.until(
            UNIT,
            lambda unit: (
                unit["InvocationID"] != before["InvocationID"]
                and unit["ActiveState"] in ("activating", "active")
            ),
        )
        kill(installer.pid)
        installer.communicate()
    assert release(served) != release(served, "previous")
    assert served.machine.inside(str(PLACES.home / "on-trial")).exists()


def files(root: Path) -> set[str]:
    """Return all files and folders below a root, as they are named there."""
    found = set()
    disk = os.stat(root).st_dev
    for folder, folders, names in os.walk(root):
        above = "/" + os.path.relpath(folder, root) if folder != str(root) else ""
        here = [f"{above}/{name}" for name in (*folders, *names)]
        found |= {path for path in here if not f"{path}/".startswith(NOT_OURS)}
        folders[:] = [
            name
            for name in folders
            if os.lstat(os.path.join(folder, name)).st_dev == disk
            and not f"{above}/{name}/".startswith((*NOT_OURS, "/proc/", "/sys/", "/dev/"))
        ]
    return found


def test_upgrade_keeps_game_and_settings_and_a_broken_one_goes_back(served: Served):
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    old, settings = release(served), served.machine.inside(str(PLACES.settings)).read_text()
    served.command("install", "--wheels", bring(served, later(GOOD)))
    assert (release(served), release(served, "previous")) == (GOOD, old)
    served.until_move(2)
    assert served.machine.inside(str(PLACES.settings)).read_text() == settings
    served.command("rollback")
    assert release(served) == old
    served.until_move(2)
    broken = bring(served, later(BROKEN, broken=True))
    said = served.command("install", "--wheels", broken, status=1)
    assert "this version is broken" in said
    assert f"{old} runs again" in said
    served.until_move(2)
    # The unit goes back even where the installer was killed.
    interrupt_after_the_switch(served, broken)
    served.until_move(2)
    assert release(served) == old
    assert not served.machine.inside(str(PLACES.home / "on-trial")).exists()


def test_uninstall_leaves_the_games_until_they_are_asked_for(served: Served):
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    served.command("uninstall")
    machine, made = served.machine, image()
    state = str(PLACES.state)
    left = {path for path in files(machine.inside("/")) - files(made) if path != state}
    games = {path for path in left if path.startswith(f"{state}/")}
    assert games
    # Copies that the tools for users and groups keep.
    assert {path for path in left - games if not path.startswith("/etc/.")} <= {
        f"/etc/{name}-" for name in ("passwd", "group", "shadow", "gshadow")
    }
    for name in ("passwd", "group"):
        assert NAME not in machine.inside(f"/etc/{name}").read_text()
    assert machine.unit(UNIT)["LoadState"] == "not-found"
    assert machine.call("systemctl", "--failed", "--quiet", "--no-legend") == ""
