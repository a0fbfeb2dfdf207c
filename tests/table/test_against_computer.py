"""A computer player at a table that feels touches: people lend it their hands."""

import pytest

from game.rules.catalogue import find_game
from game.rules.circle_of_life import GAME
from game.rules.message import say
from game.table.entries import BadEntry, Entry, Kind
from game.table.going_back import presses
from game.table.inputs import Asked, Command, Held, Idea, Lifted, Opposed, Stumped, Thought, Touched
from game.table.state import Phase
from game.table.table import Table
from game.table.thinking import Wanted
from tests.helpers.games.toy_game import Toy
from tests.table.sitting import LEVELS, TWO_MEALS, Sitting

TROUBLE = say("fault.link")


@pytest.fixture
def against(sit):
    """Give a table at which blue is a computer of level 3."""
    sitting = sit()
    sitting.oppose("", "3")
    return sitting


def lit(sitting: Sitting) -> dict[str, str]:
    """Give each cue of something that can be touched, and the cells that have it."""
    return {
        cue: ",".join(cells)
        for cue in ("legal", "proposed", "chosen")
        if (cells := sitting.cues(cue)) and len(cells) < 9
    }


def test_the_computers_turn_is_wanted_and_nobody_elses(against):
    assert against.table.wanted() is None
    assert len(against.cues("legal")) == 61
    against.tap("e5")
    assert against.table.wanted() == Wanted(against.table.state.position, "3", 1)
    against.think("a1")
    assert against.table.wanted() is None
    against.tap("a1")
    assert against.table.wanted() is None
    assert against.table.scene().turn == 1


def test_while_it_thinks_touches_are_refused_kindly(against):
    against.tap("e5")
    scene = against.table.scene()
    assert (scene.thinking, scene.turn, scene.proposal) == (True, 2, None)
    assert lit(against) == {}
    assert against.prompts == ["circle_of_life.placed", "table.thinking"]
    level = scene.prompt[1].args["level"]
    assert level == say("level.3")
    against.tap("a1")
    assert against.notice == "table.wait_for_computer"
    assert against.cue("a1") == "wrong"
    assert len(against.table.state.history) == 1


def test_stones_can_be_inspected_while_it_thinks(against):
    against.tap("e5")
    against.wait(1.0)
    against.give(Touched("e5"))
    against.give(Held("e5"))
    assert against.prompts == ["circle_of_life.inspected"]
    against.give(Lifted("e5"))
    assert against.table.scene().thinking


def test_its_move_glows_in_its_colour_and_is_made_by_the_usual_touch(against):
    against.tap("e5")
    against.think("e6")
    scene = against.table.scene()
    assert not scene.thinking
    assert (scene.proposal.text, scene.proposal.taps) == ("e6", ("e6",))
    assert lit(against) == {"proposed": "e6"}
    assert scene.cells["e6"].side == 2
    assert against.prompts == ["circle_of_life.placed", "table.wants_touched"]
    assert scene.prompt[1].args == {"piece": say("piece.blue"), "cell": "e6"}
    against.tap("e6")
    assert [entry.kind for entry in against.kept[-2:]] == [Kind.MOVE, Kind.EDIT]
    assert against.table.scene().turn == 1
    assert len(against.cues("legal")) == 59


def test_another_cell_than_its_own_is_refused_with_words(against):
    against.tap("e5")
    against.think("e6")
    against.tap("a1")
    notice = against.table.scene().notice
    assert (notice.key, notice.args) == ("table.not_its_move", {"cell": "a1", "move": "e6"})
    assert lit(against) == {"proposed": "e6"}
    assert len(against.table.state.history) == 1


def test_it_thinks_already_while_eaten_stones_are_taken_and_shows_its_move_when_all_are_gone(sit):
    sitting = sit()
    sitting.oppose("", "3")
    for orange, blue in zip(TWO_MEALS[:-1:2], TWO_MEALS[1::2], strict=True):
        sitting.tap(orange)
        sitting.think(blue)
        sitting.tap(blue)
    sitting.tap(TWO_MEALS[-1])
    assert sitting.table.state.phase is Phase.EDIT
    scene = sitting.table.scene()
    assert (scene.thinking, scene.turn) == (False, 1)
    sitting.think("g1")
    assert sitting.cues("proposed") == []
    sitting.tap("g1")
    assert sitting.notice == "table.first_take_away"
    sitting.tap("d4", "f5")
    assert sitting.cues("proposed") == ["g1"]


@pytest.mark.parametrize("move", ["e5", "z9", ""])
def test_nonsense_is_taken_for_nothing(against, move):
    against.tap("e5")
    before = against.table.state
    against.give(Thought(before.position, "3", (Idea(move, 0.5),)))
    assert against.table.state is before
    against.give(Thought(before.position, "3", ()))
    assert against.table.state is before


def test_a_thought_of_another_position_or_by_another_level_is_dropped(against):
    against.tap("e5")
    before = against.table.state
    against.give(Thought(before.history[0].before, "3", (Idea("a1", 0.5),)))
    against.give(Thought(before.position, "4", (Idea("a1", 0.5),)))
    against.give(Thought(before.position, "", (Idea("a1", 0.5),)))
    assert against.table.state is before


def test_when_it_does_not_answer_people_are_told_and_may_play_for_it(against):
    against.tap("e5")
    against.give(Stumped(TROUBLE))
    scene = against.table.scene()
    assert not scene.thinking
    assert against.prompts[1:] == ["fault.link", "table.play_for_it", "table.to_play"]
    assert len(against.cues("legal")) == 60
    assert against.table.wanted() is not None
    against.tap("a1")
    assert [played.player for played in against.table.state.history] == [1, 2]


def test_an_answer_that_comes_late_shows(against):
    against.tap("e5")
    against.give(Stumped(TROUBLE))
    against.think("e6")
    assert lit(against) == {"proposed": "e6"}
    assert against.table.state.stumped is None


def test_when_it_thinks_again_people_wait_again(against):
    against.tap("e5")
    against.give(Stumped(TROUBLE))
    against.give(Stumped(None))
    assert against.table.scene().thinking
    assert lit(against) == {}


def test_trouble_does_not_take_a_move_back_that_it_has_told(against):
    against.tap("e5")
    against.think("e6")
    against.give(Stumped(TROUBLE))
    assert lit(against) == {"proposed": "e6"}


def test_take_back_goes_to_the_last_position_in_which_a_person_chooses(against):
    against.tap("e5")
    against.think("a1")
    against.tap("a1")
    against.give(Asked(Command.TAKE_BACK))
    assert [entry.kind for entry in against.kept[-2:]] == [Kind.TAKE_BACK, Kind.TAKE_BACK]
    assert against.table.state.history == ()
    assert against.cues("remove") == ["a1", "e5"]
    against.tap("a1", "e5")
    assert against.table.state.phase is Phase.TAP
    assert against.table.scene().turn == 1


@pytest.mark.parametrize("wants", [False, True])
def test_take_back_while_it_thinks_or_wants_takes_one_move_back(against, wants):
    against.tap("e5")
    if wants:
        against.think("a1")
    against.give(Asked(Command.TAKE_BACK))
    assert against.kept[-1] == Entry(Kind.TAKE_BACK)
    assert against.table.state.history == ()
    assert against.table.wanted() is None


def test_the_same_position_again_brings_the_same_answer_at_once(against):
    against.tap("e5")
    against.think("a1")
    against.give(Asked(Command.TAKE_BACK))
    against.tap("e5")
    assert against.table.state.phase is Phase.TAP
    against.wait(1.0)
    against.tap("e5")
    assert lit(against) == {"proposed": "a1"}


def test_a_computer_that_began_keeps_its_first_move(sit):
    sitting = sit()
    sitting.oppose("1", "")
    sitting.think("e5")
    sitting.tap("e5")
    assert presses(GAME, sitting.table.state) == (0,)
    sitting.give(Asked(Command.TAKE_BACK))
    assert sitting.notice == "table.nothing_to_take_back"
    assert len(sitting.table.state.history) == 1


def test_another_level_thinks_for_itself(against):
    against.tap("e5")
    against.think("e6")
    against.oppose("", "6")
    scene = against.table.scene()
    assert (scene.thinking, scene.proposal) == (True, None)
    assert against.table.wanted() == Wanted(against.table.state.position, "6", 1)


def test_presses_tell_how_often_take_back_must_be_asked(against):
    for orange, blue in (("e5", "a1"), ("e7", "a3"), ("c1", "i5")):
        against.tap(orange)
        against.think(blue)
        against.tap(blue)
    told = presses(GAME, against.table.state)
    assert told == (3, 3, 2, 2, 1, 1)
    for ply, count in enumerate(told):
        twin = against.twin()
        for _ in range(count - 1):
            twin.give(Asked(Command.TAKE_BACK))
        assert len(twin.table.state.history) > ply
        twin.give(Asked(Command.TAKE_BACK))
        assert len(twin.table.state.history) <= ply


def test_take_back_of_a_resignation_leaves_the_moves(against):
    against.tap("e5")
    against.give(Asked(Command.RESIGN))
    against.give(Asked(Command.RESIGN))
    assert presses(GAME, against.table.state) == (2,)
    against.give(Asked(Command.TAKE_BACK))
    assert against.table.state.outcome is None
    assert len(against.table.state.history) == 1
    assert against.table.scene().thinking


def test_the_person_resigns_also_in_the_computers_turn(against):
    against.tap("e5")
    against.give(Asked(Command.RESIGN))
    question = against.table.scene().notice
    assert question.args["player"] == GAME.players[0]
    against.give(Asked(Command.RESIGN))
    assert against.kept[-1] == Entry(Kind.RESIGN, "1")
    assert against.table.state.outcome.winner == 2
    assert against.table.wanted() is None


def test_of_two_people_or_computers_the_one_to_move_resigns(sit):
    for computers in (("", ""), ("1", "2")):
        sitting = sit()
        sitting.tap("e5")
        sitting.oppose(*computers)
        sitting.give(Asked(Command.RESIGN))
        sitting.give(Asked(Command.RESIGN))
        assert sitting.kept[-1] == Entry(Kind.RESIGN, "2")


def test_who_is_a_computer_is_kept_and_there_again_after_a_restart(against):
    against.tap("e5")
    against.think("e6")
    assert Entry(Kind.COMPUTERS, '[null, "3"]') in against.kept
    again = Table(GAME, {}, against.table._book.rng, levels=LEVELS)
    again.resume(against.kept, 0.0)
    assert again.state.computers == ("", "3")
    assert again.wanted() == Wanted(again.state.position, "3", 1)
    assert not again.scene().thinking
    again.handle(Asked(Command.CONFIRM), 0.1)
    assert again.scene().thinking


def test_it_stays_for_a_new_game_until_told_otherwise(against):
    against.give(Asked(Command.NEW_GAME))
    assert [entry.kind for entry in against.kept[-2:]] == [Kind.START, Kind.COMPUTERS]
    assert against.table.state.computers == ("", "3")
    against.oppose("", "")
    assert against.kept[-1] == Entry(Kind.COMPUTERS, "[null, null]")
    against.wait(10.0)
    against.give(Asked(Command.NEW_GAME))
    assert against.kept[-1].kind is Kind.START
    assert against.table.state.computers == ()


def test_opposing_anew_begins_a_new_game_and_leaves_the_old_one_as_it_was(sit):
    sitting = sit()
    sitting.tap("e5")
    old = list(sitting.kept)
    sitting.give(Opposed(("6", ""), new=True))
    assert [entry.kind for entry in sitting.kept[len(old) :]] == [Kind.START, Kind.COMPUTERS]
    assert sitting.kept[: len(old)] == old
    assert sitting.table.state.phase is Phase.DRAW
    assert sitting.table.state.computers == ("6", "")


def test_an_answer_of_the_last_game_says_nothing_of_the_new_one(sit):
    sitting = sit(first="1")
    sitting.oppose("1", "")
    sitting.think("e5")
    sitting.give(Asked(Command.NEW_GAME))
    sitting.wait(10.0)
    assert sitting.table.scene().thinking


@pytest.mark.parametrize(
    "text", ["3", '["3"]', '["3", null, null]', '["", null]', '["x\\ny", null]', "[1, null]", "["]
)
def test_an_entry_that_names_no_computers_is_refused(sit, text):
    table = sit().table
    with pytest.raises(BadEntry, match="bad_entry"):
        table.resume([Entry(Kind.COMPUTERS, text)], 0.0)
    assert table.state.computers == ()


def test_a_level_of_another_version_is_kept_and_people_play_on(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.table.resume([Entry(Kind.COMPUTERS, '[null, "grandmaster"]')], sitting.now)
    assert sitting.table.state.computers == ("", "grandmaster")
    sitting.ask(Command.CONFIRM)
    assert sitting.table.wanted() is None
    assert sitting.prompts[1:] == ["table.unknown_level", "table.to_play"]
    assert sitting.table.scene().prompt[1].args["level"] == "grandmaster"
    sitting.tap("a1")
    assert len(sitting.table.state.history) == 2
    sitting.give(Asked(Command.TAKE_BACK))
    assert sitting.table.state.history == ()


def test_a_table_without_levels_has_no_computers(sit):
    sitting = sit()
    table = Table(GAME, {}, sitting.table._book.rng)
    table.start(0.0)
    before = table.state
    assert table.handle(Opposed(("", "1")), 3.0) == ()
    assert table.state.notice.message == say("table.no_computers")
    assert table.state.computers == before.computers == ()


def test_a_game_set_up_with_the_computer_to_move_has_it_think(against):
    against.tap("e5")
    against.ask(Command.SET_UP)
    assert against.table.wanted() is None
    against.give(Opposed(("", "4"), new=True))
    assert against.notice == "table.setting_up_first"
    against.oppose("", "4")
    against.ask(Command.NEW_GAME)
    assert [e.kind for e in against.kept[-3:]] == [Kind.START, Kind.COMPUTERS, Kind.SET_UP]
    assert against.table.scene().thinking
    assert against.table.wanted().level == "4"
    against.think("a1")
    against.tap("a1")
    against.give(Asked(Command.TAKE_BACK))
    assert against.notice == "table.nothing_to_take_back"


def test_nothing_is_proposed_while_the_board_is_disturbed(against):
    against.tap("e5")
    against.disturb("h1")
    assert not against.table.scene().thinking
    against.think("e6")
    assert (against.cues("proposed"), against.table.scene().proposal) == ([], None)
    against.tap("e6")
    assert against.notice == "table.paused"
    against.mend()
    assert lit(against) == {"proposed": "e6"}


def test_a_masked_cell_that_it_wants_is_touched_by_the_cell_key(against):
    against.tap("e5")
    against.mask("e6", "a1")
    assert against.table.state.cursor == ""
    against.think("e6")
    assert against.cue("e6") == "cursor"
    assert against.table.scene().cells["e6"].side == 2
    assert against.prompts[-1] == "table.by_key_many"
    against.ask(Command.TOUCH_CELL)
    assert against.table.state.history[-1].text == "e6"


def test_a_move_of_several_touches_shows_one_after_the_other():
    sitting = Sitting(Toy(), {"first": "1"}, presence=False)
    sitting.oppose("1", "")
    sitting.think("a-b")
    assert lit(sitting) == {"proposed": "a"}
    assert sitting.table.scene().proposal.taps == ("a", "b")
    assert sitting.table.scene().prompt[0].args == {"move": "a-b", "spot": "a"}
    sitting.tap("key:pass")
    assert sitting.notice == "table.not_its_key"
    sitting.tap("a")
    assert lit(sitting) == {"chosen": "a", "proposed": "b"}
    assert sitting.table.scene().prompt[0].args == {"move": "a-b", "spot": "b"}
    sitting.give(Asked(Command.TAKE_BACK))
    assert lit(sitting) == {"proposed": "a"}
    sitting.tap("a", "b")
    assert sitting.table.state.history[-1].text == "a-b"


def test_a_key_that_it_wants_is_told_in_words():
    sitting = Sitting(Toy(), {"first": "1"}, presence=False)
    sitting.oppose("1", "")
    sitting.think("pass")
    assert lit(sitting) == {}
    assert sitting.prompts == ["table.wants_key"]
    assert sitting.table.scene().proposal.taps == ("key:pass",)
    assert sitting.table.scene().keys["key:pass"].cue.value == "proposed"
    sitting.tap("key:pass")
    assert sitting.table.state.history[-1].text == "pass"


def test_what_people_began_of_its_move_ends_with_an_answer_that_goes_on_otherwise():
    sitting = Sitting(Toy(), {"first": "1"}, presence=False)
    sitting.oppose("1", "")
    sitting.give(Stumped(TROUBLE))
    sitting.tap("a")
    assert sitting.prompts == ["fault.link", "table.play_for_it", "table.go_on"]
    goes_on = sitting.twin()
    goes_on.think("a-b")
    assert lit(goes_on) == {"chosen": "a", "proposed": "b"}
    again = sitting.twin()
    again.give(Stumped(None))
    again.tap("b")
    assert (lit(again), again.notice) == ({"chosen": "a"}, "table.wait_for_computer")
    again.think("a-b")
    again.wait(9.0)
    again.tap("b")
    assert again.table.state.history[-1].text == "a-b"
    sitting.think("pass")
    assert sitting.table.state.taps == ()


def test_a_cell_that_it_only_touches_is_not_asked_to_be_set(sit):
    sitting = sit(find_game("adaptoid"))
    sitting.oppose("", "3")
    sitting.tap("d1", "d5")
    sitting.think("white")
    assert sitting.prompts[-1] == "table.wants_move"
    sitting.tap("d1")
    assert sitting.table.state.history[-1].text == "white"
