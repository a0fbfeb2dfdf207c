"""The boards: their cells, names, neighbours, centres and rims."""

from itertools import combinations
from math import dist, hypot

import pytest

from game.rules.boards.board import Board, disc, hexagon, read_cell, rectangle
from tests.oracles.naive_circle import CELLS, NEIGHBOURS, bga_name

SEGMENTS = "abcdefgh"
DISC = {
    f"{segment}{ring}": {f"{segment}{near}" for near in (ring - 1, ring + 1) if 1 <= near <= 4}
    | {f"{SEGMENTS[(n + step) % 8]}{ring}" for step in (-1, 1)}
    for n, segment in enumerate(SEGMENTS)
    for ring in (1, 2, 3, 4)
}
RECTANGLE = {
    f"{column}{row}": {f"{column}{near}" for near in (row - 1, row + 1) if 1 <= near <= 11}
    | {
        f"{chr(ord(column) + step)}{row}"
        for step in (-1, 1)
        if "A" <= chr(ord(column) + step) <= "H"
    }
    for row in range(1, 12)
    for column in "ABCDEFGH"
}


def clockwise(cells: tuple[str, ...], board: Board) -> bool:
    """Return whether each cell touches the next, turning right about the middle."""
    turns = []
    for one, other in zip(cells, cells[1:] + cells[:1], strict=True):
        (x1, y1), (x2, y2) = board.centres[one], board.centres[other]
        turns.append(other in board.neighbours[one] and x1 * y2 - y1 * x2 > 0)
    return all(turns)


@pytest.mark.parametrize(
    ("board", "neighbours", "rim"),
    [
        (disc(), DISC, "h4 a4 b4 c4 d4 e4 f4 g4"),
        (rectangle(), RECTANGLE, "A11 B11 C11 D11 E11 F11 G11 H11 H10"),
        (hexagon(5), {cell: NEIGHBOURS[cell] for cell in CELLS}, "i1 i2 i3 i4 i5 h6"),
    ],
    ids=["disc", "rectangle", "hexagon"],
)
def test_cells_neighbours_and_rim_are_those_of_the_names(board, neighbours, rim):
    assert list(board.cells) == list(neighbours)
    assert {cell: set(board.neighbours[cell]) for cell in board.cells} == neighbours
    assert board.rim[: len(rim.split())] == tuple(rim.split())
    assert clockwise(board.rim, board)
    if not board.rings:
        most = max(map(len, neighbours.values()))
        assert set(board.rim) == {cell for cell in neighbours if len(neighbours[cell]) < most}


@pytest.mark.parametrize("board", [rectangle(), hexagon(5)], ids=["rectangle", "hexagon"])
def test_centres_of_neighbours_are_one_apart_and_of_others_farther(board):
    for one, here in board.centres.items():
        for other, there in board.centres.items():
            if other in board.neighbours[one]:
                assert dist(here, there) == pytest.approx(1)
            elif other != one:
                assert dist(here, there) > 1.4


def test_centres_have_the_first_row_at_the_bottom_and_the_first_segment_at_the_top():
    assert hexagon(5).centres["a1"] == (pytest.approx(-2), pytest.approx(2 * 3**0.5))
    assert hexagon(5).centres["a2"][0] == pytest.approx(-1)
    assert rectangle().centres["A1"] == (-3.5, 5.0)
    assert rectangle().centres["H11"] == (3.5, -5.0)
    x, y = disc().centres["a1"]
    assert (x, y < 0) == (pytest.approx(0), True)
    for ring in "1234":
        assert clockwise(tuple(segment + ring for segment in SEGMENTS), disc())


@pytest.mark.parametrize("segments", range(3, 27))
def test_disc_of_any_size_has_room_and_a_rim_from_the_top_left(segments):
    board = disc(3, segments)
    pairs = combinations(board.centres.values(), 2)
    assert all(dist(here, there) >= 1 - 1e-9 for here, there in pairs)
    assert hypot(*board.centres["b3"]) - hypot(*board.centres["b2"]) == pytest.approx(1)
    x, y = board.centres[board.rim[0]]
    assert y - 1e-9 <= x <= 1e-9
    before_x, before_y = board.centres[board.rim[-1]]
    assert before_x < before_y or before_y > 0


def test_rectangles_and_hexagons_of_any_size_have_all_their_cells_and_their_whole_rim():
    for columns, rows in ((2, 2), (2, 99), (26, 2)):
        board = rectangle(columns, rows)
        assert len(set(board.cells)) == columns * rows
        assert len(set(board.rim)) == len(board.rim) == 2 * (columns + rows) - 4
    for side in range(2, 14):
        cells = hexagon(side).cells
        assert len(cells) == 3 * side * (side - 1) + 1
        assert [read_cell(cell, side) for cell in cells] == list(cells)
        assert len(hexagon(side).rim) == 6 * (side - 1)


@pytest.mark.parametrize(
    ("build", "size", "why"),
    [
        (hexagon, (1,), "side is 1; .* 2 to 13"),
        (hexagon, (14,), "side is 14; .* 2 to 13"),
        (disc, (21,), "rings is 21; .* 1 to 20"),
        (disc, (4, 2), "segments is 2; .* 3 to 26"),
        (rectangle, (27,), "columns is 27; .* 2 to 26"),
        (rectangle, (8, 100), "rows is 100; .* 2 to 99"),
    ],
)
def test_a_size_out_of_range_is_refused_with_the_range(build, size, why):
    with pytest.raises(ValueError, match=why):
        build(*size)


def test_both_notations_of_a_hexagon_are_read_and_nothing_else():
    for cell in CELLS:
        assert read_cell(cell, 5) == read_cell(bga_name(cell), 5) == cell
    wrong = ["", "e", "e0", "e05", "e5 ", "e5\n", "ee5", "e-5", "j1", "a6", "e\u0665", "\uff455"]
    wrong += ["E9", "I3", "J0", "E-1", "E10", "E\u0664", "E04"]
    assert [text for text in wrong if read_cell(text, 5)] == []
