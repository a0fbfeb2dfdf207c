"""What hardware there is, when nobody has said yet what there should be.

Owns the looking: it is `hal.probe`'s, which disturbs nothing, and every fault is part of the
answer. Must not know profiles, nor who is told.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game.app.doctor.model import model_of
from hal.errors import BackendError, LightsFault
from hal.machine import Machine
from hal.probe import Search, find_chips
from hal.strip import Pixels
from hal.wiring import Strip

_MODEL = "proc/device-tree/model"
NOTHING = Search((), (), ())
_LIBRARY_FAULTS = (ImportError, RuntimeError, ValueError)
"""What libraries raise that look at the computer, and find that it is none of theirs."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Hold what was found: the buses, what is on them, and why they could not be listed.

    `pi` tells whether the computer is a Raspberry Pi.
    """

    buses: tuple[int, ...] = ()
    search: Search = NOTHING
    trouble: str = ""
    pi: bool = False

    @property
    def chips(self) -> int:
        """Count the touch chips that can be used."""
        return sum(chip.recognised for chip in self.search.chips)


def look_around(machine: Machine, root: Path) -> Surroundings:
    """Search all I2C buses of a computer. Nobody else may use one meanwhile.

    `root` is where the system's files hang.
    """

    def opened(number: int) -> Any:
        try:
            return machine.bus(number)
        except _LIBRARY_FAULTS as error:
            raise BackendError(f"I2C bus {number} cannot be opened: {error}") from error

    try:
        buses = machine.buses()
    except (OSError, *_LIBRARY_FAULTS) as error:
        return Surroundings(trouble=reason(error), pi=_is_pi(root))
    return Surroundings(buses, find_chips(buses, opened), pi=_is_pi(root))


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
