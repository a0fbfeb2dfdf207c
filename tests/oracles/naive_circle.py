"""A second, deliberately naive Circle of Life, written from the rules document alone.

It owns nothing but plainness: sets of cells, flood fill, and shapes compared by trying every
rotation and reflection. It must not know `game`: the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from tests.oracles.naive import Naive

ROW_LENGTHS = {"a": 5, "b": 6, "c": 7, "d": 8, "e": 9, "f": 8, "g": 7, "h": 6, "i": 5}
LARGEST = 4

# The table of the rules document; species that it only describes are drawn from the words.
SHAPES = {
    "singleton": "0,0",
    "pair": "0,0 1,0",
    "bend": "0,0 1,0 1,1",
    "line": "0,0 1,0 2,0",
    "triangle": "0,0 1,0 0,1",
    "key": "0,0 1,0 2,0 0,1",
    "sled": "0,0 1,0 2,0 2,1",
    "arch": "0,0 1,0 1,1 0,2",
    "snake": "0,0 1,0 1,1 2,1",
    "diamond": "0,0 1,0 0,1 -1,1",
    "propeller": "0,0 1,0 -1,1 0,-1",
    "four-line": "0,0 1,0 2,0 3,0",
}
EATS = {
    "singleton": "four-line",
    "pair": "singleton",
    "bend": "pair",
    "line": "bend",
    "triangle": "line",
    "key": "triangle",
    "sled": "key",
    "arch": "sled",
    "snake": "arch",
    "diamond": "snake",
    "propeller": "diamond",
    "four-line": "propeller",
}


CELLS = [f"{row}{k}" for row, length in ROW_LENGTHS.items() for k in range(1, length + 1)]


def place_of(cell: str) -> tuple[int, int]:
    """Return a cell's axial q and r; rows are r, and a row is centred under its neighbours."""
    row = "abcdefghi".index(cell[0])
    # Centred rows: in half cells from the middle, the first of n cells lies at -(n - 1).
    half_cells = 2 * (int(cell[1:]) - 1) - (ROW_LENGTHS[cell[0]] - 1)
    return (half_cells - (row - 4)) // 2, row - 4


def touching(one: str, other: str) -> bool:
    (q1, r1), (q2, r2) = place_of(one), place_of(other)
    return (q2 - q1, r2 - r1) in {(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)}


NEIGHBOURS = {cell: {other for other in CELLS if touching(cell, other)} for cell in CELLS}


def bga_name(cell: str) -> str:
    """Translate into the names of Board Game Arena: rows from the top, skewed columns."""
    from_top = "ihgfedcba".index(cell[0])
    return f"{'ABCDEFGHI'[from_top]}{int(cell[1:]) - 1 + max(0, from_top - 4)}"


def normal(shape: set[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    q0, r0 = min(shape)
    return frozenset((q - q0, r - r0) for q, r in shape)


def all_attitudes(shape: set[tuple[int, int]]) -> Iterator[frozenset[tuple[int, int]]]:
    for mirrored in (shape, {(r, q) for q, r in shape}):
        turned = mirrored
        for _ in range(6):
            turned = {(-r, q + r) for q, r in turned}
            yield normal(turned)


def drawn(text: str) -> set[tuple[int, int]]:
    return {(int(q), int(r)) for q, r in (place.split(",") for place in text.split())}


def species_of(critter: set[str]) -> str:
    return species_of_shape(normal({place_of(cell) for cell in critter}))


@cache
def species_of_shape(shape: frozenset[tuple[int, int]]) -> str:
    """Try every attitude of every species; remembered only because games repeat shapes."""
    names = [name for name, text in SHAPES.items() if shape in set(all_attitudes(drawn(text)))]
    if len(names) != 1:
        raise ValueError(f"shape {sorted(shape)} is of species {names}, wanted exactly one")
    return names[0]


def critter_at(stones: dict[str, int], cell: str) -> set[str]:
    found = {cell}
    edge = [cell]
    while edge:
        for near in NEIGHBOURS[edge.pop()]:
            if near not in found and stones.get(near) == stones[cell]:
                found.add(near)
                edge.append(near)
    return found


def groups(cells: set[str], near: dict[str, set[str]]) -> list[set[str]]:
    left, found = set(cells), []
    while left:
        edge = [left.pop()]
        group = set(edge)
        while edge:
            new = near[edge.pop()] & left
            left, group = left - new, group | new
            edge += new
        found.append(group)
    return found


@dataclass(frozen=True)
class NaivePosition(Naive):
    """A position."""

    stones: dict[str, int] = field(default_factory=dict)
    to_move: int = 1
    score: tuple[int, int] = (0, 0)
    target: int = 20
    gone: tuple[str, ...] = ()

    def legal(self) -> list[str]:
        if max(self.score) >= self.target:
            return []
        return sorted(cell for cell in CELLS if self.is_legal(cell))

    def is_legal(self, cell: str) -> bool:
        if cell in self.stones:
            return False
        return len(critter_at({**self.stones, cell: self.to_move}, cell)) <= LARGEST

    def eaten_by(self, cell: str) -> set[str]:
        stones = {**self.stones, cell: self.to_move}
        critter = critter_at(stones, cell)
        prey = EATS[species_of(critter)]
        eaten: set[str] = set()
        for near in {near for part in critter for near in NEIGHBOURS[part]}:
            if stones.get(near) == 3 - self.to_move:
                enemy = critter_at(stones, near)
                if species_of(enemy) == prey:
                    eaten |= enemy
        return eaten

    def play(self, cell: str) -> NaivePosition:
        eaten = self.eaten_by(cell)
        stones = {**self.stones, cell: self.to_move}
        for each in eaten:
            del stones[each]
        first, second = self.score
        score = (first + len(eaten), second) if self.to_move == 1 else (first, second + len(eaten))
        gone = tuple(eaten)
        return replace(self, stones=stones, to_move=3 - self.to_move, score=score, gone=gone)

    @property
    def outcome(self) -> tuple[int, str] | None:
        for player in (1, 2):
            if self.score[player - 1] >= self.target:
                return player, "stones eaten"
        if any(self.is_legal(cell) for cell in CELLS):
            return None
        return self.to_move, "no legal placement"

    def codes(self) -> dict[str, str]:
        return {cell: str(player) for cell, player in self.stones.items()}


def all_critters() -> set[frozenset[str]]:
    found = {frozenset({cell}) for cell in CELLS}
    newest = found
    for _ in range(LARGEST - 1):
        newest = {
            group | {near}
            for group in newest
            for cell in group
            for near in NEIGHBOURS[cell] - group
        }
        found = found | newest
    return found
