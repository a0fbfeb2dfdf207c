"""Positions in a food web, placements, and what they eat. Players are 0 and 1."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import MoveResult
from game.rules.food_web.ecosystem import Ecosystem, draw_cell, open_cells
from game.rules.food_web.web import Critter, Tables, cells_in

CODES = "12"


@dataclass(frozen=True, slots=True)
class Position:
    """Two masks of stones, the mover, and the score; the last three fields follow, but slowly."""

    mover: int
    stones: tuple[int, int]
    eaten: tuple[int, int]
    target: int
    critter_at: tuple[Critter | None, ...] = field(compare=False, repr=False)
    crowd: tuple[int, int] = field(compare=False, repr=False)
    tables: Tables = field(compare=False, repr=False)

    def ecosystem(self) -> Ecosystem:
        """Copy the position to a board that changes in place."""
        return Ecosystem(self.tables, self.stones, self.eaten, self.crowd, self.critter_at)

    @property
    def occupied(self) -> int:
        """The mask of the cells with a stone."""
        return self.stones[0] | self.stones[1]

    @property
    def open_cells(self) -> int:
        """The mask of the mover's legal placements; empty if a player has eaten enough."""
        if max(self.eaten) >= self.target:
            return 0
        return open_cells(self.tables, self.stones, self.crowd[self.mover])


def frozen(ecosystem: Ecosystem, mover: int, target: int) -> Position:
    """Copy a board back to a position."""
    stones, eaten, crowd = ecosystem.stones, ecosystem.eaten, ecosystem.crowd
    return Position(
        mover,
        (stones[0], stones[1]),
        (eaten[0], eaten[1]),
        target,
        tuple(ecosystem.critter_at),
        (crowd[0], crowd[1]),
        ecosystem.tables,
    )


def placed(position: Position, cell: str) -> tuple[Position, Critter, list[Critter]]:
    """Return the position after a legal placement, the resulting critter, and its prey."""
    ecosystem, index = position.ecosystem(), position.tables.index[cell]
    prey = ecosystem.place(position.mover, index)
    critter = ecosystem.critter_at[index]
    assert critter is not None
    return frozen(ecosystem, 1 - position.mover, position.target), critter, prey


class Placement(MoveResult[Position, str]):
    """A legal placement; the stone is placed once, and the result is cached."""

    @cached_property
    def _placed(self) -> tuple[Position, Critter, list[Critter]]:
        return placed(self.before, self.move)

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

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        put = Edit(EditKind.PUT, self.move, CODES[self.before.mover])
        return put, *(Edit(EditKind.REMOVE, cell) for cell in self.removed)


def edible(position: Position, player: int) -> int:
    """Return the mask of all enemy stones that a player could eat by one placement."""
    tables, ecosystem, eaten = position.tables, position.ecosystem(), 0
    for cell in cells_in(open_cells(tables, ecosystem.stones, ecosystem.crowd[player])):
        critter = tables.critters[ecosystem.joined(player, cell)[0]]
        if ecosystem.stones[1 - player] & critter.border:
            for other in ecosystem.prey_of(player, critter):
                eaten |= other.mask
    return eaten


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
