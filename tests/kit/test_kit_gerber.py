"""The files that a circuit is ordered with."""

import re
from dataclasses import replace
from io import BytesIO
from math import pi
from pathlib import Path
from zipfile import ZipFile

import pytest
from gerbonara.layers import LayerStack

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Circuit, Note, Side
from hardware.kit.circuit.gerber import archive, files
from hardware.kit.circuit.layers import Drills, Layer
from hardware.kit.circuit.reading import Drill, Stroke, part_of, read_drills, read_layer
from hardware.kit.circuit.shapes import merged, pieces
from tests.helpers.kits.circuits import small_circuit

NAMES = [
    "small-B_Cu.gbr",
    "small-B_Mask.gbr",
    "small-B_Paste.gbr",
    "small-B_Silkscreen.gbr",
    "small-Edge_Cuts.gbr",
    "small-F_Cu.gbr",
    "small-F_Mask.gbr",
    "small-F_Silkscreen.gbr",
    "small-NPTH.drl",
    "small-PTH.drl",
]


def text_of(part: Layer | Drills, circuit: Circuit | None = None) -> str:
    return part_of(files(circuit or small_circuit()), part).decode()


def test_gerber_writes_every_file_under_the_name_that_kicad_would_give_it() -> None:
    assert sorted(files(small_circuit())) == NAMES


@pytest.mark.parametrize(
    ("kind", "tools", "function"),
    [
        (Drills.PLATED, ["T01C0.4000"], "Plated,1,2,PTH"),
        (Drills.UNPLATED, ["T01C3.2000", "T02C4.0000"], "NonPlated,1,2,NPTH"),
    ],
)
def test_gerber_drills_have_a_head_in_mm_with_the_size_of_each_tool(
    kind: Drills, tools: list[str], function: str
) -> None:
    lines = text_of(kind).splitlines()
    head = lines[: lines.index("%")]
    assert head[0] == "M48"
    assert "METRIC" in head
    assert [line for line in head if line.startswith("T")] == tools
    assert f"; #@! TF.FileFunction,{function}" in head
    assert lines[-1] == "M30"


def test_gerber_drills_are_where_the_circuit_has_them() -> None:
    circuit = small_circuit()
    written = files(circuit)
    plated = read_drills(written, Drills.PLATED)
    assert set(plated) == {Drill(via.at, 0.4) for via in circuit.vias}
    unplated = read_drills(written, Drills.UNPLATED)
    assert set(unplated) == {Drill(hole.at, hole.drill_mm) for hole in circuit.holes}


def test_gerber_copper_is_that_of_the_circuit() -> None:
    rings = 3 * pi * (14**2 - 11**2)
    discs = 2 * pi * (9**2 - 2.5**2) + pi * 9**2
    area = merged(read_layer(files(small_circuit()), Layer.TOP_COPPER)).area
    tracks = (20.8 - 12.5 - 4.5) * 0.25 + 16.338 * 0.25
    assert area == pytest.approx(rings + discs + tracks, abs=1.5)
    assert area > rings + discs


def test_gerber_copper_says_its_nets_and_pins() -> None:
    nets = {item.net for item in read_layer(files(small_circuit()), Layer.BOTTOM_COPPER)}
    assert nets == {"e5", "f5", "choice1", "GND", ""}
    assert re.findall(r"%TO\.P,(\S+)\*%", text_of(Layer.BOTTOM_COPPER)) == [
        f"J1,{number}" for number in range(1, 6)
    ]


def test_gerber_mask_covers_pads_guards_and_vias_and_bares_pins() -> None:
    circuit = small_circuit()
    written = files(circuit)
    top = pieces(merged(read_layer(written, Layer.TOP_MASK)))
    widths = sorted(piece.bounds[2] - piece.bounds[0] for piece in top)
    assert widths == pytest.approx([3.4, 4.2, 4.2], abs=0.001)
    bottom = [
        piece
        for piece in pieces(merged(read_layer(written, Layer.BOTTOM_MASK)))
        if len(piece.exterior.coords) == 5
    ]
    assert len(bottom) == 5
    for piece, pin in zip(
        sorted(bottom, key=lambda each: each.centroid.x),
        circuit.connectors[0].pins,
        strict=True,
    ):
        left, low, right, high = piece.bounds
        assert (right - left, high - low) == pytest.approx((1.7, 3.1))
        assert piece.centroid.coords[0] == pytest.approx(tuple(pin.at))


def test_gerber_paste_is_on_pins_only() -> None:
    paste = pieces(merged(read_layer(files(small_circuit()), Layer.BOTTOM_PASTE)))
    assert [piece.area for piece in paste] == [pytest.approx(1.6 * 3.0)] * 5


def upright_of_l(side: Side) -> tuple[float, float]:
    """Give where the long stroke of an L is printed, and where its other end is."""
    circuit = replace(small_circuit(), notes=(Note("L", Point(-10, 30), 2.0, side),))
    layer = Layer.TOP_PRINT if side is Side.TOP else Layer.BOTTOM_PRINT
    drawn = [item.form for item in read_layer(files(circuit), layer)]
    near = [f for f in drawn if isinstance(f, Stroke) and f.start.distance(Point(-10, 30)) < 3]
    upright = [f for f in near if f.start.x == f.end.x]
    ends = [at.x for f in near for at in (f.start, f.end)]
    assert len(upright) == 1
    return upright[0].start.x, min(ends) + max(ends) - upright[0].start.x


def test_gerber_print_reads_right_from_its_side() -> None:
    upright, foot = upright_of_l(Side.TOP)
    assert upright < foot
    upright, foot = upright_of_l(Side.BOTTOM)
    assert upright > foot


def test_gerber_print_stays_off_pins_holes_and_edge() -> None:
    notes = (
        Note("HHHHHHHH", Point(13, -22), 2.0, Side.BOTTOM),
        Note("HHHHHHHH", Point(-14, -24), 2.0, Side.BOTTOM),
        Note("HHHHHHHH", Point(-20, 0), 2.0, Side.BOTTOM),
    )
    written = files(replace(small_circuit(), notes=notes))
    ink = merged(read_layer(written, Layer.BOTTOM_PRINT))
    bare = merged(read_layer(written, Layer.BOTTOM_MASK))
    assert 0.149 < ink.distance(bare) < 0.3
    assert ink.bounds[0] == pytest.approx(-20 + 0.15, abs=0.002)


def test_gerber_archive_has_all_files_and_always_the_same_bytes() -> None:
    written = files(small_circuit())
    packed = archive(written)
    assert packed == archive(dict(reversed(written.items())))
    with ZipFile(BytesIO(packed)) as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == written
        assert {entry.date_time[0] for entry in opened.infolist()} == {1980}


def test_gerber_archive_is_known_by_the_names_in_it(tmp_path: Path) -> None:
    with ZipFile(BytesIO(archive(files(small_circuit())))) as opened:
        opened.extractall(tmp_path)
    stack = LayerStack.open_dir(tmp_path)
    known = {
        f"{side} {use}" for (side, use), layer in stack.graphic_layers.items() if layer is not None
    }
    assert known >= {
        "top copper",
        "bottom copper",
        "top mask",
        "bottom mask",
        "top silk",
        "bottom silk",
        "bottom paste",
        "mechanical outline",
    }
    assert len(stack.drill_pth.instance.objects) == 4
    assert len(stack.drill_npth.instance.objects) == 3
