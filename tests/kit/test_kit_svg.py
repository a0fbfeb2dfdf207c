"""SVG measured: by its numbers, and by its pixels, which are those of the PDF."""

import xml.etree.ElementTree as ElementTree
from base64 import b64encode
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize
from reportlab.pdfbase.pdfmetrics import getFont

from hal.geometry import Point
from hardware.kit.drawing import (
    FONTS,
    Anchor,
    Arc,
    Area,
    Box,
    Circle,
    Drawing,
    Label,
    Path,
    Style,
)
from hardware.kit.errors import KitError
from hardware.kit.files.pdf import BOLD, FONT, register_fonts, to_pdf
from hardware.kit.files.svg import to_svg
from tests.helpers.kits.paper import rendered
from tests.helpers.kits.trial import CUT, ENGRAVE, INK, TEXT, made_elsewhere, square, trial

SVG = "{http://www.w3.org/2000/svg}"
PER_MM = 4
MOST_APART = 0.0002


def read(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(to_svg(drawing))


def drawn(*shapes: Any, style: Style = CUT) -> ElementTree.Element:
    """Give the one element that these shapes become."""
    drawing = Drawing("One", Box(0, 0, 100, 100))
    drawing.add(style, *shapes)
    (group,) = read(drawing).findall(f"{SVG}g")
    (element,) = group
    return element


def test_svg_is_as_large_in_mm_as_the_drawing() -> None:
    root = read(trial())

    assert root.get("width") == "200mm"
    assert root.get("height") == "140mm"


def test_svg_has_a_unit_of_1_mm_and_the_upper_left_of_the_box() -> None:
    assert read(trial()).get("viewBox") == "-80 -80 200 140"


def test_svg_puts_a_circle_at_its_place_with_y_down() -> None:
    circle = drawn(Circle(Point(12.5, 30), 50))

    assert circle.tag == f"{SVG}circle"
    assert (circle.get("cx"), circle.get("cy"), circle.get("r")) == ("12.5", "-30", "25")


def test_svg_path_goes_from_point_to_point() -> None:
    points = (Point(1, 2), Point(3.12344, 4), Point(-0.00001, 0))

    assert drawn(Path(points)).get("d") == "M1 -2 L3.1234 -4 L0 0"
    assert drawn(Path(points, closed=True)).get("d") == "M1 -2 L3.1234 -4 L0 0 Z"


def test_svg_area_is_one_path_with_its_holes_left_out() -> None:
    area = drawn(Area(square(0, 0, 4), (square(1, 1, 1), square(2, 2, 1))))

    assert area.get("d") == (
        "M0 0 L4 0 L4 -4 L0 -4 Z M1 -1 L2 -1 L2 -2 L1 -2 Z M2 -2 L3 -2 L3 -3 L2 -3 Z"
    )
    assert read(trial()).get("fill-rule") == "evenodd"


@pytest.mark.parametrize(
    ("start", "end", "large", "from_to"),
    [
        (0, 90, "0", ((60, -50), (50, -60))),
        (0, 270, "1", ((60, -50), (50, -40))),
        (270, 90, "0", ((50, -40), (50, -60))),
        (90, 0, "1", ((50, -60), (60, -50))),
    ],
)
def test_svg_arc_goes_counter_clockwise_from_start_to_end(
    start: float, end: float, large: str, from_to: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    words = (drawn(Arc(Point(50, 50), 20, start, end)).get("d") or "").replace("M", "").split()

    (x, y), (to_x, to_y) = from_to
    assert words == [
        *(str(x), str(y)),
        *("A10", "10", "0", large, "0"),
        *(str(to_x), str(to_y)),
    ]


def test_svg_arc_all_around_is_a_circle() -> None:
    assert drawn(Arc(Point(50, 50), 20, 90, 450)).tag == f"{SVG}circle"


def test_svg_groups_have_the_style() -> None:
    groups = read(trial()).findall(f"{SVG}g")

    cut, engrave = groups[0], groups[1]
    assert (cut.get("class"), cut.get("stroke"), cut.get("stroke-width"), cut.get("fill")) == (
        ("cut", "#ff0000", "0.4", "none")
    )
    assert cut.get("stroke-dasharray") is None
    assert (engrave.get("class"), engrave.get("stroke-dasharray")) == ("engrave", "2 1.5")
    text = next(group for group in groups if group.get("class") == "text words")
    assert (text.get("stroke"), text.get("fill")) == ("none", "#006600")


def test_svg_keeps_what_is_drawn_later_above() -> None:
    drawing = Drawing("Layers", Box(0, 0, 10, 10))
    for style in (CUT, INK, CUT, CUT, TEXT):
        drawing.add(style, Circle(Point(5, 5), 5))

    classes = [(group.get("class"), len(group)) for group in read(drawing).findall(f"{SVG}g")]
    assert classes == [("cut", 1), ("ink", 1), ("cut", 2), ("text", 1)]


def test_svg_has_no_texts_among_lines_of_one_layer() -> None:
    drawing = Drawing("Words", Box(0, 0, 10, 10))
    drawing.add(CUT, Label("a", Point(1, 1), 2), Circle(Point(5, 5), 5), Label("b", Point(1, 5), 2))

    classes = [
        (group.get("class"), {element.tag.removeprefix(SVG) for element in group})
        for group in read(drawing).findall(f"{SVG}g")
    ]
    assert classes == [("cut words", {"text"}), ("cut", {"circle"}), ("cut words", {"text"})]


@pytest.mark.parametrize("anchor", list(Anchor))
def test_svg_label_is_anchored_and_turned(anchor: Anchor) -> None:
    label = drawn(Label("Über <&> 1", Point(3, 4), 5, anchor, turn_deg=30, bold=True), style=TEXT)

    assert label.text == "Über <&> 1"
    assert (label.get("x"), label.get("y"), label.get("font-size")) == ("3", "-4", "5")
    assert label.get("text-anchor") == anchor.value
    assert label.get("transform") == "rotate(-30 3 -4)"
    assert label.get("font-weight") == "bold"
    assert label.get("fill") == "#006600"


def test_svg_label_has_the_fill_and_no_stroke() -> None:
    label = drawn(Label("A", Point(3, 4), 5), style=INK)

    assert (label.get("fill"), label.get("stroke")) == ("#ffcc00", "none")


def test_svg_label_without_a_fill_has_the_colour_of_the_stroke() -> None:
    label = drawn(Label("A", Point(3, 4), 5), style=ENGRAVE)

    assert (label.get("fill"), label.get("stroke")) == ("#0000ff", "none")
    assert label.get("transform") is None


def test_svg_has_the_title() -> None:
    title = read(trial()).find(f"{SVG}title")

    assert title is not None
    assert title.text == "Trial <of> “all” & more"


def test_svg_for_a_page_has_no_head() -> None:
    assert to_svg(trial()).startswith("<?xml")
    inline = to_svg(trial(), inline=True)
    assert inline.startswith("<svg")
    assert to_svg(trial()).endswith(inline)


@pytest.mark.parametrize("box", [Box(0, 0, 0, 10), Box(0, 10, 10, 5), Box(0, 0, 9000, 10)])
def test_svg_of_an_empty_or_endless_drawing_is_refused(box: Box) -> None:
    with pytest.raises(KitError, match='"Nothing" is'):
        to_svg(Drawing("Nothing", box))


def test_svg_is_the_same_in_each_process() -> None:
    first, second = (made_elsewhere("svg.to_svg(trial()).encode()", seed) for seed in (1, 2))

    assert first == second
    assert first.decode() == to_svg(trial())


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"name": "a/b"}, 'the name of a style is "a/b"'),
        ({"name": ""}, "allowed are letters"),
        ({"name": "ink", "stroke": "red"}, 'the colour of "ink" is "red": allowed are such as #0'),
        ({"name": "ink", "fill": "#FFF"}, 'the colour of "ink" is "#FFF"'),
        ({"name": "ink", "width_mm": 0}, 'the width of "ink" is 0: allowed are more than 0'),
    ],
)
def test_style_refuses_what_some_file_could_not_say(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(KitError, match=says):
        Style(**wrong)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Circle(Point(0, 0), 0), "the diameter of a circle is 0 mm: allowed is more"),
        (lambda: Circle(Point(0, 0), -2.5), "the diameter of a circle is -2.5 mm"),
        (lambda: Arc(Point(0, 0), 0, 0, 90), "the diameter of an arc is 0 mm"),
        (lambda: Path(()), "a path has 0 points: allowed are 2 and more"),
        (lambda: Path((Point(0, 0), Point(float("nan"), 1))), "a path goes to nan, 1"),
        (lambda: Area(square(0, 0, 9)[:2]), "an area has 2 points: allowed are 3 and more"),
        (lambda: Area(square(0, 0, 9), ((Point(1, 1),),)), "an area has 1 points"),
        (lambda: Label("A", Point(0, 0), 0), 'the size of the label "A" is 0 mm'),
    ],
)
def test_shapes_refuse_what_nobody_could_draw(make: Callable[[], Any], says: str) -> None:
    with pytest.raises(KitError, match=says):
        make()


@pytest.mark.parametrize("text", ["two\nlines", "tab\there", "bell\a"])
def test_label_refuses_more_than_a_line(text: str) -> None:
    with pytest.raises(KitError, match="allowed are characters on one line"):
        Label(text, Point(0, 0), 5)


@pytest.fixture
def view(browser: Browser) -> Iterator[Page]:
    size = ViewportSize(width=200 * PER_MM, height=140 * PER_MM)
    with browser.new_context(viewport=size) as context:
        yield context.new_page()


@pytest.mark.browser
def test_svg_looks_the_same_as_the_pdf(view: Page) -> None:
    drawing = trial()
    picture = seen(view, drawing)

    assert fraction_apart(picture, printed(drawing)) < MOST_APART
    # The comparison is no good unless it finds what is drawn in another way.
    for wrong in wrongly_drawn(drawing):
        assert fraction_apart(picture, printed(wrong)) > 5 * MOST_APART


def seen(view: Page, drawing: Drawing) -> Any:
    """Give the pixels of the SVG in a browser that has the font of the PDF, in RGB."""
    width, height = drawing.box.width * PER_MM, drawing.box.height * PER_MM
    styles = [
        "body { margin: 0 }",
        f"svg {{ width: {width}px; height: {height}px; display: block }}",
        *(
            f"@font-face {{ font-family: '{FONTS[0]}'; font-weight: {weight};"
            f" src: url(data:font/ttf;base64,{font_of(name)}) }}"
            for weight, name in (("normal", FONT), ("bold", BOLD))
        ),
    ]
    view.set_content(f"<style>{' '.join(styles)}</style>{to_svg(drawing, inline=True)}")
    view.evaluate("document.fonts.ready")
    with Image.open(BytesIO(view.screenshot())) as picture:
        return np.array(picture.convert("RGB")).astype(int)


def font_of(name: str) -> str:
    register_fonts()
    return b64encode(File(getFont(name).face.filename).read_bytes()).decode()


def printed(drawing: Drawing) -> Any:
    return rendered(to_pdf(drawing), per_mm=PER_MM)


def wrongly_drawn(drawing: Drawing) -> Iterator[Drawing]:
    """Draw the same without the holes, the dashes, the turns, the anchors."""
    for number in range(4):
        other = Drawing(drawing.title, drawing.box)
        for mark in drawing.marks:
            shape, style = mark.shape, mark.style
            if number == 0 and isinstance(shape, Area):
                shape = Area(shape.outline)
            if number == 1 and style.dashed:
                style = Style(style.name, style.stroke, style.width_mm)
            if number == 2 and isinstance(shape, Label):
                shape = Label(shape.text, shape.at, shape.size_mm, shape.anchor, bold=shape.bold)
            if number == 3 and isinstance(shape, Label):
                shape = Label(
                    shape.text, shape.at, shape.size_mm, turn_deg=shape.turn_deg, bold=shape.bold
                )
            other.add(style, shape)
        yield other


def fraction_apart(first: Any, second: Any) -> float:
    """Give the part of pixels that are unlike all around them in the other picture.

    Two programs soften edges differently, so a pixel may be its neighbour's.
    """
    return float((apart(first, second) | apart(second, first)).mean())


def apart(first: Any, second: Any) -> Any:
    unlike = np.ones(first.shape[:2], dtype=bool)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            other = np.roll(second, (down, right), axis=(0, 1))
            unlike &= np.abs(first - other).max(axis=2) > 96
    return unlike
