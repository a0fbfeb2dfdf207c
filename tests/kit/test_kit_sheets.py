"""Sheets of paper: whole drawings are on them, neighbours overlap, and no sheet is wasted."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.geometry import Point
from hal.profile import built_in_names
from hardware.kit.drawing import Box
from hardware.kit.errors import KitError
from hardware.kit.files.sheets import FOOT_MM, MARGIN_MM, OVERLAP_MM, Paper, sheets_of
from hardware.kit.plates.foil import electrode_name
from tests.helpers.kits.boards import layout_of

LENGTHS = st.floats(0.01, 900, allow_nan=False)
PLACES = st.floats(-500, 500, allow_nan=False)
PAPERS = st.sampled_from(Paper)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    left, bottom = draw(PLACES), draw(PLACES)
    return Box(left, bottom, left + draw(LENGTHS), bottom + draw(LENGTHS))


def test_paper_has_its_standard_sizes() -> None:
    assert [(p.label, p.width_mm, p.height_mm) for p in Paper] == [
        ("A4", 210.0, 297.0),
        ("Letter", 215.9, 279.4),
    ]


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


@given(boxes(), PAPERS)
def test_sheets_are_as_few_as_either_way_of_the_paper_allows(box: Box, paper: Paper) -> None:
    sheets = sheets_of(box, paper)

    least = min(
        count(box.width, wide - 2 * MARGIN_MM) * count(box.height, high - 2 * MARGIN_MM - FOOT_MM)
        for wide, high in (
            (paper.width_mm, paper.height_mm),
            (paper.height_mm, paper.width_mm),
        )
    )
    assert len(sheets) == least


@given(boxes(), PAPERS)
def test_sheets_leave_as_much_white_on_either_side(box: Box, paper: Paper) -> None:
    sheets = sheets_of(box, paper)
    around = Box.around(corner for sheet in sheets for corner in sheet.box.corners)

    assert box.left - around.left == pytest.approx(around.right - box.right, abs=1e-6)
    assert box.bottom - around.bottom == pytest.approx(around.top - box.top, abs=1e-6)


@given(boxes(), PAPERS)
def test_sheets_are_rows_from_the_upper_left_each_once(box: Box, paper: Paper) -> None:
    sheets = sheets_of(box, paper)
    rows, columns = sheets[-1].row + 1, sheets[-1].column + 1

    assert [(sheet.row, sheet.column) for sheet in sheets] == [
        (row, column) for row in range(rows) for column in range(columns)
    ]
    assert [sheet.box.left for sheet in sheets] == [
        sheets[sheet.column].box.left for sheet in sheets
    ]
    for sheet in sheets:
        below, right = sheet.beside(sheets, rows=1), sheet.beside(sheets, columns=1)
        assert below is None or below.box.top < sheet.box.top
        assert right is None or right.box.left > sheet.box.left


def test_sheets_of_what_fits_exactly_are_one() -> None:
    part = Box(0, 0, 210 - 20, 297 - 20 - FOOT_MM)

    assert len(sheets_of(part, Paper.A4)) == 1
    assert len(sheets_of(Box(0, 0, part.width + 0.01, part.height), Paper.A4)) == 2


def test_sheets_stand_or_lie_as_takes_fewer() -> None:
    assert not sheets_of(Box(0, 0, 100, 250), Paper.A4)[0].lies
    assert sheets_of(Box(0, 0, 250, 100), Paper.A4)[0].lies


def test_sheets_are_named_by_row_and_place_in_it() -> None:
    names = [sheet.name for sheet in sheets_of(Box(0, 0, 400, 4000), Paper.A4)]

    assert names[:5] == ["1-1", "1-2", "1-3", "2-1", "2-2"]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("board", built_in_names())
def test_sheets_have_no_name_of_a_cell_or_an_electrode(board: str) -> None:
    layout = layout_of(board)
    taken = {name.lower() for name in layout.cells}
    taken |= {electrode_name(sensor).lower() for sensor in layout.sensors.values()}
    for paper in Paper:
        assert not taken & {sheet.name.lower() for sheet in sheets_of(layout.box, paper)}


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


def test_sheets_of_more_than_200_are_refused() -> None:
    with pytest.raises(KitError, match="sheets of A4: allowed are 200"):
        sheets_of(Box(0, 0, 4000, 3000), Paper.A4)


def holds(box: Box, at: Point) -> bool:
    tiny = 1e-5
    return (
        box.left - tiny <= at.x <= box.right + tiny and box.bottom - tiny <= at.y <= box.top + tiny
    )


def count(length: float, sheet: float) -> int:
    """Count sheets from the first on: each further one brings what does not overlap."""
    return 1 + max(0, ceil((length - sheet - 1e-6) / (sheet - OVERLAP_MM)))
