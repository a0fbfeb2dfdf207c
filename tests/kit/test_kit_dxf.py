"""DXF read back and measured."""

from io import StringIO
from typing import Any

import ezdxf
import pytest

from hal.profile.geometry import Point
from hardware.kit.drawing import Arc, Area, Box, Circle, Drawing, Style
from hardware.kit.files.dxf import to_dxf
from tests.helpers.kits.trial import CUT, INK, square, trial


def read(drawing: Drawing) -> Any:
    return ezdxf.read(StringIO(to_dxf(drawing).decode().replace("\r\n", "\n")))


def entities(*shapes: Any, style: Style = CUT) -> list[Any]:
    drawing = Drawing("Some", Box(0, 0, 100, 100))
    drawing.add(style, *shapes)
    return list(read(drawing).modelspace())


def test_dxf_has_no_faults() -> None:
    audit = read(trial()).audit()

    assert not audit.errors
    assert not audit.fixes


def test_dxf_is_r2010_in_millimetres() -> None:
    document = read(trial())

    assert document.dxfversion == "AC1024"
    assert document.header["$INSUNITS"] == 4
    assert document.header["$MEASUREMENT"] == 1


def test_dxf_has_a_layer_of_its_colour_for_each_name() -> None:
    document = read(trial())
    names = ("cut", "engrave", "ink", "text words")

    colours = {name: document.layers.get(name).rgb for name in names}
    assert colours == {
        "cut": (255, 0, 0),
        "engrave": (0, 0, 255),
        "ink": (0, 0, 0),
        "text words": (0, 102, 0),
    }
    assert {layer.dxf.name for layer in document.layers} == {"0", "Defpoints", *colours}
    marks = [mark.layer for mark in trial().marks if not isinstance(mark.shape, Area)]
    found = [entity.dxf.layer for entity in document.modelspace()]
    assert [layer for layer in found if layer != "ink"] == [n for n in marks if n != "ink"]


def test_dxf_circle_of_50_mm_is_50_mm() -> None:
    (circle,) = entities(Circle(Point(12.5, -30), 50))

    assert tuple(circle.dxf.center) == (12.5, -30, 0)
    assert circle.dxf.radius == 25


@pytest.mark.parametrize(("start", "end"), [(30, 150), (300, 60), (-90, 90), (90, 0)])
def test_dxf_arc_goes_counter_clockwise_from_start_to_end(start: float, end: float) -> None:
    (arc,) = entities(Arc(Point(1, 2), 20, start, end))

    assert arc.dxf.radius == 10
    assert arc.dxf.start_angle % 360 == pytest.approx(start % 360)
    assert arc.dxf.end_angle % 360 == pytest.approx(end % 360)


def test_dxf_area_is_closed_lines_for_its_outline_and_holes() -> None:
    outline, holes = square(0, 0, 40), (square(5, 5, 10), square(20, 20, 15))

    found = entities(Area(outline, holes), style=INK)

    assert [[tuple(point) for point in line.get_points("xy")] for line in found] == [
        [*outline],
        *([*hole] for hole in holes),
    ]
    assert all(line.closed for line in found)
