"""Where hands can go: cells, clusters of them, and ways over the board.

Owns the drawing of places. Must not know what is done there.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from game.app.soak.actor import Actor
from game.app.soak.sight import Sight
from game.app.soak.wish import Wish, entered, through
from game.table.scene import Cue


@dataclass(frozen=True, slots=True)
class Target:
    """An empty cell on which a move can go on, the piece that it takes, and such a move."""

    cell: str
    piece: str
    wish: Wish


class Ground:
    """Draw places for an actor's hands."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        self.rng = actor.rng

    @property
    def stones(self) -> Mapping[str, str]:
        """Give what stands where."""
        return self.actor.fingers.desk.stones

    def empty(self, sight: Sight) -> list[str]:
        """List the cells on which nothing stands."""
        return [cell for cell in sight.game.board.cells if cell not in self.stones]

    def beside(self, sight: Sight, cell: str) -> list[str]:
        """List the neighbours of a cell."""
        return sorted(sight.game.board.neighbours[cell])

    def target(self, sight: Sight) -> Target | None:
        """Draw an empty cell to play on; None where there is none."""
        first = entered(sight, self.actor.wish)
        free = [
            cell
            for cell in sight.lit(Cue.LEGAL)
            if cell not in self.stones and cell not in sight.page
        ]
        if not free or first is None:
            return None
        cell = self.rng.choice(free)
        wish = through(sight, first, cell)
        if wish is None:
            return None
        return Target(cell, wish.stands.get(cell) or sight.piece(sight.turn), wish)

    def cluster(self, sight: Sight, least: int, most: int) -> list[str]:
        """Draw cells that lie together, in the order in which a hand would come to them."""
        cells = [self.rng.choice(sight.game.board.cells)]
        size = self.rng.randint(least, most)
        while len(cells) < size:
            beside = self.beside(sight, self.rng.choice(cells))
            cells += [cell for cell in [self.rng.choice(beside)] if cell not in cells]
        return cells

    def path(self, sight: Sight, begin: str, steps: int, *, empty: bool) -> list[str]:
        """Draw a way from a cell over its neighbours, over empty ones only if asked for."""
        path = [begin]
        for _ in range(steps):
            ways = [
                cell
                for cell in self.beside(sight, path[-1])
                if cell not in path and not (empty and cell in self.stones)
            ]
            if not ways:
                break
            path.append(self.rng.choice(ways))
        return path
