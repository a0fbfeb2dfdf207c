"""How the service is, in a few lines for a person or as JSON; and its log.

Owns these words. Needs no rights, and must change nothing.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from game.app.gate.addresses import local_addresses
from game.app.service.places import NAME, UNIT, Places
from game.app.service.settings import PageSettings, SettingsError, read
from game.app.service.setup.releases import Releases
from game.app.service.setup.systemctl import (
    InstallError,
    Machine,
    Systemctl,
    ThisMachine,
    UnitState,
)
from game.app.service.setup.trial import trial_of
from game.app.service.setup.unit_log import UnitLog

RUNNING, NOT_RUNNING, NOT_INSTALLED = 0, 3, 4
"""Exit statuses, those of `systemctl status`."""
_WARNINGS = 3
_STATES = {
    "inactive": "is stopped",
    "failed": "has failed",
    "activating": "is starting",
    "deactivating": "is stopping",
}
_SERVED, _NOT_SERVED, _NAMED = "the page is at ", "no page is served: ", "the page has the name "
"""How lines of the service's log begin that say what has become of its page."""


@dataclass(frozen=True, slots=True)
class Status:
    """Hold how the service is; what is not known is None, and what does not apply empty.

    `page_trouble` says why there is no page, and `log_seen` whether we may see the log at all.
    """

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
    page_trouble: str
    network: bool | None
    problem: str
    log_seen: bool
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
    log = UnitLog(machine)
    seen, run = log.seen(), state.told.get("InvocationID", "")
    trouble = _page_trouble(log, run) if state.up else ""
    served = page is not None and state.up and not trouble
    return Status(
        installed=state.known,
        running=state.up,
        state=state.told.get("ActiveState", ""),
        # What an earlier run has said last stands there still.
        says="" if state.ended else state.told.get("StatusText", ""),
        since=state.told.get("ActiveEnterTimestamp", "") if state.up else "",
        version=version,
        previous=previous.name if previous is not None else None,
        on_trial=trial is not None and trial.release == version and not trial.passed,
        cut_short=trial is not None and trial.release != version,
        starts_with_computer=state.told.get("UnitFileState") == "enabled",
        memory_mb=_memory_mb(state),
        restarts=_number(state, "NRestarts"),
        pages=_addresses(page, _announced(places, log, run)) if page and served else (),
        page_trouble=trouble,
        network=page.network if page is not None else None,
        problem=problem,
        log_seen=seen,
        warnings=tuple(log.warnings(run, _WARNINGS)) if run else (),
    )


def as_text(told: Status) -> str:
    """Put it into lines for a person."""
    if not told.installed:
        return "lifeboard is not installed as a service. `sudo lifeboard service install` does so."
    return "\n".join(_lines(told))


def _lines(told: Status) -> list[str]:
    name = f"lifeboard {told.version or '(no release)'}"
    state = f"runs since {told.since}" if told.running else _STATES.get(told.state, told.state)
    lines = [f"{name} {state}"]
    if told.says:
        lines.append(f"  {told.says}")
    if told.on_trial:
        lines.append(f"  This version is on trial; {told.previous} comes back if it fails.")
    if told.cut_short:
        lines.append("  An upgrade was cut short: `sudo lifeboard service rollback` tidies up.")
    if told.state == "failed":
        lines.append("  `sudo lifeboard service logs` tells why.")
        if told.previous is not None and not told.on_trial:
            lines.append(f"  `sudo lifeboard service rollback` goes back to {told.previous}.")
    lines += _facts(told) if told.running else []
    if not told.starts_with_computer:
        lines.append(f"  It does not start with the computer: sudo systemctl enable {UNIT}")
    lines += [f"  {told.problem}"] if told.problem else []
    lines += ["Last warnings:", *(f"  {each}" for each in told.warnings)] if told.warnings else []
    if not told.log_seen:
        lines.append("  With sudo it also tells the last warnings.")
    return lines


def _facts(told: Status) -> list[str]:
    """Tell of one that runs what it takes, and where its page is."""
    facts = [f"{told.memory_mb:.0f} MB of memory"] if told.memory_mb is not None else []
    if told.restarts is not None:
        times = {0: "no restart", 1: "restarted once"}
        facts.append(times.get(told.restarts, f"restarted {told.restarts} times"))
    lines = [f"  {', '.join(facts)}"] if facts else []
    if told.page_trouble:
        lines.append(f"  No page is served: {told.page_trouble}")
    elif told.pages:
        lines.append(f"  Page: {', '.join(told.pages)}")
        if told.network:
            lines.append("  The page is open to the network: `sudo lifeboard pin` shows the PIN.")
        else:
            lines.append("  The page is for this computer only: [page] network in the settings.")
    return lines


def logs(*, lines: int | None, follow: bool, machine: Machine | None = None) -> int:
    """Become the program that shows the log; raises InstallError for who may not see it."""
    if not UnitLog(machine or ThisMachine()).seen():
        raise InstallError("the log is not for everybody to see; put sudo before it")
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


def _page_trouble(log: UnitLog, run: str) -> str:
    """Say why there is no page, if the log of this run says so; empty if there is one."""
    last = log.last(run, (_SERVED, _NOT_SERVED))
    return last.removeprefix(_NOT_SERVED) if last.startswith(_NOT_SERVED) else ""


def _announced(places: Places, log: UnitLog, run: str) -> tuple[str, ...]:
    """Give the name by which Avahi makes us known in the network, if it is there."""
    if not (places.root / "run/avahi-daemon/socket").exists():
        return ()
    told = log.last(run, (_NAMED,)).removeprefix(_NAMED).split()
    return (told[0] if told else f"{NAME}.local",)


def _addresses(page: PageSettings, announced: Sequence[str]) -> tuple[str, ...]:
    hosts = ["localhost"]
    if page.network:
        hosts += announced
        hosts += page.names
        hosts += [each.text for each in sorted(local_addresses())]
    return tuple(f"http://{host}:{page.port}/" for host in dict.fromkeys(hosts))


def _number(state: UnitState, key: str) -> int | None:
    told = state.told.get(key, "")
    return int(told) if told.isdecimal() else None


def _memory_mb(state: UnitState) -> float | None:
    number = _number(state, "MemoryCurrent")
    # systemd says "[not set]", and before that the greatest number, for what it does not count.
    if number is None or number >= 1 << 63:
        return None
    return round(number / 1e6, 1)
