"""Other programs' reading of our files is ours: gerbv's pixels, and KiCad's board and its nets."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from hal.geometry import Point
from hardware.kit.circuit.circuit import Circuit, Guard, Hole
from hardware.kit.circuit.gerber import files
from hardware.kit.circuit.layers import Drills, Layer, file_name
from hardware.kit.circuit.reading import part_of, read_drills, read_layer
from hardware.kit.circuit.shapes import disc, merged, pieces
from hardware.kit.drawing import Box
from tests.helpers.kits.circuits import expected, small_circuit, whole_of
from tests.helpers.kits.gerbv_reading import Pixels, differing, drawn_by_gerbv, drawn_by_us
from tests.helpers.kits.kicad_reading import KicadBoard, read_by_kicad

CORNER = Box(-60, -140, 30, -50)
"""A part of the board with some of all: gerbv draws at most 2000 pixels."""
LAYERS = {
    Layer.TOP_COPPER: "F.Cu",
    Layer.BOTTOM_COPPER: "B.Cu",
    Layer.TOP_MASK: "F.Mask",
    Layer.BOTTOM_MASK: "B.Mask",
    Layer.TOP_PRINT: "F.SilkS",
    Layer.BOTTOM_PRINT: "B.SilkS",
    Layer.BOTTOM_PASTE: "B.Paste",
    Layer.EDGE: "Edge.Cuts",
}
ARC_MM = 0.27
"""How far KiCad's export is off where there are arcs: it makes 16 chords of a circle."""
EXACT_MM = 0.02
COARSE_MM = 0.002


def apart(one: BaseGeometry, other: BaseGeometry, within_mm: float) -> float:
    """Measure what one has farther than that from the other, or the other from it."""
    one, other = one.simplify(COARSE_MM), other.simplify(COARSE_MM)
    return float(
        one.difference(other.buffer(within_mm)).area + other.difference(one.buffer(within_mm)).area
    )


def nets_of(board: KicadBoard, circuit: Circuit) -> dict[str, set[int]]:
    """Follow KiCad's copper: give the groups of pieces that each net's pads and pins lie on."""
    sides = {side: pieces(unary_union(board.shapes[side])) for side in ("F.Cu", "B.Cu")}
    every = [(side, n) for side, parts in sides.items() for n in range(len(parts))]
    groups = {key: number for number, key in enumerate(every)}

    def at(side: str, spot: Spot) -> int:
        (number,) = (n for n, part in enumerate(sides[side]) if part.intersects(spot))
        return groups[side, number]

    plated = {each.at for each in read_drills(files(circuit), Drills.PLATED)}
    for spot, _ in board.holes:
        if any(Spot(place).distance(spot) < EXACT_MM for place in plated):
            one, other = at("F.Cu", spot), at("B.Cu", spot)
            groups = {key: one if group == other else group for key, group in groups.items()}
    pads, pins = expected(circuit)
    nets: dict[str, set[int]] = {}
    for name, place in pads.items():
        nets.setdefault(name, set()).add(at("F.Cu", Spot(place)))
    for connector, number, net, place in pins:
        nets.setdefault(net or f"{connector}.{number}", set()).add(at("B.Cu", Spot(place)))
    return nets


def disagreements(board: KicadBoard, circuit: Circuit) -> list[str]:
    """List what KiCad reads that is not in our reading of a circuit's files, or not joined so."""
    written = files(circuit)
    found = []
    for layer, called in LAYERS.items():
        ours, theirs = merged(read_layer(written, layer)), unary_union(board.shapes[called])
        arcs = layer in (Layer.TOP_COPPER, Layer.EDGE)
        if apart(ours, theirs, ARC_MM if arcs else EXACT_MM) > 1e-6:
            found.append(layer.value)
        if layer in (Layer.TOP_COPPER, Layer.BOTTOM_COPPER):
            count = len(pieces(ours)), len(pieces(theirs))
            if count[0] != count[1]:
                found.append(f"pieces of {layer.value}: {count}")
    drills = [drill for kind in Drills for drill in read_drills(written, kind)]
    if rounded((drill.at.x, drill.at.y, drill.diameter_mm) for drill in drills) != rounded(
        (spot.x, spot.y, size) for spot, size in board.holes
    ):
        found.append("holes")
    nets = nets_of(board, circuit)
    found += [f"net {name}" for name, groups in nets.items() if len(groups) != 1]
    if len(set.union(*nets.values())) != len(nets):
        found.append("nets that are joined")
    return found


def around(circuit: Circuit) -> Box:
    """Give a box of whole millimetres around a circuit."""
    box = Box.around(circuit.outline).grown(2)
    return Box(*(round(size) for size in (box.left, box.bottom, box.right, box.top)))


def ours(written: Mapping[str, bytes], part: Layer | Drills, box: Box) -> Pixels:
    if isinstance(part, Layer):
        return drawn_by_us(merged(read_layer(written, part)), box)
    drills = read_drills(written, part)
    return drawn_by_us(unary_union([disc(each.at, each.diameter_mm) for each in drills]), box)


def theirs(
    written: Mapping[str, bytes], circuit: Circuit, part: Layer | Drills, box: Box, folder: Path
) -> Pixels:
    return drawn_by_gerbv(part_of(written, part), file_name(circuit.name, part), box, folder)


@pytest.mark.parametrize("part", [*Layer, *Drills])
def test_gerbv_draws_what_we_read_of_a_small_circuit(part: Layer | Drills, tmp_path: Path) -> None:
    circuit = small_circuit()
    written, box = files(circuit), around(circuit)
    mine, other = ours(written, part, box), theirs(written, circuit, part, box, tmp_path)
    assert mine.any()
    assert differing(mine, other) == 0


@pytest.mark.parametrize("part", [*Layer, *Drills])
def test_gerbv_draws_what_we_read_of_a_board_that_ships(
    part: Layer | Drills, tmp_path: Path
) -> None:
    circuit = whole_of("hexagon-37")
    written = files(circuit)
    mine, other = ours(written, part, CORNER), theirs(written, circuit, part, CORNER, tmp_path)
    assert mine.any()
    assert differing(mine, other) == 0


def test_gerbv_draws_something_else_when_a_circuit_is_changed(tmp_path: Path) -> None:
    circuit = small_circuit()
    box = around(circuit)
    guard = Guard(Point(0, 0), 22.8, 28)
    other = replace(circuit, guards=(guard, *circuit.guards[1:]))
    mine = ours(files(circuit), Layer.TOP_COPPER, box)
    changed = theirs(files(other), other, Layer.TOP_COPPER, box, tmp_path)
    assert differing(mine, changed) > 100


@pytest.mark.timeout(300)
def test_kicad_reads_the_same_copper_holes_and_nets_of_a_board_that_ships(tmp_path: Path) -> None:
    circuit = whole_of("hexagon-37")
    board = read_by_kicad(files(circuit), tmp_path)
    assert disagreements(board, circuit) == []


@pytest.mark.timeout(300)
def test_kicad_reads_what_was_written_and_nothing_else(tmp_path: Path) -> None:
    circuit = small_circuit()
    board = read_by_kicad(files(circuit), tmp_path)
    assert disagreements(board, circuit) == []
    wider = Guard(Point(0, 0), 21.2, 28)
    assert disagreements(board, replace(circuit, guards=(wider, *circuit.guards[1:]))) == ["F_Cu"]
    hole = Hole(Point(40, 30), 3.2)
    assert disagreements(board, replace(circuit, holes=(*circuit.holes, hole))) == [
        "F_Mask",
        "B_Mask",
        "holes",
    ]
    (connector,) = circuit.connectors
    first, second, *rest = connector.pins
    mixed = replace(
        connector,
        pins=(replace(first, net=second.net), replace(second, net=first.net), *rest),
    )
    assert disagreements(board, replace(circuit, connectors=(mixed,))) == ["net e5", "net f5"]
    unused = replace(connector.pins[3], at=connector.pins[4].at)
    pins = (*connector.pins[:3], unused, connector.pins[4])
    other = replace(circuit, connectors=(replace(connector, pins=pins),))
    assert disagreements(board, other)[-1] == "nets that are joined"


def rounded(numbers: Iterable[tuple[float, ...]]) -> list[tuple[float, ...]]:
    return sorted(tuple(round(number, 2) + 0.0 for number in each) for each in numbers)
