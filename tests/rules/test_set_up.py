"""Positions that are set up: what can stand, what cannot, and which cells say so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.rules.errors import BadPosition
from game.rules.game import Flaw
from tests.helpers.effort import examples
from tests.oracles.naive_circle import CELLS, LARGEST, NaivePosition, critter_at

OPTIONS = {"first": "1", "target": "20"}
# Many stones on few cells, so that critters of five come about as often as not.
CORNER = [cell for cell in CELLS if cell[0] in "abc"]
PIECES = st.one_of(
    st.dictionaries(st.sampled_from(CELLS), st.sampled_from("12"), max_size=40),
    st.dictionaries(st.sampled_from(CORNER), st.sampled_from("12"), max_size=9),
)


def largest_critter(pieces: dict[str, str]) -> int:
    stones = {cell: int(piece) for cell, piece in pieces.items()}
    return max((len(critter_at(stones, cell)) for cell in stones), default=0)


def set_up(pieces: dict[str, str], score: tuple[int, int] = (0, 0)) -> object:
    return GAME.set_up(pieces, 1, score, OPTIONS)


@examples(40, 300)
@given(PIECES)
def test_pieces_without_a_flaw_are_those_that_can_be_set_up(pieces: dict[str, str]) -> None:
    flaw = GAME.flaw(pieces)
    assert (flaw is None) == (largest_critter(pieces) <= LARGEST)
    if flaw is None:
        position = set_up(pieces)
        assert GAME.pieces(GAME.parse(GAME.text(position))) == pieces
    else:
        with pytest.raises(BadPosition) as refused:
            set_up(pieces)
        assert refused.value.message == flaw.message


@examples(40, 300)
@given(PIECES)
def test_the_cells_of_a_flaw_are_one_whole_critter_of_one_player(pieces: dict[str, str]) -> None:
    flaw = GAME.flaw(pieces)
    if flaw is not None:
        stones = {cell: int(piece) for cell, piece in pieces.items()}
        assert flaw.cells == critter_at(stones, next(iter(flaw.cells)))
        assert flaw.message.args["stones"] == len(flaw.cells) > LARGEST


@examples(20, 100)
@given(PIECES, st.integers(1, 2), st.tuples(st.integers(0, 19), st.integers(0, 19)))
def test_a_set_up_position_has_the_moves_of_a_naive_one(
    pieces: dict[str, str], to_move: int, score: tuple[int, int]
) -> None:
    if GAME.flaw(pieces) is not None:
        return
    position = GAME.set_up(pieces, to_move, score, OPTIONS)
    naive = NaivePosition({cell: int(piece) for cell, piece in pieces.items()}, to_move, score)
    assert sorted(GAME.legal_moves(position)) == naive.legal()
    outcome = GAME.outcome(position)
    assert (outcome.winner if outcome else None) == naive.winner()
    assert GAME.score(position) == score
    assert GAME.parse(GAME.text(position)) == position


def test_a_critter_of_five_is_named_with_its_cells() -> None:
    cells = ("e1", "e2", "e3", "e4", "e5")
    flaw = GAME.flaw({**dict.fromkeys(cells, "2"), "a1": "1"})
    assert isinstance(flaw, Flaw)
    assert flaw.cells == set(cells)
    assert flaw.message.key == "circle_of_life.impossible"
    assert flaw.message.args == {"cells": cells, "stones": 5, "most": 4}


@pytest.mark.parametrize("score", [(20, 0), (0, 20), (25, 3)])
def test_a_set_up_position_may_be_over(score: tuple[int, int]) -> None:
    outcome = GAME.outcome(set_up({"e5": "1"}, score))
    assert outcome is not None
    assert outcome.winner == (1 if score[0] >= 20 else 2)


@pytest.mark.parametrize(
    ("pieces", "to_move", "score"),
    [
        ({}, 1, (20, 20)),
        ({}, 0, (0, 0)),
        ({}, 3, (0, 0)),
        ({"z9": "1"}, 1, (0, 0)),
        ({"e5": "3"}, 1, (0, 0)),
        ({}, 1, (0,)),
        ({}, 1, (0, -1)),
        ({}, 1, (0, 10_000)),
    ],
)
def test_what_no_position_has_is_refused(
    pieces: dict[str, str], to_move: int, score: tuple[int, ...]
) -> None:
    with pytest.raises(BadPosition):
        GAME.set_up(pieces, to_move, score, OPTIONS)
