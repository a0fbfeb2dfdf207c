"""The bench board's drawings have its true measures, and its list of parts suffices."""

import re
from itertools import pairwise
from math import dist
from pathlib import Path

import pytest

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
    corners = [way for way in ways(drawn(name), "l") if len(way) == 6]
    assert all(
        dist(a, b) > 4
        for one in corners
        for other in corners
        if one != other
        for a in one
        for b in other
    )
    edges = [point for way in corners for point in way]
    assert all(5 < x < PLATE_MM[0] - 5 and 5 < y < PLATE_MM[1] - 5 for x, y in edges)


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
        (float(x), float(y))
        for x, y in re.findall(r'<rect x="([\d.]+)" y="([\d.-]+)" width="20"', svg)
    ]
    assert len(pads) == len(lengths) == 7
    for way in ways(svg, "v"):
        points = [
            (a[0] + (b[0] - a[0]) * k / 50, a[1] + (b[1] - a[1]) * k / 50)
            for a, b in pairwise(way)
            for k in range(51)
        ]
        crossed = [
            (x, y)
            for x, y in pads
            for p in points
            if 0 < p[0] - x < PAD_MM and 0 < p[1] - y < PAD_MM
        ]
        assert crossed == []
        own = min(pads, key=lambda pad: dist((pad[0] + 10, pad[1] + 10), way[0]))
        cell = list(lengths)[pads.index(own)]
        assert 0 <= lengths[cell] - sum(dist(a, b) for a, b in pairwise(way)) - SLACK_MM < 10
    links = [int(mm) for mm in re.findall(r"3 wires of (\d+) mm", svg)]
    for mm, way in zip(links, ways(svg, "g"), strict=True):
        assert 0 <= mm - dist(*way) - SLACK_MM < 10
    (wire,) = (row for row in rows(PAGE, "buy") if row["buy"].startswith("thin insulated wire"))
    said = [float(each) for each in re.findall(r"([\d.]+) m", wire["note"])]
    assert said == [sum(lengths.values()) / 1000, 3 * sum(links) / 1000]
    assert number(wire["number"]) > sum(said)


def test_sheets_of_foam_suffice_for_the_plates():
    (foam,) = (row for row in rows(PAGE, "buy") if row["buy"].startswith("foam board"))
    wide, high = PLATE_MM
    for sheets, sheet in ((2, (210, 297)), (1, (297, 420))):
        each = max(sheet[0] // a * (sheet[1] // b) for a, b in ((wide, high), (high, wide)))
        assert sheets * each >= 3 > (sheets - 1) * each
    assert foam["number"] == "2 sheets of A4, or 1 of A3"
    assert f"{wide} x {high} mm" in foam["note"]


@pytest.mark.parametrize("name", COMPUTERS)
def test_drawing_of_wires_is_that_of_the_table(name):
    svg = Path(FOLDER / f"bench-wiring-{name}.svg").read_text(encoding="utf-8")
    assert svg == wiring(name), "python -m hardware.guide.bench draws it again"
    flags = re.findall(r">([\w.]+)</text><rect [^>]*/><text [^>]*>([^<]+)<", svg)
    column = "header pin of a Pi" if name == "pi" else "pin of a Pico"
    said = {
        row["wire"].partition(",")[0].partition(" (")[0].removeprefix("breakout "): row[
            column
        ].split()[0]
        for row in rows(PAGE, "wire")
    }
    assert {net: pin for pin, net in flags if pin.isdigit()} == said
    labels = [label for label, net in flags if net == "3.3 V" and not label.isdigit()]
    assert labels == ["VIN", "VIN", "3.3V"]
    assert "`VIN`" in text(PAGE)
