"""What the guide of a kit says: commands that run, files of the kit, true numbers."""

import re
import shlex
from pathlib import Path

import pytest

from game.cli.main import _parser
from game.play.board_choice import find
from game.rules.base.registry import all_games
from hal.profile import built_in
from hardware.kit.guide.document import Code, Document, Kind, Picture, TableBlock, spans
from hardware.kit.guide.text import assembly
from hardware.kit.places import places
from hardware.kit.wiring import Build
from hardware.kit.wiring import Kind as WireKind
from tests.helpers.kits.boards import layout_of
from tests.helpers.kits.guides import (
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
