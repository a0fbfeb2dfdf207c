"""DXF read back and measured."""

from collections.abc import Iterator
from io import StringIO
from typing import Any

import ezdxf
import pytest
from ezdxf import bbox
from ezdxf.colors import BYLAYER
from ezdxf.entities import DXFEntity
from ezdxf.entitydb import EntityDB

from hal.geometry import Point
from hardware.kit.drawing import Anchor, Arc, Area, Box, Circle, Drawing, Label, Path, Style
from hardware.kit.errors import KitError
from hardware.kit.files.dxf import to_dxf
from tests.helpers.kits.trial import CUT, ENGRAVE, INK, TEXT, made_elsewhere, square, trial


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


def test_dxf_has_the_extents_of_the_drawing() -> None:
    document = read(trial())

    assert document.header["$EXTMIN"] == (-80, -60, 0)
    assert document.header["$EXTMAX"] == (120, 80, 0)
    around = bbox.extents(document.modelspace().query("LWPOLYLINE CIRCLE ARC"))
    assert tuple(around.extmin)[:2] == pytest.approx((-75, -55), abs=1e-6)
    assert tuple(around.extmax)[:2] == pytest.approx((115, 75), abs=1e-6)


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


@pytest.mark.parametrize(
    ("colour", "number"),
    [
        ("#ff0000", 1),
        ("#e00000", 1),
        ("#b3261e", 1),
        ("#ffd700", 2),
        ("#006600", 3),
        ("#00c0c0", 4),
        ("#0000ff", 5),
        ("#2b62b8", 5),
        ("#1f5fa8", 5),
        ("#c000c0", 6),
        ("#e00010", 1),
        ("#000000", 7),
        ("#222222", 7),
        ("#333344", 7),
        ("#ffffff", 7),
    ],
)
def test_dxf_colours_are_numbered_for_old_programs_too(colour: str, number: int) -> None:
    drawing = Drawing("Colours", Box(0, 0, 100, 100))
    drawing.add(Style("first", "#ff0000" if number != 1 else "#0000ff"), Circle(Point(5, 5), 5))
    drawing.add(Style("first", colour), Circle(Point(5, 5), 5))
    drawing.add(Style("second", colour), Circle(Point(5, 5), 5))
    document = read(drawing)

    assert document.layers.get("second").color == number
    first, own, second = (entity.dxf.color for entity in document.modelspace())
    assert (first, own, second) == (BYLAYER, number, BYLAYER)


def test_dxf_has_no_texts_among_lines_of_one_layer() -> None:
    drawing = Drawing("Words", Box(0, 0, 100, 100))
    drawing.add(Style("engrave"), Circle(Point(5, 5), 5), Label("a", Point(1, 1), 2))
    drawing.add(Style("engrave", None, fill="#008000"), Label("b", Point(1, 1), 2))
    document = read(drawing)

    found = [(entity.dxftype(), entity.dxf.layer) for entity in document.modelspace()]
    assert found == [("CIRCLE", "engrave"), ("TEXT", "engrave words"), ("TEXT", "engrave words")]


def test_dxf_has_lines_only() -> None:
    kinds = {entity.dxftype() for entity in read(trial()).modelspace()}

    assert kinds == {"CIRCLE", "ARC", "LWPOLYLINE", "TEXT"}


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


def test_dxf_arc_all_around_is_a_circle() -> None:
    (arc,) = entities(Arc(Point(1, 2), 20, 90, 450))

    assert arc.dxftype() == "CIRCLE"


@pytest.mark.parametrize("closed", [False, True])
def test_dxf_path_goes_from_point_to_point(closed: bool) -> None:
    points = (Point(1, 2), Point(3, 4.5), Point(-5, 0))
    (line,) = entities(Path(points, closed))

    assert [tuple(point) for point in line.get_points("xy")] == [*points]
    assert line.closed is closed


def test_dxf_area_is_closed_lines_for_its_outline_and_holes() -> None:
    outline, holes = square(0, 0, 40), (square(5, 5, 10), square(20, 20, 15))

    found = entities(Area(outline, holes), style=INK)

    assert [[tuple(point) for point in line.get_points("xy")] for line in found] == [
        [*outline],
        *([*hole] for hole in holes),
    ]
    assert all(line.closed for line in found)


@pytest.mark.parametrize(
    ("anchor", "align"), [(Anchor.START, "LEFT"), (Anchor.MIDDLE, "CENTER"), (Anchor.END, "RIGHT")]
)
def test_dxf_label_is_anchored_and_turned(anchor: Anchor, align: str) -> None:
    (label,) = entities(Label("Über ½", Point(3, 4), 10, anchor, turn_deg=30), style=TEXT)

    assert label.dxf.text == "Über ½"
    placed, at, _ = label.get_placement()
    assert (placed.name, tuple(at)) == (align, (3, 4, 0))
    assert label.dxf.rotation == 30
    # The capitals of the font of the other files are so high.
    assert label.dxf.height == pytest.approx(7.29)


def test_dxf_dashed_lines_have_the_dashes_of_the_other_files() -> None:
    drawing = Drawing("Dashed", Box(0, 0, 100, 100))
    drawing.add(ENGRAVE, Path((Point(0, 0), Point(10, 0))))
    drawing.add(CUT, Path((Point(0, 0), Point(10, 0))))
    document = read(drawing)

    dashed, plain = document.modelspace()
    assert plain.dxf.linetype == "BYLAYER"
    lengths = document.linetypes.get(dashed.dxf.linetype).pattern_tags.tags
    assert [tag.value for tag in lengths if tag.code in (40, 49)] == [3.5, 2.0, -1.5]


def test_dxf_second_colour_of_a_name_is_that_of_its_lines() -> None:
    drawing = Drawing("Colours", Box(0, 0, 100, 100))
    for colour in ("#ff0000", "#00ff00", "#ff0000"):
        drawing.add(Style("cut", colour), Circle(Point(5, 5), 5))
    document = read(drawing)

    assert document.layers.get("cut").rgb == (255, 0, 0)
    assert [shown(entity) for entity in document.modelspace()] == [None, (0, 255, 0), None]


@pytest.mark.parametrize("fixed", [True, False])
def test_dxf_leaves_the_library_as_it_was(fixed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ezdxf.options, "write_fixed_meta_data_for_testing", fixed)

    to_dxf(trial())

    assert ezdxf.options.write_fixed_meta_data_for_testing is fixed


@pytest.mark.parametrize("box", [Box(0, 0, 0, 10), Box(0, 10, 10, 5), Box(0, 0, 9000, 10)])
def test_dxf_of_an_empty_or_endless_drawing_is_refused(box: Box) -> None:
    with pytest.raises(KitError, match='"Nothing" is'):
        to_dxf(Drawing("Nothing", box))


def test_dxf_is_the_same_in_each_process() -> None:
    first, second = (made_elsewhere("dxf.to_dxf(trial())", hash_seed) for hash_seed in (1, 2))

    assert first == second == to_dxf(trial())


def shown(entity: DXFEntity) -> Iterator[int] | None:
    """Give the colour that is not the layer's."""
    return entity.rgb  # type: ignore[attr-defined]


def test_dxf_does_not_hang_on_the_order_of_a_set(monkeypatch: pytest.MonkeyPatch):
    found = EntityDB.dxf_types_in_use
    files = []
    for backward in (False, True):
        monkeypatch.setattr(
            EntityDB,
            "dxf_types_in_use",
            lambda entities, backward=backward: sorted(found(entities), reverse=backward),
        )
        files.append(to_dxf(trial()))
    assert files[0] == files[1]
