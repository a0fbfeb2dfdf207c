"""The sensing layer as printed circuits: one board of all pads, or tiles that makers do cheaply.

Owns what is on each board and how it is called. Must not know how places are found (`outlines`,
`connectors`, `tiling`), how tracks are led (`router`), nor files.
"""

from collections.abc import Sequence

from shapely import Polygon

from hal.geometry import Point
from hardware.kit.circuit.circuit import GROUND, Circuit, Connector, Guard, Hole, Pad, Side
from hardware.kit.circuit.connectors import Row, place
from hardware.kit.circuit.labels import notes
from hardware.kit.circuit.outlines import whole_outline
from hardware.kit.circuit.router import Bar, Copper, Disc, Problem, route
from hardware.kit.circuit.tiling import cut
from hardware.kit.drawing import Points
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout, Sensor

ELECTRODES = 12
"""Of a chip."""
MOST_MM = 100.0
"""The longest side of a board that is cheap at most makers."""


def whole(layout: Layout) -> Circuit:
    """Make the one board that carries all pads, with a connector for each chip.

    Pin k of connector J<chip> is electrode k - 1, the last is ground.
    """
    rows = []
    for chip, near in layout.chips.items():
        nets = [""] * ELECTRODES
        for sensor in layout.sensors_of(chip):
            nets[sensor.electrode.electrode] = sensor.name
        texts = (*map(str, range(ELECTRODES)), GROUND)
        rows.append(Row(f"J{chip}", (*nets, GROUND), texts, near))
    name = layout.profile.name
    sensors = tuple(layout.sensors.values())
    return _circuit(layout, name, f"lifeboard {name}", whole_outline(layout), sensors, rows)


def tiles(layout: Layout, most_mm: float = MOST_MM) -> tuple[Circuit, ...]:
    """Make boards of at most `most_mm` square that carry all pads together, with a connector each.

    The pins of connector T<n> are its pads in their order in the layout, the last is ground. All
    is in the same place as on the whole board. Raises KitError for a cell that is too large.
    """
    circuits = []
    for number, tile in enumerate(cut(layout, most_mm), 1):
        sensors = tuple(layout.sensors[name] for name in tile.names)
        nets = (*tile.names, GROUND)
        row = Row(f"T{number}", nets, nets, _middle([sensor.at for sensor in sensors]))
        name = f"{layout.profile.name}-t{number}"
        title = f"lifeboard {layout.profile.name} T{number}"
        circuits.append(_circuit(layout, name, title, tile.outline, sensors, [row]))
    return tuple(circuits)


def _middle(places: Sequence[Point]) -> Point:
    count = len(places)
    return Point(sum(at.x for at in places) / count, sum(at.y for at in places) / count)


def _circuit(
    layout: Layout,
    name: str,
    title: str,
    outline: Points,
    sensors: Sequence[Sensor],
    rows: Sequence[Row],
) -> Circuit:
    geometry = layout.geometry
    pads = tuple(
        Pad(s.name, s.at, geometry.pad_mm, geometry.hole_mm if s.lit else 0.0) for s in sensors
    )
    guards = tuple(Guard(s.at, geometry.guard_inner_mm, geometry.guard_outer_mm) for s in sensors)
    holes = tuple(Hole(pad.at, pad.hole_mm) for pad in pads if pad.hole_mm)
    connectors = place(rows, Polygon(outline), pads)
    printed = notes(title, geometry, outline, pads, connectors, [row.texts for row in rows])
    try:
        routing = route(Problem(outline, _coppers(pads, guards, connectors), holes))
    except KitError as fault:
        raise KitError(f'board "{name}": {fault}') from fault
    return Circuit(
        name,
        outline,
        pads,
        guards,
        connectors,
        routing.tracks,
        routing.vias,
        holes,
        printed,
    )


def _coppers(
    pads: Sequence[Pad], guards: Sequence[Guard], connectors: Sequence[Connector]
) -> tuple[Copper, ...]:
    top, bottom = frozenset({Side.TOP}), frozenset({Side.BOTTOM})
    coppers = [Copper(p.net, top, Disc(p.at, p.inner_mm, p.diameter_mm)) for p in pads]
    coppers += [Copper(GROUND, top, Disc(g.at, g.inner_mm, g.outer_mm)) for g in guards]
    coppers += [
        Copper(pin.net, bottom, Bar(pin.at, pin.width_mm, pin.height_mm))
        for connector in connectors
        for pin in connector.pins
    ]
    return tuple(coppers)
