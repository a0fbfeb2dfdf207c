"""What a board reports: touches of cells and keys, palms, standing stones, and faults.

These are debounced facts. Raw electrode states are `Sensed`.
"""

from dataclasses import dataclass
from enum import Enum

from hal.base.faults import Fault


class Moment(Enum):
    """Name the moments of one touch: it comes down, is held (told once), goes up."""

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
    """Tell one moment of a touch of a cell."""

    cell: str
    moment: Moment


@dataclass(frozen=True, slots=True)
class KeyTouch:
    """Tell one moment of a touch of a key."""

    key: str
    moment: Moment


@dataclass(frozen=True, slots=True)
class Palm:
    """Tell, once, that these cells lie under a palm and are not felt until it is lifted."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class Standing:
    """Tell the cells on which something stands (presence sensing).

    Told at the beginning, at every change, and when cells that were lost can be felt again.
    """

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class FaultReport:
    """Tell, at every change, all that is wrong with the board; nothing when all is well again."""

    faults: tuple[Fault, ...]


Event = CellTouch | KeyTouch | Palm | Standing | FaultReport
