"""Starting, stopping and reloading the service for a person.

Owns what is looked at first and the words for how it went. Must not know how systemd is asked.
"""

import os
import sys

from game.app.service.places import UNIT, Places
from game.app.service.settings import SettingsError, check_seen, checked
from game.app.service.setup.systemctl import InstallError, Machine, Systemctl, ThisMachine
from game.app.service.setup.unit_log import UnitLog

_DONE = {
    "start": "lifeboard runs.",
    "stop": "lifeboard is stopped, until it is started or the computer is.",
    "restart": "lifeboard was restarted, and runs.",
    "reload": "lifeboard has taken its settings.",
}
_NO_RIGHTS = ("authentication", "access denied", "permission denied")


def control(verb: str, places: Places | None = None, machine: Machine | None = None) -> int:
    """Do what a person wants of the service, and say so; raises InstallError or SettingsError."""
    places, machine = places or Places(), machine or ThisMachine()
    systemctl = Systemctl(machine)
    state = systemctl.state()
    if not state.known:
        raise InstallError(
            "lifeboard is not installed as a service; `sudo lifeboard service install` does so"
        )
    if verb == "reload" and not state.up:
        raise InstallError("the service is not running; `sudo lifeboard service start` starts it")
    if verb != "stop":
        _check_settings(places)
    if verb in ("start", "restart"):
        systemctl.forgive()
    begun_s = machine.wall_s()
    done = machine.run(["systemctl", "--no-ask-password", verb, UNIT])
    if done.status:
        why = (done.err.strip() or done.told).splitlines()[0]
        if any(each in why.lower() for each in _NO_RIGHTS):
            raise InstallError(f"`service {verb}` needs root; put sudo before it")
        # A restart that fails is of two runs, and what the first one said is no reason.
        said = UnitLog(machine).since(begun_s, systemctl.state().told.get("InvocationID", ""))
        for line in said:
            print(f"    {line}", file=sys.stderr)
        above = "; what it said stands above" if said else ""
        raise InstallError(f"the service cannot {verb}: {why}{above}")
    if verb in ("start", "restart"):
        systemctl.forgive()
    print(_DONE[verb])
    return 0


def _check_settings(places: Places) -> None:
    """Look at the settings as the service will; raises SettingsError, in one line."""
    try:
        check_seen(checked(places.settings), places.settings)
    except SettingsError as error:
        # Root is told by systemctl what others are told here: that they need its rights.
        if os.geteuid() == 0 or "Permission denied" not in str(error):
            raise
