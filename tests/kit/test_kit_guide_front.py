"""The first chapters of a guide give what they ask for: stones, holes, chapters, joining, tools."""

import re

import pytest

from hal.geometry import Point
from hardware.kit.drawing import Box, Circle
from hardware.kit.files.sheet_marks import JOINING
from hardware.kit.guide.document import Document, Heading
from hardware.kit.guide.facts import Facts
from hardware.kit.guide.text import assembly
from hardware.kit.guide.text_circuit import PARTED_MM
from hardware.kit.guide.text_stones import LEAST_MM, widest_mm
from hardware.kit.plates.base import base
from hardware.kit.plates.chambers import SINGLE_MM
from hardware.kit.plates.holes import holes
from hardware.kit.plates.laser import AROUND_MM, CUT, carrier, cover, surround
from hardware.kit.plates.walls import walls_of
from hardware.kit.wiring import Build, Kind
from tests.helpers.kits.boards import layout_of
from tests.helpers.kits.guides import chapter, rows, said, sketch_of

BOARDS = (("hexagon-61", True), ("rectangle-88", False))
ALL = pytest.mark.parametrize(("name", "tiled"), BOARDS)
# What these chapters tell the reader to use, and the word for it in the table of tools.
USED = {
    r"\bsaw along": "saw",
    r"sandpaper": "sandpaper",
    r"round file": "round file",
    r"step drill": "step drill",
    r"Cut and file": "flat file",
    r"the flat plate": "flat plate",
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
        elif anchor in ("order", "connector"):
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
def test_front_lists_each_tool_that_it_uses(guide):
    tools = " ".join(" ".join(row) for row in rows(guide, "tools"))
    text = said(guide)
    for used, tool in USED.items():
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


@ALL
def test_front_names_sheets_as_they_are_printed(guide):
    text = said(chapter(guide, "print"))
    assert "sheet 1-1 is the first of the top row, 1-2 is to its right, 2-1 below it" in text
    assert not re.search(r"\b[A-Z]1\b", text)


@ALL
def test_front_gives_both_lengths_of_each_feed_where_it_is_cut(guide, name, tiled):
    contents = sketch_of(name, tiled)
    text = said(chapter(guide, "pixels"))
    assert (
        "Cut them as long as the columns \u201cfeed, red\u201d and \u201cfeed, black\u201d" in text
    )
    told = {int(row[0]): row[6:8] for row in rows(guide, "chain") if row[6] or row[7]}
    assert set(told) == set(contents.feeding.feeds)
    power = rows(guide, "power-wires")
    for pixel, lengths in told.items():
        for pin, length in zip(("5V", "GND"), lengths, strict=True):
            cut = [row[6] for row in power if row[4] == f"pixel {pixel}" and row[5] == pin]
            assert length in cut


@pytest.mark.parametrize("name", ["hexagon-61", "rectangle-88"])
def test_front_turns_rows_round_where_they_run_to_and_fro(name):
    assert "Rows run to and fro" in said(assembly(sketch_of(name)))


def test_front_of_a_disc_knows_no_rows():
    assert "Rows run to and fro" not in said(assembly(sketch_of("disc-32")))


@ALL
def test_front_presses_walls_with_weights_and_screws_as_pins_only(guide):
    text = said(chapter(guide, "pixels"))
    assert "as a pin that keeps them in line; nothing is tightened" in text
    assert "5 kg of books" in text
    assert "12 hours" in text
    assert "a screw through" not in text
    assert any("books" in tool for tool, _ in rows(guide, "tools"))


@ALL
def test_front_says_how_large_a_single_pixel_may_be(guide):
    wanted = f"round board of at most {SINGLE_MM:g} mm"
    assert wanted in said(chapter(guide, "pixels"))
    (row,) = (row for row in rows(guide, "parts-common") if row[1] == "single pixels")
    assert wanted in row[3]


@ALL
def test_front_places_the_opening_of_a_surround_made_by_hand(guide, name, tiled):
    contents = sketch_of(name, tiled)
    box, circuit = contents.layout.box, Box.around(contents.circuit.outline)
    text = said(chapter(guide, "plates"))
    assert "those of lights beside the cells" in text
    assert f"it is {circuit.left - box.left:.1f} mm from the left edge of the board" in text
    assert f"{circuit.bottom - box.bottom:.1f} mm from that of player 1" in text
    assert f"cut {AROUND_MM:g} mm outside of the line" in text


@ALL
def test_front_counts_templates_and_sticks_none_on_twice(guide, tiled):
    (row,) = (row for row in rows(guide, "sheets") if "template" in row[1])
    assert row[2].startswith("for foil twice")
    assert ("for tiles once" in row[2]) == tiled
    assert row[2].endswith("once more for each, cover and surround, that you make by hand")
    assert "unless it is there from" in said(chapter(guide, "foil"))


@ALL
def test_front_parts_the_template_of_foil_and_leads_its_wires_down(guide, name, tiled):
    contents = sketch_of(name, tiled)
    text = said(chapter(guide, "foil"))
    pads = len(contents.layout.sensors)
    assert f"this gives {pads} scraps of paper" in text
    assert f"all {pads + 1} wires go down" in text
    wires = contents.wirings[Build.FOIL].of(Kind.PAD, Kind.GUARD)
    shortest = min(wire.length_mm for wire in wires)
    assert f"The shortest wire has {shortest} mm, of which carrier, walls and base take" in text


@ALL
def test_front_says_what_the_first_login_asks_and_who_has_the_program(guide):
    text = said(chapter(guide, "software"))
    assert "type yes and Enter" in text
    assert "Nothing shows while you type it" in text
    assert "look in your router's list of devices for raspberrypi" in text
    assert "ask whoever made it for this folder" in text


def test_front_says_of_tiles_how_they_are_bought():
    contents = sketch_of("hexagon-61", True)
    text = said(chapter(assembly(contents), "order"))
    assert f"Put all {len(contents.tiles)} archives into one cart" in text
    assert "none stands in for another" in text
