"""The chain of pixels: what is cut from a strip, what is bought single, and wires between them."""

from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

import pytest

from hal.profile import built_in
from hal.profile.geometry import Point
from hardware.kit.electric.chain import Kind, links, pieces, places, way_mm
from hardware.kit.layout import Layout, Light
from tests.helpers.kits.boards import VARIED, layout_of, layout_of_profile, permuted

BOARDS = VARIED


def row(*at: Point) -> Layout:
    """Lay a hexagon's pixels at these places, in this order."""
    layout = layout_of("hexagon-61")
    lights = tuple(Light(number, f"light.{number}", place) for number, place in enumerate(at))
    pixels = MappingProxyType({light.name: light.pixel for light in lights})
    profile = replace(layout.profile, pixel_count=len(at), pixels=pixels)
    return replace(layout, profile=profile, lights=lights)


def spaced(step: float, count: int) -> list[Point]:
    return [Point(step * n, 0) for n in range(count)]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seed", [None, 1])
def test_pieces_have_each_pixel_once_and_in_order(board, seed):
    profile = built_in(board)
    layout = layout_of(board) if seed is None else layout_of_profile(permuted(profile, seed))
    found = pieces(layout)
    assert [pixel for piece in found for pixel in piece.pixels] == list(range(profile.pixel_count))
    assert [at for piece in found for at in piece.places] == list(places(layout))
    for piece in found:
        assert piece.last == piece.pixels[-1]
        assert (piece.kind is Kind.SINGLE) <= (len(piece.places) == 1)


@pytest.mark.parametrize("board", BOARDS)
def test_pieces_of_strip_are_straight_and_their_pixels_where_the_strip_has_them(board):
    for piece in pieces(layout_of(board)):
        if piece.kind is Kind.SINGLE:
            assert piece.length_mm == 0
            continue
        first, last = piece.places[0], piece.places[-1]
        count = len(piece.places)
        assert piece.length_mm == pytest.approx(count * piece.kind.spacing_mm)
        for number, at in enumerate(piece.places):
            share = number / (count - 1)
            straight = Point(
                first.x + share * (last.x - first.x), first.y + share * (last.y - first.y)
            )
            assert at.distance(straight) < 0.01
        assert abs(first.distance(last) - (count - 1) * piece.kind.spacing_mm) <= 1


def test_pieces_of_the_hexagon_are_its_rows_and_score_bars():
    found = [(piece.kind, len(piece.places)) for piece in pieces(layout_of("hexagon-61"))]
    rows = [(Kind.STRIP_30, length) for length in (5, 6, 7, 8, 9, 8, 7, 6, 5)]
    singles = [(Kind.SINGLE, 1)]
    assert found == rows + 12 * singles + 2 * [(Kind.STRIP_60, 20)] + 4 * singles


def test_pieces_end_where_the_row_bends():
    # The next row begins as far away as its pixels are, but in another direction.
    turn = [*spaced(33.3, 3), Point(2 * 33.3, 33.3), Point(33.3, 33.3)]
    assert [len(piece.places) for piece in pieces(row(*turn))] == [3, 2]
    # A strip does not bend sideways, not even by a little: here 3.4 degrees.
    slightly = [*spaced(33.3, 3), Point(2 * 33.3 + 33.24, 2)]
    assert [len(piece.places) for piece in pieces(row(*slightly))] == [3, 1]
    back = [*spaced(33.3, 3), Point(33.3, 0)]
    assert [len(piece.places) for piece in pieces(row(*back))] == [3, 1]


def test_pieces_end_where_pixels_would_miss_their_holes():
    exact = pieces(row(*spaced(1000 / 30, 60)))
    assert [len(piece.places) for piece in exact] == [60]
    # 0.1 mm too near, each: half a millimetre off at both ends after ten steps.
    near = pieces(row(*spaced(1000 / 30 - 0.1, 23)))
    assert [len(piece.places) for piece in near] == [11, 11, 1]
    assert {piece.kind for piece in pieces(row(*spaced(40, 5)))} == {Kind.SINGLE}


def test_pixel_that_lights_nothing_is_in_the_chain():
    layout = row(*spaced(33.3, 4))
    profile = replace(layout.profile, pixel_count=6)
    layout = replace(layout, profile=profile, lights=(layout.lights[1], *layout.lights[3:]))
    here = places(layout)
    assert here == (Point(33.3, 0),) * 3 + (Point(3 * 33.3, 0),) * 3
    assert [pixel for piece in pieces(layout) for pixel in piece.pixels] == list(range(6))


@pytest.mark.parametrize("board", BOARDS)
def test_links_join_each_pixel_with_the_one_before(board):
    layout = layout_of(board)
    found = links(layout)
    assert [link.pixel for link in found] == list(range(1, layout.profile.pixel_count))
    for link, (before, here) in zip(found, pairwise(places(layout)), strict=True):
        if link.kind is Kind.SINGLE:
            assert link.length_mm == way_mm(before, here)
        else:
            assert link.length_mm == pytest.approx(before.distance(here), abs=0.5)
