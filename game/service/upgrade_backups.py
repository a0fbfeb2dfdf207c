"""Backups of the games from before an upgrade: `python -m game.service.upgrade_backups`.

The package's scripts call it as the service's user while the service is stopped. A version that is
installed again gets the games that it left, if a later version has changed the file's format.
"""

import argparse
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from game.service.paths import ServicePaths
from game.store import COMPANIONS, FILE
from hal.base.files import sync

FOLDER = "before-upgrade"
_KEPT = 2
"""A backup for each of two versions: the installed one and the one before."""


class UpgradeBackups:
    """The games in a data folder as earlier versions left them, one file a version."""

    def __init__(self, data: Path) -> None:
        self._file = data / FILE
        self._folder = data / FOLDER

    def save(self, version: str) -> None:
        """Back the games up for the version being replaced; raises OSError or sqlite3.Error."""
        if not self._file.exists():
            return
        self._folder.mkdir(mode=0o700, exist_ok=True)
        new = self._folder / "new"
        new.unlink(missing_ok=True)
        with _opened(self._file) as source, closing(sqlite3.connect(new)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
        sync(new)
        os.replace(new, self._folder / f"{version}.sqlite3")
        sync(self._folder)
        backups = sorted(self._folder.glob("*.sqlite3"), key=lambda each: each.stat().st_mtime_ns)
        for old in backups[:-_KEPT]:
            old.unlink()

    def restore(self, version: str) -> Path | None:
        """Restore a version's games if the format differs; return where the newer ones are."""
        backup = self._folder / f"{version}.sqlite3"
        wanted, there = _format(backup), _format(self._file)
        if wanted is None or there is None or wanted == there:
            return None
        with _opened(self._file) as games:
            games.execute("PRAGMA journal_mode = DELETE").fetchall()
        if any(Path(f"{self._file}{each}").exists() for each in COMPANIONS):
            raise OSError(f"{self._file} is in use")
        stamp = f"{datetime.now():%Y%m%d-%H%M%S}"
        aside = self._file.with_stem(f"{self._file.stem}.newer-{stamp}")
        # Add a second name first, so that at any time the first name has a whole file.
        os.link(self._file, aside)
        new = self._folder / "new"
        shutil.copyfile(backup, new)
        sync(new)
        os.replace(new, self._file)
        sync(self._file.parent)
        return aside


def _opened(file: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, isolation_level=None))


def _format(file: Path) -> int | None:
    try:
        with _opened(file) as games:
            (number,) = games.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return None
    return int(number)


def main() -> None:
    """Save or restore the games of a version."""
    parser = argparse.ArgumentParser()
    parser.add_argument("act", choices=("save", "restore"))
    parser.add_argument("version")
    options = parser.parse_args()
    os.umask(0o077)
    backups = UpgradeBackups(ServicePaths().data)
    if options.act == "save":
        backups.save(options.version)
    elif aside := backups.restore(options.version):
        print(
            f"lifeboard: the games of a later version have another format. They are kept as"
            f" {aside}; those from before the upgrade are back."
        )


if __name__ == "__main__":
    main()
