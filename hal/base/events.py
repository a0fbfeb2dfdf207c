"""What a board reports: its present faults, and events, debounced; `Sensed` is raw."""

from dataclasses import dataclass
from enum import Enum


class Trouble(Enum):
    """Name the kinds of faults."""

    CHIP = "chip"  # a sensor chip does not answer, or gives an impossible answer
    LINK = "link"  # the line to the board's own processor is down
    FIRMWARE = "firmware"  # the board's own processor speaks another protocol
    STRIP = "strip"  # the pixels cannot be driven
    PIN = "pin"  # the pin of a key or of the interrupt line is in use; play goes on without it
    SHORT = "short"  # the wire of a cell or key touches ground or a neighbour
    OPEN = "open"  # the wire of a cell or key is broken, or charged too much
    STUCK = "stuck"  # a cell or key is touched for far too long
    FLAPPING = "flapping"  # a cell or key changes faster than a finger could make it


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


class Moment(Enum):
    """Name the moments of one touch: it comes down, is held (reported once), goes up."""

    DOWN = "down"
    HELD = "held"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Sensed:
    """Hold what is touched, not debounced; neither set has the cells and keys of `faults`."""

    cells: frozenset[str]
    keys: frozenset[str]
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class CellTouch:
    """Report one moment of a touch of a cell."""

    cell: str
    moment: Moment


@dataclass(frozen=True, slots=True)
class KeyTouch:
    """Report one moment of a touch of a key."""

    key: str
    moment: Moment


@dataclass(frozen=True, slots=True)
class Palm:
    """Report, once, cells that lie under a palm and are not sensed until it is lifted."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class Standing:
    """Report the cells with something on them: at first, at changes, and when lost cells return."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class FaultReport:
    """Report, at every change, all present faults of the board; none when all are cleared."""

    faults: tuple[Fault, ...]


Event = CellTouch | KeyTouch | Palm | Standing | FaultReport
