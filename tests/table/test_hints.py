"""Hints: what those who play ask the lights to show."""

import pytest

from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table.hands import SearchRequest
from game.table.inputs import Asked, Command, EngineUnavailable, ScoredMove, SearchResult
from game.table.table import Table
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import TableSession

HINT = Asked(Command.HINT)
THREE = (
    ScoredMove("d4", 1.0, decided=True),
    ScoredMove("e6", 0.624),
    ScoredMove("a1", 0.0, decided=True),
)


def hinted(session, ideas=THREE):
    session.do(HINT, SearchResult(session.state.position, "", ideas))
    return session


def test_a_hint_is_wanted_only_for_the_asking(sit):
    session = sit().do("e5")
    assert session.table.search_request() is None
    session.give(HINT)
    assert session.table.search_request() == SearchRequest(session.state.position, "", 3)
    assert session.prompts[-1] == "table.hinting"
    assert len(session.cues("legal")) == 60


def test_the_best_three_show_by_rank_and_in_words(sit):
    session = sit().do("e5")
    hinted(session)
    scene = session.table.scene()
    lamps = {cell: lamp.rank for cell, lamp in scene.cells.items() if lamp.cue.value == "hint"}
    assert lamps == {"d4": 0, "e6": 1, "a1": 2}
    assert [(hint.spot, hint.move) for hint in scene.hints] == [(idea.move, idea) for idea in THREE]
    assert scene.prompt[-1] == say(
        "table.hints",
        ideas=(
            say("table.idea_wins", move="d4"),
            say("table.idea", move="e6", percent=62),
            say("table.idea_loses", move="a1"),
        ),
    )
    assert session.table.search_request() is None


def test_hints_end_with_the_next_move_or_when_asked_again(sit):
    session = sit()
    hinted(session)
    again = session.twin()
    again.give(HINT)
    assert again.cues("hint") == []
    assert again.table.search_request() is None
    session.tap("c5")
    assert session.state.engine.hints == ()
    assert session.cues("hint") == []


def test_asking_again_before_the_hint_is_there_calls_it_off(sit):
    session = sit().do(HINT, HINT)
    assert session.table.search_request() is None
    session.give(SearchResult(session.state.position, "", THREE))
    assert session.cues("hint") == []


def test_a_hint_for_a_position_that_is_over_is_dropped(sit):
    session = sit().do(HINT)
    asked = session.table.search_request()
    session.do("e5", HINT, SearchResult(asked.position, "", THREE))
    assert session.cues("hint") == []
    assert session.state.engine.hinting


def test_a_hint_that_is_no_move_is_nonsense(sit):
    session = sit().do(HINT)
    session.give(SearchResult(session.state.position, "", (ScoredMove("z9", 0.5), *THREE)))
    assert session.state.engine.hinting


@pytest.mark.parametrize("state", ["computer", "edit", "over", "set up"])
def test_a_hint_is_refused_when_no_person_is_to_move(sit, state):
    session = sit().do("e5", "a1")
    if state == "computer":
        session.oppose("1", "")
    elif state == "edit":
        session.ask(Command.TAKE_BACK)
    elif state == "over":
        session.ask(Command.RESIGN, Command.RESIGN)
    else:
        session.ask(Command.SET_UP)
    session.give(HINT)
    assert session.notice == "table.no_hint"
    assert not session.state.engine.hinting


def test_a_hint_is_refused_with_the_reason(sit):
    session = sit().do("e5")
    asked = session.twin()
    asked.do(Command.CONFIRM, HINT)
    assert asked.notice == "table.confirm_first"
    session.disturb("h1")
    session.give(HINT)
    assert session.notice == "table.paused"
    new = sit().do(Command.NEW_GAME, HINT)
    assert new.notice == "table.wait_for_draw"
    without = Table(GAME, {}, new.table._core.rng)
    without.start(0.0)
    without.tick(10.0)
    without.handle(HINT, 10.0)
    assert without.state.notices.current.message == say("table.no_computers")


def test_trouble_ends_the_waiting_and_is_told(sit):
    session = sit().do(HINT, EngineUnavailable(say("fault.link")))
    assert session.notice == "fault.link"
    assert session.table.search_request() is None
    assert len(session.cues("legal")) == 61


def test_hints_pause_with_the_board(sit):
    session = hinted(sit())
    session.disturb("h1")
    assert session.cues("hint") == []
    session.mend()
    assert len(session.cues("hint")) == 3


def test_hints_of_several_touches_lead_on():
    session = TableSession(Toy(), {"first": "1"}, presence=False)
    hinted(session, (ScoredMove("pass", 0.7), ScoredMove("a-b", 0.5)))
    assert [hint.spot for hint in session.table.scene().hints] == ["key:pass", "a"]
    assert session.cues("hint") == ["a"]
    session.tap("a")
    assert [hint.spot for hint in session.table.scene().hints] == ["b"]
    assert session.cues("hint") == ["b"]


def test_a_trouble_of_a_hint_is_not_told_of_the_next_turn_in_which_it_thinks(sit):
    session = sit()
    session.oppose("", "3")
    session.do(Asked(Command.HINT), EngineUnavailable(say("opponent.died")), 600.0, "e5")
    assert session.table.search_request() is not None
    assert session.table.scene().thinking
