"""The files of the boards that are ordered, read without KiCad and held to the circuit."""

import cmath
import csv
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache

import pytest
import shapely

from hardware.board import orders
from hardware.board.cell import INNER_KEEP_MM
from hardware.board.circuit import circuit
from hardware.board.plan import PLANS
from hardware.board.project import project
from hardware.board.schematic import schematic
from hardware.board.sexpr import parse, write
from hardware.guide.drawings import FOLDER as DRAWINGS
from hardware.guide.drawings import pin_1
from tests.board.test_guides import spread
from tests.helpers.orders import BOARDS, LONGEST_TRACK_MM, ORDERED

pytestmark = pytest.mark.timeout(600)


@cache
def drawn_of(board: str) -> list:
    """Return a board's layout, read in seconds and for several tests."""
    return parse((ORDERED / board / f"{board}.kicad_pcb").read_text("utf-8"))


def within(node: list, name: str) -> list[list]:
    """List the lists in one that begin with a name."""
    return [each for each in node if each[:1] == [name]]


@pytest.mark.parametrize("board", BOARDS)
def test_parts_list_and_placements_are_those_of_the_circuit(board):
    parts = circuit(PLANS[board]())
    assert (ORDERED / board / "bom.csv").read_text("utf-8") == orders.parts_list(parts)
    assert (ORDERED / board / "cpl.csv").read_text("utf-8") == orders.placements(parts)


@pytest.mark.parametrize("board", BOARDS)
def test_schematic_and_rules_are_those_of_the_program(board, tmp_path):
    """The symbols are those that the schematic holds: KiCad's own are not needed."""
    file, plan = ORDERED / board / f"{board}.kicad_sch", PLANS[board]()
    text, libraries = file.read_text("utf-8"), defaultdict[str, str](str)
    for word, name, *rest in within(parse(text), "lib_symbols")[0][1:]:
        library, _, own = name.partition(":")
        libraries[library] += f"\t{write([word, own, *rest], 1)}\n"
    for library, symbols in libraries.items():
        (tmp_path / f"{library}.kicad_sym").write_text(symbols, "utf-8")
    assert schematic(plan.name, plan.title, circuit(plan), tmp_path) == text
    assert file.with_suffix(".kicad_pro").read_text("utf-8") == project(board)


def test_rules_are_no_finer_than_the_makers_cheapest_class():
    read = json.loads(project("b"))
    rules = read["board"]["design_settings"]["rules"]
    # jlcpcb.com/capabilities/Capabilities, four layers.
    for name, least in {
        **{"min_clearance": 0.1, "min_track_width": 0.1, "min_via_diameter": 0.4},
        **{"min_through_hole_diameter": 0.2, "min_hole_to_hole": 0.45},
        **{"min_hole_clearance": 0.2, "min_copper_edge_clearance": 0.2},
    }.items():
        assert rules[name] >= least, name
    default, power = read["net_settings"]["classes"]
    assert power["track_width"] > default["track_width"] >= rules["min_track_width"]
    assert default["via_diameter"] - default["via_drill"] >= 2 * rules["min_via_annular_width"]
    patterns = [each["pattern"] for each in read["net_settings"]["netclass_patterns"]]
    nets = {net for part in circuit(PLANS["coupon-4"]()) for net in part.nets.values()}
    assert {n for n in nets for p in patterns if fnmatchcase(n, p)} == {"GND", "+5V", "+3V3"}


@pytest.mark.parametrize("board", BOARDS)
def test_parts_are_placed_by_the_middle_of_their_pads(board):
    drawn = drawn_of(board)
    origin = complex(*map(float, within(within(drawn, "setup")[0], "aux_axis_origin")[0][1:]))
    with (ORDERED / board / "cpl.csv").open(encoding="utf-8") as file:
        rows = {row["Designator"]: row for row in csv.DictReader(file)}
    for footprint in within(drawn, "footprint"):
        name = next(each[2] for each in within(footprint, "property") if each[1] == "Reference")
        if name not in rows:
            continue
        x, y, *turn = map(float, within(footprint, "at")[0][1:])
        turned = cmath.rect(1, -math.radians(sum(turn)))
        pads = [
            complex(x, y) - origin + turned * complex(*map(float, within(pad, "at")[0][1:3]))
            for pad in within(footprint, "pad")
            if pad[2] != "np_thru_hole"
        ]
        low, high = (complex(f(p.real for p in pads), f(p.imag for p in pads)) for f in (min, max))
        place = [float(rows[name][each].removesuffix("mm")) for each in ("Mid X", "Mid Y")]
        assert abs((low + high) / 2 - complex(*place).conjugate()) < 0.05, name
        assert rows[name]["Layer"] == "Bottom"
        assert (float(rows[name]["Rotation"]) + sum(turn)) % 360 == pytest.approx(180)


@pytest.mark.parametrize("board", BOARDS)
def test_drawing_of_pin_1_has_each_part_turned_as_on_the_board(board):
    drawn = drawn_of(board)
    turns, ones = {}, {}
    for footprint in within(drawn, "footprint"):
        name = next(each[2] for each in within(footprint, "property") if each[1] == "Reference")
        turns[name] = sum(map(float, within(footprint, "at")[0][3:])) % 360
        for pad in within(footprint, "pad"):
            if pad[1] in ("1", "A1"):
                place = complex(*map(float, within(pad, "at")[0][1:3]))
                # Seen from below, left is right.
                ones[name] = -(cmath.rect(1, -math.radians(turns[name])) * place).conjugate()
    svg = (DRAWINGS / f"{board}-pin-1.svg").read_text("utf-8")
    assert svg == pin_1(PLANS[board]()), "python -m hardware.guide.drawings draws it anew"
    shown: set[str] = set()
    for title, shape in re.findall(r'class="b">[^\n]*\n((?:<text.*\n)+)(<g.*)', svg):
        names = spread(" ".join(re.findall(r">([^<]*)<", title)))
        assert len({turns[name] for name in names}) == 1
        shown |= names
        red = re.findall(r'translate\((\S+) (\S+)\) rotate\(\S+\)" class="one"', shape)
        assert [complex(*map(float, each)) for each in red] == pytest.approx(
            [ones[name] for name in sorted(names)[:1] if name in ones], abs=0.002
        )
    with (ORDERED / board / "cpl.csv").open(encoding="utf-8") as file:
        placed = {row["Designator"] for row in csv.DictReader(file)}
    assert {name for name in placed if name.startswith(("U", "D"))} <= shown


def tracks(board: str) -> Iterator[tuple[str, shapely.LineString]]:
    """Net and line of each track of a project, in mm from the board's middle."""
    text = (ORDERED / board / f"{board}.kicad_pcb").read_text("utf-8")
    names = dict(re.findall(r'\n\t\(net (\d+) "(.*)"\)', text))
    sheet = [float(each) for each in re.findall(r"\(aux_axis_origin (\S+) (\S+)\)", text)[0]]
    ends = r"\(start (\S+) (\S+)\)\s+\(end (\S+) (\S+)\)"
    rest = r"\s+\(width \S+\)\s+\(layer \S+\)\s+\(net (\d+)\)"
    for *places, net in re.findall(rf"\(segment\s+{ends}{rest}", text):
        x, y, u, v = map(float, places)
        a, b = (x - sheet[0], y - sheet[1]), (u - sheet[0], v - sheet[1])
        yield names[net], shapely.LineString([a, b])


@pytest.mark.parametrize("board", BOARDS)
def test_tracks_of_electrodes_are_short_and_all_others_keep_away(board):
    lengths, others = Counter[str](), []
    for net, line in tracks(board):
        lengths[net] += line.length
        others += [line] * (not net.startswith("E_"))
    pads = PLANS[board]().pads
    assert {f"E_{name}" for name in pads} <= set(lengths)
    long = {n: mm for n, mm in lengths.items() if n.startswith("E_") and mm > LONGEST_TRACK_MM}
    assert long == {}
    middles = shapely.points([spot[:2] for spot in pads.values()])
    near = shapely.STRtree(others).query(middles, "dwithin", INNER_KEEP_MM)
    assert near.size == 0
