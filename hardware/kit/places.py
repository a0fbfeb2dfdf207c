"""Where the parts under a board are that the layout leaves open: shifter, fuse, clamps and so on.

Owns those places, and the boxes of all parts underneath. Must not know wires.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf
from types import MappingProxyType

from hal.profile.geometry import Point
from hardware.kit.computers import computer_of
from hardware.kit.drawing import Box
from hardware.kit.electric import chain, feeds
from hardware.kit.errors import KitError
from hardware.kit.layout import BREAKOUT_MM, HOLE_MM, NUT_MM, Layout
from hardware.kit.part_names import (
    FUSE,
    RAIL_5V,
    RAIL_GROUND,
    SHIFTER,
    SUPPLY,
    button_part,
    chip_part,
    clamp_part,
    mux_part,
)
from hardware.kit.sockets import SUPPLY_MM, plug_rooms

SHIFTER_MM = (28.0, 18.0)
"""What the 74AHCT125 takes on a piece of breadboard, with its socket and capacitor."""
FUSE_MM = (36.0, 14.0)
CLAMP_MM = (32.0, 30.0)
"""A lever clamp for five wires, and room for these to bend; Wago 221-415 is 30 x 19 x 9 mm."""
CLAMP_WIRES = 5
BUTTON_MM = (20.0, 20.0)
_SCREW_MM = (10.0, 10.0)
_STRIP_MM = 10.0
_WIRES_MM = 6.0
"""Of the hole through which wires of the strip come out."""
_GRID_MM = 2.5
_APART_MM = 3.0
_EDGE_MM = 1e-9
"""What lies on the edge of a box is not in it."""
_TOUCH_MM = 0.2
"""Places of chips are rounded to 0.1 mm."""


@dataclass(frozen=True, slots=True)
class Place:
    """A part under the board: its middle, what it takes, and the key of [geometry] that says so."""

    part: str
    at: Point
    width_mm: float
    height_mm: float
    key: str = ""

    @property
    def box(self) -> Box:
        """Give the rectangle that it takes."""
        return Box.sized(self.at, (self.width_mm, self.height_mm))


def places(layout: Layout, fed: int | None = None) -> Mapping[str, Place]:
    """Place all parts under a board, by their names; raise KitError when there is no room.

    There are clamps for as many feeds as are `fed`, or else as the strip needs.
    """
    geometry = layout.geometry
    found = {
        chip_part(name): Place(chip_part(name), at, *BREAKOUT_MM)
        for name, at in layout.chips.items()
    }
    found |= given(layout)
    _check_apart(found.values(), layout.box)
    _check_screws(found.values(), layout)
    first = chain.places(layout)[0]
    wanted: list[tuple[str, tuple[float, float], tuple[Point, ...]]] = [
        (FUSE, FUSE_MM, (geometry.supply,)),
        *((clamp, CLAMP_MM, (geometry.supply,)) for clamp in clamps(layout, fed)),
        # Data travels more safely at 5 V, so the longer way is behind the shifter.
        (SHIFTER, SHIFTER_MM, (geometry.computer, geometry.computer, first)),
    ]
    for mux, chips in _muxes(layout).items():
        wanted.append((mux, BREAKOUT_MM, (geometry.computer, *chips)))
    for part, size, near in wanted:
        found[part] = put(layout, part, size, near, found.values())
    return MappingProxyType(found)


def given(layout: Layout) -> dict[str, Place]:
    """Place computer, supply and buttons where the profile has them.

    Raises KitError for one that lies on another, on a screw or on wires of the strip.
    """
    geometry, computer = layout.geometry, computer_of(layout.profile)
    size = computer.width_mm, computer.height_mm
    parts = [
        Place(computer.name, geometry.computer, *size, key="computer"),
        Place(SUPPLY, geometry.supply, *SUPPLY_MM, key="supply"),
        *(
            Place(button_part(name), button.at, *BUTTON_MM, key=f"keys.{name}")
            for name, button in layout.buttons.items()
        ),
    ]
    _check_apart(parts, layout.box)
    _check_screws(parts, layout)
    _check_wires(parts[:2], layout)
    return {place.part: place for place in parts}


def put(
    layout: Layout,
    part: str,
    size: tuple[float, float],
    near: Sequence[Point],
    others: Iterable[Place],
) -> Place:
    """Find the free place for a part with the shortest ways to some points.

    It is not below the middle of a pad if that can be, so that the pad's wire finds a way beside
    it. Raises KitError when there is none that keeps apart from others, screws and openings.
    """
    screws = [Box.sized(at, _SCREW_MM) for at in layout.screws]
    taken = [*screws, *layout.openings, *plug_rooms(layout), *(place.box for place in others)]
    middles = [Box.sized(each.at, (0, 0)) for each in layout.sensors.values()]
    at = _free(layout.box, size, near, [*taken, *middles])
    at = at or _free(layout.box, size, near, taken)
    if at is None:
        raise KitError(
            f"the {part} finds no room of {size[0]:g} x {size[1]:g} mm under the board:"
            " allowed is a board with more margin_mm",
            "margin_mm",
        )
    return Place(part, at, *size)


def clamps(layout: Layout, fed: int | None = None) -> tuple[str, ...]:
    """Name the clamps that join 5 V behind the fuse, and those that join ground of the strip."""
    # What comes in, the 74AHCT125, and each feed; on a Pico the diode, too.
    wires = 2 + (len(feeds(layout)) if fed is None else fed)
    diodes = computer_of(layout.profile).diode is not None
    counts = {RAIL_5V: wires + diodes, RAIL_GROUND: wires}
    return tuple(
        clamp_part(rail, number)
        for rail, count in counts.items()
        for number in range(1, _clamps_for(count) + 1)
    )


def _clamps_for(wires: int) -> int:
    """Count the clamps that join this many wires, when each is joined with the next by a wire."""
    count = 1
    while CLAMP_WIRES * count - 2 * (count - 1) < wires:
        count += 1
    return count


def _check_screws(parts: Iterable[Place], layout: Layout) -> None:
    """Raise KitError when a part or a strip lies on a screw, or where its nut is."""
    for screw in layout.screws:
        nut = Box.sized(screw, (NUT_MM, NUT_MM))
        for part in parts:
            if part.box.grown(-_TOUCH_MM).overlaps(nut):
                raise KitError(
                    f"the {part.part} at {part.at.x:g}, {part.at.y:g} lies on the screw at"
                    f" {screw.x:g}, {screw.y:g}: allowed are places that are"
                    f" {(part.width_mm + NUT_MM) / 2:g} mm away from it in x or"
                    f" {(part.height_mm + NUT_MM) / 2:g} mm in y",
                    part.key,
                )
        rows = (piece for piece in chain.pieces(layout) if piece.kind is not chain.Kind.SINGLE)
        for piece in rows:
            start, end = _ends(piece)
            apart, least = _distance(screw, start, end), (_STRIP_MM + HOLE_MM) / 2
            if apart < least - 1e-6:
                raise KitError(
                    f"the strip of pixels {piece.first} to {piece.last} is {apart:.1f} mm from the"
                    f" screw at {screw.x:g}, {screw.y:g}: allowed are {least:.1f} mm and more, so"
                    " a larger margin_mm",
                    "margin_mm",
                )


def _check_wires(parts: Iterable[Place], layout: Layout) -> None:
    """Raise KitError when a part lies where wires of the strip come out, or bend."""
    ends = [pixel for piece in chain.pieces(layout) for pixel in (piece.first, piece.last)]
    for pixel, hole in zip(ends, layout.wire_holes, strict=False):
        for part in parts:
            if part.box.grown(_APART_MM).overlaps(Box.sized(hole, (_WIRES_MM, _WIRES_MM))):
                away = _APART_MM + _WIRES_MM / 2
                raise KitError(
                    f"the {part.part} at {part.at.x:g}, {part.at.y:g} lies on the wires of pixel"
                    f" {pixel} at {hole.x:g}, {hole.y:g}: allowed are places that are"
                    f" {part.width_mm / 2 + away:g} mm away from these in x or"
                    f" {part.height_mm / 2 + away:g} mm in y",
                    part.key,
                )


def _ends(piece: chain.Piece) -> tuple[Point, Point]:
    """Give where a strip is cut, on its middle line: half a pixel's distance beyond its last."""
    first, last = piece.places[0], piece.places[-1]
    length = first.distance(last)
    beyond = piece.kind.spacing_mm / 2 / length
    x, y = (last.x - first.x) * beyond, (last.y - first.y) * beyond
    return first.moved(-x, -y), last.moved(x, y)


def _distance(at: Point, start: Point, end: Point) -> float:
    """Give how far a point is from a line between two others."""
    x, y = end.x - start.x, end.y - start.y
    length2 = x * x + y * y
    share = ((at.x - start.x) * x + (at.y - start.y) * y) / length2 if length2 else 0.0
    share = max(0.0, min(1.0, share))
    return at.distance(start.moved(x * share, y * share))


def _check_apart(parts: Iterable[Place], board: Box) -> None:
    """Raise KitError when a part leaves the board or lies on another."""
    known: list[Place] = []
    for part in parts:
        box = part.box.grown(-_TOUCH_MM)
        if not all(board.holds(corner) for corner in box.corners):
            raise KitError(
                f"the {part.part} at {part.at.x:g}, {part.at.y:g} leaves the board: allowed are"
                f" places at which its {part.width_mm:g} x {part.height_mm:g} mm are inside of"
                f" {board.left:g} to {board.right:g} and {board.bottom:g} to {board.top:g}",
                part.key,
            )
        for other in known:
            if box.overlaps(other.box):
                raise KitError(
                    f"the {part.part} at {part.at.x:g}, {part.at.y:g} lies on the {other.part} at"
                    f" {other.at.x:g}, {other.at.y:g}: allowed are places that are"
                    f" {(part.width_mm + other.width_mm) / 2:g} mm apart in x or"
                    f" {(part.height_mm + other.height_mm) / 2:g} mm in y",
                    part.key,
                )
        known.append(part)


def _muxes(layout: Layout) -> dict[str, tuple[Point, ...]]:
    found: dict[str, tuple[Point, ...]] = {}
    for chip in layout.profile.chips:
        if chip.mux is not None:
            part = mux_part(chip.bus, chip.mux)
            found[part] = (*found.get(part, ()), layout.chips[chip.name])
    return found


def _free(
    board: Box, size: tuple[float, float], near: Sequence[Point], taken: Iterable[Box]
) -> Point | None:
    """Find the free place with the shortest ways to some points."""
    # A part's middle must stay out of every other part made larger by its own half.
    across, along = size[0] / 2 + _APART_MM, size[1] / 2 + _APART_MM
    closed = [
        Box(box.left - across, box.bottom - along, box.right + across, box.top + along)
        for box in taken
    ]
    inner = board.grown(-_APART_MM)
    rows = _steps(inner.bottom + size[1] / 2, inner.height - size[1])
    columns = _steps(inner.left + size[0] / 2, inner.width - size[0])
    free = ((x, y) for y in rows for x in _outside(columns, closed, y))
    costs = ((round(sum(hypot(x - n.x, y - n.y) for n in near), 3), x, y) for x, y in free)
    best = min(costs, default=None)
    return None if best is None else Point(*best[1:])


def _steps(first: float, length: float) -> list[float]:
    return [round(first + n * _GRID_MM, 1) for n in range(int(length // _GRID_MM) + 1)]


def _outside(columns: Sequence[float], closed: Iterable[Box], y: float) -> Iterator[float]:
    """Give the columns that are in none of the boxes, at a height."""
    spans = sorted((b.left, b.right) for b in closed if b.bottom + _EDGE_MM < y < b.top - _EDGE_MM)
    end, following = -inf, 0
    for x in columns:
        while following < len(spans) and spans[following][0] + _EDGE_MM < x:
            end = max(end, spans[following][1] - _EDGE_MM)
            following += 1
        if x >= end:
            yield x
