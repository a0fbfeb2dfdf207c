"""What the page is sent of a game, its board, computers and rules, and how it went."""

from dataclasses import replace
from typing import Any

import pytest

from game.common import LANGUAGES, words
from game.play import Snapshot
from game.rules.base.game import Game
from game.rules.base.lessons import tutorial
from game.rules.base.registry import all_games, find_game
from game.rules.base.situation import Situation
from game.rules.base.values import Role
from game.rules.circle_of_life import GAME
from game.store import initial_state
from game.table.entries import Agreement
from game.table.inputs import (
    Asked,
    Command,
    MaskChanged,
    ScoredMove,
    SetOpponents,
    StonesChanged,
    Touched,
)
from game.table.phases import Phase
from game.table.scene import Cue, scene_of
from game.table.state import State
from game.web import server_messages
from game.web.views import game_view, state_view
from hal import profile as profiles
from tests.helpers.pages.described import conforms
from tests.helpers.pages.scripted_table import NAMES, ScriptedTable


def shown(*events: Any, presence: bool = False, language: str = "en") -> dict[str, Any]:
    table = ScriptedTable(presence=presence, language=language)
    for event in events:
        table.give(event)
    return table.message


def test_cells_and_their_signs_are_labelled_for_screen_readers():
    def label(message: dict[str, Any], cell: str) -> str:
        return str(message["cells"][cell]["label"])

    masked = shown(MaskChanged(frozenset({"e5", "a1"})))
    assert label(masked, "e5") == "e5, empty, you can tap here, switched off"
    unknown = StonesChanged(frozenset()), StonesChanged(frozenset({"e5", "a1"}))
    state = shown(*unknown, presence=True)
    assert state["sensed"] == ["a1", "e5"]
    assert label(state, "e5") == "e5, piece, take this off"
    table = against_blue("e5")
    table.think("3", ScoredMove("e6", 0.6))
    assert table.message["proposed"] == {"cells": ("e6",), "text": "e6"}
    assert label(table.message, "e6") == "e6, empty, the computer\u2019s move"
    table.ask(Command.MENU)
    labels = {
        label(table.message, each["cell"]).partition("choice: ")[2]: each["chosen"]
        for each in table.message["menu"]
    }
    assert labels["people only"] is labels["how much help each player gets"] is False
    assert labels["Blue is the computer, Fox, chosen now"] is True
    assert table.looked(0)["take_backs"] == 0
    table = ScriptedTable(levels=NAMES)
    table.tap("e5")
    table.ask(Command.HINT)
    table.think("", ScoredMove("e6", 0.62491), ScoredMove("a1", 0.5))
    assert label(table.message, "a1") == "a1, empty, a good move, hint 2: 50%"
    assert "62" not in table.message["message"]


def against_blue(*cells: str) -> ScriptedTable:
    """Play cells against a computer, which is blue."""
    table = ScriptedTable(levels=NAMES)
    table.give(SetOpponents(("", "3")))
    table.tap(*cells)
    return table


EN = words("en")
TOUCH = profiles.built_in()
STONES = replace(TOUCH, sensing=replace(TOUCH.sensing, mode="presence"))
TOUCHING = {
    "en": ("touch", "tap", "hold"),
    "it": ("tocca", "premuta"),
    "fr": ("touch", "appuy"),
    "de": ("berühr", "tipp", "gedrückt"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_and_cues_for_a_board_that_feels_stones_advise_no_touch(language):
    hello = state_view.hello(GAME, STONES, words(language), {}, True)
    # The sentence on a critter's touching stones is not advice, nor is the cell key's.
    rules = GAME.presentation.rules_of(GAME.initial(), presence=True)
    advice = [words(language).text(rule) for n, rule in enumerate(rules) if n != 1]
    advice += [each["text"] for each in hello["cues"] if each["name"] != "cursor"]
    said = " ".join(advice).lower()
    assert not [word for word in TOUCHING[language] if word in said]
    assert not {"prey", "predator"} & {each["name"] for each in hello["cues"]}


def test_all_moves_are_listed_in_sentences():
    cells = ("e5", "a1", "i5", "a5", "e9", "e1", "c3", "g3", "i1", "c5", "g5", "e3", "c1")
    table = ScriptedTable()
    table.tap(*cells)
    moves = table.message["moves"]
    assert len(moves) == len(cells)
    assert moves[0]["label"].startswith("Orange placed e5")
    assert moves[-1]["label"].startswith("Orange placed c1")


AZTEKA = find_game("azteka")
SURROUNDED = ("a1", "b1", "T4", "b2", "T4", "a2", "T4", "h2", "T4", "h1")
"""Death stands round a1 in the end, where Life stood."""


@pytest.mark.parametrize("name", list(all_games()))
def test_only_signs_are_explained_that_a_game_can_show(name):
    game = find_game(name)
    hello = state_view.hello(game, TOUCH, EN, {}, True)
    shown = {each["name"]: each["text"] for each in hello["cues"]}
    assert ("turned" in shown) == bool(game.board.rings)
    assert ("endangered" in shown) == game.presentation.teaches
    for cue, role in (("prey", Role.VICTIM), ("predator", Role.THREAT), ("mark", Role.MARK)):
        assert (cue in shown) == (role in game.presentation.roles)
        if role in game.presentation.roles:
            assert shown[cue] == EN.text(game.presentation.roles[role])


def test_on_a_board_that_feels_stones_nothing_is_explained_that_only_fingers_see():
    game = find_game("adaptoid")
    reported = {each["name"] for each in state_view.hello(game, STONES, EN, {}, True)["cues"]}
    assert not {"prey", "predator", "mark", "other_mark"} & reported
    lift, put = (state_view.cue_word(game, Cue.LEGAL, True, stands) for stands in (True, False))
    assert [EN.text(each) for each in (lift, put)] == [
        "you can pick this up",
        "you can place a piece here",
    ]


def test_a_piece_that_takes_anothers_place_is_one_task_that_names_both():
    table = ScriptedTable(AZTEKA)
    table.play(*SURROUNDED)
    (task,) = table.message["todo"]
    assert (task["kind"], task["cell"], task["piece"], task["taken"]) == ("swap", "a1", "D", "L")
    assert task["text"].index("Life") < task["text"].index("Death")
    # A piece's word stands as the sentence of the language needs it.
    state = shown(Touched("e5"), Asked(Command.TAKE_BACK), language="de")
    assert [task["text"] for task in state["todo"]] == ["wegnehmen: oranger Stein auf e5"]


MIND = find_game("cirkle-mind")
BENDS = GAME.from_json({"pieces": {"e4": 1, "e5": 1, "f5": 2, "f6": 2, "e7": 2}}, {})


def seen(game: Game[Any, Any], position: Any, **changes: Any) -> Snapshot:
    state: State = replace(
        initial_state(game), phase=Phase.TAP, situation=Situation(game, position), **changes
    )
    return Snapshot(game, state, scene_of(state, frozenset()))


@pytest.mark.parametrize(
    ("level", "name", "reported"),
    [
        ("medium", "Medium: shields", {"mind.rule_shield"}),
        ("super-easy", "Super easy: armies exchanged", {"mind.rule_super"}),
    ],
)
def test_rules_are_those_of_the_level_that_is_played(level, name, reported):
    guide: Any = game_view.guide(seen(MIND, MIND.initial({"level": level})), False, EN)
    assert conforms(guide, server_messages.Guide)
    assert guide["level"] == name
    texts = [each["text"] for each in guide["rules"]]
    for key in ("mind.rule_shield", "mind.rule_super"):
        assert (EN.template(key) in texts) == (key in reported)


def test_rule_comes_with_pictures_of_what_a_move_changes():
    guide: Any = game_view.guide(seen(GAME, GAME.initial()), False, EN)
    assert (guide["level"], guide["tutorial"]) == (None, GAME.name)
    (picture, _) = guide["rules"][3]["pictures"]
    assert picture["pieces"]["e7"] == {"piece": "2", "side": 2}
    assert picture["edits"]["e7"] == {"kind": "remove", "piece": "", "side": None}
    assert picture["edits"]["e3"] == {"kind": "put", "piece": "1", "side": 1}
    mind: Any = game_view.guide(seen(MIND, MIND.initial()), False, EN)
    ways = [picture["way"] for rule in mind["rules"] for picture in rule["pictures"]]
    assert ("C5", "C6", "C7") in ways


def test_ending_is_explained():
    step = next(step for step in tutorial(GAME) if step.move == "i1")
    lost = GAME.play(step.position, "i1")
    ended: Any = state_view.state(seen(GAME, lost, outcome=GAME.outcome(lost)), EN)
    assert "here it wins" in ended["outcome"]["about"]


def test_preview_tells_critter_and_prey_before_a_stone_is_set():
    reported = game_view.preview(seen(GAME, BENDS), "e3", EN)
    assert reported["cells"] == {
        **dict.fromkeys(("e3", "e4", "e5"), "critter"),
        **dict.fromkeys(("e7", "f5", "f6"), "prey"),
    }
    assert [n for n, cue in enumerate(reported["legend"]) if cue] == [2, 3]


@pytest.mark.parametrize(
    ("shown", "cell"),
    [
        (seen(GAME, BENDS), "e4"),
        (seen(GAME, BENDS, taps=("e3",)), "e3"),
        (seen(GAME, BENDS, agreement=Agreement(assistance="strict")), "e3"),
        (seen(MIND, MIND.initial()), "A1"),
    ],
    ids=["occupied", "a move is being entered", "strict", "hidden pieces"],
)
def test_preview_tells_nothing_where_it_must_not(shown, cell):
    reported = game_view.preview(shown, cell, EN)
    assert conforms(reported, server_messages.PreviewOfMove)
    assert (reported["cells"], reported["text"]) == ({}, "")
