"""SVG measured: by its numbers, and by its pixels, which are those of the PDF."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import pytest

from hal.profile.geometry import Point
from hardware.kit.drawing import (
    Anchor,
    Arc,
    Area,
    Box,
    Circle,
    Drawing,
    Label,
    Path,
    Style,
)
from hardware.kit.errors import KitError
from hardware.kit.files.svg import to_svg
from tests.helpers.kits.trial import CUT, TEXT, square, trial

SVG = "{http://www.w3.org/2000/svg}"


def read(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(to_svg(drawing))


def drawn(*shapes: Any, style: Style = CUT) -> ElementTree.Element:
    """Give the one element that these shapes become."""
    drawing = Drawing("One", Box(0, 0, 100, 100))
    drawing.add(style, *shapes)
    (group,) = read(drawing).findall(f"{SVG}g")
    (element,) = group
    return element


def test_svg_is_as_large_in_mm_as_the_drawing() -> None:
    root = read(trial())

    assert root.get("width") == "200mm"
    assert root.get("height") == "140mm"


def test_svg_has_a_unit_of_1_mm_and_the_upper_left_of_the_box() -> None:
    assert read(trial()).get("viewBox") == "-80 -80 200 140"


def test_svg_puts_a_circle_at_its_place_with_y_down() -> None:
    circle = drawn(Circle(Point(12.5, 30), 50))

    assert circle.tag == f"{SVG}circle"
    assert (circle.get("cx"), circle.get("cy"), circle.get("r")) == ("12.5", "-30", "25")


def test_svg_path_goes_from_point_to_point() -> None:
    points = (Point(1, 2), Point(3.12344, 4), Point(-0.00001, 0))

    assert drawn(Path(points)).get("d") == "M1 -2 L3.1234 -4 L0 0"
    assert drawn(Path(points, closed=True)).get("d") == "M1 -2 L3.1234 -4 L0 0 Z"


def test_svg_area_is_one_path_with_its_holes_left_out() -> None:
    area = drawn(Area(square(0, 0, 4), (square(1, 1, 1), square(2, 2, 1))))

    assert area.get("d") == (
        "M0 0 L4 0 L4 -4 L0 -4 Z M1 -1 L2 -1 L2 -2 L1 -2 Z M2 -2 L3 -2 L3 -3 L2 -3 Z"
    )
    assert read(trial()).get("fill-rule") == "evenodd"


@pytest.mark.parametrize("anchor", list(Anchor))
def test_svg_label_is_anchored_and_turned(anchor: Anchor) -> None:
    label = drawn(Label("Über <&> 1", Point(3, 4), 5, anchor, turn_deg=30, bold=True), style=TEXT)

    assert label.text == "Über <&> 1"
    assert (label.get("x"), label.get("y"), label.get("font-size")) == ("3", "-4", "5")
    assert label.get("text-anchor") == anchor.value
    assert label.get("transform") == "rotate(-30 3 -4)"
    assert label.get("font-weight") == "bold"
    assert label.get("fill") == "#006600"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Circle(Point(0, 0), 0), "the diameter of a circle is 0 mm: allowed is more"),
        (lambda: Circle(Point(0, 0), -2.5), "the diameter of a circle is -2.5 mm"),
        (lambda: Arc(Point(0, 0), 0, 0, 90), "the diameter of an arc is 0 mm"),
        (lambda: Path(()), "a path has 0 points: allowed are 2 and more"),
        (lambda: Path((Point(0, 0), Point(float("nan"), 1))), "a path goes to nan, 1"),
        (lambda: Area(square(0, 0, 9)[:2]), "an area has 2 points: allowed are 3 and more"),
        (lambda: Area(square(0, 0, 9), ((Point(1, 1),),)), "an area has 1 points"),
        (lambda: Label("A", Point(0, 0), 0), 'the size of the label "A" is 0 mm'),
    ],
)
def test_shapes_refuse_what_cannot_be_drawn(make: Callable[[], Any], says: str) -> None:
    with pytest.raises(KitError, match=says):
        make()
