"""Circuits for the tests of the kit, and what their files are expected to join."""

from dataclasses import replace
from functools import cache

from hal.profile.geometry import Point
from hardware.kit.circuit import plan
from hardware.kit.circuit.circuit import (
    GROUND,
    Circuit,
    Connector,
    Guard,
    Hole,
    Note,
    Pad,
    Pin,
    Side,
    Track,
    Via,
)
from hardware.kit.circuit.nets import PinPlace
from tests.helpers.kits.boards import layout_of
from tests.helpers.shared import built_once

TOP, BOTTOM = Side.TOP, Side.BOTTOM


def small_circuit() -> Circuit:
    """Three pads, two of them lit, a connector of five pins of which one is unused, and a screw."""
    pads = (
        Pad("e5", Point(0, 0), 18, 4),
        Pad("f5", Point(33.3, 0), 18, 4),
        Pad("choice1", Point(16.65, 28.838), 18, 0),
    )
    nets = ("e5", "f5", "choice1", "", GROUND)
    pins = tuple(
        Pin(number, net, Point(round(5.46 + 2.54 * number, 2), -22), 1.6, 3.0)
        for number, net in enumerate(nets, start=1)
    )
    tracks = (
        Track("e5", BOTTOM, _points((0, -6), (0, -18), (8, -20), (8, -22))),
        Track(
            "f5",
            BOTTOM,
            _points((33.3, -6), (33.3, -19), (30, -26), (10.54, -26), (10.54, -22)),
        ),
        Track("choice1", BOTTOM, _points((16.65, 26), (13.08, 16), (13.08, -22))),
        Track(GROUND, BOTTOM, _points((20.8, 0), (18.16, -3), (18.16, -22))),
        Track(GROUND, TOP, _points((12.5, 0), (20.8, 0))),
        Track(GROUND, TOP, _points((16.65, 16.338), (16.65, 0))),
    )
    vias = (
        Via("e5", Point(0, -6)),
        Via("f5", Point(33.3, -6)),
        Via("choice1", Point(16.65, 26)),
        Via(GROUND, Point(20.8, 0)),
    )
    return Circuit(
        "small",
        _points((-20, -36), (52, -36), (52, 45), (-20, 45)),
        pads,
        tuple(Guard(pad.at, 22, 28) for pad in pads),
        (Connector("J1", "0x5A", pins),),
        tracks,
        vias,
        (Hole(Point(0, 0), 4.0), Hole(Point(33.3, 0), 4.0), Hole(Point(-14, -24), 3.2)),
        (
            Note("JL", Point(13, -29), 2.0, BOTTOM),
            Note("JL", Point(10, -33), 2.0, TOP),
            Note("i", Point(-15, 40), 2.0, TOP),
        ),
    )


def whole_of(name: str) -> Circuit:
    """Plan and route a board that ships, in one piece, once in a run."""
    return built_once(f"whole-{name}", lambda: plan.whole(layout_of(name)))


def tiles_of(name: str) -> tuple[Circuit, ...]:
    """Plan and route a board that ships, in pieces, once in a run."""
    return built_once(f"tiles-{name}", lambda: plan.tiles(layout_of(name)))


@cache
def connectors_of(name: str) -> tuple[Connector, ...]:
    """Give the connectors of the board that carries all pads, for which nothing is routed."""
    return plan.whole_connectors(layout_of(name))


@cache
def tile_connectors_of(name: str) -> tuple[Connector, ...]:
    """Give the connectors of all small boards together, for which nothing is routed."""
    return plan.tile_connectors(layout_of(name))


def expected(circuit: Circuit) -> tuple[dict[str, Point], list[PinPlace]]:
    """Say what a circuit's files must join: a place in each pad, and every pin."""
    pads = {pad.net: pad.at.moved((pad.inner_mm + pad.diameter_mm) / 4) for pad in circuit.pads}
    pins = [
        (connector.name, pin.number, pin.net, pin.at)
        for connector in circuit.connectors
        for pin in connector.pins
    ]
    return pads, pins


def with_track(circuit: Circuit, net: str, side: Side, *places: tuple[float, float]) -> Circuit:
    """Add a track."""
    return replace(circuit, tracks=(*circuit.tracks, Track(net, side, _points(*places))))


def _points(*places: tuple[float, float]) -> tuple[Point, ...]:
    return tuple(Point(x, y) for x, y in places)
