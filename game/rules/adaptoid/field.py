"""The field of Adaptoid: cells as bits, the pieces with their limbs, and positions.

A place is a number from 0 to 55: seven rows of seven and an empty column between them, so
that stepping to all neighbours at once is six shifts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import atan2, pi

from game.rules.boards.board import axial_cells, hexagon

SIDE = 4
BOARD = hexagon(SIDE)
AXIAL = axial_cells(SIDE)
ROW = 2 * SIDE
PLACES = ROW * (ROW - 1)
PLACE = {cell: (r + SIDE - 1) * ROW + q + SIDE - 1 for cell, (q, r) in AXIAL.items()}
"""The place of each cell."""
_NAME_AT = {place: cell for cell, place in PLACE.items()}
CELL = tuple(_NAME_AT.get(place, "") for place in range(PLACES))
"""The cell at each place, "" where there is none."""
ALL = sum(1 << place for place in PLACE.values())
BODIES = LEGS = PINCERS = EACH = 12
SOCKETS = 6
WHITE, BLACK = 0, 1
COLOURS = "WB"
CODE = re.compile(r"([WB])([0-6])L([0-6])P")
BARE = bytes(PLACES)  # No limbs anywhere


def around(mask: int) -> int:
    """Return all neighbours of the cells of a mask, which may include cells of the mask."""
    return (mask << 1 | mask >> 1 | mask << 7 | mask >> 7 | mask << 8 | mask >> 8) & ALL


NEAR = tuple(around(1 << place) if CELL[place] else 0 for place in range(PLACES))
LIMBS = bytes((limbs >> 3) + (limbs & 7) for limbs in range(64))
"""The number of limbs, by the number that encodes legs and pincers."""


def _nearest(cell: str) -> tuple[str, ...]:
    """Order the other cells by distance, each ring clockwise from the upper right."""
    q0, r0 = AXIAL[cell]
    x0, y0 = BOARD.centres[cell]

    def order(other: str) -> tuple[int, float]:
        q, r = AXIAL[other][0] - q0, AXIAL[other][1] - r0
        x, y = BOARD.centres[other]
        angle = (atan2(y - y0, x - x0) + pi / 3 + 1e-9) % (2 * pi)
        return max(abs(q), abs(r), abs(q + r)), angle

    return tuple(sorted((other for other in BOARD.cells if other != cell), key=order))


NEAREST = {cell: _nearest(cell) for cell in BOARD.cells}


class TurnPhase(Enum):
    """What is decided next: the places of the two first bodies, the players' colours, or a turn."""

    PLACE = "place"
    CHOOSE = "choose"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Position:
    """The player who decides next, the player who is White, and the pieces.

    Players and colours are 0 and 1 inside the modules of this game. `white` is White's player, and
    0 before the choice. `bodies` are a mask for each colour. `limbs` has a number for each place,
    eight times the legs and the pincers, and 0 where nothing stands. `score` is by player. When the
    game is over, `mover` is the winner.
    """

    phase: TurnPhase = TurnPhase.PLACE
    mover: int = 0
    white: int = 0
    bodies: tuple[int, int] = (0, 0)
    limbs: bytes = BARE
    score: tuple[int, int] = (0, 0)
    over: bool = False

    @property
    def own(self) -> int:
        """The mask of the mover's bodies."""
        return self.bodies[self.mover ^ self.white]

    @property
    def enemy(self) -> int:
        """The mask of the other's bodies."""
        return self.bodies[1 ^ self.mover ^ self.white]


def places_in(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cells_in(mask: int) -> tuple[str, ...]:
    return tuple(sorted(CELL[place] for place in places_in(mask)))


def supply(bodies: Sequence[int], limbs: bytes | bytearray) -> dict[str, dict[str, int]]:
    """Count the parts of each colour, `W` and `B`, that are not on the board."""
    left = {}
    for colour, mask in zip(COLOURS, bodies, strict=True):
        used = [limbs[place] for place in places_in(mask)]
        legs, pincers = sum(each >> 3 for each in used), sum(each & 7 for each in used)
        left[colour] = {"bodies": EACH - len(used), "legs": EACH - legs, "pincers": EACH - pincers}
    return left
