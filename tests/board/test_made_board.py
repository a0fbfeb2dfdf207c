"""The files of the boards that are ordered, read without KiCad and held to the circuit."""

import re
from collections import Counter
from collections.abc import Iterator
from math import dist
from pathlib import Path
from zipfile import ZipFile

import pytest

from hardware.board import orders
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


@pytest.mark.parametrize("board", BOARDS)
def test_tracks_of_electrodes_are_as_short_as_the_figures_say(board: str) -> None:
    text = (ORDERED / board / f"{board}.kicad_pcb").read_text("utf-8")
    names = dict(re.findall(r'\n\t\(net (\d+) "(E_.*)"\)', text))
    place = r"\((?:start|end) (\S+) (\S+)\)\s+"
    lengths = Counter[str]()
    for x, y, u, v, net in re.findall(
        rf"\(segment\s+{place}{place}[^\n]*\s+[^\n]*\s+\(net (\d+)\)", text
    ):
        lengths[net] += dist((float(x), float(y)), (float(u), float(v)))
    assert set(names) <= set(lengths)
    assert {n: at for n, at in lengths.items() if n in names and at > LONGEST_TRACK_MM} == {}
