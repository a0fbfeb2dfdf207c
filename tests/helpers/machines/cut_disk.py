"""A disk that loses its power: what was not written to it by then is lost."""

import os
import shutil
import struct
import subprocess
from fcntl import ioctl
from pathlib import Path
from typing import Self

_SHUTDOWN = 0x8004587D
"""EXT4_IOC_SHUTDOWN of the kernel's fs/ext4/ext4.h."""
_NO_FLUSH = 2


class CutDisk:
    """An ext4 file system in a file, mounted at `path` until it is closed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "mounted"
        self.path.mkdir(parents=True)
        self._file = folder / "disk"
        _run("truncate", "--size=2G", str(self._file))
        _run("mkfs.ext4", "-q", "-F", str(self._file))
        _run("mount", "-o", "loop", str(self._file), str(self.path))

    def cut(self) -> None:
        """Let every later write fail, without the last ones that wait in memory."""
        disk = os.open(self.path, os.O_RDONLY)
        try:
            ioctl(disk, _SHUTDOWN, struct.pack("I", _NO_FLUSH))
        finally:
            os.close(disk)

    def restore(self) -> None:
        """Switch on a copy of the disk: other processes may still hold the one that was cut."""
        _run("umount", "--lazy", str(self.path))
        copy = self._file.with_suffix(".copy")
        _run("cp", "--sparse=always", str(self._file), str(copy))
        copy.replace(self._file)
        _run("mount", "-o", "loop", str(self._file), str(self.path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        _run("umount", "--lazy", str(self.path))
        shutil.rmtree(self._file.parent)


def _run(*command: str) -> str:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.strip()
