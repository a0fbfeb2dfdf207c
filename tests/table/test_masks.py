"""Cells that are not felt any more are touched by key or on the page."""

from game.table.entries import Entry, EntryKind
from game.table.inputs import Command
from game.table.records import Phase
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import TWO_MEALS

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


def test_the_cursor_keeps_its_cell_as_long_as_that_can_be_touched(sit):
    sitting = sit()
    sitting.mask("a1", "e5", "i5")
    sitting.ask(NEXT)
    sitting.tap("c1")
    assert sitting.cues("cursor") == ["e5"]
    sitting.ask(TOUCH)
    assert sitting.cues("cursor") == ["a1"]


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


def test_a_cell_felt_again_is_read_and_makes_no_move(sit):
    sitting = sit(presence=True)
    sitting.mask("a1", "i5")
    sitting.ask(TOUCH)
    sitting.mask()
    assert sitting.table.state.phase is Phase.TAP
    sitting.put("a1", "i5")
    assert sitting.table.state.standing == {"a1": "1", "i5": "?"}
    assert (sitting.pieces, sitting.cue("i5")) == ({"a1": "1"}, "remove")


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
    assert sitting.kept[-1] == Entry(EntryKind.EDIT, "d4")
    assert sitting.restarted("d4").state.position == sitting.table.state.position
