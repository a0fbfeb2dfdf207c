"""Texts that are no legal move of Adaptoid are refused, and why."""

import pytest

from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import Position
from game.rules.base.errors import IllegalMove
from tests.helpers.games.adaptoid_positions import EVERYTHING, SCENE, after, at

SCENE_NOW = at(SCENE)
FULL_NOW = at({**EVERYTHING, "g4": "B0L0P"})
OVER = after(at({"d4": "W1L1P", "d5": "B0L0P"}), "d4xd5/")
CHOOSING = after(GAME.initial(), "W:d4 B:e4")


@pytest.mark.parametrize(
    ("position", "text", "key"),
    [
        (GAME.initial(), "W:d4 B:d4", "same_cell"),
        (GAME.initial(), "W:d4 B:h1", "no_such_cell"),
        (GAME.initial(), "W:d8 B:d1", "no_such_cell"),
        (GAME.initial(), "B:d4 W:e4", "bad_placing"),
        (GAME.initial(), "W:d4  B:e4", "bad_placing"),
        (CHOOSING, "White", "bad_choice"),
        (CHOOSING, "W:d4 B:e4", "bad_choice"),
        (SCENE_NOW, "white", "bad_turn"),
        (SCENE_NOW, "W:a1 B:a2", "bad_turn"),
        (SCENE_NOW, "e4-e5/c3L", "not_yours"),
        (SCENE_NOW, "a1-a2/c3L", "not_yours"),
        (SCENE_NOW, "d4-d4/d4L", "stays"),
        (SCENE_NOW, "d4-c3/c3L", "occupied"),
        (SCENE_NOW, "c3-c4/c4L", "too_far"),
        (SCENE_NOW, "d4-d7/c3L", "too_far"),
        (SCENE_NOW, "e1xe2/c3L", "no_pincer"),
        (SCENE_NOW, "d4xd5/d5L", "no_enemy"),
        (SCENE_NOW, "d4-e4/e4L", "write_x"),
        (SCENE_NOW, "d4-d5/", "must_grow"),
        (SCENE_NOW, "/", "must_grow"),
        (SCENE_NOW, "/+d4", "occupied"),
        (SCENE_NOW, "/+g4", "not_adjacent"),
        (SCENE_NOW, "/b4L", "no_socket"),
        (FULL_NOW, "/+d4", "nothing_grows"),
        (FULL_NOW, "e2-d3/d3L", "nothing_grows"),
        (OVER, "/d5L", "game_over"),
        (OVER, "white", "game_over"),
    ],
)
def test_an_illegal_text_is_refused_and_says_why(position: Position, text: str, key: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse_move(position, text)
    assert caught.value.message.key.partition(".")[2] == key
