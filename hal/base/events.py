"""What a board reports: touches of cells and keys, palms, standing stones, and faults.

These are debounced facts. Raw electrode states are `Sensed`.
"""

from dataclasses import dataclass
from enum import Enum

from hal.base.faults import Fault


class Moment(Enum):
    """Name the moments of one touch: it comes down, is held (reported once), goes up."""

    DOWN = "down"
    HELD = "held"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Sensed:
    """Hold which cells and keys are touched at one moment, raw: not debounced.

    The cells and keys of `faults` are unknown, and in neither set.
    """

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
    """Report the cells on which something stands (presence sensing).

    Sent at the beginning, at every change, and when lost cells can be sensed again.
    """

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class FaultReport:
    """Report, at every change, all present faults of the board; none when all are cleared."""

    faults: tuple[Fault, ...]


Event = CellTouch | KeyTouch | Palm | Standing | FaultReport
