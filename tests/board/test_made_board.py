"""The files of the boards that are ordered, read without KiCad and held to the circuit."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
import shapely

from hardware.board import orders
from hardware.board.cell import INNER_KEEP_MM
from hardware.board.circuit import circuit
from hardware.board.plan import PLANS
from tests.helpers.orders import BOARDS, LONGEST_TRACK_MM, ORDERED

pytestmark = pytest.mark.timeout(600)


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
