"""The copper of a board of foil: pads with a tail for their wire, and the guards as one net.

Owns these shapes. Must not know how they are drawn. Millimetres. Guards are rings that are open
where the tail passes, and the links between them form a tree: nowhere is there a closed turn in
which the current of the pixels below could induce any.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import atan2, cos, pi, sin

from hal.profile.geometry import Geometry, Point
from hardware.kit.drawing import Points
from hardware.kit.electric.chain import pieces
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout, Sensor
from hardware.kit.places import places
from hardware.kit.plates.chambers import (
    BASE_HOLE_MM,
    BUTTON_HOLE_MM,
    PIXEL_WIRE_MM,
    SCREW_HOLE_MM,
    WALL_MM,
    chambers,
    lone_lights,
    lying,
    wire_reach_mm,
)
from hardware.kit.plates.regions import Region

WIRE_HOLE_MM = 2.0
"""For a pad's wire, through the carrier."""
TAIL_MM = 5.0
"""Wide enough that 1.5 mm of copper are left around the hole of the wire."""
_CLEAR_MM = 1.5
_APART_MM = 3.0
"""Between two holes of the base."""
_STEP_DEG = 15


@dataclass(frozen=True, slots=True)
class FoilPad:
    """A pad of foil: its copper with the tail, and where its wire is soldered."""

    sensor: Sensor
    region: Region
    wire: Point


@dataclass(frozen=True, slots=True)
class Foil:
    """All copper of a board. `ground` is where the one wire to ground is soldered to the guards."""

    pads: Mapping[str, FoilPad]
    guards: Region
    ground: Point

    @property
    def wires(self) -> Points:
        """List where a wire goes through the carrier: that of each pad, and that to ground."""
        return (*(pad.wire for pad in self.pads.values()), self.ground)


def copper(layout: Layout) -> Foil:
    """Work out the copper; raises KitError where there is no room for a link or for a wire."""
    return _worked_out(_Same(layout))


class _Same:
    """A layout by its identity: it never changes, and many parts of a kit ask for its copper."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def __hash__(self) -> int:
        return id(self.layout)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.layout is self.layout


@lru_cache(maxsize=4)
def _worked_out(same: _Same) -> Foil:
    layout = same.layout
    geometry = layout.geometry
    sensors = list(layout.sensors.values())
    blocked = _blocked(layout)
    links = _links(geometry, sensors, blocked)
    bars = {
        pair: _link(geometry, sensors[pair[0]].at, sensors[pair[1]].at, whole=False)
        for pair in links
    }
    rooms = _rooms(layout)
    parts = Region.joined(Region.box(place.box) for place in places(layout).values())
    pads = {}
    for number, sensor in enumerate(sensors):
        angles = [
            atan2(
                sensors[a + b - number].at.y - sensor.at.y,
                sensors[a + b - number].at.x - sensor.at.x,
            )
            for a, b in links
            if number in (a, b)
        ]
        pads[sensor.name] = _pad(
            geometry,
            sensor,
            layout.chips[sensor.electrode.chip],
            angles,
            # Where a part underneath would be on the wire, only if there is no other place.
            (rooms[sensor.name] - parts, rooms[sensor.name]),
            blocked,
        )
    tails = Region.joined(
        _tail(each.sensor.at, each.wire).grown(_CLEAR_MM) for each in pads.values()
    )
    ground, land = _ground(layout, rooms, parts, [pads[each.name].wire for each in sensors])
    rings = Region.joined(
        Region.disc(each.at, geometry.guard_outer_mm)
        - Region.disc(each.at, geometry.guard_inner_mm)
        for each in sensors
    )
    net = (rings | Region.joined(bars.values())) - tails
    net = (net | land) - Region.disc(ground, WIRE_HOLE_MM)
    if len(net.pieces) != 1:
        raise KitError(
            f"guards of {layout.profile.name} are {len(net.pieces)} pieces: allowed is one; take a"
            " larger pad_mm or guard_mm"
        )
    return Foil(pads, net, ground)


def _blocked(layout: Layout) -> Region:
    """Give what no copper may touch: screws, buttons and the holes of lights between the pads."""
    holes = [Region.disc(at, SCREW_HOLE_MM + 2 * _CLEAR_MM) for at in layout.screws]
    holes += [Region.disc(b.at, BUTTON_HOLE_MM + 2 * _CLEAR_MM) for b in layout.buttons.values()]
    hole = layout.geometry.hole_mm + 2 * _CLEAR_MM
    holes += [Region.disc(at, hole) for at in lone_lights(layout).values()]
    return Region.joined(holes)


def _rooms(layout: Layout) -> Mapping[str, Region]:
    """Give where the wire of each pad can go straight down: clear of walls, strips, their wires."""
    laid = [lying(piece).grown(_CLEAR_MM) for piece in pieces(layout)]
    laid += [Region.disc(at, PIXEL_WIRE_MM + 2 * _APART_MM) for at in layout.wire_holes]
    rooms, closed = chambers(layout), Region.joined(laid)
    return {name: rooms[name] - closed for name in layout.sensors}


def _links(
    geometry: Geometry, sensors: Sequence[Sensor], blocked: Region
) -> tuple[tuple[int, int], ...]:
    """Choose the shortest links that join all guards, rows before columns, and no loop."""
    pairs = [(a, b) for b in range(len(sensors)) for a in range(b)]

    def order(pair: tuple[int, int]) -> tuple[float, ...]:
        here, there = sensors[pair[0]].at, sensors[pair[1]].at
        middle = abs(here.x + there.x) / 2
        return (
            round(here.distance(there), 1),
            round(abs(here.y - there.y), 1),
            round(middle, 1),
            *pair,
        )

    group = list(range(len(sensors)))
    links = []
    for a, b in sorted(pairs, key=order):
        if group[a] == group[b]:
            continue
        bar = _link(geometry, sensors[a].at, sensors[b].at, whole=True)
        others = (each for n, each in enumerate(sensors) if n not in (a, b))
        if bar.meets(blocked) or any(
            bar.meets(Region.disc(each.at, geometry.guard_outer_mm))
            for each in others
            if _near(each.at, sensors[a].at, sensors[b].at, geometry.guard_outer_mm)
        ):
            continue
        links.append((a, b))
        group = [group[a] if mine == group[b] else mine for mine in group]
    if len(set(group)) > 1:
        alone = sensors[group.index(max(group, key=group.index))].name
        raise KitError(
            f"guard of {alone} cannot be joined to the others: allowed are straight links that"
            " touch no screw, no button and no hole of a light"
        )
    return tuple(links)


def _near(at: Point, start: Point, end: Point, reach: float) -> bool:
    return (
        min(start.x, end.x) - reach < at.x < max(start.x, end.x) + reach
        and min(start.y, end.y) - reach < at.y < max(start.y, end.y) + reach
    )


def _link(geometry: Geometry, start: Point, end: Point, whole: bool) -> Region:
    """Give the bar between two guards; it begins inside their rings if it is not the whole."""
    apart = start.distance(end)
    inset = geometry.guard_inner_mm / 2 + geometry.guard_mm / 2
    if whole or apart <= 2 * inset:
        inset = geometry.guard_outer_mm / 2
        inset = min(inset, apart / 2 - 0.01)
    x, y = (end.x - start.x) / apart, (end.y - start.y) / apart
    return Region.bar(
        start.moved(x * inset, y * inset), end.moved(-x * inset, -y * inset), geometry.guard_mm
    )


def _turns(toward: float) -> Iterator[float]:
    """Give all directions, those near to a wanted one first, in radians."""
    count = 360 // _STEP_DEG
    turns = [2 * pi * n / count for n in range(count)]
    yield from sorted(turns, key=lambda turn: (round(_between(turn, toward), 6), turn))


def _between(one: float, other: float) -> float:
    return abs((one - other + pi) % (2 * pi) - pi)


def _reaches(geometry: Geometry) -> tuple[float, ...]:
    """List how far from the middle of a pad its wire may be, the best first: in its guard."""
    nearest = wire_reach_mm(geometry)
    inside = geometry.pitch_mm / 2 - WALL_MM / 2 - BASE_HOLE_MM / 2
    steps = max(0, int(inside - nearest))
    return tuple(nearest + step for step in range(steps + 1))


def _tail(at: Point, wire: Point) -> Region:
    return Region.bar(at, wire, TAIL_MM) | Region.disc(wire, TAIL_MM)


def _pad(
    geometry: Geometry,
    sensor: Sensor,
    chip: Point,
    links: Sequence[float],
    rooms: Sequence[Region],
    blocked: Region,
) -> FoilPad:
    hole = Region.disc(sensor.at, geometry.hole_mm) if sensor.lit else Region.nothing()
    toward = atan2(chip.y - sensor.at.y, chip.x - sensor.at.x)
    for room, reach, turn in product(rooms, _reaches(geometry), _turns(toward)):
        # The half of the link and of the tail with what is clear around it, seen from the middle.
        apart = (geometry.guard_mm / 2 + TAIL_MM / 2 + _CLEAR_MM) / reach + 0.02
        if any(_between(turn, link) < apart for link in links):
            continue
        wire = sensor.at.moved(round(reach * cos(turn), 3), round(reach * sin(turn), 3))
        tail = _tail(sensor.at, wire)
        if room.covers(Region.disc(wire, BASE_HOLE_MM)) and not tail.meets(blocked):
            disc = Region.disc(sensor.at, geometry.pad_mm)
            drilled = hole | Region.disc(wire, WIRE_HOLE_MM)
            return FoilPad(sensor, (disc | tail) - drilled, wire)
    raise KitError(
        f"wire of {sensor.name} finds no place beside its pad: allowed"
        " is one clear of links, walls, screws, buttons, lights; take a smaller pad_mm or guard_mm"
    )


def _ground(
    layout: Layout,
    rooms: Mapping[str, Region],
    parts: Region,
    wires: Sequence[Point],
) -> tuple[Point, Region]:
    """Find a guard near the middle with room for the wire to ground, and its land of copper.

    It is beside the parts underneath if that can be.
    """
    geometry = layout.geometry
    sensors = tuple(layout.sensors.values())
    order = sorted(
        range(len(sensors)), key=lambda n: (round(sensors[n].at.distance(Point(0, 0)), 3), n)
    )
    for closed, number in product((parts, Region.nothing()), order):
        at = sensors[number].at
        room = rooms[sensors[number].name] - closed
        own = atan2(wires[number].y - at.y, wires[number].x - at.x)
        for reach, turn in product(_reaches(geometry), _turns(-pi / 2)):
            place = at.moved(round(reach * cos(turn), 3), round(reach * sin(turn), 3))
            # The clear part around the pad's own tail must leave this land whole.
            if _between(turn, own) < 2 * (TAIL_MM / 2 + _CLEAR_MM) / reach:
                continue
            if room.covers(Region.disc(place, BASE_HOLE_MM)):
                return place, _tail(at, place) - Region.disc(at, geometry.guard_inner_mm)
    raise KitError(
        f"wire to ground of {layout.profile.name} finds no place at any guard: allowed is one that"
        " is clear of walls"
    )
