"""The solids of a case, each a stack of slabs: cover, film, lattice of light chambers, walls, base,
feet; and the boxes of the board's parts, which no solid may intersect.

Millimetres, x and y as in the plan, z up from the board's lower face.
"""

import tomllib
from collections.abc import Iterator
from itertools import product
from math import cos, radians, sqrt
from pathlib import Path
from typing import NamedTuple

from shapely import MultiPoint, Point, Polygon, box, union_all
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry
from shapely.ops import voronoi_diagram

from hardware.board import cell
from hardware.board.circuit import LIGHT_MM, Part, circuit
from hardware.board.plan import Plan, Spot

FILM_MM, BASE_MM, EDGE_MM, FOOT_MM = 0.2, 3.0, 5.0, 28.0
"""Thickness of film and base, width of the walls around the board, height of the feet: a Raspberry
Pi with a ribbon has room under the base."""
TOP_MM = cell.BOARD_MM + FILM_MM
FLOOR_MM = -cell.CHAMBER_MM
SCREW_MM, NUT_MM, NUT_DEEP_MM = 3.4, 6.5, 20.0
"""Diameter of holes for M3 x 25; its nut's width across corners and depth in the foot."""
GAP_MM = 0.15
"""Clearance of a printed piece on each side."""
PRINTER_MM = 220.0
_THIN_MM = 1.3
"""The thinnest wall, beside the lights of a bar."""
_ROUND = 12

Box = tuple[float, float, float, float]


class Body(NamedTuple):
    """A part's body: its area, its height, the area of pins above the board."""

    area: Box
    height: float
    pins: Box | None = None


BODIES = {
    name: Body(**each)
    for name, each in tomllib.loads(
        Path(__file__).with_name("bodies.toml").read_text(encoding="utf-8")
    ).items()
}
_NO_BODY = Body((0.0, 0.0, 0.0, 0.0), 0.0)
"""The body of test points and holes."""
PICO_MM = 21.0
"""Width of a Pico."""


class Slab(NamedTuple):
    """An area from one height to another."""

    area: BaseGeometry
    low: float
    high: float


Solid = tuple[Slab, ...]


def solids(plan: Plan) -> dict[str, Solid]:
    """Make all solids of a case by name; walls, lattice and feet come in pieces for a printer."""
    edge = Polygon(plan.outline)
    outer = edge.buffer(EDGE_MM, quad_segs=_ROUND)
    screws = union_all([Point(at[:2]).buffer(SCREW_MM / 2) for at in plan.holes])
    parts = circuit(plan)
    windows = [_under(part, pins, 0.4) for part in parts if (pins := _body_of(part).pins)]
    open_above = union_all([screws, *windows])
    tall = [_body(part, 1.0) for part in parts if _body_of(part).height > cell.CHAMBER_MM - 0.5]
    found: dict[str, Solid] = {
        "cover": (Slab(outer - open_above, TOP_MM, TOP_MM + cell.COVER_MM),),
        "film": (Slab(edge - open_above, cell.BOARD_MM, TOP_MM),),
        "base": (
            Slab(outer - union_all([screws, *tall, _pico(plan)]), FLOOR_MM - BASE_MM, FLOOR_MM),
        ),
    }
    low, high = _lattice(plan, parts, screws)
    for name, region in _pieces(plan, outer).items():
        found[f"lattice-{name}"] = (
            Slab(_whole(low & region), FLOOR_MM, -_SHALLOW_MM),
            Slab(_whole(high & region), -_SHALLOW_MM, 0.0),
        )
    for name, slabs in _walls(plan, parts, outer - edge.buffer(GAP_MM, join_style="mitre")):
        found[f"wall-{name}"] = slabs
    for number, at in enumerate(plan.holes, start=1):
        found[f"foot-{number}"] = _foot(at)
    return found


def boxes(plan: Plan) -> dict[str, Slab]:
    """Return the boxes of the board's parts by reference, the board itself as "board"."""
    bodies = {
        part.reference: Slab(_body(part, 0.0), -_body_of(part).height, 0.0)
        for part in circuit(plan)
        if _body_of(part).height
    }
    return {"board": Slab(Polygon(plan.outline), 0.0, cell.BOARD_MM), **bodies}


def chamber(plan: Plan, spot: Spot) -> BaseGeometry:
    """Return the area of a cell's chamber, up to the middle of the walls around it.

    The LED lies in one of its corners: below for a hexagon, at 45 degrees for a square. On a disc
    the chamber is the area nearer to this cell than to any other.
    """
    half = cell.PITCH_MM / 2
    if plan.shape == "disc":
        near = voronoi_diagram(_points(plan), envelope=Point(0, 0).buffer(400))
        own = next(each for each in near.geoms if each.contains(Point(spot.x, spot.y)))
        return own & Point(spot.x, spot.y).buffer(half * 2 / sqrt(3))
    corners = 6 if plan.shape == "hexagon" else 4
    reach = half / cos(radians(180 / corners))
    ends = [spot.at(0, 0, 360 * n / corners).at(reach, 0) for n in range(corners)]
    return Polygon([each[:2] for each in ends])


_SHALLOW_MM = 1.5
"""Parts lower than this need a bay at the lattice's top only."""


def _points(plan: Plan) -> BaseGeometry:
    return union_all([Point(at.x, at.y) for at in plan.pads.values()])


def _lattice(plan: Plan, parts: tuple[Part, ...], screws: BaseGeometry) -> tuple[BaseGeometry, ...]:
    """Return the lattice's cross-sections at its foot and at its top, which has bays for parts."""
    half = cell.WALL_MM / 2
    rooms: list[BaseGeometry] = [
        chamber(plan, at).buffer(-half, join_style="mitre") for at in plan.pads.values()
    ]
    lights = union_all([_light(at) for at in _lone(plan).values()])
    rooms = [room - lights.buffer(_THIN_MM, join_style="mitre") for room in rooms]
    bodies = [(_body(part, 0.6), _body_of(part).height) for part in parts if _body_of(part).height]
    bays = [Point(at.x, at.y).buffer(5.0) for at in plan.chips]
    deep = [area for area, high in bodies if high > _SHALLOW_MM - 0.2]
    edge = Polygon(plan.outline).buffer(-GAP_MM, join_style="mitre")
    low = edge - union_all([screws, lights, *rooms, *deep, _pico(plan)])
    return low, low - union_all([*bays, *(area for area, _ in bodies)])


def _lone(plan: Plan) -> dict[str, Spot]:
    """Return the lights that have no pad."""
    return {n: at for n, at in plan.lights.items() if n.removesuffix(".0") not in plan.pads}


def _light(at: Spot) -> BaseGeometry:
    """Return the chamber of a light beside the cells: its hole, and its LED with a capacitor.

    In a bar, where lights are 10 mm apart, this leaves 1.3 mm of wall.
    """
    ends = product((-2.4, LIGHT_MM + 1.3), (-4.0, 4.0))
    return MultiPoint([at.at(*end)[:2] for end in ends]).convex_hull


def _pieces(plan: Plan, outer: BaseGeometry) -> dict[str, BaseGeometry]:
    """Divide an area into pieces for a printer, along the middle of walls, not through chambers."""
    x0, y0, x1, y1 = outer.bounds
    # A chamber across a cut extends beyond it by up to half a pitch.
    columns, rows = (
        int((b - a) // (PRINTER_MM - cell.PITCH_MM)) + 1 for a, b in ((x0, x1), (y0, y1))
    )
    rooms = [(at, chamber(plan, at)) for at in plan.pads.values()]
    rooms += [(at, _light(at).buffer(_THIN_MM / 2)) for at in _lone(plan).values()]
    regions: dict[str, BaseGeometry] = {}
    wide, deep = (x1 - x0) / columns, (y1 - y0) / rows
    for column, row in product(range(columns), range(rows)):
        left, top = x0 + column * wide, y0 + row * deep
        part = box(left, top, left + wide, top + deep)
        held = [
            left - 0.01 <= at.x < left + wide - 0.01 and top - 0.01 <= at.y < top + deep - 0.01
            for at, _ in rooms
        ]
        own = union_all([room for (_, room), mine in zip(rooms, held, strict=True) if mine])
        others = union_all([room for (_, room), mine in zip(rooms, held, strict=True) if not mine])
        region = (part - others) | (own - others.buffer(-1e-6))
        regions[f"{column + 1}{row + 1}"] = region.buffer(-GAP_MM / 2, join_style="mitre")
    return regions


def _walls(plan: Plan, parts: tuple[Part, ...], ring: BaseGeometry) -> Iterator[tuple[str, Solid]]:
    """Cut the ring around the board at the middle of each side, with openings for plugs.

    Buttons are pressed from the side, below the board. The grip of a USB plug is higher than the
    board, so its opening extends up to the cover; the wall below it holds the piece together.
    """
    edge = Polygon(plan.outline).exterior
    buttons = union_all([_outward(part, edge) for part in parts if _named(part, "SW_")])
    plug = union_all([_outward(part, edge) for part in parts if _named(part, "USB")])
    x0, y0, x1, y1 = ring.bounds
    for column, row in product(range(2), range(2)):
        left, top = (x0, (x0 + x1) / 2)[column], (y0, (y0 + y1) / 2)[row]
        quarter = box(left, top, left + (x1 - x0) / 2, top + (y1 - y0) / 2)
        piece = ring & quarter.buffer(-GAP_MM / 2, join_style="mitre")
        yield (
            f"{column + 1}{row + 1}",
            (
                Slab(_whole(piece - buttons - _pico(plan)), FLOOR_MM, -6.0),
                Slab(_whole(piece - buttons - plug), -6.0, 0.0),
                Slab(piece - plug, 0.0, TOP_MM),
            ),
        )


def _outward(part: Part, edge: BaseGeometry) -> BaseGeometry:
    """Return a part's body with a margin, extended outward over the board's edge."""
    body = _body(part, 1.5)
    middle = body.centroid
    near = edge.interpolate(edge.project(middle))
    by = 3 * EDGE_MM / middle.distance(near)
    moved = translate(body, by * (near.x - middle.x), by * (near.y - middle.y))
    return union_all([body, moved]).convex_hull


def _named(part: Part, begin: str) -> bool:
    return part.kind.footprint.partition(":")[2].startswith(begin)


def _foot(at: Spot) -> Solid:
    middle = Point(at.x, at.y)
    round_ = middle.buffer(7.5, quad_segs=_ROUND)
    nut = Polygon([at.at(0, 0, 60 * n).at(NUT_MM / 2, 0)[:2] for n in range(6)])
    top = FLOOR_MM - BASE_MM
    return (
        Slab(round_ - nut, top - FOOT_MM, top - FOOT_MM + NUT_DEEP_MM),
        Slab(round_ - middle.buffer(SCREW_MM / 2), top - FOOT_MM + NUT_DEEP_MM, top),
    )


def _pico(plan: Plan) -> BaseGeometry:
    """Return the area of a Pico on its sockets and of its plug, to leave out of other parts."""
    if "pico" not in plan.connectors:
        return Polygon()
    at = plan.connectors["pico"]
    ends = (
        (-53.0, -PICO_MM / 2 - 1),
        (-53.0, PICO_MM / 2 + 1),
        (1.0, PICO_MM / 2 + 1),
        (1.0, 6.0),
        (10.0, 6.0),
        (10.0, -6.0),
        (1.0, -6.0),
        (1.0, -PICO_MM / 2 - 1),
    )
    return Polygon([at.at(*end)[:2] for end in ends])


def _body_of(part: Part) -> Body:
    return BODIES.get(part.kind.footprint.partition(":")[2], _NO_BODY)


def _under(part: Part, area: Box, margin: float = 0.0) -> BaseGeometry:
    """Return an area of a part's footprint as seen from above: the part is below the board, so the
    area is mirrored top to bottom, then turned."""
    x0, y0, x1, y1 = area
    ends = product((x0 - margin, x1 + margin), (-y0 + margin, -y1 - margin))
    return MultiPoint([part.spot.at(*end)[:2] for end in ends]).convex_hull


def _body(part: Part, margin: float) -> BaseGeometry:
    return _under(part, _body_of(part).area, margin)


def _whole(area: BaseGeometry) -> BaseGeometry:
    """Remove slivers that are too thin to print."""
    return area.buffer(-0.2).buffer(0.2)
