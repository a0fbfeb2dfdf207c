"""The files that a release wants outside its folder: units, accounts, device rules and the rest.

Owns where each kind goes, and the list of those that are ours: only these are replaced and removed.
Must not know what is in them.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from game.app.service.places import NAME, Places
from game.app.service.setup.releases import Release
from hal.files import write_whole

_UNITS = (".service", ".socket")
_SYSUSERS, _RULES, _CATALOGUE = ".sysusers", ".rules", ".catalog"
_KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Placed:
    """Say what was changed by placing files, and what of others was put aside for it."""

    changed: frozenset[Path]
    kept: tuple[Path, ...] = ()

    def has(self, suffix: str) -> bool:
        """Whether a file with such a name was changed."""
        return any(path.name.endswith(suffix) for path in self.changed)


@dataclass(slots=True)
class _Ours:
    """The list of our files, and of folders made for them.

    With a file are the sums of what we wrote; more than one while it is being replaced.
    """

    files: dict[str, list[str]] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)


class SystemFiles:
    """The files of one computer that belong to lifeboard."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._list = places.home / "files.json"

    @property
    def link(self) -> str:
        """Where the command's link leads."""
        return str(self._places.current / "bin" / NAME)

    @property
    def units(self) -> list[str]:
        """Our units by their names, those too that an earlier release has brought."""
        ours = {Path(name).name for name in self._read().files}
        return sorted(name for name in ours if name.endswith(_UNITS))

    def sysusers(self) -> Path:
        """Where the accounts are described."""
        return self._places.root / "etc/sysusers.d" / f"{NAME}.conf"

    def place(self, release: Release) -> Placed:
        """Install a release's files, and remove those that only another release had.

        Settings are only put where there are none, or where nobody has changed ours.
        """
        wanted = {target: file.read_bytes() for target, file in self._wanted(release)}
        ours = self._read()
        before = {name: list(sums) for name, sums in ours.files.items()}
        for target, content in wanted.items():
            # Before anything is written: whatever happens then, nothing of ours is forgotten.
            ours.files.setdefault(str(target), []).append(_digest(content))
            missing = (str(each) for each in reversed(target.parents) if not each.exists())
            ours.folders += [each for each in missing if each not in ours.folders]
        self._write(ours)
        changed, kept = set(), []
        for target, content in wanted.items():
            _half_written(target).unlink(missing_ok=True)
            there = _sum(target)
            if there == _digest(content):
                continue
            if there is not None and there not in before.get(str(target), ()):
                if target == self._places.settings:
                    continue
                kept.append(_put_aside(target))
            write_whole(target, content)
            target.chmod(0o644)
            changed.add(target)
        for name in set(before) - {str(target) for target in wanted}:
            Path(name).unlink(missing_ok=True)
            changed.add(Path(name))
        ours.files = {str(target): [_digest(content)] for target, content in wanted.items()}
        self._write(ours)
        return Placed(frozenset(changed), tuple(kept))

    def place_command(self) -> bool:
        """Link the command into everybody's path; False where another one has its name."""
        command = self._places.command
        if os.path.lexists(command):
            return self._is_ours(command)
        command.parent.mkdir(parents=True, exist_ok=True)
        command.symlink_to(self.link)
        return True

    def remove(self, *, keep_settings: bool) -> Placed:
        """Remove our files, and the folders that were made for them."""
        ours = self._read()
        removed = set()
        for name in ours.files:
            path = Path(name)
            _half_written(path).unlink(missing_ok=True)
            if keep_settings and path == self._places.settings:
                continue
            if os.path.lexists(path):
                path.unlink()
                removed.add(path)
        for unit in self.units:
            # What `systemctl edit` has put beside ours means nothing without it.
            beside = self._places.units / f"{unit}.d"
            if beside.is_dir() and not keep_settings:
                shutil.rmtree(beside)
        for name in reversed(ours.folders):
            folder = Path(name)
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        if self._is_ours(self._places.command):
            self._places.command.unlink()
        return Placed(frozenset(removed))

    def _wanted(self, release: Release) -> Iterator[tuple[Path, Path]]:
        root = self._places.root
        for file in sorted(release.files.iterdir()):
            if file.suffix in _UNITS:
                yield self._places.units / file.name, file
            elif file.suffix == _SYSUSERS:
                yield self.sysusers(), file
            elif file.suffix == _RULES:
                yield root / "etc/udev/rules.d" / file.name, file
            elif file.suffix == _CATALOGUE:
                # The journal looks for catalogues there and in /usr/lib, but not in /etc.
                yield root / "usr/local/lib/systemd/catalog" / file.name, file
            elif file.name == self._places.settings.name:
                yield self._places.settings, file

    def _is_ours(self, command: Path) -> bool:
        return command.is_symlink() and os.readlink(command) == self.link

    def _read(self) -> _Ours:
        try:
            read = json.loads(self._list.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return _Ours()
        files = {str(name): [str(each) for each in sums] for name, sums in read["files"].items()}
        return _Ours(files, [str(each) for each in read["folders"]])

    def _write(self, ours: _Ours) -> None:
        told = {"files": ours.files, "folders": ours.folders}
        write_whole(self._list, json.dumps(told, indent=1).encode())


def _half_written(path: Path) -> Path:
    """Name what `write_whole` leaves beside a file when the power goes."""
    return path.with_name(f"{path.name}.new")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _sum(path: Path) -> str | None:
    """Give the sum of a file, None for nothing; a link or folder is never as we wrote it."""
    if not os.path.lexists(path):
        return None
    return _digest(path.read_bytes()) if path.is_file() and not path.is_symlink() else ""


def _put_aside(path: Path) -> Path:
    """Rename what somebody else has put where ours goes."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.{_KEPT}-{number}")):
        number += 1
    path.rename(aside)
    return aside
