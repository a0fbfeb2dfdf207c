"""The plate beside a printed circuit: the circuit fits into it, in one piece and as tiles.

And the words of plates: no cut goes through them.
"""

import pytest
from shapely import Polygon, unary_union

from hardware.kit.circuit.outlines import whole_outline
from hardware.kit.circuit.tiling import cut
from hardware.kit.drawing import Drawing, Label, Path
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.plates.laser import CUT, carrier, clear_caption, surround
from hardware.kit.plates.regions import Region
from tests.helpers.kits.boards import layout_of
from tests.helpers.kits.texts import text_box, unreadable

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


def plates_of(layout: Layout) -> tuple[Drawing, Drawing]:
    edges = [whole_outline(layout), *(tile.outline for tile in cut(layout, 100.0))]
    return surround(layout, *edges), carrier(layout)


@pytest.mark.parametrize("name", BOARDS)
def test_words_of_plates_lie_on_them_and_clear_of_every_cut(name: str):
    for drawing in plates_of(layout_of(name)):
        cuts = Drawing(drawing.title, drawing.box)
        cuts.marks += [
            mark for mark in drawing.marks if mark.style == CUT or isinstance(mark.shape, Label)
        ]
        (label,) = (mark.shape for mark in cuts.marks if isinstance(mark.shape, Label))
        assert label.text.startswith(f"{name}: ")
        assert unreadable(cuts) == []
    room = opening(plates_of(layout_of(name))[0])
    (label,) = (m.shape for m in plates_of(layout_of(name))[0].marks if isinstance(m.shape, Label))
    assert room.intersection(text_box(label)).area == 0


def test_words_that_find_no_place_are_refused():
    layout = layout_of("hexagon-37")
    strip = Region.box(layout.box) - Region.box(layout.box.grown(-4))
    with pytest.raises(KitError, match="find no place on their plate: allowed is a board with mor"):
        clear_caption(layout, "surround", strip)
