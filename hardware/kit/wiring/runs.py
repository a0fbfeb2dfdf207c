"""How wires run: from part to part in a chain, and from the computer's pins of power and ground.

Owns the order of a chain and the pins that are left. Must not know what the wires are for.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hal.profile.geometry import Point
from hardware.kit.electric.chain import way_mm
from hardware.kit.wiring.wires import End, Kind, Wire

STRAP_MM = 40
"""A wire between two pins of one breakout: only the slack."""
_LEAST_GAIN_MM = 0.1


@dataclass(frozen=True, slots=True)
class Stop:
    """A pin that a chain of wires visits, and where its part is."""

    end: End
    at: Point


class Rail:
    """Hand out where the next chain of a rail begins.

    That is a pin of the computer that is free; when there is none, where the last chain ended.
    """

    def __init__(self, pins: Sequence[Stop]) -> None:
        self._free = list(pins)
        self._last = pins[0]

    def take(self) -> Stop:
        """Give the pin at which the next chain begins."""
        if self._free:
            self._last = self._free.pop(0)
        return self._last

    def chain(self, kind: Kind, signal: str, stops: Sequence[Stop], note: str = "") -> list[Wire]:
        """Wire all stops, one after the other, from the next pin on."""
        wires = chained(kind, signal, (self.take(), *stops), note)
        if stops:
            self._last = stops[-1]
        return wires


def length_mm(start: Point, end: Point) -> int:
    """Give how long a wire between two places is cut."""
    return round(way_mm(start, end))


def wired(kind: Kind, signal: str, start: Stop, end: Stop, note: str = "") -> Wire:
    """Make a wire between two stops."""
    return Wire(kind, signal, start.end, end.end, length_mm(start.at, end.at), note)


def chained(kind: Kind, signal: str, stops: Sequence[Stop], note: str = "") -> list[Wire]:
    """Make wires from each stop to the next."""
    return [wired(kind, signal, start, end, note) for start, end in pairwise(stops)]


def in_turn(start: Point, places: Iterable[tuple[str, Point]]) -> list[tuple[str, Point]]:
    """Order parts so that a chain through all of them is short.

    Each is the nearest to the one before it; then stretches are turned round as long as it helps.
    """
    left = list(places)
    order: list[tuple[str, Point]] = []
    here = start
    while left:
        nearest = min(left, key=lambda part: _way(here, part[1]))
        left.remove(nearest)
        order.append(nearest)
        here = nearest[1]
    stretches = [(i, j) for i in range(len(order)) for j in range(i + 2, len(order) + 1)]
    turned = True
    while turned:
        turned = False
        for i, j in stretches:
            other = order[:i] + order[i:j][::-1] + order[j:]
            if _length(start, other) < _length(start, order) - _LEAST_GAIN_MM:
                order, turned = other, True
    return order


def _length(start: Point, order: Sequence[tuple[str, Point]]) -> float:
    return sum(_way(a, b) for a, b in pairwise((start, *(at for _, at in order))))


def _way(start: Point, end: Point) -> float:
    return round(abs(start.x - end.x) + abs(start.y - end.y), 3)
