"""Positions of Circle of Life on one line of text."""

import pytest

from game.rules.base.errors import BadPosition
from game.rules.circle_of_life import GAME

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
        EMPTY,
        f"{EMPTY} 1 0-0",
        f"{EMPTY} 1 0 20",
        f"{EMPTY} 0 0-0 20",
        f"{EMPTY} 1 0-x 20",
        f"{EMPTY} 1 20-20 20",
        f"{EMPTY} 1 0-0 0",
        f"{EMPTY} 1 0-\u0661 20",
        f"{EMPTY[1:]} 1 0-0 20",
        f"{EMPTY.replace('/', '')} 1 0-0 20",
        f"3{EMPTY[1:]} 1 0-0 20",
        f"11111{EMPTY[5:]} 1 0-0 20",
        # A minus sign or an overlong number must not pass for anything else.
        pytest.param(f"{EMPTY} 1 0--5 20", id="negative"),
        pytest.param(f"{EMPTY} 1 -3-0 20", id="negative first"),
        pytest.param(f"{EMPTY} 1-0-0-20", id="dashes for spaces"),
        pytest.param(f"{EMPTY} 1 0-{'9' * 5000} 20", id="5000 digits"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadPosition):
        GAME.parse(text)
