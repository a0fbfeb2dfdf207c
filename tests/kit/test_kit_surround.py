"""The plate beside a printed circuit: the circuit fits into it, in one piece and as tiles."""

import pytest
from kit_boards import layout_of
from shapely import Polygon, unary_union

from hardware.kit.circuit.outlines import whole_outline
from hardware.kit.circuit.tiling import cut
from hardware.kit.drawing import Drawing, Path
from hardware.kit.layout import Layout
from hardware.kit.plates.laser import surround

BOARDS = ("hexagon-61", "hexagon-37", "disc-32", "rectangle-88")


def opening(drawing: Drawing) -> Polygon:
    """Give the largest thing that is cut out inside of the board's edge."""
    cuts = [
        Polygon(mark.shape.points)
        for mark in drawing.marks
        if mark.style.name == "cut" and isinstance(mark.shape, Path)
    ]
    return sorted(cuts, key=lambda shape: shape.area)[-2]


def tiles_of(layout: Layout) -> list[Polygon]:
    return [Polygon(tile.outline) for tile in cut(layout, 100.0)]


@pytest.mark.parametrize("name", BOARDS)
def test_surround_takes_a_circuit_in_one_piece_and_as_tiles(name: str):
    layout = layout_of(name)
    whole, tiles = whole_outline(layout), cut(layout, 100.0)
    room = opening(surround(layout, whole, *(tile.outline for tile in tiles)))
    for shape in (Polygon(whole), *tiles_of(layout)):
        assert shape.difference(room).area < 0.01
        assert room.exterior.distance(shape.exterior) > 0.1


@pytest.mark.parametrize("name", BOARDS)
def test_surround_of_one_piece_alone_would_not_take_the_tiles(name: str):
    layout = layout_of(name)
    room = opening(surround(layout, whole_outline(layout)))
    assert unary_union(tiles_of(layout)).difference(room).area > 10
