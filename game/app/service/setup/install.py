"""Installing the service, which is the same as bringing it up to date.

Owns the order of things and what is asked of the computer first. How each thing is done stands in
modules of its own.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from game.app.arguments import DEFAULT_PORT
from game.app.lock import Lock
from game.app.service.places import UNIT, Places
from game.app.service.setup.building import (
    Builder,
    check_room,
    find_python,
    find_source,
)
from game.app.service.setup.releases import Release
from game.app.service.setup.systemctl import InstallError, Machine, ThisMachine
from game.app.service.setup.trial import Change, Report, rollback, rollback_if_on_trial
from game.app.service.setup.unit_log import UnitLog
from hal.files import write_whole

PROBATION_S = 5.0


@dataclass(frozen=True, slots=True)
class InstallOptions:
    """Say what to install, and how.

    `source` is a checkout or a wheel; None means where this lifeboard came from. With `wheels`, a
    folder, no network is used. `extras` are more of the distribution's, such as "pwm"; those of an
    earlier installation stay. Without `start` nothing is started, as in a system's image.
    """

    source: str | None = None
    wheels: Path | None = None
    python: Path = Path("/usr/bin/python3")
    probation_s: float = PROBATION_S
    extras: tuple[str, ...] = ()
    start: bool = True


def install(
    options: InstallOptions,
    places: Places | None = None,
    machine: Machine | None = None,
    report: Report = print,
) -> int:
    """Install lifeboard as a service or exchange its release; raises InstallError.

    The release before goes on playing while the new one is made, and comes back when the new one
    does not come up.
    """
    places, machine = places or Places(), machine or ThisMachine()
    report = _heard(report)
    _check_machine(places, machine, options.start)
    with _steady(), installation_lock(places):
        change = Change(places, machine, report)
        source = find_source(options.source, options.wheels, change.releases)
        python = find_python(options.python, machine)
        change.settle(options.probation_s)
        change.releases.sweep()
        check_room(places)
        release = change.releases.room_for(source.version)
        current, new = change.releases.current, not places.settings.exists()
        earlier = current.note().extras if current is not None else ()
        extras = sorted({*options.extras, *earlier})
        report(f"Making release {release.name} of lifeboard from {source.path} ...")
        Builder(places, machine, python, options.wheels).build(source, release, extras)
        try:
            _check_settings(places, machine, release)
            _bring_in(change, places, machine, release, options)
        finally:
            _sweep(change, report)
        _tell(change, places, release, report)
        if new and options.start:
            _tell_next(places, report)
    return 0


def roll_back(
    *,
    only_on_trial: bool = False,
    probation_s: float = PROBATION_S,
    places: Places | None = None,
    machine: Machine | None = None,
    report: Report = print,
) -> int:
    """Go back to the release that ran before; raises InstallError.

    `only_on_trial` goes back only from one on trial that systemd has given up.
    """
    places, machine = places or Places(), machine or ThisMachine()
    report = _heard(report)
    check_root(places, "rollback")
    if not places.home.is_dir():
        raise InstallError(f"lifeboard is not installed: there is no {places.home}")
    with _steady():
        try:
            lock = installation_lock(places)
        except InstallError:
            if only_on_trial:
                report("An installer is at work, and sees to it.")
                return 0
            raise
        with lock:
            change = Change(places, machine, report)
            if only_on_trial:
                report(f"{rollback_if_on_trial(change, probation_s)}.")
            else:
                report(f"lifeboard {rollback(change, probation_s)} runs.")
    return 0


def check_root(places: Places, verb: str) -> None:
    """Refuse those who may not change the system; raises InstallError."""
    if places.root == Path("/") and os.geteuid() != 0:
        raise InstallError(f"service {verb} needs root: sudo lifeboard service {verb}")


def installation_lock(places: Places) -> Lock:
    """Take the lock of the installation; raises InstallError while another one has it."""
    try:
        return Lock(places.home / ".lock", "the installation", "wait until that one is done")
    except OSError as error:
        raise InstallError(str(error)) from error


def _check_machine(places: Places, machine: Machine, start: bool) -> None:
    check_root(places, "install")
    for program in ("systemctl", "systemd-sysusers"):
        if machine.run([program, "--version"]).status:
            raise InstallError(
                f"there is no {program}: the service needs systemd, as on Debian 12 or"
                " Raspberry Pi OS (sudo apt install systemd)"
            )
    if start and not (places.root / "run/systemd/system").is_dir():
        raise InstallError(
            "systemd does not run this computer; where it will later, such as in an image,"
            " use --no-start"
        )


def _check_settings(places: Places, machine: Machine, release: Release) -> None:
    """Look at the settings with the new release, while the old one still plays."""
    if not places.settings.exists():
        return
    done = machine.run([str(release.command), "service", "check", str(places.settings)])
    if done.status:
        why = done.told.removeprefix("lifeboard: ")
        raise InstallError(f"{release.name} refuses the settings, and nothing was changed: {why}")


def _bring_in(
    change: Change, places: Places, machine: Machine, release: Release, options: InstallOptions
) -> None:
    installed = places.home / "installed"
    if not installed.exists():
        change.releases.switch(release)
        change.place(release)
        change.systemctl.tell("enable", UNIT)
        write_whole(installed, b"")
        if options.start:
            _start_first(change, machine, release, options.probation_s)
        return
    old = change.releases.current
    if options.start and old is not None:
        state = change.systemctl.state()
        # Who has stopped it for good does not want it started.
        if state.active or not state.disabled:
            change.try_out(release, options.probation_s, watched_on=True)
            return
    if old is not None:
        change.keepsakes.save(old.name)
    change.releases.switch(release)
    change.place(release)


def _start_first(change: Change, machine: Machine, release: Release, probation_s: float) -> None:
    begun_s = machine.wall_s()
    failure = change.systemctl.start(probation_s)
    if failure is None:
        return
    change.tell_log(UnitLog(machine).since(begun_s))
    # It stays, with all its commands to find out why, and starts with the computer again.
    change.systemctl.stop()
    raise InstallError(
        f"lifeboard {release.name} is installed, but it does not come up: {failure};"
        " `sudo lifeboard service restart` tries again,"
        " `sudo lifeboard service uninstall` takes it away"
    )


def _sweep(change: Change, report: Report) -> None:
    """Remove old releases, and the copies of games that were theirs."""
    trial = change.trial()
    # A trial that could not be ended still needs the releases that it names.
    if trial is not None and not trial.passed:
        return
    try:
        change.keepsakes.sweep(change.releases.sweep())
    except (InstallError, OSError) as error:
        report(str(error))


def _tell(change: Change, places: Places, release: Release, report: Report) -> None:
    if not change.files.place_command():
        report(f"{places.command} is another program and stays; ours is {change.files.link}.")
    report(f"lifeboard {release.name} is installed. `lifeboard service status` tells how it is.")


def _tell_next(places: Places, report: Report) -> None:
    """Say where somebody goes on who has had no lifeboard; the settings are the usual ones."""
    report(
        f"On this computer its page is at http://127.0.0.1:{DEFAULT_PORT}/: a game, or what is"
        f" still to be done for one. Settings are in {places.settings}."
    )


def _heard(report: Report) -> Report:
    """Speak, but go on when the terminal has gone away."""

    def spoken(text: str) -> None:
        try:
            report(text)
        except OSError:
            return

    return spoken


@contextmanager
def _steady() -> Iterator[None]:
    """Outlive a lost connection, and take the first wish to end, but not one while ending."""

    def end(number: int, frame: FrameType | None) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {
        signal.SIGHUP: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        signal.SIGINT: signal.signal(signal.SIGINT, end),
        signal.SIGTERM: signal.signal(signal.SIGTERM, end),
    }
    mask = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(mask)
        for number, handler in before.items():
            signal.signal(number, handler)
