"""A computer player at a table that senses standing stones."""

import pytest

from game.rules.circle_of_life import GAME
from game.table.phases import Phase
from game.table.state import REJECTED_S
from game.table.stones import SECOND_THOUGHT_S, UNDO_S


@pytest.fixture
def felt(sit):
    """Return a table that senses stones, at which blue is a computer."""
    session = sit(presence=True)
    session.oppose("", "3")
    return session


def answered(session, orange, blue):
    """Set a person's stone, then the computer's for it; nothing is eaten."""
    session.put(orange)
    session.wait(2.0)
    session.think(blue)
    session.put(blue)
    session.wait(2.0)


def eater_of(session, cell):
    """Return a move that eats the stone on just this cell."""
    position = session.table.state.position
    moves = GAME.legal_moves(position)
    return next(move for move in moves if GAME.result(position, move).removed == (cell,))


def moves(session):
    return [played.text for played in session.table.state.history]


def test_its_stone_is_asked_for_once_more_if_it_came_too_early(felt):
    felt.put("e5")
    felt.think("a1")
    felt.put("c3")
    felt.take("c3")
    felt.put("c3", "a1")
    felt.take("c3")
    assert felt.table.state.phase is Phase.EDIT
    felt.wait(REJECTED_S)
    assert felt.cues("remove") == ["a1"]
    felt.take("a1")
    assert felt.cues("proposed") == ["a1"]


@pytest.mark.parametrize("wait_s", [1.0, UNDO_S + 1.0])
def test_its_stone_put_back_elsewhere_is_refused_however_late(felt, wait_s):
    answered(felt, "e5", "a1")
    felt.take("a1")
    felt.wait(wait_s)
    felt.put("c3")
    assert felt.notice == "table.not_its_move"
    felt.take("c3")
    felt.put("a1")
    assert moves(felt) == ["e5", "a1"]


def test_what_it_eats_can_be_lifted_before_its_stone_is_set(sit):
    felt = sit(presence=True)
    felt.set_in_turn("e5", "d4", "a1")
    felt.oppose("", "3")
    felt.wait(2.0)
    eats = eater_of(felt, "e5")
    felt.think(eats)
    felt.take("e5")
    felt.put(eats)
    assert moves(felt)[-1] == f"{eats}x"
    assert felt.table.state.phase is Phase.TAP


def test_its_prey_can_be_lifted_first_even_if_that_was_the_stone_set_last(sit):
    felt = sit(presence=True)
    felt.set_in_turn("a1", "e5", "a3")
    felt.oppose("", "3")
    felt.think("i1")
    felt.put("i1")
    felt.wait(2.0)
    felt.put("e6")
    felt.wait(SECOND_THOUGHT_S + 1.0)
    eats = eater_of(felt, "e6")
    felt.think(eats)
    felt.take("e6")
    assert moves(felt)[-1] == "i1"
    felt.put(eats)
    assert moves(felt)[-2:] == ["e6", f"{eats}x"]
    assert felt.notice == "table.counts_as_eaten"


def test_after_a_restart_it_thinks_anew_while_the_board_is_put_right(felt):
    answered(felt, "e5", "a1")
    felt.put("g4")
    felt.stones.discard("a1")
    table = felt.restarted()
    assert table.state.phase is Phase.EDIT
    assert table.search_request() is not None
    assert not table.scene().thinking
    felt.table = table
    felt.think("c3")
    assert felt.cues("proposed") == []
    felt.put("a1")
    assert felt.cues("proposed") == ["c3"]
