"""Takeback, new game and resigning, by key or from the page."""

from game.rules.circle_of_life import GAME
from game.table.asking import QUESTION_S
from game.table.entries import Kind
from game.table.inputs import Asked, Command
from game.table.state import Phase
from tests.table.sitting import TWO_MEALS

NEW, BACK, RESIGN = (Asked(each) for each in (Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN))


def test_takeback_of_a_placement_asks_to_take_the_stone_away(sit):
    sitting = sit()
    sitting.tap("e5", "a1")
    sitting.give(BACK)
    assert sitting.table.state.phase is Phase.EDIT
    assert sitting.cue("a1") == "remove"
    assert sitting.prompts == ["table.take_away"]
    sitting.tap("a1")
    assert sitting.table.scene().turn == 2
    assert sitting.table.state.standing == {"e5": "1"}


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


def test_takeback_of_every_move_ends_on_the_empty_board(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS, "d4", "f5")
    start = GAME.initial({"first": "1"})
    for _ in TWO_MEALS:
        sitting.give(BACK)
    assert sitting.table.state.position == start
    pending = sitting.table.state.pending(GAME)
    sitting.tap(*(edit.cell for edit in pending))
    assert sitting.table.state.standing == {}
    sitting.give(BACK)
    assert sitting.notice == "table.nothing_to_take_back"


def test_takeback_undoes_the_end_of_a_game(sit):
    sitting = sit(target="2")
    sitting.tap(*TWO_MEALS)
    sitting.give(BACK)
    assert sitting.table.state.outcome is None
    assert sitting.table.scene().turn == 1


def test_new_game_in_the_middle_asks_once_more(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(NEW)
    assert sitting.notice == "table.confirm_new"
    assert sitting.table.state.standing == {"e5": "1"}
    sitting.give(NEW)
    assert sitting.table.state.phase is Phase.DRAW
    assert sitting.kept[-1].kind is Kind.START
    assert sitting.table.state.history == ()


def test_new_game_before_the_first_move_or_after_the_end_is_not_asked_twice(sit):
    sitting = sit()
    sitting.give(NEW)
    assert sitting.table.state.phase is Phase.DRAW
    sitting.wait(10.0)
    sitting.give(RESIGN)
    sitting.give(RESIGN)
    assert sitting.table.state.phase is Phase.OVER
    sitting.give(NEW)
    assert sitting.table.state.phase is Phase.DRAW


def test_a_question_is_forgotten_after_a_while_or_by_playing_on(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(NEW)
    sitting.wait(QUESTION_S)
    sitting.give(NEW)
    assert sitting.table.state.phase is Phase.TAP
    sitting.tap("a1")
    sitting.give(NEW)
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.state.question.command is Command.NEW_GAME


def test_resigning_makes_the_other_player_win(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(RESIGN)
    assert sitting.notice == "table.confirm_resign"
    assert sitting.table.state.outcome is None
    sitting.give(RESIGN)
    outcome = sitting.table.state.outcome
    assert (outcome.winner, outcome.reason) == (1, "resigned")
    assert (sitting.kept[-1].kind, sitting.kept[-1].text) == (Kind.RESIGN, "2")
    sitting.give(RESIGN)
    assert sitting.notice == "table.nothing_to_resign"


def test_takeback_after_resigning_takes_the_resignation_back_only(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(RESIGN)
    sitting.give(RESIGN)
    sitting.give(BACK)
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.state.standing == {"e5": "1"}


def test_another_question_does_not_confirm_the_first(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(NEW)
    sitting.give(RESIGN)
    assert sitting.table.state.outcome is None
    assert sitting.table.state.phase is Phase.TAP
