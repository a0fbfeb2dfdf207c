"""What copper is joined with what: pieces of copper, the holes that join them, and their nets.

Owns shorts, opens, guards and clearances between nets. Knows the copper from its shapes only, and
the nets from the places of pads and pins. Must not know how boards are planned.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from shapely import LineString, Polygon, STRtree
from shapely import Point as Spot
from shapely.ops import nearest_points

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import CLEARANCE_MM, GROUND, Side
from hardware.kit.circuit.reading import Bow, Dot, Drill, Form, Item, Patch, Stroke
from hardware.kit.circuit.shapes import disc, merged, name_of, pieces

TOLERANCE_MM = 0.001

PinPlace = tuple[str, int, str, Point]
"""A pin: its connector, its number, its net, and a place on it."""


@dataclass(slots=True)
class Island:
    """A piece of copper on one side; `said` are the nets that the file says it belongs to."""

    side: Side
    shape: Polygon
    said: set[str] = field(default_factory=set)


class Nets:
    """Copper by sides, joined by holes into groups, which are numbered."""

    def __init__(self, items: Mapping[Side, Sequence[Item]], plated: Sequence[Drill]) -> None:
        self.islands: list[Island] = []
        self._trees: dict[Side, STRtree] = {}
        self._firsts: dict[Side, int] = {}
        for side, own in items.items():
            shapes = pieces(merged(own))
            self._firsts[side] = len(self.islands)
            self._trees[side] = STRtree(shapes)
            self.islands += [Island(side, shape) for shape in shapes]
            for item in own:
                if item.net is not None and item.dark:
                    for number in self.at(side, Spot(_on(item.form))):
                        self.islands[number].said.add(item.net)
        self._leaders = list(range(len(self.islands)))
        for drill in plated:
            hole = disc(drill.at, drill.diameter_mm)
            touched = [number for side in items for number in self.at(side, hole)]
            for number in touched[1:]:
                self._leaders[self.group(number)] = self.group(touched[0])

    def at(self, side: Side, shape: Polygon | Spot | LineString) -> list[int]:
        """List the pieces on a side that a shape touches."""
        first = self._firsts[side]
        return sorted(int(n) + first for n in self._trees[side].query(shape, "intersects"))

    def group(self, island: int) -> int:
        """Give the group of a piece."""
        while self._leaders[island] != island:
            self._leaders[island] = self._leaders[self._leaders[island]]
            island = self._leaders[island]
        return island

    def near(self, side: Side, within_mm: float) -> Iterable[tuple[int, int]]:
        """List the pairs of pieces on a side that are that near, and in different groups."""
        first = self._firsts[side]
        tree = self._trees[side]
        ones, others = tree.query(tree.geometries, "dwithin", within_mm)
        for one, other in zip(ones, others, strict=True):
            if one < other and self.group(int(one) + first) != self.group(int(other) + first):
                yield int(one) + first, int(other) + first


def net_faults(
    nets: Nets, pads: Mapping[str, Point], pins: Sequence[PinPlace]
) -> tuple[list[str], dict[int, str]]:
    """List shorts, opens and copper without a net; name each group by what it holds."""
    faults: list[str] = []
    places: dict[str, dict[int, str]] = {}
    loose: list[int] = []
    for text, net, side, at in _ends(pads, pins):
        found = nets.at(side, Spot(at))
        if not found:
            faults.append(f"{text} at {name_of(at)}: copper there is none: allowed is a piece")
            continue
        group = nets.group(found[0])
        if net:
            places.setdefault(net, {}).setdefault(group, text)
        else:
            loose.append(group)
            places.setdefault(f"no net ({text})", {})[group] = text
    faults += _listed(pads, pins)
    held: dict[int, set[str]] = {}
    for net, groups in places.items():
        for group in groups:
            held.setdefault(group, set()).add(net)
        if len(groups) > 1:
            faults.append(
                f"open: net {net} falls into {len(groups)} pieces that nothing joins"
                f" ({', '.join(groups.values())}): allowed is 1"
            )
    for names in held.values():
        if len(names) > 1:
            faults.append(f"short: {', '.join(sorted(names))} are joined: allowed is one net")
    for group in loose:
        count = sum(nets.group(n) == group for n in range(len(nets.islands)))
        if count > 1:
            name = next(iter(held[group]))
            faults.append(f"{name} is joined with {count} pieces of copper: allowed is 1")
    named = {group: " and ".join(sorted(names)) for group, names in held.items()}
    for number, island in enumerate(nets.islands):
        group = nets.group(number)
        where = f"{island.side.value} copper at {name_of(island.shape.representative_point())}"
        if group not in named:
            faults.append(f"{where} reaches no pad and no pin: allowed is a net")
            continue
        real = "" if named[group].startswith("no net") else named[group]
        if len(held[group]) == 1 and not island.said <= {real}:
            others = ", ".join(sorted(island.said - {real})) or "none"
            faults.append(f"{where} is said to be of net {others}: allowed is {named[group]}")
    return faults, named


def clearance_faults(nets: Nets, named: Mapping[int, str]) -> list[str]:
    """List copper of different nets that is too near."""
    faults = []
    for side in Side:
        for one, other in nets.near(side, CLEARANCE_MM - TOLERANCE_MM):
            here, there = nets.islands[one].shape, nets.islands[other].shape
            at, _ = nearest_points(here, there)
            names = [named.get(nets.group(n), "no net") for n in (one, other)]
            faults.append(
                f"{side.value} copper of {names[0]} and of {names[1]} is"
                f" {here.distance(there):.3f} mm apart at {name_of(at)}:"
                f" allowed are {CLEARANCE_MM:.3f} mm and more"
            )
    return faults


def guard_faults(nets: Nets, pads: Mapping[str, Point], pins: Sequence[PinPlace]) -> list[str]:
    """List pads without a closed ring of ground around them, or with more copper inside of it."""
    ground = {
        nets.group(number)
        for _, _, net, at in pins
        if net == GROUND
        for number in nets.at(Side.BOTTOM, Spot(at))
    }
    rings = [
        (Polygon(inner), nets.group(number))
        for number, island in enumerate(nets.islands)
        if island.side is Side.TOP
        for inner in island.shape.interiors
    ]
    tree = STRtree([inside for inside, _ in rings])
    faults = []
    for name, at in pads.items():
        own = nets.at(Side.TOP, Spot(at))
        if not own:
            continue
        shape = nets.islands[own[0]].shape
        around = [rings[n] for n in tree.query(shape, "covered_by")]
        if not around:
            faults.append(f"pad {name}: rings of copper around it are 0: allowed is 1 of {GROUND}")
            continue
        inside, group = min(around, key=lambda each: each[0].area)
        if group not in ground:
            faults.append(f"pad {name}: the ring around it is not {GROUND}: allowed is {GROUND}")
        count = sum(inside.covers(nets.islands[n].shape) for n in nets.at(Side.TOP, inside))
        if count > 1:
            faults.append(f"pad {name}: {count} pieces of copper are in its ring: allowed is 1")
    return faults


def _ends(
    pads: Mapping[str, Point], pins: Sequence[PinPlace]
) -> Iterable[tuple[str, str, Side, Point]]:
    for name, at in pads.items():
        yield f"pad {name}", name, Side.TOP, at
    for connector, number, net, at in pins:
        yield f"pin {number} of {connector}", net, Side.BOTTOM, at


def _listed(pads: Mapping[str, Point], pins: Sequence[PinPlace]) -> list[str]:
    """Compare what the pads and the pins are called."""
    faults = []
    counts = dict.fromkeys((*pads, GROUND), 0)
    for connector, number, net, _ in pins:
        if net in counts:
            counts[net] += 1
        elif net:
            faults.append(
                f"pin {number} of {connector} is of net {net}: allowed are the pads and {GROUND}"
            )
    for name, count in counts.items():
        if count != 1 and (name != GROUND or count == 0):
            allowed = "1 and more" if name == GROUND else "1"
            faults.append(f"net {name} has {count} pins: allowed is {allowed}")
    return faults


def _on(form: Form) -> Point:
    """Give a place on the copper of a form."""
    match form:
        case Dot(at, _):
            return at
        case Stroke(start, _, _) | Bow(start, _, _, _, _):
            return start
        case Patch(points):
            spot = Polygon(points).representative_point()
            return Point(spot.x, spot.y)
