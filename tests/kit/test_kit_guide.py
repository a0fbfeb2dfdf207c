"""What the guide of a kit says: commands that run, files of the kit, true numbers."""

import re
import shlex
from pathlib import Path

import pytest

from game.cli.main import _parser
from game.maker.doctor import diagnose, report
from game.play.board_choice import find
from game.rules.base.registry import all_games
from hal.profile import Electrode, built_in
from hal.profile.geometry import Point
from hardware.kit.drawing import Circle
from hardware.kit.electric.ladder import INLET_V
from hardware.kit.guide.document import Code, Document, Kind, Picture, Steps, TableBlock, spans
from hardware.kit.guide.facts import Facts
from hardware.kit.guide.text import assembly
from hardware.kit.guide.text_stones import LEAST_MM, widest_mm
from hardware.kit.materials import screw_mm
from hardware.kit.places import places
from hardware.kit.plates.base import base
from hardware.kit.plates.holes import holes
from hardware.kit.plates.laser import CUT, carrier, cover, surround
from hardware.kit.plates.walls import walls_of
from hardware.kit.sockets import inlet_mouth, lie, openings
from hardware.kit.wiring import Build
from hardware.kit.wiring import Kind as WireKind
from hardware.kit.wiring.runs import STRAP_MM
from tests.helpers.boards.doctor_trees import HEALTHY, Wired, build
from tests.helpers.kits.boards import layout_of
from tests.helpers.kits.guides import (
    chapter,
    code,
    files_of,
    rows,
    said,
    sketch_of,
    sketch_of_layout,
)

ROOT = Path(__file__).parents[2]
README = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
# A Pi with two buses, one with a multiplexer, and a Pico; with tiles and without.
BOARDS = (("hexagon-61", True), ("hexagon-61-mux", False), ("disc-32-pico", True))
ALL = pytest.mark.parametrize(("name", "tiled"), BOARDS)

FILE = re.compile(r"[\w./-]+\.(?:csv|pdf|svg|dxf|zip|html|toml|md|gz)")
# What the guide names beside the files of the kit.
ELSEWHERE = {"hardware/README.md", "/etc/lifeboard/lifeboard.toml"}
# What lies in each tile's folder.
OF_A_TILE = {"top.svg", "bottom.svg"}


@pytest.fixture
def guide(name, tiled) -> Document:
    return assembly(sketch_of(name, tiled))


def commands(document: Document) -> list[str]:
    """Give what the guide runs as lifeboard, without what comes before that word."""
    found = []
    for line in (line for b in document.blocks if isinstance(b, Code) for line in b.lines):
        match = re.match(r"(?:sudo )?(?:\.venv/bin/)?lifeboard (.*)", line)
        if match:
            found.append(match[1])
    return found


def table(document: Document, anchor: str) -> list[dict[str, str]]:
    (block,) = (b for b in document.blocks if isinstance(b, TableBlock) and b.anchor == anchor)
    return [dict(zip(block.table.columns, row, strict=True)) for row in block.table.rows]


def links(document: Document) -> set[str]:
    found = (span for text in document.texts() for span in spans(text))
    return {span.target for span in found if span.kind is Kind.LINK}


@ALL
def test_guide_leads_only_to_what_it_has_and_to_all_tables_and_pictures(guide):
    anchors = set(guide.names())
    assert links(guide) - anchors == set()
    for block in guide.blocks:
        if isinstance(block, TableBlock | Picture):
            # A picture in parts is spoken of by its first one.
            first = re.sub(r"^(wiring-[a-z]+)-\d+$", r"\1", block.anchor)
            assert first in links(guide), f"nothing speaks of {block.anchor}"


@ALL
def test_guide_runs_commands_that_exist(guide, name):
    called = commands(guide)
    assert {"board", "doctor", "monitor", "calibrate", "play", "learn"} <= {
        each.split()[0] for each in called
    }
    games = set(all_games())
    for each in called:
        options = vars(_parser().parse_args(shlex.split(each)))
        assert options.get("game", "circle-of-life") in games
        for key in ("board", "like"):
            if options.get(key) is not None:
                assert find(options[key]).name == name


@ALL
def test_guide_sets_up_a_pi_whole_and_a_pico_not_at_all(guide, name):
    profile = built_in(name)
    config = [line for line in code(guide) if "config.txt" in line or "raspi-config" in line]
    overlay = [line for line in config if "i2c-gpio" in line]
    if profile.pico is not None:
        assert config == []
        assert any("lifeboard flash" in line for line in code(guide))
        return
    assert bool(overlay) == (3 in {chip.bus for chip in profile.chips})
    wanted = [line for line in README.splitlines() if re.match(r"printf .*config.txt", line)]
    wanted += [line for line in README.splitlines() if line.startswith("sudo raspi-config")]
    assert len(wanted) > 4
    assert set(config) | {w for w in wanted if "i2c-gpio" in w} == set(wanted)
    assert not any("flash" in line for line in commands(guide))


@ALL
def test_guide_names_the_backend_where_a_command_needs_it(guide, name):
    on_pico = built_in(name).pico is not None
    for each in commands(guide):
        word = each.split()[0]
        if word == "play":
            assert f"--backend {'coprocessor' if on_pico else 'pi'}" in each
        elif word in ("monitor", "calibrate", "learn"):
            assert ("--backend coprocessor" in each) == on_pico
        elif word in ("doctor", "board"):
            assert "--backend" not in each


@ALL
def test_guide_names_files_that_the_kit_has(guide, name, tiled):
    there = files_of(name, tiled)
    named = {line for line in code(guide) if FILE.fullmatch(line)} - ELSEWHERE
    assert len(named) > 15
    assert named - there == (OF_A_TILE if tiled else set())


@ALL
def test_guide_says_what_the_files_of_the_kit_are_for(guide, name, tiled):
    named = set(code(guide))
    for file in files_of(name, tiled):
        if file.startswith("guide") or file.endswith(".gbr") or file.endswith(".drl"):
            continue
        if file == "board.toml":
            continue
        stem = file.rpartition(".")[0]
        names = {f"{stem}.{end}" for end in ("csv", "pdf", "dxf", "zip", "svg")}
        if file.startswith("tiles/"):
            names.add(file.rpartition("/")[2])
        assert names & named, file


@ALL
def test_guide_has_filled_in_all_that_is_to_be_filled_in(guide):
    for text in (*guide.texts(), *code(guide)):
        assert not re.search(r"[{}]|\\u", text), text
        assert "  " not in text.strip() or text.startswith((" ", "FAILURE")), text


@ALL
def test_guide_lists_all_parts_of_every_way(guide, name, tiled):
    contents = sketch_of(name, tiled)
    common = [tuple(row.values()) for row in table(guide, "parts-common")]
    for way, whole in contents.parts.items():
        own = [tuple(row.values()) for row in table(guide, f"parts-{way.value}")]
        assert sorted(common + own) == sorted(whole.rows)
        for wire in contents.wirings[way].of(WireKind.PART):
            part = wire.signal.replace(",", "")
            assert any(part in cell.replace(",", "") for row in whole.rows for cell in row), part


@ALL
def test_guide_gives_the_numbers_of_its_board(guide, name, tiled):
    contents = sketch_of(name, tiled)
    layout, text = contents.layout, said(guide)
    profile = layout.profile
    pads = len(profile.cells) + sum(isinstance(k, Electrode) for k in profile.keys.values())
    facts = {row["what"]: row["how much"] for row in table(guide, "numbers")}
    assert facts["cells"] == str(len(profile.cells))
    assert facts["pads"].startswith(f"{pads}, ")
    assert facts["pixels"] == str(profile.pixel_count)
    assert facts["sensor chips"] == str(len(profile.chips))
    assert facts["size"] == f"{layout.box.width:g} mm x {layout.box.height:g} mm"
    assert f"an M3 screw of {screw_mm(layout)} mm through each of the {len(layout.screws)}" in text
    feeding = contents.figures[Build.CIRCUIT].feeding
    assert f"fuse ({feeding.fuse_a:g} A, time-lag" in text
    assert f"at least {feeding.supply_a:g} A" in text
    for feed in feeding.feeds:
        assert re.search(rf"at pixels? [^.]*\b{feed}\b", text)


@ALL
def test_guide_has_a_row_for_every_pad_pixel_chip_and_key(guide, name, tiled):
    contents = sketch_of(name, tiled)
    profile = contents.layout.profile
    for way in (each for each in contents.wirings if each is not Build.CIRCUIT):
        named = [row["pad"] for row in table(guide, f"pads-{way.value}")]
        for sensor in contents.layout.sensors:
            assert named.count(sensor) == 1
    assert [row["pixel"] for row in table(guide, "chain")] == list(
        map(str, range(profile.pixel_count))
    )
    assert {row["chip"] for row in table(guide, "chips")} >= {c.name for c in profile.chips}
    keys = table(guide, "keys")
    assert [row["key"] for row in keys] == list(profile.keys)
    assert all(row["does"] != "is said by the game" for row in keys)
    groups = " ".join(row["in the next table"] for row in table(guide, "lights"))
    assert all(f"{group}.0" in groups for group in profile.lights)


@ALL
def test_guide_quotes_the_doctor(guide, name, tmp_path):
    profile = built_in(name)
    if profile.pico is not None:
        return
    deaf = profile.chips[-1]
    (quoted,) = (
        block.lines
        for block in guide.blocks
        if isinstance(block, Code) and block.lines[0].startswith("FAILURE")
    )
    assert deaf.place in quoted[0]

    def without_it(wired: Wired) -> None:
        place = wired.wires[deaf.bus]
        if deaf.mux is not None:
            place = wired.muxes[deaf.bus, deaf.mux].channels[deaf.channel]
        place.detach(deaf.address)

    told = report(diagnose(profile, build(HEALTHY["4"], tmp_path), Wired(profile, without_it)))
    for line in quoted:
        assert line in told.splitlines()


def test_guide_of_a_board_of_ones_own_takes_its_profile_along():
    contents = sketch_of_layout(layout_of("disc-32"), "/home/me/mine.toml")
    guide = assembly(contents)
    lines_said = list(code(guide))
    assert "/home/me" not in said(guide)
    assert any("--board board.toml" in line for line in lines_said)
    assert any("sudo cp board.toml /etc/lifeboard/" in line for line in lines_said)
    assert 'profile = "/etc/lifeboard/board.toml"' in lines_said
    assert "copy the profile, board.toml of this kit" in said(guide)
    assert "board.toml" in files_of("disc-32-pico", True)
    for name in ("disc-32", "hexagon-61"):
        assert f"--board {name}" not in "\n".join(lines_said)


@ALL
def test_guide_without_tiles_says_nothing_of_them(guide, tiled):
    assert ("tile" in said(guide).lower()) == tiled


@ALL
def test_guide_lists_all_stones_of_the_games_of_its_board(guide, name, tiled):
    listed = rows(guide, "stone-list")
    stones = sketch_of(name, tiled).artwork.stones
    assert stones
    assert listed == [(s.game, s.side, s.kind, str(s.count), s.look) for s in stones]
    facts = Facts(sketch_of(name, tiled))
    assert f"The foot is {LEAST_MM} mm to {widest_mm(facts)} mm wide" in said(guide)


@pytest.mark.parametrize("name", ["hexagon-61", "disc-32"])
def test_guide_widest_stone_leaves_a_fingertip_on_the_pad(name):
    geometry = layout_of(name).geometry
    widest = widest_mm(Facts(sketch_of(name)))
    # From the cell's edge the stone goes so far; the finger of 8 mm beside it ends on the pad.
    assert widest > LEAST_MM
    assert -geometry.pitch_mm / 2 + widest + 8 <= geometry.pad_mm / 2
    assert -geometry.pitch_mm / 2 + widest + 1 + 8 > geometry.pad_mm / 2


def test_guide_table_has_the_diameter_of_every_round_hole():
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
def test_guide_gives_both_lengths_of_each_feed_where_it_is_cut(guide, name, tiled):
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
    # Nothing of the pixels' joints is reached from below, so the guide must not send readers there.
    assert "the last one" in said(chapter(guide, "pixels"))
    assert "at the last pixel" not in said(chapter(guide, "power"))


@ALL
def test_guide_gives_the_place_of_each_part_on_the_underside(guide, name, tiled):
    layout = sketch_of(name, tiled).layout
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
def test_guide_accepts_the_voltage_with_which_it_was_computed(guide):
    text = said(chapter(guide, "power"))
    accepted = [float(volts) for volts in re.findall(r"([\d.]+) V to 5.25 V", text)]
    assert accepted == [INLET_V, INLET_V]


@ALL
def test_guide_says_how_computer_inlet_and_clamps_lie(guide, name, tiled):
    layout = sketch_of(name, tiled).layout
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


@ALL
def test_guide_gives_the_length_of_every_wire_of_irq_and_of_the_buttons_ground(guide, name, tiled):
    wiring = Facts(sketch_of(name, tiled)).wiring
    asking = [str(wire.length_mm) for wire in wiring.of(WireKind.INTERRUPT)]
    assert [row[2] for row in rows(guide, "irq-wires")] == asking
    grounds = [wire for wire in wiring.of(WireKind.GROUND) if wire.end.sort == "button"]
    assert [row[1:] for row in rows(guide, "button-grounds")] == [
        (str(wire.end), str(wire.length_mm)) for wire in grounds
    ]
    assert f"a wire of {STRAP_MM} mm from ADDR" in said(chapter(guide, "under"))


@ALL
def test_guide_switches_off_before_the_board_is_turned_back(guide, name, tiled):
    begin = said(chapter(guide, "first"))
    assert begin.index("Switch off first") < begin.index("Turn the board over again")
    off = "the Pico's cable" if name.endswith("-pico") else "unplug both supplies"
    assert off in begin[: begin.index("Turn the board over again")]
    if not name.endswith("-pico"):
        assert "it has no card yet" in said(chapter(guide, "power"))


@ALL
def test_guide_has_a_row_for_each_pin_and_a_column_for_each_connector(guide, name, tiled):
    contents = sketch_of(name, tiled)
    found = {}
    for pin, electrode, *pads in rows(guide, "pads-circuit"):
        for connector, pad in zip(contents.circuit.connectors, pads, strict=True):
            chip = connector.name.removeprefix("J")
            if electrode == "GND":
                assert (pin, pad) == ("13", "ground")
            elif pad != "no pad":
                assert pad not in found
                found[pad] = (chip, int(electrode))
                assert int(pin) == int(electrode) + 1
    sensors = contents.layout.sensors.values()
    assert found == {each.name: (each.electrode.chip, each.electrode.electrode) for each in sensors}


@ALL
def test_guide_lists_one_ribbon_for_each_connector_as_long_as_its_wires(guide, name, tiled):
    contents = sketch_of(name, tiled)
    wires = [w for w in contents.wirings[Build.CIRCUIT].wires if w.start.part.startswith("J")]
    listed = rows(guide, "ribbons")
    assert [row[0] for row in listed] == [each.name for each in contents.circuit.connectors]
    for connector, chip, length in listed:
        own = [wire for wire in wires if wire.start.part == connector]
        assert {(wire.end.name, str(wire.length_mm)) for wire in own} == {(chip, length)}
