"""The search of Circle of Life: the `Search` interface on top of the fast tree.

Owns the conversion of positions and moves between the rules and the tree.
"""

from game.engine.circle.field import Field
from game.engine.circle.tables import LOST, WON, narrow
from game.engine.circle.tree import Tree
from game.engine.search import Choice, Search
from game.rules.circle_of_life import Position
from game.rules.circle_of_life.critters import BOARD


def fast_field(position: Position) -> Field:
    field = Field(position.target)
    for player, stones in enumerate(position.stones):
        critters = {each for each in position.critter_at if each and each.mask & stones}
        for critter in critters:
            if critter.mask & ~stones == 0:
                field.put(player, narrow(critter.mask))
        field.set_eaten(player, position.eaten[player])
    field.mover = position.mover
    return field


class CircleSearch(Search):
    """Search a position of Circle of Life; a node is one simulation."""

    def __init__(self, position: Position, seed: int, *, plain: bool = False) -> None:
        self._tree = Tree(fast_field(position), seed, not plain)

    @property
    def nodes(self) -> int:
        return self._tree.nodes

    @property
    def settled(self) -> bool:
        return self._tree.settled

    def go_on(self, nodes: int) -> None:
        if not self.settled:
            self._tree.go_on(nodes)

    def choices(self) -> tuple[Choice, ...]:
        """List all legal moves: wins first, then the most visited, losses last."""
        children = sorted(self._tree.children(), key=_rank)
        return tuple(self._choice(*child) for child in children)

    def _choice(self, node: int, cell: int, visits: int, score: float, proof: int) -> Choice:
        value = score / visits if visits else 0.5
        if proof:
            value = 1.0 if proof == WON else 0.0
        line = tuple(BOARD.cells[each] for each in (cell, *self._tree.line(node)))
        return Choice(BOARD.cells[cell], value, visits, line, decided=proof != 0)


def _rank(child: tuple[int, int, int, float, int]) -> tuple[int, int, float]:
    _, _, visits, score, proof = child
    return -proof if proof in (LOST, WON) else 0, -visits, -score
