"""The releases under /opt/lifeboard: whole ones, half-made ones, and the links to two of them.

Owns their names, the mark of a whole one, and switching by rename. Must not know how a release is
made or run.
"""

import json
import os
import shutil
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from game.app.journal.disk import sync_folder
from game.app.service.places import NAME, Places
from game.app.service.setup.systemctl import InstallError
from hal.files import write_whole

_COMPLETE = ".complete"


@dataclass(frozen=True, slots=True)
class Note:
    """Say what a release was made of: its version, source, and extras that people asked for."""

    version: str
    source: str
    extras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Release:
    """One release: a virtual environment, which brings its own files for the system."""

    folder: Path

    @property
    def name(self) -> str:
        """The version, with a number for the same one again."""
        return self.folder.name

    @property
    def python(self) -> Path:
        """The interpreter that sees the release's packages."""
        return self.folder / "bin" / "python"

    @property
    def command(self) -> Path:
        """The program."""
        return self.folder / "bin" / NAME

    @property
    def files(self) -> Path:
        """The folder with what it wants installed on the system; raises InstallError."""
        for folder in self.folder.glob("lib/python3*/site-packages/game/app/service/files"):
            return folder
        raise InstallError(f"release {self.folder} has no files for the system")

    @property
    def complete(self) -> bool:
        """Whether it was made to its end."""
        return (self.folder / _COMPLETE).is_file()

    def note(self) -> Note:
        """Read what it was made of."""
        try:
            read = json.loads((self.folder / _COMPLETE).read_text(encoding="utf-8"))
            return Note(read["version"], read["source"], tuple(read["extras"]))
        except (OSError, ValueError, KeyError, TypeError):
            return Note(self.name, "")

    def finish(self, note: Note) -> None:
        """Mark it as whole, once all of it is on disk."""
        os.sync()
        write_whole(self.folder / _COMPLETE, json.dumps(asdict(note)).encode())


class Releases:
    """All releases of one computer."""

    def __init__(self, places: Places) -> None:
        self._places = places

    @property
    def current(self) -> Release | None:
        """The one that runs."""
        return self._linked(self._places.current)

    @property
    def previous(self) -> Release | None:
        """The one to which one can go back."""
        return self._linked(self._places.previous)

    def all(self) -> list[Release]:
        """List what is there, half-made ones too."""
        folder = self._places.releases
        if not folder.is_dir():
            return []
        return [Release(each) for each in sorted(folder.iterdir())]

    def named(self, name: str) -> Release | None:
        """Find a whole release by its name."""
        release = Release(self._places.releases / name)
        return release if release.complete else None

    def room_for(self, version: str) -> Release:
        """Find a place for another release of a version; nothing is there yet."""
        number, name = 1, version
        while os.path.lexists(self._places.releases / name):
            number += 1
            name = f"{version}-{number}"
        return Release(self._places.releases / name)

    def switch(self, new: Release) -> None:
        """Let `current` name another release, and `previous` the one it named.

        Each link is switched in one step, so that there is a whole current one at all times.
        """
        old = self.current
        if old is not None and old != new:
            self._point(self._places.previous, old)
        self._point(self._places.current, new)

    def switch_back(self, to: Release, previous: Release | None) -> None:
        """Undo a switch: `previous` becomes what it was before, which may be nothing."""
        self._point(self._places.current, to)
        if previous is not None and previous != to:
            self._point(self._places.previous, previous)
        else:
            self._places.previous.unlink(missing_ok=True)
            sync_folder(self._places.home)

    def sweep(self, keep: Iterable[Release] = ()) -> list[str]:
        """Remove all but the current, the previous and those to keep; name what stays."""
        kept = {each for each in (self.current, self.previous, *keep) if each is not None}
        for release in self.all():
            if release not in kept:
                self.remove(release)
        return [each.name for each in kept]

    def remove(self, release: Release) -> None:
        """Remove a release; what is cut short looks half-made, as it is."""
        (release.folder / _COMPLETE).unlink(missing_ok=True)
        if release.folder.is_dir() and not release.folder.is_symlink():
            shutil.rmtree(release.folder)
        else:
            release.folder.unlink(missing_ok=True)

    def _linked(self, link: Path) -> Release | None:
        try:
            return self.named(Path(os.readlink(link)).name)
        except OSError:
            return None

    def _point(self, link: Path, release: Release) -> None:
        beside = link.with_name(f"{link.name}.new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(Path(self._places.releases.name) / release.name)
        os.replace(beside, link)
        sync_folder(link.parent)
