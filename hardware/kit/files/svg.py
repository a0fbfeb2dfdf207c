"""Drawings as SVG, one unit a millimetre.

Owns how each shape is written in SVG, by drawsvg. Must not know what is drawn.
"""

from itertools import groupby
from math import cos, radians, sin
from typing import Any

import drawsvg

from hal.profile.geometry import Point
from hardware.kit.drawing import (
    DASH_MM,
    FONTS,
    Arc,
    Area,
    Circle,
    Drawing,
    Label,
    Mark,
    Path,
    Points,
    Shape,
    Style,
)


def to_svg(drawing: Drawing, *, inline: bool = False) -> str:
    """Write a drawing as SVG in its true size; `inline` leaves out the head that HTML lacks.

    Neighbouring marks of one style are a group, whose class is their layer. x is that of the
    drawing, and y is its negative, since in SVG y goes down.
    """
    drawing.check()
    box = drawing.box
    width, height = _number(box.width), _number(box.height)
    picture: Any = drawsvg.Drawing(
        width,
        height,
        origin=(_number(box.left), _number(-box.top)),
        font_family=", ".join(FONTS),
        fill_rule="evenodd",
        stroke_linejoin="round",
        xml__space="preserve",
    )
    picture.set_render_size(f"{width}mm", f"{height}mm")
    picture.append_title(drawing.title)
    for (style, layer), marks in groupby(drawing.marks, key=_layer):
        group = drawsvg.Group(class_=layer, **_line(style), fill=style.fill or "none")
        for mark in marks:
            group.append(_element(mark.shape, style))
        picture.append(group)
    header = {"header": ""} if inline else {}
    text: str = picture.as_svg(**header)
    return text if text.endswith("\n") else text + "\n"


def _layer(mark: Mark) -> tuple[Style, str]:
    return mark.style, mark.layer


def _line(style: Style) -> dict[str, Any]:
    if style.stroke is None:
        return {"stroke": "none"}
    line = {"stroke": style.stroke, "stroke_width": _number(style.width_mm)}
    if style.dashed:
        line["stroke_dasharray"] = " ".join(str(_number(length)) for length in DASH_MM)
    return line


def _element(shape: Shape, style: Style) -> Any:
    match shape:
        case Circle(centre, diameter):
            return drawsvg.Circle(*_place(centre), _number(diameter / 2))
        case Arc():
            return _arc(shape)
        case Path(points, closed):
            return drawsvg.Path(_outline(points, closed))
        case Area(outline, holes):
            outlines = [outline, *holes]
            return drawsvg.Path(" ".join(_outline(points, closed=True) for points in outlines))
        case Label():
            return _label(shape, style)


def _arc(arc: Arc) -> Any:
    turn = arc.turn_deg
    if turn == 360:
        return drawsvg.Circle(*_place(arc.centre), _number(arc.diameter_mm / 2))
    radius = arc.diameter_mm / 2
    start, end = (
        " ".join(str(number) for number in _place(_on_circle(arc.centre, radius, angle)))
        for angle in (arc.start_deg, arc.start_deg + turn)
    )
    large = int(turn > 180)
    return drawsvg.Path(f"M{start} A{_number(radius)} {_number(radius)} 0 {large} 0 {end}")


def _on_circle(centre: Point, radius: float, angle_deg: float) -> Point:
    angle = radians(angle_deg)
    return centre.moved(radius * cos(angle), radius * sin(angle))


def _outline(points: Points, closed: bool) -> str:
    places = [f"{x} {y}" for x, y in map(_place, points)]
    return f"M{' L'.join(places)}{' Z' if closed else ''}"


def _label(label: Label, style: Style) -> Any:
    x, y = _place(label.at)
    args: dict[str, Any] = {"fill": style.fill or style.stroke or "none", "stroke": "none"}
    if label.bold:
        args["font_weight"] = "bold"
    if label.turn_deg:
        args["transform"] = f"rotate({_number(-label.turn_deg)} {x} {y})"
    return drawsvg.Text(
        label.text, _number(label.size_mm), x, y, text_anchor=label.anchor.value, **args
    )


def _place(at: Point) -> tuple[float, float]:
    return _number(at.x), _number(-at.y)


def _number(value: float) -> float:
    """Round to a tenth of a micrometre, and write 0 and whole numbers in one way."""
    rounded = round(value, 4) + 0.0
    return int(rounded) if rounded == int(rounded) else rounded
