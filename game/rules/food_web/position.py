"""Positions in a food web, placements, and what they eat. Players are 0 and 1.

Cells are indices into the board's cells. Optimized for playouts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from game.rules.base.game import MoveResult
from game.rules.food_web.web import CELL_BITS, Critter, Tables, cells_in

CODES = "12"
FEW = 12  # For masks of at most this size, walking the mask is faster than rejection sampling
_BITS = tuple(1 << CELL_BITS * cell for cell in range(512))
"""A mask for each cell number of nine random bits; the largest hexagon has 469 cells."""


@dataclass(frozen=True, slots=True)
class Position:
    """Two masks of stones, the mover, and the score; the last three fields are slow to derive.

    `critter_at` is valid on occupied cells only. `crowd` holds, per player, in the four bits of
    each cell, the number of stones in the player's critters around that cell.
    """

    mover: int
    stones: tuple[int, int]
    eaten: tuple[int, int]
    target: int
    critter_at: tuple[Critter | None, ...] = field(compare=False, repr=False)
    crowd: tuple[int, int] = field(compare=False, repr=False)
    tables: Tables = field(compare=False, repr=False)

    @property
    def occupied(self) -> int:
        """The mask of the cells with a stone."""
        return self.stones[0] | self.stones[1]

    @property
    def open_cells(self) -> int:
        """The mask of the mover's legal placements; empty if a player has eaten enough."""
        return self.open_to(self.mover) if max(self.eaten) < self.target else 0

    def open_to(self, player: int) -> int:
        """Return the mask of the cells where a player's stone makes no critter that is too large.

        It disregards whose turn it is, and whether the game is over.
        """
        tables, crowd, stones = self.tables, self.crowd[player], self.stones
        full = (crowd | (crowd & tables.low) + tables.lift) >> 3
        return tables.all_cells & ~(stones[0] | stones[1] | full)

    def joined(self, player: int, cell: int) -> tuple[int, int]:
        """Return the mask of the critter a stone would make, and the crowd of those it joins."""
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

    def placed(self, cell: int) -> tuple["Position", Critter, list[Critter]]:
        """Return the position after a legal placement, the resulting critter, and its prey."""
        player, tables = self.mover, self.tables
        mask, replaced = self.joined(player, cell)
        critter = tables.critters[mask]
        prey, critter_at = self.prey_of(player, critter), list(self.critter_at)
        for own in critter.cells:
            critter_at[own] = critter
        mine, theirs = self.stones[player] | mask, self.stones[1 - player]
        crowd, other_crowd = self.crowd[player] + critter.crowd - replaced, self.crowd[1 - player]
        eaten = self.eaten[player]
        for other in prey:
            theirs ^= other.mask
            other_crowd -= other.crowd
            eaten += other.size
        after = Position(
            1 - player,
            (theirs, mine) if player else (mine, theirs),
            (self.eaten[0], eaten) if player else (eaten, self.eaten[1]),
            self.target,
            tuple(critter_at),
            (other_crowd, crowd) if player else (crowd, other_crowd),
            tables,
        )
        return after, critter, prey


class Placement(MoveResult[Position, str]):
    """A legal placement; the stone is placed once, and the result is cached."""

    @cached_property
    def _placed(self) -> tuple[Position, Critter, list[Critter]]:
        return self.before.placed(self.before.tables.index[self.move])

    @property
    def after(self) -> Position:
        return self._placed[0]

    @property
    def critter(self) -> Critter:
        """The critter that the stone makes."""
        return self._placed[1]

    @property
    def prey(self) -> list[Critter]:
        """The critters that it eats."""
        return self._placed[2]

    @cached_property
    def text(self) -> str:
        return f"{self.move}x" if self.prey else self.move

    @cached_property
    def removed(self) -> tuple[str, ...]:
        cells = self.before.tables.cells
        return tuple(sorted(cells[index] for critter in self.prey for index in critter.cells))


class Placements:
    """The legal moves of a position: a view on the mask of open cells."""

    __slots__ = ("_mask", "_tables")

    def __init__(self, position: Position) -> None:
        self._tables, self._mask = position.tables, position.open_cells

    def __iter__(self) -> Iterator[str]:
        return (self._tables.cells[index] for index in cells_in(self._mask))

    def __contains__(self, move: object) -> bool:
        index = self._tables.index.get(move) if isinstance(move, str) else None
        return index is not None and bool(self._mask & self._tables.bit[index])

    def __len__(self) -> int:
        return self._mask.bit_count()

    def pick(self, rng: Random) -> str:
        return self._tables.cells[draw_cell(self._mask, rng)]


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
