"""Boards as people leave them: the cue of each cell, the words, and how play goes on by itself."""

from itertools import permutations
from random import Random

import pytest

from game.rules.circle_of_life import GAME
from game.table.records import Phase
from tests.table.random_game import TWO_MEALS

EIGHT = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1")


@pytest.fixture
def play(sit):
    """Play some moves where stones are felt, and let the words of the last one fade."""

    def _play(*cells, **options):
        sitting = sit(presence=True, **options)
        sitting.set_in_turn(*cells)
        sitting.wait(10.0)
        return sitting

    return _play


def moves(sitting):
    return [each.text for each in sitting.table.state.history]


def piece_at(colour, cell):
    return f"table.piece_at(piece=piece.{colour}, cell={cell})"


@pytest.mark.parametrize("order", [*permutations(("e2", "g3", "a3"))], ids=" ".join)
def test_a_wrong_board_is_put_right_in_any_order_of_hands(play, order):
    sitting = play(*EIGHT)
    kept = list(sitting.kept)
    sitting.take("e2", "a3")
    sitting.put("g3")
    for cell in order:
        assert sitting.table.state.phase is Phase.EDIT
        sitting.take(cell) if cell in sitting.stones else sitting.put(cell)
    assert sitting.table.state.phase is Phase.TAP
    assert (sitting.kept, sitting.notice) == (kept, "")
    sitting.put("i5")
    assert moves(sitting)[-1] == "i5"


@pytest.mark.parametrize("seed", range(2))
def test_a_knocked_over_board_is_laid_out_again_in_any_order(play, seed):
    sitting, rng = play(*EIGHT), Random(seed)
    kept = list(sitting.kept)
    fallen = rng.sample(EIGHT, 7)
    sitting.take(*fallen)
    strewn = rng.sample(sorted(set(GAME.board.cells) - set(EIGHT)), 6)
    sitting.put(*strewn)
    assert sitting.notice == "table.hand_rests"
    sitting.wait(10.0)
    assert set(sitting.cues("put")) == set(fallen)
    assert set(sitting.cues("remove")) == set(strewn)
    tidying = [*fallen, *strewn]
    rng.shuffle(tidying)
    for cell in tidying:
        assert sitting.table.state.phase is Phase.EDIT
        sitting.take(cell) if cell in sitting.stones else sitting.put(cell)
    assert (sitting.table.state.phase, sitting.kept) == (Phase.TAP, kept)


def test_a_slid_stone_is_to_be_lifted_and_put_back(play):
    sitting = play(*EIGHT)
    sitting.stones.remove("e2")
    sitting.put("g3")
    assert (sitting.cues("put"), sitting.cues("wrong")) == (["e2"], ["g3"])
    assert sitting.notice == "table.first_put"
    sitting.wait(10.0)
    assert sitting.cues("remove") == ["g3"]
    sitting.stones.remove("g3")
    sitting.put("e2")
    assert (sitting.table.state.phase, moves(sitting)) == (Phase.TAP, list(EIGHT))


def test_a_resting_hand_that_leaves_finger_by_finger_makes_no_move(play):
    sitting = play(*EIGHT)
    hand = ["f4", "f5", "g3", "g4", "h2"]
    sitting.put(*hand)
    for cell in hand:
        sitting.take(cell)
    assert (moves(sitting), sitting.table.state.phase) == (list(EIGHT), Phase.TAP)


@pytest.mark.parametrize("order", [*permutations(("d4", "f5", "g4"))], ids=" ".join)
def test_a_hurried_players_stone_and_the_eaten_ones_go_in_any_order(play, order):
    sitting = play(*TWO_MEALS)
    sitting.put("g4")
    for cell in order:
        assert moves(sitting)[-1] == "e6x"
        sitting.take(cell)
    assert sitting.table.state.phase is Phase.TAP
    sitting.put("g4")
    assert moves(sitting)[-1] == "g4"


def test_the_last_eaten_stone_taken_while_the_next_is_set_makes_no_move(play):
    sitting = play(*TWO_MEALS)
    sitting.take("d4")
    sitting.stones.remove("f5")
    sitting.put("g4")
    assert (sitting.cue("g4"), sitting.notice) == ("wrong", "table.set_again")
    sitting.take("g4")
    sitting.put("g4")
    assert moves(sitting)[-1] == "g4"
