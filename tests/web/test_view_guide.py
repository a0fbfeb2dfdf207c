"""Explanations of a game on the page: rules of its level, pictures, numbers, and previews."""

from dataclasses import replace
from typing import Any

import pytest

from game.common import words
from game.play import Snapshot
from game.rules.base.game import Game
from game.rules.base.registry import find_game
from game.rules.base.situation import Situation
from game.rules.base.tutorial import tutorial
from game.store import initial_state
from game.table.entries import Agreement
from game.table.phases import Phase
from game.table.scene import scene_of
from game.table.state import State
from game.web import game_view, server_messages
from game.web.views import state_view
from tests.helpers.pages.described import conforms

CIRCLE, MIND, AZTEKA = map(find_game, ("circle-of-life", "cirkle-mind", "azteka"))
EN = words("en")
BENDS = CIRCLE.from_json({"pieces": {"e4": 1, "e5": 1, "f5": 2, "f6": 2, "e7": 2}}, {})


def seen(game: Game[Any, Any], position: Any, **changes: Any) -> Snapshot:
    state: State = replace(
        initial_state(game), phase=Phase.TAP, situation=Situation(game, position), **changes
    )
    return Snapshot(game, state, scene_of(state, frozenset()))


@pytest.mark.parametrize(
    ("level", "name", "reported"),
    [
        ("easy", "Easy", set()),
        ("medium", "Medium: shields", {"mind.rule_shield"}),
        ("super-easy", "Super easy: armies exchanged", {"mind.rule_super"}),
        (
            "super",
            "Super: shields, armies exchanged",
            {"mind.rule_shield", "mind.rule_super"},
        ),
    ],
)
def test_rules_are_those_of_the_level_that_is_played(level: str, name: str, reported: set[str]):
    guide: Any = game_view.guide(seen(MIND, MIND.initial({"level": level})), False, EN)
    assert conforms(guide, server_messages.Guide)
    assert guide["level"] == name
    texts = [each["text"] for each in guide["rules"]]
    for key in ("mind.rule_shield", "mind.rule_super"):
        assert (EN.template(key) in texts) == (key in reported)
    assert texts[-1] == EN.template("mind.rule_touch")


def test_rule_comes_with_pictures_of_what_a_move_changes():
    guide: Any = game_view.guide(seen(CIRCLE, CIRCLE.initial()), False, EN)
    assert (guide["level"], guide["tutorial"]) == (None, CIRCLE.name)
    (picture, _) = guide["rules"][3]["pictures"]
    assert picture["pieces"]["e7"] == {"piece": "2", "side": 2}
    assert picture["edits"]["e7"] == {"kind": "remove", "piece": "", "side": None}
    assert picture["edits"]["e3"] == {"kind": "put", "piece": "1", "side": 1}
    mind: Any = game_view.guide(seen(MIND, MIND.initial()), False, EN)
    ways = [picture["way"] for rule in mind["rules"] for picture in rule["pictures"]]
    assert ("C5", "C6", "C7") in ways
    adaptoid = find_game("adaptoid")
    other: Any = game_view.guide(seen(adaptoid, adaptoid.initial()), False, EN)
    fight = other["rules"][2]["pictures"][0]
    assert (fight["way"], fight["edits"]["d4"]["kind"]) == (("d4", "e4"), "leave")
    assert fight["edits"]["e4"]["kind"] == "remove"


def test_numbers_goals_and_endings_are_explained():
    state: Any = state_view.state(seen(AZTEKA, AZTEKA.initial()), EN)
    assert all(goal["about"] for goal in state["goals"])
    step = next(step for step in tutorial(CIRCLE) if step.move == "i1")
    lost = CIRCLE.play(step.position, "i1")
    ended: Any = state_view.state(seen(CIRCLE, lost, outcome=CIRCLE.outcome(lost)), EN)
    assert "here it wins" in ended["outcome"]["about"]


def test_preview_tells_critter_and_prey_before_a_stone_is_set():
    reported: Any = game_view.preview(seen(CIRCLE, BENDS), "e3", EN)
    assert conforms(reported, server_messages.PreviewOfMove)
    assert reported["cells"] == {
        **dict.fromkeys(("e3", "e4", "e5"), "critter"),
        **dict.fromkeys(("e7", "f5", "f6"), "prey"),
    }
    assert reported["text"] == "e3 would be: line. It eats 3 stones (bend)."
    assert [n for n, cue in enumerate(reported["legend"]) if cue] == [2, 3]
    bare: Any = game_view.preview(seen(CIRCLE, BENDS), "a1", EN)
    assert (bare["cells"], bare["text"]) == ({"a1": "critter"}, "a1 would be: singleton.")


@pytest.mark.parametrize(
    ("shown", "cell"),
    [
        (seen(CIRCLE, BENDS), "e4"),
        (seen(CIRCLE, BENDS, taps=("e3",)), "e3"),
        (seen(CIRCLE, BENDS, agreement=Agreement(assistance="strict")), "e3"),
        (seen(MIND, MIND.initial()), "A1"),
    ],
    ids=["occupied", "a move is being entered", "strict", "hidden pieces"],
)
def test_preview_tells_nothing_where_it_must_not(shown: Snapshot, cell: str):
    reported = game_view.preview(shown, cell, EN)
    assert (reported["cells"], reported["text"]) == ({}, "")
