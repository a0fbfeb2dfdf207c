"""Removing the service from a computer.

Owns the order, and what stays. It can be cut short and done again, and begins from anything that an
installation which was cut short has left.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from game.app.journal.games_file import FILE
from game.app.service.places import NAME, UNIT, Places
from game.app.service.setup.accounts import Accounts
from game.app.service.setup.install import check_root, installation_lock
from game.app.service.setup.keepsakes import FOLDER
from game.app.service.setup.system_files import SystemFiles
from game.app.service.setup.systemctl import InstallError, Machine, Systemctl, ThisMachine
from game.app.service.setup.trial import Change, Report

_GAMES = (f"{Path(FILE).stem}.*", FOLDER)
_LEARNT = ("board.toml", "board-*.json")
"""What a board was taught takes as long to come by as a game."""


@dataclass(frozen=True, slots=True)
class UninstallOptions:
    """Say what goes too: the games; or what stays too: settings, data and user, for a return."""

    games: bool = False
    keep_settings: bool = False


def uninstall(
    options: UninstallOptions,
    places: Places | None = None,
    machine: Machine | None = None,
    report: Report = print,
) -> int:
    """Remove the service, and tell what stays where; raises InstallError."""
    places, machine = places or Places(), machine or ThisMachine()
    check_root(places, "uninstall")
    if options.games and options.keep_settings:
        raise InstallError("settings stay for a return, and games are removed for good: choose one")
    nothing = not places.home.exists() and not places.settings_folder.exists()
    if nothing and not (options.games and places.state.exists()):
        report("lifeboard is not installed as a service.")
        return 0
    _leave_to_dpkg(machine)
    with installation_lock(places):
        _stop(places, machine)
        change = Change(places, machine, report)
        change.files.remove(keep_settings=options.keep_settings)
        change.told(rules=True)
        _remove(places.runtime)
        left = []
        if not options.keep_settings:
            left += _remove_data(places, games=options.games)
            _remove(places.settings_folder)
            left += Accounts(places, machine).remove()
        elif places.state.exists():
            left.append(f"{places.state}, with the games")
            left.append(f"{places.settings_folder}, with the settings")
        # With the notes that all this was done by.
        _remove(places.home)
    report("lifeboard is removed.")
    for each in left:
        report(f"What stays: {each}")
    return 0


def _leave_to_dpkg(machine: Machine) -> None:
    """Refuse what dpkg would not know of; its scripts may. Raises InstallError."""
    if os.environ.get("DPKG_MAINTSCRIPT_PACKAGE") == NAME:
        return
    status = machine.run(["dpkg-query", "--show", "--showformat=${Status}", NAME])
    if not status.status and status.out.endswith(" installed"):
        raise InstallError(f"lifeboard came as a Debian package: sudo apt remove {NAME}")


def _stop(places: Places, machine: Machine) -> None:
    """Stop and disable our units, so far as they are there."""
    systemctl = Systemctl(machine)
    units = {*SystemFiles(places).units, UNIT}
    # A socket first: it would start its service again.
    for unit in sorted(units, key=lambda each: (not each.endswith(".socket"), each)):
        if (places.units / unit).exists():
            # In an image, where nothing runs, only the second can be done.
            if (places.root / "run/systemd/system").is_dir():
                systemctl.tell("stop", unit)
                machine.run(["systemctl", "reset-failed", unit])
            systemctl.tell("disable", unit)


def _remove_data(places: Places, *, games: bool) -> list[str]:
    """Remove the data folder, or all in it but games and what a board was taught."""
    if games:
        _remove(places.state)
    if not places.state.is_dir():
        return []
    stay = {each for pattern in (*_GAMES, *_LEARNT) for each in places.state.glob(pattern)}
    for each in set(places.state.iterdir()) - stay:
        _remove(each)
    if not stay:
        places.state.rmdir()
        return []
    _give_to_root(places.state)
    return [f"{places.state}, with the games and what the board was taught"]


def _give_to_root(folder: Path) -> None:
    """Leave nothing to a user who will be gone, and whose number another one may get."""
    for _, folders, files, handle in os.fwalk(folder):
        for name in (*folders, *files):
            os.chown(name, os.geteuid(), os.getegid(), dir_fd=handle, follow_symlinks=False)
        os.chown(handle, os.geteuid(), os.getegid())


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
