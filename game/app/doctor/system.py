"""The computer as the doctor sees it: files, commands, this process, data folder, serial ports.

Owns all reading, and all writing: of one file for a moment, to time the data folder's disk.
Must not judge what it reads.
"""

import fcntl
import grp
import os
import platform
import pwd
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from game.app.doctor.boot import BootConfig, parse
from game.app.doctor.model import Model, model_of
from game.app.journal.store import LOCK
from hal.coprocessor.client import OpenPort
from hal.coprocessor.port import VENDOR, FoundPort, find_ports, open_port

_COMMAND_S = 10.0
_SYNCS = 15
_SMALL = 4096
_LARGE = 4_000_000
_USB = "/sys/bus/usb/devices"
_USB_FILES = ("idVendor", "idProduct", "serial")

PACKAGES = (
    "adafruit-circuitpython-mpr121",
    "adafruit-circuitpython-tca9548a",
    "adafruit-extended-bus",
    "gpiozero",
    "lgpio",
    "pyserial",
    "rpi-ws281x",
    "spidev",
)


@dataclass(frozen=True, slots=True)
class Process:
    """Hold what is so of this process: who runs it, with which Python and packages."""

    user: str
    uid: int
    groups: frozenset[str]
    python: tuple[int, int, int]
    executable: str
    bits: int
    packages: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Speed:
    """Say how fast a folder is: the median time to make a small write durable, and bulk speed."""

    sync_ms: float
    mb_per_s: float


@dataclass(frozen=True, slots=True)
class Voltage:
    """Say whether the supply is too low now, and whether it has been; None when that is unknown."""

    low: bool
    has_been: bool | None


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """Name a USB device of Raspberry Pi's: the number of its product, and its serial number."""

    product: int
    serial_number: str


def run_command(command: Sequence[str]) -> str | None:
    """Run a command and give what it printed, whatever its status; None when it cannot be run."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_COMMAND_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip()


def free_bytes(folder: Path) -> int:
    """Tell how much anyone may still write to a folder's disk."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def this_process() -> Process:
    """Tell about the process that runs this."""
    uid = os.geteuid()
    gids = {os.getegid(), *os.getgroups()}
    return Process(
        user=_name_of(pwd.getpwuid, uid, "pw_name"),
        uid=uid,
        groups=frozenset(_name_of(grp.getgrgid, gid, "gr_name") for gid in gids),
        python=sys.version_info[:3],
        executable=sys.executable,
        bits=64 if sys.maxsize > 2**32 else 32,
        packages=_installed(),
    )


@dataclass(frozen=True)
class System:
    """Read a computer. `root` is where its files begin, `data` the folder of the games.

    `run` gives what a command prints, None when there is no such command; `now` is monotonic
    seconds, `free` the bytes that may still be written to a folder's disk. `ports` lists the serial
    ports of Picos that run MicroPython; it and `open_port` need pyserial. `clock` is monotonic
    seconds too, for what waits at a port.
    """

    data: Path
    root: Path = Path("/")
    process: Process = field(default_factory=this_process)
    run: Callable[[Sequence[str]], str | None] = run_command
    now: Callable[[], float] = time.perf_counter
    free: Callable[[Path], int] = free_bytes
    ports: Callable[[], tuple[FoundPort, ...]] = find_ports
    open_port: OpenPort = open_port
    clock: Callable[[], float] = time.monotonic

    def text(self, path: str) -> str | None:
        """Give a file's text without the blanks and NULs at its ends; None when it has none."""
        try:
            return self._at(path).read_text("utf-8", errors="replace").strip("\0 \t\r\n")
        except OSError:
            return None

    def exists(self, path: str) -> bool:
        """Tell whether there is such a file, device or folder."""
        return os.path.exists(self._at(path))

    def numbered(self, prefix: str) -> tuple[int, ...]:
        """Give the numbers of the files that begin so, such as the 1 of "/dev/i2c-1"."""
        folder, _, name = prefix.rpartition("/")
        rests = (file.name.removeprefix(name) for file in self._at(folder).glob(f"{name}*"))
        return tuple(sorted(int(rest) for rest in rests if rest.isdigit()))

    def usb_devices(self) -> tuple[UsbDevice, ...]:
        """List the USB devices that bear Raspberry Pi's number; none where Linux does not."""
        found = []
        for folder in sorted(self._at(_USB).glob("*")):
            said = {name: self.text(f"{_USB}/{folder.name}/{name}") or "" for name in _USB_FILES}
            try:
                vendor, product = int(said["idVendor"], 16), int(said["idProduct"], 16)
            except ValueError:
                continue
            if vendor == VENDOR:
                found.append(UsbDevice(product, said["serial"]))
        return tuple(found)

    @property
    def model(self) -> Model | None:
        """Tell which Pi this is; None when it is none."""
        return model_of(self.machine or "")

    @property
    def machine(self) -> str | None:
        """Give the name that the machine's device tree has for it; None when it has no such tree.

        It ends with a NUL there.
        """
        return self.text("/proc/device-tree/model")

    @property
    def os_name(self) -> str:
        """Give the name of the operating system, for people."""
        for line in (self.text("/etc/os-release") or "").splitlines():
            if line.startswith("PRETTY_NAME="):
                return line.partition("=")[2].strip('"')
        return platform.system() or "an unknown system"

    def boot_file(self, name: str) -> str:
        """Give the path of a file of the boot partition, wherever this system mounts that.

        Newer systems keep a note in the old place, so the new one goes first.
        """
        new = f"/boot/firmware/{name}"
        return new if self.exists(new) or not self.exists(f"/boot/{name}") else f"/boot/{name}"

    def boot_config(self, filters: frozenset[str]) -> BootConfig | None:
        """Read config.txt for a Pi with these model filters; None when it cannot be read."""
        path = self.boot_file("config.txt")
        text = self.text(path)
        folder = path.rpartition("/")[0]
        if text is None:
            return None
        return parse(text, filters, lambda name: self.text(f"{folder}/{name}"))

    def i2c_hz(self, bus: int) -> int | None:
        """Give the clock that the device tree sets for an I2C bus; None when it sets none."""
        path = self._at(f"/sys/bus/i2c/devices/i2c-{bus}/of_node/clock-frequency")
        try:
            # A cell of a device tree: four bytes, the highest first.
            return int.from_bytes(path.read_bytes()[:4], "big") or None
        except OSError:
            return None

    def groups_in_file(self) -> Mapping[str, bool]:
        """Give the groups of /etc/group, each with whether the user is listed in it."""
        groups = {}
        for line in (self.text("/etc/group") or "").splitlines():
            fields = line.split(":")
            if len(fields) == 4:
                groups[fields[0]] = self.process.user in fields[3].split(",")
        return groups

    def blacklisted(self, module: str) -> bool:
        """Tell whether modprobe's configuration keeps a module of the kernel from being loaded."""
        wanted = ["blacklist", module]
        return any(
            line.split()[:2] == wanted
            for file in sorted(self._at("/etc/modprobe.d").glob("*.conf"))
            for line in (self.text(f"/etc/modprobe.d/{file.name}") or "").splitlines()
        )

    def voltage(self) -> Voltage | None:
        """Ask the firmware, or the kernel's monitor of it, for the supply; None when none tells."""
        told = (self.run(["vcgencmd", "get_throttled"]) or "").partition("throttled=")[2]
        try:
            bits = int(told, 16)
            return Voltage(bool(bits & 1), bool(bits & 1 << 16))
        except ValueError:
            pass
        for number in self.numbered("/sys/class/hwmon/hwmon"):
            folder = f"/sys/class/hwmon/hwmon{number}"
            if self.text(f"{folder}/name") == "rpi_volt":
                # The kernel asks every two seconds, and forgets what was before.
                return Voltage(self.text(f"{folder}/in0_lcrit_alarm") == "1", None)
        return None

    @property
    def data_disk(self) -> Path:
        """Give the data folder, or what there is of the way to it."""
        there = (folder for folder in (self.data, *self.data.parents) if os.path.isdir(folder))
        return next(there, Path("/"))

    def speed(self) -> Speed:
        """Time writes to the data folder's disk; raise OSError when it cannot be written."""
        with tempfile.NamedTemporaryFile(dir=self.data_disk, prefix=".lifeboard-doctor-") as file:
            # The first one also makes the file itself durable.
            times = [self._sync_s(file.fileno(), _SMALL) for _ in range(1 + _SYNCS)][1:]
            bulk_s = self._sync_s(file.fileno(), _LARGE)
        return Speed(statistics.median(times) * 1000, _LARGE / 1e6 / max(bulk_s, 1e-6))

    def playing(self) -> bool:
        """Tell whether a lifeboard runs: it holds its data folder's lock as long as it does."""
        try:
            with (self.data / LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def _sync_s(self, file: int, size: int) -> float:
        began = self.now()
        os.pwrite(file, bytes(size), 0)
        os.fsync(file)
        return self.now() - began

    def _at(self, path: str) -> Path:
        return self.root / path.lstrip("/")


def _name_of(look_up: Callable[[int], object], number: int, attribute: str) -> str:
    try:
        return str(getattr(look_up(number), attribute))
    except KeyError:
        return str(number)


def _installed() -> Mapping[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
