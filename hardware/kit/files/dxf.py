"""Drawings as DXF, for cutters and CAD: lines only, one unit a millimetre.

Owns how each shape is written in DXF, by ezdxf. Must not know what is drawn.
"""

from collections.abc import Iterator
from colorsys import rgb_to_hls
from contextlib import contextmanager
from io import StringIO

import ezdxf
from ezdxf.colors import RGB, rgb2int
from ezdxf.document import Drawing as Document
from ezdxf.enums import TextEntityAlignment
from ezdxf.layouts import Modelspace
from ezdxf.units import MM

from hardware.kit.drawing import (
    DASH_MM,
    Anchor,
    Arc,
    Area,
    Circle,
    Drawing,
    Label,
    Path,
    Points,
    Shape,
)

_DASHED = "DASHED"
# Numbers 1 to 6 of DXF go around the circle of hues from red.
_HUES = ("red", "yellow", "green", "cyan", "blue", "magenta")
_BLACK_AND_WHITE = 7
_LEAST_CHROMA = 0.25
# A font's size is that of its line; DXF counts the height of its capitals.
_CAPITAL = 0.729
_ALIGNMENTS = {
    Anchor.START: TextEntityAlignment.LEFT,
    Anchor.MIDDLE: TextEntityAlignment.CENTER,
    Anchor.END: TextEntityAlignment.RIGHT,
}


def to_dxf(drawing: Drawing) -> bytes:
    """Write a drawing as DXF R2010 in its true size: each style's name is a layer of its colour.

    Texts are in layers of their own. What is filled becomes its outline. A second colour of the
    same name is that of its lines. Colours are given twice, since old programs know but the
    numbered ones: exactly, and as the nearest of those.
    """
    drawing.check()
    with _fixed_dates():
        document = ezdxf.new("R2010", units=MM)
        document.header["$LTSCALE"] = 1.0
        dash, gap = DASH_MM
        document.linetypes.add(_DASHED, [dash + gap, dash, -gap], description="dashed")
        space = document.modelspace()
        box = drawing.box
        space.reset_extents((box.left, box.bottom, 0), (box.right, box.top, 0))
        space.reset_limits((box.left, box.bottom), (box.right, box.top))
        _add_all(document, drawing)
        # Of itself ezdxf lists them in the order of a set, which is another one in each process.
        for kind in sorted(document.entitydb.dxf_types_in_use()):
            document.classes.add_class(kind)
        text = StringIO()
        document.write(text)
        return document.encode(text.getvalue())


def _add_all(document: Document, drawing: Drawing) -> None:
    space = document.modelspace()
    layers: dict[str, RGB] = {}
    for mark in drawing.marks:
        style = mark.style
        colour = RGB.from_hex(style.stroke or style.fill or "#000000")
        layer = mark.layer
        if layer not in layers:
            layers[layer] = colour
            document.layers.add(layer, color=_number_of(colour), true_color=rgb2int(colour))
        attributes: dict[str, object] = {"layer": layer}
        if layers[layer] != colour:
            attributes |= {"color": _number_of(colour), "true_color": rgb2int(colour)}
        if style.dashed:
            attributes["linetype"] = _DASHED
        _add(space, mark.shape, attributes)


def _number_of(colour: RGB) -> int:
    """Give the numbered colour of the nearest hue, and that of black and white for grey."""
    hue, lightness, saturation = rgb_to_hls(*(part / 255 for part in colour))
    if saturation * (1 - abs(2 * lightness - 1)) < _LEAST_CHROMA:
        return _BLACK_AND_WHITE
    return 1 + round(hue * len(_HUES)) % len(_HUES)


def _add(space: Modelspace, shape: Shape, attributes: dict[str, object]) -> None:
    match shape:
        case Circle(centre, diameter):
            space.add_circle(centre, diameter / 2, attributes)
        case Arc(centre, diameter, start, _):
            if shape.turn_deg == 360:
                space.add_circle(centre, diameter / 2, attributes)
            else:
                end = start + shape.turn_deg
                space.add_arc(centre, diameter / 2, start, end, dxfattribs=attributes)
        case Path(points, closed):
            _add_line(space, points, closed, attributes)
        case Area(outline, holes):
            for points in (outline, *holes):
                _add_line(space, points, True, attributes)
        case Label(text, at, size, anchor, turn):
            line = space.add_text(
                text, height=size * _CAPITAL, rotation=turn, dxfattribs=attributes
            )
            line.set_placement(at, align=_ALIGNMENTS[anchor])


def _add_line(
    space: Modelspace, points: Points, closed: bool, attributes: dict[str, object]
) -> None:
    space.add_lwpolyline(points, close=closed, dxfattribs=attributes)


@contextmanager
def _fixed_dates() -> Iterator[None]:
    """Let ezdxf write the same dates and ids always."""
    options = ezdxf.options
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        options.write_fixed_meta_data_for_testing = before
