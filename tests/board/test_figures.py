"""How boards feel fingers and feed LEDs: the margins, by formula."""

from functools import cache

import pytest

from hardware.board import cell
from hardware.board.plan import PLANS
from tests.board import figures
from tests.helpers.boards.guide_tables import rows
from tests.helpers.orders import LONGEST_TRACK_MM

BOARDS = ("hexagon-61", "rectangle-88", "disc-32")


def test_finger_is_felt_at_the_worst_pad():
    assert figures.counts(LONGEST_TRACK_MM) >= 20


def test_neighbours_feel_less_than_a_quarter():
    assert figures.neighbour_share() < figures.neighbour_share(8) < 0.25
    assert figures.neighbour_share(cell.PITCH_MM / 2) == pytest.approx(1)


@cache
def lowest_v(name: str, budget_ma: float) -> float:
    return figures.lowest_v(PLANS[name](), budget_ma, brightness=0.6)


@pytest.mark.parametrize("name", BOARDS)
def test_lowest_voltage_with_the_whole_budget(name):
    assert figures.LEAST_V < lowest_v(name, 2500) < figures.SUPPLY_V - 0.1


def test_lowest_voltage_is_higher_with_less_current():
    assert lowest_v(BOARDS[-1], 1000) > lowest_v(BOARDS[-1], 2500)


def test_design_page_has_these_figures():
    said = [row["figure"] for row in rows("design.md", "what")]
    assert said[:2] == [f"{figures.counts(mm):.0f}" for mm in (LONGEST_TRACK_MM, 10)]
    assert said[2] == ", ".join(f"{100 * figures.neighbour_share(mm):.1f} %" for mm in (0, 8))
    volts = [lowest_v(name, 2500) for name in BOARDS]
    assert said[4] == ", ".join(f"{volt:.2f}" for volt in volts) + " V"
