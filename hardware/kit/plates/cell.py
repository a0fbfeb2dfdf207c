"""A cell cut through, and its pad from above, with the measures of a board.

Owns this picture of the guide. It is drawn larger than life: `_SCALE` times in width and in height,
but for sheets thinner than a millimetre, which are drawn as half of one.
"""

from collections.abc import Iterator

from hal.profile.geometry import Geometry, Point
from hardware.kit.drawing import (
    Anchor,
    Area,
    Box,
    Circle,
    Drawing,
    Label,
    Mark,
    Path,
    Points,
    Style,
)
from hardware.kit.layout import Layout
from hardware.kit.materials import BASE_MM
from hardware.kit.plates.chambers import PIXEL_MM, STRIP_MM, WALL_MM, wire_reach_mm
from hardware.kit.plates.copper import TAIL_MM, copper
from hardware.kit.plates.regions import Region

_SCALE = 4.0
_THIN_MM = 0.5
_CLEAR = Style("cover", stroke="#555555", width_mm=0.25, fill="#dceefa")
_PRINT = Style("print", stroke="#555555", width_mm=0.25, fill="#fbf3da")
_COPPER = Style("copper", stroke="#7a4a1f", width_mm=0.25, fill="#c8742b")
_GUARD = Style("guard", stroke="#555f69", width_mm=0.25, fill="#8795a1")
_WOOD = Style("wood", stroke="#555555", width_mm=0.25, fill="#efe3cf")
_STRIP = Style("strip", stroke="#555555", width_mm=0.25, fill="#cfd8cf")
_PIXEL = Style("pixel", stroke="#333333", width_mm=0.4, fill="#ffffff")
_LIGHT = Style("light", stroke=None, fill="#ffe9a8")
_WIRE = Style("wire", stroke="#b3261e", width_mm=0.7)
_LINE = Style("leader", stroke="#999999", width_mm=0.2)
_SIZE = Style("size", stroke="#333333", width_mm=0.25)
_WORD = Style("word", stroke=None, fill="#222222")
_TEXT_MM, _HEAD_MM = 4.2, 5.0
_PIXEL_HIGH_MM, _STRIP_HIGH_MM = 1.6, 0.4
_LABELS_MM = 96.0


def section(layout: Layout) -> Drawing:
    """Draw the cut and the pad. The text in it says each measure in mm."""
    geometry = layout.geometry
    width = geometry.pitch_mm * _SCALE
    levels = _levels(geometry)
    height = sum(high for _, high in levels) * _SCALE
    pad = geometry.guard_outer_mm * _SCALE
    tall = max(height, pad + 4 * _TEXT_MM * 1.9) + 22
    right = width / 2 + _LABELS_MM + pad + 12
    drawing = Drawing(
        "A cell cut through, and its pad from above", Box(-width / 2 - 6, -tall + 10, right, 14)
    )
    drawing.marks += _cut(geometry)
    drawing.marks += _above(layout, Point(right - pad / 2 - 8, -6 - pad / 2))
    return drawing


def _levels(geometry: Geometry) -> tuple[tuple[str, float], ...]:
    """List what lies below what, and how high it is drawn, in mm of the board."""
    return (
        ("cover", geometry.cover_mm),
        ("print", _THIN_MM),
        ("copper", _THIN_MM),
        ("carrier", geometry.carrier_mm),
        ("air", geometry.air_mm),
        ("base", BASE_MM),
    )


def _cut(geometry: Geometry) -> Iterator[Mark]:
    half = geometry.pitch_mm / 2
    tops: dict[str, float] = {}
    level = 0.0
    for name, high in _levels(geometry):
        tops[name] = level
        level -= high
    hole, pad = geometry.hole_mm / 2, geometry.pad_mm / 2
    inner, outer = geometry.guard_inner_mm / 2, geometry.guard_outer_mm / 2
    wire = -wire_reach_mm(geometry)
    below = {
        "cover": "print",
        "print": "copper",
        "copper": "carrier",
        "carrier": "air",
        "air": "base",
    }

    def bar(left: float, right: float, name: str, style: Style) -> Mark:
        low = tops[below[name]] if name in below else tops[name] - BASE_MM
        return _bar(left, right, low, tops[name], style)

    yield bar(-half, half, "cover", _CLEAR)
    yield bar(-half, half, "print", _PRINT)
    for side in (-1, 1):
        for inside, name in ((hole, "carrier"), (half - WALL_MM / 2, "air")):
            left, right = sorted((side * inside, side * half))
            yield bar(left, right, name, _WOOD)
    yield bar(hole, pad, "copper", _COPPER)
    yield bar(inner, outer, "copper", _GUARD)
    # On the other side the cut goes through the tail, in the mouth of the guard.
    yield bar(wire - TAIL_MM / 2, -hole, "copper", _COPPER)
    yield bar(-half, half, "base", _WOOD)
    floor = tops["base"]
    face = floor + _STRIP_HIGH_MM + _PIXEL_HIGH_MM
    # Light as it goes from the pixel through the hole to the print.
    cone = ((-PIXEL_MM * 0.35, face), (PIXEL_MM * 0.35, face), (hole, tops["copper"]))
    yield Mark(Area(tuple(_up(x, y) for x, y in (*cone, (-hole, tops["copper"])))), _LIGHT)
    yield _bar(-STRIP_MM / 2, STRIP_MM / 2, floor, floor + _STRIP_HIGH_MM, _STRIP)
    yield _bar(-PIXEL_MM / 2, PIXEL_MM / 2, floor + _STRIP_HIGH_MM, face, _PIXEL)
    start = _up(wire, tops["copper"] - _THIN_MM / 2)
    yield Mark(Path((start, _up(wire, floor - BASE_MM - 1.5))), _WIRE)
    yield Mark(Circle(start, 2.0), Style("wire", stroke=None, fill="#b3261e"))
    yield Mark(
        Label("Cut through a cell", _up(-half, 0).moved(y=5), _HEAD_MM, Anchor.START, bold=True),
        _WORD,
    )
    words = (
        (half, (tops["cover"] + tops["print"]) / 2, f"cover, acrylic {geometry.cover_mm:g} mm"),
        (half, (tops["print"] + tops["copper"]) / 2, "print, under it the diffuser: no air"),
        (outer - 0.8, (tops["copper"] + tops["carrier"]) / 2, "copper: pad with tail; grey: guard"),
        (
            half,
            (tops["carrier"] + tops["air"]) / 2,
            f"carrier {geometry.carrier_mm:g} mm, or circuit 1.6 mm",
        ),
        (half, tops["air"] - geometry.air_mm * 0.35, f"walls, {geometry.air_mm:g} mm of air"),
        (PIXEL_MM / 2, face - 0.8, "pixel, right below the hole"),
        (STRIP_MM / 2, floor + 0.2, "strip, or a single pixel on wires"),
        (half, tops["base"] - BASE_MM / 2, f"base {BASE_MM:g} mm; wires go down"),
    )
    gap = _TEXT_MM * 1.75
    line = min(-1.0, words[0][1] * _SCALE)
    for x, y, text in words:
        place = Point(half * _SCALE + 12, min(line, y * _SCALE))
        line = place.y - gap
        yield Mark(Path((_up(x, y), place.moved(x=-1))), _LINE)
        yield Mark(Label(text, place.moved(y=-0.36 * _TEXT_MM), _TEXT_MM, Anchor.START), _WORD)


def _up(x: float, y: float) -> Point:
    return Point(round(x * _SCALE, 3), round(y * _SCALE, 3))


def _bar(left: float, right: float, low: float, high: float, style: Style) -> Mark:
    corners = ((left, low), (right, low), (right, high), (left, high))
    return Mark(Area(tuple(_up(x, y) for x, y in corners)), style)


def _above(layout: Layout, at: Point) -> Iterator[Mark]:
    """Draw the first pad seen from above, and below it its measures."""
    geometry = layout.geometry
    reach = geometry.guard_outer_mm / 2 * _SCALE
    yield Mark(
        Label("Pad from above", Point(at.x - reach, 5), _HEAD_MM, Anchor.START, bold=True), _WORD
    )
    foil = copper(layout)
    pad = next(iter(foil.pads.values()))
    around = Region.disc(pad.sensor.at, geometry.guard_outer_mm + 3)
    for region, style in ((foil.guards & around, _GUARD), (pad.region, _COPPER)):
        for area in region.areas:
            rings = tuple(_larger(ring, pad.sensor.at, at) for ring in (area.outline, *area.holes))
            yield Mark(Area(rings[0], rings[1:]), style)
    measures = (
        ("hole", geometry.hole_mm),
        ("pad", geometry.pad_mm),
        ("gap to", geometry.guard_inner_mm),
        ("guard to", geometry.guard_outer_mm),
    )
    level = at.y - reach - 3.5
    for name, wide in measures:
        level -= _TEXT_MM * 1.9
        half = wide / 2 * _SCALE
        ends = (Point(at.x - half, level), Point(at.x + half, level))
        yield Mark(Path(ends), _SIZE)
        for end in ends:
            yield Mark(Path((end.moved(y=-1), end.moved(y=1))), _SIZE)
        yield Mark(Label(f"{name} {wide:g} mm", Point(at.x, level + 1.6), _TEXT_MM), _WORD)


def _larger(points: Points, middle: Point, at: Point) -> Points:
    """Draw points around one place larger, around another."""
    return tuple(
        at.moved(round((p.x - middle.x) * _SCALE, 3), round((p.y - middle.y) * _SCALE, 3))
        for p in points
    )
