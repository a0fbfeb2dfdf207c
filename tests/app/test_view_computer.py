"""What the page is told of computer players, hints, the menu, and how a game went."""

from dataclasses import replace
from random import Random
from typing import Any

from game.app import view, view_computer
from game.app.opponent.analysing import Course
from game.app.session import Snapshot
from game.app.words import LANGUAGES, words
from game.engine.course import Point
from game.engine.levels import LEVELS
from game.rules.circle_of_life import GAME
from game.rules.message import say
from game.table.inputs import Asked, Command, Idea, Lifted, Opposed, Thought, Touched
from game.table.table import DRAW_S, Table

NAMES = tuple(level.name for level in LEVELS)
PACE_S = 1.0
BLUE_IS_3 = Opposed(("", "3"))
TROUBLE = say("opponent.silent")


class Seen:
    """A table, and what a page is told of it."""

    def __init__(self, *events: Any) -> None:
        self.now = DRAW_S
        self.table = Table(GAME, {"first": "1"}, Random(1), levels=NAMES)
        self.table.start(0.0)
        self.table.tick(DRAW_S)
        self.give(*events)

    def give(self, *events: Any) -> dict[str, Any]:
        for event in events:
            self.now += PACE_S
            self.table.handle(event, self.now)
        return self.told

    def think(self, level: str, *ideas: Idea) -> dict[str, Any]:
        return self.give(Thought(self.table.state.position, level, ideas))

    @property
    def told(self) -> dict[str, Any]:
        snapshot = Snapshot(GAME, self.table.state, self.table.scene())
        return view.state(snapshot, words("en"))


def tap(*cells: str) -> list[Any]:
    return [event for cell in cells for event in (Touched(cell), Lifted(cell))]


def test_levels_are_told_with_a_word_for_sentences_and_one_for_people():
    told = view_computer.levels(NAMES, words("en"))
    assert told[0] == {"level": "random", "text": "random", "name": "random"}
    assert told[3] == {"level": "3", "text": "level 3", "name": "Casual player"}
    assert [each["level"] for each in told] == list(NAMES)
    for language in LANGUAGES:
        named = [each["name"] for each in view_computer.levels(NAMES, words(language))]
        assert len(set(named)) == len(NAMES)


def test_a_computer_that_thinks_and_then_wants_its_move_is_told():
    seen = Seen(BLUE_IS_3, *tap("e5"))
    told = seen.told
    assert (told["computers"], told["thinking"], told["proposed"]) == (("", "3"), True, None)
    told = seen.think("3", Idea("e6", 0.6))
    assert told["thinking"] is False
    assert told["proposed"] == {"cells": ("e6",), "text": "e6"}
    assert told["cells"]["e6"]["cue"] == "proposed"
    assert told["cells"]["e6"]["label"] == "e6, empty, the computer wants to play here"
    assert [cell for cell, each in told["cells"].items() if each["cue"] == "legal"] == []


def test_hints_are_listed_best_first_and_only_once():
    seen = Seen(*tap("e5"), Asked(Command.HINT))
    assert (seen.told["hinting"], seen.told["hints"]) == (True, [])
    told = seen.think("", Idea("e6", 0.62491), Idea("a1", 0.5), Idea("a2", 0.0, decided=True))
    assert told["hinting"] is False
    assert told["hints"] == [
        {"cell": "e6", "move": "e6", "value": 0.6249, "decided": False},
        {"cell": "a1", "move": "a1", "value": 0.5, "decided": False},
        {"cell": "a2", "move": "a2", "value": 0.0, "decided": True},
    ]
    assert "62" not in told["message"]
    assert told["cells"]["a1"]["label"] == "a1, empty, a good move, hint 2: 50\u00a0%"
    assert seen.give(Asked(Command.HINT))["hints"] == []


def test_the_menu_is_told_cell_by_cell_and_takes_nothing_back():
    seen = Seen(BLUE_IS_3, *tap("e5"), Asked(Command.MENU))
    told = seen.told
    assert told["phase"] == "menu"
    assert len(told["menu"]) == 1 + 2 * len(NAMES)
    (people,) = (each for each in told["menu"] if each["player"] is None)
    assert (people["level"], people["chosen"]) == ("", False)
    (chosen,) = (each for each in told["menu"] if each["chosen"])
    assert (chosen["player"], chosen["level"]) == (2, "3")
    labels = {each["cell"]: told["cells"][each["cell"]]["label"] for each in told["menu"]}
    assert labels[people["cell"]].endswith("choice: people only")
    assert labels[chosen["cell"]].endswith("choice: Blue is the computer, level 3, chosen now")
    assert [move["take_backs"] for move in told["moves"]] == [0]
    assert seen.give(Asked(Command.MENU))["menu"] == []


def two_moves_each() -> Seen:
    seen = Seen(BLUE_IS_3, *tap("e5"))
    seen.think("3", Idea("e6", 0.6))
    seen.give(*tap("e6", "a1"))
    seen.think("3", Idea("a3", 0.6))
    seen.give(*tap("a3"))
    return seen


def test_moves_are_taken_back_as_often_as_the_table_wants_to_be_asked():
    told = two_moves_each().told
    assert [move["text"] for move in told["moves"]] == ["e5", "e6", "a1", "a3"]
    assert [move["take_backs"] for move in told["moves"]] == [2, 2, 1, 1]
    for move in told["moves"]:
        seen = two_moves_each()
        for _ in range(move["take_backs"]):
            assert len(seen.table.state.history) >= move["ply"]
            seen.give(Asked(Command.TAKE_BACK))
        assert len(seen.table.state.history) < move["ply"]


POINT = Point(3, 2, "e5", 0.41237, "d4", ("d4", "a1"), 0.2)


def test_a_course_is_told_with_the_scores_of_the_one_who_moved():
    course = Course(7, (POINT,), (3,), True, 0.0, say("analysis.broken_off"))
    told = view_computer.analysis(course, words("en"))
    assert told.pop("trouble") == words("en").text(say("analysis.broken_off"))
    assert told == {
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
                "move_value": 0.3876,
                "loss": 0.2,
                "decided": False,
            }
        ],
        "turning": (3,),
        "done": True,
        "final": 0.0,
    }
    sound = view_computer.analysis(replace(course, trouble=None), words("en"))
    assert sound["trouble"] is None
