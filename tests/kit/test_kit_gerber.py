"""The files that a circuit is ordered with."""

import re
from dataclasses import replace
from io import BytesIO
from math import pi
from pathlib import Path
from zipfile import ZipFile

import pytest
from gerbonara.layers import LayerStack
from shapely import Point as Spot

from hal.geometry import Point
from hardware.kit.circuit.circuit import Circuit, Note, Pad, Side
from hardware.kit.circuit.gerber import archive, files, strokes
from hardware.kit.circuit.layers import Drills, Layer, file_name
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


def test_gerber_writes_the_same_bytes_again() -> None:
    assert files(small_circuit()) == files(small_circuit())


def test_gerber_names_no_day() -> None:
    for name, data in files(small_circuit()).items():
        assert not re.search(rb"Date|20[0-9][0-9]-", data), name


@pytest.mark.parametrize("layer", Layer)
def test_gerber_layer_says_what_it_is(layer: Layer) -> None:
    text = text_of(layer)
    assert f"%TF.FileFunction,{','.join(layer.function)}*%" in text
    polarity = re.findall(r"%TF\.FilePolarity,(\w+)\*%", text)
    assert polarity == ([layer.polarity] if layer.polarity else [])
    assert "%TF.Part,Single*%" in text
    assert "%TF.SameCoordinates,Original*%" in text
    assert "%MOMM*%" in text
    assert "%FSLAX46Y46*%" in text


@pytest.mark.parametrize("layer", Layer)
def test_gerber_ends_every_statement(layer: Layer) -> None:
    lines = text_of(layer).splitlines()
    assert all(line.endswith(("*", "*%")) for line in lines)
    assert lines[-1] == "M02*"


def test_gerber_masks_are_negative_and_copper_is_not() -> None:
    assert Layer.TOP_MASK.polarity == Layer.BOTTOM_MASK.polarity == "Negative"
    assert Layer.TOP_COPPER.polarity == Layer.BOTTOM_PASTE.polarity == "Positive"


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


def test_gerber_keeps_all_digits_of_a_measure() -> None:
    circuit = small_circuit()
    pads = (Pad("e5", Point(0, 0), 18.2465, 4), *circuit.pads[1:])
    shapes = pieces(merged(read_layer(files(replace(circuit, pads=pads)), Layer.TOP_COPPER)))
    widths = [shape.bounds[2] - shape.bounds[0] for shape in shapes]
    assert min(abs(width - 18.2465) for width in widths) < 0.001


def test_gerber_rings_are_drawn_and_not_flashed_with_a_hole() -> None:
    apertures = re.findall(r"%ADD\d+(.*)\*%", text_of(Layer.TOP_COPPER))
    assert apertures
    assert all("X" not in aperture for aperture in apertures)


def test_gerber_rings_are_of_arcs_that_end_elsewhere_than_they_start() -> None:
    text = text_of(Layer.TOP_COPPER)
    arcs = re.findall(r"X(\S+)Y(\S+)D02\*\nX(\S+)Y(\S+?)I", text)
    assert len(arcs) == 5
    assert all(arc[:2] != arc[2:] for arc in arcs)


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


def test_gerber_print_has_capitals_of_the_size_asked_around_its_place() -> None:
    circuit = replace(small_circuit(), notes=(Note("H", Point(-10, 30), 2.0, Side.TOP),))
    drawn = read_layer(files(circuit), Layer.TOP_PRINT)
    ends = [at for item in drawn for at in (item.form.start, item.form.end)]
    assert max(at.y for at in ends) == pytest.approx(31)
    assert min(at.y for at in ends) == pytest.approx(29)
    assert max(at.x for at in ends) + min(at.x for at in ends) == pytest.approx(-20)


def test_gerber_print_keeps_the_dot_of_an_i() -> None:
    circuit = replace(small_circuit(), notes=(Note("i", Point(-10, 30), 2.0, Side.TOP),))
    ink = pieces(merged(read_layer(files(circuit), Layer.TOP_PRINT)))
    assert len(ink) == 2


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


def test_gerber_print_marks_the_first_pin() -> None:
    written = files(replace(small_circuit(), notes=()))
    ink = pieces(merged(read_layer(written, Layer.BOTTOM_PRINT)))
    frame, mark = sorted(ink, key=lambda piece: -piece.envelope.area)
    assert frame.envelope.contains(Spot(8, -22))
    assert mark.bounds[2] < frame.bounds[0]
    assert mark.centroid.y == pytest.approx(-22, abs=0.01)


def test_gerber_font_stands_on_its_line_with_capitals_one_high() -> None:
    heights = [at.y for stroke in strokes("H") for at in stroke]
    assert (min(heights), max(heights)) == (0.0, pytest.approx(1.0))


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


def test_gerber_names_files_after_the_board() -> None:
    assert file_name("disc-32-t1", Layer.EDGE) == "disc-32-t1-Edge_Cuts.gbr"
    assert file_name("disc-32-t1", Drills.PLATED) == "disc-32-t1-PTH.drl"
