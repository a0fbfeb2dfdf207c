"""Capture Go: groups without liberties, who may place where, and who wins."""

from random import Random

import pytest

from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.registry import find_game
from game.rules.capture_go.game import Position
from tests.oracles.agreement import agree
from tests.oracles.puzzle_judge import NaiveGo

GAME = find_game("capture-go")
SMALL = find_game("capture-go", {"variant": "cells-7"})


def drawn(black: str = "", white: str = "") -> Position:
    """Black to move in a position, by the cells of each, separated by blanks."""
    stones = dict.fromkeys(black.split(), "1") | dict.fromkeys(white.split(), "2")
    row = "".join(stones.get(cell, ".") for cell in GAME.board.cells)
    return GAME.parse(f"{row} 1 0-0 3")


def test_what_a_stone_takes_is_shown_before_and_removed_after():
    position = drawn("a2 b1 c1 c3 d1 d2", "a1 c2")
    assert GAME.result(position, "b2").removed == ("a1", "c2")
    shown = GAME.presentation.preview(position, "b2")
    assert set(shown.cells) == {"b2", "a1", "c2"}


def test_no_stone_is_placed_without_a_liberty():
    with pytest.raises(IllegalMove) as refused:
        GAME.play(drawn("", "a2 b1 b2"), "a1")
    assert refused.value.message.key == "capture_go.no_liberty"


def test_random_games_agree_with_the_naive_rules():
    ends = set()
    for seed in range(60):
        target = 2 + seed % 30
        start = GAME.initial({"target": str(target)})
        *_, last = agree(GAME, NaiveGo({}, 1, (0, 0), target), start, Random(seed))
        ends.add(last.outcome[1])
    assert ends == {"stones taken", "no legal placement"}


@pytest.mark.parametrize(
    "text",
    ["", "......", "2111... 1 0-0 3", "....... 3 0-0 3", "....... 1 3-3 3", "....... 1 0-0 0"],
)
def test_impossible_positions_are_refused(text):
    with pytest.raises(BadPosition):
        SMALL.parse(text)


@pytest.mark.parametrize(
    ("reported", "key"),
    [
        ({"pieces": {"a1": "2", "a2": "1", "b1": "1", "b2": "1"}}, "capture_go.dead"),
        ({"score": [3, 3]}, "rules.both_won"),
    ],
)
def test_impossible_set_ups_are_refused_and_say_why(reported, key):
    with pytest.raises(BadPosition) as refused:
        GAME.from_json(reported, {})
    assert refused.value.message.key == key
