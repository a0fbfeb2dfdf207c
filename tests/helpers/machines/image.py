"""The Debian system from which machines are booted, and whether it can be had here.

Owns how it is made and where it is kept. Must not know what is tested in it.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from urllib.request import urlopen

SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
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
_TOOLS = ("nsenter", "setpriv", "unshare")
_NETWORK_S = 5.0
_TRIES = 2


def folder() -> Path:
    """Return where the image is, or is to be; another set of packages is another image."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    key = hashlib.sha256(" ".join((SUITE, *PACKAGES)).encode()).hexdigest()[:12]
    return home / "lifeboard-tests" / f"{SUITE}-{key}"


@cache
def lacking() -> str:
    """Say why no machine can be booted here; nothing when one can."""
    if os.geteuid() != 0:
        return "only root can boot a machine"
    there = folder().exists()
    wanted = _TOOLS if there else ("debootstrap", *_TOOLS)
    missing = [tool for tool in wanted if shutil.which(tool) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    if "overlay" not in Path("/proc/filesystems").read_text():
        return "this kernel has no overlay file system"
    if not _has_cgroups():
        return "control groups cannot be made here: is this a container?"
    if not there:
        try:
            urlopen(f"{MIRROR}/dists/{SUITE}/Release", timeout=_NETWORK_S).close()
        except OSError as error:
            return f"no image at {folder()}, and {MIRROR} cannot be reached: {error}"
    return ""


def _has_cgroups() -> bool:
    """Tell whether control groups can be made."""
    roots = [Path("/sys/fs/cgroup/systemd"), Path("/sys/fs/cgroup")]
    root = next((each for each in roots if (each / "cgroup.procs").exists()), None)
    return root is not None and os.access(root, os.W_OK)


def image() -> Path:
    """Return the image, made now if it is not there yet; another process may be making it."""
    made = folder()
    made.parent.mkdir(parents=True, exist_ok=True)
    with (made.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            _make(made)
    return made


def _make(made: Path) -> None:
    command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE]
    for rest in reversed(range(_TRIES)):
        draft = Path(tempfile.mkdtemp(prefix="draft-", dir=made.parent))
        draft.chmod(0o755)
        try:
            done = subprocess.run(
                [*command, str(draft), MIRROR], capture_output=True, text=True, check=False
            )
            if done.returncode == 0:
                draft.rename(made)
                return
            if not rest:
                raise AssertionError(f"debootstrap failed:\n{done.stdout[-3000:]}{done.stderr}")
        finally:
            shutil.rmtree(draft, ignore_errors=True)
