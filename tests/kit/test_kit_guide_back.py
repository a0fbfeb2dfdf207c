"""The guide from the pixels on: an order in which it can be done, and no fact left out."""

import re
from dataclasses import replace
from types import MappingProxyType

import pytest

from hal.profile import Pin
from hardware.kit.electric.ladder import INLET_V
from hardware.kit.electric.sensing import BOARD_MM
from hardware.kit.guide.document import (
    Code,
    Document,
    Paragraph,
    Picture,
    Steps,
)
from hardware.kit.guide.facts import Facts
from hardware.kit.guide.text import assembly
from hardware.kit.materials import BASE_MM, button_mm
from hardware.kit.places import places
from hardware.kit.sockets import inlet_mouth, lie, openings
from hardware.kit.wiring import Kind
from hardware.kit.wiring.runs import STRAP_MM
from tests.helpers.kits.guides import chapter, code, rows, said, sketch_of

ALL = pytest.mark.parametrize("name", ["hexagon-61", "disc-32-pico", "rectangle-88"])


@pytest.fixture
def guide(name) -> Document:
    return assembly(sketch_of(name))


def steps(document: Document) -> list[str]:
    """Give every step, in the order of doing."""
    return [item for b in document.blocks if isinstance(b, Steps) for item in b.items]


def place_of(texts: list[str], words: str) -> int:
    (found,) = (number for number, text in enumerate(texts) if words in text)
    return found


@ALL
def test_guide_holds_the_board_together_before_it_turns_it_and_turns_it_back(guide):
    done = steps(guide)
    order = [
        "Lay the sensing layer on the walls",
        "the print and the cover, without glue",
        "as its nut, tight by hand",
        "Turn the board over, left edge over right",
        "Solder the header pins",
        "Fix each part at its mark",
        "from ADDR on each breakout",
        "Plug in the strip's supply, still without the fuse",
    ]
    found = [place_of(done, words) for words in order]
    assert found == sorted(found)
    assert "Turn the board over again" in said(chapter(guide, "first"))
    assert "piles of books" in said(chapter(guide, "stack"))
    # Nothing of the pixels' joints is reached from below, so nobody is sent there.
    assert "the last one" in said(chapter(guide, "pixels"))
    assert "at the last pixel" not in said(chapter(guide, "power"))


@ALL
def test_guide_gives_the_place_of_each_part_on_the_underside(guide, name):
    layout = sketch_of(name).layout
    box, listed = layout.box, {row[0]: row for row in rows(guide, "spots")}
    for part, place in places(layout).items():
        if part.startswith("button "):
            assert part not in listed
            continue
        left, towards = map(float, listed.pop(part)[2:4])
        # Turned over left over right, what was on the right is on the left.
        assert box.right - left == pytest.approx(place.at.x, abs=0.51)
        assert box.bottom + towards == pytest.approx(place.at.y, abs=0.51)
    assert listed == {}


@ALL
def test_guide_shows_the_placement_of_every_way(guide, name):
    anchors = {b.anchor: b for b in guide.blocks if isinstance(b, Picture)}
    for build in sketch_of(name).wirings:
        for what in ("placement", "wiring"):
            assert anchors[f"{what}-{build.value}"].large
            assert anchors[f"{what}-{build.value}"].file == f"wiring/{what}-{build.value}.svg"


@ALL
def test_guide_accepts_the_voltage_with_which_it_was_computed(guide):
    text = said(chapter(guide, "power"))
    accepted = [float(volts) for volts in re.findall(r"([\d.]+) V to 5.25 V", text)]
    assert accepted == [INLET_V, INLET_V]


@ALL
def test_guide_puts_the_shifter_in_last_where_a_soldered_wire_cannot_be_unplugged(guide):
    done = steps(guide)
    empty = place_of(done, "The socket of the 74AHCT125 is still empty")
    comes = place_of(done, "Push the 74AHCT125 into its socket")
    assert place_of(done, "The chip itself comes in at the end of [](#switch-on)") < empty
    assert empty < place_of(done, "still without the fuse") < comes
    assert "data wire at the computer" not in said(guide)
    parts = " ".join(cell for row in rows(guide, "parts-common") for cell in row)
    assert re.search(r"DIP with 14 pins, with a socket", parts)


@ALL
def test_guide_says_where_capacitor_resistor_clamps_and_inlet_are(guide, name):
    text = said(chapter(guide, "power"))
    assert "below the base, right at the hole" in text
    assert "\u201csupply\u201d is the inlet" in text
    clamps = [part for part in places(sketch_of(name).layout) if part.startswith("clamp ")]
    assert len(clamps) > 1
    for clamp in clamps:
        assert clamp in text
        assert any(clamp in row for row in rows(guide, "power-wires"))


@ALL
def test_guide_names_keys_as_the_profile_and_as_the_print_do(guide, name):
    contents = sketch_of(name)
    names = contents.artwork.names
    for key, printed, _ in rows(guide, "keys"):
        assert printed == names.get(key, key.replace("_", " "))
    assert len(rows(guide, "keys")) == len(contents.layout.profile.keys)
    if "shutdown" in contents.layout.profile.keys:
        assert "the button \u201cswitch off\u201d (shutdown)" in said(chapter(guide, "service"))


@ALL
def test_parts_say_how_long_buttons_are(guide, name):
    contents = sketch_of(name)
    geometry = contents.layout.geometry
    assert any(isinstance(key, Pin) for key in contents.layout.profile.keys.values())
    thread, legs = button_mm(contents.layout)
    layer = geometry.cover_mm + max(geometry.carrier_mm, BOARD_MM)
    assert thread > layer
    assert legs > layer + geometry.air_mm + BASE_MM
    for table in contents.parts.values():
        (row,) = (row for row in table.rows if row[1] == "buttons")
        assert f"{thread} mm of thread or more, and {legs} mm or more" in row[3]


@ALL
def test_guide_says_from_where_places_of_pixels_are_measured(guide):
    assert "measured from the middle of all cells" in said(chapter(guide, "pixels"))


@ALL
def test_guide_calibrates_as_seldom_as_it_can(guide):
    runs = [line for line in code(guide) if re.search(r"lifeboard (service )?calibrate", line)]
    assert len(runs) == 2
    assert "calibrate" in said(chapter(guide, "stack"))


@ALL
def test_guide_copes_with_a_folder_of_another_name(guide):
    assert "If the folder has another name" in said(chapter(guide, "software"))


@ALL
def test_guide_knows_that_some_walls_give_way(guide):
    assert "taken the place of a wall" in said(chapter(guide, "stack"))


def test_guide_copies_micropython_where_a_drive_appears():
    guide = assembly(sketch_of("disc-32-pico"))
    (step,) = (each for each in steps(guide) if "BOOTSEL" in each)
    assert "a computer with a screen" in step
    assert any("flash" in line for b in guide.blocks if isinstance(b, Code) for line in b.lines)


@ALL
def test_guide_says_how_computer_inlet_and_clamps_lie(guide, name):
    layout = sketch_of(name).layout
    how = {row[0]: row[4] for row in rows(guide, "spots")}
    lying = lie(layout)
    for socket in lying.computer.sockets:
        assert f"{socket.name} {lying.side(socket).value}" in how[lying.computer.name]
    if layout.profile.pico is None:
        assert f"rows of pins {lying.pins.value}" in how[lying.computer.name]
    assert how["supply"] == f"mouth {inlet_mouth(layout).value}"
    for part, place in places(layout).items():
        if part.startswith("clamp "):
            others = [other.box for each, other in places(layout).items() if each != part]
            assert how[part] == f"openings {openings(place.box, others, layout.box).value}"
    assert "3 mm thick" in said(chapter(guide, "under"))


def test_guide_wants_a_pico_without_pins_and_knows_where_its_pin_1_lies():
    text = said(chapter(assembly(sketch_of("disc-32-pico")), "under"))
    assert "take one without pins" in text
    assert "BOOTSEL stays in reach" in text
    lying = lie(sketch_of("disc-32-pico").layout)
    one = lying.place(lying.computer.pin_1)
    # Whoever has turned the board over sees a larger x on the left.
    row = "left" if one.x > lying.at.x else "right"
    end = "farthest from" if one.y > lying.at.y else "nearest to"
    assert f"1 is in the {row} row, {end} you" in text


@ALL
def test_guide_names_cells_that_are_at_the_edge_of_player_1(guide, name):
    cells = sketch_of(name).layout.cells
    (step,) = (each for each in steps(guide) if "Turn the board over, left edge" in each)
    named = re.search(r"the cells? (\w+)(?: to (\w+)| and its neighbours)", step)
    assert named
    lowest = min(cell.at.y for cell in cells.values())
    for cell in filter(None, named.groups()):
        assert cells[cell].at.y == pytest.approx(lowest, abs=1)
    assert "lowest numbers" not in step


@ALL
def test_guide_gives_the_length_of_every_wire_of_irq_and_of_the_buttons_ground(guide, name):
    wiring = Facts(sketch_of(name)).wiring
    asking = [str(wire.length_mm) for wire in wiring.of(Kind.INTERRUPT)]
    assert [row[2] for row in rows(guide, "irq-wires")] == asking
    grounds = [wire for wire in wiring.of(Kind.GROUND) if wire.end.sort == "button"]
    assert [row[1:] for row in rows(guide, "button-grounds")] == [
        (str(wire.end), str(wire.length_mm)) for wire in grounds
    ]
    assert f"a wire of {STRAP_MM} mm from ADDR" in said(chapter(guide, "under"))


@ALL
def test_guide_keeps_bare_ends_of_the_buttons_wires_apart_and_tests_them(guide, name):
    text = said(chapter(guide, "under"))
    for button in sketch_of(name).layout.buttons:
        assert re.search(rf"write its name on it:[^.]*\b{button}\b", text)
    assert "Test the wires of the buttons while it plays" in said(chapter(guide, "first"))
    assert "Press each button once" in said(chapter(guide, "stack"))
    assert "a button does nothing" in [row[0] for row in rows(guide, "help")]


def test_guide_of_a_board_without_buttons_speaks_of_none():
    contents = sketch_of("hexagon-61")
    layout = replace(contents.layout, buttons=MappingProxyType({}))
    guide = assembly(replace(contents, layout=layout))
    for anchor in ("under", "first", "stack"):
        blocks = chapter(guide, anchor).blocks
        texts = [block.text for block in blocks if isinstance(block, Paragraph)]
        texts += [item for block in blocks if isinstance(block, Steps) for item in block.items]
        assert [text for text in texts if "button " in text or "Button" in text] == []
    assert "a button does nothing" not in [row[0] for row in rows(guide, "help")]


@ALL
def test_guide_switches_off_before_the_board_is_turned_back(guide, name):
    begin = said(chapter(guide, "first"))
    assert begin.index("Switch off first") < begin.index("Turn the board over again")
    off = "the Pico's cable" if name.endswith("-pico") else "unplug both supplies"
    assert off in begin[: begin.index("Turn the board over again")]
    if not name.endswith("-pico"):
        assert "it has no card yet" in said(chapter(guide, "power"))


def test_guide_names_tiles_beside_foil_and_circuit():
    text = said(chapter(assembly(sketch_of("rectangle-88", tiled=True)), "stack"))
    assert "or a printed circuit, or tiles, in its surround" in text
    whole = said(assembly(sketch_of("rectangle-88")))
    assert "tiles" not in whole[whole.index("Hold it together") :]


@ALL
def test_guide_holds_the_layers_in_line_while_they_are_glued(guide):
    done = steps(guide)
    assert place_of(done, "Stick four screws up through the base") < place_of(
        done, "Lay glue film on the sensing layer"
    )
