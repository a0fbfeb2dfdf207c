"""The KiCad projects of the boards that are ordered, held to KiCad's own checks and to our program.

KiCad is in a folder of its own, in which nothing is laid out but the coupon.
"""

import re
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest
import shapely

from tests.helpers import kicad
from tests.helpers.cached import cached
from tests.helpers.orders import BOARDS, ORDERED

CHECKED = """
import sys
from pathlib import Path
from hardware.board.circuit import circuit
from hardware.board.make import SYMBOLS, check, filled, plot
from hardware.board.plan import PLANS
from hardware.board.schematic import schematic
board = Path(sys.argv[1])
plan = PLANS[board.stem]()
made = schematic(plan.name, plan.title, circuit(plan), SYMBOLS)
assert board.with_suffix(".kicad_sch").read_text("utf-8") == made
(board.parent / "filled").mkdir(exist_ok=True)
whole = filled(board, board.parent / "filled")
check(whole)
plot(whole, board.with_name("anew.zip"))
"""
WRONG = ("unconnected_items", "missing_footprint", "via_diameter")
"""What KiCad calls a track, a part and copper around a hole that are missing."""
NEAR_NM = 10_000
PROGRAM = Path(__file__).parents[2] / "hardware" / "board"
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def place():
    with kicad.workplace() as made:
        yield made


def copied(place: Path, name: str) -> Path:
    """Copy a project to where KiCad can read it; return its board."""
    shutil.copytree(ORDERED / name, place / "checked" / name, dirs_exist_ok=True)
    return place / "checked" / name / f"{name}.kicad_pcb"


def faults(place: Path, board: Path) -> str:
    done = kicad.run(place, "python3", "-c", CHECKED, board.relative_to(place))
    assert bool(done.returncode) == bool(done.stderr)
    return done.stderr


def plots(place: Path, board: Path) -> Path:
    """Return KiCad's plots of a board without faults, kept until the board or a program changes.

    Checks and plots of all boards take four minutes of a processor.
    """

    def fill(folder: Path) -> None:
        assert faults(place, board) == ""
        shutil.copy(board.with_name("anew.zip"), folder)

    files = sorted(board.parent.glob("*.kicad_*")) + sorted(PROGRAM.glob("*.py"))
    made_of = (kicad.kicad().name, CHECKED, [each.read_bytes() for each in files])
    return cached(f"plots-{board.stem}", made_of, fill) / "anew.zip"


def unzipped(archive: Path) -> dict[str, bytes]:
    with ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def parted(plot: bytes) -> tuple[list[bytes], set[tuple[int, int]], shapely.MultiLineString]:
    """Separate a plot's corners, and the lines between them, in nm, from everything else."""
    rest, strokes = [], list[list[tuple[int, int]]]()
    for line in plot.splitlines():
        if found := re.fullmatch(rb"X(-?\d+)Y(-?\d+)D0([123])\*", line):
            if found[3] != b"1" or not strokes:
                strokes.append([])
            strokes[-1].append((int(found[1]), int(found[2])))
        else:
            rest.append(line)
    lines = shapely.MultiLineString([each if each[1:] else each * 2 for each in strokes])
    return rest, {corner for each in strokes for corner in each}, lines


def assert_same_plots(one: Path, other: Path) -> None:
    """KiCad fills areas in several threads: now and then a corner is a few nm off, or left out."""
    mine, theirs = unzipped(one), unzipped(other)
    assert mine.keys() == theirs.keys()
    for name, plot in mine.items():
        if plot == theirs[name]:
            continue
        (rest, here, lines), (other_rest, there, other_lines) = parted(plot), parted(theirs[name])
        assert rest == other_rest, name
        for corner in here ^ there:
            near = other_lines if corner in here else lines
            assert near.distance(shapely.Point(corner)) < NEAR_NM, (name, corner)


@pytest.mark.parametrize("name", BOARDS)
def test_kicad_finds_nothing_and_plots_what_is_ordered(place, name):
    board = copied(place, name)
    assert_same_plots(plots(place, board), ORDERED / name / "gerbers.zip")


def test_kicad_finds_what_is_wrong(place):
    board = copied(place, "coupon-4")
    text = board.read_text()
    for pattern, instead in (
        (r"\n\t\(segment\n(?:\t\t.*\n)*?\t\)", ""),
        (r'\n\t\(footprint "Resistor_SMD.*\n(?:\t\t.*\n)*?\t\)', ""),
        (r"(?<=\t\t\(size )0.6(?=\)\n\t\t\(drill )", "0.4"),
    ):
        text, changes = re.subn(pattern, instead, text, count=1)
        assert changes, pattern
    board.write_text(text)
    found = faults(place, board)
    assert all(f"\n{each}: " in found for each in WRONG), found


def test_a_corner_that_is_elsewhere_is_found(tmp_path):
    for name, y in (("a", 5), ("b", 9), ("c", 50_000)):
        with ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("plot", f"%ADD10C,1*%\nX1000Y5D02*\nX900000Y{y}D01*\n")
    assert_same_plots(tmp_path / "a", tmp_path / "b")
    with pytest.raises(AssertionError):
        assert_same_plots(tmp_path / "c", tmp_path / "a")
