"""Whole games of every kind on the boards that ship, by touches through emulated chips and pins."""

from contextlib import closing
from random import Random

import pytest

from game.rules.base.registry import all_games
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.game_hands import GameHands
from tests.helpers.boards.profiles import board_named

GAMES = [
    # With seeds whose games are short, and have moves of every kind.
    ("hexagon-61-mux", "adaptoid", 28),
    ("disc-32-pico", "azteka", 3),
    ("disc-32", "azteka-three", 3),
    ("hexagon-61", "circle-of-life", 1),
    ("hexagon-37", "eat-your-neighbor", 1),
    ("bench-7", "capture-go-7", 28),
    ("bench-7-pico", "capture-go-7", 28),
]
TARGETS = {"circle-of-life": "3", "capture-go-7": "12"}


@pytest.mark.parametrize(("name", "game", "seed"), GAMES)
def test_a_whole_game_is_played_by_touches_of_the_board(name, game, seed, tmp_path):
    board, played = board_named(name), all_games()[game]
    options = {"target": TARGETS[game]} if game in TARGETS else {}
    with closing(EmulatedGame(board, tmp_path, game=played, options=options)) as room:
        hands = GameHands(room, board, played)
        rng = Random(seed)
        while room.table.state.outcome is None:
            hands.move(rng)
        assert played.outcome(room.table.state.position) is not None
        assert room.plies > 20
        # All keys of the game were needed, and sensed.
        assert hands.used >= set(played.keys)
    with closing(EmulatedGame(board, tmp_path, game=played, options=options)) as again:
        assert again.table.state.outcome == room.table.state.outcome
        assert again.text == room.text
