"""Positions from outside: what a JSON object may say, and what is refused."""

from typing import Any

import pytest

from game.rules.base.errors import BadOption, BadPosition
from game.rules.circle_of_life import GAME

FIVE = dict.fromkeys(("a1", "a2", "a3", "a4", "a5"), "1")


@pytest.mark.parametrize(
    ("shown", "key"),
    [
        ({"pieces": FIVE}, "circle_of_life.impossible"),
        ({"pieces": {"e3": 2, "e4": 2, "E4": 2, "e6": 2, "d4": 2}}, "circle_of_life.impossible"),
        ({"pieces": {"e10": "1"}}, "rules.no_such_cell"),
        ({"pieces": {"": "1"}}, "rules.no_such_cell"),
        ({"pieces": {"E9": "1"}}, "rules.no_such_cell"),
        ({"pieces": {"e5": "3"}}, "rules.bad_piece"),
        ({"pieces": {"e5": "0"}}, "rules.bad_piece"),
        ({"pieces": {"e5": ""}}, "rules.bad_piece"),
        ({"pieces": {"e5": "1", "E4": "1"}}, "rules.cell_twice"),
        ({"pieces": {"I4": "1", "a1": "2"}}, "rules.cell_twice"),
        ({"pieces": ["e5"]}, "rules.bad_key"),
        ({"pieces": None}, "rules.bad_key"),
        ({"score": [0]}, "rules.bad_key"),
        ({"score": [0, 0, 0]}, "rules.bad_key"),
        ({"score": "00"}, "rules.bad_key"),
        ({"score": [20, 20]}, "rules.both_won"),
        ({"to_move": 0}, "rules.bad_key"),
        ({"to_move": 3}, "rules.bad_key"),
        ({"to_move": True}, "rules.bad_key"),
        ({"to_move": None}, "rules.not_over"),
        ({"to_move": None, "outcome": {"winner": 1}}, "rules.not_over"),
    ],
)
def test_a_position_that_cannot_be_is_refused(shown: dict[str, Any], key: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.from_json(shown, {})
    assert caught.value.message.key == key


@pytest.mark.parametrize("target", ["0", "1000", "x"])
def test_a_position_with_a_bad_target_is_refused(target: str) -> None:
    with pytest.raises(BadOption):
        GAME.from_json({"pieces": {}}, {"target": target})


def test_a_position_leaves_out_what_is_as_at_the_start() -> None:
    assert GAME.from_json({}, {}) == GAME.initial()
    assert GAME.from_json({}, {"first": "2"}) == GAME.initial({"first": "2"})
    assert GAME.from_json({"to_move": 1}, {"first": "2"}) == GAME.initial()


def test_a_position_may_name_cells_in_the_other_notation() -> None:
    shown = {"pieces": {"E4": "1", "I4": 2}}
    assert GAME.pieces(GAME.from_json(shown, {})) == {"a1": "2", "e5": "1"}
