"""What is wrong with the board now: a chip, the strip, an electrode."""

from dataclasses import dataclass
from enum import Enum


class Trouble(Enum):
    """Name what can be wrong with a part."""

    CHIP = "chip"
    """A sensor chip does not answer, or answers what no chip can say."""
    LINK = "link"
    """The line to the board's own processor is down."""
    FIRMWARE = "firmware"
    """The board's own processor speaks another protocol."""
    STRIP = "strip"
    """The pixels cannot be sent anything."""
    PIN = "pin"
    """The pin of a key or of the interrupt line is in use; play goes on without."""
    SHORT = "short"
    """The wire of a cell or key touches ground or a neighbour."""
    OPEN = "open"
    """The wire of a cell or key is broken, or charged too much."""
    STUCK = "stuck"
    """A cell or key is touched for far too long."""
    FLAPPING = "flapping"
    """A cell or key comes and goes faster than any finger."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Say what is wrong, and which cells and keys cannot be felt because of it.

    `part` names the chip, the cell or key, the pin, or "strip", "link" or "firmware"; `detail` is
    one line for repairing it.
    """

    trouble: Trouble
    part: str
    cells: frozenset[str]
    keys: frozenset[str]
    detail: str
