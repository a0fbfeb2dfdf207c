"""Whether cells of a board go round its middle clockwise."""

from game.rules.boards.board import Board


def clockwise(cells: tuple[str, ...], board: Board) -> bool:
    """Return whether each cell touches the next, turning right about the middle."""
    turns = []
    for one, other in zip(cells, cells[1:] + cells[:1], strict=True):
        (x1, y1), (x2, y2) = board.centres[one], board.centres[other]
        turns.append(other in board.neighbours[one] and x1 * y2 - y1 * x2 > 0)
    return all(turns)
