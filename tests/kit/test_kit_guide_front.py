"""The first chapters of a guide give what they ask for: stones, holes, chapters, joining, tools."""

import re

import pytest
from kit_boards import layout_of
from kit_guides import rows, said, sketch_of

from hal.geometry import Point
from hardware.kit.drawing import Circle
from hardware.kit.files.sheet_marks import JOINING
from hardware.kit.guide.document import Document, Heading
from hardware.kit.guide.facts import Facts
from hardware.kit.guide.text import assembly
from hardware.kit.guide.text_circuit import PARTED_MM
from hardware.kit.guide.text_stones import LEAST_MM, widest_mm
from hardware.kit.plates.base import base
from hardware.kit.plates.holes import holes
from hardware.kit.plates.laser import CUT, carrier, cover, surround
from hardware.kit.plates.walls import walls_of
from hardware.kit.wiring import Build, Kind

BOARDS = (("hexagon-61", True), ("rectangle-88", False))
ALL = pytest.mark.parametrize(("name", "tiled"), BOARDS)
# What these chapters tell the reader to use, and the word for it in the table of tools.
USED = {
    r"\bSaw along": "saw",
    r"sandpaper": "sandpaper",
    r"round file": "round file",
    r"step drill": "step drill",
    r"Cut and file": "flat file",
    r"strips of card": "strips of card",
    r"second plate": "second flat plate",
    r"spray glue": "spray glue",
    r"hot glue": "hot glue",
    r"nail varnish": "nail varnish",
    r"clear tape": "clear tape",
    r"knife": "knife",
}


@pytest.fixture
def guide(name: str, tiled: bool) -> Document:
    return assembly(sketch_of(name, tiled))


@ALL
def test_front_lists_all_stones_of_the_games_of_its_board(guide, name, tiled):
    listed = rows(guide, "stone-list")
    stones = sketch_of(name, tiled).artwork.stones
    assert stones
    assert listed == [(s.game, s.side, s.kind, str(s.count), s.look) for s in stones]
    facts = Facts(sketch_of(name, tiled))
    assert f"The foot is {LEAST_MM} mm to {widest_mm(facts)} mm wide" in said(guide)


@pytest.mark.parametrize("name", ["hexagon-61", "disc-32", "rectangle-88"])
def test_front_widest_stone_leaves_a_fingertip_on_the_pad(name):
    geometry = layout_of(name).geometry
    widest = widest_mm(Facts(sketch_of(name)))
    # From the cell's edge the stone goes so far; the finger of 8 mm beside it ends on the pad.
    assert widest > LEAST_MM
    assert -geometry.pitch_mm / 2 + widest + 8 <= geometry.pad_mm / 2
    assert -geometry.pitch_mm / 2 + widest + 1 + 8 > geometry.pad_mm / 2


def test_front_table_has_the_diameter_of_every_round_hole():
    layout = layout_of("rectangle-88")
    found = holes(layout)
    plates = {
        "cover": cover(layout),
        "carrier": carrier(layout),
        "surround": surround(layout, (Point(-1, -1), Point(1, -1), Point(1, 1), Point(-1, 1))),
        "base": base(layout, found, walls_of(layout, found)),
    }
    listed = rows(assembly(sketch_of("rectangle-88")), "hole-list")
    for plate, drawing in plates.items():
        cut = {
            f"{mark.shape.diameter_mm:g} mm"
            for mark in drawing.marks
            if mark.style == CUT and isinstance(mark.shape, Circle)
        }
        told = {row[2] for row in listed if plate in row[0] or row[0] == "all"}
        assert cut
        assert cut == told, plate


@ALL
def test_front_names_the_chapters_of_each_way(guide, tiled):
    listed = [(row[0][4:-1], row[2:]) for row in rows(guide, "chapters")]
    order = [b.anchor for b in guide.blocks if isinstance(b, Heading) and b.level == 1]
    named = [anchor for anchor, _ in listed]
    assert named == [each for each in order if each in named]
    assert set(order) - set(named) == {"what", "ways", "wrong", "figures", "sources"}
    ways = ["foil", "circuit", "tiles"][: 3 if tiled else 2]
    for anchor, cells in listed:
        needed = dict(zip(ways, cells, strict=True))
        if anchor in ways:
            assert needed == {way: "yes" if way == anchor else "-" for way in ways}
        elif anchor == "order":
            assert needed == {way: "-" if way == "foil" else "yes" for way in ways}
        else:
            assert set(cells) == {"yes"}


@ALL
def test_front_joins_sheets_in_the_words_that_are_printed_on_them(guide):
    text = " ".join(said(guide).split())
    steps = re.split(r"(?:^| )\d\. ", " ".join(line.strip() for line in JOINING))
    told = [step for step in steps if step and not step.startswith("Measure")]
    assert len(told) > 2
    for step in told:
        assert step in text, step
    assert "crosses meet" not in text


@ALL
def test_front_lists_each_tool_that_it_uses(guide, tiled):
    tools = " ".join(" ".join(row) for row in rows(guide, "tools"))
    text = said(guide)
    for used, tool in USED.items():
        if not tiled and tool in ("strips of card", "second flat plate"):
            continue
        assert re.search(used, text), used
        assert tool in tools, tool


@ALL
def test_front_leaves_enough_of_each_ribbon_whole(guide, name, tiled):
    ribbons = sketch_of(name, tiled).wirings[Build.CIRCUIT].of(Kind.RIBBON)
    assert ribbons
    # Parted here, 30 mm to be fixed, and 60 mm to go round a breakout.
    assert min(wire.length_mm for wire in ribbons) >= PARTED_MM + 30 + 60
    assert f"Part its wires for {PARTED_MM} mm" in said(guide)


@ALL
def test_front_says_what_pins_of_a_circuit_are(guide):
    assert "flat fields of bare copper" in said(guide)
    assert "bare pins" not in said(guide)


@ALL
def test_front_sends_walls_and_base_to_a_laser(guide):
    text = said(guide)
    assert "Walls and base have many openings" in text
    assert "Make the walls of foam board" not in text


@ALL
def test_front_lays_no_print_over_what_is_not_made_yet(guide):
    inside, texts = False, []
    for block in guide.blocks:
        if isinstance(block, Heading) and block.level == 1:
            inside = block.anchor == "top"
        if inside:
            texts += Document("", "", (block,)).texts()
    assert texts
    assert not any("Lay it over the sensing layer" in text for text in texts)
