"""A board as a graph: cells with names, neighbours and centres."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import atan2, pi


@dataclass(frozen=True, slots=True)
class Board:
    """Describe the cells of one board.

    `centres` are in units of the distance between two neighbours, x to the right and y downward.
    `shape` names its kind (`hexagon`) for drawing. `rim` lists the outer cells clockwise
    from the top left, for lights that run round the board. `rings` are the parts that can be
    turned with their pieces: by name, the cells in clockwise order.
    """

    shape: str
    cells: tuple[str, ...]
    neighbours: Mapping[str, tuple[str, ...]]
    centres: Mapping[str, tuple[float, float]]
    rim: tuple[str, ...]
    rings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def in_mask(self, mask: int) -> Iterator[str]:
        """Yield the cells of a mask, an integer with a bit a cell, both in the board's order."""
        while mask:
            low = mask & -mask
            yield self.cells[low.bit_length() - 1]
            mask ^= low


def clockwise(centres: Mapping[str, tuple[float, float]], first: str) -> tuple[str, ...]:
    """Order cells by the direction of their centres from the middle, clockwise from the first."""
    angles = {cell: atan2(y, x) for cell, (x, y) in centres.items()}
    start = angles[first] - 1e-9
    return tuple(sorted(angles, key=lambda cell: (angles[cell] - start) % (2 * pi)))
