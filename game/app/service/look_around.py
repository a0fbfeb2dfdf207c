"""What hardware there is: the chips on this computer's buses, or the Pico under a board.

Owns the looking: it is `hal.probe`'s, which disturbs nothing, and every fault is part of the
answer. Must not know profiles, nor who is told.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from game.app.doctor.model import model_of
from hal.coprocessor.port import FoundPort
from hal.errors import LightsFault
from hal.machine import Machine
from hal.probe import Search
from hal.strip import Pixels
from hal.wiring import Strip

_MODEL = "proc/device-tree/model"
NOTHING = Search((), (), ())
_LIBRARY_FAULTS = (ImportError, RuntimeError, ValueError)
"""What libraries raise that look at the computer, and find that it is none of theirs."""


FindPorts = Callable[[], tuple[FoundPort, ...]]
"""List the serial ports of the Picos that are plugged in, as `hal.coprocessor.port` does."""

Stamp = tuple[int, int, int] | None
"""What changes with a file; None for one that is not there, or cannot be seen."""


@dataclass(frozen=True, slots=True)
class SeenPort:
    """Name a serial port; its stamp is another one when it was plugged in again in between."""

    device: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Hold what was found: the buses, what is on them, and why they could not be searched.

    `pi` tells whether the computer is a Raspberry Pi. `ports` are those of Picos, None when nobody
    looked for one.
    """

    buses: tuple[int, ...] = ()
    search: Search = NOTHING
    trouble: str = ""
    pi: bool = False
    ports: tuple[SeenPort, ...] | None = None

    @property
    def chips(self) -> int:
        """Count the touch chips that can be used."""
        return sum(chip.recognised for chip in self.search.chips)


def look_around(machine: Machine, root: Path) -> Surroundings:
    """Search all I2C buses of a computer. Nobody else may use one meanwhile.

    `root` is where the system's files hang.
    """

    buses: tuple[int, ...] = ()
    try:
        buses = machine.buses()
        search = machine.search()
    except (OSError, *_LIBRARY_FAULTS) as error:
        return Surroundings(buses, trouble=reason(error), pi=_is_pi(root))
    return Surroundings(buses, search, pi=_is_pi(root))


def look_for_pico(find: FindPorts, port: str) -> Surroundings:
    """Look for the Picos that are plugged in, and for a port that a board names; opens none."""
    try:
        devices = {each.device for each in find()}
    except (OSError, *_LIBRARY_FAULTS) as error:
        return Surroundings(trouble=reason(error), ports=())
    if os.path.exists(port):
        devices.add(port)
    return Surroundings(ports=tuple(SeenPort(each, stamp(Path(each))) for each in sorted(devices)))


def stamp(file: Path) -> Stamp:
    """Give what changes with a file; None when it is not there or cannot be seen."""
    try:
        seen = file.stat()
    except OSError:
        return None
    # The time of the last change of anything, rights too.
    return seen.st_ctime_ns, seen.st_ino, seen.st_size


def _is_pi(root: Path) -> bool:
    try:
        name = (root / _MODEL).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return model_of(name) is not None


def open_strip(machine: Machine, strip: Strip) -> Pixels:
    """Open a strip; raise LightsFault, whatever it is that keeps it from being opened."""
    try:
        return machine.pixels(strip)
    except LightsFault:
        raise
    except (OSError, *_LIBRARY_FAULTS) as error:
        raise LightsFault(f"the strip cannot be opened: {reason(error)}") from error


def reason(error: Exception) -> str:
    """Say in one line what an error says, or what its number means."""
    number = error.errno if isinstance(error, OSError) else None
    said = str(error) or (os.strerror(number) if number else type(error).__name__)
    return " ".join(said.split())
