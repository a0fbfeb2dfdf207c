"""Making all parts of a kit from a layout, in the order in which they ask for each other.

Owns that order, and which drawings and ways of building there are. Must not know files on a disk.
"""

from collections.abc import Iterable, Iterator, Mapping

from hardware.kit.circuit import gerber
from hardware.kit.circuit.check import check
from hardware.kit.circuit.circuit import Circuit, Connector, Pin, Side
from hardware.kit.circuit.layers import MOST_MM as BOARD_MM
from hardware.kit.circuit.picture import drawing
from hardware.kit.circuit.plan import MOST_MM, tiles, whole
from hardware.kit.contents import Contents
from hardware.kit.diagram import diagram, placement
from hardware.kit.diagram.tile_plan import tile_plan
from hardware.kit.drawing import Drawing
from hardware.kit.electric import feeds, figures
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.leads import lengths, runs
from hardware.kit.parts import parts
from hardware.kit.plates.base import base
from hardware.kit.plates.cell import section
from hardware.kit.plates.foil import foil
from hardware.kit.plates.holes import Holes, holes
from hardware.kit.plates.laser import carrier, cover, diffuser, surround
from hardware.kit.plates.walls import Level, Walls, walls, walls_of
from hardware.kit.printed.artwork import Artwork
from hardware.kit.printed.top import top
from hardware.kit.wiring import Build, Wiring, wire

Files = Mapping[str, bytes]
TILE_MM = (MOST_MM, MOST_MM)


def gather(layout: Layout, artwork: Artwork, *, tiled: bool, source: str) -> Contents:
    """Make all parts of a kit; raise KitError for a board that cannot be made.

    `tiled` asks for small circuit boards, too; `source` is what commands call the board.
    """
    circuits: dict[Build, tuple[Circuit, ...]] = {Build.FOIL: (), Build.CIRCUIT: (whole(layout),)}
    if tiled:
        circuits[Build.TILES] = tiles(layout)
    gerbers = {each.name: gerber.files(each) for many in circuits.values() for each in many}
    for build, many in circuits.items():
        _check(layout, build, many, gerbers)
    wirings = {build: wire(layout, build, many, feeds(layout)) for build, many in circuits.items()}
    computed = {
        build: figures(
            layout, runs(layout, wirings[build], many), lengths(wirings[build]), build.value
        )
        for build, many in circuits.items()
    }
    (circuit,) = circuits[Build.CIRCUIT]
    stands = {build: _stand(layout, many) for build, many in circuits.items()}
    return Contents(
        layout=layout,
        source=source,
        artwork=artwork,
        circuit=circuit,
        tiles=circuits.get(Build.TILES, ()),
        gerbers=gerbers,
        wirings=wirings,
        figures=computed,
        parts={
            build: parts(layout, computed[build], wirings[build], many)
            for build, many in circuits.items()
        },
        drawings=_drawings(layout, artwork, circuits, wirings) | dict(_bodies(layout, stands)),
        loose={
            build: {level: len(layer.loose.pieces) for level, layer in layers.items()}
            for build, (_, layers) in stands.items()
        },
        pictures={
            "cell": section(layout),
            "circuit-top": drawing(gerbers[circuit.name], Side.TOP),
            "circuit-bottom": drawing(gerbers[circuit.name], Side.BOTTOM),
            **({"tile-plan": tile_plan(layout, circuits[Build.TILES])} if tiled else {}),
        },
    )


def _drawings(
    layout: Layout,
    artwork: Artwork,
    circuits: Mapping[Build, tuple[Circuit, ...]],
    wirings: Mapping[Build, Wiring],
) -> dict[str, Drawing]:
    drawings = {
        "foil": foil(layout),
        "cover": cover(layout),
        "diffuser": diffuser(layout),
        "carrier": carrier(layout),
        "surround": surround(layout, *(c.outline for many in circuits.values() for c in many)),
        "top": top(layout, artwork),
    }
    for build, many in circuits.items():
        drawings[f"wiring-{build.value}"] = diagram(layout, wirings[build])
        drawings[f"placement-{build.value}"] = placement(layout, wirings[build], many)
    return drawings


def _stand(layout: Layout, circuits: Iterable[Circuit]) -> tuple[Holes, Walls]:
    """Find the holes of the base, and the walls that stand on it."""
    connectors = tuple(connector for each in circuits for connector in each.connectors)
    found = holes(layout, connectors)
    return found, walls_of(layout, found, connectors)


def _bodies(
    layout: Layout, stands: Mapping[Build, tuple[Holes, Walls]]
) -> Iterator[tuple[str, Drawing]]:
    for build, (found, layers) in stands.items():
        for level in Level:
            yield f"walls-{build.value}-{level.value}", walls(layout, layers, level)
        yield f"base-{build.value}", base(layout, found, layers)


def _check(
    layout: Layout, build: Build, circuits: Iterable[Circuit], gerbers: Mapping[str, Files]
) -> None:
    """Read the files back, and refuse circuits of which they would not make the profile's board."""
    missing = set(layout.sensors)
    within = TILE_MM if build is Build.TILES else BOARD_MM
    for circuit in circuits:
        missing -= {pad.net for pad in circuit.pads}
        places = {
            pad.net: layout.sensors[pad.net].at.moved(y=(pad.inner_mm + pad.diameter_mm) / 4)
            for pad in circuit.pads
        }
        pins = [
            (connector.name, pin.number, _net(layout, build, connector, pin), pin.at)
            for connector in circuit.connectors
            for pin in connector.pins
        ]
        faults = check(gerbers[circuit.name], places, pins, within)
        if faults:
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise KitError(f"the circuit {circuit.name} cannot be made: {faults[0]}{more}")
    if build is not Build.FOIL and missing:
        raise KitError(f"the circuits lack the pads {sorted(missing)}: allowed are all")


def _net(layout: Layout, build: Build, connector: Connector, pin: Pin) -> str:
    """Say what a pin must lead to: by the profile, but for tiles, whose wires part it later."""
    if build is Build.TILES or pin.number == len(connector.pins):
        return pin.net
    own = layout.sensors_of(connector.name.removeprefix("J"))
    return next((each.name for each in own if each.electrode.electrode + 1 == pin.number), "")
