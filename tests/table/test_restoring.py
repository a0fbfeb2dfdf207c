"""Where stones are sensed: boards as people leave them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.table import Phase
from game.table.inputs import Command
from tests.helpers.effort import examples
from tests.table.random_game import TWO_MEALS, TableSession

EIGHT = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1")
BACK = Command.TAKE_BACK


@examples(10, 25)
@given(st.integers(0, 2**32))
def test_ordinary_games_are_the_same_in_any_order_of_hands(seed):
    rng = Random(seed)
    session = TableSession(GAME, {"first": "1", "target": "8"}, presence=True)
    position = session.state.position
    while GAME.outcome(position) is None:
        moves = list(GAME.legal_moves(position))
        meals = [move for move in moves if GAME.result(position, move).removed]
        move = rng.choice(meals or moves)
        hands = [move, *GAME.result(position, move).removed]
        rng.shuffle(hands)
        position = GAME.play(position, move)
        session.do(*hands)
        assert (session.state.position, session.state.pending) == (position, ())


def test_a_cell_whose_stone_changed_colour_asks_for_the_right_one(sit):
    # Blue's e4 was eaten, and orange has set a stone there since.
    session = sit(presence=True).do("e5", "e4", "e6", "e4", "a1", "e4", BACK, BACK, BACK)
    assert session.pieces == {"e4": "2", "e5": "1"}
    assert (session.cues("remove"), session.cues("swap")) == (["a1", "e6"], ["e4"])
    assert session.prompts == ["table.lift", "table.exchange_felt"]
    session.do({"a1", "e6"})
    assert session.cues("swap") == ["e4"], "an orange stone is not a blue one"
    assert session.do("e4", "e4").phase is Phase.TAP
    assert session.state.standing == session.pieces


@pytest.mark.parametrize("gone", [1, 3, 8])
def test_stones_that_are_gone_are_to_be_put_back_and_take_no_move_back(sit, gone):
    session = sit(presence=True).do(*EIGHT, {*EIGHT[-gone:]})
    assert (session.moves, set(session.cues("put"))) == ([*EIGHT], {*EIGHT[-gone:]})
    assert session.do(*EIGHT[-gone:]).phase is Phase.TAP


# Wrong boards.


@pytest.mark.parametrize("seed", range(2))
def test_a_knocked_over_board_is_laid_out_again_in_any_order(sit, seed):
    session, rng = sit(presence=True).do(*EIGHT, 10.0), Random(seed)
    saved = list(session.saved)
    fallen = rng.sample(EIGHT, 7)
    strewn = rng.sample(sorted(set(GAME.board.cells) - set(EIGHT)), 6)
    assert session.do({*fallen}, {*strewn}).notice == "table.first_put"
    session.wait(10.0)
    assert set(session.cues("put")) == set(fallen)
    assert set(session.cues("remove")) == set(strewn)
    tidying = [*fallen, *strewn]
    rng.shuffle(tidying)
    for cell in tidying:
        assert session.phase is Phase.EDIT
        session.do(cell)
    assert (session.phase, session.saved) == (Phase.TAP, saved)


@pytest.mark.parametrize("cell", ["e2", "i1"])
def test_a_slid_stone_is_to_be_lifted_and_put_back(sit, cell):
    session = sit(presence=True).do(*EIGHT, 10.0, {cell, "g3"})
    assert (session.cues("put"), session.cues("wrong")) == ([cell], ["g3"])
    assert (session.notice, session.do(10.0).cues("remove")) == ("table.first_put", ["g3"])
    again = session.twin().do("g3")
    assert (again.phase, again.cues("put")) == (Phase.EDIT, [cell]), "it had to go anyhow"
    assert again.do(cell).phase is Phase.TAP
    session.do({"g3", cell})
    assert (session.phase, session.moves) == (Phase.TAP, [*EIGHT])
    # One set while the last eaten stone is taken is to be set again.
    session = sit(presence=True).do(*TWO_MEALS, "d4", {"f5", "g4"})
    assert (session.cue("g4"), session.notice) == ("wrong", "table.set_again")
    assert session.do("g4", "g4").moves[-1] == "g4"
