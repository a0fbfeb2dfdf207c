"""Placing and feeding in Circle of Life, on a board that changes in place.

Owns the one implementation of a turn, as look-ups in the table of critters. Positions copy what
they need from it and back; random games run on it directly, which is why its code counts steps.
Cells are indices into `BOARD.cells`, players 0 and 1.
"""

from collections.abc import Iterator, Sequence
from random import Random

from game.rules.circle_of_life.critters import (
    ALL_CELLS,
    BIT,
    CELL_BITS,
    CRITTERS,
    NEAR,
    NEIGHBOURS,
    Critter,
    cells_in,
)

CELLS = len(BIT)
FEW = 12
"""Up to this many cells, walking a mask is quicker than drawing cells until one is in it."""


def open_cells(stones: Sequence[int], crowd: int) -> int:
    """Return the mask of the cells where a player whose critters make `crowd` may place a stone.

    A new stone joins all its critters around the cell; with 4 stones there it would be five.
    """
    return ALL_CELLS & ~(stones[0] | stones[1] | crowd >> 2 | crowd >> 3)


class Ecosystem:
    """The stones of both players, their critters, and what they have eaten.

    `critter_at` means something on occupied cells only. `crowd` holds per player, in the four
    bits of each cell, how many stones stand in the player's critters around that cell.
    """

    __slots__ = ("critter_at", "crowd", "eaten", "stones")

    def __init__(
        self,
        stones: tuple[int, int] = (0, 0),
        eaten: tuple[int, int] = (0, 0),
        crowd: tuple[int, int] = (0, 0),
        critter_at: tuple[Critter | None, ...] = (None,) * CELLS,
    ) -> None:
        self.stones = list(stones)
        self.eaten = list(eaten)
        self.crowd = list(crowd)
        self.critter_at = list(critter_at)

    def joined(self, player: int, cell: int) -> tuple[int, int]:
        """Return the critter that a new stone would make: its mask, and the crowd it replaces.

        The mask is in `CRITTERS` if and only if the cell is open.
        """
        mask = BIT[cell]
        replaced = 0
        own = self.stones[player]
        if own & NEAR[cell]:
            critter_at = self.critter_at
            for near in NEIGHBOURS[cell]:
                if own & BIT[near]:
                    critter = critter_at[near]
                    if critter is not None and not mask & critter.mask:
                        mask |= critter.mask
                        replaced += critter.crowd
        return mask, replaced

    def place(self, player: int, cell: int) -> list[Critter]:
        """Place a stone on an open cell, let its critter feed, and return what it has eaten.

        Raises KeyError, with nothing changed, where the stone would make a critter of five.
        """
        mask, replaced = self.joined(player, cell)
        critter = CRITTERS[mask]
        self.stones[player] |= mask
        self.crowd[player] += critter.crowd - replaced
        critter_at = self.critter_at
        for own in critter.cells:
            critter_at[own] = critter
        enemies = self.stones[1 - player]
        prey: list[Critter] = []
        if enemies & critter.border:
            wanted = critter.prey
            for near in critter.border_cells:
                if enemies & BIT[near]:
                    other = critter_at[near]
                    if other is not None and other.species == wanted and other not in prey:
                        prey.append(other)
            for other in prey:
                self.stones[1 - player] ^= other.mask
                self.crowd[1 - player] -= other.crowd
                self.eaten[player] += other.size
        return prey


def groups(mask: int) -> Iterator[int]:
    """Split a player's stones into connected groups of any size, as masks."""
    while mask:
        group = mask & -mask
        while True:
            around = group
            for cell in cells_in(group):
                around |= NEAR[cell] & mask
            if around == group:
                break
            group = around
        yield group
        mask &= ~group


def draw_cell(mask: int, rng: Random) -> int:
    """Draw one cell of a mask, each with the same chance; LookupError for an empty mask."""
    count = mask.bit_count()
    if count > FEW:
        draw = rng.getrandbits
        while True:
            cell = draw(6)
            if cell < CELLS and mask & BIT[cell]:
                return cell
    if not count:
        raise LookupError("no cell to draw from")
    for _ in range(int(rng.random() * count)):
        mask &= mask - 1
    return (mask & -mask).bit_length() // CELL_BITS
