"""Masked cells are no longer sensed, and are touched by key or on the page."""

from game.table.entries import Entry, EntryKind
from game.table.inputs import Command
from game.table.phases import Phase
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import TWO_MEALS

NEXT, TOUCH, BACK = Command.NEXT_CELL, Command.TOUCH_CELL, Command.TAKE_BACK


def test_the_cursor_stands_on_the_first_masked_cell_that_can_be_touched(sit):
    session = sit().do("a1")
    session.mask("e5", "a1", "a2")
    assert session.cues("cursor") == ["a2"]
    assert session.cue("e5") == "legal"


def test_one_masked_cell_is_named_and_of_many_only_the_one_under_the_cursor(sit):
    session = sit()
    session.mask("e5")
    assert session.prompts[-1] == "table.by_key"
    session.mask("e5", "a1", "a2")
    many = session.table.scene().prompt[-1]
    assert (many.key, many.args) == ("table.by_key_many", {"cell": "e5"})


def test_without_masks_there_is_no_cursor_and_the_key_says_so(sit):
    session = sit()
    assert session.cues("cursor") == []
    session.ask(NEXT)
    assert session.notice == "table.no_cell"
    session.ask(TOUCH)
    assert (session.notice, session.pieces) == ("table.no_cell", {})


def test_the_key_walks_the_masked_cells_in_the_boards_order_and_round(sit):
    session = sit()
    session.mask("e5", "a1", "i5")
    seen = []
    for _ in range(4):
        seen += session.cues("cursor")
        session.ask(NEXT)
    assert seen == ["a1", "e5", "i5", "a1"]


def test_the_cursor_keeps_its_cell_as_long_as_that_can_be_touched(sit):
    session = sit()
    session.mask("a1", "e5", "i5")
    session.do(NEXT, "c1")
    assert session.cues("cursor") == ["e5"]
    session.ask(TOUCH)
    assert session.cues("cursor") == ["a1"]


def test_cells_are_masked_and_play_goes_on(sit):
    session = sit()
    session.disturb("a1", "a2")
    session.mask("a1", "a2")
    session.mend()
    assert session.notice == "table.goes_on_without"
    assert session.cues("fault") == []
    session.tap("a1")
    assert session.pieces == {"a1": "1"}


def test_taps_of_a_longer_move_can_be_felt_and_masked_ones(sit):
    session = sit(Toy(), presence=True)
    session.mask("b")
    session.take("a")
    assert session.cues("cursor") == ["b"]
    session.ask(TOUCH)
    assert session.state.history[-1].text == "a-b"
    assert session.state.standing == {"b": "1", "e": "2"}


def test_a_cell_felt_again_is_read_and_makes_no_move(sit):
    session = sit(presence=True)
    session.mask("a1", "i5")
    session.ask(TOUCH)
    session.mask()
    assert session.phase is Phase.TAP
    session.put("a1", "i5")
    assert session.state.standing == {"a1": "1", "i5": "?"}
    assert (session.pieces, session.cue("i5")) == ({"a1": "1"}, "remove")


def test_a_new_game_takes_masked_cells_as_laid_out(sit):
    session = sit(Toy(), presence=True).do("a", "b")
    session.mask("a")
    session.ask(Command.NEW_GAME, Command.NEW_GAME)
    assert session.state.standing == {"a": "1", "b": "1", "e": "2"}
    assert session.cues("remove") == ["b"]


def test_a_game_with_masked_cells_is_resumed(sit):
    session = sit(presence=True).do("e5")
    session.mask("d4", "e5")
    session.ask(TOUCH)
    for cell in TWO_MEALS[2:]:
        session.put(cell)
    again = session.restarted("d4", "e5")
    assert again.state.standing == session.state.standing
    assert again.state.cursor == "d4"


def test_a_cell_masked_after_hands_took_its_stone_is_put_by_key_and_still_resumes(sit):
    session = sit(presence=True).do(*TWO_MEALS, "d4", BACK)
    session.mask("d4")
    session.ask(TOUCH)
    assert session.saved[-1] == Entry(EntryKind.EDIT, "d4")
    assert session.restarted("d4").state.position == session.state.position
