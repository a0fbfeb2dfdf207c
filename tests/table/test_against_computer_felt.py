"""A computer player at a table that feels stones while they stand."""

import pytest

from game.rules.circle_of_life import GAME
from game.table.book import FLASH_S
from game.table.entries import Kind
from game.table.restoring import SECOND_THOUGHT_S, UNDONE_S
from game.table.state import Phase


@pytest.fixture
def felt(sit):
    """Give a table of stones that are felt, at which blue is a computer."""
    sitting = sit(presence=True)
    sitting.oppose("", "3")
    return sitting


def answered(sitting, orange, blue):
    """Let a person set a stone, and the computer's one be set for it; nothing is eaten."""
    sitting.put(orange)
    sitting.wait(2.0)
    sitting.think(blue)
    sitting.put(blue)
    sitting.wait(2.0)


def eater_of(sitting, cell):
    """Give a move that eats the stone on just this cell."""
    position = sitting.table.state.position
    moves = GAME.legal_moves(position)
    return next(move for move in moves if GAME.removed(position, move) == (cell,))


def moves(sitting):
    return [played.text for played in sitting.table.state.history]


def test_its_stone_is_set_where_it_glows(felt):
    felt.put("e5")
    assert felt.prompts[-1] == "table.thinking"
    felt.think("a1")
    assert felt.cues("proposed") == ["a1"]
    assert felt.prompts[-1] == "table.wants_set"
    felt.put("a1")
    assert moves(felt) == ["e5", "a1"]
    assert felt.table.state.standing == {"e5": "1", "a1": "2"}


def test_a_stone_set_while_it_thinks_must_go_again(felt):
    felt.put("e5")
    felt.put("a1")
    assert felt.notice == "table.wait_for_computer"
    felt.wait(FLASH_S)
    assert felt.cues("remove") == ["a1"]
    felt.think("a1")
    assert felt.cues("proposed") == []
    felt.take("a1")
    assert felt.cues("proposed") == ["a1"]
    felt.put("a1")
    assert moves(felt) == ["e5", "a1"]


def test_a_stone_elsewhere_must_go_again_before_its_own_counts(felt):
    felt.put("e5")
    felt.think("a1")
    felt.put("c3")
    assert felt.notice == "table.not_its_move"
    felt.wait(FLASH_S)
    assert felt.cues("remove") == ["c3"]
    felt.put("a1")
    assert moves(felt) == ["e5"]
    felt.take("c3", "a1")
    felt.put("a1")
    assert moves(felt) == ["e5", "a1"]


def test_its_stone_is_asked_for_once_more_if_it_came_too_early(felt):
    felt.put("e5")
    felt.think("a1")
    felt.put("c3")
    felt.take("c3")
    felt.put("c3", "a1")
    felt.take("c3")
    assert felt.table.state.phase is Phase.EDIT
    felt.wait(FLASH_S)
    assert felt.cues("remove") == ["a1"]
    felt.take("a1")
    assert felt.cues("proposed") == ["a1"]


def test_its_stone_lifted_and_put_back_is_its_move_again(felt):
    answered(felt, "e5", "a1")
    felt.take("a1")
    assert felt.kept[-1].kind is Kind.TAKE_BACK
    assert moves(felt) == ["e5"]
    assert felt.cues("proposed") == ["a1"]
    assert felt.table.wanted() is None
    felt.put("a1")
    assert moves(felt) == ["e5", "a1"]


@pytest.mark.parametrize("wait_s", [1.0, UNDONE_S + 1.0])
def test_its_stone_put_back_elsewhere_is_refused_however_late(felt, wait_s):
    answered(felt, "e5", "a1")
    felt.take("a1")
    felt.wait(wait_s)
    felt.put("c3")
    assert felt.notice == "table.not_its_move"
    felt.take("c3")
    felt.put("a1")
    assert moves(felt) == ["e5", "a1"]


def test_both_stones_lifted_give_the_person_another_choice(felt):
    answered(felt, "e5", "a1")
    felt.take("a1")
    felt.take("e5")
    assert moves(felt) == []
    assert felt.table.wanted() is None
    felt.wait(UNDONE_S)
    answered(felt, "g4", "c1")
    assert moves(felt) == ["g4", "c1"]


def test_both_stones_put_back_are_both_moves_again(felt):
    answered(felt, "e5", "a1")
    felt.take("a1")
    felt.take("e5")
    felt.put("e5", "a1")
    assert moves(felt) == ["e5", "a1"]
    assert felt.table.state.phase is Phase.TAP


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


def test_a_stone_that_eats_elsewhere_than_it_wants_is_the_persons_who_thought_again(sit):
    # Colours are not felt: orange's last stone is gone, and one stands elsewhere.
    felt = sit(presence=True)
    felt.set_in_turn("a1", "e5", "e6")
    felt.oppose("", "3")
    eats = eater_of(felt, "e6")
    felt.wait(2.0)
    felt.think("i1")
    felt.take("e6")
    felt.put(eats)
    assert moves(felt) == ["a1", "e5", eats]
    assert felt.table.state.history[-1].player == 1
    assert felt.table.scene().thinking


def test_an_older_stone_lifted_for_another_meal_than_it_wants_is_to_be_put_back(sit):
    felt = sit(presence=True)
    felt.set_in_turn("e5", "d4", "a1")
    felt.oppose("", "3")
    eats = eater_of(felt, "e5")
    felt.wait(2.0)
    felt.think("i1")
    felt.take("e5")
    felt.put(eats)
    assert moves(felt) == ["e5", "d4", "a1"]
    felt.wait(FLASH_S)
    assert (felt.cues("remove"), felt.cues("put")) == ([eats], ["e5"])


def test_after_a_restart_it_thinks_anew_while_the_board_is_put_right(felt):
    answered(felt, "e5", "a1")
    felt.put("g4")
    felt.stones.discard("a1")
    table = felt.restarted()
    assert table.state.phase is Phase.EDIT
    assert table.wanted() is not None
    assert not table.scene().thinking
    felt.table = table
    felt.think("c3")
    assert felt.cues("proposed") == []
    felt.put("a1")
    assert felt.cues("proposed") == ["c3"]
