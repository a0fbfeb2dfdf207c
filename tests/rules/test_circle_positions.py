"""Positions of Circle of Life in writing: as text, as JSON, and set up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.base.errors import BadPosition
from game.rules.circle_of_life import GAME, Position
from tests.helpers.effort import examples
from tests.oracles.naive_circle import CELLS, LARGEST, critter_at

EMPTY = "...../....../......./......../........./......../......./....../....."


def test_text_draws_rows_from_the_top() -> None:
    shown = {"pieces": {"i1": "1", "a5": "2", "e5": "1"}, "to_move": 2, "score": [3, 14]}
    position = GAME.from_json(shown, {"target": "15"})
    drawn = "1..../....../......./......../....1..../......../......./....../....2"
    assert GAME.text(position) == f"{drawn} 2 3-14 15"
    assert GAME.text(GAME.initial()) == f"{EMPTY} 1 0-0 20"


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"{EMPTY} 1 0-0",
        f"{EMPTY} 1 0-0 0",
        f"{EMPTY} 1 0-\u0661 20",
        f"{EMPTY[1:]} 1 0-0 20",
        f"3{EMPTY[1:]} 1 0-0 20",
        f"11111{EMPTY[5:]} 1 0-0 20",
        # A minus sign or an overlong number must not pass for anything else.
        pytest.param(f"{EMPTY} 1 0--5 20", id="negative"),
        pytest.param(f"{EMPTY} 1-0-0-20", id="dashes for spaces"),
        pytest.param(f"{EMPTY} 1 0-{'9' * 5000} 20", id="5000 digits"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadPosition):
        GAME.parse(text)


FIVE = dict.fromkeys(("a1", "a2", "a3", "a4", "a5"), "1")


@pytest.mark.parametrize(
    ("shown", "key"),
    [
        ({"pieces": FIVE}, "circle_of_life.impossible"),
        ({"pieces": {"e5": "1", "E4": "1"}}, "rules.cell_twice"),
        ({"score": [0, 0, 0]}, "rules.bad_key"),
        ({"score": [20, 20]}, "rules.both_won"),
        ({"to_move": True}, "rules.bad_key"),
        ({"to_move": None}, "rules.not_over"),
        ({"to_move": None, "outcome": {"winner": 1}}, "rules.not_over"),
    ],
)
def test_a_position_that_cannot_be_is_refused(shown: dict[str, Any], key: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.from_json(shown, {})
    assert caught.value.message.key == key


def test_a_position_may_name_cells_in_the_other_notation() -> None:
    shown = {"pieces": {"E4": "1", "I4": 2}}
    assert GAME.pieces(GAME.from_json(shown, {})) == {"a1": "2", "e5": "1"}


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


def set_up(pieces: dict[str, str]) -> Position:
    return GAME.from_json({"pieces": pieces}, OPTIONS)


def refusal(pieces: dict[str, str]) -> BadPosition | None:
    try:
        set_up(pieces)
    except BadPosition as error:
        return error
    return None


@examples(40, 300)
@given(PIECES)
def test_pieces_can_be_set_up_unless_a_critter_is_too_big(pieces: dict[str, str]) -> None:
    refused = refusal(pieces)
    assert (refused is None) == (largest_critter(pieces) <= LARGEST)
    if refused is None:
        assert GAME.pieces(GAME.parse(GAME.text(set_up(pieces)))) == pieces
        return
    stones = {cell: int(piece) for cell, piece in pieces.items()}
    assert refused.cells == critter_at(stones, next(iter(refused.cells)))
    assert refused.message.args["stones"] == len(refused.cells) > LARGEST
