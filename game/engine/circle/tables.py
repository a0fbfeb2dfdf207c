"""The board and the critters of Circle of Life as machine-size numbers.

Owns the tables of `field`, all computed from `game.rules.circle_of_life.critters`. A set of cells
is a mask with one bit per cell, 61 of 64. A critter is an index into the tables; the index of a
single stone is that of its cell.
"""

from array import array

from game.rules.circle_of_life.critters import ALL_CELLS as ALL_WIDE
from game.rules.circle_of_life.critters import BIT as WIDE_BIT
from game.rules.circle_of_life.critters import CIRCLE, CRITTERS, MOST_STONES
from game.rules.circle_of_life.critters import NEAR as WIDE_NEAR

CELLS = len(WIDE_BIT)
SPECIES = len(CIRCLE)
WORD = (1 << 64) - 1
HASH_BITS = 13
HASH_FACTOR = 0x9E3779B97F4A7C15
HASH_SHIFT = 64 - HASH_BITS


def narrow(mask: int) -> int:
    """Convert a mask of the rules, with four bits per cell, to one with one bit per cell."""
    return int(f"{mask:x}", 2)


def _slots() -> "tuple[array[int], array[int]]":
    """Build the hash table of critters by their masks, with linear probing."""
    keys, ids = array("Q", bytes(8 << HASH_BITS)), array("H", bytes(2 << HASH_BITS))
    for critter, mask in enumerate(MASK_OF):
        slot = (mask * HASH_FACTOR & WORD) >> HASH_SHIFT
        while keys[slot]:
            slot = (slot + 1) & ((1 << HASH_BITS) - 1)
        keys[slot], ids[slot] = mask, critter
    return keys, ids


_ALL = sorted(CRITTERS.values(), key=lambda critter: (critter.size, critter.mask))

ALL_CELLS = narrow(ALL_WIDE)
NEAR = array("Q", (narrow(near) for near in WIDE_NEAR))
MASK_OF = array("Q", (narrow(critter.mask) for critter in _ALL))
BORDER_OF = array("Q", (narrow(critter.border) for critter in _ALL))
SIZE_OF = array("B", (critter.size for critter in _ALL))
SPECIES_OF = array("B", (critter.species for critter in _ALL))
PREY_OF = array("B", (critter.prey for critter in _ALL))
SLOT_KEYS, SLOT_IDS = _slots()


def _grows_into() -> "array[int]":
    """Return, for each species, the mask of species it can become with one more stone."""
    table = array("H", bytes(2 * SPECIES))
    ids = {mask: critter for critter, mask in enumerate(MASK_OF)}
    for mask, critter in ids.items():
        if SIZE_OF[critter] < MOST_STONES:
            for cell in range(CELLS):
                if BORDER_OF[critter] >> cell & 1:
                    table[SPECIES_OF[critter]] |= 1 << SPECIES_OF[ids[mask | 1 << cell]]
    return table


def _from_the_edge() -> "array[int]":
    """Count the steps from each cell to the nearest one without six neighbours."""
    steps = array("B", bytes(CELLS))
    inner = [cell for cell, near in enumerate(NEAR) if near.bit_count() == 6]
    while inner:
        for cell in inner:
            steps[cell] += 1
        left = sum(1 << cell for cell in inner)
        inner = [cell for cell in inner if NEAR[cell] & ~left == 0]
    return steps


GROWS_INTO = _grows_into()
EDGE = _from_the_edge()  # steps from each cell to the edge of the board
