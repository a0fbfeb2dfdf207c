"""How computer, inlet and clamps lie under a board: what is plugged in finds its room."""

from dataclasses import replace

import pytest

from hal.geometry import Point
from hal.profile import built_in_names
from hardware.kit.computers import PICO, RASPBERRY_PI
from hardware.kit.drawing import Box
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.places import places
from hardware.kit.sockets import Lying, Side, inlet_mouth, lie, openings, plug_rooms
from tests.helpers.kits.boards import layout_of

BOARD = Box(-200.0, -200.0, 200.0, 200.0)


def sides(lying: Lying) -> dict[str, Side]:
    return {socket.name: lying.side(socket) for socket in lying.computer.sockets}


def bare(board: str) -> Layout:
    """Lay out a board whose base has no openings."""
    return replace(layout_of(board), openings=())


def with_screws(layout: Layout, *boxes: Box) -> Layout:
    """Put a screw into the middle of each box."""
    middles = (Point((b.left + b.right) / 2, (b.bottom + b.top) / 2) for b in boxes)
    return replace(layout, screws=(*layout.screws, *middles))


@pytest.mark.parametrize("board", built_in_names())
def test_plug_rooms_are_clear_of_every_part(board: str):
    layout = layout_of(board)
    for room in plug_rooms(layout):
        assert [p.part for p in places(layout).values() if p.box.overlaps(room)] == []


def test_raspberry_pi_lies_with_its_plug_and_pins_at_opposite_sides():
    # Whoever looks at the parts has the header above, the card on the left and power below.
    straight = Lying(RASPBERRY_PI, Point(10, 20), turned=False)
    assert sides(straight) == {"power": Side.NEAR, "card": Side.LEFT, "USB": Side.RIGHT}
    assert straight.pins is Side.FAR
    # Seen from above left and right are exchanged: the card and pin 1 are at the larger x.
    card = straight.place(RASPBERRY_PI.sockets[1].at)
    assert (card.x, card.y) == pytest.approx((10 + 42.5, 20))
    assert straight.place(RASPBERRY_PI.pin_1).x > 10 + 30
    turned = Lying(RASPBERRY_PI, Point(10, 20), turned=True)
    assert sides(turned) == {"power": Side.FAR, "card": Side.RIGHT, "USB": Side.LEFT}
    assert turned.pins is Side.NEAR
    assert turned.place(RASPBERRY_PI.pin_1).x < 10 - 30


@pytest.mark.parametrize("computer", [RASPBERRY_PI, PICO])
@pytest.mark.parametrize("turned", [False, True])
def test_rooms_begin_at_the_computer_and_end_at_the_board(computer, turned: bool):
    at = Point(0, 0)
    body = Box(
        -computer.width_mm / 2,
        -computer.height_mm / 2,
        computer.width_mm / 2,
        computer.height_mm / 2,
    )
    for board, least in ((BOARD, 15), (body.grown(5), 5)):
        rooms = list(Lying(computer, at, turned).rooms(board))
        assert len(rooms) == sum(socket.plug_mm is not None for socket in computer.sockets)
        for room in rooms:
            assert not room.overlaps(body)
            # Grown by a little they touch.
            assert room.grown(0.01).overlaps(body)
            assert max(room.width, room.height) >= least
            assert room.right <= board.right
            assert room.left >= board.left
            assert room.top <= board.top
            assert room.bottom >= board.bottom


@pytest.mark.parametrize("board", ["hexagon-61", "hexagon-61-pico"])
def test_computer_is_turned_when_its_plug_meets_something(board: str):
    layout = bare(board)
    first = lie(layout)
    room = next(first.rooms(layout.box))
    blocked = with_screws(layout, room)
    second = lie(blocked)
    assert second.turned != first.turned
    other = next(second.rooms(layout.box))
    with pytest.raises(KitError, match=r"has no room for what is plugged in.*30 mm beyond") as no:
        lie(with_screws(blocked, other))
    assert no.value.key == "computer"


def test_computer_is_turned_when_its_card_does_not_come_out():
    layout = bare("hexagon-61")
    first = lie(layout)
    _, card = first.rooms(layout.box)
    assert lie(with_screws(layout, card)).turned != first.turned


def test_plugs_keep_off_wires_that_come_out_of_the_base():
    layout = bare("hexagon-61")
    first, mouth = lie(layout), inlet_mouth(layout)
    room = next(first.rooms(layout.box))
    assert lie(replace(layout, openings=(room,))).turned != first.turned
    # What only touches the edge of a plug turns nothing.
    beside = Box(room.left - 5, room.bottom, room.left + 0.5, room.top)
    assert lie(replace(layout, openings=(beside,))).turned == first.turned
    x, y = mouth.step
    spot = layout.geometry.supply.moved(x * 20, y * 15)
    hole = Box(spot.x - 3, spot.y - 3, spot.x + 3, spot.y + 3)
    assert inlet_mouth(replace(layout, openings=(hole,))) is not mouth


def test_inlet_looks_to_the_nearest_edge_that_is_free():
    layout = bare("hexagon-61")
    supply = layout.geometry.supply
    found = []
    while len(found) < len(Side):
        side = inlet_mouth(layout)
        assert side not in found
        found.append(side)
        x, y = side.step
        spot = supply.moved(x * 20, y * 15)
        layout = replace(layout, screws=(*layout.screws, spot))
    box = layout.box
    apart = {
        Side.NEAR: supply.y - 10 - box.bottom,
        Side.FAR: box.top - supply.y - 10,
        Side.LEFT: box.right - supply.x - 15,
        Side.RIGHT: supply.x - 15 - box.left,
    }
    assert found == sorted(Side, key=lambda each: apart[each])
    with pytest.raises(KitError, match="no room for its plug") as refused:
        inlet_mouth(layout)
    assert refused.value.key == "supply"


def test_clamps_open_to_where_more_is_free():
    part = Box(-16, -12, 16, 12)
    assert openings(part, [], Box(-100, -100, 100, 80)) is Side.NEAR
    assert openings(part, [], Box(-100, -80, 100, 100)) is Side.FAR
    below = Box(0, -40, 30, -20)
    assert openings(part, [below], Box(-100, -100, 100, 80)) is Side.FAR
    beside = Box(20, -40, 30, -20)
    assert openings(part, [beside], Box(-100, -100, 100, 80)) is Side.NEAR
