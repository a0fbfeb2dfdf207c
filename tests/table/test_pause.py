"""While the board is disturbed play pauses, and goes on by itself with the same position."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.table.inputs import (
    Asked,
    Command,
    Held,
    Lifted,
    PalmDetected,
    StonesChanged,
    Touched,
)
from game.table.records import Phase
from tests.helpers.effort import examples
from tests.table.random_game import TWO_MEALS, Sitting

NEW, BACK, RESIGN = Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN


def test_touches_during_a_pause_are_answered_and_change_nothing(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.disturb("a1")
    before, kept = sitting.table.state, list(sitting.kept)
    sitting.tap("a2")
    sitting.tap("e5")
    sitting.give(Held("e5"))
    assert sitting.notice == "table.paused"
    sitting.give(PalmDetected(frozenset({"c1", "c2", "c3"})))
    assert sitting.notice == "table.paused"
    sitting.wait(10.0)
    assert (sitting.table.state, sitting.kept) == (before, kept)


def test_play_goes_on_with_the_same_position_when_all_is_well(sit):
    sitting = sit()
    sitting.tap("e5")
    position = sitting.table.state.position
    sitting.disturb("a1")
    sitting.mend()
    assert sitting.notice == "table.goes_on"
    assert sitting.cues("fault") == []
    assert (sitting.table.state.position, sitting.table.state.phase) == (position, Phase.TAP)
    sitting.tap("a1")
    assert sitting.pieces == {"e5": "1", "a1": "2"}


def test_a_pause_ends_only_when_all_is_well(sit):
    sitting = sit()
    sitting.disturb("a1", "a2")
    sitting.disturb("a2")
    assert sitting.cues("fault") == ["a2"]
    sitting.tap("e5")
    assert sitting.pieces == {}


def test_a_stone_set_during_a_pause_is_to_be_taken_away_and_is_no_move(sit):
    sitting = sit(presence=True)
    sitting.put("e5")
    sitting.disturb("a1", "a2")
    sitting.put("i5")
    assert sitting.notice == "table.paused"
    assert sitting.table.state.standing == {"e5": "1"}
    sitting.mend()
    assert (sitting.pieces, sitting.cues("remove")) == ({"e5": "1"}, ["i5"])
    sitting.take("i5")
    assert sitting.table.state.phase is Phase.TAP


def test_stones_that_are_felt_again_during_a_pause_are_not_new(sit):
    sitting = sit(presence=True)
    sitting.disturb("a1", "a2")
    sitting.disturb("a2")
    sitting.put("a1")
    assert sitting.notice == ""


CELLS = st.sampled_from(GAME.board.cells)
BY_HANDS = st.one_of(
    st.builds(Touched, CELLS),
    st.builds(Held, CELLS),
    st.builds(Lifted, CELLS),
    st.builds(PalmDetected, st.frozensets(CELLS, min_size=3, max_size=5)),
    st.builds(StonesChanged, st.frozensets(CELLS, max_size=8)),
    st.builds(Asked, st.sampled_from([Command.NEXT_CELL, Command.TOUCH_CELL])),
)


@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
@pytest.mark.parametrize("moves", [0, 2, 7], ids=["at the start", "in a turn", "after a meal"])
@examples(8, 40)
@given(inputs=st.lists(BY_HANDS, max_size=12))
def test_nothing_that_hands_do_while_disturbed_changes_the_game(presence, moves, inputs):
    sitting = Sitting(GAME, {"first": "1"}, presence)
    for cell in TWO_MEALS[:moves]:
        sitting.put(cell) if presence else sitting.tap(cell)
    sitting.mask("c1", "c2")
    sitting.disturb("a1", "a2")
    before, kept = sitting.table.state, list(sitting.kept)
    for each in inputs:
        sitting.give(each)
    sitting.wait(20.0)
    after = sitting.table.state
    assert sitting.kept == kept
    assert (after.position, after.standing, after.phase) == (
        before.position,
        before.standing,
        before.phase,
    )
    sitting.mend()
    assert (sitting.kept, sitting.table.state.position) == (kept, before.position)
    sitting.put() if presence else None
    assert sitting.table.state.phase is before.phase
    assert sitting.table.state.standing == before.standing
