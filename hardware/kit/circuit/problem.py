"""What the router is asked, and what it answers: copper to be joined, and the tracks that join it.

Owns the data passed from `plan`, which places parts, to the `router`. Must not know how ways are
found. Millimetres, seen from the top.
"""

from dataclasses import dataclass

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Hole, Side, Track, Via
from hardware.kit.drawing import Points


@dataclass(frozen=True, slots=True)
class Disc:
    """A ring of copper by its diameters; a full disc when the inner one is 0."""

    at: Point
    inner_mm: float
    outer_mm: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle of copper with upright sides, by its middle."""

    at: Point
    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Copper:
    """Copper that is there already. All copper of a net is to be joined.

    The net "" is joined to nothing: such copper is only in the way.
    """

    net: str
    sides: frozenset[Side]
    shape: Disc | Bar


@dataclass(frozen=True, slots=True)
class Problem:
    """A board without tracks. Vias may be set in any copper of their own net."""

    outline: Points
    coppers: tuple[Copper, ...]
    holes: tuple[Hole, ...]


@dataclass(frozen=True, slots=True)
class Routing:
    """The tracks and vias that join all nets of a problem."""

    tracks: tuple[Track, ...]
    vias: tuple[Via, ...]
