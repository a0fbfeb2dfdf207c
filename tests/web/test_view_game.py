"""What the page is sent of a particular game: sides, keys, rings, goals, turns, and cues."""

from typing import Any

import pytest

from game.common import LANGUAGES, words
from game.rules.base.registry import all_games, find_game
from game.rules.base.values import Role
from game.table.scene import Cue
from game.web.views import state_view
from hal import profile as profiles
from tests.helpers.pages.scripted_table import ScriptedTable

AZTEKA = find_game("azteka")
ADAPTOID = find_game("adaptoid")
CIRCLE = find_game("circle-of-life")
BOARD = profiles.built_in()
SURROUNDED = ("a1", "b1", "T4", "b2", "T4", "a2", "T4", "h2", "T4", "h1")
"""Death stands round a1 in the end, where Life stood."""
REIGN = ("a1", "c1", "a2", "c2", "a3", "c3", "a4", "-", "c4")


def played(game: Any, *moves: str, language: str = "en") -> ScriptedTable:
    table = ScriptedTable(game, language=language)
    table.play(*moves)
    return table


def hello(game: Any, language: str = "en") -> dict[str, Any]:
    return state_view.hello(game, BOARD, words(language), {}, True)


def test_hello_tells_keys_rings_hues_and_what_the_score_counts():
    shown = hello(AZTEKA)
    assert shown["keys_of_game"] == AZTEKA.keys
    assert shown["rings"]["ring2"] == AZTEKA.board.rings["ring2"]
    assert shown["hues"] == AZTEKA.presentation.hues
    assert (shown["agreed_draws"], shown["score_word"]) == (True, "pieces on the board")
    shown = hello(CIRCLE)
    assert (shown["keys_of_game"], shown["rings"], shown["agreed_draws"]) == ((), {}, False)
    assert shown["score_word"] == "stones eaten"


@pytest.mark.parametrize("name", list(all_games()))
def test_only_signs_are_explained_that_a_game_can_show(name: str):
    game = find_game(name)
    shown = {each["name"]: each["text"] for each in hello(game)["cues"]}
    assert ("turned" in shown) == bool(game.board.rings)
    assert ("endangered" in shown) == game.presentation.teaches
    for cue, role in (("prey", Role.VICTIM), ("predator", Role.THREAT), ("mark", Role.MARK)):
        assert (cue in shown) == (role in game.presentation.roles)
        if role in game.presentation.roles:
            assert shown[cue] == words("en").text(game.presentation.roles[role])


def test_on_a_board_that_feels_stones_nothing_is_explained_that_only_fingers_see():
    sensed = state_view.cue_meanings(ADAPTOID, stones=True)
    assert not {Cue.PREY, Cue.PREDATOR, Cue.MARK, Cue.OTHER_MARK} & sensed.keys()
    lift = state_view.cue_on_cell(sensed, Cue.LEGAL, stands=True)
    put = state_view.cue_on_cell(sensed, Cue.LEGAL, stands=False)
    assert [words("en").text(each) for each in (lift, put)] == [
        "you can pick this up",
        "you can place a piece here",
    ]


def test_goals_are_told_in_words_of_every_language():
    for language in LANGUAGES:
        goals = played(AZTEKA, "c3", "a1", language=language).message["goals"]
        first = [each for each in goals if each["player"] == 1]
        assert (first[0]["reached"], first[0]["wanted"]) == (2, 12)
        assert all(each["text"] and "." not in each["text"] for each in goals)
    assert [each["wanted"] for each in played(CIRCLE).message["goals"]] == [20, 20]


def test_keys_are_told_that_can_be_pressed_next_and_what_they_do():
    table = played(AZTEKA, "c3", "a1", "c4", "b1", "c2", "a2")
    assert [each["key"] for each in table.message["keys"]] == ["ring1", "ring2", "ring3", "ring4"]
    table.tap("c1")
    (key,) = table.message["keys"]
    assert (key["key"], key["cue"]) == ("choice1", "legal")
    assert "birth" in key["text"]
    assert played(CIRCLE).message["keys"] == []


def test_a_piece_that_takes_anothers_place_is_one_task_that_names_both():
    (task,) = played(AZTEKA, *SURROUNDED).message["todo"]
    assert (task["kind"], task["cell"], task["piece"], task["taken"]) == ("swap", "a1", "D", "L")
    assert "a1" in task["text"]
    assert task["text"].index("Life") < task["text"].index("Death")
