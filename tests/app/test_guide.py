"""The guide for makers: its tables say what the profiles say, its commands and messages exist, and
its settings leave the doctor nothing to say."""

import ast
import errno
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from math import ceil, pi

import pytest

from firmware.board import BLINK_EVERY_MS, GONE_MS
from firmware.channel import SILENCE_MS
from firmware.lights import BREATH_MS
from firmware.messages import MOST_CHIPS, MOST_KEYS, MOST_LEVELS
from game.app.carriers import carrier_of
from game.app.cli import main
from game.app.doctor import Finding, Level, diagnose, report
from game.app.flash import OLDEST
from game.app.workshop.lesson import KEYS, STOP
from hal import built_in, built_in_names
from hal.coprocessor.machine import CLOCK_KHZ, wiring_of
from hal.coprocessor.port import BOOTSEL, MICROPYTHON, NAME, VENDOR
from hal.drivers.spi import USUAL_BUFFER
from hal.drivers.ws2812 import transfer_bytes
from hal.learning.learner import Step
from hal.light import CHANNEL_MA, IDLE_MA
from hal.measuring.charge import SUPPLY_V, TARGET_COUNTS
from hal.measuring.margins import LEAST_CHANGE, LEAST_SNR
from hal.profile import Electrode, Pin, Profile
from tests.helpers.boards.doctor_pico import AtPort, Firmware, Ports, Prompt
from tests.helpers.boards.doctor_trees import CMDLINE, CONFIG, HEALTHY, PC, Computer, Wired, build
from tests.helpers.boards.guide_tables import GUIDE, ROOT, number, part, rows, rows_of, text
from tests.helpers.boards.true_board import meet, names, reach

BOARDS = built_in_names()
ON_PICO = tuple(name for name in BOARDS if built_in(name).pico is not None)
ON_PI = tuple(name for name in BOARDS if name not in ON_PICO)
HEXAGON_ON_PICO = "hexagon-61-pico"

PAGES = (
    "hardware/README.md",
    "README.md",
    "systemd/README.md",
    "firmware/README.md",
    "CONTRIBUTING.md",
    "docs/cirkle-mind.md",
)
# What the host and a Pico both run.
SHARED = ("firmware.wire", "firmware.channel", "firmware.messages")

# Where each BCM number is on the Pi's header, and which pins make which bus.
HEADER = {2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 10: 19, 13: 33, 17: 11, 22: 15, 23: 16, 24: 18, 25: 22}
HEADER |= {26: 37, 27: 13}
GROUNDS = {6, 9, 14, 20, 25, 30, 34, 39}
BUS_PINS = {1: {2, 3}, 3: {23, 24}}

# Where each GP number is on a Pico's edge, and what the other pins there are (Raspberry Pi Pico
# Datasheet, section 2.1).
EDGE = {
    gp: pin
    for pin, gp in zip(
        (*range(1, 3), *range(4, 8), *range(9, 13), *range(14, 18), *range(19, 23), *range(24, 28)),
        range(22),
        strict=True,
    )
} | {22: 29, 26: 31, 27: 32, 28: 34}
EDGE_GROUNDS = {3, 8, 13, 18, 23, 28, 38}
V33, VSYS, VBUS = 36, 39, 40

SUPPLIES_A = (3, 4, 5, 6, 8, 10)
FUSES_A = (2.5, 3.15, 4, 5, 6.3)


def code(markdown: str = "") -> Iterator[str]:
    """Give each line of the code blocks, and each piece of code in the text; else of the guide."""
    markdown = markdown or text()
    for block in re.findall(r"^```\n(.*?)^```", markdown, re.MULTILINE | re.DOTALL):
        yield from block.splitlines()
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"^```\n.*?^```", "", markdown, flags=re.M | re.S))


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
        assert row["hangs on"] == ("a Pico" if name in ON_PICO else "a Pi")
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
    on_pico = board in ON_PICO
    bare = bus_numbers(profile) if on_pico else bus_numbers(profile) & {3}
    assert part("Raspberry Pi Pico", board) == part("Schottky", board) == str(int(on_pico))
    assert part("resistor 4.7 kohm", board) == str(2 * len(bare))
    assert part("resistor 10 kohm", board) == str(1 + on_pico)


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
    assert number(part("copper", board)) == ceil(round(10 * 0.025 * pads(profile) * 1.1, 6)) / 10
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


def wires(profile: Profile) -> dict[int, str]:
    wired = {profile.interrupt_pin: "interrupt", profile.strip.pin: "strip"}
    keys = {k.number: f"key {name}" for name, k in profile.keys.items() if isinstance(k, Pin)}
    return wired | keys


@pytest.mark.parametrize("board", ON_PI)
def test_guide_wires_the_pins_of_a_profile(board):
    profile = built_in(board)
    wired = wires(profile)
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


def edge_said(board: str) -> dict[int, str]:
    said = {}
    for row in rows("wire at the Pico"):
        if row["GP"] != "-" and (row["boards"] == "all" or board in row["boards"].split(", ")):
            gp = int(row["GP"].removeprefix("GP"))
            assert row["pin"] == str(EDGE[gp])
            said[gp] = row["wire at the Pico"]
    return said


@pytest.mark.parametrize("board", ON_PICO)
def test_guide_wires_the_pins_of_a_pico(board):
    profile = built_in(board)
    assert profile.pico is not None
    lines = {pins.sda: f"SDA of bus {bus}" for bus, pins in profile.pico.buses.items()}
    lines |= {pins.scl: f"SCL of bus {bus}" for bus, pins in profile.pico.buses.items()}
    assert edge_said(board) == wires(profile) | lines


def test_guide_wires_ground_and_power_where_a_pico_has_them():
    pins = {row["wire at the Pico"]: row["pin"] for row in rows("wire at the Pico")}
    assert {int(pin) for pin in re.findall(r"\d+", pins["ground"])} == EDGE_GROUNDS
    assert pins["3.3 V"] == str(V33)
    for name, pin in (("VBUS", VBUS), ("VSYS", VSYS)):
        assert set(re.findall(rf"{name} \(pin (\d+)\)", text())) == {str(pin)}
    taken = [*EDGE.values(), *EDGE_GROUNDS, V33, VSYS, VBUS]
    # Run, measuring, and the supply's switch.
    assert sorted([*taken, 30, 33, 35, 37]) == [*range(1, 41)]


@pytest.mark.parametrize("key", ["shutdown", "cell"])
def test_guide_says_where_the_keys_of_later_chapters_are(key):
    pi, pico = built_in().keys[key], built_in(HEXAGON_ON_PICO).keys[key]
    assert isinstance(pi, Pin)
    assert isinstance(pico, Pin)
    words = " ".join(text().split())
    found = re.search(rf"GPIO{pi.number} \(header pin (\d+)\) and ground \((\d+)\)", words)
    assert found
    assert int(found[1]) == HEADER[pi.number]
    assert int(found[2]) in GROUNDS
    found = re.search(rf"GP{pico.number} \(pin (\d+)\) and ground \((\d+)\) of a Pico", words)
    assert found
    assert int(found[1]) == EDGE[pico.number]
    assert int(found[2]) in EDGE_GROUNDS


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


def test_drawing_shows_the_pins_of_the_pico():
    drawing = (GUIDE.parent / "drawings" / "wiring-pico.svg").read_text(encoding="utf-8")
    drawn = {int(g): int(pin) for g, pin in re.findall(r"GP(\d+)[ A-Z]*\((\d+)\)", drawing)}
    assert drawn == {gp: EDGE[gp] for gp in edge_said(HEXAGON_ON_PICO)}
    others = dict(re.findall(r">(3\.3 V|ground|VSYS|VBUS) \((?:pin )?(\d+)\)", drawing))
    assert int(others.pop("ground")) in EDGE_GROUNDS
    assert others == {"3.3 V": str(V33), "VSYS": str(VSYS), "VBUS": str(VBUS)}
    for chip in built_in("rectangle-88-pico").chips:
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
    assert f"The least is {LEAST_K:.2f}k" in text()
    for row in rows("bus"):
        makes_k = in_parallel_k(row["in parallel"])
        assert row["makes"] == f"{makes_k:.2f}k"
        assert makes_k >= LEAST_K


def test_guide_computes_the_pull_ups_of_a_pico():
    words = " ".join(text().split())
    assert f"The least resistance is the same {LEAST_K:.2f}k" in words
    assert f"far too weak for {CLOCK_KHZ} kHz" in words
    for row in rows("bus of the Pico"):
        makes_k = in_parallel_k(row["in parallel"])
        assert row["makes"] == f"{makes_k:.2f}k"
        assert makes_k >= LEAST_K
        # UM10204, section 7.1: from 0.3 to 0.7 of the supply in 300 ns.
        assert row["stands"] == f"{300 / (0.8473 * makes_k):.0f} pF"
    # What the advice for other breakouts is for.
    assert in_parallel_k("4.7k, 4 x 4.7k") < LEAST_K


@pytest.mark.parametrize("board", ON_PICO)
def test_guide_computes_what_breathing_draws(board):
    profile = built_in(board)
    assert profile.pico is not None
    wiring = wiring_of(profile, profile.pico)
    drawn_ma = profile.pixel_count * IDLE_MA + wiring.levels * CHANNEL_MA * wiring.glow / 255
    words = " ".join(text().split())
    shape, _, _ = board.partition("-")
    found = re.search(rf"the {shape} (?:draws )?([\d.]+) A", words)
    assert found
    assert found[1] == f"{drawn_ma / 1000:.1f}"
    assert drawn_ma < profile.power.budget_ma


def test_guide_says_what_a_pico_does_by_itself():
    words = " ".join(text().split())
    (silent,) = (row for row in rows("when") if "not heard" in row["when"])
    assert silent["when"] == f"computer is not heard for {SILENCE_MS / 1000} s"
    assert silent["strip"] == f"breathes white; dark after {GONE_MS // 1000} s"
    assert silent["light on the Pico"] == f"blinks every {BLINK_EVERY_MS // 1000} s"
    assert f"From dark to bright and back takes {BREATH_MS // 1000} s" in words
    pico = (ROOT / "firmware" / "pico.py").read_text(encoding="utf-8")
    (watchdog_ms,) = re.findall(r"^WATCHDOG_MS = (\d+)$", pico, re.MULTILINE)
    assert f"started anew by the Pico's watchdog after {int(watchdog_ms) // 1000} s" in words


def test_guide_names_the_limits_of_a_pico():
    words = " ".join(text().split())
    pixels, more = MOST_LEVELS // 3, MOST_LEVELS // 4
    assert (
        f"has room for {MOST_CHIPS} chips, {MOST_KEYS} buttons, and {pixels} pixels, or {more} with"
        " four colours"
    ) in words
    assert f"MicroPython, {'.'.join(map(str, OLDEST))} or later" in words
    assert f"({VENDOR:04x}:{MICROPYTHON:04x})" in words
    assert f"`{NAME}`" in words


LEAST_K = (SUPPLY_V - 0.4) / 3


def in_parallel_k(said: str) -> float:
    conductance = 0.0
    for each in said.split(", "):
        found = re.fullmatch(r"(?:(\d) x )?([\d.]+)k", each)
        assert found
        conductance += int(found[1] or 1) / float(found[2])
    return 1 / conductance


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


def calls(markdown: str) -> set[tuple[str, str]]:
    """Give each command that a text calls, with an option or none."""
    found = set()
    for line in code(markdown):
        for command, rest in re.findall(r"\blifeboard ((?:service )?[a-z]+)\b([^|;]*)", line):
            found |= {(command, option) for option in re.findall(r"--[a-z-]+", rest) or [""]}
    return found


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("hardware/README.md", {"play", "doctor", "flash", "learn", "calibrate", "monitor"}),
        ("README.md", {"play", "flash", "learn", "referee"}),
        ("systemd/README.md", {"service flash", "service learn", "service status", "pin"}),
        ("firmware/README.md", {"flash"}),
        ("CONTRIBUTING.md", {"flash", "bench"}),
        ("docs/cirkle-mind.md", {"play"}),
    ],
)
def test_page_calls_commands_and_options_that_exist(page, wanted, capsys):
    commands = re.findall(r"^    ([a-z]+)\b", helped([], capsys), re.MULTILINE)
    called = calls((ROOT / page).read_text(encoding="utf-8"))
    assert wanted <= {each for each, _ in called}
    assert {command.split()[0] for command, _ in called} - set(commands) == set()
    for command, option in called:
        of_service, _, name = command.rpartition(" ")
        assert not of_service or name in helped(["service"], capsys)
        # What the service runs as its user is a command with the same options outside of it.
        words = [name] if name in commands else command.split()
        assert option in helped(words, capsys), f"{command} has no {option}"


def anchors(markdown: str) -> set[str]:
    return {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", markdown, re.MULTILINE)
    }


@pytest.mark.parametrize("page", PAGES)
def test_page_links_to_what_there_is(page):
    file = ROOT / page
    links = re.findall(r"\]\(([^)]+)\)", file.read_text(encoding="utf-8"))
    assert links
    for link in links:
        path, _, anchor = link.partition("#")
        there = file.parent / path if path else file
        assert there.exists(), link
        if anchor:
            assert anchor in anchors(there.read_text(encoding="utf-8")), link


def test_page_of_the_firmware_lists_its_files():
    page = (ROOT / "firmware" / "README.md").read_text(encoding="utf-8")
    said = {row["file"].strip("`"): row["on the host too"] for row in rows_of(page, "file")}
    there = {each.name for each in (ROOT / "firmware").glob("*.py")} - {"__init__.py"}
    assert said.keys() == there
    shared = {each.rpartition(".")[2] + ".py" for each in SHARED}
    assert {name for name, host in said.items() if host == "yes"} == shared


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


@pytest.mark.parametrize("board", ON_PI)
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


ANY_COMPUTER = {**HEALTHY, "a laptop": PC}


def with_pico(computer: Computer, there: AtPort) -> Computer:
    """Plug in a Pico that does what the guide says, for a user whom it has told to join a group."""
    groups = computer.files.get("etc/group", "")
    assert isinstance(groups, str)
    computer = computer.write("etc/group", f"{groups}dialout:x:20:maker\n").plug(MICROPYTHON)
    plugged = replace(computer, open_port=Ports(lambda: there), clock=there.clock)
    return plugged.run_by(groups=frozenset({"maker", "dialout"}))


def firmware(computer: Computer, profile: Profile, missing: str = "") -> Firmware:
    chips = tuple((each.bus, each.address) for each in profile.chips if each.name != missing)
    return Firmware(computer.clock, chips=chips)


@pytest.mark.parametrize("board", ON_PICO)
@pytest.mark.parametrize("model", ANY_COMPUTER)
def test_guide_to_a_pico_leaves_the_doctor_nothing_to_say(model, board, tmp_path):
    profile, fresh = built_in(board), ANY_COMPUTER[model]
    before = diagnose(profile, build(fresh, tmp_path / "before"), None)
    assert wrong(before) == ["port: no Pico is plugged in"]
    done = with_pico(fresh, firmware(fresh, profile))
    assert wrong(diagnose(profile, build(done, tmp_path / "after"), None)) == []


def test_doctor_of_a_pico_sends_makers_to_what_the_guide_says(tmp_path):
    profile = built_in(HEXAGON_ON_PICO)
    new = PC.plug(BOOTSEL)
    empty = with_pico(PC, Prompt(PC.clock))
    barred = empty.run_by(groups=frozenset({"maker"})).write("etc/group", "dialout:x:20:\n")
    refused = OSError(errno.EACCES, os.strerror(errno.EACCES))
    barred = replace(barred, open_port=Ports(None, refused))
    told = []
    for place, computer in (("new", new), ("empty", empty), ("barred", barred)):
        for finding in diagnose(profile, build(computer, tmp_path / place), None):
            told += re.findall(r"lifeboard flash|sudo usermod -aG dialout", finding.remedy or "")
    assert set(told) == {"lifeboard flash", "sudo usermod -aG dialout"}
    assert all(any(each in line for line in code()) for each in told)


def test_guide_quotes_the_doctor_of_a_pico(tmp_path):
    profile = built_in(HEXAGON_ON_PICO)
    blocks = re.findall(r"^```\n(.*?)^```", text(), re.MULTILINE | re.DOTALL)
    (quoted,) = (block for block in blocks if "a Pico is at" in block)
    computer = with_pico(PC, firmware(PC, profile, missing="F"))
    said = report(diagnose(profile, build(computer, tmp_path), None)).splitlines()
    assert [line for line in quoted.splitlines() if line not in said] == []


def test_guide_starts_a_board_on_a_pico_by_its_backend():
    chapter = re.search(r"^### First start with a Pico\n(.*?)^### ", text(), re.M | re.S)
    assert chapter
    called = re.findall(r"^\.venv/bin/lifeboard (\w+) (.*)$", chapter[1], re.MULTILINE)
    assert [command for command, _ in called] == ["doctor", "learn", "calibrate", "play"]
    for command, options in called:
        wanted = f"--backend {carrier_of(built_in(HEXAGON_ON_PICO))}"
        assert (wanted in options) == (command != "doctor")
