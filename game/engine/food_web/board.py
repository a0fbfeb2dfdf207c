"""Food webs for the tree: a position in a few machine words, and which placements are likely.

Owns a fast copy of `game.rules.food_web.position` (placing, eating, open cells and the end of the
game), playouts, the policy, and the conversion of positions; facts about critters come from
`tables`. In any web, what eats most is tried first. In Circle of Life the weights of a placement's
features are added (`weights`): a feature has several cases, such as how many stones are eaten, and
each case a weight. Players are 0 and 1, cells are indices into the board's cells. Compiled with the
types of `board.pxd`: every number fits 64 bits, and no index is negative.
"""

import math
from array import array
from collections.abc import Sequence

from game.engine.fast import bits, chance
from game.engine.fast import board as boards
from game.engine.food_web import tables as webs
from game.engine.food_web.weights import WEIGHTS
from game.rules.circle_of_life.game import WEB as CIRCLE
from game.rules.food_web import Position

ONE = 1
WORD = webs.WORD
HASH_FACTOR = webs.HASH_FACTOR
HASH_SHIFT = webs.HASH_SHIFT
LAST_SLOT = (1 << webs.HASH_BITS) - 1

# Offsets in `FoodWebBoard.words`, by player: the mask of stones; the number eaten; four bit planes
# of the crowd (own stones around each cell); a mask for each species, of which there are at most
# twelve.
STONES = 0
EATEN = 2
CROWD = 4
SPECIES_CELLS = 12
WORDS = 36
CELLS = 64
MEAL = 0.05
"""What a stone that is eaten adds to the value of a placement at first glance."""


SPECIES = len(CIRCLE.species)
FULL = 4
MANY_OPEN = 30
FEW_OPEN = 12
"""The first stage of a game has more open cells than MANY_OPEN, the last at most FEW_OPEN."""

# Offsets of the features' cases among the weights; "by stage" has a set of cases for each stage.
MADE = 0  # the species made, by stage
GAIN = 36  # stones eaten, up to 9
RISK = 46  # stones of the critter made, if it could be eaten at once, else 0
SAVED = 51  # own stones that could have been eaten, and now cannot
SPOILT = 56  # stones that the enemy would have eaten by placing here, up to 9
THEIRS = 66  # the species that the enemy would have made here; the last: none
HUNTS = 79  # enemy stones beside it that it could eat when grown, up to 5
CLOSED = 85  # own open cells beside it that a full critter closes, up to 8, by stage
CROWDED = 112  # stones of both around the cell
INWARD = 119  # steps from the edge, by stage
FEARS = 134  # enemy stones beside it that could eat it when grown, up to 5
TRADE = 140  # risk, and whether nothing, little, some or much is eaten
MADE_OF_THEIRS = 160  # the species made, and the one the enemy would have made
RISKED = 316  # risk, and the species made
CASE_WEIGHTS = array("f", WEIGHTS)


class FoodWebBoard(boards.FastBoard):
    """The stones of both players, their critters, and what they have eaten; a move is its cell.

    `words` has the layout of the constants above; `critters` is valid on occupied cells only.
    `target` is the number of eaten stones that wins, `open` the mover's open cells. `learned` means
    that the web is that of Circle of Life, whose policy was learned from its searches.
    """

    def __init__(self, tables: "webs.WebTables", target: int) -> None:
        super().__init__(2, tables, target)
        self.tables = tables
        # Compiled code reads an attribute of the board faster than one of the tables.
        self.all_cells, self.near, self.counts = tables.all_cells, tables.near, tables.counts
        self.mask_of, self.border_of = tables.mask_of, tables.border_of
        self.size_of, self.species_of = tables.size_of, tables.species_of
        self.prey_species, self.swarm_of = tables.prey_species, tables.swarm_of
        self.slot_keys, self.slot_ids = tables.slot_keys, tables.slot_ids
        self.words = array("Q", bytes(8 * WORDS))
        self.critters = array("H", bytes(2 * CELLS))
        self.target = target
        self.open = 0
        self.learned = tables.web is CIRCLE
        # By species: cells that the enemy's critters could touch after one placement; enemy stones
        # that a critter could eat when grown; those that could eat it when grown.
        self.reach = array("Q", bytes(8 * SPECIES))
        self.hunted = array("Q", bytes(8 * SPECIES))
        self.feared = array("Q", bytes(8 * SPECIES))
        # By cell: how many stones the enemy would eat by placing there, and the species made.
        self.bites = array("B", bytes(CELLS))
        self.growth = array("B", bytes(CELLS))
        self.danger = 0
        self.stage = 0

    def set_up(self, position: Position) -> None:
        """Copy a position to a board without stones."""
        for player, stones in enumerate(position.stones):
            for each in set(position.critter_at):
                if each and each.mask & ~stones == 0:
                    self._add(player, self.critter_of(webs.narrow(each.mask)))
            self.words[EATEN + player] = position.eaten[player]
        self.mover = position.mover
        self._decide(1 - self.mover)

    def copy_from(self, other: "boards.FastBoard") -> None:
        boards.FastBoard.copy_from(self, other)
        source: FoodWebBoard = other  # type: ignore[assignment]
        self.open = source.open
        for index in range(WORDS):
            self.words[index] = source.words[index]
        for index in range(CELLS):
            self.critters[index] = source.critters[index]

    def list_moves(self) -> int:
        return self.list_cells(0, self.open, 0)

    def play(self, move: int) -> None:
        self.place(move)

    def place(self, cell: int) -> None:
        """Place a stone of the mover on an open cell, eat its prey, and pass the turn."""
        player = self.mover
        enemy = 1 - player
        mask = ONE << cell
        touched = self.words[STONES + player] & self.near[cell]
        while touched:
            joined = self.critters[bits.lowest(touched)]
            mask = mask | self.mask_of[joined]
            touched = touched & ~self.mask_of[joined]
            self._remove(player, joined)
        critter = self.critter_of(mask)
        self._add(player, critter)
        prey = self.prey_of(enemy, critter)
        while prey:
            gone = self.critters[bits.lowest(prey)]
            self._remove(enemy, gone)
            self.words[EATEN + player] += self.size_of[gone]
            prey = prey & ~self.mask_of[gone]
        self.mover = enemy
        self._decide(player)

    def _decide(self, last: int) -> None:
        """Set `open`, and `ended` if the last player has eaten enough or the mover cannot place."""
        self.open = self.open_cells(self.mover)
        if self.words[EATEN + last] >= self.target:
            self.ended = last + 1
        elif not self.open:
            one, two = self.words[EATEN], self.words[EATEN + 1]
            if not self.counts:
                self.ended = self.mover + 1
            elif one == two:
                self.ended = last + 1
            else:
                self.ended = 1 if one > two else 2

    def expand(self, after: "boards.FastBoard", informed: bool) -> int:
        """List the placements; those that win by eating are proved without a search."""
        mover = self.mover
        count = self.list_moves()
        if informed and self.learned:
            self.survey()
        needed = self.target - self.words[EATEN + mover]
        for index in range(count):
            critter = self.critter_at(mover, self.moves[index])
            gain = bits.count(self.prey_of(1 - mover, critter))
            self.guesses[index] = 0.5 + MEAL * gain
            self.results[index] = mover + 1 if gain and gain >= needed else 0
            if informed:
                self.weights[index] = math.exp(self.promise(self.moves[index], critter, gain))
        return count

    def survey(self) -> None:
        """Prepare the features of a position for `promise`."""
        mover = self.mover
        enemy = 1 - mover
        for species in range(SPECIES):
            self.reach[species] = 0
            self.hunted[species] = 0
            self.feared[species] = 0
        for species in range(SPECIES):
            theirs = self.species_cells(enemy, species)
            for into in range(SPECIES):
                if self.tables.grows_into[species] >> into & 1:
                    prey = into - 1 if into else SPECIES - 1
                    self.hunted[species] |= self.species_cells(enemy, prey)
                    self.feared[prey] |= theirs
        for cell in range(CELLS):
            self.bites[cell] = 0
            self.growth[cell] = SPECIES
        self.danger = 0
        left = self.open_cells(enemy)
        while left:
            cell = bits.lowest(left)
            left = left & left - 1
            critter = self.critter_at(enemy, cell)
            species = self.species_of[critter]
            self.reach[species] |= self.border_of[critter]
            self.growth[cell] = species
            prey_cells = self.prey_of(mover, critter)
            if prey_cells:
                self.danger |= prey_cells
                self.bites[cell] = bits.count(prey_cells)
        open_cells = bits.count(self.open)
        self.stage = 0 if open_cells > MANY_OPEN else 1 if open_cells > FEW_OPEN else 2

    def promise(self, cell: int, critter: int, gain: int) -> float:
        """Return how promising a placement is, from the critter that it makes and what it eats."""
        if not self.learned:
            return self.sharpness * MEAL * gain
        mask = self.mask_of[critter]
        border = self.border_of[critter]
        size = self.size_of[critter]
        species = self.species_of[critter]
        predator = species + 1 if species < SPECIES - 1 else 0
        risk = size if mask & self.reach[predator] else 0
        saved = 0 if risk else bits.count(mask & self.danger)
        closed = bits.count(border & self.open) if size == FULL else 0
        hunts = bits.count(border & self.hunted[species])
        fears = bits.count(border & self.feared[species])
        gained = 0 if not gain else 1 if gain < 3 else 2 if gain < 5 else 3
        stones = self.words[STONES] | self.words[STONES + 1]
        crowd = bits.count(self.near[cell] & stones)
        return (
            0.0
            + CASE_WEIGHTS[MADE + SPECIES * self.stage + species]
            + CASE_WEIGHTS[GAIN + min(gain, 9)]
            + CASE_WEIGHTS[RISK + risk]
            + CASE_WEIGHTS[SAVED + saved]
            + CASE_WEIGHTS[SPOILT + min(self.bites[cell], 9)]
            + CASE_WEIGHTS[THEIRS + self.growth[cell]]
            + CASE_WEIGHTS[HUNTS + min(hunts, 5)]
            + CASE_WEIGHTS[CLOSED + 9 * self.stage + min(closed, 8)]
            + CASE_WEIGHTS[CROWDED + crowd]
            + CASE_WEIGHTS[INWARD + 5 * self.stage + self.tables.edge[cell]]
            + CASE_WEIGHTS[FEARS + min(fears, 5)]
            + CASE_WEIGHTS[TRADE + 4 * risk + gained]
            + CASE_WEIGHTS[MADE_OF_THEIRS + 13 * species + self.growth[cell]]
            + CASE_WEIGHTS[RISKED + SPECIES * risk + species]
        )

    def play_out(self, rng: "chance.Xorshift", informed: bool) -> None:
        """Play to the end at random; if `informed`, always eat as much as possible."""
        while not self.ended:
            cell = rng.cell(self.open)
            self.place(self.greediest(cell) if informed else cell)
        self.share_out(self.ended)

    def open_cells(self, player: int) -> int:
        """Return the mask of the cells where a player may place, regardless of the turn.

        As in the rules, a cell is closed if the player's critters around it have 4 stones or more.
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

    def greediest(self, start: int) -> int:
        """Return the open cell that eats most, in cyclic order from `start`.

        If none eats, it is `start`.
        """
        player = self.mover
        crowd = CROWD + 4 * player
        # Only placements beside own stones, or beside prey of a single stone, can eat.
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
        likely = likely & self.open
        later = WORD << start & WORD
        best = start
        most = 0
        for half in range(2):
            left = likely & (~later if half else later)
            while left:
                cell = bits.lowest(left)
                left = left & left - 1
                prey = self.prey_of(1 - player, self.critter_at(player, cell))
                # Most placements eat nothing, and counting takes time.
                if prey and bits.count(prey) > most:
                    most = bits.count(prey)
                    best = cell
        return best

    def prey_of(self, enemy: int, critter: int) -> int:
        """Return all stones of the enemy's critters that this critter eats."""
        species_cells = self.words[SPECIES_CELLS + 2 * self.prey_species[critter] + enemy]
        found = species_cells & self.border_of[critter]
        return self.eaten_by(1 - enemy, critter, found) if found else 0

    def eaten_by(self, player: int, critter: int, found: int) -> int:
        """Return the stones of the prey in `found` that enough critters of the species touch."""
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
        """Count the critters that touch the prey: the new one, and others of its species."""
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


def board_of(position: Position, _: Position | None = None) -> FoodWebBoard:
    board = FoodWebBoard(webs.tables_of(position.tables.web), position.target)
    board.set_up(position)
    return board


def texts(position: Position, moves: Sequence[int]) -> list[str]:
    return [position.tables.cells[move] for move in moves]
