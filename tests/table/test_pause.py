"""While the board is disturbed play pauses, and goes on by itself with the same position."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.rules.message import say
from game.table.entries import Kind
from game.table.inputs import Asked, Command, Disturbed, Held, Lifted, Palmed, Stood, Touched
from game.table.state import Phase
from game.table.table import DRAW_S
from tests.helpers.effort import examples
from tests.helpers.games.toy_game import Toy
from tests.table.sitting import TWO_MEALS, Sitting

NEW, BACK, RESIGN = Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN


def test_lost_cells_are_flagged_and_the_message_says_why_and_what_to_do(sit):
    sitting = sit()
    sitting.disturb("a1", "a2")
    assert sitting.cues("fault") == ["a1", "a2"]
    assert sitting.prompts == ["fault.chip", "table.pause", "fault.mask_hint"]
    assert sitting.table.state.lost == {"a1", "a2"}


def test_a_trouble_without_cells_pauses_too_and_offers_no_mask(sit):
    sitting = sit()
    sitting.give(Disturbed(frozenset(), (say("fault.strip"),)))
    assert sitting.prompts == ["fault.strip", "table.pause"]
    sitting.tap("e5")
    assert sitting.pieces == {}


def test_touches_during_a_pause_are_answered_and_change_nothing(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.disturb("a1")
    before, kept = sitting.table.state, list(sitting.kept)
    sitting.tap("a2")
    sitting.tap("e5")
    sitting.give(Held("e5"))
    assert sitting.notice == "table.paused"
    sitting.give(Palmed(frozenset({"c1", "c2", "c3"})))
    assert sitting.notice == "table.paused"
    sitting.wait(10.0)
    assert (sitting.table.state, sitting.kept) == (before, kept)


def test_nothing_is_asked_of_hands_during_a_pause(sit):
    sitting = sit()
    assert "e5" in sitting.cues("legal")
    sitting.disturb("a1")
    assert sitting.cues("legal") == []
    sitting.mend()
    sitting.tap(*TWO_MEALS)
    sitting.disturb("a1")
    assert sitting.cues("remove") == []
    assert sitting.cues("placed") == ["e6"]
    sitting.tap("d4")
    sitting.mend()
    assert sitting.cues("remove") == ["d4", "f5"]


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


def test_a_finger_that_was_down_when_the_pause_began_is_forgotten(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(Touched("e5"))
    sitting.disturb("a1")
    sitting.mend()
    sitting.give(Held("e5"))
    assert sitting.table.state.inspecting == ""
    sitting.give(Lifted("e5"))
    assert sitting.cue("e5") == "placed"


def test_a_move_half_entered_when_the_pause_begins_is_begun_again(sit):
    sitting = sit(Toy())
    sitting.tap("a")
    sitting.disturb("c")
    sitting.mend()
    assert sitting.table.state.taps == ()
    sitting.tap("a", "b")
    assert sitting.table.state.history[-1].text == "a-b"


def test_people_can_take_back_resign_and_begin_anew_during_a_pause(sit):
    sitting = sit()
    sitting.tap("e5", "a1")
    sitting.disturb("i5")
    sitting.ask(BACK)
    assert sitting.pieces == {"e5": "1"}
    sitting.ask(RESIGN, RESIGN)
    assert sitting.table.state.outcome.reason == "resigned"
    sitting.ask(NEW)
    assert sitting.kept[-1].kind is Kind.START
    assert sitting.table.state.disturbed
    sitting.wait(DRAW_S)
    sitting.mend()
    assert sitting.table.state.phase is Phase.TAP


def test_a_new_game_keeps_what_is_wrong_with_the_board(sit):
    sitting = sit()
    sitting.mask("a1")
    sitting.disturb("i5")
    sitting.ask(NEW)
    state = sitting.table.state
    assert (state.lost, state.masked) == ({"i5"}, {"a1"})
    assert sitting.cues("fault") == ["i5"]


def test_the_draw_goes_on_during_a_pause(sit):
    sitting = sit()
    sitting.ask(NEW)
    sitting.disturb("e5")
    assert (sitting.cue("e5"), sitting.cue("a1")) == ("fault", "draw")
    sitting.wait(DRAW_S)
    assert sitting.table.state.phase is Phase.TAP


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


def test_hands_that_tidy_up_during_a_pause_are_not_told_that_it_does_not_count(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    sitting.disturb("a1", "a2")
    sitting.take("e5")
    sitting.put("e5")
    assert sitting.notice == ""


def test_stones_that_are_felt_again_during_a_pause_were_set_by_nobody_now(sit):
    sitting = sit(presence=True)
    sitting.disturb("a1", "a2")
    sitting.disturb("a2")
    sitting.put("a1")
    assert sitting.notice == ""


def test_what_was_said_of_play_ends_with_the_pause(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.tap("e5")
    assert (sitting.notice, sitting.cue("e5")) == ("circle_of_life.occupied", "wrong")
    sitting.disturb("a1")
    assert (sitting.notice, sitting.cue("e5")) == ("", "placed")


def test_a_stone_set_on_a_lost_cell_and_found_after_the_pause_is_no_move(sit):
    sitting = sit(presence=True)
    sitting.disturb("a1", "a2")
    sitting.mend()
    sitting.put("a1")
    assert (sitting.pieces, sitting.notice) == ({}, "table.goes_on")
    assert sitting.cues("remove") == ["a1"]
    sitting.take("a1")
    sitting.put("a1")
    assert sitting.pieces == {"a1": "1"}


def test_stones_of_a_lost_region_are_not_missed_before_the_board_has_told_again(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    sitting.disturb("a1", "a2")
    sitting.give(Stood(frozenset({"e5"})))
    sitting.mend()
    assert sitting.table.state.phase is Phase.TAP
    sitting.give(Stood(frozenset({"e5"})))
    assert sitting.cues("put") == ["a1"]


def test_hands_may_tidy_up_during_a_pause(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn(*TWO_MEALS)
    sitting.disturb("a1")
    sitting.take("d4", "f5")
    assert sitting.table.state.phase is Phase.EDIT
    sitting.mend()
    assert sitting.table.state.phase is Phase.TAP


def test_a_takeback_during_a_pause_is_compared_with_the_board_afterwards(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    sitting.disturb("i5")
    sitting.ask(BACK)
    sitting.take("a1")
    sitting.mend()
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.state.standing == {"e5": "1"}


CELLS = st.sampled_from(GAME.board.cells)
BY_HANDS = st.one_of(
    st.builds(Touched, CELLS),
    st.builds(Held, CELLS),
    st.builds(Lifted, CELLS),
    st.builds(Palmed, st.frozensets(CELLS, min_size=3, max_size=5)),
    st.builds(Stood, st.frozensets(CELLS, max_size=8)),
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
