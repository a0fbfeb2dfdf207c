"""A position of Circle of Life in a few machine words, and random games on it.

Owns a fast copy of `game.rules.food_web.position`: placing, feeding, open cells and the end
of the game; facts about critters come from `tables`. Compiled with the types of `field.pxd`: every
number fits 64 bits, and no index is negative. Players are 0 and 1, cells are indices into
`BOARD.cells`.
"""

from array import array

from game.engine.circle.tables import (
    ALL_CELLS,
    BORDER_OF,
    CELLS,
    HASH_FACTOR,
    HASH_SHIFT,
    MASK_OF,
    NEAR,
    PREY_OF,
    SIZE_OF,
    SLOT_IDS,
    SLOT_KEYS,
    SPECIES,
    SPECIES_OF,
    WORD,
)
from game.engine.fast import bits, chance

ONE = 1
LAST_SLOT = len(SLOT_KEYS) - 1

# Offsets in `Field.words`, by player: the mask of stones; the number eaten; four bit planes of the
# crowd (own stones around each cell); a mask for each species.
STONES = 0
EATEN = 2
CROWD = 4
SPECIES_CELLS = 12
WORDS = 36
LONGEST = 1000  # most plies of a greedy playout, which never needs as many


def critter_of(mask: int) -> int:
    """Return the critter with exactly these cells; there must be one."""
    slot = (mask * HASH_FACTOR & WORD) >> HASH_SHIFT
    while SLOT_KEYS[slot] != mask:
        slot = slot + 1 & LAST_SLOT
    return SLOT_IDS[slot]


class Field:
    """The stones of both players, their critters, and what they have eaten.

    `words` has the layout of the constants above; `critters` is valid on occupied cells only.
    `target` is the number of eaten stones that wins, `mover` the player to place next.
    """

    def __init__(self, target: int = 20) -> None:
        self.words = array("Q", bytes(8 * WORDS))
        self.critters = array("H", bytes(2 * CELLS))
        self.target = target
        self.mover = 0

    def copy_from(self, other: "Field") -> None:
        for index in range(WORDS):
            self.words[index] = other.words[index]
        for index in range(CELLS):
            self.critters[index] = other.critters[index]
        self.target = other.target
        self.mover = other.mover

    def put(self, player: int, mask: int) -> None:
        """Put a whole critter on empty cells that touch no critter of the player."""
        self._add(player, critter_of(mask))

    def set_eaten(self, player: int, stones: int) -> None:
        self.words[EATEN + player] = stones

    def stones(self, player: int) -> int:
        """Return the mask of a player's stones."""
        return self.words[STONES + player]

    def eaten(self, player: int) -> int:
        return self.words[EATEN + player]

    def open_cells(self, player: int) -> int:
        """Return the mask of the cells where a player may place, regardless of the turn.

        As in the rules, a cell is closed if the player's critters around it have 4 stones.
        """
        crowd = CROWD + 4 * player
        return ALL_CELLS & ~(
            self.words[STONES]
            | self.words[STONES + 1]
            | self.words[crowd + 2]
            | self.words[crowd + 3]
        )

    def species_cells(self, player: int, species: int) -> int:
        """Return the mask of a player's stones in critters of a species."""
        return self.words[SPECIES_CELLS + SPECIES * player + species]

    def winner(self) -> int:
        """Return the winner, or -1 while the game goes on."""
        for player in range(2):
            if self.words[EATEN + player] >= self.target:
                return player
        return -1 if self.open_cells(self.mover) else self.mover

    def critter_at(self, player: int, cell: int) -> int:
        """Return the critter that a stone on an open cell would make."""
        touched = self.words[STONES + player] & NEAR[cell]
        if not touched:
            return cell
        mask = ONE << cell
        while touched:
            part = MASK_OF[self.critters[bits.lowest(touched)]]
            mask = mask | part
            touched = touched & ~part
        return critter_of(mask)

    def prey_at(self, player: int, cell: int) -> int:
        """Return the mask of the stones that a placement on an open cell would eat."""
        return self.prey_of(1 - player, self.critter_at(player, cell))

    def place(self, cell: int) -> int:
        """Place a stone of the mover on an open cell, feed, and pass the turn.

        Return the mask of the stones that were eaten.
        """
        player = self.mover
        mask = ONE << cell
        touched = self.words[STONES + player] & NEAR[cell]
        while touched:
            joined = self.critters[bits.lowest(touched)]
            mask = mask | MASK_OF[joined]
            touched = touched & ~MASK_OF[joined]
            self._remove(player, joined)
        critter = critter_of(mask)
        self._add(player, critter)
        enemy = 1 - player
        self.mover = enemy
        prey = self.prey_of(enemy, critter)
        eaten = prey
        while prey:
            gone = self.critters[bits.lowest(prey)]
            self._remove(enemy, gone)
            self.words[EATEN + player] += SIZE_OF[gone]
            prey = prey & ~MASK_OF[gone]
        return eaten

    def playout(self, rng: "chance.Xorshift") -> int:
        """Play at random to the end of the game; return the winner."""
        while True:
            mover = self.mover
            mask = self.open_cells(mover)
            if not mask:
                return mover
            if self.place(rng.cell(mask)) and self.words[EATEN + mover] >= self.target:
                return mover

    def greedy_playout(self, rng: "chance.Xorshift") -> int:
        """Play on, always eating as much as possible, else at random; return the winner.

        After LONGEST plies the player who has eaten more wins.
        """
        for _ in range(LONGEST):
            mover = self.mover
            mask = self.open_cells(mover)
            if not mask:
                return mover
            cell = self.greediest(mover, mask, rng.cell(mask))
            if self.place(cell) and self.words[EATEN + mover] >= self.target:
                return mover
        return 0 if self.words[EATEN] > self.words[EATEN + 1] else 1

    def greediest(self, player: int, mask: int, start: int) -> int:
        """Return the open cell of a mask that eats most, in cyclic order from `start`.

        If none eats, it is `start`.
        """
        crowd = CROWD + 4 * player
        # Only cells beside own stones, or beside the one prey of a single stone, can eat.
        likely = (
            self.words[crowd]
            | self.words[crowd + 1]
            | self.words[crowd + 2]
            | self.words[crowd + 3]
        )
        left = self.words[SPECIES_CELLS + SPECIES * (1 - player) + PREY_OF[0]]
        while left:
            likely = likely | NEAR[bits.lowest(left)]
            left = left & left - 1
        likely = likely & mask
        later = WORD << start & WORD
        best = start
        most = 0
        for half in range(2):
            left = likely & (~later if half else later)
            while left:
                cell = bits.lowest(left)
                left = left & left - 1
                prey = self.prey_at(player, cell)
                if prey:
                    gain = bits.count(prey)
                    if gain > most:
                        most = gain
                        best = cell
        return best

    def prey_of(self, enemy: int, critter: int) -> int:
        """Return all stones of the enemy's critters that this critter eats."""
        species_cells = self.words[SPECIES_CELLS + SPECIES * enemy + PREY_OF[critter]]
        found = species_cells & BORDER_OF[critter]
        prey = 0
        while found:
            mask = MASK_OF[self.critters[bits.lowest(found)]]
            prey = prey | mask
            found = found & ~mask
        return prey

    def _add(self, player: int, critter: int) -> None:
        """Add a critter: its stones, its species, and the crowd around it."""
        mask, border, size = MASK_OF[critter], BORDER_OF[critter], SIZE_OF[critter]
        self.words[STONES + player] |= mask
        self.words[SPECIES_CELLS + SPECIES * player + SPECIES_OF[critter]] |= mask
        left = mask
        while left:
            self.critters[bits.lowest(left)] = critter
            left = left & left - 1
        # Add four-bit numbers of all cells at once: plane n holds bit n of each.
        crowd = CROWD + 4 * player
        ones = border if size & 1 else 0
        twos = border if size & 2 else 0
        fours = border if size & 4 else 0
        plane = self.words[crowd]
        carry = plane & ones
        self.words[crowd] = plane ^ ones
        plane = self.words[crowd + 1]
        self.words[crowd + 1] = plane ^ twos ^ carry
        carry = plane & twos | (plane ^ twos) & carry
        plane = self.words[crowd + 2]
        self.words[crowd + 2] = plane ^ fours ^ carry
        carry = plane & fours | (plane ^ fours) & carry
        self.words[crowd + 3] ^= carry

    def _remove(self, player: int, critter: int) -> None:
        """Undo `_add`."""
        mask, border, size = MASK_OF[critter], BORDER_OF[critter], SIZE_OF[critter]
        self.words[STONES + player] ^= mask
        self.words[SPECIES_CELLS + SPECIES * player + SPECIES_OF[critter]] ^= mask
        crowd = CROWD + 4 * player
        ones = border if size & 1 else 0
        twos = border if size & 2 else 0
        fours = border if size & 4 else 0
        plane = self.words[crowd]
        borrow = ones & ~plane
        self.words[crowd] = plane ^ ones
        plane = self.words[crowd + 1]
        self.words[crowd + 1] = plane ^ twos ^ borrow
        borrow = twos & ~plane | borrow & ~(plane ^ twos)
        plane = self.words[crowd + 2]
        self.words[crowd + 2] = plane ^ fours ^ borrow
        borrow = fours & ~plane | borrow & ~(plane ^ fours)
        self.words[crowd + 3] ^= borrow
