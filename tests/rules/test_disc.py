"""The round board: its cells, their neighbours across rings and segments, and where they lie."""

from math import hypot

import pytest

from game.rules.boards.disc import disc
from tests.helpers.clockwise import clockwise

BOARD = disc()
SEGMENTS = "abcdefgh"
CELLS = [f"{segment}{ring}" for segment in SEGMENTS for ring in (1, 2, 3, 4)]


def touching(one: str, other: str) -> bool:
    """Return whether two cells of the disc share a side, from their names alone."""
    apart = abs(SEGMENTS.index(one[0]) - SEGMENTS.index(other[0]))
    rings = abs(int(one[1]) - int(other[1]))
    return (apart in (1, 7) and rings == 0) or (apart == 0 and rings == 1)


def test_disc_has_32_cells_by_segment_and_from_the_inside() -> None:
    assert list(BOARD.cells) == CELLS
    assert BOARD.shape == "disc"


def test_disc_neighbours_are_those_of_the_names() -> None:
    expected = {one: {other for other in CELLS if touching(one, other)} for one in CELLS}
    assert {cell: set(BOARD.neighbours[cell]) for cell in CELLS} == expected


def test_disc_segment_a_is_at_the_top_and_the_others_follow_clockwise() -> None:
    x, y = BOARD.centres["a1"]
    assert (x, y < 0) == (pytest.approx(0), True)
    assert BOARD.centres["c1"] == (pytest.approx(-y), pytest.approx(0))
    assert BOARD.centres["e1"] == (pytest.approx(0), pytest.approx(-y))
    for ring in "1234":
        assert clockwise(tuple(segment + ring for segment in SEGMENTS), BOARD)


@pytest.mark.parametrize("segments", [3, 8, 26])
def test_disc_cells_are_at_least_one_apart_and_rings_just_one(segments: int) -> None:
    board = disc(3, segments)
    for one, (x1, y1) in board.centres.items():
        for other, (x2, y2) in board.centres.items():
            assert one == other or hypot(x1 - x2, y1 - y2) >= 1 - 1e-9
    assert hypot(*board.centres["b3"]) - hypot(*board.centres["b2"]) == pytest.approx(1)


def test_disc_rim_is_the_outer_ring_clockwise_from_the_top_left() -> None:
    assert BOARD.rim == ("h4", "a4", "b4", "c4", "d4", "e4", "f4", "g4")
    assert clockwise(BOARD.rim, BOARD)


@pytest.mark.parametrize("segments", range(3, 27))
def test_disc_rim_of_any_size_begins_between_the_top_left_and_the_top(segments: int) -> None:
    board = disc(2, segments)
    x, y = board.centres[board.rim[0]]
    assert y - 1e-9 <= x <= 1e-9
    before_x, before_y = board.centres[board.rim[-1]]
    assert before_x < before_y or before_y > 0


@pytest.mark.parametrize("rings", [-1, 0, 21])
def test_disc_of_impossible_rings_is_refused_with_the_range(rings: int) -> None:
    with pytest.raises(ValueError, match=f"rings is {rings}; .* 1 to 20"):
        disc(rings)


@pytest.mark.parametrize("segments", [-1, 0, 2, 27])
def test_disc_of_impossible_segments_is_refused_with_the_range(segments: int) -> None:
    with pytest.raises(ValueError, match=f"segments is {segments}; .* 3 to 26"):
        disc(4, segments)
