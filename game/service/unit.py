"""Queries systemd and the journal about the unit, and controls it for people."""

import os
import subprocess
import sys
import time
from pathlib import Path

from game.common import AppError
from game.service.paths import UNIT, ServicePaths
from game.service.settings import check_visible, read_checked

NOT_INSTALLED = (
    "lifeboard is not installed as a service; `make service` or"
    " `sudo apt install ./lifeboard_*.deb` installs it"
)
_DONE = {
    "start": "lifeboard runs.",
    "stop": "lifeboard is stopped, until it is started or the computer is.",
    "restart": "lifeboard was restarted, and runs.",
    "reload": "lifeboard has taken its settings.",
}
_NO_RIGHTS = ("authentication", "access denied", "permission denied")
_NOT_SEEN = ("insufficient permissions", "not seeing messages from other users")
_SHOWN = ("--lines=12", "--output=cat")

Done = subprocess.CompletedProcess[str]


def call(*command: str) -> Done:
    """Run a command in English, in a session of its own so that Ctrl-C does not reach it."""
    try:
        return subprocess.run(
            command,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        raise AppError(f"{command[0]} is missing: the service needs systemd") from error


def systemctl(*arguments: str) -> Done:
    """Run systemctl; it never asks for a password."""
    return call("systemctl", "--no-ask-password", *arguments)


def properties() -> dict[str, str]:
    """Return all properties of the unit, by systemd's names; raises AppError."""
    done = systemctl("show", UNIT)
    if done.returncode:
        raise AppError(f"systemd does not answer: {done.stderr.strip()}")
    return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)


def journal(*options: str) -> list[str]:
    """Return lines of the journal; none if it cannot be read."""
    done = call("journalctl", "--no-pager", "--quiet", *options)
    return [] if done.returncode else [line for line in done.stdout.splitlines() if line]


def can_read_journal() -> bool:
    """Return whether this user may read the service's log."""
    done = call("journalctl", "--no-pager", "--lines=1", f"--unit={UNIT}")
    return not any(each in done.stderr for each in _NOT_SEEN)


def show_log(lines: int, *, follow: bool) -> int:
    """Replace this process by journalctl; raises AppError for a user who may not read the log."""
    if not can_read_journal():
        raise AppError("only root may read the log; put sudo before it")
    command = ["journalctl", f"--unit={UNIT}", f"--lines={lines}"]
    os.execvp(command[0], [*command, *(["--follow"] if follow else [])])


def control(verb: str, paths: ServicePaths | None = None) -> int:
    """Start, stop, restart or reload the service; raises AppError or SettingsError."""
    before = properties()
    if before.get("LoadState") != "loaded":
        raise AppError(NOT_INSTALLED)
    if verb == "reload" and before["ActiveState"] not in ("active", "reloading"):
        raise AppError("the service is not running; `sudo lifeboard service start` starts it")
    if verb != "stop":
        settings = (paths or ServicePaths()).settings
        check_visible(read_checked(settings), settings)
    starts = verb in ("start", "restart")
    if starts:
        # systemd limits the number of starts; those by people do not count.
        systemctl("reset-failed", UNIT)
    start_s = time.time()
    done = systemctl(verb, UNIT)
    if done.returncode:
        why = (done.stderr or done.stdout or f"status {done.returncode}").strip().splitlines()[0]
        if any(each in why.lower() for each in _NO_RIGHTS):
            raise AppError(f"`service {verb}` needs root; put sudo before it")
        call("journalctl", "--sync")
        # The run before did not log the reason.
        of_run = f"_SYSTEMD_INVOCATION_ID={properties().get('InvocationID', '')}"
        said = journal(f"_SYSTEMD_UNIT={UNIT}", of_run, f"--since=@{start_s:.6f}", *_SHOWN)
        for line in said:
            print(f"    {line}", file=sys.stderr)
        above = "; its log stands above" if said else ""
        raise AppError(f"the service cannot {verb}: {why}{above}")
    if starts:
        systemctl("reset-failed", UNIT)
    print(_DONE[verb])
    return 0


def roll_back(script: Path) -> int:
    """Replace this process by the script that installs the package from before the upgrade."""
    check_root("rollback", script)
    os.execv(script, [str(script), "rollback"])


def check_root(command: str, program: Path) -> None:
    """Raise AppError unless this is root, and the program that a command needs is installed."""
    if os.geteuid() != 0:
        raise AppError(f"`service {command}` needs root; put sudo before it")
    if not program.exists():
        raise AppError(NOT_INSTALLED)
