"""What of a drawing cannot be read: texts on texts, and lines through texts."""

from itertools import combinations
from math import cos, radians, sin

from reportlab.pdfbase.pdfmetrics import stringWidth
from shapely import LineString, Polygon, STRtree
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry

from hardware.kit.drawing import Anchor, Area, Circle, Drawing, Label, Mark, Path
from hardware.kit.files.pdf import BOLD, FONT, register_fonts

# Of letters, by the size of their text: from the baseline up, and down to the lowest of "g".
_UP, _DOWN = 0.73, 0.21
_TOUCH_MM2 = 0.02
_STARTS = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}


def text_box(label: Label) -> Polygon:
    """Give what a text takes, as wide as its font has it."""
    register_fonts()
    width = stringWidth(label.text, BOLD if label.bold else FONT, label.size_mm)
    left = -width * _STARTS[label.anchor]
    deep = _DOWN if any(letter in "gjpqy,;()_" for letter in label.text) else 0.0
    corners = [
        (left, -deep * label.size_mm),
        (left + width, -deep * label.size_mm),
        (left + width, _UP * label.size_mm),
        (left, _UP * label.size_mm),
    ]
    turn = radians(label.turn_deg)
    return Polygon(
        (label.at.x + x * cos(turn) - y * sin(turn), label.at.y + x * sin(turn) + y * cos(turn))
        for x, y in corners
    )


def unreadable(drawing: Drawing) -> list[str]:
    """List texts that lie on others, have a line through them or leave the drawing."""
    labels = [mark.shape for mark in drawing.marks if isinstance(mark.shape, Label)]
    boxes = [text_box(label) for label in labels]
    paper = Polygon(drawing.box.corners)
    faults = [
        f'"{label.text}" leaves the drawing'
        for label, box in zip(labels, boxes, strict=True)
        if not paper.contains(box)
    ]
    for (one, box), (other, its) in combinations(zip(labels, boxes, strict=True), 2):
        if box.intersection(its).area > _TOUCH_MM2:
            faults.append(f'"{one.text}" lies on "{other.text}"')
    tree = STRtree(boxes)
    for line, name in _seen(drawing.marks):
        for number in tree.query(line, "intersects"):
            if line.intersection(boxes[number]).area > _TOUCH_MM2:
                faults.append(f'a line of {name} goes through "{labels[number].text}"')
    return faults


def _seen(marks: list[Mark]) -> list[tuple[BaseGeometry, str]]:
    """List all lines, as wide as they are drawn, where no filling that comes later hides them."""
    filled = [
        (number, _filling(mark)) for number, mark in enumerate(marks) if mark.style.fill is not None
    ]
    covers = [(number, shape) for number, shape in filled if shape is not None]
    tree = STRtree([shape for _, shape in covers])
    lines = []
    for number, mark in enumerate(marks):
        line = _line(mark)
        if line is None:
            continue
        for found in sorted(tree.query(line, "intersects")):
            later, cover = covers[found]
            if later > number:
                line = line.difference(cover)
        if not line.is_empty:
            lines.append((line, mark.style.name))
    return lines


def _filling(mark: Mark) -> BaseGeometry | None:
    match mark.shape:
        case Area(outline, holes):
            return Polygon(outline, holes)
        case Circle(centre, diameter):
            return Spot(centre).buffer(diameter / 2)
    return None


def _line(mark: Mark) -> BaseGeometry | None:
    if mark.style.stroke is None:
        return None
    match mark.shape:
        case Path(points, closed):
            line: BaseGeometry = LineString([*points, points[0]] if closed else points)
        case Area() | Circle():
            line = _filling(mark).boundary
        case _:
            return None
    return line.buffer(mark.style.width_mm / 2, cap_style="flat")
