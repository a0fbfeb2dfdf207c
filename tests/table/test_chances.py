"""Who stands better: judged after each move where players agreed to it, and shown to all alike."""

import pytest

from game.play import light_theme
from game.table.hands import SearchRequest
from game.table.inputs import JUDGE, Asked, Command, SubmitSetup
from game.table.phases import Phase
from hal.lights import Rhythm
from tests.helpers.games.toy_hidden import GREEN, MAUVE, ToyHidden

LIGHTS = {"score1": 20, "score2": 20}


@pytest.fixture
def session(sit):
    return sit(assistance="chances")


def score_lights(session):
    return light_theme.light_layers(session.table.scene(), LIGHTS)[2]


def test_each_position_is_judged_once_and_the_score_is_that_of_the_first_player(session):
    for cell, shown in (("e5", 0.3), ("a1", 0.7)):
        session.tap(cell)
        position = session.state.position
        assert session.table.search_request() == SearchRequest(position, JUDGE, 1)
        session.think("c3", value=0.7)
        assert session.table.search_request() is None
        assert session.table.scene().chances == pytest.approx(shown)
    session.give(Asked(Command.HINT))
    assert session.table.search_request().level == ""


@pytest.mark.parametrize("assistance", ["casual", "strict"])
def test_nothing_is_judged_or_shown_unless_players_agreed(sit, assistance):
    session = sit(assistance=assistance).do("e5")
    assert session.table.search_request() is None
    assert session.table.scene().chances is None


def test_a_computer_player_s_move_comes_first_unless_only_computers_play(session):
    session.oppose("", "3")
    session.tap("e5")
    assert session.table.search_request().level == "3"
    session.think("a1")
    assert session.table.search_request().level == JUDGE
    session.oppose("3", "3")
    assert session.table.search_request().level == JUDGE


def test_where_pieces_are_hidden_nothing_is_judged_though_players_agreed(sit):
    session = sit(ToyHidden(), assistance="chances")
    session.do(SubmitSetup(2, MAUVE), SubmitSetup(1, GREEN), Command.CONFIRM)
    assert session.phase is Phase.TAP
    for command in (Command.HINT, Command.RESIGN, Command.RESIGN):
        assert session.table.search_request() is None
        assert [session.table.scene(viewer).chances for viewer in (None, 1, 2)] == [None] * 3
        session.ask(command)
    assert session.table.scene().chances is None


def test_a_new_game_is_even_until_it_is_judged_and_the_end_shows_who_won(session):
    session.tap("e5")
    session.think("c3", value=0.9)
    session.ask(Command.RESIGN, Command.RESIGN)
    assert session.table.scene().chances == 1.0
    session.ask(Command.NEW_GAME)
    assert session.table.scene().chances == 0.5


@pytest.mark.parametrize(
    ("value", "lit"), [(0.55, ()), (0.8, ("score2.19",)), (0.1, ("score1.19",))]
)
def test_the_last_light_of_who_is_clearly_ahead_breathes_and_the_score_stays(session, value, lit):
    session.tap("e5", "e3", "d5", "d3", "b3", "d4", "e5", "d5", "a1")
    before = score_lights(session)
    session.think("c3", value=value)
    after = score_lights(session)
    assert len(before) == 2
    assert after.keys() - before.keys() == set(lit)
    assert {spot: after[spot] for spot in before} == before
    assert all(after[spot].rhythm is Rhythm.BREATHE for spot in lit)
