"""A position drawn in plain text: codes of pieces, dots, parentheses around the last move."""

from collections.abc import Mapping
from itertools import pairwise

from game.common import words
from game.rules.base.game import AnyGame

_GAP = 3  # characters between the texts of neighbouring cells
_LINES = {"hexagon": 2 / 3**0.5, "rectangle": 1.0}  # lines a unit, so that each row has one
_OTHER_LINES = 2.0
_STRETCHES = (1.0, 1.5, 2.0, 3.0)  # tried until no two cells overlap


def draw(game: AnyGame, pieces: Mapping[str, str], marked: str = "") -> str:
    """Draw a position; `marked` is the cell of the last move."""
    board = game.board
    lines_a_unit = _LINES.get(board.shape, _OTHER_LINES)
    left = min(x for x, _ in board.centres.values())
    top = min(y for _, y in board.centres.values())

    def placed(lines: float, columns: float) -> dict[str, tuple[int, int]]:
        return {
            cell: (round((y - top) * lines), round((x - left) * columns))
            for cell, (x, y) in board.centres.items()
        }

    letters: dict[int, set[str]] = {}
    for cell, (line, _) in placed(lines_a_unit, 1.0).items():
        letters.setdefault(line, set()).add(cell[0])
    by_rows = all(len(each) == 1 for each in letters.values())
    texts = {cell: pieces.get(cell, "." if by_rows else cell) for cell in board.cells}
    width = max(map(len, texts.values())) + 2
    for stretch in _STRETCHES:
        places = placed(stretch * lines_a_unit, stretch * (width - 2 + _GAP))
        if all(
            line != other_line or other - at >= width
            for (line, at), (other_line, other) in pairwise(sorted(places.values()))
        ):
            break
    rows: dict[int, str] = {}
    for cell, (line, at) in sorted(places.items(), key=lambda each: each[1]):
        shown = f"({texts[cell]})" if cell == marked else f"{texts[cell]:^{width}}"
        letter = cell[0] if by_rows else ""
        rows[line] = rows.get(line, f"{letter}  ").ljust(len(letter) + 2 + at) + shown
    return "\n".join(rows.get(line, "").rstrip() for line in range(max(rows) + 1))


def legend(game: AnyGame, pieces: Mapping[str, str], marked: str = "") -> str:
    """Explain in English the codes and the parentheses of a drawing."""
    speak = words("en")
    kinds = sorted(set(pieces.values()))
    signs = [f"{piece} = {speak.text(game.presentation.piece_word(piece))}" for piece in kinds]
    return ", ".join(signs + (["( ) = last move"] if marked else []))
