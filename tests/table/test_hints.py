"""What those who play ask to be shown: hints, and who stands better where players agreed to it."""

import pytest

from game.play import light_theme
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table.hands import SearchRequest
from game.table.inputs import (
    JUDGE,
    Asked,
    Command,
    EngineUnavailable,
    ScoredMove,
    SearchResult,
    SetOpponents,
    SubmitSetup,
)
from game.table.phases import Phase
from game.table.table import Table
from hal.lights import Rhythm
from tests.helpers.games.toy_game import Toy
from tests.helpers.games.toy_hidden import GREEN, MAUVE, ToyHidden

HINT, NEW, RESIGN = Command.HINT, Command.NEW_GAME, Command.RESIGN
THREE = (
    ScoredMove("d4", 1.0, decided=True),
    ScoredMove("e6", 0.624),
    ScoredMove("a1", 0.0, decided=True),
)
LIGHTS = {"score1": 20, "score2": 20}


def hinted(session, ideas=THREE):
    session.ask(HINT)
    return session.do(SearchResult(session.state.position, "", ideas))


def test_hints_are_wanted_only_for_the_asking_and_show_by_rank_and_in_words(sit):
    session = sit().do("e5")
    assert session.table.search_request() is None
    session.ask(HINT)
    assert session.table.search_request() == SearchRequest(session.state.position, "", 3)
    assert (session.prompts[-1], len(session.cues("legal"))) == ("table.hinting", 60)
    session.give(SearchResult(session.state.position, "", THREE))
    scene = session.table.scene()
    lamps = {cell: lamp.rank for cell, lamp in scene.cells.items() if lamp.cue.value == "hint"}
    assert lamps == {"d4": 0, "e6": 1, "a1": 2}
    assert [(hint.spot, hint.move) for hint in scene.hints] == [(idea.move, idea) for idea in THREE]
    ideas = (
        say("table.idea_wins", move="d4"),
        say("table.idea", move="e6", percent=62),
        say("table.idea_loses", move="a1"),
    )
    assert scene.prompt[-1] == say("table.hints", ideas=ideas)
    assert session.table.search_request() is None


def test_hints_end_with_the_next_move_or_when_asked_again(sit):
    session = hinted(sit())
    again = session.twin().do(HINT)
    assert (again.cues("hint"), again.table.search_request()) == ([], None)
    assert (session.do("c5").cues("hint"), session.state.engine.hints) == ([], ())
    # Asked again before the hint is there, it is called off.
    session = sit().do(HINT, HINT)
    assert session.table.search_request() is None
    assert session.do(SearchResult(session.state.position, "", THREE)).cues("hint") == []


def test_a_hint_for_a_position_that_is_over_or_that_is_no_move_is_dropped(sit):
    session = sit().do(HINT)
    asked = session.table.search_request()
    session.do("e5", HINT, SearchResult(asked.position, "", THREE))
    assert (session.cues("hint"), session.state.engine.hinting) == ([], True)
    session = hinted(sit(), (ScoredMove("z9", 0.5), *THREE))
    assert session.state.engine.hinting


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (("e5", SetOpponents(("", "3"))), "no_hint"),
        (("e5", "a1", Command.TAKE_BACK), "no_hint"),
        ((RESIGN, RESIGN), "no_hint"),
        ((Command.SET_UP,), "no_hint"),
        (("e5", Command.CONFIRM), "confirm_first"),
        ((NEW,), "wait_for_draw"),
    ],
)
def test_a_hint_is_refused_with_the_reason_when_no_person_is_to_move(sit, steps, why):
    session = sit().do(*steps, HINT)
    assert (session.notice, session.state.engine.hinting) == (f"table.{why}", False)


def test_hints_pause_with_the_board_and_need_an_engine(sit):
    session = hinted(sit()).disturb("h1")
    assert (session.cues("hint"), len(session.mend().cues("hint"))) == ([], 3)
    assert sit().disturb("h1").do(HINT).notice == "table.paused"
    without = Table(GAME, {}, session.table.rng)
    without.start(0.0)
    without.tick(10.0)
    without.handle(Asked(HINT), 10.0)
    assert without.state.notices.current.message == say("table.no_computers")


def test_trouble_ends_the_waiting_and_is_told_but_not_of_the_next_turn(sit):
    session = sit().oppose("", "3").do(HINT, EngineUnavailable(say("fault.link")))
    assert (session.notice, len(session.cues("legal"))) == ("fault.link", 61)
    assert session.table.search_request() is None
    session.do(600.0, "e5")
    assert session.table.search_request() is not None
    assert session.table.scene().thinking


def test_hints_of_several_touches_lead_on(sit):
    session = hinted(sit(Toy()), (ScoredMove("pass", 0.7), ScoredMove("a-b", 0.5)))
    assert [hint.spot for hint in session.table.scene().hints] == ["key:pass", "a"]
    assert session.cues("hint") == ["a"]
    session.tap("a")
    assert [hint.spot for hint in session.table.scene().hints] == ["b"]
    assert session.cues("hint") == ["b"]


# Who stands better.


@pytest.fixture
def judged(sit):
    return sit(assistance="chances")


def test_each_position_is_judged_once_and_the_score_is_that_of_the_first_player(judged):
    for cell, shown in (("e5", 0.3), ("a1", 0.7)):
        judged.tap(cell)
        position = judged.state.position
        assert judged.table.search_request() == SearchRequest(position, JUDGE, 1)
        judged.think("c3", value=0.7)
        assert judged.table.search_request() is None
        assert judged.table.scene().chances == pytest.approx(shown)
    assert judged.do(HINT).table.search_request().level == ""


@pytest.mark.parametrize("assistance", ["casual", "strict"])
def test_nothing_is_judged_or_shown_unless_players_agreed(sit, assistance):
    session = sit(assistance=assistance).do("e5")
    assert (session.table.search_request(), session.table.scene().chances) == (None, None)


def test_a_computer_player_s_move_comes_first_unless_only_computers_play(judged):
    judged.oppose("", "3").do("e5")
    assert judged.table.search_request().level == "3"
    assert judged.think("a1").table.search_request().level == JUDGE
    assert judged.oppose("3", "3").table.search_request().level == JUDGE


def test_where_pieces_are_hidden_nothing_is_judged_though_players_agreed(sit):
    session = sit(ToyHidden(), assistance="chances")
    session.do(SubmitSetup(2, MAUVE), SubmitSetup(1, GREEN), Command.CONFIRM)
    assert session.phase is Phase.TAP
    for command in (HINT, RESIGN, RESIGN):
        assert session.table.search_request() is None
        assert [session.table.scene(viewer).chances for viewer in (None, 1, 2)] == [None] * 3
        session.ask(command)
    assert session.table.scene().chances is None


def test_a_new_game_is_even_until_it_is_judged_and_the_end_shows_who_won(judged):
    judged.do("e5").think("c3", value=0.9)
    assert judged.do(RESIGN, RESIGN).table.scene().chances == 1.0
    assert judged.do(NEW).table.scene().chances == 0.5


@pytest.mark.parametrize(
    ("value", "lit"), [(0.55, ()), (0.8, ("score2.19",)), (0.1, ("score1.19",))]
)
def test_the_last_light_of_who_is_clearly_ahead_breathes_and_the_score_stays(judged, value, lit):
    judged.tap("e5", "e3", "d5", "d3", "b3", "d4", "e5", "d5", "a1")
    before = light_theme.light_layers(judged.table.scene(), LIGHTS)[2]
    judged.think("c3", value=value)
    after = light_theme.light_layers(judged.table.scene(), LIGHTS)[2]
    assert (len(before), after.keys() - before.keys()) == (2, set(lit))
    assert {spot: after[spot] for spot in before} == before
    assert all(after[spot].rhythm is Rhythm.BREATHE for spot in lit)
