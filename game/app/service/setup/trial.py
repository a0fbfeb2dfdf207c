"""Trying a release out, and going back when it does not come up.

Owns the order in which the running release is exchanged, so that whenever the power goes a whole
release is current and knows its games, and the note of a trial that is under way. Must not know how
a release is made.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from game.app.errors import AppError
from game.app.journal.disk import sync_folder
from game.app.service.places import UNIT, Places
from game.app.service.setup.accounts import Accounts
from game.app.service.setup.keepsakes import Keepsakes
from game.app.service.setup.releases import Release, Releases
from game.app.service.setup.system_files import SystemFiles
from game.app.service.setup.systemctl import InstallError, Machine, Systemctl, UnitState
from game.app.service.setup.unit_log import UnitLog
from hal.files import write_whole

Report = Callable[[str], None]

TRIAL_S = 600.0
"""A crash later than this after a trial's begin, or after power-on, is no fault of the release."""
LONGEST_S = 3600.0
"""Nor is one so much later by the clock on the wall, which a Pi takes up where it left it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Say which release is tried out, which to go back to, and which was `previous` before.

    `boot` and `begun_s` are the computer's run in which it began, and how long that had lasted;
    `begun_at` is when that was, in seconds since 1970. `passed` says that the release came up and
    stayed up while its installer watched; systemd watches on, until TRIAL_S.
    """

    release: str
    back_to: str
    previous: str | None
    boot: str
    begun_s: float
    begun_at: float
    passed: bool = False


def trial_of(places: Places) -> Trial | None:
    """Read which release is on trial on a computer, if one is; raises InstallError."""
    note = _note(places)
    try:
        told = json.loads(note.read_text(encoding="utf-8"))
        # The release before reads what a later one has written.
        known = {each.name for each in fields(Trial)}
        return Trial(**{name: value for name, value in told.items() if name in known})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InstallError(f"{note} cannot be read: {error}; remove it") from error


def _note(places: Places) -> Path:
    """Name the note of a trial, which `lifeboard-rollback.service` looks for too."""
    return places.home / "on-trial"


class Change:
    """Exchange the release that runs on one computer. Its caller holds the installation's lock."""

    def __init__(self, places: Places, machine: Machine, report: Report) -> None:
        self._places = places
        self._machine = machine
        self._report = report
        self._note = _note(places)
        self.releases = Releases(places)
        self.files = SystemFiles(places)
        self.systemctl = Systemctl(machine)
        self.keepsakes = Keepsakes(places)
        self.accounts = Accounts(places, machine)

    def trial(self) -> Trial | None:
        """Read which release is on trial, if one is."""
        return trial_of(self._places)

    def try_out(self, new: Release, probation_s: float, *, watched_on: bool) -> None:
        """Exchange the current release for another, or go back; raises InstallError then.

        `watched_on` leaves a note, by which a release that came up and falls over later goes too.
        """
        old = self.releases.current
        if old is None:
            raise InstallError("there is no release to exchange")
        verb, said = "was not brought in", []
        try:
            self.systemctl.stop()
            self._exchange(old, new)
            begun_s = self._machine.wall_s()
            failure = self.systemctl.start(probation_s)
            if failure is None:
                if watched_on:
                    self._pass_trial()
                else:
                    self.end_trial()
                return
            verb, said = "does not come up", UnitLog(self._machine).since(begun_s)
        except (AppError, OSError) as error:
            failure = str(error)
        except KeyboardInterrupt:
            failure = "you ended it"
        self.tell_log(said)
        self._report(f"{new.name} {verb}: {failure}. Going back to {old.name} ...")
        trial = self.trial()
        if trial is None:
            # The switch was not reached, and the old release is as it was.
            again = self.systemctl.start(probation_s)
        else:
            again = self.go_back(trial, probation_s)
        now = f"{old.name} runs again" if again is None else f"nor does {old.name}: {again}"
        above = "; what it said stands above" if said else ""
        raise InstallError(f"{new.name} {verb}: {failure}; {now}{above}")

    def go_back(self, trial: Trial, probation_s: float, *, start: bool = True) -> str | None:
        """Undo an exchange; say what went wrong with the old release, None if it came up.

        It may be cut short anywhere, and done again.
        """
        old = self.releases.named(trial.back_to)
        if old is None:
            raise InstallError(f"release {trial.back_to}, to which to go back, is not there")
        self.systemctl.stop()
        self.bring_games(old)
        self._undo(trial, old)
        return self.systemctl.start(probation_s) if start else None

    def settle(self, probation_s: float) -> None:
        """Take in hand what an installer left that was cut short."""
        trial, current = self.trial(), self.releases.current
        if trial is None or current is None:
            return
        state = self.systemctl.state()
        if trial.passed and current.name == trial.release and not self.is_to_blame(trial, state):
            self.end_trial()
        elif not state.active:
            self._report(f"{trial.release} was on trial, and is not up: going back.")
            self.go_back(trial, probation_s, start=not state.disabled)
        elif current.name == trial.release:
            self.place(current)
            self.end_trial()
        else:
            # The exchange was only begun, or almost undone: what runs is the old release.
            self._undo(trial, current)

    def is_to_blame(self, trial: Trial, state: UnitState) -> bool:
        """Tell whether a release that passed its trial is the reason why the unit has failed."""
        return state.failed and not state.refused_settings and not self.is_over(trial)

    def is_over(self, trial: Trial) -> bool:
        """Tell whether a trial began so long ago that what fails now has other reasons."""
        since_s = self._machine.uptime_s()
        if trial.boot == self._machine.boot():
            since_s -= trial.begun_s
        return since_s > TRIAL_S or self._machine.wall_s() - trial.begun_at > LONGEST_S

    def tell_log(self, said: list[str]) -> None:
        """Show what the service has logged, so that the reason can be seen in it."""
        for line in said:
            self._report(f"    {line}")

    def place(self, release: Release) -> None:
        """Install a release's own files, and tell those who read them."""
        placed = self.files.place(release)
        for path in placed.kept:
            self._report(f"A file that was not ours was in the way; it is kept as {path}.")
        self.accounts.make(self.files.sysusers())
        self.told(rules=placed.has(".rules"))

    def told(self, *, rules: bool) -> None:
        """Have systemd, the journal and, where rules changed, udev look at our files again."""
        # The journal and udev may be missing, as in a container; the unit needs neither.
        self._machine.run(["journalctl", "--update-catalog"])
        if not (self._places.root / "run/systemd/system").is_dir():
            return
        self.systemctl.tell("daemon-reload")
        if rules:
            self._machine.run(["udevadm", "control", "--reload"])
            self._machine.run(["udevadm", "trigger", "--action=change"])

    def bring_games(self, release: Release) -> None:
        """Give a release its games in the form that it left, if they have got another."""
        try:
            aside = self.keepsakes.bring(release.name)
        except InstallError as error:
            # A release sets aside by itself what it cannot read, and begins a new file.
            self._report(str(error))
            return
        if aside:
            self._report(
                f"The games were in a form that {release.name} does not know. They are kept as"
                f" {aside}, and those from before the upgrade are back."
            )

    def end_trial(self) -> None:
        """Forget the trial."""
        if self._note.exists():
            self._note.unlink()
            sync_folder(self._note.parent)

    def _pass_trial(self) -> None:
        """Leave a note by which systemd has us go back if the release falls over soon."""
        trial = self.trial()
        if trial is not None:
            write_whole(self._note, json.dumps(asdict(replace(trial, passed=True))).encode())

    def _undo(self, trial: Trial, old: Release) -> None:
        before = self.releases.named(trial.previous) if trial.previous else None
        self.releases.switch_back(old, before)
        try:
            self.place(old)
        except (AppError, OSError) as error:
            # The files of another release are better than no board at all.
            self._report(f"The files of {old.name} could not all be put back: {error}")
        self.end_trial()

    def _exchange(self, old: Release, new: Release) -> None:
        self.keepsakes.save(old.name)
        previous = self.releases.previous
        trial = Trial(
            new.name,
            old.name,
            previous.name if previous else None,
            self._machine.boot(),
            self._machine.uptime_s(),
            self._machine.wall_s(),
        )
        # The note first: from here on a crash of the new release leads back.
        write_whole(self._note, json.dumps(asdict(trial)).encode())
        self.bring_games(new)
        self.releases.switch(new)
        self.place(new)


def rollback(change: Change, probation_s: float) -> str:
    """Go back to the release before, for a person; say where we are then. Raises InstallError."""
    trial = change.trial()
    change.settle(probation_s)
    if trial is not None and change.trial() is None and _is_current(change, trial.back_to):
        failure = change.systemctl.start(probation_s)
        if failure:
            raise InstallError(f"{trial.back_to} is back, and does not come up: {failure}")
        return trial.back_to
    previous = change.releases.previous
    if previous is None or previous == change.releases.current:
        raise InstallError("there is no release to go back to")
    # Who goes back does not want the one that was left, whatever becomes of this one.
    change.try_out(previous, probation_s, watched_on=False)
    return previous.name


def rollback_if_on_trial(change: Change, probation_s: float) -> str:
    """Go back if the release that failed is on trial; say what was done. Raises InstallError.

    `lifeboard-rollback.service` calls it when systemd has given the service up.
    """
    trial = change.trial()
    if trial is None:
        return "no release is on trial"
    if not _is_current(change, trial.release) or change.is_over(trial):
        change.end_trial()
        return f"{trial.release} is not on trial any more"
    state = change.systemctl.state()
    if not state.failed:
        return f"{UNIT} has not failed"
    if trial.passed and not change.is_to_blame(trial, state):
        return "the settings are refused, which is no fault of the release"
    failure = change.go_back(trial, probation_s)
    if failure:
        raise InstallError(f"{trial.back_to} is back, and does not come up either: {failure}")
    how = "fell over" if trial.passed else "did not come up"
    return f"{trial.release} {how}; {trial.back_to} runs again"


def _is_current(change: Change, name: str) -> bool:
    current = change.releases.current
    return current is not None and current.name == name
