"""What a board reports, debounced; raw states of electrodes are `Sensed`."""

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
    """Hold what is touched, not debounced; cells and keys of `faults` are unknown, in neither."""

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
    """Report the cells with something on them: first, at changes, and when lost cells are back."""

    cells: frozenset[str]


@dataclass(frozen=True, slots=True)
class FaultReport:
    """Report, at every change, all present faults of the board; none when all are cleared."""

    faults: tuple[Fault, ...]


Event = CellTouch | KeyTouch | Palm | Standing | FaultReport
