"""The guide for makers: its tables say what the profiles say, its commands and messages exist, and
its settings leave the doctor nothing to say."""

import re
from collections.abc import Iterator
from dataclasses import astuple

import pytest

from game.cli.main import main
from game.maker.doctor import diagnose
from hal.profile import Pin, Profile, built_in, built_in_names
from hal.profile.profile import BUS_PINS
from hardware.board.computers import PI, PICO
from tests.helpers.boards.doctor_trees import CONFIG, HEALTHY, Wired, build, wrong
from tests.helpers.boards.guide_tables import ROOT, number, rows, text

BOARDS = built_in_names()

PLACES = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/*.md",
    "firmware/*.md",
    "hardware/**/*.md",
    "systemd/*.md",
)
PAGES = {page: page.read_text(encoding="utf-8") for each in PLACES for page in ROOT.glob(each)}

BUSES = {"first": (1, 0), "second": (3, 1)}
"""The buses of the guide, by their numbers on a Pi and on a Pico."""


def code(markdown: str) -> Iterator[str]:
    """Return each line of the code blocks, and each piece of code in the text."""
    for block in re.findall(r"^```\n(.*?)^```", markdown, re.MULTILINE | re.DOTALL):
        yield from block.splitlines()
    yield from re.findall(r"`([^`\n]+)`", re.sub(r"^```\n.*?^```", "", markdown, flags=re.M | re.S))


def bus_numbers(profile: Profile) -> set[int]:
    return {chip.bus for chip in profile.chips}


def test_guide_names_every_board_and_its_chips():
    said = {re.sub(r"\[(.*?)\].*", r"\1", row["board"]): row for row in rows("README.md", "board")}
    assert set(said) == set(BOARDS)
    for name, row in said.items():
        profile = built_in(name)
        assert row["hangs on"] == ("a Pi" if profile.pico is None else "a Pico")
        assert row["cells"] == str(len(profile.cells))
        assert number(row["sensor chips"]) == len(profile.chips)
        assert ("two buses" in row["sensor chips"]) == (len(bus_numbers(profile)) == 2)
        assert f"(boards/{name}.toml)" in row["board"]


def pins_said(on_pico: bool) -> dict[str, int]:
    """Return the GPIO or GP number to which the guide wires each line."""
    name, pin = ("GP of a Pico", "pin") if on_pico else ("GPIO of a Pi", "header pin")
    said = {}
    for row in rows("guide/own-board.md", "wire"):
        if row[name] != "-":
            said[row["wire"]] = int(row[name])
            assert row[pin] == str((PICO if on_pico else PI).pins[int(row[name])])
    return said


def wires(profile: Profile) -> dict[str, int]:
    """Return the pin of each line by the profile."""
    wired = {"interrupt": profile.interrupt_pin, "strip": profile.strip.pin}
    wired |= {f"key {name}": k.number for name, k in profile.keys.items() if isinstance(k, Pin)}
    for which, numbers in BUSES.items():
        bus = numbers[profile.pico is not None]
        if bus in bus_numbers(profile):
            data, clock = astuple(profile.pico.buses[bus]) if profile.pico else BUS_PINS[bus]
            wired |= {f"SDA of the {which} bus": data, f"SCL of the {which} bus": clock}
    return wired


@pytest.mark.parametrize("board", BOARDS)
def test_guide_wires_the_pins_of_a_profile(board):
    profile = built_in(board)
    assert wires(profile).items() <= pins_said(profile.pico is not None).items()


@pytest.mark.parametrize("board", ["bench-7", "bench-7-pico"])
def test_bench_page_wires_the_pins_of_its_profile(board):
    computer, column, name = PI, "header pin of a Pi", "GPIO"
    if built_in(board).pico:
        computer, column, name = PICO, "pin of a Pico", "GP"
    said = {row["wire"]: row[column] for row in rows("guide/bench.md", "wire")}
    for wire, line in {
        "breakout SDA": "SDA of the first bus",
        "breakout SCL": "SCL of the first bus",
        "breakout IRQ": "interrupt",
        "strip DIN, through 330 ohm": "strip",
    }.items():
        number = wires(built_in(board))[line]
        assert said[wire].startswith(f"{computer.pins[number]} ({name}{number})")


def helped(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    return capsys.readouterr().out


def calls(markdown: str) -> set[tuple[str, str]]:
    """Return each command that a text calls, with an option or none."""
    found = set()
    for line in code(markdown):
        for command, rest in re.findall(r"\blifeboard ((?:service )?[a-z]+)\b([^|;]*)", line):
            found |= {(command, option) for option in re.findall(r"--[a-z-]+", rest) or [""]}
    return found


def test_pages_call_commands_and_options_that_exist(capsys):
    commands = re.findall(r"^    ([a-z]+)\b", helped([], capsys), re.MULTILINE)
    called = {call: page for page, text in PAGES.items() for call in calls(text)}
    assert len(called) > 30
    known = {}
    for (command, option), page in called.items():
        of_service, _, name = command.rpartition(" ")
        assert not of_service or name in helped(["service"], capsys), page
        # A command that the service runs as its user exists outside of it with the same options.
        if command not in known:
            known[command] = helped([name] if name in commands else command.split(), capsys)
        assert option in known[command], (page, command, option)


def test_pages_call_targets_of_make_that_exist():
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    lines = {line: page for page, text in PAGES.items() for line in code(text)}
    called = {line.split()[1]: page for line, page in lines.items() if re.match("make [a-z]", line)}
    assert {target: page for target, page in called.items() if target not in targets} == {}
    assert len(called) > 10


def anchors(markdown: str) -> set[str]:
    return {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", markdown, re.MULTILINE)
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_links_to_what_there_is(page):
    for link in re.findall(r"\]\(([^)]+)\)", PAGES[page]):
        path, _, anchor = link.partition("#")
        if not path.startswith("http"):
            there = page.parent / path if path else page
            assert there.exists(), link
            assert not anchor or anchor in anchors(there.read_text(encoding="utf-8")), link


# What Raspberry Pi OS is shipped with.
STOCK = "#dtparam=i2c_arm=on\n#dtparam=spi=on\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n"


# On a Pi 5 nothing of them is checked.
@pytest.mark.parametrize("model", sorted(HEALTHY.keys() - {"5"}))
def test_settings_of_card_and_guide_leave_the_doctor_nothing_to_say(model, tmp_path):
    (settings,) = re.findall(r"tee -a /boot/firmware/config.txt < (\S+)", text("guide/start.md"))
    profile = built_in("hexagon-61")
    fresh = HEALTHY[model].write(CONFIG, STOCK)
    before = diagnose(profile, build(fresh, tmp_path / "before"), Wired(profile))
    assert wrong(before), "the doctor must miss something before"
    done = fresh.write(CONFIG, STOCK + (ROOT / settings).read_text(encoding="utf-8"))
    assert wrong(diagnose(profile, build(done, tmp_path / "after"), Wired(profile))) == []
