"""The board and the critters of a food web as machine-size numbers.

Owns the tables that `board` uses, computed from `game.rules.food_web`. A set of cells is a
mask with one bit per cell, at most 64. A critter is an index into the tables; the index of a single
stone is that of its cell. Compiled with the types of `tables.pxd`.
"""

from array import array
from functools import cache

from game.rules.food_web import FoodWeb, Stuck

WORD = (1 << 64) - 1
HASH_BITS = 13
HASH_FACTOR = 0x9E3779B97F4A7C15
HASH_SHIFT = 64 - HASH_BITS


def narrow(mask: int) -> int:
    """Convert a mask of the rules, with four bits per cell, to one with one bit per cell."""
    return int(f"{mask:x}", 2)


class WebTables:
    """What never changes in the games of a web, whose largest critters have four stones.

    By cell: `near`, and the steps to the `edge` of the board. By critter: the others. By species:
    `grows_into`, the mask of species that it can become with one more stone. `counts` is true for
    `Stuck.COUNTS`. `slot_keys` and `slot_ids` are a hash table of critters by their masks.
    """

    def __init__(self, web: FoodWeb) -> None:
        every = sorted(web.tables.critters.values(), key=lambda each: (each.size, each.mask))
        self.web = web
        self.cells = len(web.board.cells)
        self.species = len(web.species)
        self.counts = web.stuck is Stuck.COUNTS
        self.all_cells = narrow(web.tables.all_cells)
        self.near = array("Q", (narrow(near) for near in web.tables.near))
        self.mask_of = array("Q", (narrow(each.mask) for each in every))
        self.border_of = array("Q", (narrow(each.border) for each in every))
        self.size_of = array("B", (each.size for each in every))
        self.species_of = array("B", (each.species for each in every))
        self.prey_species = array("B", (each.prey for each in every))
        self.swarm_of = array("B", (each.swarm for each in every))
        self.slot_keys = array("Q", bytes(8 << HASH_BITS))
        self.slot_ids = array("H", bytes(2 << HASH_BITS))
        ids = {narrow(each.mask): critter for critter, each in enumerate(every)}
        for mask, critter in ids.items():
            slot = (mask * HASH_FACTOR & WORD) >> HASH_SHIFT
            # Linear probing.
            while self.slot_keys[slot]:
                slot = (slot + 1) & ((1 << HASH_BITS) - 1)
            self.slot_keys[slot], self.slot_ids[slot] = mask, critter
        self.grows_into = array("H", bytes(2 * self.species))
        for each in every:
            for cell in web.tables.bit:
                if each.border & cell and each.size < web.most:
                    grown = ids[narrow(each.mask | cell)]
                    self.grows_into[each.species] |= 1 << self.species_of[grown]
        self.edge = array("B", bytes(self.cells))
        inner = [cell for cell, near in enumerate(self.near) if near.bit_count() == 6]
        while inner:
            for cell in inner:
                self.edge[cell] += 1
            left = sum(1 << cell for cell in inner)
            inner = [cell for cell in inner if self.near[cell] & ~left == 0]


tables_of = cache(WebTables)
