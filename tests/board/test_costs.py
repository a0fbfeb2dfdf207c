"""What a board costs: every price has its date and its source, or is unknown."""

import re

import pytest

from hardware.board.circuit import circuit
from hardware.board.costs import FILE, costs, table
from hardware.board.plan import PLANS

JOINTS = {"R": 2, "C": 2, "F": 2, "U": {"MPR121QR2": 20, "74AHCT1G125": 5, "SRV05-4": 6}}
JOINTS |= {"D": {"WS2812B-2020": 4, "SMAJ5.0A": 2, "SS34": 2}, "J": {"USB-C": 20}}
BY_HAND = {"PTS645": 4, "Raspberry Pi": 40, "Pico": 0}
"""Pads of each part; a Pi's board has no sockets for a Pico."""


def test_our_costs_are_read_and_say_for_all_unknown_ones_whom_to_ask():
    ours = costs()
    assert {"Boards", "Assembly", "Parts", "Case"} <= {cost.group for cost in ours}
    assert all(cost.ask for cost in ours if cost.one is None or cost.five is None)


@pytest.mark.parametrize("key", ["date", "source", "currency"])
def test_price_without_date_source_or_currency_is_refused(key):
    text, removed = re.subn(rf'\n{key} = ".*"', "", FILE.read_text(encoding="utf-8"), count=1)
    assert removed
    with pytest.raises(ValueError, match="a price needs currency, date"):
        costs(text)


@pytest.mark.parametrize("wrong", ["-1.0", '"about 20"', '"lately"'])
def test_price_and_date_must_be_such(wrong):
    key = "date" if wrong == '"lately"' else "one"
    text = re.sub(rf"\n{key} = (?!\"unknown).*", f"\n{key} = {wrong}", FILE.read_text("utf-8"))
    with pytest.raises(ValueError, match=r"below 0|allowed are|needs currency"):
        costs(text)


def test_table_has_every_item_and_sums_what_is_known():
    lines = table(costs()).splitlines()
    assert len(lines) == 2 + len(costs()) + 1
    assert "| unknown | unknown |" in lines[2]
    known = sum(cost.one for cost in costs() if cost.one is not None)
    assert f"**{known:.2f} USD**" in lines[-1]


def test_costs_count_what_the_board_has():
    parts = [part for part in circuit(PLANS["hexagon-61"]()) if part.kind.bought]
    placed = [part for part in parts if part.kind.value not in BY_HAND]
    letters = [part.reference.rstrip("0123456789") for part in parts]
    pads = [JOINTS[part.reference.rstrip("0123456789")] for part in placed]
    joints = sum(
        each if isinstance(each, int) else each[part.kind.value]
        for part, each in zip(placed, pads, strict=True)
    )
    by_hand = sum(BY_HAND.get(part.kind.value, 0) for part in parts)
    items = " | ".join(cost.item for cost in costs())
    for counted in (
        f"{len({part.kind for part in placed})} kinds of parts",
        f"{joints} soldered joints",
        f"each of {by_hand} joints",
        f"{sum(part.kind.value == 'WS2812B-2020' for part in parts)} LEDs",
        f"{sum(part.kind.value == 'MPR121QR2' for part in parts)} touch chips",
        f"{letters.count('C')} capacitors and {letters.count('R')} resistors",
    ):
        assert counted in items
