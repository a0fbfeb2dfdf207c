"""Writing a file so that there is always a whole one: the new, or the one before.

Owns the order of writing, syncing and renaming. Must not know what is written.
"""

import os
from pathlib import Path


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
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Put a renaming on disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
