"""Pictures of a guide on paper: no letters that need a lens, on no more pages than that takes."""

import pytest

from hal.geometry import Point
from hal.profile import built_in_names
from hardware.kit.drawing import Box, Circle, Drawing, Label, Style
from hardware.kit.guide.document import Picture
from hardware.kit.guide.paper import Placed, overview, sheets
from tests.helpers.kits.guides import guide_of

INK, LINE = Style("ink", stroke=None, fill="#000000"), Style("line")
POINT_MM = 25.4 / 72
ON_LETTER = min(215.9 / 210, 279.4 / 297)
TEXT_WIDTH_MM, TALLEST_MM = 170, 223


def smallest_pt(placed: Placed) -> float:
    """Give the size of the smallest letters where A4 is printed on Letter."""
    labels = [mark.shape for mark in placed.drawing.marks if isinstance(mark.shape, Label)]
    sizes = [label.size_mm * placed.scale * ON_LETTER / POINT_MM for label in labels]
    return min(sizes, default=100.0)


def drawing_of(width: float, height: float, *labels: Label) -> Drawing:
    drawing = Drawing("D", Box(10, 20, 10 + width, 20 + height))
    drawing.add(LINE, Circle(Point(15, 25), 5))
    drawing.add(INK, *labels)
    return drawing


def words(placed: Placed) -> list[str]:
    return [mark.shape.text for mark in placed.drawing.marks if isinstance(mark.shape, Label)]


@pytest.mark.parametrize("board", built_in_names())
def test_pictures_of_a_guide_have_no_letters_that_are_too_small(board: str):
    pictures = [block for block in guide_of(board).blocks if isinstance(block, Picture)]
    assert {"base", "placement-foil", "wiring-foil", "wiring-circuit-1"} <= {
        picture.anchor for picture in pictures
    }
    for picture in pictures:
        assert isinstance(picture.drawing, Drawing)
        if not picture.large:
            width = TEXT_WIDTH_MM * picture.width
            placed = overview(picture.drawing, width, TALLEST_MM)
            assert smallest_pt(placed) > 5 - 1e-6, picture.anchor
            assert not placed.bare or picture.file, picture.anchor
            continue
        found = sheets(picture.drawing)
        assert min(map(smallest_pt, found)) > 5 - 1e-6, picture.anchor
        if picture.anchor.startswith("wiring"):
            assert [(each.sideways, each.part) for each in found] == [(True, "")]


def test_overview_keeps_the_words_that_can_be_read():
    # Half as large on paper, a letter of 3.75 mm has 5 pt on Letter.
    small, large = Label("small", Point(30, 50), 3.74), Label("large", Point(60, 50), 3.76)
    placed = overview(drawing_of(200, 100, small, large), 100, 100)
    assert placed.scale == 0.5
    assert words(placed) == ["large"]
    assert placed.bare
    assert smallest_pt(placed) == pytest.approx(5, abs=0.02)
    assert len(placed.drawing.marks) == 2
    assert not overview(drawing_of(200, 100, large), 100, 100).bare


def test_overview_fits_into_its_place_both_ways():
    assert overview(drawing_of(200, 100), 100, 20).scale == 0.2
    assert overview(drawing_of(200, 100), 50, 100).scale == 0.25


@pytest.mark.parametrize(("width", "height", "sideways"), [(400, 260, True), (260, 400, False)])
def test_sheets_are_one_page_turned_as_the_picture_is_where_its_words_can_be_read(
    width: float, height: float, sideways: bool
):
    (placed,) = sheets(drawing_of(width, height, Label("words", Point(30, 50), 4.0)))
    assert (placed.sideways, placed.part, placed.bare) == (sideways, "", False)
    assert width * placed.scale <= (277 if sideways else 190)
    assert height * placed.scale <= (170 if sideways else 257)


@pytest.mark.parametrize(
    ("width", "height", "size", "parts"),
    [
        (400, 400, 3.2, ["upper half", "lower half"]),
        (
            400,
            400,
            2.4,
            [f"{a} {b} quarter" for a in ("upper", "lower") for b in ("left", "right")],
        ),
        (900, 250, 3.6, ["left half", "right half"]),
    ],
)
def test_sheets_part_a_picture_no_more_than_its_words_ask(
    width: float, height: float, size: float, parts: list[str]
):
    found = sheets(drawing_of(width, height, Label("words", Point(30, 50), size)))
    assert [each.part for each in found] == parts
    assert min(map(smallest_pt, found)) > 5


def test_sheets_have_each_word_whole_on_one_of_them_and_leave_nothing_out():
    height = 6.0
    labels = [Label(f"{y}", Point(200, 20 + y), height * 0.55) for y in range(5, 395, 3)]
    drawing = drawing_of(400, 400, *labels)
    found = sheets(drawing)
    assert len(found) == 2
    upper, lower = (each.drawing.box for each in found)
    assert (upper.top, lower.bottom) == (drawing.box.top, drawing.box.bottom)
    assert lower.top - upper.bottom == pytest.approx(12)
    for label in labels:
        at = label.at.y
        whole = [box for box in (upper, lower) if box.bottom <= at and at + height <= box.top]
        assert whole
    assert set(words(found[0])) | set(words(found[1])) == {label.text for label in labels}


def test_sheets_of_words_that_are_too_small_for_any_are_four():
    found = sheets(drawing_of(400, 400, Label("dust", Point(30, 50), 0.5)))
    assert len(found) == 4
    assert words(found[2]) == ["dust"]
