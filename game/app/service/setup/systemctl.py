"""The computer that the service is installed on: its commands, and what systemd says of the unit.

Owns how commands are run and how the unit is asked and told. Must not know releases, files or
what the unit logs.
"""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from game.app.errors import AppError
from game.app.service.places import EXIT_CONFIG, UNIT

_NOT_FOUND = 127
_LOOK_S = 0.5
_ASKED = (
    "LoadState",
    "ActiveState",
    "SubState",
    "UnitFileState",
    "StatusText",
    "Result",
    "NRestarts",
    "InvocationID",
    "MemoryCurrent",
    "MainPID",
    "ExecMainStatus",
    "ActiveEnterTimestamp",
)


class InstallError(AppError):
    """Refuse or end an installation; the message names what is missing, and what mends it."""


@dataclass(frozen=True, slots=True)
class Done:
    """Hold what a command gave back; status 127 if there is no such command."""

    status: int
    out: str = ""
    err: str = ""

    @property
    def told(self) -> str:
        """The last thing it said, in one line."""
        lines = (self.err.strip() or self.out.strip()).splitlines()
        return lines[-1].strip() if lines else f"it ended with status {self.status}"


class Machine(Protocol):
    """Run commands on a computer; another one in tests."""

    def run(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> Done:
        """Run a command to its end."""

    def pause(self, seconds: float) -> None:
        """Let time go by."""

    def boot(self) -> str:
        """Name this run of the computer, from power-on to power-off."""

    def uptime_s(self) -> float:
        """Say how long the computer has been on."""

    def wall_s(self) -> float:
        """Say what the clock on the wall shows, in seconds since 1970."""


class ThisMachine:
    """The computer that we run on."""

    def run(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> Done:
        """Run a command with nothing to read, in plain English, to its end."""
        try:
            done = subprocess.run(
                command,
                env={**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})},
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
        except FileNotFoundError as error:
            return Done(_NOT_FOUND, err=f"{command[0]}: {error.strerror}")
        except OSError as error:
            return Done(126, err=f"{command[0]}: {error.strerror}")
        return Done(done.returncode, done.stdout, done.stderr)

    def pause(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)

    def boot(self) -> str:
        """Read the kernel's name for this boot."""
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()

    def uptime_s(self) -> float:
        """Ask the clock that also runs while the computer sleeps."""
        return time.clock_gettime(time.CLOCK_BOOTTIME)

    def wall_s(self) -> float:
        """Ask the system's clock."""
        return time.time()


@dataclass(frozen=True, slots=True)
class UnitState:
    """Hold what systemd says of the unit, by its own names."""

    told: Mapping[str, str]

    @property
    def known(self) -> bool:
        """Whether there is such a unit."""
        return self.told.get("LoadState") == "loaded"

    @property
    def active(self) -> bool:
        """Whether it runs, and has said that it is ready."""
        return self.told.get("ActiveState") == "active"

    @property
    def up(self) -> bool:
        """Whether it runs, though it may be reading its settings just now."""
        return self.told.get("ActiveState") in ("active", "reloading")

    @property
    def ended(self) -> bool:
        """Whether nothing of it runs."""
        return self.told.get("ActiveState") in ("inactive", "failed")

    @property
    def failed(self) -> bool:
        """Whether systemd has given it up."""
        return self.told.get("ActiveState") == "failed"

    @property
    def refused_settings(self) -> bool:
        """Whether it has ended because its settings are not right."""
        return self.told.get("ExecMainStatus") == str(EXIT_CONFIG)

    @property
    def disabled(self) -> bool:
        """Whether an administrator has said that it shall not start with the computer."""
        return self.told.get("UnitFileState") == "disabled"

    @property
    def run(self) -> tuple[str, str]:
        """What is another value after every restart."""
        return self.told.get("InvocationID", ""), self.told.get("NRestarts", "")


class Systemctl:
    """Tell and ask systemd about our unit."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def state(self) -> UnitState:
        """Ask for the unit's state; raises InstallError where systemd does not answer."""
        done = self._machine.run(["systemctl", "show", UNIT, "--property", ",".join(_ASKED)])
        if done.status:
            raise InstallError(f"systemd does not answer: {done.told}")
        pairs = (line.partition("=") for line in done.out.splitlines())
        return UnitState({key: value for key, _, value in pairs})

    def tell(self, verb: str, *units: str) -> None:
        """Have systemctl do something with units; raises InstallError."""
        done = self._machine.run(["systemctl", verb, *units])
        if done.status:
            raise InstallError(f"systemctl {' '.join((verb, *units))} failed: {done.told}")

    def stop(self) -> None:
        """Stop the unit, and wait for its end."""
        self.tell("stop", UNIT)

    def start(self, probation_s: float) -> str | None:
        """Start the unit and watch it; say what went wrong, or None if it stayed up.

        systemctl itself waits until the service has said that it is ready.
        """
        self.forgive()
        done = self._machine.run(["systemctl", "start", UNIT])
        if done.status:
            return "it did not start"
        first = self.state()
        left_s = probation_s
        while first.active and left_s > 0:
            self._machine.pause(min(_LOOK_S, left_s))
            left_s -= _LOOK_S
            now = self.state()
            if not now.active or now.run != first.run:
                return "it started, and fell over soon after"
        if not first.active:
            return "it started, and was gone at once"
        self.forgive()
        return None

    def forgive(self) -> None:
        """Let no start so far count: after too many systemd would not start the unit for a while.

        It is for starts by people and our own commands, before and after, lest they leave fewer to
        a service that crashes. It needs root; without, nothing is done.
        """
        self._machine.run(["systemctl", "reset-failed", UNIT])
