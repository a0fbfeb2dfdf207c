"""The engine in every game, also one for three."""

from collections.abc import Callable
from typing import Any

import pytest

from game.common import words
from game.engine import UgiServer
from game.engine.ugi import offered_name
from game.rules.base.game import known_options
from game.rules.base.moves import from_word
from game.rules.base.registry import find_game
from game.rules.base.values import VARIANT

GAMES = [
    *("azteka", "azteka-aggressive", "azteka-three", "adaptoid", "cirkle-mind"),
    "eat-your-neighbor",
]


def engine(name: str, **more: Any) -> Callable[..., list[str]]:
    """Make an engine on a clock that never moves; return a function that talks to it.

    It sends lines, runs searches to their end, and returns all answers.
    """
    server = UgiServer(find_game(name), clock=lambda: 0.0, tell=words("en").text, **more)

    def talk(*lines: str) -> list[str]:
        answers = []
        for line in lines:
            answers += server.feed(line)
            while server.busy:
                answers += server.step()
        return answers

    return talk


@pytest.mark.parametrize("name", GAMES)
def test_engine_plays_a_whole_game_from_its_start_by_words(name):
    game, talk = find_game(name), engine(name, level="1", seed=3)
    position, shown = game.initial(), []
    while game.to_move(position) is not None and len(shown) < 40:
        answers = talk(f"position startpos moves {' '.join(shown)}", "go nodes 4")
        word = answers[-1].removeprefix("bestmove ")
        assert answers[-1] == f"bestmove {word}"
        assert len(word.split()) == 1
        line = answers[-2].partition(" pv ")[2].split()
        assert line[0] == word
        shown.append(word)
        reached = position
        for each in line:
            reached = game.play(reached, game.parse_move(reached, from_word(each)))
        position = game.play(position, game.parse_move(position, from_word(word)))
        (turn,) = talk(f"position fen {game.text(position)}", "query p1turn")
        assert turn == f"response {str(game.to_move(position) == 1).lower()}"
    assert len(shown) > 5


@pytest.mark.parametrize("name", GAMES)
def test_engine_takes_the_options_that_a_game_has(name):
    talk, own = engine(name), dict(known_options(find_game(name)))
    own.pop(VARIANT, None)  # variants are games of their own
    offered = [line for line in talk("ugi") if line.startswith("option name ")]
    assert {line.split()[2] for line in offered} == {
        *("Level", "Seed", "MultiPV"),
        *map(offered_name, own),
    }
    assert len({line.split()[2].lower() for line in offered}) == len(offered)
    for key, option in own.items():
        name = offered_name(key)
        assert talk(f"setoption name {name} value {option.default}", "uginewgame") == []


def test_option_of_a_game_is_not_taken_for_one_of_the_engine():
    talk, game = engine("cirkle-mind", seed=1), find_game("cirkle-mind")
    talk("setoption name game-level value medium", "setoption name level value 1")
    *_, best = talk("position startpos", "go nodes 1")
    medium = game.initial({"level": "medium"})
    assert from_word(best.removeprefix("bestmove ")) in game.legal_moves(medium)
    (wrong,) = talk("setoption name level value medium")
    assert wrong.startswith("info string error")
