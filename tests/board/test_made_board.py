"""The files of the board that is ordered, read without KiCad and held to the circuit."""

import re
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from hardware.board import orders
from hardware.board.circuit import circuit
from hardware.board.plan import PLANS
from tests.helpers.reader import At, joined

BOARD = "hexagon-61"
FOLDER = Path(__file__).parents[2] / "hardware" / "boards" / BOARD
PLAN = PLANS[BOARD]()
PARTS = circuit(PLAN)


@pytest.fixture(scope="module")
def plots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plots")
    with ZipFile(FOLDER / "gerbers.zip") as archive:
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


def test_copper_joins_every_pad_and_electrode_as_the_circuit_says_and_no_others(plots: Path):
    at: At = joined(plots)
    [lowest] = plots.glob("*B_Cu.*")
    wanted = {(part.reference, pad): net for part in PARTS for pad, net in part.nets.items()}
    places = dict(pads(lowest))
    assert wanted.keys() <= places.keys()
    found = {}
    for pad, net in wanted.items():
        found.setdefault(net, set()).add(at("B.Cu", *places[pad]))
    for name, spot in PLAN.pads.items():
        found[f"E_{name}"].add(at("F.Cu", spot.x, spot.y))
    assert {net: joined for net, joined in found.items() if len(joined) != 1} == {}
    numbers = [number for each in found.values() for number in each]
    assert None not in numbers
    assert len(set(numbers)) == len(numbers)


def test_parts_list_and_placements_are_those_of_the_circuit():
    assert (FOLDER / "bom.csv").read_text("utf-8") == orders.parts_list(PARTS)
    assert (FOLDER / "cpl.csv").read_text("utf-8") == orders.placements(PARTS)
