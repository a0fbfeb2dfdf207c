"""Boards as people leave them: each cell's cue, the words, and how play resumes by itself."""

from itertools import permutations
from random import Random

import pytest

from game.rules.circle_of_life import GAME
from game.table.phases import Phase
from tests.table.random_game import TWO_MEALS

EIGHT = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1")


@pytest.fixture
def play(sit):
    """Play some moves where stones are sensed, and let the last move's notices expire."""

    def _play(*cells, **options):
        return sit(presence=True, **options).do(*cells, 10.0)

    return _play


def piece_at(colour, cell):
    return f"table.piece_at(piece=piece.{colour}, cell={cell})"


@pytest.mark.parametrize("order", [*permutations(("e2", "g3", "a3"))], ids=" ".join)
def test_a_wrong_board_is_put_right_in_any_order_of_hands(play, order):
    session = play(*EIGHT)
    saved = list(session.saved)
    session.do({"e2", "a3"}, "g3")
    for cell in order:
        assert session.phase is Phase.EDIT
        session.take(cell) if cell in session.stones else session.put(cell)
    assert session.phase is Phase.TAP
    assert (session.saved, session.notice) == (saved, "")
    session.put("i5")
    assert session.moves[-1] == "i5"


@pytest.mark.parametrize("seed", range(2))
def test_a_knocked_over_board_is_laid_out_again_in_any_order(play, seed):
    session, rng = play(*EIGHT), Random(seed)
    saved = list(session.saved)
    fallen = rng.sample(EIGHT, 7)
    session.take(*fallen)
    strewn = rng.sample(sorted(set(GAME.board.cells) - set(EIGHT)), 6)
    session.put(*strewn)
    assert session.notice == "table.hand_rests"
    session.wait(10.0)
    assert set(session.cues("put")) == set(fallen)
    assert set(session.cues("remove")) == set(strewn)
    tidying = [*fallen, *strewn]
    rng.shuffle(tidying)
    for cell in tidying:
        assert session.phase is Phase.EDIT
        session.take(cell) if cell in session.stones else session.put(cell)
    assert (session.phase, session.saved) == (Phase.TAP, saved)


def test_a_slid_stone_is_to_be_lifted_and_put_back(play):
    session = play(*EIGHT)
    session.stones.remove("e2")
    session.put("g3")
    assert (session.cues("put"), session.cues("wrong")) == (["e2"], ["g3"])
    assert session.notice == "table.first_put"
    session.wait(10.0)
    assert session.cues("remove") == ["g3"]
    session.stones.remove("g3")
    session.put("e2")
    assert (session.phase, session.moves) == (Phase.TAP, list(EIGHT))


def test_a_resting_hand_that_leaves_finger_by_finger_makes_no_move(play):
    session = play(*EIGHT)
    hand = ["f4", "f5", "g3", "g4", "h2"]
    session.put(*hand)
    for cell in hand:
        session.take(cell)
    assert (session.moves, session.phase) == (list(EIGHT), Phase.TAP)


@pytest.mark.parametrize("order", [*permutations(("d4", "f5", "g4"))], ids=" ".join)
def test_a_hurried_players_stone_and_the_eaten_ones_go_in_any_order(play, order):
    session = play(*TWO_MEALS).do("g4")
    for cell in order:
        assert session.moves[-1] == "e6x"
        session.take(cell)
    assert session.phase is Phase.TAP
    session.put("g4")
    assert session.moves[-1] == "g4"


def test_the_last_eaten_stone_taken_while_the_next_is_set_makes_no_move(play):
    session = play(*TWO_MEALS).do("d4")
    session.stones.remove("f5")
    session.put("g4")
    assert (session.cue("g4"), session.notice) == ("wrong", "table.set_again")
    session.do("g4", "g4")
    assert session.moves[-1] == "g4"
