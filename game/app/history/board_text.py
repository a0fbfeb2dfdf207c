"""A position drawn in plain text.

Owns the drawing: a letter or digit a piece, a dot an empty cell, brackets round the last move. Any
board can be drawn; one whose lines are rows of one letter has these letters at the left, and on
others the empty cells carry their names.
"""

from collections.abc import Mapping
from typing import Any

from game.app.words import words
from game.rules.board import Board
from game.rules.game import Game

_STEP = 4  # characters from a cell to its neighbour at the side
_LINES = {"hexagon": 2 / 3**0.5, "rectangle": 1.0}  # lines a unit; on others rows may be anywhere
_OTHER_LINES = 2.0


def draw(game: Game[Any, Any], pieces: Mapping[str, str], marked: str = "") -> str:
    """Draw a position, and say what the pieces are; `marked` is the cell of the last move."""
    board = game.board
    by_rows = len({(_line(board, cell), cell[:1]) for cell in board.cells}) == len(
        {_line(board, cell) for cell in board.cells}
    )
    left = min(x for x, _ in board.centres.values())
    lines: dict[int, list[str]] = {}
    for cell in board.cells:
        empty = "." if by_rows else cell
        text = pieces.get(cell, empty)
        text = f"({text})" if cell == marked else f" {text} "
        at = round((board.centres[cell][0] - left) * _STEP)
        row = lines.setdefault(_line(board, cell), [])
        row += [" "] * (at + len(text) - len(row))
        row[at : at + len(text)] = text
    drawn = []
    for line in range(max(lines) + 1):
        letter = _letter(board, line) if by_rows else ""
        drawn.append(f"{letter}  {''.join(lines.get(line, ''))}".rstrip())
    return "\n".join(drawn)


def legend(game: Game[Any, Any], pieces: Mapping[str, str], marked: str = "") -> str:
    """Say in English what each letter or digit of a drawing is, and its brackets."""
    speak = words("en")
    kinds = sorted(set(pieces.values()))
    signs = [f"{piece} = {speak.text(game.piece_word(piece))}" for piece in kinds]
    return ", ".join(signs + (["( ) = last move"] if marked else []))


def _line(board: Board, cell: str) -> int:
    top = min(y for _, y in board.centres.values())
    return round((board.centres[cell][1] - top) * _LINES.get(board.shape, _OTHER_LINES))


def _letter(board: Board, line: int) -> str:
    return next((cell[0] for cell in board.cells if _line(board, cell) == line), " ")
