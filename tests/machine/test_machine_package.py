"""The Debian package on a booted machine: installed, upgraded, rolled back, removed."""

import os
import re
import shutil
from pathlib import Path

import pytest

from game.service.paths import NAME, PROGRAM, UNIT, UPGRADES
from tests.helpers.machines.deb_package import later, package
from tests.helpers.machines.image import image
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import PATHS, SETTINGS, Served
from tests.tools.plugs import package_state

pytestmark = pytest.mark.timeout(600)

GOOD, BROKEN = "99.1", "99.2"
WHY = "this version is broken"
# Written by a running system, and where the tests put packages.
NOT_OURS = (
    "/etc/dpkg/dpkg.cfg.d/",
    "/root/",
    "/run/",
    "/tmp/",
    "/var/cache/",
    "/var/lib/apt/",
    "/var/lib/dpkg/",
    "/var/lib/systemd/",
    "/var/log/",
    "/var/tmp/",
)


@pytest.fixture
def plain(tmp_path):
    """Return a machine without lifeboard, on; its plug is pulled after the test."""
    machine = Machine([image()], tmp_path / "machine")
    machine.boot()
    yield machine
    machine.throw_away()


def broken() -> Path:
    """Return a package whose service ends as soon as it starts."""
    run = "game/service/run.py"
    return later(BROKEN, replaced={run: f'raise SystemExit("{WHY}")\n'})


def apt(machine: Machine, deb: Path, status: int = 0) -> str:
    """Install a package as `make service` does, without a network."""
    shutil.copy(deb, machine.inside("/root"))
    options = ("--yes", "--reinstall", "--allow-downgrades", "--no-install-recommends")
    return machine.call("apt-get", "install", *options, f"/root/{deb.name}", status=status)


def files(root: Path) -> set[str]:
    """Return all files and folders below a root, by their paths there."""
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


def _names(table: Path) -> set[str]:
    return {line.split(":")[0] for line in table.read_text().splitlines()}


def test_upgrade_keeps_game_and_settings_and_rollback_goes_back(served):
    machine = served.machine
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    old = package_state(machine)
    apt(machine, later(GOOD))
    served.until_move(2)
    assert package_state(machine) == f"installed {GOOD}"
    assert machine.call("lifeboard", "--version").strip() == GOOD
    assert machine.inside(str(PATHS.settings)).read_text() == SETTINGS
    assert list(machine.inside(str(PATHS.data)).glob("before-upgrade/*.sqlite3"))
    # Of two at once the second waits for the first, and finds nothing to do.
    back = f"{PROGRAM}/upgrade rollback"
    said = machine.call("sh", "-c", f"{back} 2>&1 & {back} 2>&1; wait")
    assert "whole again" in said
    assert "no version to go back to" in said
    assert package_state(machine) == old
    served.until_move(2)
    assert "no version to go back to" in served.command("rollback", status=1)
    # The same version again, as from a checkout between two releases.
    before = served.unit
    apt(machine, package())
    served.until_another(before)
    served.until_move(2)


def test_broken_upgrade_goes_back_by_itself_also_after_a_power_cut(served):
    machine = served.machine
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    old = package_state(machine)
    assert f"version {BROKEN} does not start" in apt(machine, broken(), status=100)
    served.until_move(2)
    machine.until(
        "lifeboard-upgrade@failed.service", lambda unit: unit["ActiveState"] == "inactive"
    )
    assert package_state(machine) == old
    # Its scripts would report, and continue, if the sandbox refused something.
    reported = machine.call(
        "journalctl", "--no-pager", "--unit", "lifeboard-upgrade@failed.service"
    )
    assert "lifeboard is whole again, from previous.deb" in reported
    assert not re.search("setpriv|cannot be", reported), reported
    # The plug is pulled when the files are in place.
    machine.call("dpkg", "--unpack", f"/root/{broken().name}")
    machine.call("sync")
    machine.kill()
    machine.boot()
    served.until_move(2)
    machine.until(
        "lifeboard-upgrade@cut-short.service", lambda unit: unit["ActiveState"] == "inactive"
    )
    assert package_state(machine) == old
    assert not machine.inside(f"{UPGRADES}/on-trial").exists()


def test_purge_leaves_nothing_but_the_games(plain):
    served = Served(plain)
    apt(plain, package())
    assert served.unit["UnitFileState"] == "enabled"
    plain.write(str(PATHS.settings), SETTINGS)
    served.restart()
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    plain.call("apt-get", "remove", "--yes", NAME)
    assert served.unit["ActiveState"] == "inactive"
    assert plain.inside(str(PATHS.settings)).exists()
    apt(plain, package())
    served.until_move(2)
    plain.call("apt-get", "purge", "--yes", NAME)
    state = str(PATHS.data)
    left = {path for path in files(plain.inside("/")) - files(image()) if path != state}
    games = {path for path in left if path.startswith(f"{state}/")}
    assert any(path.endswith(".sqlite3") for path in games)
    # Copies that the tools for users and groups keep.
    assert {path for path in left - games if not path.startswith("/etc/.")} <= {
        f"/etc/{name}-" for name in ("passwd", "group", "shadow", "gshadow")
    }
    for name in ("passwd", "group"):
        before, after = (root / "etc" / name for root in (image(), plain.inside("/")))
        assert _names(after) == _names(before)
    assert plain.unit(UNIT)["LoadState"] == "not-found"
    assert plain.call("systemctl", "--failed", "--quiet", "--no-legend") == ""
