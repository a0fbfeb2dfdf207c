"""The edge of the sensing board: around all guards, and around nothing that stands beside them.

Owns the shapes of board edges, by shapely. Must not know copper other than pads and guards, nor
how a board is cut in tiles.
"""

from shapely import Point as Spot
from shapely import Polygon, union_all
from shapely.geometry.base import BaseGeometry as Shape

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import EDGE_MM, SCREW_DRILL_MM
from hardware.kit.drawing import Points
from hardware.kit.errors import KitError
from hardware.kit.layout import BUTTON_MM, LIGHT_MM, Layout, Sensor

RIM_MM = 3.0
"""From the guards to the edge."""
_LEAST_RIM_MM = EDGE_MM + 0.25
_FILLET_MM = 6.0
_NOTCH_CORNER_MM = 2.0
_AROUND_SCREW_MM = 2.5
_SEGMENTS = 16
"""Of a quarter of a circle: with a radius of 20 mm they are 0.03 mm off it."""
_STEPS_A_MM = 1000


def whole_outline(layout: Layout) -> Points:
    """Give the edge of the board that carries all pads, counter-clockwise.

    It is the smoothest shape around all guards in whose way no button or light is; screws of the
    frame get a notch. Raises KitError when one of these stands in the midst of the pads.
    """
    reach = layout.geometry.guard_outer_mm / 2
    discs = {name: disc(s.at, reach + RIM_MM) for name, s in layout.sensors.items()}
    everything = union_all([*discs.values()])
    shape: Shape = everything.convex_hull
    if shape.intersects(union_all(_beside(layout))):
        cells = union_all([discs[name] for name in layout.cells]).convex_hull
        tongues = [_tongue(layout, sensor, discs) for sensor in _keys(layout)]
        shape = union_all([cells, *tongues]).buffer(_FILLET_MM, _SEGMENTS)
        shape = shape.buffer(-_FILLET_MM, _SEGMENTS)
    out = obstacles(layout)
    if shape.intersects(out):
        shape = shape.difference(out)
        shape = shape.buffer(-_NOTCH_CORNER_MM, _SEGMENTS).buffer(_NOTCH_CORNER_MM, _SEGMENTS)
    whole = one_ring(shape, f'the board "{layout.profile.name}"')
    for sensor in layout.sensors.values():
        if not whole.contains(disc(sensor.at, reach + _LEAST_RIM_MM)):
            raise KitError(
                f"the guard of {sensor.name} lies within {RIM_MM:g} mm of a button, a light or a"
                " screw: allowed is more"
            )
    return corners(whole)


def obstacles(layout: Layout) -> Shape:
    """Give what goes through the level of the board beside its pads: buttons, lights, screws."""
    screw = SCREW_DRILL_MM / 2 + _AROUND_SCREW_MM
    return union_all([*_beside(layout), *(disc(at, screw) for at in layout.screws)])


def disc(at: Point, radius_mm: float) -> Polygon:
    """Give a round polygon."""
    return Spot(at).buffer(radius_mm, _SEGMENTS)


def rounded(shape: Shape, inset_mm: float, radius_mm: float) -> Shape:
    """Take a strip off the edge of a shape, and round its corners, outer and inner ones."""
    smaller = shape.buffer(-inset_mm - radius_mm, join_style="mitre", mitre_limit=10)
    return smaller.buffer(2 * radius_mm, 4).buffer(-radius_mm, 4)


def one_ring(shape: Shape, what: str) -> Polygon:
    """Give the shape, which must be one without holes; raise KitError that names `what`."""
    if not isinstance(shape, Polygon) or shape.is_empty:
        parts = 0 if shape.is_empty else len(getattr(shape, "geoms", ()))
        raise KitError(f"{what} falls into {parts} parts: allowed is 1")
    if shape.interiors:
        raise KitError(f"{what} has {len(shape.interiors)} holes for other parts: allowed are 0")
    return shape


def corners(shape: Polygon) -> Points:
    """Give the corners of a polygon counter-clockwise, those left out that bend nothing."""
    ring = shape.exterior.simplify(0.005).coords[:-1]
    points = [Point(_exact(x), _exact(y)) for x, y in ring]
    if _turns_right(points):
        points.reverse()
    start = points.index(min(points))
    return tuple(points[start:] + points[:start])


def _exact(value: float) -> float:
    return round(value * _STEPS_A_MM) / _STEPS_A_MM + 0.0


def _turns_right(points: list[Point]) -> bool:
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return sum(a.x * b.y - b.x * a.y for a, b in pairs) < 0


def _beside(layout: Layout) -> list[Polygon]:
    pads = {sensor.at for sensor in layout.sensors.values()}
    lights = [light.at for light in layout.lights if light.at not in pads]
    buttons = [disc(button.at, BUTTON_MM / 2) for button in layout.buttons.values()]
    return buttons + [disc(at, LIGHT_MM / 2) for at in lights]


def _keys(layout: Layout) -> tuple[Sensor, ...]:
    return tuple(s for name, s in layout.sensors.items() if name not in layout.cells)


def _tongue(layout: Layout, key: Sensor, discs: dict[str, Polygon]) -> Shape:
    """Join the pad of a key to its nearest neighbours."""
    others = [s for s in layout.sensors.values() if s is not key]
    nearest = min(key.at.distance(other.at) for other in others)
    limit = nearest + layout.geometry.pitch_mm / 4
    near = [discs[s.name] for s in others if key.at.distance(s.at) <= limit]
    return union_all([discs[key.name], *near]).convex_hull
