"""The files that a circuit is ordered with: Gerber with X2 attributes, Excellon drills, and a zip.

Owns what goes into which file, written by gerbonara. Must not know how the circuit was planned, nor
who reads the files. The same circuit always gives the same bytes.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from gerbonara import ExcellonFile, GerberFile
from gerbonara.apertures import CircleAperture, ExcellonTool, RectangleAperture
from gerbonara.cam import FileSettings
from gerbonara.graphic_objects import Arc, Flash, Line
from gerbonara.newstroke import Newstroke
from gerbonara.utils import MM

from hal.profile.geometry import Point
from hardware.kit.circuit import legend
from hardware.kit.circuit.circuit import GROUND, VIA_DRILL_MM, VIA_MM, Circuit, Hole, Side
from hardware.kit.circuit.layers import MASK_HOLE_MM, MASK_MM, Drills, Layer, file_name
from hardware.kit.drawing import Points

_GERBER = FileSettings(unit=MM, number_format=(4, 6), zeros="leading")
_DRILL = FileSettings(unit=MM, number_format=(1, 4))
_EDGE_MM = 0.1
_LETTER_GAP = 0.1
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)

Objects = Iterator[Any]


def files(circuit: Circuit) -> dict[str, bytes]:
    """Write every file that a maker needs, by its name."""
    layers = {
        Layer.TOP_COPPER: _top_copper(circuit),
        Layer.BOTTOM_COPPER: _bottom_copper(circuit),
        Layer.TOP_MASK: _holes_open(circuit),
        Layer.BOTTOM_MASK: _bottom_mask(circuit),
        Layer.TOP_PRINT: _print(circuit, Side.TOP),
        Layer.BOTTOM_PRINT: _print(circuit, Side.BOTTOM),
        Layer.BOTTOM_PASTE: _pins(circuit, 0.0),
        Layer.EDGE: _path((*circuit.outline, circuit.outline[0]), _EDGE_MM),
    }
    plated = tuple(Hole(via.at, VIA_DRILL_MM) for via in circuit.vias)
    drills = {Drills.PLATED: plated, Drills.UNPLATED: circuit.holes}
    written = {file_name(circuit.name, part): _gerber(part, made) for part, made in layers.items()}
    return written | {
        file_name(circuit.name, part): _excellon(part, holes) for part, holes in drills.items()
    }


def archive(files: Mapping[str, bytes]) -> bytes:
    """Pack files as a zip, which is what makers take; all are dated as zip's first day."""
    packed = BytesIO()
    with ZipFile(packed, "w") as target:
        for name, data in sorted(files.items()):
            entry = ZipInfo(name, _FIRST_DAY)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            target.writestr(entry, data)
    return packed.getvalue()


class _Exact:
    """Keep all digits of a measure: gerbonara's own apertures keep four."""

    __slots__ = ()

    def to_gerber(self, settings: FileSettings | None = None) -> str:
        sizes: Iterable[float] = self._params(settings.unit if settings else None)  # type: ignore[attr-defined]
        code: str = self._gerber_shape_code  # type: ignore[attr-defined]
        return f"{code}," + "X".join(f"{size:.6f}".rstrip("0").rstrip(".") for size in sizes)


class _Round(_Exact, CircleAperture):  # type: ignore[misc]
    __slots__ = ()


class _Square(_Exact, RectangleAperture):  # type: ignore[misc]
    __slots__ = ()


class _Attribute:
    """Say what net, or what pin, the objects from here on belong to: gerbonara reads but does not
    write such attributes (Gerber format specification, 5.6.13 and 5.6.14).
    """

    def __init__(self, *fields: str) -> None:
        self._statement = f"%TO{','.join(fields)}*%"

    def to_statements(self, _state: object) -> Iterator[str]:
        yield self._statement


class _NoAttributes(_Attribute):
    def __init__(self) -> None:
        self._statement = "%TD*%"


def _net(name: str) -> _Attribute:
    """Name the net of what follows; "N/C" is what the specification calls no net."""
    return _Attribute(".N", name or "N/C")


def _disc(at: Point, diameter_mm: float) -> Flash:
    return Flash(at.x, at.y, _Round(diameter_mm, unit=MM), unit=MM)


def _ring(at: Point, inner_mm: float, outer_mm: float) -> Objects:
    """Draw a ring as two half circles with a thick pen.

    Some readers fill apertures that have a hole, and KiCad's export drops an arc that ends where it
    starts.
    """
    if inner_mm <= 0:
        yield _disc(at, outer_mm)
        return
    radius = (inner_mm + outer_mm) / 4
    pen = _Round((outer_mm - inner_mm) / 2, unit=MM)
    for way in (radius, -radius):
        yield Arc(at.x - way, at.y, at.x + way, at.y, way, 0.0, True, pen, unit=MM)


def _path(points: Points, width_mm: float) -> Objects:
    pen = _Round(width_mm, unit=MM)
    for start, end in pairwise(points):
        yield Line(start.x, start.y, end.x, end.y, pen, unit=MM)


def _tracks(circuit: Circuit, side: Side) -> Objects:
    for track in circuit.tracks:
        if track.side is side:
            yield _net(track.net)
            yield from _path(track.points, track.width_mm)
    for via in circuit.vias:
        yield _net(via.net)
        yield _disc(via.at, VIA_MM)


def _top_copper(circuit: Circuit) -> Objects:
    for pad in circuit.pads:
        yield _net(pad.net)
        yield from _ring(pad.at, pad.inner_mm, pad.diameter_mm)
    yield _net(GROUND)
    for guard in circuit.guards:
        yield from _ring(guard.at, guard.inner_mm, guard.outer_mm)
    yield from _tracks(circuit, Side.TOP)
    yield _NoAttributes()


def _bottom_copper(circuit: Circuit) -> Objects:
    for connector in circuit.connectors:
        for pin in connector.pins:
            yield _Attribute(".P", connector.name, str(pin.number))
            yield _net(pin.net)
            shape = _Square(pin.width_mm, pin.height_mm, unit=MM)
            yield Flash(pin.at.x, pin.at.y, shape, unit=MM)
            yield _NoAttributes()
    yield from _tracks(circuit, Side.BOTTOM)
    yield _NoAttributes()


def _pins(circuit: Circuit, more_mm: float) -> Objects:
    for connector in circuit.connectors:
        for pin in connector.pins:
            wide, high = pin.width_mm + 2 * more_mm, pin.height_mm + 2 * more_mm
            yield Flash(pin.at.x, pin.at.y, _Square(wide, high, unit=MM), unit=MM)


def _holes_open(circuit: Circuit) -> Objects:
    for hole in circuit.holes:
        yield _disc(hole.at, hole.drill_mm + 2 * MASK_HOLE_MM)


def _bottom_mask(circuit: Circuit) -> Objects:
    yield from _pins(circuit, MASK_MM)
    yield from _holes_open(circuit)


def _print(circuit: Circuit, side: Side) -> Objects:
    for line in legend.lines(circuit, side, strokes):
        yield from _path(line.points, line.width_mm)


@cache
def strokes(text: str) -> tuple[Points, ...]:
    """Give the strokes of a text in KiCad's font, as `legend.Font` says."""
    font = Newstroke.load()
    drawn = font.render(text, char_gap=_LETTER_GAP)
    # The font's letters stand a little above its baseline, and its y goes down.
    base = max(y for stroke in font.glyphs["H"][1] for _, y in stroke)
    return tuple(tuple(Point(x, base - y) for x, y in stroke) for stroke in drawn)


def _gerber(layer: Layer, made: Objects) -> bytes:
    attributes = {
        ".GenerationSoftware": ("lifeboard", "board kit"),
        ".Part": ("Single",),
        ".SameCoordinates": ("Original",),
        ".FileFunction": layer.function,
    }
    if layer.polarity is not None:
        attributes[".FilePolarity"] = (layer.polarity,)
    written = GerberFile(objects=list(made), file_attrs=attributes).write_to_bytes(_GERBER)
    # gerbonara leaves out the end of this one statement.
    return bytes(written.replace(b"\nG75\n", b"\nG75*\n")) + b"\n"


def _excellon(kind: Drills, holes: Iterable[Hole]) -> bytes:
    plated = kind is Drills.PLATED
    drilled = [
        Flash(hole.at.x, hole.at.y, ExcellonTool(hole.drill_mm, plated, unit=MM), unit=MM)
        for hole in sorted(holes, key=lambda hole: hole.drill_mm)
    ]
    written = ExcellonFile(objects=drilled).write_to_bytes(_DRILL).decode()
    first, start, *rest = written.splitlines()
    head = [start, first, f"; #@! TF.FileFunction,{','.join(kind.function)}"]
    return ("\n".join([*head, *rest]) + "\n").encode()
