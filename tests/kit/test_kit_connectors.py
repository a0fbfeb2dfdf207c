"""Where rows of pins are put on a sensing board."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from shapely import LineString, Polygon, box, union_all
from shapely import Point as Spot

from hal.geometry import Point
from hardware.kit.circuit.circuit import EDGE_MM, GROUND, Connector, Pad
from hardware.kit.circuit.connectors import PIN_MM, PITCH_MM, Row
from hardware.kit.circuit.connectors import place as place_on
from hardware.kit.errors import KitError
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import slot_of

SHEET = box(-60, -50, 60, 50)
MIDDLE = Point(0, 0)


def rows_of_pads(pitch: float = 33.3, pad: float = 18.0, hole: float = 4.0) -> tuple[Pad, ...]:
    """Set up three rows of three pads, named after their row and column."""
    return tuple(
        Pad(f"{row}{column}", Point((column - 2) * pitch, (row - 2) * pitch), pad, hole)
        for row in (1, 2, 3)
        for column in (1, 2, 3)
    )


def row(name: str, *nets: str, near: Point = MIDDLE) -> Row:
    all_nets = (*nets, GROUND)
    return Row(name, all_nets, all_nets, near)


def place(
    rows: Sequence[Row], outline: Polygon, pads: Sequence[Pad], closed: Region | None = None
) -> tuple[Connector, ...]:
    return place_on(rows, outline, pads, closed or Region.nothing())


def covered(connector: Connector) -> Polygon:
    """Give the rectangle that a row of pins takes."""
    shapes = [
        box(
            pin.at.x - pin.width_mm / 2,
            pin.at.y - pin.height_mm / 2,
            pin.at.x + pin.width_mm / 2,
            pin.at.y + pin.height_mm / 2,
        )
        for pin in connector.pins
    ]
    return Polygon.from_bounds(
        min(shape.bounds[0] for shape in shapes),
        min(shape.bounds[1] for shape in shapes),
        max(shape.bounds[2] for shape in shapes),
        max(shape.bounds[3] for shape in shapes),
    )


def test_connectors_have_pins_of_their_nets_in_order() -> None:
    (made,) = place([row("J1", "11", "", "33")], SHEET, rows_of_pads())
    assert (made.name, made.label) == ("J1", "J1")
    assert [pin.number for pin in made.pins] == [1, 2, 3, 4]
    assert [pin.net for pin in made.pins] == ["11", "", "33", GROUND]


def test_connectors_have_pins_in_a_straight_row_at_their_pitch_on_the_lattice() -> None:
    for made in place([row("J1", "11", "12", "13"), row("J2", "31", "32")], SHEET, rows_of_pads()):
        steps = {
            (round(b.at.x - a.at.x, 6), round(b.at.y - a.at.y, 6)) for a, b in pairwise(made.pins)
        }
        assert steps in (
            {(PITCH_MM, 0)},
            {(-PITCH_MM, 0)},
            {(0, PITCH_MM)},
            {(0, -PITCH_MM)},
        )
        level = steps in ({(PITCH_MM, 0)}, {(-PITCH_MM, 0)})
        size = PIN_MM if level else PIN_MM[::-1]
        assert {(pin.width_mm, pin.height_mm) for pin in made.pins} == {size}
        for pin in made.pins:
            for value in pin.at:
                assert value / 1.27 == pytest.approx(round(value / 1.27), abs=1e-3)


def test_connectors_lie_between_the_pads_and_within_the_board() -> None:
    pads = rows_of_pads()
    made = place([row(f"J{n}", "22") for n in range(4)], SHEET, pads)
    for connector in made:
        shape = covered(connector)
        assert SHEET.buffer(-1).contains(shape)
        assert all(shape.distance(Spot(pad.at)) > pad.diameter_mm / 2 for pad in pads)


def test_connector_keeps_away_from_the_edge() -> None:
    sheet = box(-15, -15, 15, 15)
    (made,) = place([row("T1", "only")], sheet, [Pad("only", Point(0, 0), 18.0, 4.0)])
    assert sheet.buffer(-1.4).contains(covered(made))


def test_connectors_keep_apart_from_each_other() -> None:
    made = place([row(f"J{n}", "22", "", "") for n in range(5)], SHEET, rows_of_pads())
    for one, other in combinations(made, 2):
        assert covered(one).distance(covered(other)) >= 6 - 1e-6


def test_connector_goes_near_its_pads() -> None:
    pads = rows_of_pads()
    (low,) = place([row("J1", "11", "12")], SHEET, pads)
    (high,) = place([row("J1", "33", "32")], SHEET, pads)
    assert covered(low).centroid.y < 0 < covered(high).centroid.y


def test_connector_goes_near_its_breakout() -> None:
    pads = rows_of_pads()
    left, right = (
        place([row("J1", "22", near=near)], SHEET, pads)[0]
        for near in (Point(-40, 0), Point(40, 0))
    )
    assert covered(left).centroid.x < covered(right).centroid.x


@pytest.mark.parametrize("nets", [("21", "22", "23"), ("12", "22", "32")])
def test_connector_turns_so_that_tracks_need_not_cross(nets: tuple[str, ...]) -> None:
    pads = rows_of_pads()
    places = {pad.net: pad.at for pad in pads}
    for order in (nets, nets[::-1]):
        (made,) = place([row("J1", *order)], SHEET, pads)
        ways = [LineString([pin.at, places[pin.net]]) for pin in made.pins if pin.net in places]
        assert not any(one.crosses(other) for one, other in combinations(ways, 2))


def test_connector_turns_its_first_pin_to_where_its_pads_are() -> None:
    pads = rows_of_pads()
    left, right = pads[3].at, pads[5].at
    for nets in (("21", *[""] * 6, "23"), ("23", *[""] * 6, "21")):
        (made,) = place([row("J1", *nets)], SHEET, pads)
        places = {pin.net: pin.at for pin in made.pins}
        assert places["21"].distance(left) < places["23"].distance(left) - 5
        assert places["23"].distance(right) < places["21"].distance(right) - 5


def test_connectors_on_one_board_lie_alike_if_that_can_be() -> None:
    made = place([row(f"J{n}", str(n), "22") for n in (11, 33, 12, 31)], SHEET, rows_of_pads())
    level = {one.pins[0].at.y == one.pins[-1].at.y for one in made}
    assert len(level) == 1


def test_connector_goes_under_pads_only_when_nothing_else_is_left() -> None:
    pads = rows_of_pads(pad=32.0)
    sheet = box(-50, -50, 50, 50)
    (made,) = place([row("J1", "22", *[""] * 8, "21")], sheet, pads)
    shape = covered(made)
    assert any(shape.distance(Spot(pad.at)) < pad.diameter_mm / 2 for pad in pads)
    for pad in pads:
        assert shape.distance(Spot(pad.at)) >= pad.hole_mm / 2 + EDGE_MM


def test_connectors_without_room_are_an_error_that_names_them() -> None:
    with pytest.raises(KitError, match=r"JX.* no room"):
        place([row("JX", *("22",) * 30)], SHEET.buffer(-40), rows_of_pads())


def test_connector_of_a_single_pad_lies_beside_it() -> None:
    pad = Pad("only", Point(100, -50), 18.0, 4.0)
    sheet = box(100 - 16.5, -50 - 16.5, 100 + 16.5, -50 + 16.5)
    (made,) = place([row("T1", "only", near=pad.at)], sheet, [pad])
    assert sheet.contains(covered(made))
    assert covered(made).distance(Spot(pad.at)) > 9


def test_connectors_are_the_same_each_time() -> None:
    rows = [row(f"J{n}", str(n), "22") for n in (11, 33, 12)]
    assert place(rows, SHEET, rows_of_pads()) == place(rows, SHEET, rows_of_pads())


STRIPS = Region(union_all([box(-60, y - 5, 60, y + 5) for y in (-33.3, 0, 33.3)]))


def test_connectors_and_their_slots_keep_off_what_is_closed() -> None:
    rows = [row(f"J{n}", str(n), "22", *[""] * 9) for n in (11, 33, 21)]
    open_ones = place(rows, SHEET, rows_of_pads())
    assert any(STRIPS.meets(slot_of(one).region) for one in open_ones)
    made = place(rows, SHEET, rows_of_pads(), STRIPS)
    assert len(made) == 3
    for connector in made:
        assert not STRIPS.meets(Region(covered(connector)))
        assert not STRIPS.meets(slot_of(connector).region)


def test_connectors_without_room_beside_strips_are_an_error_that_says_so() -> None:
    closed = Region(SHEET)
    with pytest.raises(KitError, match=r"connectors JX have no room .* clear of strips"):
        place([row("JX", "22")], SHEET, rows_of_pads(), closed)


def test_connectors_stand_side_by_side_only_when_they_must() -> None:
    sheet = box(-60, -90, 60, 90)
    pads = tuple(Pad(f"{x}{y}", Point(33.3 * x, 33.3 * y), 18, 4) for x in (0, 1) for y in range(5))
    pads = tuple(replace(pad, at=pad.at.moved(-16.65, -66.6)) for pad in pads)
    strips = Region(union_all([box(x - 5, -90, x + 5, 90) for x in (-16.65, 16.65)]))
    rows = [row(f"J{x}", *(f"{x}{y}" for y in range(5)), *[""] * 7) for x in (0, 1)]
    one, other = place(rows, sheet, pads, strips)
    low, high = sorted((covered(one).bounds, covered(other).bounds), key=lambda b: b[1])
    assert low[3] < high[1]


def test_slot_is_right_below_its_row_of_pins() -> None:
    for made in place([row("J1", "11", "12", "13"), row("J2", "31", "32")], SHEET, rows_of_pads()):
        slot, pins = slot_of(made), covered(made)
        assert slot.connector == made.name
        assert slot.at == pytest.approx((pins.centroid.x, pins.centroid.y))
        assert (slot.box.width > slot.box.height) is (pins.bounds[2] - pins.bounds[0] > 4)
