"""Made-up computers for the doctor's tests: healthy ones of each model, and ways to break them."""

from __future__ import annotations

import fcntl
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from game.maker.system import Finding, Process, Severity, System
from game.store import LOCK
from hal.base.errors import BackendError
from hal.profile import Profile
from hal.sim import EmulatedI2CBus
from hal.sim.chip import EmulatedMpr121
from hal.sim.platform import EmulatedTca9548a

CONFIG = "boot/firmware/config.txt"

# The beginning of what Raspberry Pi OS is shipped with, and what the guide adds to it.
_CONFIG = """\
# For more options and information see http://rptl.io/configtxt
dtparam=i2c_arm=on,i2c_arm_baudrate=400000
#dtparam=i2s=on
dtparam=spi=on
dtparam=audio=on
camera_auto_detect=1
arm_64bit=1
[cm4]
otg_mode=1
[cm5]
dtoverlay=dwc2,dr_mode=host
[all]
dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=23,i2c_gpio_scl=24
"""
_PROCESS = Process(
    user="maker",
    uid=1000,
    groups=frozenset({"maker", "gpio", "i2c", "spi", "video"}),
    lgpio=True,
    ws281x=False,
)


@dataclass(frozen=True)
class Computer:
    """What a made-up computer is: its files, what its commands print, and its process.

    With `playing` a lifeboard holds the data folder.
    """

    files: Mapping[str, str]
    commands: Mapping[str, str]
    process: Process = _PROCESS
    free: int = 8_000_000_000
    playing: bool = False
    open_port: Any = None

    def write(self, path: str, content: str) -> Computer:
        return replace(self, files={**self.files, path: content})

    def remove(self, *paths: str) -> Computer:
        for path in paths:
            assert path in self.files, f"{path} is not there to be removed"
        left = {path: text for path, text in self.files.items() if path not in paths}
        return replace(self, files=left)

    def swap(self, path: str, old: str, new: str) -> Computer:
        text = self.files[path]
        assert old in text, f"{old!r} is not in {path}"
        return self.write(path, text.replace(old, new))

    def shown(self, command: str, answer: str) -> Computer:
        return replace(self, commands={**self.commands, command: answer})

    def run_by(self, **what: Any) -> Computer:
        return replace(self, process=replace(self.process, **what))


def build(computer: Computer, folder: Path) -> System:
    """Write a computer's files into a folder, and give the system that reads them."""
    root, data = folder / "root", folder / "data"
    data.mkdir(parents=True)
    for path, content in computer.files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    system = System(
        data,
        root,
        process=computer.process,
        run=lambda command: computer.commands.get(" ".join(command), ""),
        free=lambda _: computer.free,
    )
    (data / LOCK).touch()
    if computer.playing:
        held = (data / LOCK).open("wb")
        fcntl.flock(held, fcntl.LOCK_EX)
        weakref.finalize(system, held.close)
    return system


def _computer(model: str, clock: str) -> Computer:
    files = {
        "proc/device-tree/model": f"{model}\0",
        CONFIG: _CONFIG.replace("[all]\n", f"[all]\n{clock}"),
        "sys/module/spidev/parameters/bufsiz": "4096\n",
        **dict.fromkeys(("dev/i2c-1", "dev/i2c-3", "dev/spidev0.0"), ""),
    }
    return Computer(
        files,
        {"vcgencmd get_throttled": "throttled=0x0", "systemctl is-active lifeboard": "inactive"},
    )


@dataclass(frozen=True)
class Fault:
    """A fault of a computer or of what hangs on it, and what the doctor must report."""

    what: str
    finding: str
    level: Severity
    text: str
    remedy: str
    change: Callable[[Computer], Computer] = lambda computer: computer

    def assert_told(self, findings: tuple[Finding, ...]) -> None:
        (found,) = [each for each in wrong(findings) if each.name == self.finding]
        assert found.level is self.level
        assert self.text in found.text
        assert self.remedy in found.remedy


def wrong(findings: tuple[Finding, ...]) -> list[Finding]:
    """Return the findings that are not all right."""
    return [finding for finding in findings if finding.level is not Severity.OK]


_STILL = "core_freq=250\n"
HEALTHY = {
    "Zero 2 W": _computer("Raspberry Pi Zero 2 W Rev 1.0", _STILL),
    "3": _computer("Raspberry Pi 3 Model B Plus Rev 1.3", _STILL),
    "4": _computer("Raspberry Pi 4 Model B Rev 1.4", "core_freq=500\ncore_freq_min=500\n"),
    "5": _computer("Raspberry Pi 5 Model B Rev 1.0", ""),
}

PC = Computer({}, {})
ORANGE = Computer({"proc/device-tree/model": "OrangePi Zero2\0"}, {})


class Wired:
    """A machine with all or some of a profile's chips on its buses."""

    def __init__(self, profile: Profile, change: Callable[[Wired], None] = lambda _: None) -> None:
        self.wires: dict[int, EmulatedI2CBus] = {1: EmulatedI2CBus(), 3: EmulatedI2CBus()}
        self.muxes: dict[tuple[int, int], EmulatedTca9548a] = {}
        for chip in profile.chips:
            bus = self.wires.setdefault(chip.bus, EmulatedI2CBus())
            made = EmulatedMpr121(0.0)
            made.advance(1.0)
            if chip.mux is None or chip.channel is None:
                bus.attach(chip.address, made)
                continue
            if (chip.bus, chip.mux) not in self.muxes:
                self.muxes[chip.bus, chip.mux] = EmulatedTca9548a()
                bus.attach(chip.mux, self.muxes[chip.bus, chip.mux])
            wires = self.muxes[chip.bus, chip.mux].channels[chip.channel]
            wires.attach(chip.address, made)
        self.opened: list[int] = []
        change(self)

    def bus(self, number: int) -> EmulatedI2CBus:
        self.opened.append(number)
        if number not in self.wires:
            raise BackendError(f"I2C bus {number} is not there")
        return self.wires[number]

    def buses(self) -> tuple[int, ...]:
        return tuple(sorted(self.wires))
