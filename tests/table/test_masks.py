"""What cannot be sensed: play pauses, or cells are masked, and touched by key or on the page."""

from game.table import Phase
from game.table.entries import Entry, EntryKind
from game.table.inputs import Command, Held, PalmDetected
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import TWO_MEALS

NEXT, TOUCH, BACK = Command.NEXT_CELL, Command.TOUCH_CELL, Command.TAKE_BACK


def test_the_cursor_walks_the_masked_cells_and_round(sit):
    session = sit()
    for command in (NEXT, TOUCH):
        assert session.do(command).notice == "table.no_cell"
    assert (session.cues("cursor"), session.pieces) == ([], {})
    assert session.mask("e5").prompts[-1] == "table.by_key"
    session.mask("e5", "a1", "i5")
    many = session.table.scene().prompt[-1]
    assert (many.key, many.args) == ("table.by_key_many", {"cell": "e5"})
    seen = []
    for _ in range(4):
        seen += session.cues("cursor")
        session.ask(NEXT)
    assert seen == ["e5", "i5", "a1", "e5"]
    assert session.do("c1").cues("cursor") == ["i5"], "it stays"
    assert "i5" in session.do(TOUCH).pieces


def test_cells_are_masked_and_play_goes_on(sit):
    session = sit().disturb("a1", "a2").mask("a1", "a2").mend()
    assert (session.notice, session.cues("fault")) == ("table.goes_on", [])
    assert session.do("a1").pieces == {"a1": "1"}
    session = sit(Toy(), presence=True).mask("b").do("a")
    assert (session.cues("cursor"), session.do(TOUCH).moves[-1]) == (["b"], "a-b")
    assert session.state.standing == {"b": "1", "e": "2"}


def test_a_cell_sensed_again_is_read_and_makes_no_move(sit):
    session = sit(presence=True).mask("a1", "i5").do(TOUCH).mask()
    assert session.phase is Phase.TAP
    session.do({"a1", "i5"})
    assert session.state.standing == {"a1": "1", "i5": "?"}
    assert (session.pieces, session.cue("i5")) == ({"a1": "1"}, "remove")


def test_a_game_with_masked_cells_is_resumed_and_the_next_takes_them_as_laid_out(sit):
    session = sit(Toy(), presence=True).do("a", "b").mask("a")
    session.ask(Command.NEW_GAME, Command.NEW_GAME)
    assert session.state.standing == {"a": "1", "b": "1", "e": "2"}
    assert session.cues("remove") == ["b"]
    session = sit(presence=True).do("e5").mask("d4", "e5").do(TOUCH, *TWO_MEALS[2:])
    again = session.restarted("d4", "e5")
    assert (again.state.standing, again.state.cursor) == (session.state.standing, "d4")
    # A cell is masked after hands took its stone, and is put by key.
    session = sit(presence=True).do(*TWO_MEALS, "d4", BACK).mask("d4").do(TOUCH)
    assert session.saved[-1] == Entry(EntryKind.EDIT, "d4")
    assert session.restarted("d4").state.position == session.state.position


# Play pauses while the board has faults; then it continues with the same position.


def test_touches_during_a_pause_are_answered_and_change_nothing(sit):
    session = sit().do("e5").disturb("a1", "a2").disturb("a2")
    assert session.cues("fault") == ["a2"]
    before, saved = session.state, list(session.saved)
    for event in ("a3", "e5", Held("e5"), PalmDetected(frozenset({"c1", "c2", "c3"}))):
        assert session.do(event).notice == "table.paused"
    assert (session.do(10.0).state, session.saved) == (before, saved)
    session.mend()
    assert (session.notice, session.cues("fault")) == ("table.goes_on", [])
    assert (session.state.position, session.phase) == (before.position, Phase.TAP)
    assert session.do("a1").pieces == {"e5": "1", "a1": "2"}


def test_a_stone_set_during_a_pause_is_to_be_taken_away_and_is_no_move(sit):
    session = sit(presence=True).do("e5").disturb("a1", "a2").do("i5")
    assert session.state.standing == {"e5": "1"}
    session.mend()
    assert (session.pieces, session.cues("remove")) == ({"e5": "1"}, ["i5"])
    assert session.do("i5").phase is Phase.TAP
    # A stone that is sensed again is not new.
    assert sit(presence=True).disturb("a1", "a2").disturb("a2").do("a1").notice == ""
    # In a draft, a stone counts after the pause.
    session = sit(presence=True).do(Command.SET_UP).disturb().do("e5")
    assert session.state.draft.pieces == {}
    assert session.mend().state.draft.pieces == {"e5": "1"}
