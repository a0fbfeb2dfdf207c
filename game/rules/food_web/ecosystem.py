"""Placing and feeding in a food web, on a board that changes in place, optimized for playouts.

Cells are indices into the board's cells, players 0 and 1.
"""

from collections.abc import Iterator, Sequence
from random import Random

from game.rules.food_web.web import CELL_BITS, Critter, Tables, cells_in

FEW = 12  # For masks of at most this size, walking the mask is faster than rejection sampling
_BITS = tuple(1 << CELL_BITS * cell for cell in range(512))
"""A mask for each cell number of nine random bits; the largest hexagon has 469 cells."""


def open_cells(tables: Tables, stones: Sequence[int], crowd: int) -> int:
    """Return the mask of the cells where a stone joins critters of less than the largest size."""
    full = (crowd | (crowd & tables.low) + tables.lift) >> 3
    return tables.all_cells & ~(stones[0] | stones[1] | full)


class Ecosystem:
    """The stones of both players, their critters, and what they have eaten.

    `critter_at` is valid on occupied cells only. `crowd` holds, per player, in the four bits of
    each cell, the number of stones in the player's critters around that cell.
    """

    __slots__ = ("critter_at", "crowd", "eaten", "stones", "tables")

    def __init__(
        self,
        tables: Tables,
        stones: tuple[int, int] = (0, 0),
        eaten: tuple[int, int] = (0, 0),
        crowd: tuple[int, int] = (0, 0),
        critter_at: tuple[Critter | None, ...] = (),
    ) -> None:
        self.tables = tables
        self.stones = list(stones)
        self.eaten = list(eaten)
        self.crowd = list(crowd)
        self.critter_at = list(critter_at or (None,) * len(tables.bit))

    def joined(self, player: int, cell: int) -> tuple[int, int]:
        """Return the mask of the critter that a stone makes, known if legal, and its old crowd."""
        tables = self.tables
        mask = tables.bit[cell]
        replaced = 0
        touched = self.stones[player] & tables.near[cell]
        while touched:
            critter = self.critter_at[touched.bit_length() // CELL_BITS]
            assert critter is not None
            mask |= critter.mask
            replaced += critter.crowd
            touched &= ~critter.mask
        return mask, replaced

    def prey_of(self, player: int, critter: Critter) -> list[Critter]:
        """Return the enemy's critters that a critter eats when its last stone is placed."""
        prey: list[Critter] = []
        found = self.stones[1 - player] & critter.border
        while found:
            other = self.critter_at[found.bit_length() // CELL_BITS]
            assert other is not None
            if other.species == critter.prey:
                prey.append(other)
            found &= ~other.mask
        if prey and critter.swarm > 1:
            return [other for other in prey if self._swarm(player, critter, other)]
        return prey

    def _swarm(self, player: int, critter: Critter, prey: Critter) -> bool:
        """Return whether enough critters of the species, with the new one, touch the prey."""
        own = self.stones[player] & prey.border & ~critter.mask
        around = {self.critter_at[near] for near in cells_in(own)}
        alike = [each for each in around if each is not None and each.species == critter.species]
        return len(alike) + 1 >= critter.swarm

    def place(self, player: int, cell: int) -> list[Critter]:
        """Place a stone, and return what its critter eats; KeyError, and no change, if illegal."""
        mask, replaced = self.joined(player, cell)
        critter = self.tables.critters[mask]
        self.stones[player] |= mask
        self.crowd[player] += critter.crowd - replaced
        critter_at = self.critter_at
        for own in critter.cells:
            critter_at[own] = critter
        prey = self.prey_of(player, critter)
        for other in prey:
            self.stones[1 - player] ^= other.mask
            self.crowd[1 - player] -= other.crowd
            self.eaten[player] += other.size
        return prey


def groups(tables: Tables, mask: int) -> Iterator[int]:
    """Split a player's stones into connected groups of any size, as masks."""
    while mask:
        group = mask & -mask
        while (grown := group | tables.around(group) & mask) != group:
            group = grown
        yield group
        mask &= ~group


def draw_cell(mask: int, rng: Random) -> int:
    """Draw one cell of a mask uniformly; LookupError for an empty mask."""
    count = mask.bit_count()
    if count > FEW:
        draw, bits = rng.getrandbits, 6 if mask < _BITS[64] else 9
        while True:
            cell = draw(bits)
            if mask & _BITS[cell]:
                return cell
    if not count:
        raise LookupError("no cell to draw from")
    for _ in range(int(rng.random() * count)):
        mask &= mask - 1
    return (mask & -mask).bit_length() // CELL_BITS
