"""Small disks of a test's own, mounted where nothing else sees them, and filled or cut off.

A private mount namespace (unshare(1)) holds them; without root it is in a user namespace, where one
is root for one's own disks. They vanish with the process that holds the namespace.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Self


class OwnDisk:
    """A disk that only `run` and whatever is started with `prefix` see, mounted at `path`."""

    def __init__(self, path: Path, size: str = "1m") -> None:
        self.path = path
        path.mkdir()
        root = os.geteuid() == 0
        user = () if root else ("--user", "--map-root-user")
        self._holder = subprocess.Popen(
            ["unshare", *user, "--mount", "sh", "-c", "echo ready; exec cat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._holder.stdout.readline() == b"ready\n", "no namespaces on this computer"
        user = () if root else ("--user", "--preserve-credentials")
        self.prefix = ("nsenter", "--target", str(self._holder.pid), "--mount", *user)
        self.mount("-t", "tmpfs", "-o", f"size={size}", "none", str(path))

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command where the disk is; return what it wrote."""
        done = subprocess.run(
            [*self.prefix, *command], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0 or not check, f"{command}: {done.stderr}"
        return done.stdout

    def mount(self, *arguments: str) -> None:
        self.run("mount", *arguments)

    def remount(self, how: str) -> None:
        """Make the disk read-only (`ro`) or writable again (`rw`)."""
        # A user namespace must not set mount(8)'s other options again.
        self.mount("--options-mode", "ignore", "-o", f"remount,{how}", "none", str(self.path))

    def fill(self) -> None:
        """Leave no byte free."""
        self.run("sh", "-c", f"cat /dev/zero > {self.path}/filler", check=False)
        free = self.run("stat", "--file-system", "--format=%a", str(self.path))
        assert free.strip() == "0"

    def free(self) -> None:
        self.run("rm", f"{self.path}/filler")

    def fetch(self, folder: Path, to: Path) -> Path:
        """Copy a folder of the disk to where everybody sees it."""
        shutil.copytree(f"/proc/{self._holder.pid}/root{folder}", to)
        return to

    def close(self) -> None:
        self._holder.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
