"""The guide to the board names parts, nets, pins and files that there are, as they are."""

import re

import pytest

from hal.profile import load
from hardware.board.cell import HOLES
from hardware.board.circuit import circuit
from hardware.board.computers import PI, PICO
from hardware.board.plan import PLANS
from hardware.case.solids import solids
from hardware.guide.drawings import BOARDS, FOLDER, drawing
from tests.helpers.boards.guide_tables import HARDWARE, number, rows, tables, text

PAGE = "guide/board.md"
PARTS = {part.reference: part for part in circuit(PLANS["hexagon-61"]())}
CASE = {"case.step", "cover.dxf", "film.dxf", "base.dxf", "lattice-lower.dxf", "lattice-upper.dxf"}
"""Files of a case beside those for the printer."""


def spread(references: str) -> set[str]:
    """List parts from "F1, SW1 to SW6"."""
    found = set()
    for letters, first, last in re.findall(r"([A-Z]+)(\d+)(?: to [A-Z]+(\d+))?", references):
        found |= {f"{letters}{n}" for n in range(int(first), int(last or first) + 1)}
    return found


def net(point: str) -> str:
    """Return the net of a test point that the guide names, or that lies behind a fuse."""
    return PARTS[point.split()[-1]].nets["2"] if point.startswith("behind ") else point


def test_guide_names_parts_that_the_board_has():
    named = spread(" ".join(re.findall(r"\b(?:SW|[CDFJRU])\d{1,3}\b(?: to \w+)?", text(PAGE))))
    assert {"F4", "SW5", "U5", "R13"} <= named <= set(PARTS)


def test_guide_measures_at_each_test_point_of_the_whole_board():
    points = [p for p in PARTS.values() if p.kind.value == "TestPoint"]
    whole = {p.nets["1"] for p in points if not p.serves}
    measured = {net(row["test point"]) for table in tables(PAGE, "test point") for row in table}
    assert measured | {"GND"} == whole
    behind = {p.nets["1"] for p in points if p.serves and not p.nets["1"].startswith("E_")}
    assert behind
    assert all(re.fullmatch(r"D_\d+", each) for each in behind)


def test_guide_blames_parts_that_are_on_the_net():
    for row in (row for table in tables(PAGE, "test point") for row in table):
        for part in spread(row["if not"]):
            near = {net(row["test point"]), "CC1", "CC2", "D_SHIFTED"}
            assert near & set(PARTS[part].nets.values()) or part == "J4", (row, part)


def test_guide_asks_for_the_parts_without_a_number():
    for row in rows(PAGE, "value"):
        parts = [part for part in PARTS.values() if part.kind.value == row["value"]]
        assert {part.reference for part in parts} == spread(row["parts"])
        assert {(part.kind.lcsc, part.kind.part_number) for part in parts} == {
            ("", row["part number"].split()[-1])
        }


def test_guide_wires_the_header_of_the_coupon():
    plan = PLANS["coupon-4"]()
    (header,) = (part for part in circuit(plan) if part.reference == "J1")
    said = rows(PAGE, "pin of J1")
    assert {row["pin of J1"]: row["net"] for row in said} == header.nets
    for column, computer, five in (("header pin of a Pi", PI, "2"), ("pin of a Pico", PICO, "40")):
        nets = computer.nets(set(header.nets.values())) | {five: "+5V"}
        assert all(nets[row[column]] == row["net"] for row in said)


@pytest.mark.parametrize("name", ["coupon-4", "coupon-4-pico"])
def test_profile_of_the_coupon_is_wired_as_its_plan(name):
    board = name.removesuffix("-pico")
    plan = PLANS[board]()
    profile = load(HARDWARE / "boards" / board / f"{name}.toml")
    assert {cell: (0, pad.electrode) for cell, pad in profile.cells.items()} == plan.electrodes
    assert sorted(profile.pixels, key=profile.pixels.__getitem__) == list(plan.pixels)
    [chip] = profile.chips
    assert chip.address == 0x5A
    computer = PICO if profile.pico else PI
    assert (profile.interrupt_pin, profile.strip.pin) == (
        computer.lines["IRQ"],
        computer.lines["DATA"],
    )
    assert f"{name}.toml" in text(PAGE)


def test_guide_lists_the_files_of_the_case():
    pieces = {re.sub(r"foot-\d", "foot", name) for name in solids(PLANS["hexagon-61"]())}
    made = CASE | {f"{name}.stl" for name in pieces}
    for row in rows(PAGE, "file"):
        named = set(re.findall(r"`([^`]+)`", row["file"]))
        assert named <= made
        if "three others" in row["file"]:
            kind = min(named).partition("-")[0]
            assert sum(name.startswith(kind) for name in pieces) == int(row["pieces"]) == 4


def test_guide_gives_the_measures_of_board_and_cell():
    for name in ("hexagon-61", "coupon-4"):
        x, y = (max(c) - min(c) for c in zip(*PLANS[name]().outline, strict=True))
        assert f"{x:g} x {y:g} mm" in text(PAGE)
    assert "{:.1f}, {:.1f} and {:.1f} mm".format(*sorted({d for _, d in HOLES})) in text(PAGE)


@pytest.mark.parametrize("name", BOARDS)
def test_drawing_of_test_points_is_that_of_the_circuit(name):
    drawn = (FOLDER / f"{name}-below.svg").read_text(encoding="utf-8")
    assert drawn == drawing(PLANS[name]()), "python -m hardware.guide.drawings draws it anew"


def test_costs_count_what_the_board_has():
    parts = [part for part in circuit(PLANS["hexagon-61"]()) if part.kind.bought]
    values = [part.kind.value for part in parts]
    letters = [part.reference.rstrip("0123456789") for part in parts]
    for counted in (
        f"{len(set(values) - {'PTS645', 'Raspberry Pi', 'Pico'})} kinds of parts",
        f"{values.count('WS2812B-2020')} LEDs",
        f"{values.count('MPR121QR2')} touch chips",
        f"{letters.count('C')} capacitors and {letters.count('R')} resistors",
    ):
        assert counted in text(PAGE)


@pytest.mark.parametrize("column", ["bench board", "ordered board"])
def test_costs_add_up_to_what_is_known(column):
    *each, total = rows(PAGE, "")
    prices = [row[column] for row in each]
    assert all(re.fullmatch(r"[\d.]+ USD|unknown|-", price) for price in prices)
    known = sum(number(price) for price in prices if price.endswith("USD"))
    assert total[column] == f"**{known:.2f} USD**"
    assert all(
        re.search(r"\d{4}-\d\d|the same", row["date and source"])
        for row in each
        if "USD" in row[column]
    )
