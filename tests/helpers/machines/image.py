"""The Debian systems from which machines are booted.

Owns how it is made. Must not know what is tested in it.
"""

import shutil
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.helpers.cached import cached

SUITE = "bookworm"
NEWER = "trixie"
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
BUILDING = ("gcc", "make", "python3-dev")
"""What `make deb` needs beside."""
_TRIES = 2


def image() -> Path:
    """Return the image of Debian 12."""
    return cached(SUITE, PACKAGES, partial(_fill, SUITE, PACKAGES))


def newer_image() -> Path:
    """Return the image of Debian 13, on which packages can be built, and which reads a card."""
    packages = (*PACKAGES, *BUILDING, "cloud-init")
    return cached(NEWER, packages, partial(_fill, NEWER, packages))


def _fill(suite: str, packages: Sequence[str], root: Path) -> None:
    command = ["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", suite]
    for rest in reversed(range(_TRIES)):
        done = subprocess.run([*command, str(root)], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        if not rest:
            raise AssertionError(f"debootstrap failed:\n{done.stdout[-3000:]}{done.stderr}")
        shutil.rmtree(root)
        root.mkdir()
