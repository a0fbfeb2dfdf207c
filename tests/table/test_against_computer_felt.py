"""A computer player at a table that senses standing stones."""

import pytest

from game.rules.circle_of_life import GAME
from game.table.phases import Phase
from game.table.state import REJECTED_S
from game.table.stones import SECOND_THOUGHT_S, UNDO_S


@pytest.fixture
def sensed(sit):
    """Return a table that senses stones, at which blue is a computer."""
    session = sit(presence=True)
    session.oppose("", "3")
    return session


def answered(session, orange, blue):
    """Set a person's stone, then the computer's for it; nothing is eaten."""
    session.do(orange, 2.0)
    session.think(blue)
    session.do(blue, 2.0)


def eater_of(session, cell):
    """Return a move that eats the stone on just this cell."""
    position = session.state.position
    moves = GAME.legal_moves(position)
    return next(move for move in moves if GAME.result(position, move).removed == (cell,))


def test_its_stone_is_asked_for_once_more_if_it_came_too_early(sensed):
    sensed.put("e5")
    sensed.think("a1")
    sensed.do("c3", "c3", {"c3", "a1"}, "c3")
    assert sensed.phase is Phase.EDIT
    sensed.wait(REJECTED_S)
    assert sensed.cues("remove") == ["a1"]
    sensed.take("a1")
    assert sensed.cues("proposed") == ["a1"]


@pytest.mark.parametrize("wait_s", [1.0, UNDO_S + 1.0])
def test_its_stone_put_back_elsewhere_is_refused_however_late(sensed, wait_s):
    answered(sensed, "e5", "a1")
    sensed.take("a1")
    sensed.wait(wait_s)
    sensed.put("c3")
    assert sensed.notice == "table.not_its_move"
    sensed.do("c3", "a1")
    assert sensed.moves == ["e5", "a1"]


def test_what_it_eats_can_be_lifted_before_its_stone_is_set(sit):
    sensed = sit(presence=True).do("e5", "d4", "a1")
    sensed.oppose("", "3")
    sensed.wait(2.0)
    eats = eater_of(sensed, "e5")
    sensed.think(eats)
    sensed.do("e5", eats)
    assert sensed.moves[-1] == f"{eats}x"
    assert sensed.phase is Phase.TAP


def test_its_prey_can_be_lifted_first_even_if_that_was_the_stone_set_last(sit):
    sensed = sit(presence=True).do("a1", "e5", "a3")
    sensed.oppose("", "3")
    sensed.think("i1")
    sensed.do("i1", 2.0, "e6", SECOND_THOUGHT_S + 1.0)
    eats = eater_of(sensed, "e6")
    sensed.think(eats)
    sensed.take("e6")
    assert sensed.moves[-1] == "i1"
    sensed.put(eats)
    assert sensed.moves[-2:] == ["e6", f"{eats}x"]
    assert sensed.notice == "table.counts_as_eaten"


def test_after_a_restart_it_thinks_anew_while_the_board_is_put_right(sensed):
    answered(sensed, "e5", "a1")
    sensed.put("g4")
    sensed.stones.discard("a1")
    table = sensed.restarted()
    assert table.state.phase is Phase.EDIT
    assert table.search_request() is not None
    assert not table.scene().thinking
    sensed.table = table
    sensed.think("c3")
    assert sensed.cues("proposed") == []
    sensed.put("a1")
    assert sensed.cues("proposed") == ["c3"]
