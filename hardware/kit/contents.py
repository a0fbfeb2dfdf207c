"""What a kit is made of, before any of it becomes a file.

Owns the parts that its guide speaks of, all of one board. Must not know files.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from hardware.kit.circuit.circuit import Circuit
from hardware.kit.drawing import Drawing
from hardware.kit.electric import Feeding, Figures
from hardware.kit.layout import Layout
from hardware.kit.plates.walls import Level
from hardware.kit.printed.artwork import Artwork
from hardware.kit.tables import Table
from hardware.kit.wiring import Build, Wiring


@dataclass(frozen=True, slots=True)
class Contents:
    """Hold all of a kit. `tiles` is empty unless small boards were asked for.

    `source` is what commands call the board: a built-in name, or a file. `gerbers` has the files of
    each circuit, by its name. `drawings` are those that become files ("foil", "walls-foil-upper"
    ...), `pictures` those of the guide only ("circuit-top", "circuit-bottom", "cell", "tile-plan").
    `loose` counts the pieces of the walls that do not hang together with the edge.
    """

    layout: Layout
    source: str
    artwork: Artwork
    circuit: Circuit
    tiles: tuple[Circuit, ...]
    gerbers: Mapping[str, Mapping[str, bytes]]
    wirings: Mapping[Build, Wiring]
    figures: Mapping[Build, Figures]
    parts: Mapping[Build, Table]
    drawings: Mapping[str, Drawing]
    loose: Mapping[Build, Mapping[Level, int]]
    pictures: Mapping[str, Drawing]

    @property
    def feeding(self) -> Feeding:
        """Say how the strip is fed, which is the same however the sensing layer is built."""
        return next(iter(self.figures.values())).feeding
