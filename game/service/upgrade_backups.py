"""Backups of the games from before an upgrade: `python -m game.service.upgrade_backups`.

A version that is installed again gets the games that it left, if a later version has changed the
file's format. The service is stopped meanwhile, and this runs as its user.
"""

import argparse
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from game.service.paths import ServicePaths
from game.store import COMPANIONS, FILE, replace_durably

FOLDER = "before-upgrade"
_KEPT = 2
"""A backup for each of two versions: the installed one and the one before."""


def save(data: Path, version: str) -> None:
    """Back up the games in `data` for the version being replaced; raises OSError, sqlite3.Error."""
    if not (data / FILE).exists():
        return
    folder = data / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    new = folder / "new"
    new.unlink(missing_ok=True)
    with _opened(data / FILE) as source, closing(sqlite3.connect(new)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
    replace_durably(new, folder / f"{version}.sqlite3")
    backups = sorted(folder.glob("*.sqlite3"), key=lambda each: each.stat().st_mtime_ns)
    for old in backups[:-_KEPT]:
        old.unlink()


def restore(data: Path, version: str) -> Path | None:
    """Restore a version's games if the format differs; return where the newer ones are."""
    file, backup = data / FILE, data / FOLDER / f"{version}.sqlite3"
    wanted, there = _format(backup), _format(file)
    if None in (wanted, there) or wanted == there:
        return None
    with _opened(file) as games:
        games.execute("PRAGMA journal_mode = DELETE").fetchall()
    if any(Path(f"{file}{each}").exists() for each in COMPANIONS):
        raise OSError(f"{file} is in use")
    aside = file.with_stem(f"{file.stem}.newer-{datetime.now():%Y%m%d-%H%M%S}")
    # Add a second name first, so that at any time the first name has a whole file.
    os.link(file, aside)
    new = backup.with_name("new")
    shutil.copyfile(backup, new)
    replace_durably(new, file)
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
    data = ServicePaths().data
    if options.act == "save":
        save(data, options.version)
    elif aside := restore(data, options.version):
        print(
            f"lifeboard: the games of a later version have another format. They are kept as"
            f" {aside}; those from before the upgrade are back."
        )


if __name__ == "__main__":
    main()
