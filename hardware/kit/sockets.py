"""How computer, inlet and clamps lie under a board, so that plugs, card and wires go in.

Owns the ways in which they may lie, which of them is taken, and the room that plugs need. Must not
know wires, nor where the parts are that a profile leaves open (`places`, which asks this module).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from hal.profile.geometry import Point
from hardware.kit.computers import Computer, Socket, computer_of
from hardware.kit.drawing import Box
from hardware.kit.errors import KitError
from hardware.kit.layout import BUTTON_MM, NUT_MM, Layout

SUPPLY_MM = (30.0, 20.0)
"""What the inlet takes."""
_JACK_MM = (14.0, 40.0)
"""How wide a straight plug of 5.5 x 2.1 mm is, and how far it stands out with its cable."""
_EDGE_MM = 1.0


class Side(Enum):
    """A side as one sees it who has turned the board over and sits at the edge of player 1."""

    NEAR = "towards you"
    FAR = "towards the far edge"
    LEFT = "towards the left edge"
    RIGHT = "towards the right edge"

    @property
    def step(self) -> tuple[int, int]:
        """Give the direction, x and y, as the profile counts them: from above."""
        return _STEPS[self]


_STEPS = {Side.NEAR: (0, -1), Side.FAR: (0, 1), Side.LEFT: (1, 0), Side.RIGHT: (-1, 0)}
_OTHERS = {
    Side.NEAR: Side.FAR,
    Side.FAR: Side.NEAR,
    Side.LEFT: Side.RIGHT,
    Side.RIGHT: Side.LEFT,
}


@dataclass(frozen=True, slots=True)
class Lying:
    """A computer with its parts away from the board: as it is drawn in `computers`, or turned."""

    computer: Computer
    at: Point
    turned: bool

    def place(self, spot: Point) -> Point:
        """Say where on the board something on the computer is."""
        turn = -1 if self.turned else 1
        return self.at.moved(-spot.x * turn, spot.y * turn)

    def box(self, part: Box) -> Box:
        """Say where on the board a part of the computer is."""
        return Box.around(map(self.place, part.corners))

    def side(self, socket: Socket) -> Side:
        """Say at which side a socket is."""
        if abs(socket.at.y) == self.computer.height_mm / 2:
            side = Side.FAR if socket.at.y > 0 else Side.NEAR
        else:
            side = Side.RIGHT if socket.at.x > 0 else Side.LEFT
        return _OTHERS[side] if self.turned else side

    @property
    def pins(self) -> Side:
        """Say at which side, near or far, pin 1 is."""
        return Side.FAR if (self.computer.pin_1.y > 0) != self.turned else Side.NEAR

    def rooms(self, board: Box) -> Iterator[Box]:
        """Give the room that each plug needs, as far as it is under the board."""
        for socket in self.computer.sockets:
            if socket.plug_mm is not None:
                yield _room(self.place(socket.at), self.side(socket), socket.plug_mm, board)


def lie(layout: Layout) -> Lying:
    """Choose how the computer lies; raise KitError when its plugs and card find no room.

    Of two ways that are free the one is taken in which plugs lie over fewer wires that come out of
    the base, and then the one whose first plug is nearer to the board's edge.
    """
    computer, at = computer_of(layout.profile), layout.geometry.computer
    taken = [*_fixed(layout), Box.sized(layout.geometry.supply, SUPPLY_MM)]
    ways = [Lying(computer, at, turned) for turned in (False, True)]
    free = [way for way in ways if _is_free(way.rooms(layout.box), taken)]
    if not free:
        raise KitError(
            f"the {computer.name} at {at.x:g}, {at.y:g} has no room for what is plugged in,"
            f" whichever way it lies: allowed are places with {_wanted(computer)} free of buttons"
            " and screws, unless the board ends there",
            "computer",
        )
    first = computer.sockets[0]
    return min(
        free,
        key=lambda way: (
            _wires_below(way.rooms(layout.box), layout),
            _to_edge(way.place(first.at), way.side(first), layout.box),
        ),
    )


def inlet_mouth(layout: Layout) -> Side:
    """Choose to which side the inlet's mouth looks; raise KitError when its plug has no room."""
    computer, at = computer_of(layout.profile), layout.geometry.supply
    size = (computer.width_mm, computer.height_mm)
    taken = [*_fixed(layout), Box.sized(layout.geometry.computer, size)]
    free = [side for side in Side if _is_free([_jack_room(layout, side)], taken)]
    if not free:
        raise KitError(
            f"the supply at {at.x:g}, {at.y:g} has no room for its plug: allowed are places with"
            f" {_JACK_MM[1]:g} mm beside it free of buttons and screws, unless the board ends"
            " there",
            "supply",
        )
    return min(
        free,
        key=lambda side: (
            _wires_below([_jack_room(layout, side)], layout),
            _to_edge(_mouth(at, side), side, layout.box),
        ),
    )


def plug_rooms(layout: Layout) -> tuple[Box, ...]:
    """Give the boxes that must stay empty, for plugs and the card; raise KitError as `lie` does."""
    return (*lie(layout).rooms(layout.box), _jack_room(layout, inlet_mouth(layout)))


def openings(part: Box, others: Iterable[Box], board: Box) -> Side:
    """Choose to which side the openings of a clamp look: where more is free."""
    above, below = board.top - part.top, part.bottom - board.bottom
    for other in others:
        if min(other.right, part.right) > max(other.left, part.left):
            if other.bottom >= part.top:
                above = min(above, other.bottom - part.top)
            elif other.top <= part.bottom:
                below = min(below, part.bottom - other.top)
    return Side.FAR if above > below else Side.NEAR


def _wires_below(rooms: Iterable[Box], layout: Layout) -> int:
    """Count the openings of the base that lie under plugs by more than their edge."""
    inner = [opening.grown(-_EDGE_MM) for opening in layout.openings]
    return sum(room.overlaps(opening) for room in rooms for opening in inner)


def _wanted(computer: Computer) -> str:
    said = []
    for socket in computer.sockets:
        if socket.plug_mm is not None:
            side = "long" if abs(socket.at.y) * 2 == min(_size(computer)) else "short"
            said.append(f"{socket.plug_mm[1]:g} mm beyond a {side} side ({socket.name})")
    return " and ".join(said)


def _size(computer: Computer) -> tuple[float, float]:
    return computer.width_mm, computer.height_mm


def _fixed(layout: Layout) -> list[Box]:
    """List what is under a board where the profile says; breakouts keep clear of plugs instead."""
    boxes = [Box.sized(each.at, (BUTTON_MM, BUTTON_MM)) for each in layout.buttons.values()]
    return boxes + [Box.sized(at, (NUT_MM, NUT_MM)) for at in layout.screws]


def _jack_room(layout: Layout, side: Side) -> Box:
    return _room(_mouth(layout.geometry.supply, side), side, _JACK_MM, layout.box)


def _mouth(at: Point, side: Side) -> Point:
    x, y = side.step
    return at.moved(x * SUPPLY_MM[0] / 2, y * SUPPLY_MM[1] / 2)


def _room(at: Point, side: Side, plug_mm: tuple[float, float], board: Box) -> Box:
    """Give the box of a plug, from a point of a part's edge to the side; the board may end it."""
    x, y = side.step
    wide, long = plug_mm
    across = (at.moved(y * wide / 2, x * wide / 2), at.moved(-y * wide / 2, -x * wide / 2))
    box = Box.around([*across, *(spot.moved(x * long, y * long) for spot in across)])
    return Box(
        max(box.left, board.left),
        max(box.bottom, board.bottom),
        min(box.right, board.right),
        min(box.top, board.top),
    )


def _to_edge(at: Point, side: Side, board: Box) -> float:
    x, y = side.step
    if x:
        return board.right - at.x if x > 0 else at.x - board.left
    return board.top - at.y if y > 0 else at.y - board.bottom


def _is_free(rooms: Iterable[Box], taken: Iterable[Box]) -> bool:
    boxes = tuple(taken)
    return not any(room.overlaps(box) for room in rooms for box in boxes)
