"""Takeback, new game and resigning, by key or from the page."""

from game.rules.circle_of_life import GAME
from game.table.entries import EntryKind
from game.table.inputs import Asked, Command, Dismissed
from game.table.phases import Phase
from game.table.reducer import CONFIRM_S
from tests.table.random_game import TWO_MEALS

NEW, BACK, RESIGN = (Asked(each) for each in (Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN))


def test_takeback_of_a_meal_asks_to_put_the_eaten_stones_back_in_any_order(sit):
    session = sit().do(*TWO_MEALS, "d4", "f5", BACK)
    assert (session.cue("d4"), session.cue("f5"), session.cue("e6")) == ("put", "put", "remove")
    assert session.prompts == ["table.take_away", "table.put"]
    session.tap("f5", "a5", "e6", "d4")
    assert session.phase is Phase.TAP
    assert session.state.standing == GAME.pieces(session.state.position)
    assert session.table.scene().score == (0, 0)


def test_new_game_in_the_middle_asks_once_more(sit):
    session = sit().do("e5", NEW)
    assert session.notice == "table.confirm_new"
    assert session.state.standing == {"e5": "1"}
    session.give(NEW)
    assert session.phase is Phase.DRAW
    assert session.saved[-1].kind is EntryKind.START
    assert session.state.history == ()


def test_a_question_is_forgotten_after_a_while_or_by_playing_on(sit):
    session = sit().do("e5", NEW, CONFIRM_S, NEW)
    assert session.phase is Phase.TAP
    session.do("a1", NEW)
    assert session.phase is Phase.TAP
    assert session.state.notices.confirmation.command is Command.NEW_GAME


def test_a_question_is_answered_with_no_and_then_asked_anew(sit):
    session = sit().do("e5")
    before = session.state
    session.do(RESIGN, Dismissed())
    assert session.state == before
    session.do(Dismissed(), RESIGN)
    assert (session.state.outcome, session.notice) == (None, "table.confirm_resign")


def test_resigning_makes_the_other_player_win(sit):
    session = sit().do("e5", RESIGN)
    assert session.notice == "table.confirm_resign"
    assert session.state.outcome is None
    session.give(RESIGN)
    outcome = session.state.outcome
    assert (outcome.winner, outcome.reason) == (1, "resigned")
    assert (session.saved[-1].kind, session.saved[-1].text) == (EntryKind.RESIGN, "2")
    session.give(RESIGN)
    assert session.notice == "table.nothing_to_resign"
