"""What the board tells: touches of cells and keys, and palms.

These are debounced facts. Raw electrode states are `hal.backend.Sensed`.
"""

from dataclasses import dataclass
from enum import Enum


class Moment(Enum):
    """Name the moments of one touch: it comes down, is held (told once), goes up."""

    DOWN = "down"
    HELD = "held"
    UP = "up"


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


Event = CellTouch | KeyTouch | Palm
