"""What hardware there is: the chips on this computer's buses, or the Picos at its ports.

The search is that of `hal.drivers.i2c_search`, which changes nothing. Every fault is part of the
answer.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from game.maker.doctor.model import model_of
from hal.backends.coprocessor.port import FoundPort
from hal.base.errors import LightsFault
from hal.drivers.i2c_search import BusSearch
from hal.drivers.platform import Platform
from hal.lights.strip import Pixels
from hal.profile.pin_map import Strip

_MODEL = "proc/device-tree/model"
_NOTHING = BusSearch((), (), ())
_LIBRARY_FAULTS = (ImportError, RuntimeError, ValueError)
"""What hardware libraries raise on a computer without the hardware."""

FindPorts = Callable[[], tuple[FoundPort, ...]]
"""List the serial ports of Picos, as `hal.backends.coprocessor.port` does."""

Stamp = tuple[int, int, int] | None
"""What changes with a file; None for one that is missing or cannot be read."""


@dataclass(frozen=True, slots=True)
class SeenPort:
    """A serial port; its stamp changes when it is plugged in again."""

    device: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class FoundHardware:
    """The buses, what is on them, and the `trouble` that kept them from being searched.

    `pi` tells whether the computer is a Raspberry Pi. `ports` are those of Picos, None if they were
    not searched.
    """

    buses: tuple[int, ...] = ()
    search: BusSearch = _NOTHING
    trouble: str = ""
    pi: bool = False
    ports: tuple[SeenPort, ...] | None = None

    @property
    def chips(self) -> int:
        """The number of touch chips that can be used."""
        return sum(chip.recognised for chip in self.search.chips)


def search_buses(machine: Platform, root: Path) -> FoundHardware:
    """Search all I2C buses, which must not be in use; `root` is the root of the file system."""
    buses: tuple[int, ...] = ()
    try:
        buses = machine.buses()
        search = machine.search()
    except (OSError, *_LIBRARY_FAULTS) as error:
        return FoundHardware(buses, trouble=one_line(error), pi=_is_pi(root))
    return FoundHardware(buses, search, pi=_is_pi(root))


def search_ports(find: FindPorts, port: str) -> FoundHardware:
    """List the ports of Picos, and the port that a profile names; opens none."""
    try:
        devices = {each.device for each in find()}
    except (OSError, *_LIBRARY_FAULTS) as error:
        return FoundHardware(trouble=one_line(error), ports=())
    if os.path.exists(port):
        devices.add(port)
    return FoundHardware(ports=tuple(SeenPort(each, stamp(Path(each))) for each in sorted(devices)))


def stamp(file: Path) -> Stamp:
    """Return what changes with a file, its rights too."""
    try:
        seen = file.stat()
    except OSError:
        return None
    return seen.st_ctime_ns, seen.st_ino, seen.st_size


def open_strip(machine: Platform, strip: Strip) -> Pixels:
    """Open a strip; raises LightsFault whatever the library raises."""
    try:
        return machine.pixels(strip)
    except LightsFault:
        raise
    except (OSError, *_LIBRARY_FAULTS) as error:
        raise LightsFault(f"the strip cannot be opened: {one_line(error)}") from error


def one_line(error: Exception) -> str:
    """Return the text of an error, or what its number means, on one line."""
    number = error.errno if isinstance(error, OSError) else None
    text = str(error) or (os.strerror(number) if number else type(error).__name__)
    return " ".join(text.split())


def _is_pi(root: Path) -> bool:
    try:
        name = (root / _MODEL).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return model_of(name) is not None
