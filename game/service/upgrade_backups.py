"""Backups of the games from before an upgrade: `python -m game.service.upgrade_backups`.

When an older version is installed again and cannot read a later one's games, it starts with its
own backup, and sets the later file aside. The service is stopped meanwhile; this runs as its user.
"""

import os
import shutil
import sys
from pathlib import Path

from game.common import Cause, StoreError
from game.service.paths import ServicePaths
from game.store import BACKUP, FILE, Store, replace_durably

FOLDER = "before-upgrade"
_KEPT = 2
"""A backup for each of two versions: the installed one and the one before."""


def save(data: Path, version: str) -> None:
    """Back up the games in `data` for the version being replaced; raises OSError, StoreError."""
    if not (data / FILE).exists():
        return
    folder = data / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    new = folder / "new"
    with Store(data, read_only=True) as store:
        store.copy_to(new)
    replace_durably(new, folder / f"{version}.sqlite3")
    backups = sorted(folder.glob("*.sqlite3"), key=lambda each: each.stat().st_mtime_ns)
    for old in backups[:-_KEPT]:
        old.unlink()


def restore(data: Path, version: str) -> None:
    """Let a version that cannot read the games take its backup when it starts; raises OSError."""
    backup, new = data / FOLDER / f"{version}.sqlite3", data / FOLDER / "new"
    try:
        Store(data, read_only=True).close()
    except StoreError as error:
        if error.cause is Cause.NEWER and backup.exists():
            shutil.copyfile(backup, new)
            replace_durably(new, data / BACKUP)


if __name__ == "__main__":
    os.umask(0o077)
    {"save": save, "restore": restore}[sys.argv[1]](ServicePaths().data, sys.argv[2])
