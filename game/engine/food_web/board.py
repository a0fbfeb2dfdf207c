"""Food webs for the tree: a field, and how likely each placement is to be the best one.

Owns the policy, so that likely placements are tried first, and the conversion of positions from the
rules. Any web tries first what eats most. Circle of Life has features of a placement and the sum of
their weights (`weights`): each feature has several cases, such as how many stones are eaten, and
each case a weight. Compiled with the types of `board.pxd`.
"""

import math
from array import array
from collections.abc import Sequence

from game.engine.fast import bits, chance
from game.engine.fast import board as boards
from game.engine.food_web import field as fields
from game.engine.food_web import tables as webs
from game.engine.food_web.weights import WEIGHTS
from game.rules.circle_of_life.critters import WEB as CIRCLE
from game.rules.food_web import Position

SPECIES = len(CIRCLE.species)
CELLS = len(CIRCLE.board.cells)
MEAL = 0.05
"""What a stone that is eaten adds to the value of a placement at first glance."""
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
FEATURES = 14
CASE_WEIGHTS = array("f", WEIGHTS)


class FoodWebBoard(boards.FastBoard):
    """A position of a food web; a move is the index of its cell."""

    def __init__(self, tables: "webs.WebTables", target: int) -> None:
        super().__init__(2)
        self.tables = tables
        self.field = fields.Field(tables, target)

    def fresh(self) -> "boards.FastBoard":
        return FoodWebBoard(self.tables, self.field.target)

    def copy_from(self, other: "boards.FastBoard") -> None:
        source: FoodWebBoard = other  # type: ignore[assignment]
        self.field.copy_from(source.field)
        self.mover = source.mover

    def list_moves(self) -> int:
        return self.list_cells(0, self.field.open_cells(self.mover), 0)

    def play(self, move: int) -> None:
        self.field.place(move)
        self.mover = self.field.mover

    def result(self) -> int:
        return self.field.winner() + 1

    def expand(self, after: "boards.FastBoard", informed: bool) -> int:
        """List the placements; those that win by eating are proved without a search."""
        field = self.field
        mover = self.mover
        count = self.list_moves()
        needed = field.target - field.eaten(mover)
        for index in range(count):
            critter = field.critter_at(mover, self.moves[index])
            gain = bits.count(field.prey_of(1 - mover, critter))
            self.guesses[index] = 0.5 + MEAL * gain
            self.results[index] = mover + 1 if gain and gain >= needed else 0
            if informed:
                self.weights[index] = math.exp(self.promise(self.moves[index], critter, gain))
        return count

    def promise(self, cell: int, critter: int, gain: int) -> float:
        """Return how promising a placement is, from the critter that it makes and what it eats."""
        return self.sharpness * MEAL * gain

    def play_out(self, rng: "chance.Xorshift", informed: bool) -> None:
        """Play on, greedily if `informed`."""
        winner = self.field.greedy_playout(rng) if informed else self.field.playout(rng)
        self.share_out(winner + 1)


class CircleBoard(FoodWebBoard):
    """A position of Circle of Life, with a policy that was learned from its searches."""

    def __init__(self, tables: "webs.WebTables", target: int) -> None:
        super().__init__(tables, target)
        self.cases = array("H", bytes(2 * FEATURES))
        # By species: cells that the enemy's critters could touch after one placement; enemy stones
        # that a critter could eat when grown; those that could eat it when grown.
        self.reach = array("Q", bytes(8 * SPECIES))
        self.hunted = array("Q", bytes(8 * SPECIES))
        self.feared = array("Q", bytes(8 * SPECIES))
        # By cell: how many stones the enemy would eat by placing there, and the species made.
        self.bites = array("B", bytes(CELLS))
        self.growth = array("B", bytes(CELLS))
        self.danger = 0
        self.mine = 0
        self.stage = 0

    def fresh(self) -> "boards.FastBoard":
        return CircleBoard(self.tables, self.field.target)

    def expand(self, after: "boards.FastBoard", informed: bool) -> int:
        if informed:
            self.set_position()
        return FoodWebBoard.expand(self, after, informed)

    def set_position(self) -> None:
        """Prepare the features of a position."""
        field = self.field
        mover = field.mover
        enemy = 1 - mover
        for species in range(SPECIES):
            self.reach[species] = 0
            self.hunted[species] = 0
            self.feared[species] = 0
        for species in range(SPECIES):
            theirs = field.species_cells(enemy, species)
            for into in range(SPECIES):
                if self.tables.grows_into[species] >> into & 1:
                    prey = into - 1 if into else SPECIES - 1
                    self.hunted[species] |= field.species_cells(enemy, prey)
                    self.feared[prey] |= theirs
        for cell in range(CELLS):
            self.bites[cell] = 0
            self.growth[cell] = SPECIES
        self.danger = 0
        left = field.open_cells(enemy)
        while left:
            cell = bits.lowest(left)
            left = left & left - 1
            critter = field.critter_at(enemy, cell)
            species = field.species_of[critter]
            self.reach[species] |= field.border_of[critter]
            self.growth[cell] = species
            prey_cells = field.prey_of(mover, critter)
            if prey_cells:
                self.danger |= prey_cells
                self.bites[cell] = bits.count(prey_cells)
        self.mine = field.open_cells(mover)
        open_cells = bits.count(self.mine)
        self.stage = 0 if open_cells > MANY_OPEN else 1 if open_cells > FEW_OPEN else 2

    def promise(self, cell: int, critter: int, gain: int) -> float:
        """Return the sum of the weights of a placement's cases."""
        field = self.field
        mask = field.mask_of[critter]
        border = field.border_of[critter]
        size = field.size_of[critter]
        species = field.species_of[critter]
        predator = species + 1 if species < SPECIES - 1 else 0
        risk = size if mask & self.reach[predator] else 0
        saved = 0 if risk else bits.count(mask & self.danger)
        closed = bits.count(border & self.mine) if size == FULL else 0
        hunts = bits.count(border & self.hunted[species])
        fears = bits.count(border & self.feared[species])
        spoilt = self.bites[cell]
        cases = self.cases
        cases[0] = MADE + SPECIES * self.stage + species
        cases[1] = GAIN + (gain if gain < 9 else 9)
        cases[2] = RISK + risk
        cases[3] = SAVED + saved
        cases[4] = SPOILT + (spoilt if spoilt < 9 else 9)
        cases[5] = THEIRS + self.growth[cell]
        cases[6] = HUNTS + (hunts if hunts < 5 else 5)
        cases[7] = CLOSED + 9 * self.stage + (closed if closed < 8 else 8)
        stones = field.stones(0) | field.stones(1)
        cases[8] = CROWDED + bits.count(field.near[cell] & stones)
        cases[9] = INWARD + 5 * self.stage + self.tables.edge[cell]
        cases[10] = FEARS + (fears if fears < 5 else 5)
        cases[11] = TRADE + 4 * risk + (0 if not gain else 1 if gain < 3 else 2 if gain < 5 else 3)
        cases[12] = MADE_OF_THEIRS + 13 * species + self.growth[cell]
        cases[13] = RISKED + SPECIES * risk + species
        total = 0.0
        for feature in range(FEATURES):
            total = total + CASE_WEIGHTS[cases[feature]]
        return total


def board_of(position: Position, _: Position | None = None) -> FoodWebBoard:
    web = position.tables.web
    kind = CircleBoard if web is CIRCLE else FoodWebBoard
    board = kind(webs.tables_of(web), position.target)
    for player, stones in enumerate(position.stones):
        critters = {each for each in position.critter_at if each and each.mask & stones}
        for critter in critters:
            if critter.mask & ~stones == 0:
                board.field.put(player, webs.narrow(critter.mask))
        board.field.set_eaten(player, position.eaten[player])
    board.mover = board.field.mover = position.mover
    return board


def texts(position: Position, moves: Sequence[int]) -> list[str]:
    return [position.tables.cells[move] for move in moves]
