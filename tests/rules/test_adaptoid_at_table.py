"""Adaptoid as the table sees it: touches, keys and edits."""

from typing import Any

import pytest

from game.common import words
from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import Position
from game.rules.base.message import Message
from game.rules.base.values import CHOICES
from tests.helpers.games.adaptoid_positions import FULL, SCENE, after, at


def move_of(position: Position, text: str) -> Any:
    return GAME.parse_move(position, text)


def taps(position: Position, text: str) -> tuple[str, ...]:
    return GAME.taps(position, move_of(position, text))


def english(message: Message) -> str:
    return words("en").text(message)


# Touches


def test_taps_are_as_agreed() -> None:
    start = GAME.initial()
    assert taps(start, "W:d4 B:e4") == ("d4", "e4")
    choosing = after(start, "W:d4 B:e4")
    assert taps(choosing, "white") == ("d4",)
    assert taps(choosing, "black") == ("e4",)
    scene = at(SCENE)
    assert taps(scene, "/+d5") == ("d5",)
    assert taps(scene, "/c3L") == ("c3", "choice1")
    assert taps(scene, "/c3P") == ("c3", "choice2")
    assert taps(scene, "d4-d5/d5L") == ("d4", "d5", "d5", "choice1")
    assert taps(scene, "d4-d5/c3P") == ("d4", "d5", "c3", "choice2")
    assert taps(scene, "d4-d5/+d4") == ("d4", "d5", "d4")
    assert taps(scene, "d4xe4/e4P") == ("d4", "e4", "e4", "choice2")
    assert taps(at(FULL), "e2-d3/") == ("e2", "d3")
    assert taps(at(FULL), "/") == ("choice1",)


@pytest.mark.parametrize(
    ("pieces", "more", "touched", "key"),
    [
        (SCENE, {}, ("choice1",), "must_grow"),
        (SCENE, {}, ("zz",), "no_such_cell"),
        (SCENE, {}, ("e4",), "not_yours"),
        (SCENE, {}, ("g4",), "not_adjacent"),
        (SCENE, {}, ("c3", "c4"), "too_far"),
        (SCENE, {}, ("c3", "c3"), "stays"),
        (SCENE, {}, ("d4", "c3"), "occupied"),
        (SCENE, {}, ("e1", "e2"), "no_pincer"),
        (SCENE, {}, ("b4", "choice1"), "no_socket"),
        (SCENE, {}, ("d4", "d5", "d5", "d6"), "press_key"),
        (FULL, {}, ("a1",), "nothing_grows"),
        (SCENE, {"score": [5, 0]}, ("d4",), "game_over"),
        ({}, {}, ("choice1",), "no_key"),
        ({}, {}, ("d4", "d4"), "same_cell"),
        ({"d4": "W0L0P", "e4": "B0L0P"}, {"phase": "choose"}, ("a1",), "touch_colour"),
    ],
)
def test_a_touch_that_enters_nothing_says_why(
    pieces: dict[str, str], more: dict[str, Any], touched: tuple[str, ...], key: str
) -> None:
    position = at(pieces, **more)
    assert GAME.presentation.refusal(position, touched).key.partition(".")[2] == key


def test_keys_say_what_they_do_now() -> None:
    assert GAME.keys == CHOICES
    scene = at(SCENE)
    assert english(GAME.presentation.key_word(scene, ("c3",), "choice1")) == "leg"
    assert english(GAME.presentation.key_word(scene, ("c3",), "choice2")) == "pincer"
    assert english(GAME.presentation.key_word(at(FULL), (), "choice1")) == "end the turn"
