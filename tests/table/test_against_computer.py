"""Computer players at a table: people lend them their hands."""

from random import Random

import pytest

from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table import DRAW_S, REJECTED_S, Phase, Table, inputs, requests_to_undo
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command, ScoredMove
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import TableSession

TROUBLE = say("fault.link")
BACK, RESIGN = Command.TAKE_BACK, Command.RESIGN
BLUE_IS_3 = inputs.SetOpponents(("", "3"))


@pytest.fixture
def against(sit):
    """Return a table at which blue is a computer of level 3, and orange has moved."""
    return sit().do(BLUE_IS_3, "e5")


@pytest.fixture
def toy(sit):
    """Return the toy game, at which a computer begins."""
    return sit(Toy()).oppose("1", "")


def lit(session: TableSession) -> dict[str, str]:
    """Return each cue of something that can be touched, and the cells that have it."""
    return {
        cue: ",".join(cells)
        for cue in ("legal", "proposed", "chosen")
        if (cells := session.cues(cue)) and len(cells) < 9
    }


def test_while_it_thinks_touches_are_refused_kindly(against):
    scene = against.table.scene()
    assert (scene.thinking, scene.turn, scene.proposal) == (True, 2, None)
    assert lit(against) == {}
    assert against.prompts == ["circle_of_life.placed", "table.thinking"]
    against.tap("a1")
    assert (against.notice, against.cue("a1")) == ("table.wait_for_computer", "wrong")
    assert against.moves == ["e5"]


def test_answers_for_another_position_or_level_are_dropped(against):
    before = against.state
    at, earlier = before.position, before.history[0].before
    for position, level, moves in (
        (at, "3", []),
        *((at, level, [ScoredMove("a1", 0.5)]) for level in ("4", "")),
        (earlier, "3", [ScoredMove("a1", 0.5)]),
    ):
        against.give(inputs.SearchResult(position, level, tuple(moves)))
        assert against.state is before


def test_when_it_does_not_answer_people_may_play_for_it_until_it_does(against):
    against.give(inputs.EngineUnavailable(TROUBLE))
    assert not against.table.scene().thinking
    assert against.prompts[1:] == ["fault.link", "table.play_for_it", "table.to_play"]
    assert len(against.cues("legal")) == 60
    late = against.twin().think("e6")
    assert (lit(late), late.state.engine.unavailable) == ({"proposed": "e6"}, None)
    late.give(inputs.EngineUnavailable(TROUBLE))
    assert lit(late) == {"proposed": "e6"}
    against.tap("a1")
    assert [played.player for played in against.state.history] == [1, 2]


def test_the_person_resigns_also_in_the_computers_turn_and_may_take_it_back(against):
    question = against.do(RESIGN).table.scene().notice
    assert question.args["player"] == say("table.you", name=GAME.players[0])
    against.ask(RESIGN)
    assert against.saved[-1] == Entry(EntryKind.RESIGN, "1")
    assert (against.state.outcome.winner, against.table.search_request()) == (2, None)
    assert requests_to_undo(against.state) == (2,)
    against.ask(BACK)
    assert (against.state.outcome, against.moves) == (None, ["e5"])
    assert against.table.scene().thinking


@pytest.mark.parametrize("request_", [BLUE_IS_3, Asked(Command.MENU), Asked(Command.HINT)])
def test_a_table_without_computers_says_so_and_others_refuse_those_that_are_not_there(
    sit, request_
):
    table = Table(GAME, {}, Random(0))
    table.start(0.0)
    table.tick(DRAW_S)
    assert table.handle(request_, DRAW_S) == ()
    assert table.state.notices.current.message == say("table.no_computers")
    assert (table.state.computers, table.state.phase) == ((), Phase.TAP)
    for levels in (("", "3", ""), ("",), ("", "99")):
        session = sit().oppose(*levels)
        assert (session.notice, session.state.computers) == ("table.bad_computers", ())


def test_a_level_of_another_version_is_kept_and_people_play_on(sit):
    session = sit().do("e5")
    session.table.resume([Entry(EntryKind.COMPUTERS, '[null, "grandmaster"]')], session.now)
    assert session.state.computers == ("", "grandmaster")
    session.ask(Command.CONFIRM)
    assert session.table.search_request() is None
    assert session.prompts[1:] == ["table.unknown_level", "table.to_play"]
    assert session.table.scene().prompt[1].args["level"] == "grandmaster"
    assert (session.do("a1").moves, session.do(BACK).moves) == (["e5", "a1"], [])


def test_a_game_set_up_with_the_computer_to_move_has_it_think(against):
    against.ask(Command.SET_UP)
    assert against.table.search_request() is None
    assert against.do(inputs.StartGame(computers=("", "4"))).notice == "table.setting_up_first"
    against.do(inputs.SetOpponents(("", "4")), Command.NEW_GAME)
    assert against.kinds()[-3:] == ["START", "COMPUTERS", "SET_UP"]
    assert against.table.scene().thinking
    assert against.table.search_request().level == "4"
    assert against.think("a1").do("a1", BACK).notice == "table.nothing_to_take_back"


def test_a_move_of_several_touches_shows_one_after_the_other(toy):
    def asked():
        return toy.table.scene().prompt[0].args

    toy.think("a-b")
    who = say("table.the_computer")
    assert (lit(toy), toy.table.scene().proposal.taps) == ({"proposed": "a"}, ("a", "b"))
    assert asked() == {"who": who, "move": "a-b", "spot": "a"}
    assert toy.do("key:pass").notice == "table.not_its_key"
    assert lit(toy.do("a")) == {"chosen": "a", "proposed": "b"}
    assert asked() == {"who": who, "move": "a-b", "spot": "b"}
    assert (lit(toy.do(BACK)), toy.do("a", "b").moves[-1]) == ({"proposed": "a"}, "a-b")


def test_what_people_began_of_its_move_ends_with_an_answer_that_goes_on_otherwise(toy):
    toy.do(inputs.EngineUnavailable(TROUBLE), "a")
    assert toy.prompts == ["fault.link", "table.play_for_it", "table.go_on"]
    assert lit(toy.twin().think("a-b")) == {"chosen": "a", "proposed": "b"}
    again = toy.twin().do(inputs.EngineUnavailable(None), "b")
    assert (lit(again), again.notice) == ({"chosen": "a"}, "table.wait_for_computer")
    assert again.think("a-b").do(9.0, "b").moves[-1] == "a-b"
    assert toy.think("pass").state.taps == ()


# Where stones are sensed.


@pytest.fixture
def sensed(sit):
    """Return a table that senses stones, at which blue is a computer."""
    return sit(presence=True).do(BLUE_IS_3)


def eater_of(session, cell):
    """Return a move that eats the stone on just this cell."""
    position = session.state.position
    moves = GAME.legal_moves(position)
    return next(move for move in moves if GAME.result(position, move).removed == (cell,))


def test_its_stone_is_asked_for_once_more_if_it_came_too_early_or_went_elsewhere(sensed):
    sensed.do("e5").think("a1").do("c3", "c3", {"c3", "a1"}, "c3")
    assert (sensed.phase, sensed.do(REJECTED_S).cues("remove")) == (Phase.EDIT, ["a1"])
    assert sensed.do("a1").cues("proposed") == ["a1"]
    assert sensed.do("a1").moves == ["e5", "a1"]


def test_what_it_eats_can_be_lifted_before_its_stone_is_set(sit):
    sensed = sit(presence=True).do("e5", "d4", "a1", BLUE_IS_3, 2.0)
    eats = eater_of(sensed, "e5")
    assert sensed.think(eats).do("e5", eats).moves[-1] == f"{eats}x"
    assert sensed.phase is Phase.TAP
    # Even if that was the stone set last.
    sensed = sit(presence=True).do("a1", "e5", "a3", BLUE_IS_3).think("i1")
    eats = eater_of(sensed.do("i1", 2.0, "e6"), "e6")
    assert sensed.think(eats).do("e6", eats).moves[-2:] == ["e6", f"{eats}x"]


def test_after_a_restart_it_thinks_again_while_the_board_is_put_right(sensed):
    sensed.do("e5", 2.0).think("a1").do("a1", 2.0, "g4")
    sensed.stones.discard("a1")
    sensed.table = sensed.restarted()
    assert sensed.phase is Phase.EDIT
    assert sensed.table.search_request() is not None
    assert not sensed.table.scene().thinking
    assert sensed.think("c3").cues("proposed") == []
    assert sensed.do("a1").cues("proposed") == ["c3"]
