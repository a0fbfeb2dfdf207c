"""The Debian systems from which machines are booted.

Owns how it is made. Must not know what is tested in it.
"""

import os
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
    # Checks the signatures of packages; Raspberry Pi OS has it.
    "openssh-client",
    "iproute2",
    "nftables",
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
    return cached(NEWER, (*PACKAGES, *BUILDING, "apt: cloud-init"), _fill_newer)


def _fill_newer(root: Path) -> None:
    _fill(NEWER, (*PACKAGES, *BUILDING), root)
    # debootstrap does not configure the libraries of cloud-init in an order that works.
    for command in ("update", "install --yes --no-install-recommends cloud-init"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["chroot", root, "apt-get", *command.split()], check=True, env=environment)


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
