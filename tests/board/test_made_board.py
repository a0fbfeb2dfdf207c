"""The files of the boards that are ordered, read without KiCad and held to the circuit."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
import shapely

from hardware.board import orders
from hardware.board.cell import INNER_KEEP_MM
from hardware.board.circuit import circuit
from hardware.board.plan import PLANS
from tests.helpers.orders import BOARDS, LONGEST_TRACK_MM, ORDERED
from tests.helpers.reader import joined

pytestmark = pytest.mark.timeout(600)


def plots(board: str, folder: Path) -> Path:
    with ZipFile(ORDERED / board / "gerbers.zip") as archive:
        archive.extractall(folder)
    return folder


def pads(plot: Path) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    """Where a plot says that each pad is, by part and number, in mm with y down."""
    pad = None
    for line in plot.read_text().splitlines():
        if found := re.fullmatch(r"%TO\.P,(\w+),(\w+).*\*%", line):
            pad = found[1], found[2]
        elif line == "%TD*%":
            pad = None
        elif pad and (found := re.fullmatch(r"X(-?\d+)Y(-?\d+)D03\*", line)):
            yield pad, (int(found[1]) / 1e6, -int(found[2]) / 1e6)


def wrong(board: str, folder: Path) -> set[str]:
    """Give the nets whose pads and electrodes are not joined, or not to each other alone."""
    plan, parts, at = PLANS[board](), circuit(PLANS[board]()), joined(folder)
    [lowest] = folder.glob("*B_Cu.*")
    wanted = {(part.reference, pad): net for part in parts for pad, net in part.nets.items()}
    places = dict(pads(lowest))
    assert wanted.keys() <= places.keys()
    found: dict[str, set[int | None]] = {}
    for pad, net in wanted.items():
        found.setdefault(net, set()).add(at("B.Cu", *places[pad]))
    for name, spot in plan.pads.items():
        found[f"E_{name}"].add(at("F.Cu", spot.x, spot.y))
    numbers = [number for each in found.values() for number in each]
    return {
        net
        for net, each in found.items()
        if len(each) > 1 or None in each or any(numbers.count(number) > 1 for number in each)
    }


@pytest.mark.parametrize("board", BOARDS)
def test_copper_joins_every_pad_and_electrode_as_the_circuit_says_and_no_others(
    board: str, tmp_path: Path
) -> None:
    assert wrong(board, plots(board, tmp_path)) == set()


def test_cut_track_is_found(tmp_path: Path) -> None:
    [lowest] = plots("coupon-4", tmp_path).glob("*B_Cu.*")
    track = r"(%TO\.N,E_a1\*%\n(?:(?!.*D01|%TO\.N).*\n)*X.*Y.*)D01\*"
    text, cuts = re.subn(track, r"\1D02*", lowest.read_text(), count=1)
    assert cuts
    lowest.write_text(text)
    assert wrong("coupon-4", tmp_path) == {"E_a1"}


def test_swapped_pins_are_found(tmp_path: Path) -> None:
    [lowest] = plots("coupon-4", tmp_path).glob("*B_Cu.*")
    nets = {
        pad: net
        for part in circuit(PLANS["coupon-4"]())
        for pad, net in part.nets.items()
        if part.reference == "U1"
    }
    one, other = [pad for pad, net in nets.items() if net.startswith("E_")][:2]
    swapped = {one: other, other: one}
    text = lowest.read_text()
    pins = rf"(?<=%TO\.P,U1,)({one}|{other})(?=[,*])"
    lowest.write_text(re.sub(pins, lambda pin: swapped[pin[1]], text))
    assert wrong("coupon-4", tmp_path) == {nets[one], nets[other]}


def test_shifted_drills_are_found(tmp_path: Path) -> None:
    [drills] = plots("coupon-4", tmp_path).glob("*-PTH.drl")
    text = drills.read_text()
    drills.write_text(re.sub(r"(?m)^X(-?[\d.]+)", lambda hit: f"X{float(hit[1]) + 1:.3f}", text))
    assert {f"E_{cell}" for cell in PLANS["coupon-4"]().cells} <= wrong("coupon-4", tmp_path)


@pytest.mark.parametrize("board", BOARDS)
def test_parts_list_and_placements_are_those_of_the_circuit(board: str) -> None:
    parts = circuit(PLANS[board]())
    assert (ORDERED / board / "bom.csv").read_text("utf-8") == orders.parts_list(parts)
    assert (ORDERED / board / "cpl.csv").read_text("utf-8") == orders.placements(parts)


def tracks(board: str) -> Iterator[tuple[str, shapely.LineString]]:
    """Net and line of each track of a project, in mm from the board's middle."""
    text = (ORDERED / board / f"{board}.kicad_pcb").read_text("utf-8")
    names = dict(re.findall(r'\n\t\(net (\d+) "(.*)"\)', text))
    sheet = [float(each) for each in re.findall(r"\(aux_axis_origin (\S+) (\S+)\)", text)[0]]
    ends = r"\(start (\S+) (\S+)\)\s+\(end (\S+) (\S+)\)"
    rest = r"\s+\(width \S+\)\s+\(layer \S+\)\s+\(net (\d+)\)"
    for *places, net in re.findall(rf"\(segment\s+{ends}{rest}", text):
        x, y, u, v = map(float, places)
        a, b = (x - sheet[0], y - sheet[1]), (u - sheet[0], v - sheet[1])
        yield names[net], shapely.LineString([a, b])


@pytest.mark.parametrize("board", BOARDS)
def test_tracks_of_electrodes_are_short_and_all_others_keep_away(board: str) -> None:
    lengths, others = Counter[str](), []
    for net, line in tracks(board):
        lengths[net] += line.length
        others += [line] * (not net.startswith("E_"))
    pads = PLANS[board]().pads
    assert {f"E_{name}" for name in pads} <= set(lengths)
    long = {n: mm for n, mm in lengths.items() if n.startswith("E_") and mm > LONGEST_TRACK_MM}
    assert long == {}
    middles = shapely.points([spot[:2] for spot in pads.values()])
    near = shapely.STRtree(others).query(middles, "dwithin", INNER_KEEP_MM)
    assert near.size == 0
