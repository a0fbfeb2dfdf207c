"""Queries systemd and the journal about the unit, for `lifeboard service status`."""

import json
import os
import socket
import subprocess
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

from game.common import AppError, own_addresses, url
from game.service.paths import UNIT, UPGRADES, ServicePaths
from game.service.settings import PageSettings, SettingsError, read

NOT_INSTALLED = (
    "lifeboard is not installed as a service; `make service` or"
    " `sudo apt install ./lifeboard_*.deb` installs it"
)
_NOT_SEEN = ("insufficient permissions", "not seeing messages from other users")
_WARNINGS = ("--lines=3", "--priority=warning", "--output=short-iso")
_STATES = {
    "inactive": "is stopped",
    "failed": "has failed",
    "activating": "is starting",
    "deactivating": "is stopping",
}
_NOT_SERVED = "no page is served: "
"""A log line begins so, followed by the reason."""
_AVAHI = Path("/run/avahi-daemon/socket")

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


def journal(*options: str) -> tuple[list[str], bool]:
    """Return lines of the journal, and whether this user may see all of them."""
    done = call("journalctl", "--no-pager", *options)
    # Its own lines are "-- No entries --" and those between two starts of the computer.
    lines = [line for line in done.stdout.splitlines() if line and not line.startswith("-- ")]
    return lines, not any(each in done.stderr for each in _NOT_SEEN)


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


def print_status(*, as_json: bool) -> int:
    """Print the status; return 0 if it runs, 3 if not, 4 if not installed, as systemctl does."""
    status = read_status()
    print(json.dumps(vars(status)) if as_json else as_text(status))
    if not status.installed:
        return 4
    return 0 if status.running else 3


def read_status() -> SimpleNamespace:
    """Read the status of the service; raises AppError if systemd does not answer.

    None means unknown, empty that it does not apply. `page_trouble` is why there is no page, and
    `log_seen` tells whether this user may read the log.
    """
    unit = properties()
    state, run = unit.get("ActiveState", ""), unit.get("InvocationID", "")
    running, of_run = state in ("active", "reloading"), f"_SYSTEMD_INVOCATION_ID={run}"
    page, problem = None, ""
    try:
        page = read(ServicePaths().settings).page
    except (SettingsError, OSError) as error:
        problem = f"The settings cannot be read: {error}"
    trouble = _page_trouble(of_run) if running else ""
    warnings, log_seen = journal(of_run, *_WARNINGS)
    previous = None
    with suppress(OSError):
        previous = (UPGRADES / "previous-version").read_text(encoding="utf-8").strip()
    return SimpleNamespace(
        installed=unit.get("LoadState") == "loaded",
        running=running,
        state=state,
        # systemd keeps the text of an earlier run.
        says="" if state in ("inactive", "failed") else unit.get("StatusText", ""),
        since=unit.get("ActiveEnterTimestamp", "") if running else "",
        version=version("lifeboard"),
        previous=previous,
        starts_with_computer=unit.get("UnitFileState") == "enabled",
        pages=_addresses(page) if page is not None and running and not trouble else (),
        page_trouble=trouble,
        network=page.network if page is not None else None,
        problem=problem,
        log_seen=log_seen,
        warnings=tuple(warnings),
    )


def as_text(status: SimpleNamespace) -> str:
    """Write a status for a person."""
    if not status.installed:
        return f"{NOT_INSTALLED}."
    state = f"runs since {status.since}" if status.running else None
    lines = [f"lifeboard {status.version} {state or _STATES.get(status.state, status.state)}"]
    lines += [f"  {status.says}"] if status.says else []
    if status.state == "failed":
        lines.append("  `sudo journalctl -u lifeboard` tells why.")
        if status.previous:
            lines.append(f"  `sudo lifeboard service rollback` goes back to {status.previous}.")
    if status.page_trouble:
        lines.append(f"  No page is served: {status.page_trouble}")
    elif status.pages:
        whose = "for this computer only: [page] network in the settings"
        if status.network:
            whose = "open to the network: `sudo lifeboard pin` shows the PIN"
        lines += [f"  Page: {', '.join(status.pages)}", f"  The page is {whose}."]
    if not status.starts_with_computer:
        lines.append(f"  It does not start with the computer: sudo systemctl enable {UNIT}")
    lines += [f"  {status.problem}"] if status.problem else []
    if status.warnings:
        lines += ["Last warnings:", *(f"  {each}" for each in status.warnings)]
    if not status.log_seen:
        lines.append("  With sudo it also tells the last warnings.")
    return "\n".join(lines)


def _page_trouble(of_run: str) -> str:
    """Return why there is no page, if the log of this run says so."""
    either = f"--grep=^(the page is at |{_NOT_SERVED})"
    last = "".join(journal(of_run, "--lines=1", "--output=cat", either)[0])
    return last.removeprefix(_NOT_SERVED) if last.startswith(_NOT_SERVED) else ""


def _addresses(page: PageSettings) -> tuple[str, ...]:
    hosts: list[str] = []
    if page.network:
        if _AVAHI.exists():
            hosts.append(f"{socket.gethostname().partition('.')[0]}.local")
        hosts += page.names
        hosts += own_addresses()
    others = (url(host, page.port, secure=page.https) for host in dict.fromkeys(hosts))
    return url("localhost", page.port), *others
