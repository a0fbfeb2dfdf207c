"""Another program reads our files as we do: gerbv draws the same pixels."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from shapely.ops import unary_union

from hardware.kit.circuit.circuit import Circuit
from hardware.kit.circuit.gerber import files
from hardware.kit.circuit.layers import Drills, Layer, file_name
from hardware.kit.circuit.reading import part_of, read_drills, read_layer
from hardware.kit.circuit.shapes import disc, merged
from hardware.kit.drawing import Box
from tests.helpers.kits.circuits import small_circuit, whole_of
from tests.helpers.kits.gerbv_reading import Pixels, differing, drawn_by_gerbv, drawn_by_us

CORNER = Box(-60, -140, 30, -50)
"""A part of the board with some of all: gerbv draws at most 2000 pixels."""


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
