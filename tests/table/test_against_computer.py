"""A computer player at a table that feels touches: people lend it their hands."""

import pytest

from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table.commands import requests_to_undo
from game.table.entries import BadEntry, Entry, EntryKind
from game.table.hands import SearchRequest
from game.table.inputs import (
    Asked,
    Command,
    EngineUnavailable,
    ScoredMove,
    SearchResult,
    SetOpponents,
    StartGame,
)
from game.table.table import Table
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import LEVELS, TableSession

TROUBLE = say("fault.link")


@pytest.fixture
def against(sit):
    """Return a table at which blue is a computer of level 3."""
    session = sit()
    session.oppose("", "3")
    return session


def lit(session: TableSession) -> dict[str, str]:
    """Return each cue of something that can be touched, and the cells that have it."""
    return {
        cue: ",".join(cells)
        for cue in ("legal", "proposed", "chosen")
        if (cells := session.cues(cue)) and len(cells) < 9
    }


def test_while_it_thinks_touches_are_refused_kindly(against):
    against.tap("e5")
    scene = against.table.scene()
    assert (scene.thinking, scene.turn, scene.proposal) == (True, 2, None)
    assert lit(against) == {}
    assert against.prompts == ["circle_of_life.placed", "table.thinking"]
    against.tap("a1")
    assert against.notice == "table.wait_for_computer"
    assert against.cue("a1") == "wrong"
    assert len(against.moves) == 1


@pytest.mark.parametrize("move", ["e5", "z9", ""])
def test_nonsense_is_taken_for_nothing(against, move):
    against.tap("e5")
    before = against.state
    against.give(SearchResult(before.position, "3", (ScoredMove(move, 0.5),)))
    assert against.state is before
    against.give(SearchResult(before.position, "3", ()))
    assert against.state is before


def test_a_thought_of_another_position_or_by_another_level_is_dropped(against):
    against.tap("e5")
    before = against.state
    against.give(SearchResult(before.history[0].before, "3", (ScoredMove("a1", 0.5),)))
    against.give(SearchResult(before.position, "4", (ScoredMove("a1", 0.5),)))
    against.give(SearchResult(before.position, "", (ScoredMove("a1", 0.5),)))
    assert against.state is before


def test_when_it_does_not_answer_people_are_told_and_may_play_for_it(against):
    against.do("e5", EngineUnavailable(TROUBLE))
    scene = against.table.scene()
    assert not scene.thinking
    assert against.prompts[1:] == ["fault.link", "table.play_for_it", "table.to_play"]
    assert len(against.cues("legal")) == 60
    assert against.table.search_request() is not None
    against.tap("a1")
    assert [played.player for played in against.state.history] == [1, 2]


def test_an_answer_that_comes_late_shows(against):
    against.do("e5", EngineUnavailable(TROUBLE))
    against.think("e6")
    assert lit(against) == {"proposed": "e6"}
    assert against.state.engine.unavailable is None


def test_trouble_does_not_take_a_move_back_that_it_has_told(against):
    against.tap("e5")
    against.think("e6")
    against.give(EngineUnavailable(TROUBLE))
    assert lit(against) == {"proposed": "e6"}


def test_a_computer_that_began_keeps_its_first_move(sit):
    session = sit()
    session.oppose("1", "")
    session.think("e5")
    session.tap("e5")
    assert requests_to_undo(GAME, session.state) == (0,)
    session.give(Asked(Command.TAKE_BACK))
    assert session.notice == "table.nothing_to_take_back"
    assert len(session.moves) == 1


def test_take_back_of_a_resignation_leaves_the_moves(against):
    against.do("e5", Asked(Command.RESIGN), Asked(Command.RESIGN))
    assert requests_to_undo(GAME, against.state) == (2,)
    against.give(Asked(Command.TAKE_BACK))
    assert against.state.outcome is None
    assert len(against.moves) == 1
    assert against.table.scene().thinking


def test_the_person_resigns_also_in_the_computers_turn(against):
    against.do("e5", Asked(Command.RESIGN))
    question = against.table.scene().notice
    assert question.args["player"] == say("table.you", name=GAME.players[0])
    against.give(Asked(Command.RESIGN))
    assert against.saved[-1] == Entry(EntryKind.RESIGN, "1")
    assert against.state.outcome.winner == 2
    assert against.table.search_request() is None


def test_of_two_people_or_computers_the_one_to_move_resigns(sit):
    for computers in (("", ""), ("1", "2")):
        session = sit().do("e5")
        session.oppose(*computers)
        session.do(Asked(Command.RESIGN), Asked(Command.RESIGN))
        assert session.saved[-1] == Entry(EntryKind.RESIGN, "2")


def test_who_is_a_computer_is_kept_and_there_again_after_a_restart(against):
    against.tap("e5")
    against.think("e6")
    assert Entry(EntryKind.COMPUTERS, '[null, "3"]') in against.saved
    again = Table(GAME, {}, against.table._core.rng, levels=LEVELS)
    again.resume(against.saved, 0.0)
    assert again.state.computers == ("", "3")
    assert again.search_request() == SearchRequest(again.state.position, "3", 1)
    assert not again.scene().thinking
    again.handle(Asked(Command.CONFIRM), 0.1)
    assert again.scene().thinking


@pytest.mark.parametrize(
    "text", ["3", '["3"]', '["3", null, null]', '["", null]', '["x\\ny", null]', "[1, null]", "["]
)
def test_an_entry_that_names_no_computers_is_refused(sit, text):
    table = sit().table
    with pytest.raises(BadEntry, match="bad_entry"):
        table.resume([Entry(EntryKind.COMPUTERS, text)], 0.0)
    assert table.state.computers == ()


@pytest.mark.parametrize("levels", [("", "3", ""), ("",), ("", "99")])
def test_computers_that_do_not_exist_are_refused(sit, levels):
    session = sit()
    session.oppose(*levels)
    assert (session.notice, session.state.computers) == ("table.bad_computers", ())


def test_a_level_of_another_version_is_kept_and_people_play_on(sit):
    session = sit().do("e5")
    session.table.resume([Entry(EntryKind.COMPUTERS, '[null, "grandmaster"]')], session.now)
    assert session.state.computers == ("", "grandmaster")
    session.ask(Command.CONFIRM)
    assert session.table.search_request() is None
    assert session.prompts[1:] == ["table.unknown_level", "table.to_play"]
    assert session.table.scene().prompt[1].args["level"] == "grandmaster"
    session.tap("a1")
    assert len(session.moves) == 2
    session.give(Asked(Command.TAKE_BACK))
    assert session.state.history == ()


def test_a_table_without_levels_has_no_computers(sit):
    session = sit()
    table = Table(GAME, {}, session.table._core.rng)
    table.start(0.0)
    before = table.state
    assert table.handle(SetOpponents(("", "1")), 3.0) == ()
    assert table.state.notices.current.message == say("table.no_computers")
    assert table.state.computers == before.computers == ()


def test_a_game_set_up_with_the_computer_to_move_has_it_think(against):
    against.do("e5", Command.SET_UP)
    assert against.table.search_request() is None
    against.give(StartGame(computers=("", "4")))
    assert against.notice == "table.setting_up_first"
    against.oppose("", "4")
    against.ask(Command.NEW_GAME)
    assert [e.kind for e in against.saved[-3:]] == [
        EntryKind.START,
        EntryKind.COMPUTERS,
        EntryKind.SET_UP,
    ]
    assert against.table.scene().thinking
    assert against.table.search_request().level == "4"
    against.think("a1")
    against.do("a1", Asked(Command.TAKE_BACK))
    assert against.notice == "table.nothing_to_take_back"


def test_a_move_of_several_touches_shows_one_after_the_other():
    session = TableSession(Toy(), {"first": "1"}, presence=False)
    session.oppose("1", "")
    session.think("a-b")
    assert lit(session) == {"proposed": "a"}
    assert session.table.scene().proposal.taps == ("a", "b")
    who = say("table.the_computer")
    assert session.table.scene().prompt[0].args == {"who": who, "move": "a-b", "spot": "a"}
    session.tap("key:pass")
    assert session.notice == "table.not_its_key"
    session.tap("a")
    assert lit(session) == {"chosen": "a", "proposed": "b"}
    assert session.table.scene().prompt[0].args == {"who": who, "move": "a-b", "spot": "b"}
    session.give(Asked(Command.TAKE_BACK))
    assert lit(session) == {"proposed": "a"}
    session.tap("a", "b")
    assert session.state.history[-1].text == "a-b"


def test_a_key_that_it_wants_is_told_in_words():
    session = TableSession(Toy(), {"first": "1"}, presence=False)
    session.oppose("1", "")
    session.think("pass")
    assert lit(session) == {}
    assert session.prompts == ["table.wants_key"]
    assert session.table.scene().proposal.taps == ("key:pass",)
    assert session.table.scene().keys["key:pass"].cue.value == "proposed"
    session.tap("key:pass")
    assert session.state.history[-1].text == "pass"


def test_what_people_began_of_its_move_ends_with_an_answer_that_goes_on_otherwise():
    session = TableSession(Toy(), {"first": "1"}, presence=False)
    session.oppose("1", "")
    session.do(EngineUnavailable(TROUBLE), "a")
    assert session.prompts == ["fault.link", "table.play_for_it", "table.go_on"]
    goes_on = session.twin()
    goes_on.think("a-b")
    assert lit(goes_on) == {"chosen": "a", "proposed": "b"}
    again = session.twin()
    again.do(EngineUnavailable(None), "b")
    assert (lit(again), again.notice) == ({"chosen": "a"}, "table.wait_for_computer")
    again.think("a-b")
    again.do(9.0, "b")
    assert again.state.history[-1].text == "a-b"
    session.think("pass")
    assert session.state.taps == ()
