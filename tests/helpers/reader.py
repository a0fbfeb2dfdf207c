"""What is joined to what on a finished board, read from its Gerbers and drills alone.

Owns the way from shapes of copper to nets. Must not know the circuit, nor any file of KiCad's own:
it would share their mistakes. Layers are named as KiCad names them, "F.Cu", "In1.Cu" ... "B.Cu",
by the X2 attributes of the files; x is to the right and y down, in millimetres, from their origin.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import shapely
import shapely.affinity
from gerbonara import ExcellonFile, GerberFile
from gerbonara import graphic_primitives as primitives
from gerbonara.utils import MM, approximate_arc
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

At = Callable[[str, float, float], int | None]
"""Gives the net at a place of a layer, None where there is no copper; raises KeyError for a layer
that the board does not have."""

_COPPER = re.compile(r"TF\.FileFunction,Copper,L(\d+),(Top|Inr|Bot)")
_DRILLS = re.compile(r"TF\.FileFunction,(Plated|NonPlated),(\d+),(\d+)")
_SLOT = re.compile(r"(?m)^(X[-.\d]+Y[-.\d]+)G85(X[-.\d]+Y[-.\d]+)$")
_FINE_MM = 0.005  # how far a drawn arc may be from a true one: a thirtieth of the least gap


def joined(folder: Path) -> At:
    """Read all Gerbers and drills of a folder; raise ValueError without copper or plated holes."""
    drawn: dict[int, tuple[str, BaseGeometry]] = {}
    holes: list[tuple[int, int, BaseGeometry]] = []
    bare: list[BaseGeometry] = []
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        text = path.read_text(encoding="utf-8", errors="replace")
        if found := _COPPER.search(text):
            number, side = int(found[1]), found[2]
            name = {"Top": "F.Cu", "Bot": "B.Cu"}.get(side, f"In{number - 1}.Cu")
            drawn[number] = name, _copper(GerberFile.open(path))
        elif found := _DRILLS.search(text):
            made = list(_holes(path))
            if found[1] == "Plated":
                holes += [(int(found[2]), int(found[3]), hole) for hole in made]
            else:
                bare += made
    if not drawn or not holes:
        raise ValueError(f"{folder} has {len(drawn)} layers of copper and {len(holes)} holes")
    gone = shapely.union_all(bare)
    copper = {
        number: (name, _Islands(shapely.difference(shape, gone)))
        for number, (name, shape) in drawn.items()
    }
    nets = _Nets()
    for first, last, hole in holes:
        touched = [
            (number, island)
            for number, (_, islands) in copper.items()
            if first <= number <= last
            for island in islands.met_by(hole)
        ]
        for other in touched[1:]:
            nets.join(touched[0], other)
    layers = {name: (number, islands) for number, (name, islands) in copper.items()}

    def at(layer: str, x: float, y: float) -> int | None:
        number, islands = layers[layer]
        found = islands.met_by(Point(x, y))
        return nets.number((number, found[0])) if found else None

    return at


class _Islands:
    """The pieces of a layer's copper that do not touch each other."""

    def __init__(self, copper: BaseGeometry) -> None:
        self._parts = shapely.get_parts(copper)
        self._tree = shapely.STRtree(self._parts)
        # Areas of ground have many thousand corners.
        shapely.prepare(self._parts)

    def met_by(self, shape: BaseGeometry) -> list[int]:
        near = self._tree.query(shape)
        return [int(each) for each in near[shapely.intersects(self._parts[near], shape)]]


class _Nets:
    """Islands that holes have joined, and the number of each such net."""

    def __init__(self) -> None:
        self._parents: dict[tuple[int, int], tuple[int, int]] = {}
        self._numbers: dict[tuple[int, int], int] = {}

    def number(self, island: tuple[int, int]) -> int:
        return self._numbers.setdefault(self._root(island), len(self._numbers))

    def join(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        self._parents[self._root(one)] = self._root(other)

    def _root(self, island: tuple[int, int]) -> tuple[int, int]:
        root = island
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        if root != island:
            self._parents[island] = root
        return root


def _copper(file: GerberFile) -> BaseGeometry:
    """Give all copper of a layer; what is drawn clear takes away from what was drawn before."""
    whole: BaseGeometry = Polygon()
    for dark, shapes in _runs(file):
        one = shapely.union_all(shapes)
        whole = shapely.union(whole, one) if dark else shapely.difference(whole, one)
    return whole


def _runs(file: GerberFile) -> Iterator[tuple[bool, list[BaseGeometry]]]:
    """Group shapes that follow each other by whether they are drawn dark."""
    run: list[BaseGeometry] = []
    before = True
    for thing in file.objects:
        for primitive in thing.to_primitives(MM):
            if primitive.polarity_dark != before:
                yield before, run
                run, before = [], primitive.polarity_dark
            run.append(_shape(primitive))
    yield before, run


def _holes(path: Path) -> Iterator[BaseGeometry]:
    """Give each hole, or slot, as the surface that its tool takes away."""
    # KiCad's way to write a slot, which gerbonara does not know, as the one that it does.
    text = _SLOT.sub(r"G00\1\nM15\nG01\2\nM16\nG05", path.read_text(encoding="utf-8"))
    with warnings.catch_warnings():
        # KiCad says "absolute" after the header, where gerbonara does not expect it.
        warnings.filterwarnings("ignore", ".*G90 header statement", SyntaxWarning)
        file = ExcellonFile.from_string(text)
    for thing in file.objects:
        yield from map(_shape, thing.to_primitives(MM))


def _shape(primitive: Any) -> BaseGeometry:
    match primitive:
        case primitives.Circle(x=x, y=y, r=radius):
            return Point(x, -y).buffer(radius)
        case primitives.Line(x1=x1, y1=y1, x2=x2, y2=y2, width=width):
            return LineString([(x1, -y1), (x2, -y2)]).buffer(width / 2)
        case primitives.Arc(x1=x1, y1=y1, x2=x2, y2=y2, cx=cx, cy=cy, clockwise=way, width=width):
            points = approximate_arc(cx, cy, x1, y1, x2, y2, way, max_error=_FINE_MM)
            return LineString(_flipped(points)).buffer(width / 2)
        case primitives.Rectangle(x=x, y=y, w=width, h=height, rotation=turn):
            # gerbonara 1.5 outlines rectangles that are turned too small.
            flat = shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            turned = shapely.affinity.rotate(flat, turn, use_radians=True)
            return Polygon(_flipped(turned.exterior.coords))
    outline: list[tuple[float, float]] = []
    for start, end, (way, centre) in primitive.to_arc_poly().segments:
        if way is None:
            outline += [start, end]
        else:
            outline += approximate_arc(*centre, *start, *end, way, max_error=_FINE_MM)
    return shapely.make_valid(Polygon(_flipped(outline)))


def _flipped(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x, -y) for x, y in points]
