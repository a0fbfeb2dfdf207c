"""The files of a circuit, read back by gerbonara: plain shapes, and gerbonara's pictures of them.

Owns how files become shapes. Must not know the circuit that they were written from. Lengths in mm.
"""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gerbonara import ExcellonFile, GerberFile
from gerbonara import graphic_primitives as primitives
from gerbonara.graphic_objects import Flash
from gerbonara.utils import MM

from hal.profile.geometry import Point
from hardware.kit.circuit.layers import Drills, Layer
from hardware.kit.drawing import Points
from hardware.kit.errors import KitError


@dataclass(frozen=True, slots=True)
class Dot:
    """A full disc."""

    at: Point
    diameter_mm: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line with round ends."""

    start: Point
    end: Point
    width_mm: float


@dataclass(frozen=True, slots=True)
class Bow:
    """A part of a circle drawn with a round pen; all of the circle if it ends where it starts."""

    start: Point
    end: Point
    centre: Point
    clockwise: bool
    width_mm: float


@dataclass(frozen=True, slots=True)
class Patch:
    """A polygon."""

    outline: Points


Form = Dot | Stroke | Bow | Patch


@dataclass(frozen=True, slots=True)
class Item:
    """A form in a layer, which a form that is not `dark` takes away again.

    `net` is what the file says that it belongs to, "" if it says to none, None if it says nothing.
    """

    form: Form
    dark: bool
    net: str | None


@dataclass(frozen=True, slots=True)
class Drill:
    """A hole."""

    at: Point
    diameter_mm: float


def part_of(files: Mapping[str, bytes], part: Layer | Drills) -> bytes:
    """Find the one file of a layer, or of drills; raise KitError if there is not exactly one."""
    ending = f"-{part.value}.{'gbr' if isinstance(part, Layer) else 'drl'}"
    found = [name for name in files if name.endswith(ending)]
    if len(found) != 1:
        raise KitError(f"files *{ending} are {len(found)}: allowed is 1")
    return files[found[0]]


def read_layer(files: Mapping[str, bytes], layer: Layer) -> tuple[Item, ...]:
    """Read a layer; raise KitError for a file that is none, or that says to be another layer."""
    read = _gerber(part_of(files, layer), layer.value)
    said = read.file_attrs.get(".FileFunction")
    if said != layer.function:
        raise KitError(
            f"{layer.value}: its function is {','.join(said or ('not said',))}:"
            f" allowed is {','.join(layer.function)}"
        )
    polarity = ",".join(read.file_attrs.get(".FilePolarity", ())) or None
    if polarity != layer.polarity:
        raise KitError(
            f"{layer.value}: its polarity is {polarity or 'not said'}:"
            f" allowed is {layer.polarity or 'none'}"
        )
    if read.import_settings.unit != MM or read.import_settings.number_format != (4, 6):
        raise KitError(
            f"{layer.value}: its coordinates are {read.import_settings.number_format} in"
            f" {read.import_settings.unit}: allowed is (4, 6) in mm"
        )
    return tuple(
        Item(form, primitive.polarity_dark, _net(thing))
        for thing in read.objects
        for primitive in thing.to_primitives(MM)
        for form in _forms(primitive, layer.value)
    )


def read_drills(files: Mapping[str, bytes], kind: Drills) -> tuple[Drill, ...]:
    """Read the holes of a kind; raise KitError for a file that is none."""
    data = part_of(files, kind)
    read = _excellon(data, kind.value)
    said = re.search(rb"TF\.FileFunction,(\S+)", data)
    if said is None or tuple(said[1].decode().split(",")) != kind.function:
        raise KitError(
            f"{kind.value}: its function is {said[1].decode() if said else 'not said'}:"
            f" allowed is {','.join(kind.function)}"
        )
    return tuple(_drill(thing, kind) for thing in read.objects)


def svg_of(files: Mapping[str, bytes], part: Layer | Drills, colour: str) -> tuple[str, ...]:
    """Let gerbonara draw a layer, or drills, in one colour: SVG elements in mm with y up."""
    data = part_of(files, part)
    read = _gerber(data, part.value) if isinstance(part, Layer) else _excellon(data, part.value)
    return tuple(str(tag) for tag in read.svg_objects(svg_unit=MM, fg=colour))


def _gerber(data: bytes, name: str) -> Any:
    return _parsed(GerberFile, data, name)


def _excellon(data: bytes, name: str) -> Any:
    return _parsed(ExcellonFile, data, name)


def _parsed(kind: Any, data: bytes, name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return kind.from_string(data.decode(), filename=name)
        except (ArithmeticError, LookupError, SyntaxError, TypeError, ValueError, Warning) as error:
            raise KitError(f"{name}: cannot be read: {error}") from error


def _net(thing: Any) -> str | None:
    # gerbonara keeps no attributes of polygons.
    said = thing.attrs.get(".N") if isinstance(thing.attrs, dict) else None
    if not said:
        return None
    return "" if said[0] == "N/C" else str(said[0])


def _drill(thing: Any, kind: Drills) -> Drill:
    if not isinstance(thing, Flash):
        raise KitError(f"{kind.value}: a {type(thing).__name__} is in it: allowed are round holes")
    placed = thing.converted(MM)
    return Drill(Point(placed.x, placed.y), thing.tool.equivalent_width(MM))


def _forms(primitive: Any, name: str) -> Iterator[Form]:
    match primitive:
        case primitives.Circle():
            yield Dot(Point(primitive.x, primitive.y), 2 * primitive.r)
        case primitives.Rectangle():
            yield Patch(_points(primitive.to_arc_poly().outline))
        case primitives.Line():
            start, end = Point(primitive.x1, primitive.y1), Point(primitive.x2, primitive.y2)
            yield Stroke(start, end, primitive.width)
        case primitives.Arc():
            yield Bow(
                Point(primitive.x1, primitive.y1),
                Point(primitive.x2, primitive.y2),
                Point(primitive.cx, primitive.cy),
                primitive.clockwise,
                primitive.width,
            )
        case primitives.ArcPoly() if not any(primitive.arc_centers):
            outline = _points(primitive.outline)
            yield Patch(outline[:-1] if outline[0] == outline[-1] else outline)
        case _:
            raise KitError(
                f"{name}: a {type(primitive).__name__} is in it: allowed are discs, rectangles,"
                " lines, arcs and polygons"
            )


def _points(pairs: Iterable[tuple[float, float]]) -> Points:
    return tuple(Point(x, y) for x, y in pairs)
