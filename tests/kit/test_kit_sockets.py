"""How computer, inlet and clamps lie under a board: what is plugged in finds its room."""

from dataclasses import replace

import pytest

from hal.profile import built_in_names
from hal.profile.geometry import Point
from hardware.kit.computers import RASPBERRY_PI
from hardware.kit.drawing import Box
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.places import places
from hardware.kit.sockets import Lying, Side, lie, plug_rooms
from tests.helpers.kits.boards import layout_of


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
    # Seen from the parts' side, there are the header above, the card on the left and power below.
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
