"""The guide of a kit asks for nothing that it does not give: its commands run, its files are in the
kit, its words are explained, and its numbers are those of the board."""

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from game.app.boards import find
from game.app.cli import _parser
from game.app.doctor import diagnose, report
from game.rules.catalogue import all_games
from hal.profile import Electrode, built_in
from hardware.kit.contents import Contents
from hardware.kit.electric.levels import lines
from hardware.kit.guide.document import (
    Code,
    Document,
    Heading,
    Kind,
    Picture,
    TableBlock,
    plain,
    spans,
)
from hardware.kit.guide.text import assembly
from hardware.kit.materials import screw_mm
from hardware.kit.plates.holes import holes
from hardware.kit.plates.walls import walls_of
from hardware.kit.wiring import Build
from hardware.kit.wiring import Kind as WireKind
from tests.helpers.boards.doctor_trees import HEALTHY, Wired, build
from tests.helpers.boards.guide_tables import rows
from tests.helpers.kits.boards import layout_of, layout_of_profile
from tests.helpers.kits.guides import chapter, code, files_of, said, sketch_of, sketch_of_layout

ROOT = Path(__file__).parents[2]
README = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
# A Pi with two buses, one with a multiplexer, a Pico, the smallest and the largest; tiles too.
BOARDS = (
    ("hexagon-61", True),
    ("hexagon-61-mux", False),
    ("disc-32-pico", True),
    ("rectangle-88", False),
)
ALL = pytest.mark.parametrize(("name", "tiled"), BOARDS)

FILE = re.compile(r"[\w./-]+\.(?:csv|pdf|svg|dxf|zip|html|toml|md|gz)")
# What the guide names beside the files of the kit.
ELSEWHERE = {"hardware/README.md", "/etc/lifeboard/lifeboard.toml"}
# What lies in each tile's folder.
OF_A_TILE = {"top.svg", "bottom.svg"}

TERMS = {
    "cell",
    "pad",
    "profile",
    "kit",
    "sensor chip",
    "electrode",
    "breakout",
    "baseline",
    "guard",
    "ground",
    "sensing layer",
    "pixel",
    "strip",
    "Gerber file",
    "drill file",
    "solder mask",
    "via",
    "net",
    "kerf",
    "printed top",
    "diffuser",
    "tail",
    "connector",
    "ribbon",
    "feed",
    "bus",
    "address",
    "pull-up",
    "level shifter",
    "fuse",
    "doctor",
    "calibrate",
    "thresholds",
    "service",
}
# Words of the trade that a maker need not know: they must not be there, or be explained.
JARGON = ("PCB", "SMD", "SPI", "ESD", "PWM", "silkscreen layer", "firmware", "footprint", "MUX")
VAGUE = (
    "suitable",
    "appropriate",
    "of your choice",
    "as needed",
    "if necessary",
    "as required",
    "see the",
    "data sheet",
    "consult",
    "refer to",
    "etc",
    "TODO",
    "tbd",
    "some kind",
    "search for",
)
# Things that steps ask for, and how the lists of parts and tools call them.
THINGS = {
    "ohmmeter": "ohmmeter",
    "voltmeter": "voltmeter",
    "glue film": "glue film",
    "hot glue": "hot glue",
    "spray glue": "spray glue",
    "nail varnish": "nail varnish",
    "clear tape": "clear tape",
    "wood glue": "wood glue",
    "foam tape": "foam tape",
    "copper foil": "copper foil",
    "ribbon": "flat cable",
    "washer": "washers M3",
    "M3 screw": "screws M3",
    "fuse": "fuse, time-lag",
    "capacitor of 100 nF": "capacitor 100 nF",
    "large capacitor (1000 uF)": "capacitor 1000 uF",
    "level shifter": "74AHCT125",
    "breakout": "MPR121 breakouts",
    "buttons": "buttons",
    "spacer": "spacers M3",
    "knife": "knife",
    "tracing paper": "tracing paper",
    "supply of its own": "supply for the strip",
    "USB cable": "USB cable",
    "multiplexer": "TCA9548A",
}


def document_of(contents: Contents) -> Document:
    return assembly(contents)


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


def test_parser_refuses_what_there_is_not():
    for wrong in ("calibrate --slow", "solder", "calibrate --backend pico"):
        with pytest.raises(SystemExit):
            _parser().parse_args(shlex.split(wrong))


@ALL
def test_guide_runs_other_programs_as_the_readme_does(guide):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = README.splitlines()
    for block in guide.blocks:
        if not isinstance(block, Code):
            continue
        for line in block.lines:
            if line.startswith("make "):
                assert re.search(rf"^{line.split()[1]}:", makefile, re.MULTILINE)
            if "config.txt" in line or "raspi-config" in line:
                assert line in known


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
def test_guide_explains_its_words_where_they_come_first(guide, tiled):
    names = guide.names()
    texts = [plain(text, names).lower() for text in guide.texts()]
    first: dict[str, int] = {}
    for number, text in enumerate(guide.texts()):
        for span in spans(text):
            if span.kind is Kind.TERM:
                assert span.text.lower() not in first, f"{span.text} is explained twice"
                first[span.text.lower()] = number
    explained = set(first) | {word.removesuffix("s") for word in first}
    assert {term.lower() for term in TERMS} - explained == set()
    assert ("tile" in explained) == tiled
    for term, number in first.items():
        word = re.compile(rf"\b{re.escape(term.removesuffix('s'))}(?:s|es)?\b")
        # A title, and the list of what a chapter holds, may say a word before it is explained.
        for earlier, text in enumerate(texts[:number]):
            if word.search(text) and not is_title(guide, earlier):
                raise AssertionError(f"{term} is said before it is explained: {text}")


def is_title(document: Document, number: int) -> bool:
    titles = {block.text for block in document.blocks if isinstance(block, Heading)}
    titles |= {block.caption for block in document.blocks if isinstance(block, Picture)}
    for block in document.blocks:
        if isinstance(block, TableBlock):
            titles |= {block.table.title, *block.table.columns}
            titles |= {cell for row in block.table.rows for cell in row}
    return list(document.texts())[number] in titles


@ALL
def test_guide_has_filled_in_all_that_is_to_be_filled_in(guide):
    for text in (*guide.texts(), *code(guide)):
        assert not re.search(r"[{}]|\\u", text), text
        assert "  " not in text.strip() or text.startswith((" ", "FAILURE")), text


@ALL
def test_guide_has_no_word_that_nobody_explains(guide):
    text = said(guide)
    terms = {s.text for each in guide.texts() for s in spans(each) if s.kind is Kind.TERM}
    for word in JARGON:
        if re.search(rf"\b{word}\b", text):
            assert word in terms, word


@ALL
def test_guide_leaves_no_choice_open_that_needs_knowledge(guide):
    sources = {id(block) for block in chapter(guide, "sources").blocks}
    sources |= {id(block) for block in chapter(guide, "figures").blocks}
    blocks = tuple(block for block in guide.blocks if id(block) not in sources)
    text = said(Document("", "", tuple(b for b in blocks if not isinstance(b, Heading))))
    for phrase in VAGUE:
        assert not re.search(rf"\b{phrase}\b", text, re.IGNORECASE), phrase
    assert not re.findall(r"https?://(?!127\.0\.0\.1)", text)


@ALL
def test_guide_uses_things_that_its_lists_have(guide, name):
    contents_rows = [
        " ".join(row).lower()
        for block in chapter(guide, "parts").blocks
        if isinstance(block, TableBlock)
        for row in block.table.rows
    ]
    text = said(guide)
    found = 0
    for word, listed in THINGS.items():
        if re.search(rf"\b{re.escape(word)}", text):
            found += 1
            assert any(listed.lower() in row for row in contents_rows), word
    assert found > 15


@ALL
def test_guide_counts_the_loose_pieces_of_the_walls(guide, name, tiled):
    contents = sketch_of(name, tiled)
    text = said(chapter(guide, "pixels"))
    wanted = []
    for way, many in {Build.FOIL: (), **_circuits(contents)}.items():
        connectors = tuple(each for circuit in many for each in circuit.connectors)
        layers = walls_of(contents.layout, holes(contents.layout, connectors), connectors)
        counts = {level: len(layer.loose.pieces) for level, layer in layers.items()}
        wanted += [f"{n} in walls-{way.value}-{level.value}" for level, n in counts.items() if n]
    found = re.findall(r"\d+ in walls-\w+-\w+", text)
    assert found == wanted
    assert ("No piece of these walls is loose" in text) is not bool(wanted)


def _circuits(contents: Contents) -> dict[Build, tuple]:
    ways = {Build.CIRCUIT: (contents.circuit,), Build.TILES: contents.tiles}
    return {way: many for way, many in ways.items() if many}


@ALL
def test_guide_puts_the_board_on_its_feet_before_it_is_turned_over(guide):
    first = said(chapter(guide, "under"))
    assert "a spacer of 25 mm" in first
    assert first.index("a spacer of 25 mm") < first.index(" mm from ADDR on each breakout")
    text = said(guide)
    assert text.index("a spacer of 25 mm") < text.index("Touch it through the cover")


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
def test_guide_tells_what_the_ohmmeter_says_of_each_line(guide, name, tiled):
    contents = sketch_of(name, tiled)
    rows_said = {row["line"]: row for row in table(guide, "pull-ups")}
    for line in lines(contents.layout):
        if line.muxes:
            continue
        for wire in ("SDA", "SCL"):
            row = rows_said[f"{wire} of {line.name}"]
            assert row["computed"] == f"{line.pull_up_ohm / 1000:.2f} kohm"
            low, high = map(float, re.findall(r"[\d.]+", row["allowed"]))
            assert low < line.pull_up_ohm / 1000 < high
    if any(chip.mux is not None for chip in contents.layout.profile.chips):
        assert "SDA of channel 0" in rows_said


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


def test_guide_says_of_calibration_what_the_readme_says():
    guide = assembly(sketch_of("disc-32-pico", True))
    there = {row["column"]: row["good"] for row in rows("column")}
    for row in table(guide, "margins"):
        if row["column"] != "change":
            assert there[row["column"]].startswith(row["good"])


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


def test_guide_of_a_board_that_feels_stones_speaks_of_stones():
    touch = built_in("disc-32")
    presence = replace(touch, sensing=replace(touch.sensing, mode="presence"))
    guide = assembly(sketch_of_layout(layout_of_profile(presence), "mine.toml"))
    assert "feels stones that stand on it" in said(guide)
    assert "Set a stone on it" in said(guide)
    assert "do not conduct" not in said(guide)


@ALL
def test_guide_without_tiles_says_nothing_of_them(guide, tiled):
    assert ("tile" in said(guide).lower()) == tiled


@ALL
def test_guide_is_written_in_short_sentences_of_british_english(guide):
    names = guide.names()
    for text in guide.texts():
        for sentence in re.split(r"(?<=[.!?]) ", plain(text, names)):
            count = len(sentence.split())
            assert count <= 45, sentence
    words = set(re.findall(r"[a-z]+", said(guide).lower()))
    american = {"color", "colors", "center", "gray", "meter", "meters", "fiber", "favorite"}
    assert not words & (american | {"organize", "recognize", "labeled", "learned"})
