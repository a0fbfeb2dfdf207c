"""A food web on a hexagon as data, and every critter that can stand on its board.

A set of cells is an integer with four bits per cell (see `CELL_BITS`), of which a mask uses the
lowest. Adding such integers counts, for all cells at once, the stones of critters around a cell.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, reduce
from operator import or_

from game.rules.base.message import Message
from game.rules.boards.board import Axial, Board, axial_cells, centre, hexagon, normal_form

CELL_BITS = 4
"""A cell touches at most three critters of one colour; four bits can count their stones."""
LARGEST = 5  # Most stones of a critter; three critters of five stones have 15, which fits four bits
NOTHING = -1  # In place of an index of a species: no prey

Shape = tuple[Axial, ...]


@dataclass(frozen=True, slots=True)
class Species:
    """A kind of critter: its names, the `shape` that is drawn, and its `others`, not drawn."""

    name: str
    word: Message
    shape: Shape
    others: tuple[Shape, ...] = ()

    def words(self, critters: int) -> Message:
        return Message(self.word.key, {"count": critters})

    @property
    def centres(self) -> tuple[tuple[float, float], ...]:
        """The centres of its stones on paper, in units of the distance between neighbours."""
        return tuple(centre(at) for at in self.shape)


class Stuck(Enum):
    """Who wins when the player to move cannot place a stone."""

    WINS = "that player wins"
    COUNTS = "who has eaten more wins; after equally many, who placed last"


@dataclass(frozen=True, slots=True, eq=False)
class Critter:
    """A group of connected cells; each group is one object, compared by identity.

    `border` are the cells around it; `crowd` has its number of stones in each border cell.
    `swarm` is how many critters of this species must touch the prey, this one included.
    """

    mask: int
    size: int
    species: int
    prey: int
    swarm: int
    cells: tuple[int, ...]
    border: int
    crowd: int


@dataclass(frozen=True, eq=False)
class FoodWeb:
    """A board with `side` cells per side, and the `species` of its critters.

    No critter has more stones than the largest species; up to that size, each shape must belong to
    a species. `eats` names the one prey of each species that has any. `swarms` is, by species, how
    many critters must touch the prey together, if more than one. A player who has eaten `target`
    stones wins.
    """

    side: int
    species: tuple[Species, ...]
    eats: Mapping[str, str]
    swarms: Mapping[str, int] = field(default_factory=dict)
    target: int = 20
    stuck: Stuck = Stuck.WINS

    def __post_init__(self) -> None:
        names = [each.name for each in self.species]
        for name in (*self.eats, *self.eats.values(), *self.swarms):
            if name not in names:
                raise ValueError(f"species is {name!r}; allowed: {', '.join(names)}")
        if self.most > LARGEST:
            raise ValueError(f"a species has {self.most} stones; at most {LARGEST} are allowed")

    @cached_property
    def most(self) -> int:
        """The most stones of a critter."""
        return max(len(each.shape) for each in self.species)

    @cached_property
    def prey(self) -> tuple[int, ...]:
        """By species, the index of its prey, or NOTHING."""
        names = [each.name for each in self.species]
        return tuple(names.index(self.eats[n]) if n in self.eats else NOTHING for n in names)

    def predators(self, species: int) -> tuple[int, ...]:
        """Return the indices of the species that eat this one."""
        return tuple(n for n, prey in enumerate(self.prey) if prey == species)

    @cached_property
    def board(self) -> Board:
        return hexagon(self.side)

    @cached_property
    def tables(self) -> "Tables":
        return Tables(self)


class Tables:
    """Look-up tables of a web; cells are indices into the board's cells.

    `critters` has every critter by its mask. `low` masks the low three bits of all crowds; adding
    `lift` to these sets the fourth bit of a crowd of `most` stones or more.
    """

    def __init__(self, web: FoodWeb) -> None:
        self.web = web
        self.cells = cells = web.board.cells
        self.index = index = {cell: number for number, cell in enumerate(cells)}
        self.bit = tuple(1 << CELL_BITS * number for number in range(len(cells)))
        around = web.board.neighbours
        self.neighbours = tuple(tuple(index[near] for near in around[cell]) for cell in cells)
        self.near = tuple(sum(self.bit[n] for n in near) for near in self.neighbours)
        self.all_cells = sum(self.bit)
        self.low, self.lift = self.all_cells * 7, self.all_cells * (8 - web.most)
        self.critters = self._all_critters()

    def _all_critters(self) -> dict[int, Critter]:
        web = self.web
        axial = tuple(axial_cells(web.side).values())
        species_of = {
            normal_form(shape): n
            for n, each in enumerate(web.species)
            for shape in (each.shape, *each.others)
        }
        seen: dict[Shape, int] = {}
        table = {}
        masks = set(self.bit)
        for size in range(1, web.most + 1):
            for mask in masks:
                cells = tuple(cells_in(mask))
                q0, r0 = axial[cells[0]]
                # Normal forms are slow, so compute only one for all shifts of a shape.
                shifted = tuple((axial[c][0] - q0, axial[c][1] - r0) for c in cells)
                if shifted not in seen:
                    if (shape := normal_form(shifted)) not in species_of:
                        raise ValueError(f"shape {shape} is of no species; each must be of one")
                    seen[shifted] = species_of[shape]
                species = seen[shifted]
                border = self.around(mask) & ~mask
                table[mask] = Critter(
                    mask=mask,
                    size=size,
                    species=species,
                    prey=web.prey[species],
                    swarm=web.swarms.get(web.species[species].name, 1),
                    cells=cells,
                    border=border,
                    crowd=border * size,
                )
            masks = {
                mask | self.bit[cell] for mask in masks for cell in cells_in(table[mask].border)
            }
        return table

    def around(self, mask: int) -> int:
        """Return the mask of all neighbours of the cells of a mask, which may be among them."""
        return reduce(or_, (self.near[cell] for cell in cells_in(mask)), 0)

    def groups(self, mask: int) -> Iterator[int]:
        """Split a player's stones into connected groups of any size, as masks."""
        while mask:
            group = mask & -mask
            while (grown := group | self.around(group) & mask) != group:
                group = grown
            yield group
            mask &= ~group

    def names(self, mask: int) -> tuple[str, ...]:
        return tuple(sorted([self.cells[index] for index in cells_in(mask)]))


def cells_in(mask: int) -> list[int]:
    """List the cells of a mask, as indices into the board's cells, lowest first."""
    cells = []
    while mask:
        low = mask & -mask
        cells.append((low.bit_length() - 1) // CELL_BITS)
        mask ^= low
    return cells
