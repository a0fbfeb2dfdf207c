"""The board of squares: its cells, their neighbours and where they lie."""

import pytest

from game.rules.boards.rectangle import rectangle
from tests.helpers.clockwise import clockwise

BOARD = rectangle()
CELLS = [f"{column}{row}" for row in range(1, 12) for column in "ABCDEFGH"]


def touching(one: str, other: str) -> bool:
    """Return whether two squares share a side, from their names alone."""
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1:]) - int(other[1:])) == 1


def test_rectangle_has_88_cells_from_the_bottom_and_from_the_left() -> None:
    assert list(BOARD.cells) == CELLS
    assert BOARD.shape == "rectangle"


def test_rectangle_neighbours_are_those_of_the_names() -> None:
    expected = {one: {other for other in CELLS if touching(one, other)} for one in CELLS}
    assert {cell: set(BOARD.neighbours[cell]) for cell in CELLS} == expected


def test_rectangle_centres_are_one_apart_with_the_first_row_at_the_bottom() -> None:
    assert BOARD.centres["A1"] == (-3.5, 5.0)
    assert BOARD.centres["H11"] == (3.5, -5.0)
    for one, around in BOARD.neighbours.items():
        x1, y1 = BOARD.centres[one]
        for x2, y2 in (BOARD.centres[near] for near in around):
            assert abs(x1 - x2) + abs(y1 - y2) == 1


def test_rectangle_rim_is_the_34_outer_cells_clockwise_from_the_top_left() -> None:
    assert len(BOARD.rim) == 34
    assert set(BOARD.rim) == {cell for cell in CELLS if len(BOARD.neighbours[cell]) < 4}
    assert BOARD.rim[:9] == ("A11", "B11", "C11", "D11", "E11", "F11", "G11", "H11", "H10")
    assert BOARD.rim[-1] == "A10"
    assert clockwise(BOARD.rim, BOARD)


@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (2, 99), (26, 2), (5, 3)])
def test_rectangle_of_any_size_has_all_its_cells_and_its_whole_rim(columns: int, rows: int) -> None:
    board = rectangle(columns, rows)
    assert len(set(board.cells)) == columns * rows
    assert len(set(board.rim)) == len(board.rim) == 2 * (columns + rows) - 4
    assert all(
        cell in board.neighbours[near] for cell in board.cells for near in board.neighbours[cell]
    )


@pytest.mark.parametrize("columns", [-1, 0, 1, 27])
def test_rectangle_of_impossible_columns_is_refused_with_the_range(columns: int) -> None:
    with pytest.raises(ValueError, match=f"columns is {columns}; .* 2 to 26"):
        rectangle(columns)


@pytest.mark.parametrize("rows", [-1, 0, 1, 100])
def test_rectangle_of_impossible_rows_is_refused_with_the_range(rows: int) -> None:
    with pytest.raises(ValueError, match=f"rows is {rows}; .* 2 to 99"):
        rectangle(8, rows)
