"""Every state of the table against every input, and what is refused changes nothing."""

import re

import pytest

from tests.table.every_input import INPUTS, LOGICAL, PASSING, logical, meet
from tests.table.every_state import STATES
from tests.table.input_table import TABLE
from tests.table.sitting import Sitting

Rows = dict[str, str]
NOT_THERE = "no such thing"
SITTINGS: dict[str, Sitting] = {}
"""Each state, built once; every input meets a twin of it."""


def read_table(text: str) -> dict[str, Rows]:
    """Read the blocks of a table; raises ValueError for a line that says the same input twice."""
    blocks: dict[str, Rows] = {}
    rows: Rows = {}
    for line in re.sub(r"\n {4}", " ", text).splitlines():
        if line.startswith("["):
            rows = blocks.setdefault(line.strip("[]"), {})
        elif line:
            what, names = line.split(":")
            for name in names.split():
                if name in rows:
                    raise ValueError(f"{name} has two rows in one block: {what!r} is the second")
                rows[name] = what
    return blocks


BLOCKS = read_table(TABLE)


def expected(state: str) -> Rows:
    sensing = state.split()[0]
    return {**BLOCKS[f"{sensing} any"], **BLOCKS.get(state, {})}


def test_the_table_has_every_state_and_no_other():
    assert set(BLOCKS) == {*STATES, "touch any", "presence any"}


@pytest.mark.parametrize("state", STATES)
def test_the_table_has_a_row_for_every_input(state):
    assert set(expected(state)) == set(INPUTS)


@pytest.mark.parametrize("state", STATES)
def test_every_input_does_what_the_table_says(state):
    found = {name: meet(state, name, SITTINGS) for name in INPUTS}
    told = {name: met[2] if met else NOT_THERE for name, met in found.items()}
    assert told == expected(state)


@pytest.mark.parametrize("state", STATES)
def test_what_is_refused_changes_nothing_but_the_words_and_a_flash(state):
    for name, what in expected(state).items():
        met = meet(state, name, SITTINGS) if re.match("silent|refused|told", what) else None
        if met is None:
            continue
        before, after, _ = met
        # Stones stand where hands have set them: the position takes no notice.
        by_hand = {"standing", "phase"} if "+standing" in what else set()
        changed = {each for each in LOGICAL if logical(after)[each] != logical(before)[each]}
        assert changed <= by_hand, name
        assert after.position is before.position, name
        for spare in ("taps", "question", "disturbed", "masked", "draw_until", "inspecting"):
            kept = getattr(after, spare) == getattr(before, spare)
            assert kept or f"+{spare}" in what, (name, spare)


def test_every_input_meets_something_and_every_state_refuses_something():
    effects: dict[str, set[str]] = {name: set() for name in INPUTS}
    for state in STATES:
        assert any(what.startswith("refused") for what in expected(state).values())
        for name, what in expected(state).items():
            effects[name].add(what)
    for name, whats in effects.items():
        assert whats != {NOT_THERE}, f"{name} meets nothing"


def test_the_logical_state_has_no_part_of_what_may_change_by_the_way():
    some = meet("touch tap", "touch-free", SITTINGS)
    assert some is not None
    before, after, what = some
    assert what == "MOVE EDIT"
    assert logical(after) != logical(before)
    assert not set(LOGICAL) & set(PASSING)


def test_a_table_that_tells_an_input_twice_in_a_block_is_found_out():
    with pytest.raises(ValueError, match="palm has two rows"):
        read_table("[touch tap]\nsilent: palm\nMOVE: palm")
