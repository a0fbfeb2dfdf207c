"""Cells that are not felt any more are touched by key or on the page."""

import pytest

from game.table.entries import Entry, Kind
from game.table.inputs import Command, Held, Lifted, Masked, Stood, Touched
from game.table.state import Phase
from tests.helpers.games.toy_game import Toy
from tests.table.sitting import TWO_MEALS

NEXT, TOUCH, BACK = Command.NEXT_CELL, Command.TOUCH_CELL, Command.TAKE_BACK


def test_the_cursor_stands_on_the_first_masked_cell_that_can_be_touched(sit):
    sitting = sit()
    sitting.tap("a1")
    sitting.mask("e5", "a1", "a2")
    assert sitting.cues("cursor") == ["a2"]
    assert sitting.cue("e5") == "legal"


def test_one_masked_cell_is_named_and_of_many_only_the_one_under_the_cursor(sit):
    sitting = sit()
    sitting.mask("e5")
    assert sitting.prompts[-1] == "table.by_key"
    sitting.mask("e5", "a1", "a2")
    many = sitting.table.scene().prompt[-1]
    assert (many.key, many.args) == ("table.by_key_many", {"cell": "e5"})


def test_without_masks_there_is_no_cursor_and_the_key_says_so(sit):
    sitting = sit()
    assert sitting.cues("cursor") == []
    sitting.ask(NEXT)
    assert sitting.notice == "table.no_cell"
    sitting.ask(TOUCH)
    assert (sitting.notice, sitting.pieces) == ("table.no_cell", {})


def test_the_key_walks_the_masked_cells_in_the_boards_order_and_round(sit):
    sitting = sit()
    sitting.mask("e5", "a1", "i5")
    seen = []
    for _ in range(4):
        seen += sitting.cues("cursor")
        sitting.ask(NEXT)
    assert seen == ["a1", "e5", "i5", "a1"]


@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
def test_the_key_plays_on_the_cell_under_the_cursor(sit, presence):
    sitting = sit(presence=presence)
    sitting.mask("a1", "e5")
    sitting.ask(NEXT, TOUCH)
    assert sitting.kept[-2:] == [Entry(Kind.MOVE, "e5"), Entry(Kind.EDIT, "e5")]
    assert sitting.table.state.standing == {"e5": "1"}
    assert sitting.cues("cursor") == ["a1"]


@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
def test_the_page_plays_on_a_masked_cell(sit, presence):
    sitting = sit(presence=presence)
    sitting.mask("e5")
    sitting.tap("e5")
    assert sitting.pieces == {"e5": "1"}
    sitting.tap("e5")
    assert sitting.notice == "circle_of_life.occupied"


def test_a_touch_of_a_stone_on_a_masked_cell_is_refused_without_waiting_for_a_finger(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.mask("e5")
    sitting.give(Touched("e5"))
    assert (sitting.cue("e5"), sitting.notice) == ("wrong", "circle_of_life.occupied")
    assert sitting.table.state.down == frozenset()


def test_a_finger_on_a_cell_that_is_masked_is_forgotten(sit):
    sitting = sit()
    sitting.tap("e5", "a1")
    for cell in ("e5", "a1"):
        sitting.give(Touched(cell))
    sitting.give(Held("e5"))
    sitting.mask("e5", "a1")
    assert (sitting.table.state.inspecting, sitting.table.state.down) == ("", frozenset())
    sitting.give(Lifted("a1"))
    assert sitting.notice == ""


@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
def test_an_eaten_stone_on_a_masked_cell_is_taken_away_by_key(sit, presence):
    sitting = sit(presence=presence)
    sitting.mask("d4")
    play = sitting.put if presence else sitting.tap
    for cell in TWO_MEALS:
        sitting.tap(cell) if cell == "d4" else play(cell)
    assert (sitting.cues("cursor"), sitting.cues("remove")) == (["d4"], ["f5"])
    sitting.take("f5") if presence else sitting.tap("f5")
    assert sitting.table.state.phase is Phase.EDIT
    sitting.ask(TOUCH)
    assert sitting.kept[-1] == Entry(Kind.EDIT, "d4")
    assert sitting.table.state.phase is Phase.TAP


def test_the_cursor_keeps_its_cell_as_long_as_that_can_be_touched(sit):
    sitting = sit()
    sitting.mask("a1", "e5", "i5")
    sitting.ask(NEXT)
    sitting.tap("c1")
    assert sitting.cues("cursor") == ["e5"]
    sitting.ask(TOUCH)
    assert sitting.cues("cursor") == ["a1"]


def test_a_masked_cell_that_cannot_be_touched_has_no_cursor(sit):
    sitting = sit()
    sitting.mask("e5")
    sitting.ask(TOUCH)
    assert sitting.cues("cursor") == []
    assert sitting.prompts[-1] == "table.to_play"


def test_cells_are_masked_and_play_goes_on(sit):
    sitting = sit()
    sitting.disturb("a1", "a2")
    sitting.mask("a1", "a2")
    sitting.mend()
    assert sitting.notice == "table.goes_on_without"
    assert sitting.cues("fault") == []
    sitting.tap("a1")
    assert sitting.pieces == {"a1": "1"}


def test_taps_of_a_longer_move_can_be_felt_and_masked_ones(sit):
    sitting = sit(Toy(), presence=True)
    sitting.mask("b")
    sitting.take("a")
    assert sitting.cues("cursor") == ["b"]
    sitting.ask(TOUCH)
    assert sitting.table.state.history[-1].text == "a-b"
    assert sitting.table.state.standing == {"b": "1", "e": "2"}


def test_what_the_board_tells_of_masked_cells_is_not_believed(sit):
    sitting = sit(presence=True)
    sitting.mask("a1")
    sitting.put("a1")
    assert (sitting.pieces, sitting.table.state.phase) == ({}, Phase.TAP)
    sitting.put("e5")
    assert sitting.pieces == {"e5": "1"}


def test_a_cell_felt_again_is_read_and_makes_no_move(sit):
    sitting = sit(presence=True)
    sitting.mask("a1", "i5")
    sitting.ask(TOUCH)
    sitting.mask()
    assert sitting.table.state.phase is Phase.TAP
    sitting.put("a1", "i5")
    assert sitting.table.state.standing == {"a1": "1", "i5": "?"}
    assert (sitting.pieces, sitting.cue("i5")) == ({"a1": "1"}, "remove")


@pytest.mark.parametrize("others", [(), ("i5",)], ids=["one stone", "two stones"])
def test_stones_that_are_only_felt_again_are_taken_away_without_a_reproach(sit, others):
    sitting = sit(presence=True)
    sitting.put("e5")
    sitting.mask("a1", *others)
    sitting.tap("a1")
    sitting.ask(BACK)
    again = sitting.restarted("a1", *others)
    again.tick(10.0)
    again.handle(Masked(frozenset()), 10.0)
    again.handle(Stood(frozenset({"e5", "a1", *others})), 10.3)
    scene = again.scene()
    assert scene.notice is None
    assert [message.key for message in scene.prompt][-1] == "table.lift"
    assert scene.cells["a1"].cue.value == "remove"


def test_taking_back_asks_for_masked_cells_by_key_and_for_felt_ones_by_hand(sit):
    sitting = sit(presence=True)
    sitting.mask("d4")
    for cell in TWO_MEALS:
        sitting.tap(cell) if cell == "d4" else sitting.put(cell)
    sitting.ask(TOUCH)
    sitting.take("f5")
    sitting.ask(BACK)
    assert sitting.cues("put") == ["f5"]
    assert (sitting.cues("cursor"), sitting.cues("remove")) == (["d4"], ["e6"])
    sitting.take("e6")
    sitting.ask(TOUCH)
    sitting.put("f5")
    assert sitting.table.state.phase is Phase.TAP


def test_a_new_game_takes_masked_cells_as_cleared_and_reads_the_others(sit):
    sitting = sit(presence=True)
    sitting.mask("e5")
    sitting.ask(TOUCH)
    sitting.put("a1")
    sitting.ask(Command.NEW_GAME, Command.NEW_GAME)
    assert sitting.table.state.standing == {"a1": "2"}


def test_a_new_game_takes_masked_cells_as_laid_out(sit):
    sitting = sit(Toy(), presence=True)
    sitting.take("a")
    sitting.put("b")
    sitting.mask("a")
    sitting.ask(Command.NEW_GAME, Command.NEW_GAME)
    assert sitting.table.state.standing == {"a": "1", "b": "1", "e": "2"}
    assert sitting.cues("remove") == ["b"]


def test_a_game_with_masked_cells_is_resumed(sit):
    sitting = sit(presence=True)
    sitting.put("e5")
    sitting.mask("d4", "e5")
    sitting.ask(TOUCH)
    for cell in TWO_MEALS[2:]:
        sitting.put(cell)
    again = sitting.restarted("d4", "e5")
    assert again.state.standing == sitting.table.state.standing
    assert again.state.cursor == "d4"


def test_a_cell_masked_after_hands_took_its_stone_is_put_by_key_and_still_resumes(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn(*TWO_MEALS)
    sitting.take("d4")
    sitting.ask(BACK)
    sitting.mask("d4")
    sitting.ask(TOUCH)
    assert sitting.kept[-1] == Entry(Kind.EDIT, "d4")
    assert sitting.restarted("d4").state.position == sitting.table.state.position
