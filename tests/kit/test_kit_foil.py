"""The template of the foil: pads, tails, guards and holes, on all boards that ship."""

from dataclasses import replace

import pytest

from hardware.kit.drawing import Circle, Path
from hardware.kit.electric.chain import pieces
from hardware.kit.errors import KitError
from hardware.kit.plates.chambers import BASE_HOLE_MM, chambers, edge_of, light_holes, lying
from hardware.kit.plates.copper import WIRE_HOLE_MM, copper
from hardware.kit.plates.regions import Region
from tests.helpers.kits.boards import KINDS, layout_of
from tests.helpers.kits.regions import (
    copper_of,
    foil_of,
    marks_of,
    nearest_mm,
)

boards = pytest.mark.parametrize("name", KINDS)


@boards
def test_copper_has_one_pad_for_each_sensor_with_its_light_in_the_middle(name: str) -> None:
    layout = layout_of(name)
    sheet = copper_of(name)

    assert list(sheet.pads) == list(layout.sensors)
    for sensor in layout.sensors.values():
        region = sheet.pads[sensor.name].region
        assert len(region.pieces) == 1
        assert region.covers(
            Region.disc(sensor.at, layout.geometry.pad_mm) - Region.disc(sensor.at, 5)
        )
        assert region.contains(sensor.at) is not sensor.lit


@boards
def test_copper_of_the_guards_is_one_piece_and_no_closed_turn(name: str) -> None:
    layout = layout_of(name)
    guards = copper_of(name).guards

    (area,) = guards.areas
    (hole,) = area.holes
    wide = Region.of(hole).extent.width
    assert wide == pytest.approx(WIRE_HOLE_MM, abs=0.01), "the only hole is that of a wire"
    for sensor in layout.sensors.values():
        ring = Region.disc(sensor.at, layout.geometry.guard_outer_mm) - Region.disc(
            sensor.at, layout.geometry.guard_inner_mm
        )
        # More than half of each ring is there, and no ring is whole.
        assert 0.5 * ring.size_mm2 < (guards & ring).size_mm2 < 0.95 * ring.size_mm2


@boards
def test_copper_of_two_nets_is_a_millimetre_apart(name: str) -> None:
    sheet = copper_of(name)

    nets = [sheet.guards, *(pad.region for pad in sheet.pads.values())]

    assert nearest_mm(nets) >= 1.0


@boards
def test_copper_keeps_clear_of_screws_buttons_and_lone_lights(name: str) -> None:
    layout = layout_of(name)
    sheet = copper_of(name)
    pads = {sensor.at for sensor in layout.sensors.values()}
    others = [Region.disc(at, 3.2) for at in layout.screws]
    others += [Region.disc(button.at, 12.2) for button in layout.buttons.values()]
    others += [
        Region.disc(at, layout.geometry.hole_mm) for at in light_holes(layout) if at not in pads
    ]
    free = Region.joined(others)

    for region in (sheet.guards, *(pad.region for pad in sheet.pads.values())):
        assert region.distance(free) >= 1.0
        assert Region.of(edge_of(layout)).grown(-1).covers(region)


@boards
def test_copper_leads_each_wire_straight_down_beside_walls_and_strips(name: str) -> None:
    layout = layout_of(name)
    sheet = copper_of(name)
    rooms = chambers(layout)
    strips = Region.joined(lying(piece) for piece in pieces(layout))

    for pad in sheet.pads.values():
        hole = Region.disc(pad.wire, BASE_HOLE_MM)
        assert rooms[pad.sensor.name].covers(hole)
        assert not strips.meets(hole)
        assert (Region.disc(pad.wire, 4.5) - Region.disc(pad.wire, 2.1) - pad.region).size_mm2 < 0.1
    assert not strips.meets(Region.disc(sheet.ground, BASE_HOLE_MM))
    land = Region.disc(sheet.ground, 4.5) - Region.disc(sheet.ground, 2.1)
    assert (land & sheet.guards).size_mm2 > 0.7 * land.size_mm2


@boards
def test_foil_has_closed_lines_to_cut_that_are_just_the_copper(name: str) -> None:
    drawing = foil_of(name)
    sheet = copper_of(name)

    cut = [mark.shape for mark in marks_of(drawing, "cut")]
    copper_areas = [*sheet.guards.areas]
    copper_areas += [area for pad in sheet.pads.values() for area in pad.region.areas]
    assert cut == copper_areas


@boards
def test_foil_says_where_to_drill_and_where_the_board_ends(name: str) -> None:
    layout = layout_of(name)
    drawing = foil_of(name)

    drills = [mark.shape for mark in marks_of(drawing, "drill")]
    wanted = [Circle(at, layout.geometry.hole_mm) for at in light_holes(layout)]
    wanted += [Circle(at, WIRE_HOLE_MM) for at in copper_of(name).wires]
    wanted += [Circle(at, 3.2) for at in layout.screws]
    wanted += [Circle(button.at, 12.2) for button in layout.buttons.values()]
    assert sorted(map(repr, drills)) == sorted(map(repr, wanted))
    (edge,) = marks_of(drawing, "edge")
    assert edge.shape == Path(edge_of(layout), closed=True)


def test_copper_refuses_a_pad_without_room_for_its_wire() -> None:
    layout = layout_of("rectangle-88")
    geometry = replace(layout.geometry, pad_mm=30, gap_mm=0.4, guard_mm=1)

    with pytest.raises(KitError, match=r"wire .* finds no place .* allowed"):
        copper(replace(layout, geometry=replace(geometry, pitch_mm=20)))
