"""While the board has faults, play pauses; then it continues by itself with the same position."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command, Held, Lifted, PalmDetected, StonesChanged, Touched
from game.table.phases import Phase
from tests.helpers.effort import examples
from tests.table.random_game import TWO_MEALS, TableSession

NEW, BACK, RESIGN = Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN


def test_touches_during_a_pause_are_answered_and_change_nothing(sit):
    session = sit().do("e5")
    session.disturb("a1")
    before, saved = session.state, list(session.saved)
    session.do("a2", "e5", Held("e5"))
    assert session.notice == "table.paused"
    session.give(PalmDetected(frozenset({"c1", "c2", "c3"})))
    assert session.notice == "table.paused"
    session.wait(10.0)
    assert (session.state, session.saved) == (before, saved)


def test_play_goes_on_with_the_same_position_when_all_is_well(sit):
    session = sit().do("e5")
    position = session.state.position
    session.disturb("a1")
    session.mend()
    assert session.notice == "table.goes_on"
    assert session.cues("fault") == []
    assert (session.state.position, session.phase) == (position, Phase.TAP)
    session.tap("a1")
    assert session.pieces == {"e5": "1", "a1": "2"}


def test_a_pause_ends_only_when_all_is_well(sit):
    session = sit()
    session.disturb("a1", "a2")
    session.disturb("a2")
    assert session.cues("fault") == ["a2"]
    session.tap("e5")
    assert session.pieces == {}


def test_a_stone_set_during_a_pause_is_to_be_taken_away_and_is_no_move(sit):
    session = sit(presence=True).do("e5")
    session.disturb("a1", "a2")
    session.put("i5")
    assert session.notice == "table.paused"
    assert session.state.standing == {"e5": "1"}
    session.mend()
    assert (session.pieces, session.cues("remove")) == ({"e5": "1"}, ["i5"])
    session.take("i5")
    assert session.phase is Phase.TAP


def test_stones_that_are_felt_again_during_a_pause_are_not_new(sit):
    session = sit(presence=True)
    session.disturb("a1", "a2")
    session.disturb("a2")
    session.put("a1")
    assert session.notice == ""


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
    session = TableSession(GAME, {"first": "1"}, presence)
    for cell in TWO_MEALS[:moves]:
        session.do(cell)
    session.mask("c1", "c2")
    session.disturb("a1", "a2")
    before, saved = session.state, list(session.saved)
    for each in inputs:
        session.give(each)
    session.wait(20.0)
    after = session.state
    assert session.saved == saved
    assert (after.position, after.standing, after.phase) == (
        before.position,
        before.standing,
        before.phase,
    )
    session.mend()
    assert (session.saved, session.state.position) == (saved, before.position)
    session.put() if presence else None
    assert session.phase is before.phase
    assert session.state.standing == before.standing
