"""What is printed on a sheet beside its part of a drawing, and the map of all sheets.

Owns names, ruler, lines to cut along and registration crosses. Must not know files, nor what is
drawn. Millimetres from the lower left corner of the paper.

Right and lower sides with a neighbour are cut in the middle of the overlap; left and upper ones
come to lie underneath. Nothing is printed where the joined drawing is seen: lines are beyond the
cut, and crosses are on it where it has left the drawing, or is in what a row above covers.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hal.profile.geometry import Point
from hardware.kit.drawing import Anchor, Area, Box, Circle, Drawing, Label, Path, Style
from hardware.kit.files.sheets import FOOT_MM, MARGIN_MM, SEAM_MM, Paper, Sheet
from hardware.kit.plates.lettering import corners

RULER_MM = 100.0
JOINING = (
    "3. Only right and lower sides are cut, along the dashed blue lines; left and upper sides keep",
    "    their margin, which comes to lie underneath.",
    "4. Cut the right sides. Lay each sheet on its right neighbour so that the blue crosses are"
    " whole again,",
    "    and tape them. So you get rows.",
    "5. Then cut the lower sides of the rows, lay each row on the next in the same way, and tape"
    " them.",
    "6. Measure the whole once more. No mark for joining is left on it within the edge of the"
    " drawing.",
)
"""How sheets are joined, as the map says it."""

_INK = Style("sheet", stroke="#000000", width_mm=0.2)
_CROSS = Style("sheet", stroke="#0060c0", width_mm=0.15)
_SEAM = Style("sheet", stroke="#0060c0", width_mm=0.2, dashed=True)
_TEXT = Style("sheet", stroke=None, fill="#000000")
_QUIET = Style("sheet", stroke=None, fill="#505050")
_PAPER = Style("sheet", stroke="#0060c0", width_mm=0.3)
_MAP_SEAM = Style("sheet", stroke="#0060c0", width_mm=0.3, dashed=True)
_NAME = Style("sheet", stroke=None, fill="#0060c0")
_PLATE = Style("sheet", stroke=None, fill="#ffffff")

_CROSS_MM = 4.0
# From the edge of what is seen to the middle of a cross, so that the edge keeps clear of it. It
# takes 4.5 mm of the paper's margin; printers leave white 5 mm at most.
_AWAY_MM = 2.5
# Between the cut and the line that shows it, which goes off with the strip beyond.
_CLEAR_MM = 0.1
_STRIP_MM = 2.6
# About what a letter of the font takes, as a part of its size.
_LETTER = 0.62
_HEAD_MM = 71.0


@dataclass(frozen=True, slots=True)
class Map:
    """A page with a map: where on it the drawing is, and how small; the marks are above it."""

    marks: Drawing
    at: Point
    scale: float


def paper_box(sheet: Sheet, paper: Paper) -> Box:
    """Give the paper of a sheet, the way round that it is printed."""
    if sheet.lies:
        return Box(0.0, 0.0, paper.height_mm, paper.width_mm)
    return Box(0.0, 0.0, paper.width_mm, paper.height_mm)


def part_box(sheet: Sheet) -> Box:
    """Give where on the paper of a sheet its part of the drawing is."""
    bottom = MARGIN_MM + FOOT_MM
    return Box(MARGIN_MM, bottom, MARGIN_MM + sheet.box.width, bottom + sheet.box.height)


def marks(title: str, sheet: Sheet, sheets: tuple[Sheet, ...], paper: Paper) -> Drawing:
    """Draw what is printed beside and above the part on a sheet: its name, a ruler, crosses."""
    page = Drawing(title, paper_box(sheet, paper))
    seen = _on_page(sheet.cut(sheets), sheet)
    _add_seams(page, sheet, sheets, seen)
    around = seen.grown(_AWAY_MM)
    for x, columns in ((seen.left, -1), (seen.right, 1)):
        if sheet.beside(sheets, columns=columns):
            _add_crosses(page, Point(x, around.bottom), Point(x, around.top))
    for y, rows in ((seen.bottom, 1), (seen.top, -1)):
        if sheet.beside(sheets, rows=rows):
            ends = ((around.left, -1), (around.right, 1))
            _add_crosses(
                page, *(Point(x, y) for x, by in ends if not sheet.beside(sheets, columns=by))
            )
    of = "is the only sheet of" if len(sheets) == 1 else f"of {len(sheets)} sheets:"
    _add_foot(page, f"Sheet {sheet.name}", f"{of} {title}")
    return page


def map_of(drawing: Drawing, sheets: tuple[Sheet, ...], paper: Paper) -> Map:
    """Draw the first page: the sheets over the drawing in small, and how they are put together."""
    page = Drawing(drawing.title, paper_box(sheets[0], paper))
    room = page.box.grown(-MARGIN_MM)
    _add_line(page, Point(room.left, room.top - 7), drawing.title, 6.0, room.width, bold=True)
    lines = tuple(_how(drawing.box, sheets, paper))
    # The longest says how large all are.
    size = min(_fitting(line, 3.4, room.width) for line in lines)
    for number, line in enumerate(lines):
        at = Point(room.left, room.top - 15 - 5.5 * number)
        page.add(_TEXT, Label(line, at, size, Anchor.START))
    all_sheets = Box.around(corner for sheet in sheets for corner in sheet.box.corners)
    place = Box(room.left, room.bottom + FOOT_MM + 6, room.right, room.top - _HEAD_MM)
    scale = min(place.width / all_sheets.width, place.height / all_sheets.height, 0.5)
    left = (place.left + place.right - all_sheets.width * scale) / 2
    bottom = place.top - all_sheets.height * scale

    def moved(at: Point) -> Point:
        return Point(
            left + (at.x - all_sheets.left) * scale, bottom + (at.y - all_sheets.bottom) * scale
        )

    for sheet in sheets:
        seen = Box.around(moved(at) for at in sheet.cut(sheets).corners)
        size = min(8.0, seen.height / 3)
        middle = Point((seen.left + seen.right) / 2, (seen.bottom + seen.top) / 2)
        lower_left, lower_right, upper_right, upper_left = seen.corners
        sides = (
            (1, 0, lower_right, upper_right),
            (0, 1, lower_left, lower_right),
            (-1, 0, lower_left, upper_left),
            (0, -1, upper_left, upper_right),
        )
        for columns, rows, start, end in sides:
            if sheet.beside(sheets, rows=rows, columns=columns) is None:
                page.add(_PAPER, Path((start, end)))
            elif columns + rows > 0:
                page.add(_MAP_SEAM, Path((start, end)))
        page.add(_PLATE, Circle(middle, size * 2.2))
        page.add(_NAME, Label(sheet.name, middle.moved(y=-size * 0.36), size, bold=True))
    _add_foot(page, "Map", f"of {_count(len(sheets))}: {drawing.title}")
    return Map(page, moved(Point(drawing.box.left, drawing.box.bottom)), scale)


def _count(sheets: int) -> str:
    return "1 sheet" if sheets == 1 else f"{sheets} sheets"


def _how(box: Box, sheets: tuple[Sheet, ...], paper: Paper) -> Iterator[str]:
    yield (
        f"{box.width:g} x {box.height:g} mm in true size, on {_count(len(sheets))} of"
        f" {paper.label}."
    )
    yield "1. Print all pages on one side at 100 % (actual size), no scaling, no fitting to pages."
    yield "2. Measure the line below: it must be 100 mm long, on this page and on each sheet."
    if len(sheets) > 1:
        yield from JOINING


def _on_page(box: Box, sheet: Sheet) -> Box:
    """Give where on the paper of a sheet a box of the drawing is."""
    part = part_box(sheet)
    x, y = part.left - sheet.box.left, part.bottom - sheet.box.bottom
    return Box(box.left + x, box.bottom + y, box.right + x, box.top + y)


def _add_seams(page: Drawing, sheet: Sheet, sheets: tuple[Sheet, ...], seen: Box) -> None:
    """Draw where the sheet is cut, and say what it lies on and what comes to lie on it."""
    part = part_box(sheet)
    middle = Point((seen.left + seen.right) / 2, (seen.bottom + seen.top) / 2)
    beyond = _SEAM.width_mm / 2 + _CLEAR_MM
    right, below = sheet.beside(sheets, columns=1), sheet.beside(sheets, rows=1)
    left, above = sheet.beside(sheets, columns=-1), sheet.beside(sheets, rows=-1)
    half = SEAM_MM / 2
    if right is not None:
        x = seen.right + beyond
        page.add(_SEAM, Path((Point(x, part.bottom), Point(x, part.top))))
        _add_name(page, f"cut, lies on sheet {right.name}", Point(seen.right + half, middle.y), 90)
    if below is not None:
        y = seen.bottom - beyond
        page.add(_SEAM, Path((Point(part.left, y), Point(part.right, y))))
        _add_name(page, f"cut, lies on sheet {below.name}", Point(middle.x, seen.bottom - half), 0)
    if left is not None:
        _add_name(page, f"under sheet {left.name}", Point(seen.left - half, middle.y), 90)
    if above is not None:
        _add_name(page, f"under sheet {above.name}", Point(middle.x, seen.top + half), 0)


def _add_name(page: Drawing, text: str, middle: Point, turn_deg: float) -> None:
    """Write in a strip that is not seen later, on white."""
    down = 0.36 * _STRIP_MM
    at = middle.moved(x=down) if turn_deg else middle.moved(y=-down)
    label = Label(text, at, _STRIP_MM, turn_deg=turn_deg)
    page.add(_PLATE, Area(corners(label)))
    page.add(_NAME, label)


def _add_crosses(page: Drawing, *places: Point) -> None:
    for at in places:
        _add_cross(page, at)


def _add_cross(page: Drawing, at: Point) -> None:
    half = _CROSS_MM / 2
    page.add(
        _CROSS,
        Path((at.moved(x=-half), at.moved(x=half))),
        Path((at.moved(y=-half), at.moved(y=half))),
        Circle(at, half),
    )


def _add_foot(page: Drawing, name: str, rest: str) -> None:
    left, bottom = MARGIN_MM, MARGIN_MM
    at = Point(left, bottom + 5.0)
    page.add(_TEXT, Label(name, at, 5.0, Anchor.START, bold=True))
    indent = 5.0 * _LETTER * len(name) + 4.0
    _add_line(page, at.moved(x=indent), rest, 3.4, page.box.width - 2 * left - indent)
    page.add(_INK, Path((Point(left, bottom + 0.5), Point(left + RULER_MM, bottom + 0.5))))
    for mm in range(0, int(RULER_MM) + 1, 5):
        high = 3.5 if mm in (0, RULER_MM) else 2.0 if mm % 10 == 0 else 1.0
        x = left + mm
        page.add(_INK, Path((Point(x, bottom + 0.5), Point(x, bottom + 0.5 + high))))
    at = Point(left + RULER_MM + 3, bottom + 0.5)
    page.add(_TEXT, Label("100 mm", at, 3.4, Anchor.START, bold=True))
    page.add(_QUIET, Label("print at 100 %, no scaling", at.moved(x=18), 3.4, Anchor.START))


def _add_line(
    page: Drawing, at: Point, text: str, size: float, most: float, *, bold: bool = False
) -> None:
    page.add(_TEXT, Label(text, at, _fitting(text, size, most), Anchor.START, bold=bold))


def _fitting(text: str, size: float, most: float) -> float:
    """Give the size of a font, or a smaller one in which a text is not longer than that."""
    return min(size, most / (_LETTER * max(len(text), 1)))
