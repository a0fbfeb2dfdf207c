"""Fingers beside stones: the design page's figures, a second method, and the thresholds."""

import pytest

from hal.measuring.margins import FINGER_SHARES
from tests.board.finger_field import BOARDS, WOOD, Stone, charges, shares
from tests.helpers.boards.guide_tables import number, rows

WOODEN = Stone(WOOD, 4.0)
WORST = BOARDS["ordered board"][1]
"""The finger between the largest holes."""
STONE = "stone of 17 mm"


def test_design_page_has_the_field_beside_stones():
    said = {row[STONE]: number(row["ordered board"]) for row in rows("design.md", STONE)}
    found = {what: 100 * share for what, share in shares(WORST, WOODEN).items()}
    assert said == pytest.approx(found, abs=0.5)


def test_second_method_agrees_within_15_percent():
    found = shares(WORST, WOODEN, lambda *way: charges(*way, step=1.7))
    assert found == pytest.approx(shares(WORST, WOODEN), rel=0.15)


def test_thresholds_lie_between_any_stone_alone_and_fingers_beside_it():
    touch, release = FINGER_SHARES[0], FINGER_SHARES[0] * FINGER_SHARES[1]
    share = {
        row.pop(STONE): [float(each) / 100 for pair in row.values() for each in pair.split(", ")]
        for row in rows("design.md", STONE)
    }
    assert 1.15 * max(share["the stone alone"]) < release
    assert 1.1 * touch < min(share["one fingertip beside"])
    assert 2 * touch < min(share["two fingertips beside"])
