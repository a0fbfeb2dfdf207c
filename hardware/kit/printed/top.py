"""The printed top of a board: what players see.

Owns its page: cells, windows for the light, keys, buttons and scores. What stands around the board
in badges is in `top_badges`, signs on cells are in `top_signs`. Must not know games: what they want
printed comes as an `Artwork`. Layers are named after what is on them; a window is white: there no
ink lies between light and eye.
"""

from collections.abc import Iterator

from hal.profile.geometry import Point
from hardware.kit.drawing import Area, Circle, Drawing, Label, Mark, Path
from hardware.kit.layout import Button, Cell, Grid, Layout, Sensor
from hardware.kit.plates.chambers import BUTTON_HOLE_MM, SCREW_HOLE_MM, edge_of
from hardware.kit.plates.lettering import corners, width_mm
from hardware.kit.plates.regions import Region
from hardware.kit.printed.artwork import Artwork, Badge, Field, Figure, Sign
from hardware.kit.printed.badges import badges
from hardware.kit.printed.lights import WINDOW_MM, lamps, window
from hardware.kit.printed.signs import sign
from hardware.kit.printed.style import (
    BUTTON,
    CELLS,
    EDGE,
    FIELD,
    HOLE,
    ICON,
    ICON_ARROW,
    ICON_BOLD,
    KEY,
    NAME,
    ORNAMENT,
    PAD,
    RIM,
    WORD,
)

__all__ = ["Artwork", "Badge", "Field", "Figure", "Sign", "top"]

BUTTON_RING_MM = 17.0
"""What a button covers around its hole."""
_NAME_MM = 2.8
_WORD_MM = 2.8
_TILE_GAP_MM = 1.2
_TILE_CORNER_MM = 1.6
_RIM_MM = 2.5
_ARROW_MM = 3.0


def top(layout: Layout, artwork: Artwork) -> Drawing:
    """Draw the print, with holes to be cut for buttons and screws."""
    drawing = Drawing(f"{layout.profile.title}: printed top", layout.box.grown(1))
    drawing.add(EDGE, Path(edge_of(layout), closed=True))
    rim = Region.of(edge_of(layout)).grown(-_RIM_MM)
    drawing.add(RIM, Path(rim.areas[0].outline, closed=True))
    tints = {cell: field.tint for field in artwork.fields for cell in field.cells}
    for cell in layout.cells.values():
        drawing.add(CELLS[tints.get(cell.name, 0) % len(CELLS)], *_tile(cell).areas)
    for field in artwork.fields:
        if field.line:
            drawing.marks += _line_around(layout, field)
    drawing.marks += _ornament(layout)
    for cell in layout.cells.values():
        drawing.marks += _cell(layout, cell, artwork.signs.get(cell.name))
    for sensor in layout.sensors.values():
        if sensor.name not in layout.cells:
            drawing.marks += _key(layout, sensor, artwork)
    for button in layout.buttons.values():
        drawing.marks += _button(button, artwork)
    drawing.marks += lamps(layout, artwork)
    drawing.marks += badges(layout, artwork)
    drawing.add(HOLE, *(Circle(at, SCREW_HOLE_MM) for at in layout.screws))
    return drawing


def word_for(key: str, artwork: Artwork) -> str:
    """Give what is printed at a key."""
    return artwork.names.get(key, key.replace("_", " "))


def _tile(cell: Cell) -> Region:
    """Give what is printed of a cell: a little smaller, so that a fine line is left between two."""
    whole = Region.of(cell.outline).grown(-_TILE_GAP_MM / 2 - _TILE_CORNER_MM, round_corners=False)
    return whole.grown(_TILE_CORNER_MM)


def _line_around(layout: Layout, field: Field) -> Iterator[Mark]:
    # Outlines that should touch are a rounding apart.
    together = Region.joined(
        Region.of(layout.cells[name].outline).grown(0.01) for name in field.cells
    )
    for area in together.areas:
        for line in (area.outline, *area.holes):
            yield Mark(Path(line, closed=True), FIELD)


def _cell(layout: Layout, cell: Cell, printed: Sign | None) -> Iterator[Mark]:
    geometry = layout.geometry
    if printed is None:
        yield Mark(Circle(cell.at, geometry.pad_mm), PAD)
    else:
        yield from sign(printed, cell, geometry)
    if cell.name in layout.profile.pixels:
        yield window(layout, cell.at)
    yield Mark(_cell_name(layout, cell, printed), NAME)


def _cell_name(layout: Layout, cell: Cell, printed: Sign | None) -> Label:
    """Write a cell's name where a stone in the middle leaves it free: below, or in a corner."""
    geometry = layout.geometry
    inside = _tile(cell).grown(-0.8)
    if layout.grid is Grid.RECTANGLE:
        side = geometry.pitch_mm / 2 - 5.0
        return Label(cell.name, cell.at.moved(-side, -side - 0.8), _NAME_MM)
    pad = Region.disc(cell.at, geometry.pad_mm + 1)
    below = geometry.pad_mm / 2 + 1.2
    ways = [(0.0, -below - 0.76 * _NAME_MM), (0.0, below + 0.4)]
    ways += [(x, y) for y in (-5.0, 5.0, -1.0) for x in (-below, below)]
    for x, y in ways:
        label = Label(cell.name, cell.at.moved(x, y), _NAME_MM)
        box = Region.of(corners(label))
        if inside.covers(box) and not pad.meets(box):
            return label
    return Label(cell.name, cell.at.moved(y=-below - 0.76 * _NAME_MM), _NAME_MM)


def _key(layout: Layout, sensor: Sensor, artwork: Artwork) -> Iterator[Mark]:
    """Draw the pad of a key with its name; one that turns a ring of cells shows which."""
    geometry = layout.geometry
    turns = sensor.name in artwork.rings
    wide = geometry.guard_outer_mm - 2 if turns else geometry.pad_mm + 4
    yield Mark(Circle(sensor.at, wide), KEY)
    if turns:
        yield from _ring_icon(layout, sensor.at, artwork.rings.index(sensor.name), artwork.rings)
    if sensor.lit:
        yield window(layout, sensor.at)
    text = word_for(sensor.name, artwork)
    low = wide / 2 - (2.2 if turns else 3.4)
    room = 2 * (wide**2 / 4 - low**2) ** 0.5 - 1.0
    size = min(_WORD_MM, room / width_mm(text, 1.0))
    yield Mark(Label(text, sensor.at.moved(y=-low), round(size, 3)), WORD)


def _ring_icon(layout: Layout, at: Point, own: int, rings: tuple[str, ...]) -> Iterator[Mark]:
    """Draw rings around a window, one of them bold and with an arrow clockwise."""
    inner = layout.geometry.hole_mm + WINDOW_MM + 1.8
    step = (layout.geometry.pad_mm - 3 - inner) / max(len(rings) - 1, 1)
    for number in range(len(rings)):
        wide = round(inner + step * number, 3)
        yield Mark(Circle(at, wide), ICON_BOLD if number == own else ICON)
        if number == own:
            tip = at.moved(_ARROW_MM / 2, wide / 2)
            back = at.moved(-_ARROW_MM / 2, wide / 2)
            half = _ARROW_MM * 0.45
            yield Mark(Area((tip, back.moved(y=half), back.moved(y=-half))), ICON_ARROW)


def _button(button: Button, artwork: Artwork) -> Iterator[Mark]:
    yield Mark(Circle(button.at, BUTTON_RING_MM), BUTTON)
    yield Mark(Circle(button.at, BUTTON_HOLE_MM), HOLE)
    below = BUTTON_RING_MM / 2 + 0.8 + 0.76 * _WORD_MM
    yield Mark(Label(word_for(button.name, artwork), button.at.moved(y=-below), _WORD_MM), WORD)


def _ornament(layout: Layout) -> Iterator[Mark]:
    """Draw a star where a disc has its middle, a ray for each segment."""
    if layout.grid is not Grid.DISC:
        return
    inner = min(at.distance(Point(0, 0)) for cell in layout.cells.values() for at in cell.outline)
    ring = [cell.at for cell in layout.cells.values()]
    near = min(at.distance(Point(0, 0)) for at in ring)
    first = [at for at in ring if at.distance(Point(0, 0)) < near + 0.1]
    tip, waist = inner - 4, inner * 0.3
    for at in first:
        x, y = at.x / near, at.y / near
        side = Point(-y, x)
        half = waist * 0.38
        ray = (
            Point(x * tip, y * tip),
            Point(x * waist + side.x * half, y * waist + side.y * half),
            Point(0, 0),
            Point(x * waist - side.x * half, y * waist - side.y * half),
        )
        yield Mark(Path(ray, closed=True), ORNAMENT)
    yield Mark(Circle(Point(0, 0), 2 * (inner - 2)), RIM)
