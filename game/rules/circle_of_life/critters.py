"""The circle of species and every critter that can stand on its board, worked out once.

Owns the twelve species and the table of the 2,382 critters, with what the rules ask about each.
A set of cells is an integer with four bits a cell (see `CELL_BITS`), of which a mask uses the
lowest; adding such numbers counts, for all cells at once, how many stones
stand in the critters around a cell.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from game.rules.base.message import Message, say
from game.rules.boards.hexagon import Axial, axial_cells, centre, hexagon, normal_form

SIDE = 5
MOST_STONES = 4
CELL_BITS = 4
"""A cell touches at most three critters of one colour, 12 stones: four bits hold the count."""

BOARD = hexagon(SIDE)


@dataclass(frozen=True, slots=True)
class Species:
    """One shape of critter: its names for programs and for players, and its stones."""

    name: str
    word: Message
    shape: tuple[Axial, ...]

    def words(self, critters: int) -> Message:
        return Message(self.word.key, {"count": critters})

    @property
    def centres(self) -> tuple[tuple[float, float], ...]:
        """The centres of its stones on paper, in units of the distance between neighbours."""
        return tuple(centre(at) for at in self.shape)


CIRCLE: tuple[Species, ...] = (
    Species("singleton", say("species.singleton"), ((0, 0),)),
    Species("pair", say("species.pair"), ((0, 0), (1, 0))),
    Species("bend", say("species.bend"), ((0, 0), (1, 0), (1, 1))),
    Species("line", say("species.line"), ((0, 0), (1, 0), (2, 0))),
    Species("triangle", say("species.triangle"), ((0, 0), (1, 0), (0, 1))),
    Species("key", say("species.key"), ((0, 0), (1, 0), (2, 0), (0, 1))),
    Species("sled", say("species.sled"), ((0, 0), (1, 0), (2, 0), (2, 1))),
    Species("arch", say("species.arch"), ((0, 0), (1, 0), (1, 1), (0, 2))),
    Species("snake", say("species.snake"), ((0, 0), (1, 0), (1, 1), (2, 1))),
    Species("diamond", say("species.diamond"), ((0, 0), (1, 0), (0, 1), (1, 1))),
    Species("propeller", say("species.propeller"), ((0, 0), (1, 0), (-1, 1), (0, -1))),
    Species("four-line", say("species.four_line"), ((0, 0), (1, 0), (2, 0), (3, 0))),
)
"""The twelve species in order: each eats the one before it, the first eats the last."""


def prey_of(species: int) -> int:
    """Return the index of the species that this one eats."""
    return (species - 1) % len(CIRCLE)


INDEX = {cell: index for index, cell in enumerate(BOARD.cells)}
BIT = tuple(1 << CELL_BITS * index for index in range(len(BOARD.cells)))
ALL_CELLS = sum(BIT)
NEIGHBOURS = tuple(tuple(INDEX[n] for n in BOARD.neighbours[cell]) for cell in BOARD.cells)
NEAR = tuple(sum(BIT[n] for n in around) for around in NEIGHBOURS)


def cells_in(mask: int) -> Iterator[int]:
    """Walk the cells of a mask, as indices into `BOARD.cells`, lowest first."""
    while mask:
        low = mask & -mask
        yield (low.bit_length() - 1) // CELL_BITS
        mask ^= low


@dataclass(frozen=True, slots=True, eq=False)
class Critter:
    """A group of 1 to 4 connected cells; there is one object for each, compared by identity.

    `border` are the cells around it, `crowd` its number of stones written into each border cell.
    """

    mask: int
    size: int
    species: int
    prey: int
    cells: tuple[int, ...]
    border: int
    border_cells: tuple[int, ...]
    crowd: int


def _grown(critters: Iterable[int]) -> set[int]:
    """Add to each mask one neighbouring cell, in every way."""
    larger: set[int] = set()
    for mask in critters:
        around = 0
        for cell in cells_in(mask):
            around |= NEAR[cell]
        larger.update(mask | BIT[cell] for cell in cells_in(around & ~mask))
    return larger


def _all_critters() -> dict[int, Critter]:
    axial = tuple(axial_cells(SIDE).values())
    species_of = {normal_form(species.shape): n for n, species in enumerate(CIRCLE)}
    seen: dict[tuple[Axial, ...], int] = {}
    table = {}
    masks = set(BIT)
    for size in range(1, MOST_STONES + 1):
        for mask in masks:
            cells = tuple(cells_in(mask))
            q0, r0 = axial[cells[0]]
            # Few shapes remain when shifts are taken out; their normal forms are costly.
            shifted = tuple((axial[c][0] - q0, axial[c][1] - r0) for c in cells)
            if shifted not in seen:
                seen[shifted] = species_of[normal_form(shifted)]
            border = 0
            for cell in cells:
                border |= NEAR[cell]
            border &= ~mask
            table[mask] = Critter(
                mask=mask,
                size=size,
                species=seen[shifted],
                prey=prey_of(seen[shifted]),
                cells=cells,
                border=border,
                border_cells=tuple(cells_in(border)),
                crowd=border * size,
            )
        masks = _grown(masks)
    return table


CRITTERS = _all_critters()
"""Every critter that can stand on the board, by its mask."""
