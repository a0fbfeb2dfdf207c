"""The case of every board: no parts collide, pieces fit their machines, LEDs have chambers."""

import sys
from itertools import combinations
from math import cos, pi, sin
from pathlib import Path
from subprocess import run
from typing import Any

import ezdxf
import numpy as np
import pytest
from shapely import Point, Polygon, box, unary_union

from game.rules.cirkle_mind.squares import CELLS, PRINTED
from hardware.board import cell
from hardware.board.circuit import circuit, led_spot
from hardware.board.plan import PLANS
from hardware.case.prints import RULES, Words, marks
from hardware.case.solids import PRINTER_MM, Slab, boxes, solids
from tests.helpers.cached import cached

ROOT = Path(__file__).parents[2]
LASER_MM = (400, 600)
QUIET: Any = {"cwd": ROOT, "check": True, "capture_output": True}


@pytest.fixture(scope="module", params=PLANS)
def plan(request):
    return PLANS[request.param]()


@pytest.fixture(scope="module")
def case(plan):
    return solids(plan)


def meets(one: Slab, other: Slab) -> bool:
    above = min(one.high, other.high) - max(one.low, other.low) > 1e-6
    return above and one.area.intersection(other.area).area > 1e-3


def test_no_solid_meets_another_or_a_part_or_the_board(plan, case):
    found = boxes(plan)
    assert found.keys() >= {part.reference for part in circuit(plan) if part.kind.bought}
    every = [(name, slab) for name, slabs in case.items() for slab in slabs]
    for name, slab in every:
        assert not [ref for ref, part in found.items() if meets(slab, part)], name
    for (name, one), (other, slab) in combinations(every, 2):
        assert name == other or not meets(one, slab), (name, other)


def test_pieces_fit_their_machines(case):
    for name, slabs in case.items():
        x0, y0, x1, y1 = unary_union([slab.area for slab in slabs]).bounds
        small, large = sorted((x1 - x0, y1 - y0))
        printed = name.startswith(("lattice", "wall", "foot"))
        most = (PRINTER_MM, PRINTER_MM) if printed else LASER_MM
        assert small <= most[0], name
        assert large <= most[1], name


def test_every_cell_is_a_room_of_its_own(plan, case):
    """Each cell's LED and light holes lie in one chamber, walled all around but for low parts."""
    low = unary_union([s[0].area for name, s in case.items() if name.startswith("lattice")])
    for name, at in plan.cells.items():
        spot = led_spot(plan, name)
        assert not low.intersects(Point(spot.x, spot.y).buffer(1.4)), name
        for x, y, diameter in cell.holes(at.turn):
            assert not low.intersects(Point(at.x + x, at.y + y).buffer(diameter / 2 - 0.01)), name
    between = [
        Point((a.x + b.x) / 2, (a.y + b.y) / 2)
        for n, a in plan.cells.items()
        for m, b in plan.cells.items()
        if n < m and a.distance(b) < cell.PITCH_MM + 0.1
    ]
    # Pieces are cut in the middle of a wall.
    assert all(low.distance(point) < 0.2 for point in between)


def test_walls_let_plug_and_keys_through(plan, case):
    walls = [s for name, slabs in case.items() if name.startswith("wall") for s in slabs]
    if spot := plan.connectors.get("usb"):
        way = [spot.at(out, 0) for out in (1.0, 3.0, 5.0)]
        open_ = [s for s in walls if s.low <= -1.5 < s.high]
        assert not any(s.area.intersects(Point(p.x, p.y).buffer(4.4)) for s in open_ for p in way)


def test_cover_names_every_cell_and_lies_on_the_plate(plan, case):
    found = list(marks(plan))
    assert set(plan.cells) <= {mark.text for mark in found if isinstance(mark, Words)}
    for mark in found:
        shape = Point(mark.x, mark.y) if isinstance(mark, Words) else mark
        assert case["cover"][0].area.convex_hull.contains(shape)


@pytest.mark.parametrize("name", RULES)
def test_rules_are_printed_where_nothing_else_is(name):
    """A letter is four fifths as wide as a capital is high, on average."""
    plan = PLANS[name]()
    said = {RULES[name]["title"], *RULES[name]["lines"]}
    rules = [m for m in marks(plan) if isinstance(m, Words) and m.text in said]
    assert len(rules) == len(said) > 7
    block = unary_union(
        [
            box(m.x, m.y - m.height / 2, m.x + 0.8 * len(m.text) * m.height, m.y + m.height / 2)
            for m in rules
        ]
    )
    assert Polygon(plan.outline).contains(block)
    things = [*plan.pads.values(), *plan.lights.values(), *plan.holes, *plan.keys.values()]
    assert all(Point(at.x, at.y).distance(block) > 3 for at in things)
    assert solids(plan)["cover"][0].area.contains(block), "no window there"


def test_species_are_drawn_at_their_lights():
    """Each of the twelve has its stones right outside its light: 1, 2, 3 (thrice), 4 (seven)."""
    plan = PLANS["hexagon-61"]()
    rings = [m for m in marks(plan) if not isinstance(m, Words) and m.is_ring and m.length < 10]
    counts = []
    for number in range(12):
        turn = pi / 2 - number * pi / 6
        place = Point(158.5 * cos(turn), -158.5 * sin(turn))
        counts.append(sum(place.distance(ring) < 8 for ring in rings))
    assert counts == [1, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]


def test_squares_of_cirkle_mind_have_their_shapes_around_the_letters_of_their_colours():
    plan = PLANS["rectangle-88"]()
    found = [m for m in marks(plan) if not isinstance(m, Words) and m.length < 25]
    letters = [m for m in marks(plan) if isinstance(m, Words) and m.text in "ygbm"]
    drawn = dict.fromkeys(CELLS, "")
    corners = {4: "T", 5: "S", 13: "C", 25: "O"}
    for letter in letters:
        place = Point(letter.x, letter.y)
        (outline,) = (each for each in found if Polygon(each).contains(place))
        cell_ = min(CELLS, key=lambda name: place.distance(Point(plan.cells[name][:2])))
        drawn[cell_] = letter.text + corners[len(outline.coords)]
    assert tuple(drawn.values()) == PRINTED


def set_up_tools(folder: Path) -> None:
    """Make the environment with half a gigabyte of libraries that `make case` makes first."""
    run(["make", f"VENV={folder}", f"{folder}/case.stamp"], **QUIET)


@pytest.mark.timeout(600)
def test_make_case_writes_plates_printed_pieces_and_the_whole():
    lock = (ROOT / "requirements" / "case.txt").read_bytes()
    tools = cached("case", (sys.version, lock), set_up_tools)
    # A new checkout's locks are newer than the tools.
    old = f"--old-file={tools}/case.stamp"
    run(["make", f"VENV={tools}", old, "case", "BOARD=coupon-4"], **QUIET)
    folder = ROOT / "build" / "case" / "coupon-4"
    drawing = ezdxf.readfile(folder / "cover.dxf").modelspace()
    assert {each.dxf.layer for each in drawing} == {"cut", "engrave"}
    shapes = solids(PLANS["coupon-4"]())
    printed = {path.stem: path for path in folder.glob("*.stl")}
    assert set(printed) == {name for name in shapes if name.startswith(("lattice", "wall"))}
    for name, path in printed.items():
        volume = sum((slab.high - slab.low) * slab.area.area for slab in shapes[name])
        assert volume_of(path) == pytest.approx(volume, rel=0.01)
    whole = (folder / "case.step").read_text(encoding="ascii")
    assert all(f"'{name}'" in whole for name in (*shapes, *boxes(PLANS["coupon-4"]())))


def volume_of(stl: Path) -> float:
    """The volume in a binary STL file: that of the pyramids from the origin to its triangles."""
    kind = [("normal", "<3f4"), ("corners", "<(3,3)f4"), ("own", "<u2")]
    corners = np.fromfile(stl, kind, offset=84)["corners"].astype(float)
    return float(np.linalg.det(corners).sum() / 6)
