"""The computer as the doctor sees it: files, commands, this process, data folder, serial ports."""

import fcntl
import grp
import os
import platform
import pwd
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.machinery import ExtensionFileLoader
from importlib.util import find_spec
from pathlib import Path

from game.maker.doctor.pi import Model, model_of
from game.store import LOCK
from hal.backends.coprocessor.port import VENDOR, FoundPort, Port, find_ports, open_port

_COMMAND_S = 10.0
_SYNCS = 15
_SYNC_BYTES = 4096
_USB = "/sys/bus/usb/devices"


@dataclass(frozen=True, slots=True)
class Process:
    """The user and the Python of this process, and whether it has some packages."""

    user: str
    uid: int
    groups: frozenset[str]
    python: str
    bits: int
    lgpio: bool
    ws281x: bool
    compiled: bool


def run_command(command: Sequence[str]) -> str | None:
    """Run a command and return its output, whatever its status; None when it cannot be run."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_COMMAND_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip()


def this_process() -> Process:
    """Describe the running process."""
    uid, gids = os.geteuid(), {os.getegid(), *os.getgroups()}
    users = {each.pw_uid: each.pw_name for each in pwd.getpwall()}
    search = find_spec("game.engine.fast.tree")
    return Process(
        user=users.get(uid, str(uid)),
        uid=uid,
        groups=frozenset(each.gr_name for each in grp.getgrall() if each.gr_gid in gids),
        python=platform.python_version(),
        bits=64 if sys.maxsize > 2**32 else 32,
        # Its compiled part: version 0.0.0.2 on PyPI has none.
        lgpio=find_spec("_lgpio") is not None,
        ws281x=find_spec("_rpi_ws281x") is not None,
        compiled=search is not None and isinstance(search.loader, ExtensionFileLoader),
    )


@dataclass(frozen=True)
class System:
    """Read a computer. `root` is the folder of its files, `data` the folder of the games.

    `run` returns a command's output, None when there is no such command; `free` returns the free
    bytes of a folder's disk. `clock` gives monotonic seconds. `ports` lists the serial ports of
    Picos that run MicroPython.
    """

    data: Path
    root: Path = Path("/")
    process: Process = field(default_factory=this_process)
    run: Callable[[Sequence[str]], str | None] = run_command
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    ports: Callable[[], tuple[FoundPort, ...]] = find_ports
    open_port: Callable[[str], Port] = open_port
    clock: Callable[[], float] = time.monotonic

    def text(self, path: str) -> str | None:
        """Return a file's text without blanks and NULs at its ends; None when it cannot be read."""
        try:
            return self._at(path).read_text("utf-8", errors="replace").strip("\0 \t\r\n")
        except OSError:
            return None

    def exists(self, path: str) -> bool:
        """Return whether there is such a file, device or folder."""
        return os.path.exists(self._at(path))

    def usb_products(self) -> frozenset[int]:
        """List the USB products with Raspberry Pi's vendor number; empty if not on Linux."""
        products = set()
        for device in self._at(_USB).glob("*"):
            ids = [self.text(f"{_USB}/{device.name}/{name}") for name in ("idVendor", "idProduct")]
            if ids[0] == f"{VENDOR:04x}" and ids[1]:
                products.add(int(ids[1], 16))
        return frozenset(products)

    @property
    def model(self) -> Model | None:
        """Return the model of Pi; None for other computers."""
        return model_of(self.machine or "")

    @property
    def machine(self) -> str | None:
        """Return the machine's name in the device tree; None when there is no such tree."""
        return self.text("/proc/device-tree/model")

    @property
    def os_name(self) -> str:
        """Return the name of the operating system, for people."""
        for line in (self.text("/etc/os-release") or "").splitlines():
            if line.startswith("PRETTY_NAME="):
                return line.partition("=")[2].strip('"')
        return platform.system() or "an unknown system"

    def i2c_hz(self, bus: int) -> int | None:
        """Return the clock that the device tree sets for an I2C bus; None when it sets none."""
        path = f"/sys/bus/i2c/devices/i2c-{bus}/of_node/clock-frequency"
        try:
            return int.from_bytes(self._at(path).read_bytes()[:4], "big")
        except OSError:
            return None

    def groups_in_file(self) -> frozenset[str]:
        """List the groups in which the user will be after the next log-in."""
        lines = (line.split(":") for line in (self.text("/etc/group") or "").splitlines())
        user = self.process.user
        return frozenset(each[0] for each in lines if each[3:] and user in each[3].split(","))

    def throttled(self) -> int | None:
        """Return the bits of `vcgencmd get_throttled`; None when it does not answer."""
        answer = (self.run(["vcgencmd", "get_throttled"]) or "").partition("throttled=")[2]
        try:
            return int(answer, 16)
        except ValueError:
            return None

    @property
    def data_disk(self) -> Path:
        """Return the data folder, or its nearest parent that exists."""
        there = (folder for folder in (self.data, *self.data.parents) if os.path.isdir(folder))
        return next(there, Path("/"))

    def sync_ms(self) -> float:
        """Return the median time to make a small write durable; raise OSError if not writable."""
        with tempfile.NamedTemporaryFile(dir=self.data_disk, prefix=".lifeboard-doctor-") as file:
            times = []
            # The first one also makes the file itself durable.
            for _ in range(1 + _SYNCS):
                began = self.clock()
                os.pwrite(file.fileno(), bytes(_SYNC_BYTES), 0)
                os.fsync(file.fileno())
                times.append(self.clock() - began)
        return statistics.median(times[1:]) * 1000

    def playing(self) -> bool:
        """Return whether a lifeboard runs and so holds its data folder's lock."""
        try:
            with (self.data / LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return isinstance(error, BlockingIOError)
        return False

    def _at(self, path: str) -> Path:
        return self.root / path.lstrip("/")
