"""The Debian package on a booted machine: installed, upgraded, rolled back, removed."""

import os
import re
import shutil
from pathlib import Path

import pytest

from game.service.paths import NAME, PROGRAM, UNIT
from game.service.signed_package import SIGNERS
from tests.helpers.machines.deb_package import later, package, signed
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


def broken() -> Path:
    """Return a package whose service ends as soon as it starts."""
    return later(BROKEN, replaced={"game/service/run.py": f'raise SystemExit("{WHY}")\n'})


def apt(machine: Machine, deb: Path, status: int = 0) -> str:
    """Install a package as `make service` does, without a network."""
    shutil.copy(deb, machine.inside("/root"))
    options = ("--yes", "--reinstall", "--allow-downgrades", "--no-install-recommends")
    return machine.call("apt-get", "install", *options, f"/root/{deb.name}", status=status)


def trust(served: Served, signer: str) -> None:
    """Let the installed version accept packages of the tests' key."""
    served.machine.write(str(SIGNERS), signer)


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


def test_versions_by_apt_and_by_the_page_keep_the_game_and_broken_ones_go_back(served):
    machine = served.machine
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    old = package_state(machine)
    # One by apt that does not start goes back by itself.
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
    # The page installs only what is signed, and nothing older.
    good, signer = signed(later(GOOD))
    assert served.upload(good)["text"].startswith("The package was changed, or is not signed by")
    trust(served, signer)
    offer = served.upload(good)
    assert offer["version"] == GOOD
    assert offer["changes"][0].startswith("Circle of Life, ")
    served.install()
    served.until_move(2)
    assert served.update("")["text"] == f"Version {GOOD} runs."
    assert package_state(machine) == f"installed {GOOD}"
    assert machine.call("lifeboard", "--version").strip() == GOOD
    assert machine.inside(str(PATHS.settings)).read_text() == SETTINGS
    assert list(machine.inside(str(PATHS.data)).glob("before-upgrade/*.sqlite3"))
    trust(served, signer)
    assert "is older than version" in served.upload(signed(package())[0])["text"]
    # Of two rollbacks at once the second waits for the first, and finds nothing to do.
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
    # One by the page that does not start goes back, too.
    trust(served, signer)
    assert served.upload(signed(broken())[0])["version"] == BROKEN
    served.install()
    served.until_move(2)
    assert served.update("") == {
        "busy": False,
        "text": f"Version {BROKEN} did not run. Version {old.split()[1]} is back.",
    }
    # What the service offers is not what was checked.
    trust(served, signer)
    assert served.upload(good)["version"] == GOOD
    (machine.disk / "var/lib/lifeboard/update.deb").write_bytes(good.read_bytes()[:-1])
    served.install()
    assert "cut short" in machine.call("journalctl", "--unit", "lifeboard-upgrade@install")
    served.until_move(2)


def test_purge_leaves_nothing_but_the_games(served):
    machine = served.machine
    assert served.unit["UnitFileState"] == "enabled"
    served.until_move(1)
    served.play("e5")
    served.until_move(2)
    machine.call("apt-get", "remove", "--yes", NAME)
    assert served.unit["ActiveState"] == "inactive"
    assert machine.inside(str(PATHS.settings)).exists()
    apt(machine, package())
    served.until_move(2)
    machine.call("apt-get", "purge", "--yes", NAME)
    state = str(PATHS.data)
    left = {path for path in files(machine.inside("/")) - files(image()) if path != state}
    games = {path for path in left if path.startswith(f"{state}/")}
    assert any(path.endswith(".sqlite3") for path in games)
    # Copies that the tools for users and groups keep.
    assert {path for path in left - games if not path.startswith("/etc/.")} <= {
        f"/etc/{name}-" for name in ("passwd", "group", "shadow", "gshadow")
    }
    for name in ("passwd", "group"):
        before, after = (root / "etc" / name for root in (image(), machine.inside("/")))
        assert _names(after) == _names(before)
    assert machine.unit(UNIT)["LoadState"] == "not-found"
    assert machine.call("systemctl", "--failed", "--quiet", "--no-legend") == ""
