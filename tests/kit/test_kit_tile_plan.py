"""The plan of the tiles, each with its name and its pads, and what the placement says of them."""

from functools import cache
from unittest.mock import patch

import pytest

from hardware.kit.circuit.circuit import Circuit
from hardware.kit.circuit.plan import tiles
from hardware.kit.circuit.router import Routing
from hardware.kit.diagram import placement
from hardware.kit.diagram.tile_plan import tile_plan
from hardware.kit.drawing import Area, Box, Drawing, Label
from hardware.kit.electric import feeds
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import slot_of
from hardware.kit.wiring import Build, wire
from tests.helpers.kits.boards import layout_of
from tests.helpers.kits.regions import region_of
from tests.helpers.kits.texts import text_box, unreadable

boards = pytest.mark.parametrize("name", ["hexagon-61", "disc-32", "rectangle-88"])


@cache
def tiles_of(name: str) -> tuple[Circuit, ...]:
    with patch("hardware.kit.circuit.plan.route", lambda _: Routing((), ())):
        return tiles(layout_of(name))


@cache
def plan_of(name: str) -> Drawing:
    return tile_plan(layout_of(name), tiles_of(name))


def named(drawing: Drawing, text: str) -> Region:
    (found,) = (
        m.shape for m in drawing.marks if isinstance(m.shape, Label) and m.shape.text == text
    )
    return Region(text_box(found))


@boards
def test_tile_plan_can_be_read(name: str):
    assert unreadable(plan_of(name)) == []


@boards
def test_tile_plan_has_each_tile_where_it_lies_with_its_name_and_its_pads(name: str):
    drawing = plan_of(name)
    areas = [mark.shape for mark in drawing.marks if isinstance(mark.shape, Area)]
    for tile in tiles_of(name):
        assert Area(tile.outline) in areas
        inside = Region.of(tile.outline)
        (connector,) = tile.connectors
        assert inside.covers(named(drawing, connector.name))
        for pad in tile.pads:
            assert inside.covers(named(drawing, pad.net))
            assert named(drawing, pad.net).contains(pad.at)


@boards
def test_tile_plan_shows_every_pin_and_hides_none_behind_a_name(name: str):
    drawing = plan_of(name)
    later = list(reversed([mark for mark in drawing.marks if isinstance(mark.shape, Area)]))
    for tile in tiles_of(name):
        for pin in (pin for each in tile.connectors for pin in each.pins):
            corner = pin.at.moved(pin.width_mm / 2, pin.height_mm / 2)
            box = Box.around((corner, pin.at.moved(-pin.width_mm / 2, -pin.height_mm / 2)))
            covering = next(m for m in later if region_of(m.shape).contains(pin.at))
            assert covering.shape == Area(box.corners)
            assert (covering.style.fill == covering.style.stroke) == (pin.number == 1)


@boards
def test_placement_has_the_name_of_each_connector_at_its_slot(name: str):
    layout, circuits = layout_of(name), tiles_of(name)
    drawing = placement(layout, wire(layout, Build.TILES, circuits, feeds(layout)), circuits)
    for connector in (each for tile in circuits for each in tile.connectors):
        slot = slot_of(connector).at
        x, y = named(drawing, connector.name).shape.centroid.coords[0]
        assert abs(x + slot.x) < 5
        assert abs(y - slot.y) < 5
