"""What `make test-all` needs of this computer beside Python; as a script, what of it is missing.

A script for any Python, before lifeboard is set up: it uses the standard library only.
"""

import os
import shutil
import sys
import sysconfig
from ctypes.util import find_library
from pathlib import Path

PROGRAMS = {
    "chromium-headless-shell": "chromium-headless-shell",
    # Machines that boot.
    "debootstrap": "debootstrap",
    "gcc": "gcc",
    "git": "git",
    "gpg": "gnupg",
    "make": "make",
    "mkfs.ext4": "e2fsprogs",
    "mosquitto": "mosquitto",
    "mosquitto_pub": "mosquitto-clients",
    # A Pico that is emulated by the instruction.
    "node": "nodejs",
    "npm": "npm",
    "ssh-keygen": "openssh-client",
    "systemd-analyze": "systemd",
}
"""Programs, and the Debian package of each."""


def missing_packages() -> list[str]:
    """Return the Debian packages that are missing here."""
    path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))
    found = {name for name in PROGRAMS if shutil.which(name, path=path)}
    missing = {package for name, package in PROGRAMS.items() if name not in found}
    if not find_library("pangoft2-1.0"):
        missing.add("libpangoft2-1.0-0")  # PDF of the guides
    if not find_library("atomic"):
        missing.add("libatomic1")  # Playwright's own Node
    if not Path("/usr/share/keyrings/debian-archive-keyring.gpg").exists():
        missing.add("debian-archive-keyring")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        missing.add("python3-dev")
    if "gcc" in missing or not Path("/usr/include/stdio.h").exists():
        missing.add("libc6-dev")
    return sorted(missing)


def obstacles() -> list[str]:
    """Return the obstacles that no package can fix."""
    found = []
    if sys.platform != "linux":
        return ["all tests run on Linux only: they boot machines with systemd"]
    if os.geteuid() != 0:
        found.append("only root can boot machines and mount disks: sudo make test-all")
    if "overlay" not in Path("/proc/filesystems").read_text(encoding="utf-8"):
        found.append("this kernel has no overlay file system, on which machines are booted")
    roots = [Path("/sys/fs/cgroup/systemd"), Path("/sys/fs/cgroup")]
    root = next((each for each in roots if (each / "cgroup.procs").exists()), None)
    if root is None or not os.access(root, os.W_OK):
        found.append("control groups cannot be made here, without which no machine boots")
    return found


def main(arguments: list[str]) -> int:
    """Report what is missing; return 1 if anything is. `--packages` prints just the packages."""
    packages = missing_packages()
    if arguments == ["--packages"]:
        print(*packages)
        return 0
    shown = obstacles()
    if packages:
        shown.append(f"not installed: {', '.join(packages)}")
    if not shown:
        return 0
    print("make test-all runs every test, and this computer lacks something:", file=sys.stderr)
    for each in shown:
        print(f"  - {each}", file=sys.stderr)
    if packages:
        print(
            "Install it with: sudo apt-get install --yes --no-install-recommends"
            f" {' '.join(packages)}",
            file=sys.stderr,
        )
    print("make test needs none of this.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
