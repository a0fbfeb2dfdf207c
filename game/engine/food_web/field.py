"""A position of a food web in a few machine words, and random games on it.

Owns a fast copy of `game.rules.food_web.position`: placing, feeding, open cells and the end
of the game; facts about critters come from `tables`. Compiled with the types of `field.pxd`: every
number fits 64 bits, and no index is negative. Players are 0 and 1, cells are indices into the
board's cells.
"""

from array import array

from game.engine.fast import bits, chance
from game.engine.food_web import tables as webs

ONE = 1
WORD = webs.WORD
HASH_FACTOR = webs.HASH_FACTOR
HASH_SHIFT = webs.HASH_SHIFT
LAST_SLOT = (1 << webs.HASH_BITS) - 1

# Offsets in `Field.words`, by player: the mask of stones; the number eaten; four bit planes of the
# crowd (own stones around each cell); a mask for each species, of which there are at most twelve.
STONES = 0
EATEN = 2
CROWD = 4
SPECIES_CELLS = 12
WORDS = 36
CELLS = 64
LONGEST = 1000  # most plies of a greedy playout, which never needs as many


class Field:
    """The stones of both players, their critters, and what they have eaten.

    `words` has the layout of the constants above; `critters` is valid on occupied cells only.
    `target` is the number of eaten stones that wins, `mover` the player to place next.
    """

    def __init__(self, tables: "webs.WebTables", target: int) -> None:
        # Compiled, an attribute of its own is read faster than one of the tables.
        self.all_cells, self.near, self.counts = tables.all_cells, tables.near, tables.counts
        self.mask_of, self.border_of = tables.mask_of, tables.border_of
        self.size_of, self.species_of = tables.size_of, tables.species_of
        self.prey_species, self.swarm_of = tables.prey_species, tables.swarm_of
        self.slot_keys, self.slot_ids = tables.slot_keys, tables.slot_ids
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
        self._add(player, self.critter_of(mask))

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
        return self.all_cells & ~(
            self.words[STONES]
            | self.words[STONES + 1]
            | self.words[crowd + 2]
            | self.words[crowd + 3]
        )

    def species_cells(self, player: int, species: int) -> int:
        """Return the mask of a player's stones in critters of a species."""
        return self.words[SPECIES_CELLS + 2 * species + player]

    def winner(self) -> int:
        """Return the winner, or -1 while the game goes on."""
        for player in range(2):
            if self.words[EATEN + player] >= self.target:
                return player
        return -1 if self.open_cells(self.mover) else self.winner_stuck()

    def winner_stuck(self) -> int:
        """Return who wins if the mover cannot place."""
        one, two = self.words[EATEN], self.words[EATEN + 1]
        if not self.counts:
            return self.mover
        if one == two:
            return 1 - self.mover
        return 0 if one > two else 1

    def critter_at(self, player: int, cell: int) -> int:
        """Return the critter that a stone on an open cell would make."""
        touched = self.words[STONES + player] & self.near[cell]
        if not touched:
            return cell
        mask = ONE << cell
        while touched:
            part = self.mask_of[self.critters[bits.lowest(touched)]]
            mask = mask | part
            touched = touched & ~part
        return self.critter_of(mask)

    def critter_of(self, mask: int) -> int:
        """Return the critter with exactly these cells; there must be one."""
        slot = (mask * HASH_FACTOR & WORD) >> HASH_SHIFT
        while self.slot_keys[slot] != mask:
            slot = slot + 1 & LAST_SLOT
        return self.slot_ids[slot]

    def prey_at(self, player: int, cell: int) -> int:
        """Return the mask of the stones that a placement on an open cell would eat."""
        return self.prey_of(1 - player, self.critter_at(player, cell))

    def place(self, cell: int) -> int:
        """Place a stone of the mover on an open cell, feed, and pass the turn.

        Return the mask of the stones that were eaten.
        """
        player = self.mover
        mask = ONE << cell
        touched = self.words[STONES + player] & self.near[cell]
        while touched:
            joined = self.critters[bits.lowest(touched)]
            mask = mask | self.mask_of[joined]
            touched = touched & ~self.mask_of[joined]
            self._remove(player, joined)
        critter = self.critter_of(mask)
        self._add(player, critter)
        enemy = 1 - player
        self.mover = enemy
        prey = self.prey_of(enemy, critter)
        eaten = prey
        while prey:
            gone = self.critters[bits.lowest(prey)]
            self._remove(enemy, gone)
            self.words[EATEN + player] += self.size_of[gone]
            prey = prey & ~self.mask_of[gone]
        return eaten

    def playout(self, rng: "chance.Xorshift") -> int:
        """Play at random to the end of the game; return the winner."""
        while True:
            mover = self.mover
            mask = self.open_cells(mover)
            if not mask:
                return self.winner_stuck()
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
                return self.winner_stuck()
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
        left = self.words[SPECIES_CELLS + 2 * self.prey_species[0] + 1 - player]
        while left:
            likely = likely | self.near[bits.lowest(left)]
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
        species_cells = self.words[SPECIES_CELLS + 2 * self.prey_species[critter] + enemy]
        found = species_cells & self.border_of[critter]
        return self.eaten_by(1 - enemy, critter, found) if found else 0

    def eaten_by(self, player: int, critter: int, found: int) -> int:
        """Return the stones of the touched critters of prey that enough of a species touch."""
        swarm = self.swarm_of[critter]
        prey = 0
        while found:
            other = self.critters[bits.lowest(found)]
            mask = self.mask_of[other]
            found = found & ~mask
            if swarm < 2 or self.alike(player, critter, other) >= swarm:
                prey = prey | mask
        return prey

    def alike(self, player: int, critter: int, prey: int) -> int:
        """Count the critters of a new one's species that touch the prey, with the new one."""
        around = self.species_cells(player, self.species_of[critter])
        around = around & self.border_of[prey] & ~self.mask_of[critter]
        count = 1
        while around:
            around = around & ~self.mask_of[self.critters[bits.lowest(around)]]
            count = count + 1
        return count

    def _add(self, player: int, critter: int) -> None:
        """Add a critter: its stones, its species, and the crowd around it."""
        mask, border, size = self.mask_of[critter], self.border_of[critter], self.size_of[critter]
        self.words[STONES + player] |= mask
        self.words[SPECIES_CELLS + 2 * self.species_of[critter] + player] |= mask
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
        mask, border, size = self.mask_of[critter], self.border_of[critter], self.size_of[critter]
        self.words[STONES + player] ^= mask
        self.words[SPECIES_CELLS + 2 * self.species_of[critter] + player] ^= mask
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
