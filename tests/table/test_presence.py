"""Playing where stones are felt while they stand: hands are read off the board."""

from random import Random

import pytest

from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind
from game.table.inputs import Command, Held, Touched
from game.table.records import UNKNOWN_PIECE, Phase
from game.table.table import DRAW_S, Table
from tests.helpers.games.toy_game import Toy

# Orange's e6 makes a pair with e5, which eats the singletons on d4 and f5.
BEFORE_MEALS = ("e5", "d4", "a1", "f5", "a3", "i5")
TWO_MEALS = (*BEFORE_MEALS, "e6")
NEW, BACK, RESIGN = Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN


def moves(sitting):
    return [entry.text for entry in sitting.kept if entry.kind is EntryKind.MOVE]


def test_a_stone_set_on_a_legal_cell_is_the_move_and_stands_at_once(sit):
    sitting = sit(presence=True)
    sitting.put("e5")
    assert sitting.kept[-2:] == [Entry(EntryKind.MOVE, "e5"), Entry(EntryKind.EDIT, "e5")]
    assert sitting.table.state.standing == {"e5": "1"}
    assert sitting.cue("e5") == "placed"
    assert sitting.table.scene().turn == 2


@pytest.mark.parametrize("order", [("d4", "f5"), ("f5", "d4")])
def test_eaten_stones_are_lifted_in_any_order_and_the_turn_waits(sit, order):
    sitting = sit(presence=True)
    sitting.set_in_turn(*TWO_MEALS)
    assert sitting.table.state.phase is Phase.EDIT
    assert sitting.cues("remove") == ["d4", "f5"]
    assert sitting.prompts == ["circle_of_life.ate", "table.lift"]
    kept = list(sitting.kept)
    sitting.take(order[0])
    assert sitting.cues("remove") == [order[1]]
    assert sitting.table.scene().turn == 1
    sitting.take(order[1])
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.scene().turn == 2
    assert sitting.kept == kept, "what hands do is read off the board, not kept"


def test_a_stone_on_an_illegal_cell_is_explained_and_taken_away_leaves_all_as_before(sit):
    sitting = sit(presence=True)
    for own, other in zip(("e1", "e2", "e3", "e4"), ("a1", "a3", "a5", "i1"), strict=True):
        sitting.set_in_turn(own, other)
    before = sitting.table.state
    sitting.put("e5")
    assert sitting.notice == "circle_of_life.too_big"
    assert sitting.cue("e5") == "wrong"
    assert sitting.table.state.standing["e5"] == UNKNOWN_PIECE
    sitting.wait(3.0)
    assert sitting.cue("e5") == "remove"
    sitting.take("e5")
    sitting.wait(10.0)
    assert sitting.table.state == before


def test_the_refusal_of_a_stone_ends_when_it_is_taken_away(sit):
    sitting = sit(presence=True)
    sitting.put("e5", "a1")
    assert (sitting.cue("a1"), sitting.notice) == ("wrong", "table.one_stone")
    sitting.take("e5", "a1")
    assert (sitting.cue("a1"), sitting.notice) == ("legal", "")


def test_a_stone_set_while_the_beginner_is_drawn_is_no_move(sit):
    sitting = sit(presence=True)
    sitting.ask(NEW)
    sitting.put("e5")
    assert sitting.notice == "table.wait_for_draw"
    sitting.wait(DRAW_S)
    assert (moves(sitting), sitting.table.state.phase) == ([], Phase.EDIT)
    sitting.take("e5")
    sitting.put("e5")
    assert moves(sitting) == ["e5"]


def test_a_stone_set_after_the_end_is_refused_and_to_be_taken(sit):
    sitting = sit(presence=True)
    sitting.put("e5")
    sitting.ask(RESIGN, RESIGN)
    sitting.put("a1")
    assert (sitting.notice, moves(sitting)) == ("rules.game_over", ["e5"])
    sitting.take("a1")
    sitting.ask(BACK)
    assert sitting.table.state.phase is Phase.TAP


def test_a_resumed_game_reads_the_board_again(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn(*TWO_MEALS)
    sitting.take("d4")
    again = sitting.restarted()
    assert again.state.position == sitting.table.state.position
    assert again.state.standing == sitting.table.state.standing
    assert [edit.cell for edit in again.state.pending(GAME)] == ["f5"]
    assert again.scene().notice.key == "table.resumed_felt"


def test_what_stands_when_a_game_is_resumed_is_not_new(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    sitting.stones = {"e5", "a1", "i5"}
    again = sitting.restarted()
    assert again.state.phase is Phase.EDIT
    assert again.scene().cells["i5"].cue.value == "remove"
    sitting.stones = {"a1"}
    assert sitting.restarted().scene().cells["e5"].cue.value == "put"


def test_a_stone_taken_back_but_not_yet_away_is_not_played_again_by_a_restart(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    sitting.ask(BACK)
    again = sitting.restarted()
    assert again.state.phase is Phase.EDIT
    assert again.state.position == GAME.play(GAME.initial({"first": "1"}), "e5")


def test_until_the_board_has_told_a_resumed_game_asks_for_nothing(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn(*TWO_MEALS)
    sitting.take("d4", "f5")
    sitting.put("g4")
    table = Table(GAME, {}, Random(0), presence=True)
    table.resume(sitting.kept, 0.0)
    assert table.state.pending(GAME) == ()


def test_touches_of_felt_cells_are_ignored(sit):
    sitting = sit(presence=True)
    sitting.put("e5")
    before = sitting.table.state
    sitting.tap("a1", "e5")
    sitting.give(Touched("e5"))
    sitting.give(Held("e5"))
    assert sitting.table.state is before


def test_a_piece_lifted_and_set_elsewhere_is_the_move_of_a_game_that_moves_pieces(sit):
    sitting = sit(Toy(), presence=True)
    sitting.take("a")
    assert (sitting.cue("a"), sitting.cue("b")) == ("chosen", "legal")
    sitting.put("b")
    assert moves(sitting) == ["a-b"]
    assert sitting.table.state.standing == {"b": "1", "e": "2"}


def test_a_piece_lifted_and_put_back_is_not_chosen_any_more(sit):
    sitting = sit(Toy(), presence=True)
    before = sitting.table.state
    sitting.take("a")
    sitting.put("a")
    assert sitting.table.state == before


def test_two_stones_set_at_once_are_no_move_nor_is_the_one_that_is_left(sit):
    sitting = sit(presence=True)
    sitting.put("e5", "a1")
    assert sitting.notice == "table.one_stone"
    sitting.take("a1")
    assert (moves(sitting), sitting.table.state.phase) == ([], Phase.EDIT)
    assert sitting.cue("e5") == "remove"
    sitting.take("e5")
    sitting.put("a1")
    assert moves(sitting) == ["a1"]


def test_a_stone_set_before_the_eaten_ones_are_gone_is_no_move_even_afterwards(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn(*TWO_MEALS)
    sitting.put("g4")
    assert (sitting.cue("g4"), sitting.notice) == ("wrong", "table.first_take_away")
    assert sitting.table.scene().turn == 1
    sitting.take("d4", "f5")
    assert moves(sitting)[-1] == "e6x"
    assert sitting.cue("g4") in ("wrong", "remove")
    sitting.take("g4")
    sitting.put("g4")
    assert moves(sitting)[-1] == "g4"
