"""Rectangles of squares, named as on a chessboard: column `A` is left, row `1` is at the bottom."""

from game.rules.boards.board import Board, clockwise

MOST_COLUMNS, MOST_ROWS = 26, 99

_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def rectangle(columns: int = 8, rows: int = 11) -> Board:
    """Build a board of squares, ordered by row from the bottom, and from the left in a row."""
    if not 2 <= columns <= MOST_COLUMNS:
        raise ValueError(f"columns is {columns}; a rectangle has 2 to {MOST_COLUMNS} columns")
    if not 2 <= rows <= MOST_ROWS:
        raise ValueError(f"rows is {rows}; a rectangle has 2 to {MOST_ROWS} rows")
    name_at = {(x, y): f"{chr(ord('A') + x)}{y + 1}" for y in range(rows) for x in range(columns)}
    neighbours = {
        name: tuple(name_at[x + dx, y + dy] for dx, dy in _STEPS if (x + dx, y + dy) in name_at)
        for (x, y), name in name_at.items()
    }
    left, bottom = (columns - 1) / 2, (rows - 1) / 2
    centres = {name: (x - left, bottom - y) for (x, y), name in name_at.items()}
    outer = {name: at for name, at in centres.items() if len(neighbours[name]) < len(_STEPS)}
    rim = clockwise(outer, name_at[0, rows - 1])
    return Board("rectangle", tuple(name_at.values()), neighbours, centres, rim)
