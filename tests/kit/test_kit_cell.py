"""The picture of a cell cut through: it has the measures of the board that it belongs to."""

from dataclasses import replace

import pytest

from hardware.kit.drawing import Area, Drawing
from hardware.kit.plates.cell import section
from hardware.kit.plates.regions import Region
from tests.helpers.kits.boards import layout_of
from tests.helpers.kits.regions import labels_of, marks_of, nearest_mm, region_of

BOARDS = ("disc-32", "hexagon-37", "hexagon-61", "rectangle-88")


@pytest.mark.parametrize("name", BOARDS)
def test_section_says_the_measures_of_its_board(name: str) -> None:
    layout = layout_of(name)
    geometry = layout.geometry

    texts = " / ".join(label.text for label in labels_of(section(layout)))

    for said in (
        f"acrylic {geometry.cover_mm:g} mm",
        f"carrier {geometry.carrier_mm:g} mm",
        f"{geometry.air_mm:g} mm of air",
        f"hole {geometry.hole_mm:g} mm",
        f"pad {geometry.pad_mm:g} mm",
        f"gap to {geometry.guard_inner_mm:g} mm",
        f"guard to {geometry.guard_outer_mm:g} mm",
    ):
        assert said in texts


@pytest.mark.parametrize("name", BOARDS)
def test_section_keeps_its_words_apart_and_on_the_page(name: str) -> None:
    drawing = section(layout_of(name))
    words = [region_of(label) for label in labels_of(drawing)]

    assert nearest_mm(words) > 0.3
    page = Region.box(drawing.box)
    assert all(page.covers(region_of(mark.shape)) for mark in drawing.marks)


def test_section_changes_with_the_board() -> None:
    layout = layout_of("hexagon-61")
    geometry = replace(layout.geometry, cover_mm=4, air_mm=40, pitch_mm=40)

    thin, thick = section(layout), section(replace(layout, geometry=geometry))

    assert _height(thick, "cover") == pytest.approx(2 * _height(thin, "cover"))
    assert thick.box.height > thin.box.height
    assert thick.box.width > thin.box.width
    assert "cover, acrylic 4 mm" in [label.text for label in labels_of(thick)]


def test_section_leads_light_through_the_hole_and_the_wire_past_the_strip() -> None:
    drawing = section(layout_of("hexagon-61"))

    (light,) = (region_of(mark.shape) for mark in marks_of(drawing, "light"))
    solid = [region_of(m.shape) for m in marks_of(drawing, "wood") if isinstance(m.shape, Area)]
    assert not any(light.meets(part) for part in solid)
    assert light.extent.width == pytest.approx(4 * 4)
    wire = Region.joined(
        region_of(m.shape) for m in marks_of(drawing, "wire") if not isinstance(m.shape, Area)
    )
    strip = Region.joined(region_of(mark.shape) for mark in marks_of(drawing, "strip", "pixel"))
    assert wire.distance(strip) > 1


def _height(drawing: Drawing, layer: str) -> float:
    (mark,) = marks_of(drawing, layer)
    return region_of(mark.shape).extent.height
