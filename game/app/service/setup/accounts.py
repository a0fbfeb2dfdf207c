"""The service's user and the groups that open a board's devices.

Owns their making and removal, and the note of the groups that were not there before. Must not know
who uses them for what.
"""

from pathlib import Path

from game.app.service.places import GROUPS, NAME, Places
from game.app.service.setup.systemctl import InstallError, Machine
from hal.files import write_whole


class Accounts:
    """The user and groups of one computer."""

    def __init__(self, places: Places, machine: Machine) -> None:
        self._machine = machine
        self._note = places.home / "groups-made"

    def make(self, description: Path) -> None:
        """Make what is missing of what a sysusers file describes; raises InstallError."""
        missing = [group for group in GROUPS if self._entry("group", group) is None]
        if missing:
            # Noted first: a group that is made and not noted would stay for ever.
            names = sorted({*self._noted(), *missing})
            write_whole(self._note, "".join(f"{name}\n" for name in names).encode())
        done = self._machine.run(["systemd-sysusers", str(description)])
        if done.status:
            raise InstallError(f"user {NAME} cannot be made: {done.told}")

    def remove(self) -> list[str]:
        """Remove the user, and those groups we made that nobody else is in; say what stays."""
        stays = []
        if self._entry("passwd", NAME) is not None:
            done = self._machine.run(["userdel", NAME])
            if done.status:
                stays.append(f"user {NAME}: {done.told}")
        for group in (NAME, *self._noted()):
            entry = self._entry("group", group)
            if entry is None:
                continue
            members = [each for each in entry[3].split(",") if each and each != NAME]
            if members:
                stays.append(f"group {group}, which {', '.join(members)} is in")
                continue
            done = self._machine.run(["groupdel", group])
            if done.status:
                stays.append(f"group {group}: {done.told}")
        return stays

    def _noted(self) -> list[str]:
        try:
            return self._note.read_text(encoding="utf-8").split()
        except OSError:
            return []

    def _entry(self, database: str, name: str) -> list[str] | None:
        done = self._machine.run(["getent", database, name])
        return None if done.status else done.out.strip().split(":")
