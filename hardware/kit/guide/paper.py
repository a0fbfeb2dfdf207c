"""Pictures of a guide on paper: how large each is drawn, on how many pages, with which words.

Owns the least size of letters, and what is done to reach it. Must not know how pages are set
(`pdf`), nor what a picture shows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

from hardware.kit.drawing import Box, Drawing, Label, Mark

A4_MM, LETTER_MM = (210.0, 297.0), (215.9, 279.4)
LEAST_PT = 5.0
"""The smallest letters that are read without a lens, also where A4 is printed on Letter."""
_POINT_MM = 25.4 / 72
_LEAST_MM = (
    LEAST_PT * _POINT_MM / min(letter / a4 for letter, a4 in zip(LETTER_MM, A4_MM, strict=True))
)

SHEET_SIDE_MM, SHEET_TOP_MM, SHEET_FOOT_MM = 10.0, 10.0, 18.0
"""The margins of a page that has but a picture."""
_CAPTION_MM = 16.0
_OVERLAP_MM = 12.0
"""What two parts of a picture have in common, so that each word is whole on one of them."""
# Rows and columns of parts, fewest first. Rows come before columns, for words lie along them.
_PARTS = ((1, 1), (2, 1), (1, 2), (2, 2))
_UP_DOWN, _LEFT_RIGHT = ("upper", "lower"), ("left", "right")


@dataclass(frozen=True, slots=True)
class Placed:
    """A drawing on a page: `scale` is its size on paper, and `part` says what of it this is.

    `bare` tells that words were left out which would be too small.
    """

    drawing: Drawing
    scale: float
    sideways: bool = False
    part: str = ""
    bare: bool = False


def overview(drawing: Drawing, width_mm: float, height_mm: float) -> Placed:
    """Fit a drawing into a place among text, without the words that would be too small there."""
    scale = _fit(drawing.box, width_mm, height_mm)
    marks = [mark for mark in drawing.marks if not _is_small(mark, scale)]
    kept = Drawing(drawing.title, drawing.box, marks)
    return Placed(kept, scale, bare=len(marks) < len(drawing.marks))


def sheets(drawing: Drawing) -> tuple[Placed, ...]:
    """Put a drawing on as few pages of its own as it takes to read its words, on four at most."""
    for rows, columns in _PARTS:
        upright, sideways = (_on_sheets(drawing, rows, columns, turn) for turn in (False, True))
        found = max(upright, sideways, key=lambda placed: placed[0].scale)
        if not any(_is_small(mark, found[0].scale) for mark in drawing.marks):
            break
    return found


def _on_sheets(drawing: Drawing, rows: int, columns: int, sideways: bool) -> tuple[Placed, ...]:
    width, height = reversed(A4_MM) if sideways else A4_MM
    parts = list(_parts(drawing, rows, columns))
    scale = _fit(
        parts[0][1].box,
        width - 2 * SHEET_SIDE_MM,
        height - SHEET_TOP_MM - SHEET_FOOT_MM - _CAPTION_MM,
    )
    return tuple(Placed(part, scale, sideways, name) for name, part in parts)


def _parts(drawing: Drawing, rows: int, columns: int) -> Iterator[tuple[str, Drawing]]:
    """Part a drawing into equal boxes that lie a little over each other."""
    box = drawing.box
    width = (box.width + _OVERLAP_MM * (columns - 1)) / columns
    height = (box.height + _OVERLAP_MM * (rows - 1)) / rows
    for row in range(rows):
        for column in range(columns):
            left = box.left + column * (width - _OVERLAP_MM)
            top = box.top - row * (height - _OVERLAP_MM)
            part = Box(left, top - height, left + width, top)
            marks = [mark for mark in drawing.marks if _reaches(mark, part)]
            yield _part_name(row, column, rows, columns), Drawing(drawing.title, part, marks)


def _part_name(row: int, column: int, rows: int, columns: int) -> str:
    sides = [*_UP_DOWN[row : row + 1]] if rows > 1 else []
    sides += [_LEFT_RIGHT[column]] if columns > 1 else []
    return f"{' '.join(sides)} {'quarter' if len(sides) > 1 else 'half'}" if sides else ""


def _reaches(mark: Mark, box: Box) -> bool:
    """Tell whether a mark may be seen in a box; only of words it is told that they may not."""
    if not isinstance(mark.shape, Label):
        return True
    label = mark.shape
    across = max(box.left - label.at.x, label.at.x - box.right, 0.0)
    along = max(box.bottom - label.at.y, label.at.y - box.top, 0.0)
    return hypot(across, along) < label.size_mm * max(len(label.text), 1)


def _fit(box: Box, width_mm: float, height_mm: float) -> float:
    return min(width_mm / box.width, height_mm / box.height)


def _is_small(mark: Mark, scale: float) -> bool:
    return isinstance(mark.shape, Label) and mark.shape.size_mm * scale < _LEAST_MM - 1e-9
