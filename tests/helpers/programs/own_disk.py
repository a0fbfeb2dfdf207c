"""Small disks of a test's own, mounted where nothing else sees them, and filled, cut off or broken.

A private mount namespace (unshare(1)) holds them; as root, or else in a user namespace, where one
is root for one's own disks. They are gone with the process that holds the namespace.
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
        # What mount(8) finds of other options is not for a user namespace to set again.
        self.mount("--options-mode", "ignore", "-o", f"remount,{how}", "none", str(self.path))

    def fill(self) -> None:
        """Leave not a byte free."""
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


class OwnCard(OwnDisk):
    """An ext4 file system on a loop device, as a memory card carries it; for root only."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._image = path.with_suffix(".image")
        with self._image.open("wb") as file:
            file.truncate(8_000_000)
        self.run("mkfs.ext4", "-q", "-F", str(self._image))
        self._plug_in(self._image)

    def _plug_in(self, image: Path) -> None:
        self.mount("-o", "loop,errors=remount-ro", str(image), str(self.path))

    def fail(self) -> None:
        """Have the kernel find an error on the card: it lets nothing be written any more."""
        device = Path(
            self.run("findmnt", "--noheadings", "--output=SOURCE", str(self.path)).strip()
        )
        Path(f"/sys/fs/ext4/{device.name}/trigger_fs_error").write_text("a test")

    def mend(self) -> None:
        """Take the card out, mend its file system, and put it in again."""
        self.run("umount", "--lazy", str(self.path))
        mended = Path(shutil.copy(self._image, f"{self._image}.mended"))
        self.run("e2fsck", "-f", "-y", str(mended), check=False)
        self._plug_in(mended)

    def close(self) -> None:
        self.run("umount", "--lazy", str(self.path))
        super().close()


def cards_can_be_plugged_in() -> bool:
    """Tell whether this computer lets us mount a file as a disk."""
    tools = all(shutil.which(tool) for tool in ("mkfs.ext4", "e2fsck", "findmnt"))
    return os.geteuid() == 0 and tools and Path("/dev/loop-control").exists()
