"""The computer and the board that the doctor examines, and its findings."""

import fcntl
import grp
import os
import platform
import pwd
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from game.store import LOCK
from hal.backends.coprocessor.port import Port, open_port
from hal.drivers.i2c_search import Buses
from hal.profile import Profile

_COMMAND_S = 10.0
_CONFIG = "/boot/firmware/config.txt"
_SERVICE = ["systemctl", "is-active", "lifeboard"]


class Severity(StrEnum):
    """How bad a finding is: only failures keep a board from working."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a check; `remedy` is the command or the wiring that repairs it."""

    level: Severity
    name: str
    text: str
    remedy: str = ""


ok = partial(Finding, Severity.OK)
warning = partial(Finding, Severity.WARNING)
failure = partial(Finding, Severity.FAILURE)


class Family(Enum):
    """The Pis that need different settings, by their section of config.txt."""

    ZERO_2 = "pi02"
    THREE = "pi3"
    FOUR = "pi4"
    FIVE = "pi5"
    OTHER = "other"


# A Pi 400 is a 4, and a Pi 500 a 5.
_FAMILIES = {
    "Zero 2": Family.ZERO_2,
    "0": Family.ZERO_2,
    "3": Family.THREE,
    "4": Family.FOUR,
    "5": Family.FIVE,
}


def family_of(name: str) -> Family | None:
    """Recognise a Pi by its name in the device tree; None for other computers."""
    if not name.startswith("Raspberry Pi"):
        return None
    found = re.match(r"Raspberry Pi (?:Compute Module )?(Zero 2|[0345])", name)
    return _FAMILIES[found[1]] if found else Family.OTHER


def add_to_config(*lines: str) -> str:
    """Write the remedy that adds lines to config.txt."""
    return f"add {' and '.join(f'`{line}`' for line in lines)} to {_CONFIG}, then restart the Pi"


def parse(text: str, section: str) -> dict[str, str]:
    """Read what a config.txt sets for one section and for all, device tree parameters included."""
    values: dict[str, str] = {}
    applies = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            applies = line.strip("[]") in ("all", section)
        elif applies and not line.startswith("#"):
            settings = line.removeprefix("dtparam=")
            for setting in settings.split(","):
                name, _, value = setting.partition("=")
                values[name.strip()] = value.strip()
    return values


@dataclass(frozen=True, slots=True)
class Process:
    """The user of this process, and whether its Python has some packages."""

    user: str
    uid: int
    groups: frozenset[str]
    lgpio: bool
    ws281x: bool


def this_process() -> Process:
    """Describe the running process."""
    uid, gids = os.geteuid(), {os.getegid(), *os.getgroups()}
    users = {each.pw_uid: each.pw_name for each in pwd.getpwall()}
    return Process(
        user=users.get(uid, str(uid)),
        uid=uid,
        groups=frozenset(each.gr_name for each in grp.getgrall() if each.gr_gid in gids),
        # Its compiled part: version 0.0.0.2 on PyPI has none.
        lgpio=find_spec("_lgpio") is not None,
        ws281x=find_spec("_rpi_ws281x") is not None,
    )


def run_command(command: Sequence[str]) -> str:
    """Run a command and return its output, whatever its status; "" when it cannot be run."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_COMMAND_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


@dataclass(frozen=True)
class System:
    """Read a computer. `root` is the folder of its files, `data` the folder of the games.

    `run` returns a command's output; `free` returns the free bytes of a folder's disk. `clock`
    gives monotonic seconds.
    """

    data: Path
    root: Path = Path("/")
    process: Process = field(default_factory=this_process)
    run: Callable[[Sequence[str]], str] = run_command
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    open_port: Callable[[str], Port] = open_port
    clock: Callable[[], float] = time.monotonic

    def text(self, path: str) -> str:
        """Return a file's text without blanks and NULs at its ends; "" when it cannot be read."""
        try:
            return self._at(path).read_text("utf-8", errors="replace").strip("\0 \t\r\n")
        except OSError:
            return ""

    def exists(self, path: str) -> bool:
        """Return whether there is such a file, device or folder."""
        return os.path.exists(self._at(path))

    @property
    def machine(self) -> str:
        """Return the machine's name in the device tree, or what its processor is."""
        return self.text("/proc/device-tree/model") or platform.machine()

    @property
    def family(self) -> Family | None:
        """Return the family of Pi; None for other computers."""
        return family_of(self.machine)

    @property
    def config(self) -> dict[str, str]:
        """Return what config.txt sets for this Pi; nothing when it is unreadable."""
        return parse(self.text(_CONFIG), self.family.value if self.family else "")

    @property
    def data_disk(self) -> Path:
        """Return the data folder, or its nearest parent that exists."""
        there = (folder for folder in (self.data, *self.data.parents) if os.path.isdir(folder))
        return next(there, Path("/"))

    def in_use(self) -> bool:
        """Return whether a lifeboard runs: it locks its data folder, and may be the service."""
        try:
            with (self.data / LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return self.run(_SERVICE) in ("active", "activating")

    def _at(self, path: str) -> Path:
        return self.root / path.lstrip("/")


@dataclass(frozen=True, slots=True)
class Target:
    """The computer and the board that are examined; `buses` are the I2C buses of a Pi."""

    system: System
    profile: Profile
    buses: Buses | None = None
