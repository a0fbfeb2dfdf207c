"""A second, deliberately naive Eat Your Neighbor, written from docs/eat-your-neighbor.md alone.

It owns nothing but plainness: sets of cells and flood fill, on the cells of its sisters. It must
not know `game`: the tests compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.oracles import naive_adaptoid, naive_circle
from tests.oracles.naive import Naive

LARGEST, SWARM, TARGET = 4, 3, 12
NEAR = {
    side: {cell: set(near) for cell, near in its.NEIGHBOURS.items()}
    for side, its in ((4, naive_adaptoid), (5, naive_circle))
}
"""The cells around each cell, on a hexagon of so many cells a side."""


@dataclass(frozen=True)
class NaiveNeighbor(Naive):
    """A position."""

    side: int = 4
    stones: dict[str, int] = field(default_factory=dict)
    to_move: int = 1
    score: tuple[int, int] = (0, 0)
    target: int = TARGET
    gone: tuple[str, ...] = ()

    def creatures(self, player: int) -> list[set[str]]:
        own = {cell for cell, owner in self.stones.items() if owner == player}
        return naive_circle.groups(own, NEAR[self.side])

    def legal(self) -> list[str]:
        return [] if max(self.score) >= self.target else self.open_cells()

    def open_cells(self) -> list[str]:
        mine = self.creatures(self.to_move)
        return sorted(
            cell
            for cell, near in NEAR[self.side].items()
            if cell not in self.stones
            and 1 + sum(len(each) for each in mine if each & near) <= LARGEST
        )

    def eaten_by(self, cell: str) -> set[str]:
        after = replace(self, stones={**self.stones, cell: self.to_move})
        mine = after.creatures(self.to_move)
        new = next(each for each in mine if cell in each)
        eaten: set[str] = set()
        for enemy in self.creatures(3 - self.to_move):
            around = set().union(*(NEAR[self.side][each] for each in enemy))
            if not new & around:
                continue
            if len(new) == 1:
                singles = [each for each in mine if len(each) == 1 and each & around]
                if len(enemy) == LARGEST and len(singles) >= SWARM:
                    eaten |= enemy
            elif len(enemy) == len(new) - 1:
                eaten |= enemy
        return eaten

    def play(self, cell: str) -> NaiveNeighbor:
        eaten = self.eaten_by(cell)
        stones = {**self.stones, cell: self.to_move}
        for gone in eaten:
            del stones[gone]
        score = list(self.score)
        score[self.to_move - 1] += len(eaten)
        return replace(
            self,
            stones=stones,
            to_move=3 - self.to_move,
            score=(score[0], score[1]),
            gone=tuple(eaten),
        )

    def codes(self) -> dict[str, str]:
        return {cell: str(player) for cell, player in self.stones.items()}

    @property
    def outcome(self) -> tuple[int, str] | None:
        one, two = self.score
        if max(one, two) >= self.target:
            return (1 if one >= self.target else 2), "stones eaten"
        if self.open_cells():
            return None
        if one == two:
            return 3 - self.to_move, "no legal placement"
        return (1 if one > two else 2), "no legal placement"
