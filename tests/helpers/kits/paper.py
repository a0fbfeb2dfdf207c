"""What is on the pages of a PDF, in millimetres: read from its operators, and as rendered."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
import pypdfium2
from pypdf import PdfReader
from pypdf.generic import ContentStream

from hal.profile.geometry import Point
from hardware.kit.drawing import Box

MM = 72 / 25.4
Matrix = tuple[float, float, float, float, float, float]
PAINTED = {b"S", b"f*", b"B*", b"B", b"f"}


@dataclass(frozen=True)
class Line:
    """A path that is painted: its points on the paper (a curve's control points among them)."""

    points: tuple[Point, ...]
    colour: tuple[float, ...]
    width_mm: float

    @property
    def box(self) -> Box:
        return Box.around(self.points)


@dataclass(frozen=True)
class Window:
    """A part of a drawing on a page: where on the paper it is, and what of the drawing it is."""

    paper: Box
    drawing: Box


def pages(pdf: bytes) -> list[Any]:
    return list(PdfReader(BytesIO(pdf)).pages)


def size_mm(page: Any) -> tuple[float, float]:
    assert (page.mediabox.left, page.mediabox.bottom) == (0, 0)
    return float(page.mediabox.width) / MM, float(page.mediabox.height) / MM


class Reading:
    """Follow the operators of a page: the lines that it paints, and the windows to its forms."""

    def __init__(self, page: Any, *, forms: bool = True) -> None:
        self.lines: list[Line] = []
        self.windows: list[Window] = []
        self._reader = page.pdf
        self._forms = forms
        self._follow(page.get_contents(), page["/Resources"], (1, 0, 0, 1, 0, 0))

    def _follow(self, content: Any, resources: Any, start: Matrix) -> None:
        matrix, colour, width, clip = start, (0.0,), 1.0, None
        saved: list[Any] = []
        path: list[Point] = []
        for operands, operator in ContentStream(content, self._reader).operations:
            numbers = [float(each) for each in operands if isinstance(each, int | float)]
            match operator:
                case b"q":
                    saved.append((matrix, colour, width, clip))
                case b"Q":
                    matrix, colour, width, clip = saved.pop()
                case b"cm":
                    matrix = joined((*numbers,), matrix)
                case b"w":
                    width = numbers[0]
                case b"RG":
                    colour = tuple(numbers)
                case b"n":
                    path = []
                case b"re":
                    x, y, wide, high = numbers
                    path += (moved(at, matrix) for at in Box(x, y, x + wide, y + high).corners)
                case b"m" | b"l" | b"c":
                    pairs = zip(numbers[::2], numbers[1::2], strict=True)
                    path += (moved(Point(*at), matrix) for at in pairs)
                case b"W" | b"W*":
                    clip = Box.around(path)
                case b"Do":
                    form = resources["/XObject"][operands[0]]
                    assert clip is not None
                    self.windows.append(Window(clip, boxed(clip, matrix)))
                    if self._forms:
                        self._follow(form, form["/Resources"], matrix)
                case _ if operator in PAINTED:
                    scale = matrix[0] / MM if matrix[0] else 1.0
                    self.lines.append(Line(tuple(path), colour, width * scale))
                    path = []
                case b"h":
                    path.append(path[0])


def joined(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


def moved(at: Point, matrix: Matrix) -> Point:
    a, b, c, d, e, f = matrix
    return Point((a * at.x + c * at.y + e) / MM, (b * at.x + d * at.y + f) / MM)


def boxed(paper: Box, matrix: Matrix) -> Box:
    """Give what of a form is seen through a rectangle on the paper."""
    a, b, c, d, e, f = matrix
    assert b == c == 0
    return Box(
        (paper.left * MM - e) / a,
        (paper.bottom * MM - f) / d,
        (paper.right * MM - e) / a,
        (paper.top * MM - f) / d,
    )


def rendered(pdf: bytes, number: int = 0, per_mm: float = 10.0) -> Any:
    """Render a page in RGB: an array by row from the top, column, colour."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        # pdfium rounds the size up, and would stretch what is a pixel by a millionth.
        scale = per_mm / MM * (1 - 1e-6)
        picture = document[number].render(scale=scale, rev_byteorder=True)
        return np.array(picture.to_numpy())[:, :, :3].astype(int)
    finally:
        document.close()


def inked(picture: Any, per_mm: float = 10.0) -> Box:
    """Give the box around all that is not white, in mm from the lower left of the picture."""
    rows, columns = np.nonzero(picture.min(axis=2) < 128)
    height = picture.shape[0]
    return Box(
        float(columns.min()) / per_mm,
        float(height - rows.max() - 1) / per_mm,
        float(columns.max() + 1) / per_mm,
        float(height - rows.min()) / per_mm,
    )


def fonts(page: Any) -> Iterator[Any]:
    """List the fonts of a page and of the forms on it."""
    resources = [page["/Resources"]]
    while resources:
        one = resources.pop()
        yield from (font.get_object() for font in one.get("/Font", {}).values())
        forms = one.get("/XObject", {}).values()
        resources += [form.get_object()["/Resources"] for form in forms]
