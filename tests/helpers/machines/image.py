"""The Debian system from which machines are booted.

Owns how it is made and where it is kept. Must not know what is tested in it.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

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


def folder() -> Path:
    """Return where the image is, or is to be; another set of packages is another image."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    key = hashlib.sha256(" ".join((SUITE, *PACKAGES)).encode()).hexdigest()[:12]
    return home / "lifeboard-tests" / f"{SUITE}-{key}"


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
                [*command, str(draft)], capture_output=True, text=True, check=False
            )
            if done.returncode == 0:
                draft.rename(made)
                return
            if not rest:
                raise AssertionError(f"debootstrap failed:\n{done.stdout[-3000:]}{done.stderr}")
        finally:
            shutil.rmtree(draft, ignore_errors=True)
