"""Reading untrusted files, and atomic writes, so that a file is always whole."""

import errno
import logging
import os
import stat
from pathlib import Path

log = logging.getLogger(__name__)
_unsynced: set[int] = set()
"""Devices whose folders cannot be synced, and that the log has already named."""

MOST_BYTES = 1 << 20
"""The size limit of profiles, settings and state files, in bytes: the largest has 40 KB."""


def read_whole(path: Path, most: int = MOST_BYTES) -> bytes:
    """Read a regular file of at most `most` bytes; raise OSError for anything else."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no regular file, and nothing else is read", str(path))
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is too large; allowed: {most} bytes", str(path))
    return content


def decoded(content: bytes, errors: str = "strict") -> str:
    """Decode UTF-8, with `\\n` line ends, and drop byte order marks, even inside (joined files)."""
    text = content.decode("utf-8", errors).replace("\ufeff", "")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write_whole(
    path: Path, content: bytes, mode: int = 0o666, owner: tuple[int, int] | None = None
) -> None:
    """Write a file, also making its folder; raise OSError with its name when that fails.

    On return it is on disk; after a power cut the old one is still there. It cannot be read before
    it has its `mode` (less the umask) and its `owner`, a user and a group.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    try:
        beside.unlink(missing_ok=True)
        # Do not follow a link that another user may have put into a folder of theirs.
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
        # An error of an open file, as on a full disk, does not name the file by itself.
        error.filename = error.filename or str(path)
        raise
    sync(path.parent)


def sync(path: Path) -> None:
    """Sync a file, or the names in a folder where the disk can do that; raises OSError."""
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
