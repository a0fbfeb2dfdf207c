"""The hexagonal board: its cells, their names in both notations, and their neighbours."""

import pytest

from game.rules.boards.hexagon import hexagon, normal_form, read_cell
from tests.helpers.clockwise import clockwise
from tests.oracles.naive_circle import CELLS, NEIGHBOURS, ROW_LENGTHS, bga_name

SIDE = 5
BOARD = hexagon(SIDE)


def test_cells_are_61_in_nine_rows() -> None:
    assert len(BOARD.cells) == 61
    per_row = {row: sum(cell[0] == row for cell in BOARD.cells) for row in "abcdefghi"}
    assert per_row == ROW_LENGTHS
    assert set(BOARD.cells) == set(CELLS)


def test_neighbours_are_those_of_the_naive_board() -> None:
    assert {cell: set(BOARD.neighbours[cell]) for cell in BOARD.cells} == NEIGHBOURS


def test_centres_of_neighbours_are_one_apart_and_of_others_farther() -> None:
    for one, (x1, y1) in BOARD.centres.items():
        for other, (x2, y2) in BOARD.centres.items():
            apart = ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5
            if other in BOARD.neighbours[one]:
                assert apart == pytest.approx(1)
            elif other != one:
                assert apart > 1.5


def test_centres_have_the_first_row_at_the_bottom_and_counting_to_the_right() -> None:
    x, y = BOARD.centres["a1"]
    assert (x, y) == (pytest.approx(-2), pytest.approx(2 * 3**0.5))
    assert BOARD.centres["a2"] == (pytest.approx(-1), y)
    assert BOARD.centres["e5"] == (pytest.approx(0), pytest.approx(0))


def test_rim_is_the_24_outer_cells_clockwise_from_the_top_left() -> None:
    assert len(BOARD.rim) == 24
    assert set(BOARD.rim) == {cell for cell in CELLS if len(NEIGHBOURS[cell]) < 6}
    assert BOARD.rim[:6] == ("i1", "i2", "i3", "i4", "i5", "h6")
    assert clockwise(BOARD.rim, BOARD)


@pytest.mark.parametrize("cell", CELLS)
def test_both_notations_are_read(cell: str) -> None:
    assert read_cell(cell, SIDE) == read_cell(bga_name(cell), SIDE) == cell


@pytest.mark.parametrize(
    "text",
    ["", "e", "5", "e0", "e10", "e05", "e5 ", " e5", "e5\n", "e5x", "ee5", "e-5", "e+5", "e5.0",
     "j1", "a6", "a0", "i6", "z9", "a10", "é5", "e\u0665", "e\uff15", "\uff455", "e\u00b2",
     "E9", "A5", "I3", "I9", "J0", "J4", "F0", "E-1", "E", "E10", "E\u0664", "E4 ", "E4\n",
     "E04", "A00"],
)  # fmt: skip
def test_what_names_no_cell_is_not_read(text: str) -> None:
    assert read_cell(text, SIDE) is None


@pytest.mark.parametrize("side", range(2, 14))
def test_every_size_names_its_cells_so_that_they_are_read_back(side: int) -> None:
    cells = hexagon(side).cells
    assert len(cells) == 3 * side * (side - 1) + 1
    assert [read_cell(cell, side) for cell in cells] == list(cells)
    assert len(hexagon(side).rim) == 6 * (side - 1)


@pytest.mark.parametrize("side", [-1, 0, 1, 14])
def test_a_size_out_of_range_is_refused_with_the_range(side: int) -> None:
    with pytest.raises(ValueError, match=rf"side is {side}; .* 2 to 13"):
        hexagon(side)


def test_normal_form_is_one_for_all_attitudes_and_differs_between_shapes() -> None:
    sled = [(0, 0), (1, 0), (2, 0), (2, 1)]
    mirrored = [(r + 7, q - 3) for q, r in sled]
    turned = [(-r, q + r) for q, r in sled]
    assert normal_form(sled) == normal_form(mirrored) == normal_form(turned)
    assert normal_form(sled) != normal_form([(0, 0), (1, 0), (2, 0), (0, 1)])
