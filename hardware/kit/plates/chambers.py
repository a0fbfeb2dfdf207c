"""The chambers of light under a board: one for each cell, key and light, and room for the buttons.

Owns where the walls between them are open, and the measures of what all plates have in common.
Must not know how the plates are drawn. Millimetres.
"""

from collections.abc import Mapping

from hal.profile.geometry import Geometry, Point
from hardware.kit.drawing import Points
from hardware.kit.electric.chain import Kind, Piece
from hardware.kit.layout import Layout
from hardware.kit.plates.regions import Region

SCREW_HOLE_MM = 3.2
"""For screws M3."""
BUTTON_HOLE_MM = 12.2
"""For buttons with a thread of 12 mm."""
CORNER_MM = 6.0
WALL_MM = 2.5
"""What is left of a wall between two chambers: thinner ones of MDF or acrylic break."""
ROUND_PIXEL_MM, BAR_PIXEL_MM, NUT_MM = 16.0, 12.0, 18.0
BAR_STEP_MM = 20.0
"""Lights that are nearer to each other than this stand in a bar, and share a piece of strip."""
BASE_HOLE_MM = 3.0
"""For a pad's wire, through the base."""
PIXEL_WIRE_MM = 6.0
"""For the wires of a pixel, through the base: 5 V, ground and data, and one more pair of supply."""
STRIP_MM = 10.0
PIXEL_MM = 5.0
SINGLE_MM = 10.0
"""The round board that a single pixel sits on, at most."""
_SCREW_SOLID_MM = 9.0
_EDGE_SOLID_MM = 3.0
_SLACK_MM = 0.1


def edge_of(layout: Layout) -> Points:
    """Give the edge of every plate of a board, with round corners."""
    return Region.box(layout.box, CORNER_MM).areas[0].outline


def lone_lights(layout: Layout) -> Mapping[str, Point]:
    """Find the lights that shine neither in a cell nor in the middle of a pad."""
    pads = {sensor.at for sensor in layout.sensors.values()}
    return {light.name: light.at for light in layout.lights if light.at not in pads}


def light_holes(layout: Layout) -> Points:
    """List where light comes up through the sensing layer: in lit pads, and at lone lights."""
    pads = (sensor.at for sensor in layout.sensors.values() if sensor.lit)
    return (*pads, *lone_lights(layout).values())


def in_bar(name: str, lights: Mapping[str, Point]) -> bool:
    """Tell whether a light stands in a bar of lights of its group."""
    group = name.partition(".")[0]
    return any(
        other != name
        and other.partition(".")[0] == group
        and at.distance(lights[name]) < BAR_STEP_MM
        for other, at in lights.items()
    )


def lying(piece: Piece) -> Region:
    """Give what a piece of strip covers on the base, or the face of a single pixel."""
    start, end = piece.places[0], piece.places[-1]
    if piece.kind is Kind.SINGLE:
        return Region.disc(start, PIXEL_MM)
    half = piece.kind.spacing_mm / 2 / start.distance(end)
    x, y = (end.x - start.x) * half, (end.y - start.y) * half
    return Region.bar(start.moved(-x, -y), end.moved(x, y), STRIP_MM)


def wire_reach_mm(geometry: Geometry) -> float:
    """Say how far from the middle of a pad its wire goes down: in the guard, clear of walls."""
    in_guard = (geometry.guard_inner_mm + geometry.guard_mm) / 2
    return min(in_guard, geometry.pitch_mm / 2 - WALL_MM / 2 - BASE_HOLE_MM / 2)


def chambers(layout: Layout) -> Mapping[str, Region]:
    """Give the opening for each cell, button ("button hint"), pad of a key and lone light.

    Between any two of them there are `WALL_MM`. A light in the middle of a pad has the chamber of
    its cell or key.
    """
    solid = Region.joined(Region.disc(screw, _SCREW_SOLID_MM) for screw in layout.screws)
    allowed = Region.box(layout.box.grown(-_EDGE_SOLID_MM), CORNER_MM - _EDGE_SOLID_MM) - solid
    rooms = {
        name: Region.of(cell.outline).grown(-WALL_MM / 2, round_corners=False)
        for name, cell in layout.cells.items()
    }
    wishes = {
        f"button {name}": Region.disc(each.at, NUT_MM) for name, each in layout.buttons.items()
    }
    reach = wire_reach_mm(layout.geometry) + BASE_HOLE_MM / 2 + _SLACK_MM
    pad_mm = max(layout.geometry.guard_outer_mm, 2 * reach)
    wishes |= {
        name: Region.disc(each.at, pad_mm)
        for name, each in layout.sensors.items()
        if name not in layout.cells
    }
    lights = lone_lights(layout)
    wishes |= {
        name: Region.disc(at, BAR_PIXEL_MM if in_bar(name, lights) else ROUND_PIXEL_MM)
        for name, at in lights.items()
        if name not in rooms
    }
    taken = Region.joined(rooms.values())
    for name, wish in wishes.items():
        near = taken & wish.grown(2 * WALL_MM)
        room = (wish - near.grown(WALL_MM)) & allowed
        rooms[name] = room
        taken = taken | room
    return rooms
