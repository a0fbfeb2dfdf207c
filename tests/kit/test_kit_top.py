"""The printed top: everything is there, in its place, and nothing lies on anything else."""

from functools import cache

import pytest

from game.maker.kit.artwork import artwork
from game.play.board_mapping import graph_of
from hardware.kit.drawing import Circle, Drawing, Label, Path
from hardware.kit.plates.chambers import edge_of
from hardware.kit.plates.regions import Region
from hardware.kit.printed.artwork import Artwork
from hardware.kit.printed.top import top
from tests.helpers.kits.boards import VARIED, layout_of
from tests.helpers.kits.regions import Near, labels_of, marks_of, nearest_mm, region_of, regions_of

BOARDS = VARIED
boards = pytest.mark.parametrize("name", BOARDS)

WORDS = ("name", "word", "number", "badge-name", "sign-letter")
SOLID = ("stone", "chevron", "arrow", "arrow-head", "sign-small")
"""What no text and no window may touch, besides other texts and windows."""


@cache
def artwork_of(name: str) -> Artwork:
    layout = layout_of(name)
    graph = graph_of(layout.profile)
    assert graph is not None
    return artwork(layout.profile, graph)


@cache
def top_of(name: str) -> Drawing:
    return top(layout_of(name), artwork_of(name))


def windows(drawing: Drawing) -> list[Circle]:
    shapes = [mark.shape for mark in marks_of(drawing, "window")]
    assert all(isinstance(shape, Circle) for shape in shapes)
    return [shape for shape in shapes if isinstance(shape, Circle)]


@boards
def test_top_leaves_the_place_of_each_light_without_ink(name: str) -> None:
    layout, drawing = layout_of(name), top_of(name)

    open_at = windows(drawing)
    assert {each.centre for each in open_at} == {light.at for light in layout.lights}
    assert len(open_at) == len(layout.lights)
    assert all(each.diameter_mm >= layout.geometry.hole_mm for each in open_at)
    assert {mark.style.fill for mark in marks_of(drawing, "window")} == {"#ffffff"}
    # What is drawn after a window lies above it.
    drawn = [(mark.style.name, Near(region_of(mark.shape))) for mark in drawing.marks]
    for number, (style, window) in enumerate(drawn):
        later = (each for _, each in drawn[number + 1 :] if each.close_to(window))
        if style == "window":
            assert not any(each.region.meets(window.region) for each in later)


@boards
def test_top_puts_no_text_on_another_or_on_a_window_or_a_sign(name: str) -> None:
    drawing = top_of(name)
    texts = [region_of(label) for label in labels_of(drawing)]
    assert {mark.style.name for mark in drawing.marks if isinstance(mark.shape, Label)} <= set(
        WORDS
    )

    assert nearest_mm(texts) > 0.3
    solid = Region.joined(regions_of(drawing, "window", "hole", *SOLID))
    for label, text in zip(labels_of(drawing), texts, strict=True):
        assert text.distance(solid) > 0.2, label.text


@boards
def test_top_stays_within_the_edge(name: str) -> None:
    layout, drawing = layout_of(name), top_of(name)

    inside = Region.of(edge_of(layout)).grown(-2.4)
    for mark in drawing.marks:
        if mark.style.name not in ("edge", "rim"):
            assert inside.covers(region_of(mark.shape)), mark
    (edge,) = marks_of(drawing, "edge")
    assert edge.shape == Path(edge_of(layout), closed=True)


@boards
def test_top_names_each_cell_within_it_and_beside_its_pad(name: str) -> None:
    layout, drawing = layout_of(name), top_of(name)

    names = [m.shape for m in marks_of(drawing, "name") if isinstance(m.shape, Label)]
    assert sorted(label.text for label in names) == sorted(layout.cells)
    for label in names:
        cell = layout.cells[label.text]
        assert Region.of(cell.outline).grown(-1).covers(region_of(label))
        pad = Region.disc(cell.at, layout.geometry.pad_mm)
        assert not pad.meets(region_of(label)), label.text


@boards
def test_top_names_each_key_and_cuts_a_hole_for_each_button_and_screw(name: str) -> None:
    layout, drawing, art = layout_of(name), top_of(name), artwork_of(name)

    said = [m.shape for m in marks_of(drawing, "word") if isinstance(m.shape, Label)]
    for key, at in {**layout.sensors, **layout.buttons}.items():
        if key in layout.cells:
            continue
        own = [label for label in said if label.text == art.names[key]]
        assert len(own) == 1
        assert own[0].at.distance(at.at) < 14
    holes = [mark.shape for mark in marks_of(drawing, "hole")]
    wanted = [Circle(button.at, 12.2) for button in layout.buttons.values()]
    assert holes == [*wanted, *(Circle(at, 3.2) for at in layout.screws)]
