"""What a board costs: every price has its date and its source, or is unknown."""

import re

import pytest

from hardware.board.costs import FILE, costs, table


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
