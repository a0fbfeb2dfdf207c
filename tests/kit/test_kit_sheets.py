"""Sheets of paper: whole drawings are on them, neighbours overlap, and no sheet is wasted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.profile.geometry import Point
from hardware.kit.drawing import Box
from hardware.kit.errors import KitError
from hardware.kit.files.sheets import FOOT_MM, MARGIN_MM, Paper, sheets_of

LENGTHS = st.floats(0.01, 900, allow_nan=False)
PLACES = st.floats(-500, 500, allow_nan=False)
PAPERS = st.sampled_from(Paper)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    left, bottom = draw(PLACES), draw(PLACES)
    return Box(left, bottom, left + draw(LENGTHS), bottom + draw(LENGTHS))


@given(boxes(), PAPERS, st.floats(0, 1), st.floats(0, 1))
def test_sheets_show_every_point_of_a_drawing(
    box: Box, paper: Paper, across: float, along: float
) -> None:
    at = Point(box.left + across * box.width, box.bottom + along * box.height)

    seen = [sheet for sheet in sheets_of(box, paper) if holds(sheet.box, at)]

    assert 1 <= len(seen) <= 4


@given(boxes(), PAPERS)
def test_sheets_fit_on_their_paper_within_the_margins(box: Box, paper: Paper) -> None:
    for sheet in sheets_of(box, paper):
        width, height = paper.width_mm, paper.height_mm
        if sheet.lies:
            width, height = height, width
        assert sheet.box.width == pytest.approx(width - 2 * MARGIN_MM)
        assert sheet.box.height == pytest.approx(height - 2 * MARGIN_MM - FOOT_MM)


@given(boxes(), PAPERS)
def test_sheets_overlap_their_neighbours_by_10_mm(box: Box, paper: Paper) -> None:
    sheets = sheets_of(box, paper)
    for sheet in sheets:
        right, below = sheet.beside(sheets, columns=1), sheet.beside(sheets, rows=1)
        if right is not None:
            assert sheet.box.right - right.box.left == pytest.approx(10.0)
            assert (sheet.box.bottom, sheet.box.top) == (right.box.bottom, right.box.top)
        if below is not None:
            assert below.box.top - sheet.box.bottom == pytest.approx(10.0)
            assert (sheet.box.left, sheet.box.right) == (below.box.left, below.box.right)


def test_sheets_are_named_by_row_and_place_in_it() -> None:
    names = [sheet.name for sheet in sheets_of(Box(0, 0, 400, 4000), Paper.A4)]

    assert names[:5] == ["1-1", "1-2", "1-3", "2-1", "2-2"]


@pytest.mark.parametrize(
    "box",
    [
        Box(0, 0, 0, 10),
        Box(0, 0, 10, 0),
        Box(5, 0, -5, 10),
        Box(0, 0, 10, float("nan")),
        Box(0, 0, float("inf"), 10),
        Box(0, 0, 10, 6000),
    ],
)
def test_sheets_of_an_empty_or_endless_box_are_refused(box: Box) -> None:
    with pytest.raises(KitError, match="allowed are more than 0 and up to 5000 mm"):
        sheets_of(box, Paper.A4)


def holds(box: Box, at: Point) -> bool:
    tiny = 1e-5
    return (
        box.left - tiny <= at.x <= box.right + tiny and box.bottom - tiny <= at.y <= box.top + tiny
    )
