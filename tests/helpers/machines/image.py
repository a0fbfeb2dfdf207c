"""The Debian system from which machines are booted.

Owns how it is made. Must not know what is tested in it.
"""

import shutil
import subprocess
from pathlib import Path

from tests.helpers.cached import cached

SUITE = "bookworm"
PACKAGES = (
    "ca-certificates",
    "dbus",
    "python3",
    "python3-venv",
    "systemd",
    # Machines are booted by what they bring themselves, so that the host need not have it.
    "systemd-container",
    "systemd-sysv",
    "udev",
)
_TRIES = 2


def image() -> Path:
    """Return the image."""
    return cached(SUITE, PACKAGES, _fill)


def _fill(root: Path) -> None:
    command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE]
    for rest in reversed(range(_TRIES)):
        done = subprocess.run([*command, str(root)], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        if not rest:
            raise AssertionError(f"debootstrap failed:\n{done.stdout[-3000:]}{done.stderr}")
        shutil.rmtree(root)
        root.mkdir()
