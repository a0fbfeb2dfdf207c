"""Where hands can go: cells, clusters of them, and ways over the board.

Owns the random choice of places. Must not know what is done there.
"""

from dataclasses import dataclass

from game.table.scene import Cue
from tests.tools.soak.intended_move import IntendedMove, choose_through, entered
from tests.tools.soak.person import Person


@dataclass(frozen=True, slots=True)
class Target:
    """An empty cell on which a move can go on, the piece that it takes, and such a move."""

    cell: str
    piece: str
    move: IntendedMove


def empty_cells(person: Person) -> list[str]:
    """List the cells on which nothing stands."""
    return [cell for cell in person.view.game.board.cells if cell not in person.stones]


def neighbours(person: Person, cell: str) -> list[str]:
    """List the neighbours of a cell, sorted."""
    return sorted(person.view.game.board.neighbours[cell])


def target(person: Person) -> Target | None:
    """Draw an empty cell to play on; None where there is none."""
    view = person.view
    first = entered(view, person.intended)
    free = [c for c in view.lit(Cue.LEGAL) if c not in person.stones and c not in view.page]
    if not free or first is None:
        return None
    cell = person.rng.choice(free)
    move = choose_through(view, first, cell)
    return Target(cell, move.stands.get(cell) or view.piece(view.turn), move) if move else None


def cluster(person: Person, least: int, most: int) -> list[str]:
    """Draw cells that lie together, in the order in which a hand comes to them."""
    rng = person.rng
    cells = [rng.choice(person.view.game.board.cells)]
    size = rng.randint(least, most)
    while len(cells) < size:
        cell = rng.choice(neighbours(person, rng.choice(cells)))
        cells += [cell] if cell not in cells else []
    return cells


def path(person: Person, begin: str, steps: int, *, empty: bool) -> list[str]:
    """Draw a way from a cell over its neighbours, only over empty ones if `empty`."""
    cells = [begin]
    for _ in range(steps):
        ways = [
            cell
            for cell in neighbours(person, cells[-1])
            if cell not in cells and not (empty and cell in person.stones)
        ]
        if not ways:
            break
        cells.append(person.rng.choice(ways))
    return cells
