"""How the service is, in a few lines for a person or as JSON; and its log.

Owns these words. Needs no rights, and must change nothing.
"""

import json
import os
from dataclasses import asdict, dataclass

from game.app.gate.addresses import local_addresses
from game.app.service.places import UNIT, Places
from game.app.service.settings import PageSettings, SettingsError, read
from game.app.service.setup.releases import Releases
from game.app.service.setup.systemctl import Machine, Systemctl, ThisMachine, UnitState
from game.app.service.setup.trial import trial_of

RUNNING, NOT_RUNNING, NOT_INSTALLED = 0, 3, 4
"""Exit statuses, those of `systemctl status`."""
_WARNINGS = 3


@dataclass(frozen=True, slots=True)
class Status:
    """Hold how the service is; what is not known is None, and what does not apply empty."""

    installed: bool
    running: bool
    state: str
    says: str
    since: str
    version: str | None
    previous: str | None
    on_trial: bool
    cut_short: bool
    starts_with_computer: bool
    memory_mb: float | None
    restarts: int | None
    pages: tuple[str, ...]
    network: bool | None
    problem: str
    warnings: tuple[str, ...]


def status(*, as_json: bool, places: Places | None = None, machine: Machine | None = None) -> int:
    """Print how the service is; return 0 if it runs, 3 if not, and 4 if it is not installed."""
    told = look(places or Places(), machine or ThisMachine())
    print(json.dumps(asdict(told)) if as_json else as_text(told))
    if not told.installed:
        return NOT_INSTALLED
    return RUNNING if told.running else NOT_RUNNING


def look(places: Places, machine: Machine) -> Status:
    """Find out how the service is; raises InstallError where systemd does not answer."""
    state = Systemctl(machine).state()
    releases = Releases(places)
    current, previous = releases.current, releases.previous
    version = current.name if current is not None else None
    trial = trial_of(places)
    page, problem = _page(places)
    return Status(
        installed=state.known,
        running=state.active,
        state=state.told.get("ActiveState", ""),
        says=state.told.get("StatusText", ""),
        since=state.told.get("ActiveEnterTimestamp", "") if state.active else "",
        version=version,
        previous=previous.name if previous is not None else None,
        on_trial=trial is not None and trial.release == version,
        cut_short=trial is not None and trial.release != version,
        starts_with_computer=state.told.get("UnitFileState") == "enabled",
        memory_mb=_memory_mb(state),
        restarts=_number(state, "NRestarts"),
        pages=_addresses(page) if page is not None and state.active else (),
        network=page.network if page is not None else None,
        problem=problem,
        warnings=_warnings(machine) if state.known else (),
    )


def as_text(told: Status) -> str:
    """Put it into lines for a person."""
    if not told.installed:
        return "lifeboard is not installed as a service. `sudo lifeboard service install` does so."
    return "\n".join(_lines(told))


def _lines(told: Status) -> list[str]:
    name = f"lifeboard {told.version or '(no release)'}"
    lines = [f"{name} runs since {told.since}" if told.running else f"{name} is {told.state}"]
    if told.says:
        lines.append(f"  {told.says}")
    if told.on_trial:
        lines.append(f"  This version is on trial; {told.previous} comes back if it fails.")
    if told.cut_short:
        lines.append("  An upgrade was cut short: `sudo lifeboard service rollback` tidies up.")
    if told.running:
        facts = [f"{told.memory_mb:.0f} MB of memory"] if told.memory_mb is not None else []
        if told.restarts is not None:
            facts.append(f"restarted {told.restarts} times" if told.restarts else "no restart")
        lines += [f"  {', '.join(facts)}"] if facts else []
        lines += [f"  Page: {', '.join(told.pages)}"] if told.pages else []
        if told.network is False:
            lines.append("  The page is for this computer only: [page] network in the settings.")
        elif told.network:
            lines.append("  The page is open to the network: `sudo lifeboard pin` shows the PIN.")
    if not told.starts_with_computer:
        lines.append(f"  It does not start with the computer: sudo systemctl enable {UNIT}")
    lines += [f"  {told.problem}"] if told.problem else []
    lines += ["Last warnings:", *(f"  {each}" for each in told.warnings)] if told.warnings else []
    return lines


def logs(*, lines: int | None, follow: bool) -> int:
    """Become the program that shows the log."""
    command = logs_command(lines, follow=follow)
    os.execvp(command[0], command)


def logs_command(lines: int | None, *, follow: bool) -> list[str]:
    """Return the command that shows the last lines of the log, or all."""
    command = ["journalctl", "--unit", UNIT]
    if lines is not None:
        command += ["--lines", str(lines)]
    return [*command, "--follow"] if follow else command


def _page(places: Places) -> tuple[PageSettings | None, str]:
    try:
        return read(places.settings).page, ""
    except (SettingsError, OSError) as error:
        return None, f"The settings cannot be read: {error}"


def _addresses(page: PageSettings) -> tuple[str, ...]:
    hosts = ["localhost"]
    if page.network:
        hosts += page.names
        hosts += [each.text for each in sorted(local_addresses())]
    return tuple(f"http://{host}:{page.port}/" for host in hosts)


def _number(state: UnitState, key: str) -> int | None:
    told = state.told.get(key, "")
    return int(told) if told.isdecimal() else None


def _memory_mb(state: UnitState) -> float | None:
    number = _number(state, "MemoryCurrent")
    # systemd says "[not set]", and before that the greatest number, for what it does not count.
    if number is None or number >= 1 << 63:
        return None
    return round(number / 1e6, 1)


def _warnings(machine: Machine) -> tuple[str, ...]:
    done = machine.run(
        [
            *("journalctl", "--unit", UNIT, "--priority", "warning", "--lines", str(_WARNINGS)),
            *("--no-pager", "--quiet", "--output", "short-iso"),
        ]
    )
    if done.status or (not done.out and "permission" in done.err):
        return ("not to be seen without rights: sudo lifeboard service status",)
    return tuple(line for line in done.out.splitlines() if not line.startswith("-- "))
