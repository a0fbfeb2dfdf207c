"""Drawings as PDF: on a page of their own size, on sheets of paper, or on someone's canvas.

Owns how each shape is written in PDF, by reportlab, and the fonts, which are embedded. Must not
know what is drawn.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.fonts import addMapping
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import getFont, registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas

from hal.profile.geometry import Point
from hardware.kit.drawing import (
    DASH_MM,
    Anchor,
    Arc,
    Area,
    Box,
    Circle,
    Drawing,
    Label,
    Mark,
    Path,
    Points,
    Shape,
    Style,
)
from hardware.kit.errors import KitError
from hardware.kit.files.sheet_marks import map_of, marks, paper_box, part_box
from hardware.kit.files.sheets import Paper, sheets_of

FONT = "Vera"
BOLD = "Vera-Bold"

_FILES = {FONT: "Vera.ttf", BOLD: "VeraBd.ttf"}
_ORIGIN = Point(0.0, 0.0)
_ROUND_JOIN = 1
_FORM = "drawing"


def to_pdf(drawing: Drawing) -> bytes:
    """Write a drawing as PDF, on one page of its own size."""
    drawing.check()
    stream = BytesIO()
    canvas = new_canvas(stream, drawing.title, drawing.box.width, drawing.box.height)
    draw(canvas, drawing)
    canvas.showPage()
    canvas.save()
    return stream.getvalue()


def to_sheets(drawing: Drawing, paper: Paper) -> bytes:
    """Write a drawing in its true size on sheets of paper, after a page with a map of them."""
    drawing.check()
    sheets = sheets_of(drawing.box, paper)
    page = paper_box(sheets[0], paper)
    stream = BytesIO()
    canvas = new_canvas(stream, drawing.title, page.width, page.height)
    # All pages show the same drawing, which is in the file once.
    _begin_form(canvas, drawing)

    def form() -> None:
        canvas.doForm(_FORM)

    overview = map_of(drawing, sheets, paper)
    with _placed(canvas, drawing.box, overview.at, overview.scale):
        form()
    _end_page(canvas, "Map", overview.marks)
    for sheet in sheets:
        part = part_box(sheet)
        with _placed(canvas, sheet.box, Point(part.left, part.bottom)):
            form()
        _end_page(canvas, sheet.name, marks(drawing.title, sheet, sheets, paper))
    canvas.save()
    return stream.getvalue()


def draw(
    canvas: Any,
    drawing: Drawing,
    at: Point = _ORIGIN,
    scale: float = 1.0,
) -> None:
    """Draw on a canvas of reportlab, cut off at the drawing's box.

    `at` is where the lower left corner of the box comes to be, in mm from the canvas' origin, and
    a `scale` of 0.5 draws it half as large. The canvas is left as it was.
    """
    drawing.check()
    with _placed(canvas, drawing.box, at, scale):
        _draw_marks(canvas, drawing.marks)


def new_canvas(stream: BytesIO, title: str, width_mm: float, height_mm: float) -> Any:
    """Start a PDF that has the same bytes each time, and that viewers print unscaled."""
    register_fonts()
    canvas = Canvas(
        stream,
        pagesize=(width_mm * mm, height_mm * mm),
        invariant=1,
        pageCompression=1,
        initialFontName=FONT,
    )
    canvas.setTitle(title)
    canvas.setAuthor("lifeboard")
    canvas.setSubject("")
    canvas.setViewerPreference("PrintScaling", "None")
    return canvas


@cache
def register_fonts() -> None:
    """Make FONT and BOLD known to reportlab, as one family, so that its paragraphs find them."""
    for name, file in _FILES.items():
        registerFont(TTFont(name, file))
    for italic in (0, 1):
        addMapping(FONT, 0, italic, FONT)
        addMapping(FONT, 1, italic, BOLD)


def check_text(text: str, *, bold: bool = False) -> None:
    """Raise KitError for a text with characters that the font lacks, and name them."""
    register_fonts()
    glyphs = getFont(BOLD if bold else FONT).face.charToGlyph
    missing = "".join(sorted({letter for letter in text if not glyphs.get(ord(letter))}))
    if missing:
        raise KitError(
            f'the text "{text}" has "{missing}": allowed are characters of Bitstream Vera, which'
            " has those of western Europe"
        )


def _begin_form(canvas: Any, drawing: Drawing) -> None:
    box = drawing.box
    canvas.beginForm(_FORM, box.left, box.bottom, box.right, box.top)
    _draw_marks(canvas, drawing.marks)
    canvas.endForm()


def _end_page(canvas: Any, name: str, over: Drawing) -> None:
    draw(canvas, over)
    canvas.bookmarkPage(name)
    canvas.addOutlineEntry(name, name)
    canvas.showPage()


@contextmanager
def _placed(canvas: Any, box: Box, at: Point, scale: float = 1.0) -> Iterator[None]:
    """Let millimetres of a drawing be the canvas' units, with a box of it at a place."""
    canvas.saveState()
    canvas.translate(at.x * mm, at.y * mm)
    canvas.scale(scale * mm, scale * mm)
    canvas.translate(-box.left, -box.bottom)
    window = canvas.beginPath()
    window.rect(box.left, box.bottom, box.width, box.height)
    canvas.clipPath(window, stroke=0, fill=0)
    yield
    canvas.restoreState()


def _draw_marks(canvas: Any, marks: list[Mark]) -> None:
    register_fonts()
    for style, group in groupby(marks, key=_style):
        canvas.saveState()
        _set_style(canvas, style)
        for mark in group:
            _draw_shape(canvas, mark.shape, style)
        canvas.restoreState()


def _style(mark: Mark) -> Style:
    return mark.style


def _set_style(canvas: Any, style: Style) -> None:
    if style.stroke is not None:
        canvas.setStrokeColor(HexColor(style.stroke))
        canvas.setLineWidth(style.width_mm)
        canvas.setLineJoin(_ROUND_JOIN)
        if style.dashed:
            canvas.setDash(list(DASH_MM))
    if style.fill is not None:
        canvas.setFillColor(HexColor(style.fill))


def _draw_shape(canvas: Any, shape: Shape, style: Style) -> None:
    if isinstance(shape, Label):
        _draw_label(canvas, shape, style)
        return
    path = canvas.beginPath()
    match shape:
        case Circle(centre, diameter):
            # As SVG goes around it, so that dashes begin at the same places.
            path.arc(*_ends(centre, diameter), 0, -360)
            path.close()
        case Arc(centre, diameter, start, _):
            path.arc(*_ends(centre, diameter), start, shape.turn_deg)
        case Path(points, closed):
            _trace(path, points, closed)
        case Area(outline, holes):
            for points in (outline, *holes):
                _trace(path, points, closed=True)
    stroke, fill = style.stroke is not None, style.fill is not None
    canvas.drawPath(path, stroke=int(stroke), fill=int(fill), fillMode=FILL_EVEN_ODD)


def _ends(centre: Point, diameter: float) -> tuple[float, ...]:
    half = diameter / 2
    return (*centre.moved(-half, -half), *centre.moved(half, half))


def _trace(path: Any, points: Points, closed: bool) -> None:
    first, *others = points
    path.moveTo(*first)
    for point in others:
        path.lineTo(*point)
    if closed:
        path.close()


def _draw_label(canvas: Any, label: Label, style: Style) -> None:
    colour = style.fill or style.stroke
    if colour is None:
        return
    check_text(label.text, bold=label.bold)
    write: dict[Anchor, Callable[[float, float, str], None]] = {
        Anchor.START: canvas.drawString,
        Anchor.MIDDLE: canvas.drawCentredString,
        Anchor.END: canvas.drawRightString,
    }
    canvas.saveState()
    canvas.setFillColor(HexColor(colour))
    canvas.setFont(BOLD if label.bold else FONT, label.size_mm)
    canvas.translate(*label.at)
    canvas.rotate(label.turn_deg)
    write[label.anchor](0, 0, label.text)
    canvas.restoreState()
