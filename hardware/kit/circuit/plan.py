"""The sensing layer as printed circuits: one board of all pads, or tiles that makers do cheaply.

Owns what is on each board and how it is called. Must not know how places are found (`outlines`,
`connectors`, `tiling`), how tracks are led (`router`), nor files.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from shapely import Polygon

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import GROUND, Circuit, Connector, Guard, Hole, Pad, Side
from hardware.kit.circuit.connectors import Row, place
from hardware.kit.circuit.labels import notes
from hardware.kit.circuit.outlines import whole_outline
from hardware.kit.circuit.router import Bar, Copper, Disc, Problem, route
from hardware.kit.circuit.tiling import cut
from hardware.kit.drawing import Points
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout, Sensor
from hardware.kit.plates.holes import closed_to_slots
from hardware.kit.plates.kept import APART_MM
from hardware.kit.plates.slots import slot_of

ELECTRODES = 12
"""Of a chip."""
MOST_MM = 100.0
"""The longest side of a board that is cheap at most makers."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A board without tracks: its pads and connectors, and what is printed at the latter's pins."""

    name: str
    title: str
    outline: Points
    pads: tuple[Pad, ...]
    connectors: tuple[Connector, ...]
    texts: tuple[tuple[str, ...], ...]


def whole(layout: Layout) -> Circuit:
    """Make the one board that carries all pads, with a connector for each chip.

    Pin k of connector J<chip> is electrode k - 1, the last is ground.
    """
    return _circuit(layout, _whole_sheet(layout))


def whole_connectors(layout: Layout) -> tuple[Connector, ...]:
    """Give the connectors of the board that carries all pads, for which no tracks are needed."""
    return _whole_sheet(layout).connectors


def tiles(layout: Layout, most_mm: float = MOST_MM) -> tuple[Circuit, ...]:
    """Make boards of at most `most_mm` square that carry all pads together, with a connector each.

    The pins of connector T<n> are its pads in their order in the layout, the last is ground. All
    is in the same place as on the whole board. Raises KitError for a cell that is too large.
    """
    return tuple(_circuit(layout, sheet) for sheet in _tile_sheets(layout, most_mm))


def tile_connectors(layout: Layout) -> tuple[Connector, ...]:
    """Give the connectors of all tiles, for which no tracks are needed."""
    return tuple(one for sheet in _tile_sheets(layout, MOST_MM) for one in sheet.connectors)


def _whole_sheet(layout: Layout) -> _Sheet:
    rows = []
    for chip in layout.chips:
        own = layout.sensors_of(chip)
        nets = [""] * ELECTRODES
        for sensor in own:
            nets[sensor.electrode.electrode] = sensor.name
        numbers = (*map(str, range(ELECTRODES)), GROUND)
        rows.append(Row(f"J{chip}", (*nets, GROUND), numbers, _middle(own)))
    name, outline = layout.profile.name, whole_outline(layout)
    pads = _pads(layout, layout.sensors.values())
    connectors = place(rows, Polygon(outline), pads, closed_to_slots(layout))
    texts = tuple(row.texts for row in rows)
    return _Sheet(name, f"lifeboard {name}", outline, pads, connectors, texts)


def _tile_sheets(layout: Layout, most_mm: float) -> Iterator[_Sheet]:
    closed = closed_to_slots(layout)
    for number, tile in enumerate(cut(layout, most_mm), 1):
        sensors = [layout.sensors[name] for name in tile.names]
        nets = (*tile.names, GROUND)
        row = Row(f"T{number}", nets, nets, _middle(sensors))
        pads = _pads(layout, sensors)
        (connector,) = place([row], Polygon(tile.outline), pads, closed)
        closed = closed | slot_of(connector).region.grown(APART_MM)
        name = f"{layout.profile.name}-t{number}"
        title = f"lifeboard {layout.profile.name} T{number}"
        yield _Sheet(name, title, tile.outline, pads, (connector,), (nets,))


def _pads(layout: Layout, sensors: Iterable[Sensor]) -> tuple[Pad, ...]:
    geometry = layout.geometry
    return tuple(
        Pad(s.name, s.at, geometry.pad_mm, geometry.hole_mm if s.lit else 0.0) for s in sensors
    )


def _middle(sensors: Sequence[Sensor]) -> Point:
    count = max(1, len(sensors))
    return Point(sum(s.at.x for s in sensors) / count, sum(s.at.y for s in sensors) / count)


def _circuit(layout: Layout, sheet: _Sheet) -> Circuit:
    geometry, pads, connectors = layout.geometry, sheet.pads, sheet.connectors
    guards = tuple(Guard(p.at, geometry.guard_inner_mm, geometry.guard_outer_mm) for p in pads)
    holes = tuple(Hole(pad.at, pad.hole_mm) for pad in pads if pad.hole_mm)
    printed = notes(sheet.title, geometry, sheet.outline, pads, connectors, sheet.texts)
    try:
        routing = route(Problem(sheet.outline, _coppers(pads, guards, connectors), holes))
    except KitError as fault:
        raise KitError(f'board "{sheet.name}": {fault}') from fault
    return Circuit(
        sheet.name,
        sheet.outline,
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
