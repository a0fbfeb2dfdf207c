"""Writing a file so that there is always a whole one: the new, or the one before.

Owns the order of writing, syncing and renaming. Must not know what is written.
"""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, also making its folder; raise OSError when that fails.

    It is on disk on return. If the plug is pulled meanwhile, the file is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Put a renaming on disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
