"""A printed circuit with two layers of copper, as what it is made of.

Owns the parts and the rules of manufacture that all of them keep. Must not know how they found
their places (`plan`, `router`), nor files. Millimetres; seen from the top, also what is on the
bottom, where x still goes to the right.
"""

from dataclasses import dataclass
from enum import Enum

from hal.profile.geometry import Point
from hardware.kit.drawing import Points

GROUND = "GND"
"""The net of the guard. Each other net is named after its cell or key."""

TRACK_MM = 0.25
CLEARANCE_MM = 0.25
"""Between copper of two nets: twice what cheap makers can."""
EDGE_MM = 0.5
"""From copper to the edge of the board, and to holes without copper: common rule of makers."""
VIA_MM, VIA_DRILL_MM = 0.8, 0.4
SCREW_DRILL_MM = 3.2


class Side(Enum):
    """A layer of copper. Players touch the top."""

    TOP = "top"
    BOTTOM = "bottom"


@dataclass(frozen=True, slots=True)
class Pad:
    """An electrode on the top: a disc, with a hole for the light if `hole_mm` is not 0.

    Its copper begins `EDGE_MM` from the hole.
    """

    net: str
    at: Point
    diameter_mm: float
    hole_mm: float

    @property
    def inner_mm(self) -> float:
        """Give the inner diameter of the copper, 0 for a full disc."""
        return self.hole_mm + 2 * EDGE_MM if self.hole_mm else 0.0


@dataclass(frozen=True, slots=True)
class Guard:
    """A ring of ground on the top, around a pad."""

    at: Point
    inner_mm: float
    outer_mm: float


@dataclass(frozen=True, slots=True)
class Track:
    """Straight lines of copper from point to point."""

    net: str
    side: Side
    points: Points
    width_mm: float = TRACK_MM

    @property
    def length_mm(self) -> float:
        """Give the length."""
        pairs = zip(self.points, self.points[1:], strict=False)
        return sum(start.distance(end) for start, end in pairs)


@dataclass(frozen=True, slots=True)
class Via:
    """A hole with copper that joins both layers."""

    net: str
    at: Point


@dataclass(frozen=True, slots=True)
class Pin:
    """One rectangular pin of a connector, soldered on the bottom. `number` counts from 1."""

    number: int
    net: str
    at: Point
    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Connector:
    """A row of pins for a ribbon of wires; `label` is printed beside it."""

    name: str
    label: str
    pins: tuple[Pin, ...]


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole without copper: for light or for a screw."""

    at: Point
    drill_mm: float


@dataclass(frozen=True, slots=True)
class Note:
    """A text that is printed on one side, its middle at `at`; capitals are `size_mm` high."""

    text: str
    at: Point
    size_mm: float
    side: Side


@dataclass(frozen=True, slots=True)
class Circuit:
    """One board to be ordered. `name` makes file names; the outline is counter-clockwise."""

    name: str
    outline: Points
    pads: tuple[Pad, ...]
    guards: tuple[Guard, ...]
    connectors: tuple[Connector, ...]
    tracks: tuple[Track, ...]
    vias: tuple[Via, ...]
    holes: tuple[Hole, ...]
    notes: tuple[Note, ...]
