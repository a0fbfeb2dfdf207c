"""Present faults of the board: of a chip, the strip, a pin, an electrode, or the Pico."""

from dataclasses import dataclass
from enum import Enum


class Trouble(Enum):
    """Name the kinds of faults."""

    CHIP = "chip"
    """A sensor chip does not answer, or gives an impossible answer."""
    LINK = "link"
    """The line to the board's own processor is down."""
    FIRMWARE = "firmware"
    """The board's own processor speaks another protocol."""
    STRIP = "strip"
    """The pixels cannot be driven."""
    PIN = "pin"
    """The pin of a key or of the interrupt line is in use; play goes on without it."""
    SHORT = "short"
    """The wire of a cell or key touches ground or a neighbour."""
    OPEN = "open"
    """The wire of a cell or key is broken, or charged too much."""
    STUCK = "stuck"
    """A cell or key is touched for far too long."""
    FLAPPING = "flapping"
    """A cell or key changes faster than a finger could make it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, and the cells and keys that cannot be sensed because of it.

    `part` names the chip, the cell or key, the pin, or "strip", "link" or "firmware"; `detail` is
    one line that helps to repair it.
    """

    trouble: Trouble
    part: str
    cells: frozenset[str]
    keys: frozenset[str]
    detail: str
