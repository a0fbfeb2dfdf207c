"""Copies of the games from before an upgrade, and going back to one.

Owns the folder of these copies, and when an older release needs one. All of it is done as the
service's user: in a folder that this user may fill, root follows no links. Must not know which
release runs.
"""

import os
import pwd
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from game.app.journal.disk import COMPANIONS, free_name, sync_folder
from game.app.journal.games_file import FILE
from game.app.service.places import NAME, Places
from game.app.service.setup.systemctl import InstallError

FOLDER = "before-upgrade"
_NEWER = "newer"
_LONGEST_TOLD = 4096


class Keepsakes:
    """The games as earlier releases left them, each under that release's name."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._file = places.state / FILE
        self._folder = places.state / FOLDER

    def save(self, release: str) -> None:
        """Copy the games for a release that is about to be replaced; raises InstallError.

        The service must not be running. No games make no copy.
        """
        if self._places.state.is_dir():
            self._as_service(
                "games cannot be copied before the upgrade", lambda: self._save(release)
            )

    def bring(self, release: str) -> str:
        """Give a release the games that it left, if those here have a form it may not know.

        Returns where the newer ones are kept then, else "". Raises InstallError.
        """
        if not self._copy(release).exists():
            return ""
        return self._as_service(
            "games cannot be brought back from before the upgrade", lambda: self._bring(release)
        )

    def sweep(self, releases: Iterable[str]) -> None:
        """Remove the copies of all but these releases; raises InstallError."""
        kept = {self._copy(each).name for each in releases}
        if self._folder.is_dir():
            self._as_service("old copies of games cannot be removed", lambda: self._sweep(kept))

    def _copy(self, release: str) -> Path:
        return self._folder / f"{release}.sqlite3"

    def _save(self, release: str) -> str:
        copy = self._copy(release)
        self._folder.mkdir(mode=0o750, exist_ok=True)
        beside = copy.with_suffix(".new")
        beside.unlink(missing_ok=True)
        if self._file.exists():
            _duplicate(self._file, beside)
            os.replace(beside, copy)
        else:
            copy.unlink(missing_ok=True)
        sync_folder(self._folder)
        return ""

    def _bring(self, release: str) -> str:
        copy = self._copy(release)
        there, wanted = _form(self._file), _form(copy)
        if there is None or wanted is None or there == wanted:
            return ""
        _settle(self._file)
        aside = free_name(self._file, f"{_NEWER}-{datetime.now():%Y%m%d-%H%M%S}")
        # A second name first, so that there is a whole file under the first one all the time.
        os.link(self._file, aside)
        beside = self._file.with_suffix(".new")
        beside.unlink(missing_ok=True)
        shutil.copyfile(copy, beside)
        _on_disk(beside)
        os.replace(beside, self._file)
        sync_folder(self._file.parent)
        return str(aside)

    def _sweep(self, kept: set[str]) -> str:
        for file in self._folder.iterdir():
            if file.name not in kept:
                file.unlink()
        return ""

    def _as_service(self, problem: str, work: Callable[[], str]) -> str:
        if self._places.root != Path("/") or os.geteuid() != 0:
            status, told = _told_by(work)
        else:
            try:
                user = pwd.getpwnam(NAME)
            except KeyError:
                return ""
            status, told = _told_by_child(work, user)
        if status:
            raise InstallError(f"{problem}: {told}")
        return told


def _told_by(work: Callable[[], str]) -> tuple[int, str]:
    try:
        return 0, work()
    except (OSError, sqlite3.Error) as error:
        return 1, str(error)


def _told_by_child(work: Callable[[], str], user: pwd.struct_passwd) -> tuple[int, str]:
    """Work in a process of its own, as another user; it inherits all that is imported."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups([])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
            os.umask(0o027)
            status, told = _told_by(work)
            os.write(writing, told.encode()[:_LONGEST_TOLD])
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode(errors="replace")
    _, result = os.waitpid(child, 0)
    status = os.waitstatus_to_exitcode(result)
    return status, told or ("it ended without a word" if status else "")


def _duplicate(file: Path, copy: Path) -> None:
    """Copy a file of games with what its log holds, into one file; raises sqlite3.Error."""
    source = sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True)
    try:
        target = sqlite3.connect(copy)
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            target.close()
    finally:
        source.close()
    _on_disk(copy)


def _form(file: Path) -> int | None:
    """Read the number of a file's form; None for what is no file of games."""
    try:
        db = sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True)
        try:
            (form,) = db.execute("PRAGMA user_version").fetchone()
        finally:
            db.close()
    except (sqlite3.Error, OSError):
        return None
    return int(form)


def _settle(file: Path) -> None:
    """Make one file of a file and its log."""
    db = sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = DELETE").fetchall()
    finally:
        db.close()
    left = [name for each in COMPANIONS if os.path.lexists(name := f"{file}{each}")]
    if left:
        raise OSError(f"{left[0]} is still in use")


def _on_disk(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
