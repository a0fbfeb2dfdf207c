"""The guide for makers: its tables say what the profiles say, its commands and messages exist, and
its settings leave the doctor nothing to say."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from math import ceil, pi
from pathlib import Path

import pytest
from doctor_trees import CMDLINE, CONFIG, HEALTHY, Computer, Wired, build
from true_board import meet, names, reach

from game.app.cli import main
from game.app.doctor import Finding, Level, diagnose
from game.app.workshop.lesson import KEYS, STOP
from hal import built_in, built_in_names
from hal.drivers.spi import USUAL_BUFFER
from hal.drivers.ws2812 import transfer_bytes
from hal.learning.learner import Step
from hal.light import CHANNEL_MA
from hal.measuring.charge import SUPPLY_V, TARGET_COUNTS
from hal.measuring.margins import LEAST_CHANGE, LEAST_SNR
from hal.profile import Electrode, Pin, Profile

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "hardware" / "README.md"
BOARDS = built_in_names()

Row = dict[str, str]

# Where each BCM number is on the Pi's header, and which pins make which bus.
HEADER = {2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 10: 19, 17: 11, 22: 15, 23: 16, 24: 18, 27: 13}
GROUNDS = {6, 9, 14, 20, 25, 30, 34, 39}
BUS_PINS = {1: {2, 3}, 3: {23, 24}}

SUPPLIES_A = (3, 4, 5, 6, 8, 10)
FUSES_A = (2.5, 3.15, 4, 5, 6.3)


@cache
def text() -> str:
    return GUIDE.read_text(encoding="utf-8")


def rows_of(markdown: str, first: str) -> list[Row]:
    """Read the one table whose first column has this title."""
    found: list[list[Row]] = []
    for block in re.findall(r"(?:^\|.*\|\n)+", markdown, re.MULTILINE):
        lines = [[c.strip() for c in line.strip("|").split("|")] for line in block.splitlines()]
        titles, _, *cells = lines
        if titles[0] == first:
            found.append([dict(zip(titles, line, strict=True)) for line in cells])
    assert len(found) == 1, f"{len(found)} tables begin with {first!r}"
    return found[0]


def rows(first: str) -> list[Row]:
    return rows_of(text(), first)


def part(begin: str, board: str) -> str:
    (row,) = (each for each in rows("part") if each["part"].startswith(begin))
    return row[board]


def number(cell: str) -> float:
    found = re.match(r"\d+(?:\.\d+)?", cell)
    assert found, f"no number in {cell!r}"
    return float(found[0])


def code() -> Iterator[str]:
    """Give each line of the code blocks, and each piece of code in the text."""
    for block in re.findall(r"^```\n(.*?)^```", text(), re.MULTILINE | re.DOTALL):
        yield from block.splitlines()
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"^```\n.*?^```", "", text(), flags=re.M | re.S))


def pads(profile: Profile) -> int:
    keys = [key for key in profile.keys.values() if isinstance(key, Electrode)]
    return len(profile.cells) + len(keys)


def bus_numbers(profile: Profile) -> set[int]:
    return {chip.bus for chip in profile.chips}


def test_rows_of_reads_a_table_and_finds_no_other():
    markdown = "| a | b |\n|---|---|\n| 1 | 2 |\n\n| c |\n|---|\n"
    assert rows_of(markdown, "a") == [{"a": "1", "b": "2"}]
    with pytest.raises(AssertionError, match="0 tables begin with 'b'"):
        rows_of(markdown, "b")


def test_guide_names_every_board_and_its_chips():
    said = {re.sub(r"\[(.*?)\].*", r"\1", row["board"]): row for row in rows("board")}
    assert set(said) == set(BOARDS)
    for name, row in said.items():
        profile = built_in(name)
        assert row["cells"] == str(len(profile.cells))
        assert number(row["sensor chips"]) == len(profile.chips)
        assert ("two buses" in row["sensor chips"]) == (len(bus_numbers(profile)) == 2)
        assert f"(boards/{name}.toml)" in row["board"]


@pytest.mark.parametrize("board", BOARDS)
def test_guide_lists_the_parts_of_a_profile(board):
    profile = built_in(board)
    muxes = {(chip.bus, chip.mux) for chip in profile.chips if chip.mux is not None}
    buttons = [key for key in profile.keys.values() if isinstance(key, Pin)]
    assert part("MPR121", board) == str(len(profile.chips))
    assert part("TCA9548A", board) == str(len(muxes))
    assert part("pads", board) == str(pads(profile))
    assert part("pixels", board) == str(profile.pixel_count)
    assert part("of these", board) == str(sum(profile.lights.values()))
    assert part("buttons", board) == str(len(buttons))
    assert part("resistor 4.7 kohm", board) == str(2 * (3 in bus_numbers(profile)))


@pytest.mark.parametrize("board", BOARDS)
def test_guide_computes_supply_fuse_and_copper(board):
    profile = built_in(board)
    budget_ma = profile.power.budget_ma
    wanted_a = budget_ma / 1000 * 1.25
    supply_a, fuse_a = (number(part(each, board)) for each in ("supply", "fuse"))
    assert part("current", board) == f"{budget_ma} mA"
    assert supply_a == next(each for each in SUPPLIES_A if each >= wanted_a)
    assert fuse_a == next(each for each in FUSES_A if each >= wanted_a)
    assert fuse_a <= supply_a
    assert number(part("copper", board)) == ceil(10 * 0.02 * pads(profile)) / 10
    assert number(part("thin wire", board)) == ceil(0.3 * pads(profile))


def test_guide_computes_what_a_white_strip_would_draw():
    white_a = built_in().pixel_count * 3 * CHANNEL_MA / 1000
    assert f"would draw about {white_a:.1f} A" in text()


def pins_said(board: str) -> dict[int, str]:
    said = {}
    for row in rows("wire"):
        if row["GPIO"] != "-" and (row["boards"] == "all" or board in row["boards"].split(", ")):
            gpio = int(row["GPIO"].removeprefix("GPIO"))
            assert row["header pin"] == str(HEADER[gpio])
            said[gpio] = row["wire"]
    return said


@pytest.mark.parametrize("board", BOARDS)
def test_guide_wires_the_pins_of_a_profile(board):
    profile = built_in(board)
    wired = {profile.interrupt_pin: "interrupt", profile.strip.pin: "strip"}
    wired |= {k.number: f"key {name}" for name, k in profile.keys.items() if isinstance(k, Pin)}
    said = pins_said(board)
    lines = {pin for bus in bus_numbers(profile) for pin in BUS_PINS[bus]}
    assert said.keys() == wired.keys() | lines
    assert {pin: said[pin] for pin in wired} == wired
    for bus in bus_numbers(profile):
        data, clock = sorted(BUS_PINS[bus])
        assert (said[data], said[clock]) == (f"SDA of bus {bus}", f"SCL of bus {bus}")


def test_guide_wires_grounds_where_the_header_has_them():
    (row,) = (each for each in rows("wire") if each["wire"] == "ground")
    assert {int(pin) for pin in re.findall(r"\d+", row["header pin"])} == GROUNDS


@pytest.mark.parametrize("board", BOARDS)
def test_guide_gives_each_chip_its_place(board):
    said = {row["chip"]: row[board] for row in rows("chip") if row[board] != "-"}
    assert said == {
        chip.name: (f"bus {chip.bus}" if chip.mux is None else f"channel {chip.channel}")
        + f", 0x{chip.address:X}"
        for chip in built_in(board).chips
    }
    for chip in built_in(board).chips:
        assert chip.mux is None or (chip.bus, chip.mux) == (1, 0x70)


def test_guide_sets_addresses_as_the_doctor_does(tmp_path):
    nothing = Wired(built_in(), lambda wired: wired.wires.update(dict.fromkeys((1, 3), Deaf())))
    findings = diagnose(built_in(), build(HEALTHY["4"], tmp_path), nothing)
    told = set()
    for finding in findings:
        told |= set(re.findall(r"ADDR goes to (.*), which makes (0x..)", finding.remedy or ""))
    assert {(row["ADDR to"], row["address"]) for row in rows("ADDR to")} == told
    assert len(told) == 4


class Deaf:
    """A bus on which nobody answers."""

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def readfrom_into(self, *_: object) -> None:
        raise OSError(121, "Remote I/O error")

    writeto = writeto_then_readfrom = readfrom_into


def test_drawing_shows_the_pins_of_the_hexagon():
    drawing = (GUIDE.parent / "drawings" / "wiring.svg").read_text(encoding="utf-8")
    drawn = {int(g): int(pin) for g, pin in re.findall(r"GPIO(\d+)[ A-Z]*\((\d+)\)", drawing)}
    assert drawn == {gpio: HEADER[gpio] for gpio in pins_said("hexagon-61")}
    for chip in built_in().chips:
        assert f">{chip.name}</text>" in drawing


def plate_pf(outer_mm: float, inner_mm: float, acrylic_mm: float) -> float:
    """Give the capacitance of a ring through acrylic, by the formula of the plate capacitor."""
    return 3 * 8.854e-3 * pi / 4 * (outer_mm**2 - inner_mm**2) / acrylic_mm


def test_guide_computes_the_counts_of_a_finger():
    table = rows("acrylic")
    assert len(table) > 5
    for row in table:
        finger_pf = plate_pf(8, 4, number(row["acrylic"]))
        assert row["finger"] == f"{finger_pf:.2f} pF"
        for pad_pf in (10, 20, 30):
            fall = TARGET_COUNTS * finger_pf / (pad_pf + finger_pf)
            assert row[f"counts at {pad_pf} pF"] == f"{fall:.0f}"


def test_guide_computes_what_a_stone_changes():
    finger, ring, disc = rows("on the cell")
    for acrylic in (2, 3):
        title = f"acrylic {acrylic} mm"
        assert finger[title] == f"{plate_pf(8, 4, acrylic):.2f} pF"
        for row, inner in ((ring, 10), (disc, 4)):
            pad, guard = plate_pf(18, inner, acrylic), plate_pf(28, 22, acrylic)
            assert row[title] == f"{pad * guard / (pad + guard):.2f} pF"


def test_guide_computes_pull_ups():
    least_k = (SUPPLY_V - 0.4) / 3
    assert f"The least is {least_k:.2f}k" in text()
    for row in rows("bus"):
        conductance = 0.0
        for each in row["in parallel"].split(", "):
            found = re.fullmatch(r"(?:(\d) x )?([\d.]+)k", each)
            assert found
            conductance += int(found[1] or 1) / float(found[2])
        assert row["makes"] == f"{1 / conductance:.2f}k"
        assert 1 / conductance >= least_k


def test_guide_names_the_limits_of_calibration():
    words = " ".join(text().split())
    assert LEAST_SNR == 5
    assert f"by less than {LEAST_CHANGE} counts, or by less than five times its noise" in words


def test_guide_names_the_longest_strips_of_the_usual_buffer():
    longest = []
    for order in ("GRB", "GRBW"):
        pixels = 1
        while transfer_bytes(pixels + 1, order) <= USUAL_BUFFER:
            pixels += 1
        longest.append(pixels)
    said = re.search(r"at most (\d+) bytes .*? is (\d+) pixels, or (\d+) with", text(), re.DOTALL)
    assert said
    assert [int(each) for each in said.groups()] == [USUAL_BUFFER, *longest]
    assert f"`/{CMDLINE}`" in text()


# What the guide says of each letter, and which choice of the program that is.
MEANT = {
    "pixels": {
        "it lies beside the cells": "light",
        "nothing glows": "dead",
        "its cell does not answer": "silent",
        "this one and all that are left lie beside": "rest",
    },
    "names": {"it does not answer": "skip"},
    "lights": {"the other way round": "reverse", "begin one further": "turn", "one by one": "one"},
    "keys": {"it is a button, or not there": "pin", "no key from here on has a pad": "pins"},
    "end": {"write the profile": "write", "ask again for what is missing": "again"},
}
STEPS = {
    "pixels": Step.GLOW,
    "names": Step.NAME,
    "lights": Step.GROUP,
    "keys": Step.KEY,
    "end": Step.DONE,
}


def test_guide_names_the_letters_of_learn():
    table = rows("step")
    assert [row["step"] for row in table] == list(MEANT)
    for row in table:
        pieces = f"{row['you do']}; {row['if not']}"
        said = dict(re.findall(r"`(\w)`: ([^;]+)", pieces))
        assert len(said) == pieces.count("`") // 2, f"not of the form `x`: meaning: {pieces}"
        assert said == {KEYS[name]: meaning for meaning, name in MEANT[row["step"]].items()}
    assert f"`{KEYS['back']}` goes back a question" in text()
    assert f"in `lifeboard learn` (`{KEYS['dead']}`)" in text()
    assert f"`{STOP.key}` stops" in text()


@pytest.mark.parametrize("step", STEPS)
def test_guide_names_choices_that_learn_offers_at_that_step(step):
    person = reach(meet(), STEPS[step])
    offered = set(names(person))
    if step == "end":  # on a board that is whole nothing is missing
        person = meet()
        reach(person, Step.NAME).say("skip")
        offered |= set(names(reach(person, Step.DONE)))
    assert set(MEANT[step].values()) <= offered


def helped(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    return capsys.readouterr().out


def calls() -> set[tuple[str, str]]:
    """Give each command that the guide calls, with an option or none."""
    found = set()
    for line in code():
        for command, rest in re.findall(r"\blifeboard ((?:service )?[a-z]+)\b([^|;]*)", line):
            found |= {(command, option) for option in re.findall(r"--[a-z-]+", rest) or [""]}
    return found


def test_guide_calls_commands_and_options_that_exist(capsys):
    commands = re.findall(r"^    ([a-z]+)\b", helped([], capsys), re.MULTILINE)
    called = calls()
    assert {"play", "doctor", "learn", "calibrate", "monitor"} <= {each for each, _ in called}
    assert {command.split()[0] for command, _ in called} - set(commands) == set()
    for command, option in called:
        of_service, _, name = command.rpartition(" ")
        assert not of_service or name in helped(["service"], capsys)
        # What the service runs as its user is a command with the same options outside of it.
        words = [name] if name in commands else command.split()
        assert option in helped(words, capsys), f"{command} has no {option}"


def test_guide_links_to_what_there_is():
    links = re.findall(r"\]\(([^)]+)\)", text())
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", text(), re.MULTILINE)
    }
    assert len(links) > 10
    for link in links:
        path, _, anchor = link.partition("#")
        if path:
            assert (GUIDE.parent / path).exists(), link
        elif anchor:
            assert anchor in anchors, link


def texts_of_the_program() -> list[str]:
    """Give every text that the program can say, with {} for what is filled in."""
    said = []
    for package in ("game", "hal"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    pieces = (e.value if isinstance(e, ast.Constant) else "{}" for e in node.values)
                    said.append("".join(map(str, pieces)))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    said.append(node.value)
    catalogue = ROOT / "game" / "app" / "locale" / "en" / "LC_MESSAGES" / "lifeboard.po"
    entries = re.findall(
        r'^msgstr((?:\s+".*"$)+)', catalogue.read_text(encoding="utf-8"), re.MULTILINE
    )
    return said + ["".join(re.findall(r'"(.*)"', entry)) for entry in entries]


def test_guide_explains_messages_that_the_program_says():
    said = texts_of_the_program()
    messages = [row["message"].strip("`") for row in rows("message")]
    assert len(messages) > 10
    for message in messages:
        pieces = [re.escape(piece.strip()) for piece in message.split("...") if piece.strip()]
        wanted = re.compile(r".*".join(pieces))
        assert any(wanted.search(each) for each in said), message
    for button in re.findall(r"\*((?:Play|Feel)[^*]*cells[^*]*)\*", text()):
        assert " ".join(button.split()) in said


# What Raspberry Pi OS is shipped with, and what raspi-config makes of it.
STOCK = "#dtparam=i2c_arm=on\n#dtparam=spi=on\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n"
RASPI_CONFIG = {"do_i2c 0": "dtparam=i2c_arm=on", "do_spi 0": "dtparam=spi=on"}
FOR_WHOM = {
    "every Pi": tuple(HEALTHY),
    "bus 3": tuple(HEALTHY),
    "Zero 2 W and a 3": ("Zero 2 W", "3"),
    "On a 4": ("4",),
}


def config(model: str, profile: Profile) -> str:
    """Make the config.txt of a Pi as the guide says."""
    section = re.search(r"^### Settings\n(.*?)^### ", text(), re.MULTILINE | re.DOTALL)
    assert section
    lines = STOCK
    for intro, block in re.findall(r"([^\n]+)\n\n```\n(.*?)```", section[1], re.DOTALL):
        ((whom, models),) = ((w, m) for w, m in FOR_WHOM.items() if w in intro)
        if model not in models or (whom == "bus 3" and 3 not in bus_numbers(profile)):
            continue
        for command, line in RASPI_CONFIG.items():
            if f"sudo raspi-config nonint {command}\n" in block:
                lines = lines.replace(f"#{line}", line)
        for added in re.findall(rf"printf '%s\\n' (.*) \| sudo tee -a /{CONFIG}\n", block):
            lines += "".join(f"{each}\n" for each in re.findall(r"'([^']*)'", added))
    return lines


def unconfigured(model: str) -> Computer:
    """Make a Pi on which nothing but its config.txt tells how fast its bus is."""
    fresh = HEALTHY[model].remove("sys/bus/i2c/devices/i2c-1/of_node/clock-frequency")
    return fresh.write(CONFIG, STOCK)


def wrong(findings: tuple[Finding, ...]) -> list[str]:
    return [f"{each.name}: {each.text}" for each in findings if each.level is not Level.OK]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("model", HEALTHY)
def test_settings_of_the_guide_leave_the_doctor_nothing_to_say(model, board, tmp_path):
    profile = built_in(board)
    fresh = unconfigured(model)
    before = diagnose(profile, build(fresh, tmp_path / "before"), Wired(profile))
    assert wrong(before), "the doctor must miss something before"
    done = fresh.write(CONFIG, config(model, profile))
    assert wrong(diagnose(profile, build(done, tmp_path / "after"), Wired(profile))) == []


@pytest.mark.parametrize("model", HEALTHY)
def test_doctor_sends_makers_to_what_the_guide_says(model, tmp_path):
    bare = unconfigured(model).remove("dev/i2c-1", "dev/i2c-3", "dev/spidev0.0")
    bare = bare.run_by(groups=frozenset({"maker"}))
    told = 0
    for finding in diagnose(built_in(), build(bare, tmp_path), None):
        for line in re.findall(r"`((?:dt|core)[^`]*)`", finding.remedy or ""):
            told += 1
            assert line in config(model, built_in()).splitlines(), finding
        for command in re.findall(r"sudo raspi-config nonint do_\w+ 0", finding.remedy or ""):
            assert command in text()
    assert told >= 3
