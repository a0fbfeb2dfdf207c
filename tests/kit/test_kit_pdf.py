"""PDFs measured: by their operators, and by their pixels as a viewer shows them."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

from hal.profile.geometry import Point
from hardware.kit.drawing import Box, Circle, Drawing, Label, Path, Style
from hardware.kit.errors import KitError
from hardware.kit.files import pdf
from hardware.kit.files.sheets import Paper
from tests.helpers.kits.paper import (
    Line,
    Reading,
    Window,
    fonts,
    inked,
    pages,
    rendered,
    size_mm,
)
from tests.helpers.kits.trial import made_elsewhere, trial

INK = Style("ink", "#000000", 0.2)
FILLED = Style("filled", None, fill="#000000")
RED = (1.0, 0.0, 0.0)
BOTH = pytest.mark.parametrize("paper", list(Paper))


def large() -> Drawing:
    """Draw a dot each 20 mm: several sheets on either paper, both ways."""
    drawing = Drawing("Large", Box(-255, -220, 265, 240))
    dot = Style("dot", "#ff0000", 0.2)
    drawing.add(dot, *(Circle(at, 2) for at in dots()))
    drawing.add(dot, Path(drawing.box.corners, closed=True))
    return drawing


def dots() -> list[Point]:
    return [Point(x, y) for x in range(-240, 261, 20) for y in range(-200, 221, 20)]


def on_own_page(*marks: Any, style: Style = INK, box: Box | None = None) -> bytes:
    drawing = Drawing("Measured", box or Box(0, 0, 120, 80))
    drawing.add(style, *marks)
    return pdf.to_pdf(drawing)


def test_pdf_page_is_as_large_as_the_drawing() -> None:
    (page,) = pages(pdf.to_pdf(trial()))

    assert size_mm(page) == pytest.approx((200, 140), abs=1e-4)


def test_pdf_circle_of_50_mm_is_50_mm_on_paper() -> None:
    made = on_own_page(Circle(Point(60, 40), 50))

    (circle,) = Reading(pages(made)[0]).lines
    assert circle.width_mm == pytest.approx(0.2, abs=1e-6)
    box = circle.box
    assert (box.left, box.right) == pytest.approx((35, 85), abs=1e-4)
    assert (box.bottom, box.top) == pytest.approx((15, 65), abs=1e-4)
    seen = inked(rendered(made))
    assert (seen.width, seen.height) == pytest.approx((50.2, 50.2), abs=0.15)
    assert (seen.left, seen.bottom) == pytest.approx((34.9, 14.9), abs=0.15)


def test_pdf_label_has_the_letters_of_our_languages_and_units() -> None:
    text = "Äußerst, œuvre, perché? «½ µF» 4,7 Ω ≥ 3 mm² · 25 °C ≤ ±1 % €"
    (page,) = pages(on_own_page(Label(text, Point(60, 40), 2.5), style=FILLED))

    assert page.extract_text().strip() == text


@pytest.mark.parametrize("make", [pdf.to_pdf, lambda drawing: pdf.to_sheets(drawing, Paper.A4)])
def test_pdf_embeds_all_fonts(make: Callable[[Drawing], bytes]) -> None:
    for page in pages(make(trial())):
        found = list(fonts(page))
        assert found
        for font in found:
            assert "/FontFile2" in font["/FontDescriptor"], font["/BaseFont"]


@BOTH
@pytest.mark.parametrize("wide", [False, True])
def test_pdf_sheets_have_the_size_of_the_paper(paper: Paper, wide: bool) -> None:
    box = Box(0, 0, 250, 150) if wide else Box(0, 0, 150, 230)
    short, long = {Paper.A4: (210, 297), Paper.LETTER: (215.9, 279.4)}[paper]

    found = [size_mm(page) for page in pages(pdf.to_sheets(Drawing("D", box), paper))]

    assert len(found) == 2
    for size in found:
        assert size == pytest.approx((long, short) if wide else (short, long), abs=1e-4)


@BOTH
def test_pdf_sheets_have_a_ruler_of_100_mm_each(paper: Paper) -> None:
    made = pdf.to_sheets(large(), paper)

    for number, page in enumerate(pages(made)):
        (ruler,) = (line for line in Reading(page, forms=False).lines if is_ruler(line))
        assert ruler.box.width == pytest.approx(100, abs=1e-4)
        assert ruler.box.height == pytest.approx(0, abs=1e-4)
        text = page.extract_text()
        assert "100 mm" in text
        assert "print at 100 %, no scaling" in text
        assert drawn_ruler(rendered(made, number), ruler) == pytest.approx(100.2, abs=0.11)


@BOTH
def test_pdf_sheets_show_all_of_a_drawing_in_its_true_size(paper: Paper) -> None:
    drawing = large()
    circles: set[Point] = set()

    for page in pages(pdf.to_sheets(drawing, paper))[1:]:
        (window,) = Reading(page).windows
        assert window.drawing.width == pytest.approx(window.paper.width, abs=1e-4)
        assert window.drawing.height == pytest.approx(window.paper.height, abs=1e-4)
        for line in Reading(page).lines:
            if line.colour == RED and len(line.points) > 10:
                assert line.box.width == pytest.approx(2, abs=1e-4)
                if inside(line.box, window.paper):
                    circles.add(on_drawing(line, window))

    assert circles >= set(dots())


def test_pdf_asks_viewers_not_to_scale() -> None:
    page = pages(pdf.to_sheets(trial(), Paper.A4))[0]

    assert page.pdf.trailer["/Root"]["/ViewerPreferences"]["/PrintScaling"] == "/None"


@pytest.mark.parametrize("box", [Box(0, 0, 0, 10), Box(0, 10, 10, 5), Box(0, 0, 9000, 10)])
def test_pdf_of_an_empty_or_endless_drawing_is_refused(box: Box) -> None:
    drawing = Drawing("Nothing", box)
    canvas = pdf.new_canvas(BytesIO(), "Other", 100, 100)

    for make in (
        lambda: pdf.to_pdf(drawing),
        lambda: pdf.to_sheets(drawing, Paper.A4),
        lambda: pdf.draw(canvas, drawing),
    ):
        with pytest.raises(KitError, match=r'"Nothing" is .* mm (wide|high): allowed are'):
            make()


@pytest.mark.parametrize("made", ["pdf.to_pdf(trial())", "pdf.to_sheets(trial(), Paper.A4)"])
def test_pdf_is_the_same_in_each_process(made: str) -> None:
    first, second = (made_elsewhere(made, hash_seed) for hash_seed in (1, 2))

    assert first == second
    assert first.startswith(b"%PDF")


def is_ruler(line: Line) -> bool:
    return len(line.points) == 2 and line.box.width > 50 and line.box.bottom < 12


def drawn_ruler(picture: Any, ruler: Line) -> float:
    """Measure the longest run of ink in the row of pixels of the ruler."""
    row = picture[picture.shape[0] - round(ruler.box.bottom * 10) - 1].min(axis=1) < 128
    return max(runs(row)[1::2]) / 10


def on_drawing(line: Line, window: Window) -> Point:
    """Give where in the drawing the middle of a line is."""
    box, paper, part = line.box, window.paper, window.drawing
    return Point(
        round((box.left + box.right) / 2 - paper.left + part.left, 2) + 0.0,
        round((box.bottom + box.top) / 2 - paper.bottom + part.bottom, 2) + 0.0,
    )


def inside(box: Box, other: Box) -> bool:
    return (
        other.left <= box.left
        and box.right <= other.right
        and other.bottom <= box.bottom
        and box.top <= other.top
    )


def runs(row: Any) -> list[int]:
    """Give how many pixels are white, inked, white ... in a row."""
    lengths, ink = [0], False
    for pixel in row:
        if bool(pixel) != ink:
            lengths.append(0)
            ink = not ink
        lengths[-1] += 1
    return lengths
