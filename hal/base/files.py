"""Reading a file that may be anything, and writing one so that there is always a whole one."""

import errno
import logging
import os
import stat
from pathlib import Path

log = logging.getLogger(__name__)
_unsynced: set[int] = set()
"""Devices whose folders cannot be synced, which the log has named."""

MOST_BYTES = 1 << 20
"""Most bytes of a profile, of settings and of what lifeboard remembers: the largest has 40 KB."""


def read_whole(path: Path, most: int = MOST_BYTES) -> bytes:
    """Read a regular file of at most `most` bytes; raise OSError that says what is allowed."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no regular file, and nothing else is read", str(path))
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is too large; allowed: {most} bytes", str(path))
    return content


def decoded(content: bytes, errors: str = "strict") -> str:
    """Decode UTF-8, less byte order marks, which joined files have within, with `\\n` line ends."""
    text = content.decode("utf-8", errors).replace("\ufeff", "")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write_whole(
    path: Path, content: bytes, mode: int = 0o666, owner: tuple[int, int] | None = None
) -> None:
    """Write a file, also making its folder; raise OSError with its name when that fails.

    It is on disk on return. After a power cut meanwhile, the file is as it was. It cannot be
    read before it has its `mode` (less the umask) and its `owner`, a user and a group.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    try:
        beside.unlink(missing_ok=True)
        # In a folder of another user a link that waits here must not be followed.
        opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with open(opened, "wb") as file:
            if owner is not None:
                os.fchown(opened, *owner)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        # What fails on an opened file, as on a full disk, does not say of itself which it was.
        error.filename = error.filename or str(path)
        raise
    sync(path.parent)


def sync(path: Path) -> None:
    """Put a file, or the names in a folder, on disk; raise OSError.

    A file system that cannot sync folders (CIFS, vboxsf, some of FUSE) is in the log, once.
    """
    opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    except OSError as error:
        found = os.fstat(opened)
        if error.errno not in (errno.EINVAL, errno.ENOTSUP) or not stat.S_ISDIR(found.st_mode):
            raise
        if found.st_dev not in _unsynced:
            _unsynced.add(found.st_dev)
            log.warning("the disk of %s cannot sync folders: a power cut may undo a new file", path)
    finally:
        os.close(opened)
