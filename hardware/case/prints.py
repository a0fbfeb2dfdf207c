"""The marks engraved on the cover, or printed below it: cells, names, lights, keys, rules."""

import tomllib
from collections.abc import Iterator
from math import cos, dist, pi, sin
from pathlib import Path
from typing import NamedTuple

from shapely import LineString, Polygon, box
from shapely.affinity import rotate, translate
from shapely.geometry.base import BaseGeometry

from game.rules.circle_of_life.game import CIRCLE
from game.rules.cirkle_mind.squares import CELLS, PRINTED
from hardware.board.plan import Plan, Spot
from hardware.case.solids import chamber

STONE_MM = 2.7
"""Distance between the stones of a drawn species."""


class Words(NamedTuple):
    """A line of words; `height` is that of a capital in mm, `left` aligns it to the left."""

    text: str
    x: float
    y: float
    height: float
    left: bool = False


Mark = Words | BaseGeometry

RULES = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))


def marks(plan: Plan) -> Iterator[Mark]:
    """Yield all lines and words of a cover."""
    for name, at in plan.cells.items():
        yield chamber(plan, at).buffer(-0.8, join_style="mitre").exterior
        place = at.at(13.3, 0)
        yield Words(name, place.x, place.y, 1.8)
    for name, at in plan.lights.items():
        group, _, number = name.rpartition(".")
        if group.startswith("score") and int(number) % 5 == 4:
            beside = 7.0 if at.y > 0 else -7.0
            yield Words(str(int(number) + 1), at.x, at.y + beside, 2.2)
    if tuple(plan.cells) == CELLS:
        for at, code in zip(plan.cells.values(), PRINTED, strict=True):
            yield from _square(at.at(-17.0, 0), code)
    circle = [at for name, at in plan.lights.items() if name.startswith("circle.")]
    if len(circle) == len(CIRCLE):
        yield from _species(circle)
    for name, at in plan.keys.items():
        label = name.replace("_", " ").capitalize()
        if name in plan.electrodes:
            yield chamber(plan, at).buffer(-0.8, join_style="mitre").exterior
            yield Words(label, at.x, at.y + 13.3, 1.8)
        else:
            inward = at.at(-9.0, 0)
            yield Words(label, inward.x, inward.y, 2.4, left=True)
    if rules := RULES.get(plan.name):
        x, y = rules["at"]
        yield Words(rules["title"], x, y, 3.0, left=True)
        for row, line in enumerate(rules["lines"]):
            yield Words(line, x, y + 5.5 + 3.3 * row, 1.9, left=True)


def _species(circle: list[Spot]) -> Iterator[BaseGeometry]:
    """Draw each species outside its light, and an arrow to the species that it eats."""
    for species, light in zip(CIRCLE, circle, strict=True):
        points = [(STONE_MM * x, STONE_MM * y) for x, y in species.centres]
        shape = LineString([*points, points[0]]) if len(points) > 1 else None
        middle = shape.envelope.centroid if shape else Polygon(_round(0, 0, 1)).centroid
        place = light.at(8.5, 0)
        for x, y in points:
            stone = Polygon(_round(x - middle.x, y - middle.y, STONE_MM * 0.43))
            along = rotate(stone, 90 - light.turn, origin=(0, 0))
            yield translate(along, place.x, place.y).exterior
        arrow = Spot(0, 0, light.turn + 16.0).at(dist(light[:2], (0, 0)), 0, 90)
        ends = [arrow.at(0, 2.5), arrow.at(3.0, 0), arrow.at(0, -2.5)]
        yield LineString([end[:2] for end in ends])


def _square(at: Spot, code: str) -> Iterator[Mark]:
    """Draw a square's shape around its colour's letter, as CirKle Mind needs it."""
    if not code:
        return
    colour, shape = code[0], code[1]
    yield Words(colour, at.x, at.y, 1.8)
    if shape == "C":
        drawn = box(-3, -1.4, 3, 1.4) | box(-1.4, -3, 1.4, 3)
    else:
        corners, radius, turn = {"T": (3, 3.8, -90), "S": (4, 3.2, 45), "O": (24, 2.6, 0)}[shape]
        drawn = rotate(Polygon(_round(0, 0, radius, corners)), turn, origin=(0, 0))
    yield translate(drawn, at.x, at.y).boundary


def _round(x: float, y: float, radius: float, corners: int = 24) -> list[tuple[float, float]]:
    turns = [2 * pi * n / corners for n in range(corners)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]
