"""How boards feel fingers and feed LEDs: the margins, by formula."""

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


def test_lowest_voltage_with_the_whole_budget_is_enough_and_on_the_design_page():
    volts = [figures.lowest_v(PLANS[name](), budget_ma=2500, brightness=0.6) for name in BOARDS]
    assert all(figures.LEAST_V < volt < figures.SUPPLY_V - 0.1 for volt in volts)
    assert rows("design.md", "what")[4]["figure"] == ", ".join(f"{v:.2f}" for v in volts) + " V"
    assert figures.lowest_v(PLANS[BOARDS[0]](), budget_ma=1000, brightness=0.6) > volts[0]


def test_design_page_has_the_figures_of_fingers():
    said = [row["figure"] for row in rows("design.md", "what")]
    assert said[:2] == [f"{figures.counts(mm):.0f}" for mm in (LONGEST_TRACK_MM, 10)]
    assert said[2] == ", ".join(f"{100 * figures.neighbour_share(mm):.1f} %" for mm in (0, 8))
