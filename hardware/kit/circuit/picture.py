"""Pictures of a circuit, from its files: what its two sides will look like.

Owns colours, and what lies over what. Must not know the circuit that the files were written from.
Each picture is seen as one holds the board: the bottom is that of a board which was turned over.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import atan2, degrees

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Side
from hardware.kit.circuit.layers import Drills, Layer
from hardware.kit.circuit.reading import (
    Bow,
    Dot,
    Form,
    Item,
    Patch,
    Stroke,
    read_drills,
    read_layer,
    svg_of,
)
from hardware.kit.circuit.shapes import merged, pieces, ring
from hardware.kit.drawing import Arc, Area, Box, Circle, Drawing, Mark, Path, Points, Shape, Style

MASK = "#0f4c3a"
COVERED = "#2c8f6b"
BASE = "#b9a878"
BARE = "#e3bd62"
INK = "#f4f2e8"
EDGE = "#0a2f24"
HOLE = "#ffffff"

_COPPER = {Side.TOP: Layer.TOP_COPPER, Side.BOTTOM: Layer.BOTTOM_COPPER}
_MASKS = {Side.TOP: Layer.TOP_MASK, Side.BOTTOM: Layer.BOTTOM_MASK}
_PRINTS = {Side.TOP: Layer.TOP_PRINT, Side.BOTTOM: Layer.BOTTOM_PRINT}
_ROUND_ENDS = 'stroke-linecap="round" stroke-linejoin="round"'


def pictures(files: Mapping[str, bytes]) -> dict[str, str]:
    """Draw both sides as SVG, "top" and "bottom", each layer as gerbonara draws it."""
    return {side.value: _svg(files, side) for side in Side}


def drawing(files: Mapping[str, bytes], side: Side) -> Drawing:
    """Draw a side as shapes, for other files than SVG."""
    board = ring(read_layer(files, Layer.EDGE))
    left, low, right, high = board.bounds
    turned = side is Side.BOTTOM
    box = Box(-right, low, -left, high) if turned else Box(left, low, right, high)
    copper = read_layer(files, _COPPER[side])
    mask = read_layer(files, _MASKS[side])
    drawn = Drawing(f"{_name(files)}, {side.value}", box.grown(2))
    drawn.add(_filled("board", MASK), *_areas(board))
    drawn.marks += _marks(copper, "copper", COVERED)
    drawn.marks += _marks(mask, "opening", BASE)
    drawn.add(_filled("bare", BARE), *_areas(merged(copper).intersection(merged(mask))))
    for drill in read_drills(files, Drills.PLATED):
        drawn.add(_filled("via", MASK), Circle(drill.at, drill.diameter_mm))
    for drill in read_drills(files, Drills.UNPLATED):
        drawn.add(Style("hole", EDGE, 0.1, HOLE), Circle(drill.at, drill.diameter_mm))
    drawn.marks += _marks(read_layer(files, _PRINTS[side]), "print", INK)
    drawn.add(Style("edge", EDGE, 0.2), *_outlines(board))
    if turned:
        drawn.marks = [Mark(_turned(mark.shape), mark.style) for mark in drawn.marks]
    return drawn


def _svg(files: Mapping[str, bytes], side: Side) -> str:
    board = ring(read_layer(files, Layer.EDGE))
    left, low, right, high = board.bounds
    turned = side is Side.BOTTOM
    wide, tall = right - left + 4, high - low + 4
    start = -right - 2 if turned else left - 2
    name = f"{_name(files)}-{side.value}"
    outlines = [*_rings(board)]
    holes = [
        f"M{drill.at.x - r:.3f} {drill.at.y:.3f}a{r:.3f} {r:.3f} 0 1 0 {2 * r:.3f} 0"
        f"a{r:.3f} {r:.3f} 0 1 0 {-2 * r:.3f} 0Z"
        for drill in read_drills(files, Drills.UNPLATED)
        for r in [drill.diameter_mm / 2]
    ]
    body = " ".join(f"M{' '.join(f'{x:.3f} {y:.3f}' for x, y in points)}Z" for points in outlines)
    copper = "\n".join(svg_of(files, _COPPER[side], "currentColor"))
    openings = "\n".join(svg_of(files, _MASKS[side], "currentColor"))
    cut = f'<path d="{body} {" ".join(holes)}" fill-rule="evenodd"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.3f}mm" height="{tall:.3f}mm"'
        f' viewBox="{start:.3f} {-high - 2:.3f} {wide:.3f} {tall:.3f}" role="img">',
        f"<title>{name.replace('-', ' ')}</title>",
        "<defs>",
        f'<g id="{name}-copper" {_ROUND_ENDS}>\n{copper}\n</g>',
        f'<g id="{name}-openings">\n{openings}\n</g>',
        f'<clipPath id="{name}-clip">\n{openings}\n</clipPath>',
        f'<clipPath id="{name}-board">{cut} clip-rule="evenodd"/></clipPath>',
        "</defs>",
        f'<g transform="scale({-1 if turned else 1} -1)">',
        f'{cut} fill="{MASK}" stroke="{EDGE}" stroke-width="0.2"/>',
        f'<use href="#{name}-copper" color="{COVERED}"/>',
        f'<g clip-path="url(#{name}-board)">',
        f'<use href="#{name}-openings" color="{BASE}"/>',
        f'<g clip-path="url(#{name}-clip)"><use href="#{name}-copper" color="{BARE}"/></g>',
        "</g>",
        *svg_of(files, Drills.PLATED, MASK),
        f"<g {_ROUND_ENDS}>",
        *svg_of(files, _PRINTS[side], INK),
        "</g>",
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _name(files: Mapping[str, bytes]) -> str:
    ending = f"-{Layer.EDGE.value}.gbr"
    return next(name.removesuffix(ending) for name in files if name.endswith(ending))


def _filled(name: str, colour: str) -> Style:
    return Style(name, None, fill=colour)


def _marks(items: Iterable[Item], name: str, colour: str) -> Iterator[Mark]:
    """Draw forms in a colour, lines that follow each other as one."""
    line: list[Point] = []
    width = 0.0

    def pen() -> Style:
        return Style(name, colour, width)

    for form in _circles(item.form for item in items):
        if isinstance(form, Stroke) and line and (line[-1], width) == (form.start, form.width_mm):
            line.append(form.end)
            continue
        if line:
            yield Mark(Path(tuple(line)), pen())
            line = []
        if isinstance(form, Stroke):
            line, width = [form.start, form.end], form.width_mm
        else:
            yield _mark(form, name, colour)
    if line:
        yield Mark(Path(tuple(line)), pen())


def _circles(forms: Iterable[Form]) -> Iterator[Form]:
    """Make one circle of two arcs that are its halves, which would show their seams."""
    half: Bow | None = None
    for form in forms:
        if (
            half is not None
            and isinstance(form, Bow)
            and (form.start, form.end) == (half.end, half.start)
            and (form.clockwise, form.width_mm) == (half.clockwise, half.width_mm)
        ):
            yield replace(half, end=half.start)
            half = None
            continue
        if half is not None:
            yield half
            half = None
        if isinstance(form, Bow):
            half = form
        else:
            yield form
    if half is not None:
        yield half


def _mark(form: Form, name: str, colour: str) -> Mark:
    match form:
        case Dot(at, diameter):
            return Mark(Circle(at, diameter), _filled(name, colour))
        case Patch(points):
            return Mark(Area(points), _filled(name, colour))
        case Stroke(start, end, width):
            return Mark(Path((start, end)), Style(name, colour, width))
        case Bow(start, end, centre, clockwise, width):
            style, across = Style(name, colour, width), round(2 * centre.distance(start), 6)
            if start == end:
                return Mark(Circle(centre, across), style)
            first, last = (degrees(atan2(at.y - centre.y, at.x - centre.x)) for at in (start, end))
            if clockwise:
                first, last = last, first
            return Mark(Arc(centre, across, first, last), style)


def _areas(shape: BaseGeometry) -> Iterator[Area]:
    for piece in pieces(shape):
        outline, *holes = _rings(piece)
        yield Area(outline, tuple(holes))


def _outlines(shape: Polygon) -> Iterator[Path]:
    for points in _rings(shape):
        yield Path(points, closed=True)


def _rings(polygon: Polygon) -> Iterator[Points]:
    for points in (polygon.exterior, *polygon.interiors):
        yield tuple(Point(x, y) for x, y in points.coords[:-1])


def _turned(shape: Shape) -> Shape:
    """Mirror a shape, left and right."""
    match shape:
        case Circle(centre, diameter):
            return Circle(_mirrored(centre), diameter)
        case Arc(centre, diameter, start, end):
            return Arc(_mirrored(centre), diameter, 180 - end, 180 - start)
        case Path(points, closed):
            return Path(tuple(map(_mirrored, points)), closed)
        case Area(outline, holes):
            return Area(
                tuple(map(_mirrored, outline)), tuple(tuple(map(_mirrored, h)) for h in holes)
            )
    raise TypeError(f"{shape} is not part of a picture of a circuit")


def _mirrored(at: Point) -> Point:
    return Point(-at.x, at.y)
