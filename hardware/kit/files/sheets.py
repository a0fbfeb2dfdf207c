"""Sheets of paper that together show a drawing in its true size.

Owns paper sizes and what of a drawing is on which sheet. Must not know what is drawn, nor files.
"""

from dataclasses import dataclass
from enum import Enum
from math import ceil

from hal.profile.geometry import Point
from hardware.kit.drawing import Box, check_size
from hardware.kit.errors import KitError

MARGIN_MM = 10.0
"""What printers leave white around a sheet, and more."""
OVERLAP_MM = 10.0
"""How much of a drawing two neighbouring sheets have in common."""
FOOT_MM = 14.0
"""What is below a part, within the margin: its name and the ruler."""
SEAM_MM = OVERLAP_MM / 2
"""How far within the overlap two sheets are joined: there the one above is cut."""
MOST_SHEETS = 200

_TINY_MM = 1e-6


class Paper(Enum):
    """A size of paper: what it is called, and its sides in mm."""

    A4 = ("A4", 210.0, 297.0)
    LETTER = ("Letter", 215.9, 279.4)

    @property
    def label(self) -> str:
        """Give what the size is called."""
        return self.value[0]

    @property
    def width_mm(self) -> float:
        """Give the shorter side."""
        return self.value[1]

    @property
    def height_mm(self) -> float:
        """Give the longer side."""
        return self.value[2]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: its row from the top, its column from the left, and what of the drawing it shows."""

    row: int
    column: int
    box: Box

    @property
    def name(self) -> str:
        """Give its name: "2-3" is the third of the second row, since "B3" can be a cell's name."""
        return f"{self.row + 1}-{self.column + 1}"

    @property
    def lies(self) -> bool:
        """Tell whether the paper lies, its longer side below."""
        return self.box.width > self.box.height

    def cut(self, sheets: tuple["Sheet", ...]) -> Box:
        """Give what is seen of it where sheets are joined: it ends at the middle of overlaps."""
        box = self.box
        left, right = (SEAM_MM if self.beside(sheets, columns=by) else 0.0 for by in (-1, 1))
        top, bottom = (SEAM_MM if self.beside(sheets, rows=by) else 0.0 for by in (-1, 1))
        return Box(box.left + left, box.bottom + bottom, box.right - right, box.top - top)

    def beside(
        self, sheets: tuple["Sheet", ...], rows: int = 0, columns: int = 0
    ) -> "Sheet | None":
        """Give the one of the sheets that is this many rows below it and columns to its right."""
        place = (self.row + rows, self.column + columns)
        return next((each for each in sheets if (each.row, each.column) == place), None)


def sheets_of(box: Box, paper: Paper) -> tuple[Sheet, ...]:
    """List the sheets that show a box in its true size, row by row from the upper left.

    The paper stands or lies, whichever takes fewer sheets. Neighbours have OVERLAP_MM in common,
    and what is left over is white, the same on either side. Raises KitError for an empty box, and
    for more than MOST_SHEETS.
    """
    check_size(box, "the drawing")
    stands = _part(paper.width_mm, paper.height_mm)
    lies = _part(paper.height_mm, paper.width_mm)
    width, height = min((stands, lies), key=lambda part: _count(box, part))
    columns, rows = _columns_and_rows(box, (width, height))
    if columns * rows > MOST_SHEETS:
        raise KitError(
            f"a drawing of {box.width:g} x {box.height:g} mm is {columns * rows} sheets of"
            f" {paper.label}: allowed are {MOST_SHEETS}"
        )
    left = (box.left + box.right - _extent(columns, width)) / 2
    top = (box.bottom + box.top + _extent(rows, height)) / 2
    return tuple(
        Sheet(row, column, Box(at.x, at.y - height, at.x + width, at.y))
        for row in range(rows)
        for column in range(columns)
        for at in [Point(left + column * (width - OVERLAP_MM), top - row * (height - OVERLAP_MM))]
    )


def _part(width_mm: float, height_mm: float) -> tuple[float, float]:
    return width_mm - 2 * MARGIN_MM, height_mm - 2 * MARGIN_MM - FOOT_MM


def _count(box: Box, part: tuple[float, float]) -> int:
    columns, rows = _columns_and_rows(box, part)
    return columns * rows


def _columns_and_rows(box: Box, part: tuple[float, float]) -> tuple[int, int]:
    width, height = part
    return _needed(box.width, width), _needed(box.height, height)


def _needed(length: float, sheet: float) -> int:
    return max(1, ceil((length - OVERLAP_MM - _TINY_MM) / (sheet - OVERLAP_MM)))


def _extent(count: int, sheet: float) -> float:
    return count * (sheet - OVERLAP_MM) + OVERLAP_MM
