"""Pictures of a circuit, made from its files."""

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from hal.geometry import Point
from hardware.kit.circuit.circuit import Note, Side
from hardware.kit.circuit.gerber import files
from hardware.kit.circuit.layers import Layer, file_name
from hardware.kit.circuit.picture import BARE, COVERED, HOLE, INK, MASK, drawing, pictures
from hardware.kit.drawing import Arc, Area, Box, Circle, Drawing, Mark, Path
from hardware.kit.errors import KitError
from tests.helpers.kits.circuits import small_circuit, whole_of

SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 400_000


def shapes(drawn: Drawing, name: str) -> list[object]:
    return [mark.shape for mark in drawn.marks if mark.style.name == name]


def test_picture_shows_both_sides_as_svg_in_true_size() -> None:
    drawn = pictures(files(small_circuit()))
    assert list(drawn) == ["top", "bottom"]
    for text in drawn.values():
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert (root.get("width"), root.get("height")) == ("76.000mm", "85.000mm")
    assert 'viewBox="-22.000 -47.000 76.000 85.000"' in drawn["top"]
    assert 'viewBox="-54.000 -47.000 76.000 85.000"' in drawn["bottom"]


def test_picture_of_the_bottom_is_that_of_a_board_turned_over() -> None:
    drawn = pictures(files(small_circuit()))
    assert '<g transform="scale(1 -1)">' in drawn["top"]
    assert '<g transform="scale(-1 -1)">' in drawn["bottom"]


def test_picture_of_a_whole_board_is_small_enough_for_a_page() -> None:
    for text in pictures(files(whole_of("hexagon-61"))).values():
        assert 10_000 < len(text.encode()) < MOST_BYTES


def test_picture_has_names_of_its_own_so_that_several_are_on_a_page() -> None:
    first = pictures(files(small_circuit()))
    second = pictures(files(replace(small_circuit(), name="other")))
    names = [
        name
        for drawn in (first, second)
        for text in drawn.values()
        for name in re.findall(r' id="([^"]+)"', text)
    ]
    assert len(names) == len(set(names)) == 4 * 4
    for text in first.values():
        used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text))
        assert {one or other for one, other in used} <= set(names)


def test_picture_has_nothing_that_a_page_would_fetch_or_run() -> None:
    for text in pictures(files(small_circuit())).values():
        assert not re.search(r"<script|<style|https?://(?!www\.w3\.org/2000/svg)", text)


def test_picture_is_that_of_the_files() -> None:
    written = files(small_circuit())
    name = file_name("small", Layer.BOTTOM_COPPER)
    changed = written | {name: written[name].replace(b"X0Y-18000000D01", b"X0Y-17000000D01")}
    assert changed != written
    before, after = pictures(written), pictures(changed)
    assert before["top"] == after["top"]
    assert before["bottom"] != after["bottom"]
    assert drawing(written, Side.BOTTOM).marks != drawing(changed, Side.BOTTOM).marks


@pytest.mark.parametrize("side", Side)
def test_picture_as_shapes_lies_in_its_box(side: Side) -> None:
    drawn = drawing(files(small_circuit()), side)
    drawn.check()
    left, right = (-22, 54) if side is Side.TOP else (-54, 22)
    assert drawn.box == Box(left, -38, right, 47)
    for mark in drawn.marks:
        for at in places(mark):
            assert drawn.box.left <= at.x <= drawn.box.right
            assert drawn.box.bottom <= at.y <= drawn.box.top


def places(mark: Mark) -> tuple[Point, ...]:
    match mark.shape:
        case Circle(centre, _) | Arc(centre, _, _, _):
            return (centre,)
        case Path(points, _):
            return points
        case Area(outline, _):
            return outline
    raise AssertionError(mark)


def test_picture_as_shapes_has_the_pads_of_the_top() -> None:
    drawn = drawing(files(small_circuit()), Side.TOP)
    covered = [mark.shape for mark in drawn.marks if mark.style.stroke == COVERED]
    rings = [shape for shape in covered if isinstance(shape, Circle)]
    assert sorted((ring.centre, ring.diameter_mm) for ring in rings) == [
        (Point(0, 0), 11.5),
        (Point(0, 0), 25),
        (Point(16.65, 28.838), 25),
        (Point(33.3, 0), 11.5),
        (Point(33.3, 0), 25),
    ]
    assert Circle(Point(16.65, 28.838), 18) in shapes(drawn, "copper")
    assert shapes(drawn, "bare") == []


def test_picture_as_shapes_has_the_pins_of_the_bottom_in_gold_and_mirrored() -> None:
    drawn = drawing(files(small_circuit()), Side.BOTTOM)
    bare = shapes(drawn, "bare")
    middles = sorted(
        sum(at.x for at in area.outline) / len(area.outline)
        for area in bare
        if isinstance(area, Area)
    )
    assert middles == pytest.approx([-18.16, -15.62, -13.08, -10.54, -8], abs=0.2)
    assert {mark.style.fill for mark in drawn.marks if mark.style.name == "bare"} == {BARE}


def test_picture_as_shapes_has_holes_in_the_colour_of_paper() -> None:
    drawn = drawing(files(small_circuit()), Side.BOTTOM)
    holes = [mark for mark in drawn.marks if mark.style.name == "hole"]
    assert {mark.style.fill for mark in holes} == {HOLE}
    assert {shape for shape in shapes(drawn, "hole") if isinstance(shape, Circle)} == {
        Circle(Point(0, 0), 4),
        Circle(Point(-33.3, 0), 4),
        Circle(Point(14, -24), 3.2),
    }
    assert shapes(drawn, "board") != []
    assert drawn.marks[0].style.fill == MASK


def test_picture_as_shapes_keeps_arcs_that_are_no_circles_and_mirrors_them() -> None:
    written = files(small_circuit())
    quarter = b"%LPD*%\nG03*\nD11*\nX40000000Y30000000D02*\nX35000000Y35000000I-5000000J0D01*\nM02*"
    for side, layer, turns in (
        (Side.TOP, Layer.TOP_COPPER, (0, 90)),
        (Side.BOTTOM, Layer.BOTTOM_COPPER, (90, 180)),
    ):
        name = file_name("small", layer)
        drawn = drawing(written | {name: written[name].replace(b"M02*", quarter)}, side)
        (arc,) = (shape for shape in shapes(drawn, "copper") if isinstance(shape, Arc))
        assert arc.centre == Point(35 if side is Side.TOP else -35, 30)
        assert (arc.diameter_mm, arc.start_deg, arc.end_deg) == (10, *turns)


def test_picture_as_shapes_reads_right_on_both_sides() -> None:
    for side in Side:
        circuit = replace(small_circuit(), notes=(Note("L", Point(-10, 30), 2.0, side),))
        drawn = drawing(files(circuit), side)
        middle = -10 if side is Side.TOP else 10
        lines = [
            shape.points
            for mark in drawn.marks
            if mark.style.stroke == INK and isinstance(shape := mark.shape, Path)
        ]
        near = [points for points in lines if abs(points[0].x - middle) < 3 and points[0].y > 20]
        (upright,) = {
            one.x
            for points in near
            for one, other in pairwise(points)
            if abs(one.x - other.x) < 1e-6
        }
        assert upright < middle


def test_picture_of_files_that_are_not_there_is_refused() -> None:
    with pytest.raises(KitError, match="Edge_Cuts"):
        pictures({})
    with pytest.raises(KitError, match="Edge_Cuts"):
        drawing({}, Side.TOP)
