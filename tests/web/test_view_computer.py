"""What the page is sent of computer players, hints, the menu, and how a game went."""

from dataclasses import replace

from game.common import LANGUAGES, words
from game.engine import Point
from game.opponent import Course
from game.rules.base.message import say
from game.table.inputs import Command, ScoredMove, SetOpponents
from game.web.views import game_view
from tests.helpers.pages.scripted_table import NAMES, ScriptedTable


def against_blue(*cells: str) -> ScriptedTable:
    """Play cells against a computer, which is blue."""
    table = ScriptedTable(levels=NAMES)
    table.give(SetOpponents(("", "3")))
    table.tap(*cells)
    return table


def test_levels_are_told_with_a_word_for_sentences_and_one_for_people():
    shown = game_view.levels(NAMES, words("en"))
    fox = {"level": "3", "text": "Fox", "about": words("en").text(say("level.third"))}
    assert shown[NAMES.index("3")] == fox
    assert [each["level"] for each in shown] == list(NAMES)
    for language in LANGUAGES:
        named = [each["about"] for each in game_view.levels(NAMES, words(language))]
        assert len(set(named)) == len(NAMES)


def test_a_computer_that_thinks_and_then_wants_its_move_is_told():
    table = against_blue("e5")
    shown = table.message
    assert (shown["computers"], shown["thinking"], shown["proposed"]) == (("", "3"), True, None)
    table.think("3", ScoredMove("e6", 0.6))
    shown = table.message
    assert shown["thinking"] is False
    assert shown["proposed"] == {"cells": ("e6",), "text": "e6"}
    assert shown["cells"]["e6"]["cue"] == "proposed"
    assert shown["cells"]["e6"]["label"] == "e6, empty, the computer\u2019s move"
    assert [cell for cell, each in shown["cells"].items() if each["cue"] == "legal"] == []


def test_hints_are_listed_best_first_and_only_once():
    table = ScriptedTable(levels=NAMES)
    table.tap("e5")
    table.ask(Command.HINT)
    assert (table.message["hinting"], table.message["hints"]) == (True, [])
    table.think(
        "", ScoredMove("e6", 0.62491), ScoredMove("a1", 0.5), ScoredMove("a2", 0.0, decided=True)
    )
    shown = table.message
    assert shown["hinting"] is False
    assert shown["hints"] == [
        {"cell": "e6", "move": "e6", "value": 0.6249, "decided": False},
        {"cell": "a1", "move": "a1", "value": 0.5, "decided": False},
        {"cell": "a2", "move": "a2", "value": 0.0, "decided": True},
    ]
    assert "62" not in shown["message"]
    assert shown["cells"]["a1"]["label"] == "a1, empty, a good move, hint 2: 50\u00a0%"
    table.ask(Command.HINT)
    assert table.message["hints"] == []


def test_the_menu_is_told_cell_by_cell_and_takes_nothing_back():
    table = against_blue("e5")
    table.ask(Command.MENU)
    shown = table.message
    assert shown["phase"] == "menu"
    # Two rows of the board have eight cells.
    assert len(shown["menu"]) == 2 + 2 * 8
    people, helped = (each for each in shown["menu"] if each["player"] is None)
    assert (people["level"], people["chosen"]) == ("", False)
    (chosen,) = (each for each in shown["menu"] if each["chosen"])
    assert (chosen["player"], chosen["level"]) == (2, "3")
    labels = {each["cell"]: shown["cells"][each["cell"]]["label"] for each in shown["menu"]}
    assert labels[people["cell"]].endswith("choice: people only")
    assert labels[helped["cell"]].endswith("choice: how much help each player gets")
    assert labels[chosen["cell"]].endswith("choice: Blue is the computer, Fox, chosen now")
    assert table.looked(0)["take_backs"] == 0
    table.ask(Command.MENU)
    assert table.message["menu"] == []


def two_moves_each() -> ScriptedTable:
    table = against_blue("e5")
    table.think("3", ScoredMove("e6", 0.6))
    table.tap("e6", "a1")
    table.think("3", ScoredMove("a3", 0.6))
    table.tap("a3")
    return table


def test_moves_are_taken_back_as_often_as_the_table_wants_to_be_asked():
    shown = two_moves_each()
    assert [move["text"] for move in shown.message["moves"]] == ["e5", "e6", "a1", "a3"]
    asked = [shown.looked(ply)["take_backs"] for ply in range(5)]
    assert asked == [2, 2, 1, 1, 0]
    for ply, count in enumerate(asked):
        table = two_moves_each()
        for _ in range(count):
            assert len(table.table.state.history) > ply
            table.ask(Command.TAKE_BACK)
        assert len(table.table.state.history) <= ply


POINT = Point(3, 2, "e5", 0.41237, "d4", ("d4", "a1"), 0.6)


def test_a_course_is_told_with_the_scores_of_the_one_who_moved():
    course = Course(7, (POINT,), (3,), True, 0.0, say("analysis.broken_off"))
    shown = game_view.analysis(course, words("en"))
    assert shown.pop("trouble") == words("en").text(say("analysis.broken_off"))
    assert shown == {
        "type": "analysis",
        "moves": 7,
        "points": [
            {
                "ply": 3,
                "player": 2,
                "move": "e5",
                "value": 0.4124,
                "best": "d4",
                "best_value": 0.5876,
                "move_value": 0.4,
                "loss": 0.1876,
                "mark": "?",
                "decided": False,
            }
        ],
        "turning": (3,),
        "done": True,
        "final": 0.0,
    }
    sound = game_view.analysis(replace(course, trouble=None), words("en"))
    assert sound["trouble"] is None
