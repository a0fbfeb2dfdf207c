"""The bench board's drawings have its true measures, and its list of parts suffices."""

import re
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest
from shapely import LineString, Point, Polygon, box

from hal.profile import built_in
from hardware.guide.bench import COMPUTERS, FOLDER, wiring
from tests.helpers.boards.guide_tables import number, rows, text

PAGE = "guide/bench.md"
PLATE_MM, PAD_MM, SLACK_MM = (120, 112), 20, 30
Way = list[tuple[float, float]]


def drawn(name: str) -> str:
    return (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


def ways(svg: str, style: str) -> list[Way]:
    found = re.findall(rf'points="([^"]*)" class="{style}"', svg)
    return [
        [(float(x), float(y)) for x, y in re.findall(r"([\d.]+),([\d.]+)", way)] for way in found
    ]


def middles(svg: str) -> dict[str, tuple[float, float]]:
    """Read the middle of each hexagon, and the name that is written below it."""
    names = re.findall(r'class="m s">(\w\d)<', svg)
    sums = [
        [sum(axis) / 6 for axis in zip(*way, strict=True)]
        for way in ways(svg, "l")
        if len(way) == 6
    ]
    return {name: (x, y) for name, (x, y) in zip(names, sums, strict=True)}


@pytest.mark.parametrize("name", ["bench-template", "bench-sheet"])
def test_hexagons_lie_over_the_pixels_of_a_strip_and_leave_walls(name):
    cells = middles(drawn(name))
    assert set(cells) == set(built_in("bench-7").cells)
    for row in "abc":
        line = [at for cell, at in sorted(cells.items()) if cell[0] == row]
        assert all(b[0] - a[0] == pytest.approx(1000 / 30, abs=0.01) for a, b in pairwise(line))
    hexagons = [Polygon(way) for way in ways(drawn(name), "l") if len(way) == 6]
    assert all(one.distance(other) > 4 for one, other in combinations(hexagons, 2))
    assert all(box(0, 0, *PLATE_MM).buffer(-5).contains(each) for each in hexagons)
    assert "plates of {} x {} mm".format(*PLATE_MM) in text(PAGE)


def test_printable_template_is_at_true_size():
    from pypdf import PdfReader

    (page,) = PdfReader(FOLDER / "bench-template.pdf").pages
    assert [float(side) * 25.4 / 72 for side in page.mediabox[2:]] == pytest.approx(
        [210, 297], abs=0.1
    )
    scales, sizes = [1.0], []
    stream = page.get_contents().get_data().decode("latin-1")
    for step, scale in re.findall(r"^(q|Q|(\S+) 0 0 \S+ \S+ \S+ cm|/x\d+ Do)$", stream, re.M):
        if step == "q":
            scales.append(scales[-1])
        elif step == "Q":
            scales.pop()
        elif scale:
            scales[-1] *= float(scale)
        else:
            sizes.append(scales[-1] * 25.4 / 72)
    # Its own measures are mm; each of two drawings names seven cells.
    assert sizes == pytest.approx([1.0] * 14, abs=1e-4)


def test_wires_suffice_and_run_under_no_other_pad():
    svg = drawn("bench-plan")
    lengths = {
        cell: int(mm) for cell, mm in re.findall(r">(\w\d)</text>\n<text[^>]*>(\d+) mm<", svg)
    }
    pads = [
        box(float(x), float(y), float(x) + PAD_MM, float(y) + PAD_MM)
        for x, y in re.findall(r'<rect x="([\d.]+)" y="([\d.-]+)" width="20"', svg)
    ]
    assert len(pads) == len(lengths) == 7
    for way in map(LineString, ways(svg, "v")):
        crossed = [pad for pad in pads if pad.buffer(-0.01).intersects(way)]
        assert crossed == []
        start = Point(way.coords[0])
        own = min(range(7), key=lambda n: pads[n].centroid.distance(start))
        assert 0 <= list(lengths.values())[own] - way.length - SLACK_MM < 10
    links = [int(mm) for mm in re.findall(r"3 wires of (\d+) mm", svg)]
    for mm, way in zip(links, ways(svg, "g"), strict=True):
        assert 0 <= mm - dist(*way) - SLACK_MM < 10
    (wire,) = (row for row in rows(PAGE, "buy") if row["buy"].startswith("thin insulated wire"))
    said = [float(each) for each in re.findall(r"([\d.]+) m", wire["note"])]
    assert said == [sum(lengths.values()) / 1000, 3 * sum(links) / 1000]
    assert number(wire["number"]) > sum(said)


@pytest.mark.parametrize("name", COMPUTERS)
def test_drawing_of_wires_is_that_of_the_table(name):
    svg = Path(FOLDER / f"bench-wiring-{name}.svg").read_text(encoding="utf-8")
    assert svg == wiring(name), "python -m hardware.guide.bench draws it again"
    flags = re.findall(r">([\w.]+)</text><rect [^>]*/><text [^>]*>([^<]+)<", svg)
    column = "header pin of a Pi" if name == "pi" else "pin of a Pico"
    wires = {re.sub("^breakout |,.*| \\(.*", "", row["wire"]): row for row in rows(PAGE, "wire")}
    said = {wire: row[column].split()[0] for wire, row in wires.items()}
    assert {net: pin for pin, net in flags if pin.isdigit()} == said
    labels = [label for label, net in flags if net == "3.3 V" and not label.isdigit()]
    assert labels == ["VIN", "VIN", "3.3V"]
    assert "`VIN`" in text(PAGE)
