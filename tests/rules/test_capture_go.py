"""Capture Go: groups without liberties, who may place where, and who wins."""

from math import dist
from random import Random

import pytest

from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.registry import find_game
from game.rules.capture_go.game import Position

GAME = find_game("capture-go")
SMALL = find_game("capture-go", {"variant": "cells-7"})


def drawn(black: str = "", white: str = "") -> Position:
    """Black to move in a position, by the cells of each, separated by blanks."""
    stones = dict.fromkeys(black.split(), "1") | dict.fromkeys(white.split(), "2")
    row = "".join(stones.get(cell, ".") for cell in GAME.board.cells)
    return GAME.parse(f"{row} 1 0-0 3")


def test_a_group_is_taken_with_its_last_liberty():
    position = drawn("a2 b2 c2", "a1 b1")
    after = GAME.play(position, "c1")
    assert GAME.pieces(after) == dict.fromkeys(("a2", "b2", "c1", "c2"), "1")
    assert GAME.score(after) == (2, 0)
    assert GAME.result(position, "c1").removed == ("a1", "b1")
    assert GAME.outcome(after) is None
    assert GAME.to_move(after) == 2


def test_one_stone_takes_several_groups():
    position = drawn("a2 b1 c1 c3 d1 d2", "a1 c2")
    assert GAME.result(position, "b2").removed == ("a1", "c2")
    shown = GAME.presentation.preview(position, "b2")
    assert shown is not None
    assert set(shown.cells) == {"b2", "a1", "c2"}


def test_no_stone_is_placed_without_a_liberty_unless_it_takes():
    smothered = drawn("", "a2 b1 b2")
    with pytest.raises(IllegalMove) as refused:
        GAME.play(smothered, "a1")
    assert refused.value.message.key == "capture_go.no_liberty"
    assert set(GAME.legal_moves(smothered)) == set(GAME.board.cells) - {"a1", "a2", "b1", "b2"}
    after = GAME.play(drawn("a3 b3 c3 c2 c1", "a2 b1 b2"), "a1")
    ended = GAME.outcome(after)
    assert ended is not None
    assert (ended.winner, ended.reason, GAME.score(after)) == (1, "stones taken", (3, 0))
    assert GAME.to_move(after) is None
    assert not GAME.legal_moves(after)


def test_who_cannot_place_loses():
    stuck = SMALL.parse(".11111. 2 0-0 3")
    ended = SMALL.outcome(stuck)
    assert ended is not None
    assert (ended.winner, ended.reason) == (1, "no legal placement")
    assert SMALL.to_move(stuck) is None


@pytest.mark.parametrize(
    "text",
    ["", "......", "2111... 1 0-0 3", "....... 3 0-0 3", "....... 1 3-3 3", "....... 1 0-0 0"],
)
def test_impossible_positions_are_refused(text: str):
    with pytest.raises(BadPosition):
        SMALL.parse(text)


@pytest.mark.parametrize(
    ("reported", "key"),
    [
        ({"pieces": []}, "rules.bad_key"),
        ({"pieces": {"z9": "1"}}, "rules.no_such_cell"),
        ({"pieces": {"a1": "3"}}, "rules.bad_piece"),
        ({"pieces": {"a1": "2", "a2": "1", "b1": "1", "b2": "1"}}, "capture_go.dead"),
        ({"score": [1]}, "rules.bad_key"),
        ({"score": [3, 3]}, "rules.both_won"),
        ({"to_move": 3}, "rules.bad_key"),
    ],
)
def test_impossible_set_ups_are_refused_and_say_why(reported: dict[str, object], key: str):
    with pytest.raises(BadPosition) as refused:
        GAME.from_json(reported, {})
    assert refused.value.message.key == key


def test_a_position_can_be_set_up():
    reported = {"pieces": {"a1": "2", "c3": "1"}, "to_move": 2, "score": [1, 0]}
    position = GAME.from_json(reported, {"target": "4"})
    assert (GAME.pieces(position), GAME.to_move(position)) == (reported["pieces"], 2)
    assert (position.taken, position.target) == ((1, 0), 4)


@pytest.mark.parametrize("game", [GAME, SMALL], ids=["19", "7"])
def test_random_games_keep_every_stone_and_leave_no_group_without_liberty(game):
    centres = game.board.centres
    beside = {
        cell: [other for other in centres if 0 < dist(centres[cell], centres[other]) < 1.1]
        for cell in centres
    }
    for seed in range(50):
        rng, position, placed = Random(seed), game.initial({"target": "5"}), 0
        while game.outcome(position) is None:
            position = game.play(position, game.legal_moves(position).pick(rng))
            placed += 1
            stones = game.pieces(position)
            assert len(stones) + sum(game.score(position)) == placed
            alive = {cell for cell in stones if any(near not in stones for near in beside[cell])}
            for _ in stones:
                alive |= {
                    cell
                    for cell in stones
                    if any(near in alive and stones[near] == stones[cell] for near in beside[cell])
                }
            assert alive == set(stones)
            assert game.parse(game.text(position)) == position
        assert position.taken == game.score(position)
