"""What a wiring is made of: wires, each from a pin of a part to a pin of another.

Owns the wires and how they are found again. Must not know which ones a board has.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Build(Enum):
    """Say how the sensing layer is made."""

    FOIL = "foil"
    CIRCUIT = "circuit"
    TILES = "tiles"


class Kind(Enum):
    """Say what a wire is for. PART is no wire but a part with two legs, named by its signal."""

    PAD = "pad"
    RIBBON = "ribbon"
    GUARD = "guard"
    BUS = "bus"
    ADDRESS = "address"
    INTERRUPT = "interrupt"
    POWER_3V3 = "3.3 V"
    GROUND = "ground"
    BUTTON = "button"
    DATA = "data"
    POWER_5V = "5 V"
    PART = "part"


@dataclass(frozen=True, slots=True)
class End:
    """An end of a wire: a part, and which of its pins."""

    part: str
    pin: str

    @property
    def sort(self) -> str:
        """Give what of several parts it is on: PAD, CHIP and so on, or the part's own name."""
        return self.part.partition(" ")[0]

    @property
    def name(self) -> str:
        """Give the part's own name: that of the pad, the chip and so on."""
        return self.part.partition(" ")[2]

    def __str__(self) -> str:
        return f"{self.part}, {self.pin}"


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire with its length in mm, which includes what it takes to solder it.

    `signal` is what it carries: the name of a pad, "SDA of bus 1", "5 V"; of a PART what it is, as
    "resistor 4.7 kohm". `note` is for people, and often empty. A length of 0 needs no wire: the
    ends are neighbours on one piece of strip, or the legs of a part.
    """

    kind: Kind
    signal: str
    start: End
    end: End
    length_mm: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Wiring:
    """All wires of a board whose sensing layer is built in one way."""

    build: Build
    wires: tuple[Wire, ...]
    _by_end: Mapping[End, tuple[Wire, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found: dict[End, tuple[Wire, ...]] = {}
        for wire in self.wires:
            for end in (wire.start, wire.end):
                found[end] = (*found.get(end, ()), wire)
        object.__setattr__(self, "_by_end", found)

    def of(self, *kinds: Kind) -> tuple[Wire, ...]:
        """List the wires of some kinds, in their order."""
        return tuple(wire for wire in self.wires if wire.kind in kinds)

    def at(self, end: End) -> tuple[Wire, ...]:
        """List the wires that begin or end at a pin."""
        return self._by_end.get(end, ())

    def total_mm(self, *kinds: Kind) -> int:
        """Give how long the wires of some kinds are together."""
        return sum(wire.length_mm for wire in self.of(*kinds))
