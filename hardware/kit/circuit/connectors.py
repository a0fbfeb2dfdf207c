"""Where the connectors of a sensing board are: rows of pins on the bottom, between the pads.

Owns the choice of their places, so that the slot for the cable is right below each. Must not know
chips, tracks, what is printed beside a pin, nor why there can be no slot somewhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations, product
from math import hypot
from typing import Any

import shapely
from shapely import Polygon, union_all
from shapely.geometry.base import BaseGeometry as Shape

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import EDGE_MM, Connector, Pad, Pin
from hardware.kit.circuit.outlines import disc
from hardware.kit.drawing import Box
from hardware.kit.errors import KitError
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import opening

PITCH_MM = 2.54
PIN_MM = (1.3, 3.0)
"""Of a pin: along its row, and across."""
_GRID_MM = PITCH_MM / 2
_FROM_EDGE_MM = 1.5
_FROM_PAD_MM = 0.6
"""Pins lie on the other side; but under a pad each would feel its finger."""
_APART_MM = 6.0
"""Between two connectors, so that what is printed beside them has room."""
_BESIDE_MM = 36.0
"""Between two connectors side by side, so that the walls between them hang on others."""
_CROWD_MM = 30.0
"""How much nearer to its pads a connector must be to stand beside another."""
_NEIGHBOURS = 3.4
"""How far apart pads may be that share a connector, in distances of the nearest two."""
_BREAKOUT_WEIGHT = 0.5
_MIXED = 1.15
"""All rows in one direction look better, but not at any price."""


class Turn(Enum):
    """How a row of pins lies."""

    LEVEL = "level"
    UPRIGHT = "upright"


@dataclass(frozen=True, slots=True)
class Row:
    """A connector without a place: nets and texts of its pins in order, and what it is near to."""

    name: str
    nets: tuple[str, ...]
    texts: tuple[str, ...]
    near: Point


@dataclass(frozen=True, slots=True)
class _Place:
    row: Row
    at: Point
    turn: Turn
    backward: bool

    @property
    def box(self) -> Box:
        half = (len(self.row.nets) - 1) * PITCH_MM / 2 + PIN_MM[0] / 2
        across = PIN_MM[1] / 2
        wide, high = (half, across) if self.turn is Turn.LEVEL else (across, half)
        return Box(self.at.x - wide, self.at.y - high, self.at.x + wide, self.at.y + high)

    @property
    def slot(self) -> Box:
        """Give the slot of the base below it."""
        return opening(self.box, len(self.row.nets))

    @property
    def surroundings(self) -> Box:
        """Give where another in the same direction would stand beside it, and part a wall."""
        box, x, y = self.box, _BESIDE_MM, _APART_MM
        if self.turn is Turn.UPRIGHT:
            x, y = y, x
        return Box(box.left - y, box.bottom - x, box.right + y, box.top + x)

    @property
    def pins(self) -> tuple[Pin, ...]:
        along, across = PIN_MM
        wide, high = (along, across) if self.turn is Turn.LEVEL else (across, along)
        return tuple(
            Pin(number, net, Point(round(x, 3), round(y, 3)), wide, high)
            for number, (net, (x, y)) in enumerate(
                zip(self.row.nets, self.places(), strict=True), 1
            )
        )

    def places(self) -> Iterator[tuple[float, float]]:
        """Give the places of the pins: to the right or, as texts go, downward; or backward."""
        count = len(self.row.nets)
        step = -PITCH_MM if self.backward else PITCH_MM
        level = self.turn is Turn.LEVEL
        x, y = self.at
        for n in range(count):
            way = (n - (count - 1) / 2) * step
            yield (x + way, y) if level else (x, y - way)


_Placed = list[tuple[float, _Place]]


def place(
    rows: Sequence[Row], outline: Polygon, pads: Sequence[Pad], closed: Region
) -> tuple[Connector, ...]:
    """Place rows of pins on a board, each near its pads and what it is to be near.

    They are apart from each other, within the board, clear of holes, and not under pads if that
    can be. Neither they nor the slots below them are where it is `closed`. Raises KitError that
    names a row for which there is no room.
    """
    room = _Room(outline, pads, closed)
    choices: list[tuple[float, int, _Placed]] = []
    for turns, price in (((Turn.LEVEL,), 1.0), ((Turn.UPRIGHT,), 1.0), (tuple(Turn), _MIXED)):
        found = _place_all(rows, room, turns)
        if found is not None:
            choices.append((price * sum(cost for cost, _ in found), len(choices), found))
    if not choices:
        names = ", ".join(row.name for row in rows)
        raise KitError(
            f"the connectors {names} have no room between the pads: allowed are rows of pins"
            f" {PITCH_MM:g} mm apart, clear of strips, of holes of the base and of what the profile"
            " puts underneath; smaller pads or a larger pitch_mm make room"
        )
    best = min(choices, key=lambda choice: choice[:2])[2]
    return tuple(Connector(at.row.name, at.row.name, at.pins) for _, at in best)


def overlap(one: Box, other: Box) -> bool:
    """Tell whether two boxes share more than an edge."""
    apart = one.left >= other.right or one.right <= other.left
    return not (apart or one.bottom >= other.top or one.top <= other.bottom)


class _Room:
    """Where on a board rows of pins may be."""

    def __init__(self, outline: Polygon, pads: Sequence[Pad], closed: Region) -> None:
        self.closed = closed.shape
        self.pads = {pad.net: pad.at for pad in pads}
        inner = outline.buffer(-_FROM_EDGE_MM).difference(self.closed)
        holes = union_all([disc(p.at, p.hole_mm / 2 + 2 * EDGE_MM) for p in pads if p.hole_mm])
        copper = union_all([disc(p.at, p.diameter_mm / 2 + _FROM_PAD_MM) for p in pads])
        self.above_none = inner.difference(copper)
        self.above_pads = inner.difference(holes)
        for shape in (self.above_none, self.above_pads, self.closed):
            shapely.prepare(shape)
        self.between = tuple(self._between())
        self.beside = tuple(self._beside(pads))

    def stages(self, anywhere: bool) -> Iterator[tuple[Iterable[Point], Shape]]:
        """Give where to look and where it is free, the best first; in the end `anywhere`."""
        yield self.between, self.above_none
        yield self.beside, self.above_none
        if anywhere:
            yield _lattice(self.above_none), self.above_none
            yield _lattice(self.above_pads), self.above_pads

    def _between(self) -> Iterable[Point]:
        places = list(self.pads.values())
        pairs = [(a.distance(b), a, b) for a, b in combinations(places, 2)]
        if pairs:
            limit = _NEIGHBOURS * min(distance for distance, _, _ in pairs)
            near = [(a, b) for distance, a, b in pairs if distance <= limit]
            yield from dict.fromkeys(_on_grid((a.x + b.x) / 2, (a.y + b.y) / 2) for a, b in near)

    def _beside(self, pads: Sequence[Pad]) -> Iterable[Point]:
        for pad in pads:
            away = pad.diameter_mm / 2 + PIN_MM[1] / 2 + _FROM_PAD_MM + _GRID_MM
            for x, y in ((0.0, -away), (0.0, away), (-away, 0.0), (away, 0.0)):
                yield _on_grid(pad.at.x + x, pad.at.y + y)


def _place_all(rows: Sequence[Row], room: _Room, turns: tuple[Turn, ...]) -> _Placed | None:
    placed: _Placed = []
    for row in rows:
        found = _best(row, room, turns, [at for _, at in placed])
        if found is None:
            return None
        placed.append(found)
    return placed


def _best(
    row: Row, room: _Room, turns: tuple[Turn, ...], others: Sequence[_Place]
) -> tuple[float, _Place] | None:
    taken = [other.box.grown(_APART_MM) for other in others]
    crowds = [other.surroundings for other in others]
    # A row can be turned before it is put where there is nothing to guide it.
    for places, free in room.stages(anywhere=len(turns) > 1):
        spots = [_Place(row, at, turn, False) for at, turn in product(places, turns)]
        tries = [
            (_cost(way, room) + _CROWD_MM * sum(overlap(spot.box, one) for one in crowds), n, way)
            for n, spot in enumerate(_open(spots, free, room.closed))
            if not any(overlap(spot.box, other) for other in taken)
            for way in (spot, replace(spot, backward=True))
        ]
        if tries:
            cost, _, way = min(tries, key=lambda one: one[:2])
            return cost, way
    return None


def _open(spots: Sequence[_Place], free: Shape, closed: Shape) -> Iterator[_Place]:
    """Give the places whose pins are where it is free, and whose slots are clear of the closed."""
    if spots:
        pins, slots = _boxes(spot.box for spot in spots), _boxes(spot.slot for spot in spots)
        fits = shapely.contains(free, pins) & ~shapely.intersects(closed, slots)
        yield from (spot for spot, fit in zip(spots, fits, strict=True) if fit)


def _boxes(boxes: Iterable[Box]) -> Any:
    sides = [(box.left, box.bottom, box.right, box.top) for box in boxes]
    left, bottom, right, top = (list(values) for values in zip(*sides, strict=True))
    return shapely.box(left, bottom, right, top)


def _cost(way: _Place, room: _Room) -> float:
    total, count = 0.0, 0
    for net, (x, y) in zip(way.row.nets, way.places(), strict=True):
        pad = room.pads.get(net)
        if pad is not None:
            total += hypot(pad.x - x, pad.y - y)
            count += 1
    return total / max(count, 1) + _BREAKOUT_WEIGHT * way.at.distance(way.row.near)


def _lattice(free: Shape) -> list[Point]:
    if free.is_empty:
        return []
    left, bottom, right, top = (round(side / _GRID_MM) for side in free.bounds)
    points = [
        _on_grid(column * _GRID_MM, line * _GRID_MM)
        for column, line in product(range(left, right + 1), range(bottom, top + 1))
    ]
    within = shapely.contains_xy(free, [at.x for at in points], [at.y for at in points])
    return [at for at, is_within in zip(points, within, strict=True) if is_within]


def _on_grid(x: float, y: float) -> Point:
    # Pins on the lattice of the tracks are reached without bends.
    at = (round(round(value / _GRID_MM) * _GRID_MM, 3) + 0.0 for value in (x, y))
    return Point(*at)
