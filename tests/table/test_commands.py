"""Takeback, new game and resigning, by key or from the page."""

from game.rules.circle_of_life import GAME
from game.table.book import CONFIRM_S
from game.table.entries import EntryKind
from game.table.inputs import Asked, Command, Dismissed
from game.table.records import Phase
from tests.table.random_game import TWO_MEALS

NEW, BACK, RESIGN = (Asked(each) for each in (Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN))


def test_takeback_of_a_meal_asks_to_put_the_eaten_stones_back_in_any_order(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS, "d4", "f5")
    sitting.give(BACK)
    assert (sitting.cue("d4"), sitting.cue("f5"), sitting.cue("e6")) == ("put", "put", "remove")
    assert sitting.prompts == ["table.take_away", "table.put"]
    sitting.tap("f5", "a5", "e6", "d4")
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.state.standing == GAME.pieces(sitting.table.state.position)
    assert sitting.table.scene().score == (0, 0)


def test_new_game_in_the_middle_asks_once_more(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(NEW)
    assert sitting.notice == "table.confirm_new"
    assert sitting.table.state.standing == {"e5": "1"}
    sitting.give(NEW)
    assert sitting.table.state.phase is Phase.DRAW
    assert sitting.kept[-1].kind is EntryKind.START
    assert sitting.table.state.history == ()


def test_a_question_is_forgotten_after_a_while_or_by_playing_on(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(NEW)
    sitting.wait(CONFIRM_S)
    sitting.give(NEW)
    assert sitting.table.state.phase is Phase.TAP
    sitting.tap("a1")
    sitting.give(NEW)
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.state.notices.confirmation.command is Command.NEW_GAME


def test_a_question_is_answered_with_no_and_then_asked_anew(sit):
    sitting = sit()
    sitting.tap("e5")
    before = sitting.table.state
    sitting.give(RESIGN)
    sitting.give(Dismissed())
    assert sitting.table.state == before
    sitting.give(Dismissed())
    sitting.give(RESIGN)
    assert (sitting.table.state.outcome, sitting.notice) == (None, "table.confirm_resign")


def test_resigning_makes_the_other_player_win(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(RESIGN)
    assert sitting.notice == "table.confirm_resign"
    assert sitting.table.state.outcome is None
    sitting.give(RESIGN)
    outcome = sitting.table.state.outcome
    assert (outcome.winner, outcome.reason) == (1, "resigned")
    assert (sitting.kept[-1].kind, sitting.kept[-1].text) == (EntryKind.RESIGN, "2")
    sitting.give(RESIGN)
    assert sitting.notice == "table.nothing_to_resign"
