"""Playing where standing stones are sensed: hands' moves are inferred from the board."""

from random import Random

import pytest

from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind
from game.table.inputs import Command, Held, Lifted, Touched
from game.table.phases import Phase
from game.table.state import UNKNOWN_PIECE
from game.table.table import DRAW_S, Table
from tests.helpers.games.toy_game import Toy

# Orange's e6 makes a pair with e5, which eats the singletons on d4 and f5.
BEFORE_MEALS = ("e5", "d4", "a1", "f5", "a3", "i5")
TWO_MEALS = (*BEFORE_MEALS, "e6")
NEW, BACK, RESIGN = Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN


def moves(session):
    return [entry.text for entry in session.saved if entry.kind is EntryKind.MOVE]


def test_a_stone_set_on_a_legal_cell_is_the_move_and_stands_at_once(sit):
    session = sit(presence=True).do("e5")
    assert session.saved[-2:] == [Entry(EntryKind.MOVE, "e5"), Entry(EntryKind.EDIT, "e5")]
    assert session.state.standing == {"e5": "1"}
    assert session.cue("e5") == "placed"
    assert session.table.scene().turn == 2


@pytest.mark.parametrize("order", [("d4", "f5"), ("f5", "d4")])
def test_eaten_stones_are_lifted_in_any_order_and_the_turn_waits(sit, order):
    session = sit(presence=True).do(*TWO_MEALS)
    assert session.phase is Phase.EDIT
    assert session.cues("remove") == ["d4", "f5"]
    assert session.prompts == ["circle_of_life.ate", "table.lift"]
    saved = list(session.saved)
    session.take(order[0])
    assert session.cues("remove") == [order[1]]
    assert session.table.scene().turn == 1
    session.take(order[1])
    assert session.phase is Phase.TAP
    assert session.table.scene().turn == 2
    assert session.saved == saved, "what hands do is read off the board, not kept"


def test_a_stone_on_an_illegal_cell_is_explained_and_taken_away_leaves_all_as_before(sit):
    session = sit(presence=True)
    for own, other in zip(("e1", "e2", "e3", "e4"), ("a1", "a3", "a5", "i1"), strict=True):
        session.set_in_turn(own, other)
    before = session.state
    session.put("e5")
    assert session.notice == "circle_of_life.too_big"
    assert session.cue("e5") == "wrong"
    assert session.state.standing["e5"] == UNKNOWN_PIECE
    session.wait(3.0)
    assert session.cue("e5") == "remove"
    session.do("e5", 10.0)
    assert session.state == before


def test_the_refusal_of_a_stone_ends_when_it_is_taken_away(sit):
    session = sit(presence=True).do({"e5", "a1"})
    assert (session.cue("a1"), session.notice) == ("wrong", "table.one_stone")
    session.take("e5", "a1")
    assert (session.cue("a1"), session.notice) == ("legal", "")


def test_a_stone_set_while_the_beginner_is_drawn_is_no_move(sit):
    session = sit(presence=True).do(NEW, "e5")
    assert session.notice == "table.wait_for_draw"
    session.wait(DRAW_S)
    assert (moves(session), session.phase) == ([], Phase.EDIT)
    session.do("e5", "e5")
    assert moves(session) == ["e5"]


def test_a_stone_set_after_the_end_is_refused_and_to_be_taken(sit):
    session = sit(presence=True).do("e5", RESIGN, RESIGN, "a1")
    assert (session.notice, moves(session)) == ("rules.game_over", ["e5"])
    session.do("a1", BACK)
    assert session.phase is Phase.TAP


def test_a_resumed_game_reads_the_board_again(sit):
    session = sit(presence=True).do(*TWO_MEALS, "d4")
    again = session.restarted()
    assert again.state.position == session.state.position
    assert again.state.standing == session.state.standing
    assert [edit.cell for edit in again.state.pending] == ["f5"]
    assert again.scene().notice.key == "table.resumed_felt"
    assert again.state.notices.current.good


def test_what_stands_when_a_game_is_resumed_is_not_new(sit):
    session = sit(presence=True).do("e5", "a1")
    session.stones = {"e5", "a1", "i5"}
    again = session.restarted()
    assert again.state.phase is Phase.EDIT
    assert again.scene().cells["i5"].cue.value == "remove"
    session.stones = {"a1"}
    assert session.restarted().scene().cells["e5"].cue.value == "put"


def test_a_stone_taken_back_but_not_yet_away_is_not_played_again_by_a_restart(sit):
    session = sit(presence=True).do("e5", "a1", BACK)
    again = session.restarted()
    assert again.state.phase is Phase.EDIT
    assert again.state.position == GAME.play(GAME.initial({"first": "1"}), "e5")


def test_until_the_board_has_told_a_resumed_game_asks_for_nothing(sit):
    session = sit(presence=True).do(*TWO_MEALS, {"d4", "f5"}, "g4")
    table = Table(GAME, {}, Random(0), presence=True)
    table.resume(session.saved, 0.0)
    assert table.state.pending == ()


def test_touches_of_felt_cells_are_ignored(sit):
    session = sit(presence=True).do("e5")
    before = session.state
    session.do(Touched("a1"), Lifted("a1"), Touched("e5"), Held("e5"))
    assert session.state is before


def test_a_piece_lifted_and_set_elsewhere_is_the_move_of_a_game_that_moves_pieces(sit):
    session = sit(Toy(), presence=True).do("a")
    assert (session.cue("a"), session.cue("b")) == ("chosen", "legal")
    session.put("b")
    assert moves(session) == ["a-b"]
    assert session.state.standing == {"b": "1", "e": "2"}


def test_a_piece_lifted_and_put_back_is_not_chosen_any_more(sit):
    session = sit(Toy(), presence=True)
    before = session.state
    session.do("a", "a")
    assert session.state == before


def test_two_stones_set_at_once_are_no_move_nor_is_the_one_that_is_left(sit):
    session = sit(presence=True).do({"e5", "a1"})
    assert session.notice == "table.one_stone"
    session.take("a1")
    assert (moves(session), session.phase) == ([], Phase.EDIT)
    assert session.cue("e5") == "remove"
    session.do("e5", "a1")
    assert moves(session) == ["a1"]


def test_a_stone_set_before_the_eaten_ones_are_gone_is_no_move_even_afterwards(sit):
    session = sit(presence=True).do(*TWO_MEALS, "g4")
    assert (session.cue("g4"), session.notice) == ("wrong", "table.first_take_away")
    assert session.table.scene().turn == 1
    session.take("d4", "f5")
    assert moves(session)[-1] == "e6x"
    assert session.cue("g4") in ("wrong", "remove")
    session.do("g4", "g4")
    assert moves(session)[-1] == "g4"
