"""The files that a circuit is ordered with: their names, and what each says of itself.

Owns the list of layers and drill files, and the rules of makers that go with them: what JLCPCB and
PCBWay say that they can with two layers, or a little less. Must not know how a file is written or
read.
"""

from enum import Enum

MASK_MM = 0.05
"""How far an opening in the solder mask goes beyond its pin."""
MASK_HOLE_MM = 0.1
"""How far an opening goes beyond a hole without copper, so that no ink runs into it."""
RING_MM = 0.15
"""What copper is left around a hole with copper."""
DRILLS_MM = (0.3, 6.3)
"""The drills of cheap makers."""
UNPLATED_MM = (0.5, 6.3)
"""The same, for holes without copper."""
THIN_MM = 0.15
"""The thinnest line of copper."""
WALL_MM = 0.5
"""From hole to hole, edge to edge."""
PRINT_MM = 0.15
"""The thinnest line that a maker prints."""
MOST_MM = (500.0, 400.0)
"""The largest board, longer side first."""


class Layer(Enum):
    """A layer, by what its file is called after the board's name, as KiCad calls it."""

    TOP_COPPER = "F_Cu"
    BOTTOM_COPPER = "B_Cu"
    TOP_MASK = "F_Mask"
    BOTTOM_MASK = "B_Mask"
    TOP_PRINT = "F_Silkscreen"
    BOTTOM_PRINT = "B_Silkscreen"
    BOTTOM_PASTE = "B_Paste"
    EDGE = "Edge_Cuts"

    @property
    def function(self) -> tuple[str, ...]:
        """Give the fields of the attribute .FileFunction (Gerber format specification, 5.6.3)."""
        return _FUNCTIONS[self]

    @property
    def polarity(self) -> str | None:
        """Give the attribute .FilePolarity: a mask is drawn where it is not. An edge has none."""
        if self is Layer.EDGE:
            return None
        return "Negative" if self in (Layer.TOP_MASK, Layer.BOTTOM_MASK) else "Positive"


_FUNCTIONS = {
    Layer.TOP_COPPER: ("Copper", "L1", "Top"),
    Layer.BOTTOM_COPPER: ("Copper", "L2", "Bot"),
    Layer.TOP_MASK: ("Soldermask", "Top"),
    Layer.BOTTOM_MASK: ("Soldermask", "Bot"),
    Layer.TOP_PRINT: ("Legend", "Top"),
    Layer.BOTTOM_PRINT: ("Legend", "Bot"),
    Layer.BOTTOM_PASTE: ("Paste", "Bot"),
    Layer.EDGE: ("Profile", "NP"),
}


class Drills(Enum):
    """The holes of one kind, by what their file is called after the board's name."""

    PLATED = "PTH"
    UNPLATED = "NPTH"

    @property
    def function(self) -> tuple[str, ...]:
        """Give the fields of the attribute .FileFunction: through both layers of copper."""
        return ("Plated" if self is Drills.PLATED else "NonPlated", "1", "2", self.value)


def file_name(board: str, part: Layer | Drills) -> str:
    """Give the name of a file of a board."""
    return f"{board}-{part.value}.{'gbr' if isinstance(part, Layer) else 'drl'}"
