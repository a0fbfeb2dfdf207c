"""A position drawn in plain text.

Owns the drawing: a piece's code a piece, a dot an empty cell, brackets round the last move. Any
board can be drawn; one whose lines are rows of one letter has these letters at the left, and on
others the empty cells carry their names. What cannot be drawn is listed.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from game.app.words import words
from game.rules.board import Board
from game.rules.game import Game

_GAP = 3  # characters, from one text to the next of neighbours at the side
_LINES = {"hexagon": 2 / 3**0.5, "rectangle": 1.0}  # lines a unit; on others rows may be anywhere
_OTHER_LINES = 2.0
_STRETCHES = (1.0, 1.5, 2.0, 3.0)  # how much larger a drawing may become until nothing overlaps


def draw(game: Game[Any, Any], pieces: Mapping[str, str], marked: str = "") -> str:
    """Draw a position; `marked` is the cell of the last move."""
    board = game.board
    lines_a_unit = _LINES.get(board.shape, _OTHER_LINES)
    by_rows = _in_rows_of_one_letter(board, lines_a_unit)
    texts = {cell: pieces.get(cell, "." if by_rows else cell) for cell in board.cells}
    width = max(map(len, texts.values()))
    shown = {
        cell: f"{f'({text})' if cell == marked else text:^{width + 2}}"
        for cell, text in texts.items()
    }
    for stretch in _STRETCHES:
        placed = _placed(board, stretch * lines_a_unit, stretch * (width + _GAP))
        if not _overlap(placed, width + 2):
            letters = {line: cell[0] for cell, (line, _) in placed.items()} if by_rows else {}
            return "\n".join(_lines(placed, shown, letters))
    return "\n".join(f"{cell}  {shown[cell]}".rstrip() for cell in board.cells)


def legend(game: Game[Any, Any], pieces: Mapping[str, str], marked: str = "") -> str:
    """Say in English what each code of a drawing is, and its brackets."""
    speak = words("en")
    kinds = sorted(set(pieces.values()))
    signs = [f"{piece} = {speak.text(game.piece_word(piece))}" for piece in kinds]
    return ", ".join(signs + (["( ) = last move"] if marked else []))


def _in_rows_of_one_letter(board: Board, lines_a_unit: float) -> bool:
    letters: dict[int, set[str]] = {}
    for cell, (line, _) in _placed(board, lines_a_unit, 1.0).items():
        letters.setdefault(line, set()).add(cell[:1])
    return all(len(each) == 1 for each in letters.values())


def _placed(board: Board, lines_a_unit: float, columns_a_unit: float) -> dict[str, tuple[int, int]]:
    """Give each cell its line and its column."""
    left = min(x for x, _ in board.centres.values())
    top = min(y for _, y in board.centres.values())
    return {
        cell: (
            round((board.centres[cell][1] - top) * lines_a_unit),
            round((board.centres[cell][0] - left) * columns_a_unit),
        )
        for cell in board.cells
    }


def _overlap(placed: Mapping[str, tuple[int, int]], width: int) -> bool:
    """Tell whether two texts of a width would touch."""
    return any(
        line == other_line and other - at < width
        for (line, at), (other_line, other) in pairwise(sorted(placed.values()))
    )


def _lines(
    placed: Mapping[str, tuple[int, int]], shown: Mapping[str, str], letters: Mapping[int, str]
) -> Iterator[str]:
    lines: dict[int, list[str]] = {}
    for cell, (line, at) in placed.items():
        row = lines.setdefault(line, [])
        text = shown[cell]
        row += [" "] * (at + len(text) - len(row))
        row[at : at + len(text)] = text
    for line in range(max(lines) + 1):
        letter = letters.get(line, " ") if letters else ""
        yield f"{letter}  {''.join(lines.get(line, ''))}".rstrip()
