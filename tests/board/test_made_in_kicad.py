"""Boards made anew in KiCad: its checks find nothing, and the files that are ordered come out."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import kicad

ORDERED = kicad.TREE / "hardware" / "boards" / "hexagon-61"
CHECK = (
    "import sys; from pathlib import Path; from hardware.board.make import check;"
    "check(Path(sys.argv[1]), Path(sys.argv[2]))"
)
pytestmark = pytest.mark.timeout(2400)


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with kicad.workplace() as made:
        yield made


def checked(place: Path, board: Path) -> subprocess.CompletedProcess[str]:
    inside = board.relative_to(place)
    return kicad.run(place, "python3", "-c", CHECK, inside.with_suffix(".kicad_sch"), inside)


@pytest.mark.parametrize("name", ["coupon-4", "disc-32"])
def test_board_keeps_all_rules_and_has_a_way_for_every_net(place: Path, name: str):
    # Raises what the checks of schematic, layout and their parity find.
    made = kicad.make(place, [name]) / name
    assert {"gerbers.zip", "bom.csv", "cpl.csv", "top.png"} <= {
        each.name for each in made.iterdir()
    }


def test_ordered_files_are_those_that_the_program_makes(place: Path):
    made = kicad.make(place, [ORDERED.name]) / ORDERED.name
    for name in ("gerbers.zip", "bom.csv", "cpl.csv"):
        assert (made / name).read_bytes() == (ORDERED / name).read_bytes(), name


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        (
            r"\n\t\(segment\n(?:\t\t.*\n)*?\t\t\(net (\d+)\)\n(?:\t\t.*\n)*?\t\)",
            "unconnected_items",
        ),
        (r'\n\t\(footprint "Resistor_SMD.*?\n\t\)', "missing_footprint"),
    ],
)
def test_check_finds_what_is_missing(place: Path, pattern: str, fault: str):
    board = kicad.make(place, ["hexagon-7"]) / "hexagon-7" / "hexagon-7.kicad_pcb"
    assert not checked(place, board).returncode
    text = board.read_text("utf-8")
    board.write_text(
        re.sub(pattern, "", text, count=1, flags=re.S * ("Resistor" in pattern)), "utf-8"
    )
    done = checked(place, board)
    assert done.returncode
    assert fault in done.stderr
