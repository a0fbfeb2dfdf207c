"""Where the parts of a board are, in millimetres, for making one.

Owns the section [geometry] of a profile file. How cells lie to each other belongs to the rules of
their board: here is only how far apart they are. Must not know what is made of it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import cos, hypot, radians, sin
from types import MappingProxyType
from typing import NamedTuple

from hal.profile.toml_reader import Section

_FARTHEST_MM = 1000.0
_PLACE_RULE = "[x, y] in mm from the middle of the cells, x to the right and y away from player 1"
_LIGHTS_RULE = "{ at = [[x, y], ...] }, { from = [x, y], to = [x, y] } or { radius = ... }"


# The measures in mm, by their names in a profile, and what each may be.
_RANGES = {
    "pitch_mm": (15, 80),
    "pad_mm": (8, 40),
    "hole_mm": (2, 12),
    "gap_mm": (0.3, 5),
    "guard_mm": (0.5, 8),
    "cover_mm": (0.5, 8),
    "carrier_mm": (1, 10),
    "air_mm": (3, 40),
    "margin_mm": (5, 60),
}
MEASURES = tuple(_RANGES)
"""The measures of a board, by their names in a profile."""
_GUARD = ("pad_mm", "gap_mm", "guard_mm")
"""What a guard's outer diameter is made of."""


class Point(NamedTuple):
    """A place in mm: x to the right, y away from the player who sits below."""

    x: float
    y: float

    def distance(self, other: "Point") -> float:
        """Give the distance to another point."""
        return hypot(self.x - other.x, self.y - other.y)

    def moved(self, x: float = 0.0, y: float = 0.0) -> "Point":
        """Give the point this far to the right and up."""
        return Point(self.x + x, self.y + y)


@dataclass(frozen=True, slots=True)
class Geometry:
    """Say how large a board is, in mm. Places count from the middle of the cells.

    `pitch_mm` is the distance of two neighbours, `pad_mm` the diameter of a pad and `hole_mm` that
    of the hole in it for the light; the guard is a ring `gap_mm` around the pad, `guard_mm` wide.
    `air_mm` is between the sensing layer and the pixels' base, `margin_mm` around all. `lights` has
    the place of each light ("circle.0"), `keys` that of each key.
    """

    pitch_mm: float
    pad_mm: float
    hole_mm: float
    gap_mm: float
    guard_mm: float
    cover_mm: float
    carrier_mm: float
    air_mm: float
    margin_mm: float
    computer: Point
    supply: Point
    lights: Mapping[str, Point]
    keys: Mapping[str, Point]

    @property
    def guard_inner_mm(self) -> float:
        """Give the inner diameter of the ring around a pad."""
        return self.pad_mm + 2 * self.gap_mm

    @property
    def guard_outer_mm(self) -> float:
        """Give the outer diameter of the ring around a pad."""
        return self.guard_inner_mm + 2 * self.guard_mm

    def of(self, lights: Collection[str], keys: Collection[str]) -> "Geometry":
        """Give the geometry of a board that has only these lights and keys of this one."""
        return replace(
            self,
            lights=MappingProxyType({n: at for n, at in self.lights.items() if n in lights}),
            keys=MappingProxyType({key: at for key, at in self.keys.items() if key in keys}),
        )


def read_geometry(
    section: Section, lights: Mapping[str, int], keys: Mapping[str, object]
) -> Geometry:
    """Read [geometry] of a board with these groups of lights (and how many each has) and keys."""
    section.only((*MEASURES, "computer", "supply", "lights", "keys"))
    placed_lights = section.section("lights")
    placed_lights.only(lights)
    placed_keys = section.section("keys")
    placed_keys.only(keys)
    geometry = Geometry(
        **{name: section.number(name, *ends) for name, ends in _RANGES.items()},
        computer=_point(section, "computer"),
        supply=_point(section, "supply"),
        lights=MappingProxyType(_read_lights(placed_lights, lights)),
        keys=MappingProxyType({key: _point(placed_keys, key) for key in keys}),
    )
    most = geometry.pad_mm - 4
    if geometry.hole_mm > most:
        allowed = f"up to {most:g}, so that 2 mm of the pad are left around it"
        raise section.fault("hole_mm", f"{geometry.hole_mm:g}", allowed)
    if geometry.guard_outer_mm >= geometry.pitch_mm:
        parts = [f"{name} = {getattr(geometry, name):g}" for name in _GUARD]
        holds = f"{', '.join(parts)}, which make guards of {geometry.guard_outer_mm:g} mm"
        raise section.misfit(holds, f"less than pitch_mm = {geometry.pitch_mm:g}")
    return geometry


def _read_lights(section: Section, groups: Mapping[str, int]) -> dict[str, Point]:
    lights: dict[str, Point] = {}
    for group, count in groups.items():
        table = section.section(group, _LIGHTS_RULE)
        for place, at in enumerate(_places(table, count)):
            lights[f"{group}.{place}"] = at
        table.done()
    return lights


def _places(table: Section, count: int) -> tuple[Point, ...]:
    if table.has("radius"):
        radius = table.number("radius", 5, _FARTHEST_MM)
        turns = [radians(360 * n / count) for n in range(count)]
        return tuple(_rounded(radius * sin(turn), radius * cos(turn)) for turn in turns)
    if table.has("from") or table.has("to"):
        start, end = _point(table, "from"), _point(table, "to")
        steps = max(count - 1, 1)
        return tuple(
            _rounded(
                start.x + (end.x - start.x) * n / steps, start.y + (end.y - start.y) * n / steps
            )
            for n in range(count)
        )
    pairs = table.pairs("at", count, -_FARTHEST_MM, _FARTHEST_MM)
    return tuple(Point(*pair) for pair in pairs)


def _point(section: Section, key: str) -> Point:
    return Point(*section.pair(key, -_FARTHEST_MM, _FARTHEST_MM, _PLACE_RULE))


def _rounded(x: float, y: float) -> Point:
    # A micrometre is finer than anything here is made; -0.0 would be written as such.
    return Point(round(x, 3) + 0.0, round(y, 3) + 0.0)
