"""What the page is sent of a game, its board, computers and rules, and how it went."""

from dataclasses import replace
from typing import Any

import pytest

from game.common import LANGUAGES, words
from game.engine import Point
from game.opponent import Course
from game.play import Snapshot
from game.rules.base.game import Game
from game.rules.base.message import say
from game.rules.base.registry import all_games, find_game
from game.rules.base.situation import Situation
from game.rules.base.tutorial import tutorial
from game.rules.base.values import Role
from game.rules.circle_of_life import GAME
from game.store import initial_state
from game.table.entries import Agreement
from game.table.inputs import (
    Asked,
    Command,
    FaultsChanged,
    Lifted,
    MaskChanged,
    Saved,
    ScoredMove,
    SetNames,
    SetOpponents,
    SetPiece,
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


def tapped(*cells: str) -> list[Any]:
    return [event for cell in cells for event in (Touched(cell), Lifted(cell))]


def shown(*events: Any, presence: bool = False, language: str = "en") -> dict[str, Any]:
    table = ScriptedTable(presence=presence, language=language)
    for event in events:
        table.give(event)
    return table.message


def test_state_tells_the_reasons_of_a_pause_apart_from_the_message():
    chip = say("fault.chip", part="B", cells=("a1", "a2"))
    state = shown(FaultsChanged(frozenset({"a2", "a1"}), (chip, say("fault.strip"))))
    assert state["faults"] == [
        "Sensor chip B does not answer.",
        "The strip of lights does not answer.",
    ]
    assert state["missing"] == ["a1", "a2"]
    assert state["message"].startswith("The game is paused")
    assert state["cells"]["a1"]["cue"] == "fault"


def test_masked_cells_are_listed_and_named_for_screen_readers():
    state = shown(MaskChanged(frozenset({"e5", "a1"})))
    assert state["masked"] == ["a1", "e5"]
    assert state["cells"]["e5"]["label"] == "e5, empty, you can tap here, switched off"
    assert state["cells"]["a1"]["cue"] == "cursor"


def test_felt_stones_are_listed_and_unknown_ones_named():
    state = shown(StonesChanged(frozenset()), StonesChanged(frozenset({"e5", "a1"})), presence=True)
    assert state["sensed"] == ["a1", "e5"]
    assert state["cells"]["e5"]["standing"] == "?"
    assert state["cells"]["e5"]["label"] == "e5, piece, take this off"


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


def test_state_tells_names_and_that_a_game_is_not_kept():
    state = shown()
    assert (state["names"], state["unsaved"]) == (("", ""), None)
    state = shown(SetNames(("Anna", "")), Saved(say("fault.strip")))
    assert state["names"] == ("Anna", "")
    assert state["unsaved"] == "The strip of lights does not answer."


def test_every_pending_edit_is_told_in_words():
    state = shown(Touched("e5"), Asked(Command.TAKE_BACK))
    assert state["todo"] == [
        {
            "cell": "e5",
            "kind": "remove",
            "piece": "1",
            "taken": "",
            "steps": 0,
            "text": "take the orange stone off e5",
        }
    ]
    state = shown(
        StonesChanged(frozenset()),
        StonesChanged(frozenset({"e5"})),
        StonesChanged(frozenset({"a1", "a2"})),
        presence=True,
    )
    assert [each["text"] for each in state["todo"]] == [
        "take the piece off a1",
        "take the piece off a2",
        "place the orange stone on e5",
    ]
    assert not shown(Touched("e5"), Asked(Command.TAKE_BACK), LOST)["todo"]


LOST = FaultsChanged(frozenset({"a1"}), (say("fault.strip"),))


FIVE = ("e3", "e4", "e5", "e6", "e7")


def test_a_flaw_is_told_once_with_its_cells():
    laid = [SetPiece(cell, "1") for cell in FIVE]
    state = shown(Asked(Command.SET_UP), *laid)
    assert state["draft"]["flaw"]["cells"] == list(FIVE)
    assert state["draft"]["flaw"]["text"] in state["message"]
    refused = shown(Asked(Command.SET_UP), *laid, Asked(Command.NEW_GAME))
    assert refused["notice"] == state["draft"]["flaw"]["text"]
    assert refused["notice"] not in refused["message"]


def test_all_moves_are_listed_and_the_newest_in_sentences():
    cells = ("e5", "a1", "i5", "a5", "e9", "e1", "c3", "g3", "i1", "c5", "g5", "e3", "c1")
    moves = shown(*tapped(*cells))["moves"]
    assert len(moves) == len(cells) > state_view.SENTENCE_MOVES
    assert moves[0]["label"] == "e5"
    assert moves[-1]["label"].startswith("Orange placed c1")


def test_what_hands_do_is_said_with_the_piece_as_its_word_stands():
    state = shown(Touched("e5"), Asked(Command.TAKE_BACK), language="de")
    assert [task["text"] for task in state["todo"]] == ["wegnehmen: oranger Stein auf e5"]


AZTEKA = find_game("azteka")
ADAPTOID = find_game("adaptoid")
SURROUNDED = ("a1", "b1", "T4", "b2", "T4", "a2", "T4", "h2", "T4", "h1")
"""Death stands round a1 in the end, where Life stood."""
REIGN = ("a1", "c1", "a2", "c2", "a3", "c3", "a4", "-", "c4")


def played(game: Any, *moves: str, language: str = "en") -> ScriptedTable:
    table = ScriptedTable(game, language=language)
    table.play(*moves)
    return table


def hello(game: Any, language: str = "en") -> dict[str, Any]:
    return state_view.hello(game, TOUCH, words(language), {}, True)


def test_hello_tells_keys_rings_hues_and_what_the_score_counts():
    shown = hello(AZTEKA)
    assert shown["keys_of_game"] == AZTEKA.keys
    assert shown["rings"]["ring2"] == AZTEKA.board.rings["ring2"]
    assert shown["hues"] == AZTEKA.presentation.hues
    assert (shown["agreed_draws"], shown["score_word"]) == (True, "pieces on the board")
    shown = hello(GAME)
    assert (shown["keys_of_game"], shown["rings"], shown["agreed_draws"]) == ((), {}, False)
    assert shown["score_word"] == "stones eaten"


@pytest.mark.parametrize("name", list(all_games()))
def test_only_signs_are_explained_that_a_game_can_show(name):
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
    assert [each["wanted"] for each in played(GAME).message["goals"]] == [20, 20]


def test_keys_are_told_that_can_be_pressed_next_and_what_they_do():
    table = played(AZTEKA, "c3", "a1", "c4", "b1", "c2", "a2")
    assert [each["key"] for each in table.message["keys"]] == ["ring1", "ring2", "ring3", "ring4"]
    table.tap("c1")
    (key,) = table.message["keys"]
    assert (key["key"], key["cue"]) == ("choice1", "legal")
    assert "birth" in key["text"]
    assert played(GAME).message["keys"] == []


def test_a_piece_that_takes_anothers_place_is_one_task_that_names_both():
    (task,) = played(AZTEKA, *SURROUNDED).message["todo"]
    assert (task["kind"], task["cell"], task["piece"], task["taken"]) == ("swap", "a1", "D", "L")
    assert "a1" in task["text"]
    assert task["text"].index("Life") < task["text"].index("Death")


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
    assert shown["cells"]["a1"]["label"] == "a1, empty, a good move, hint 2: 50%"
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


MIND = find_game("cirkle-mind")
EN = words("en")
BENDS = GAME.from_json({"pieces": {"e4": 1, "e5": 1, "f5": 2, "f6": 2, "e7": 2}}, {})


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
def test_rules_are_those_of_the_level_that_is_played(level, name, reported):
    guide: Any = game_view.guide(seen(MIND, MIND.initial({"level": level})), False, EN)
    assert conforms(guide, server_messages.Guide)
    assert guide["level"] == name
    texts = [each["text"] for each in guide["rules"]]
    for key in ("mind.rule_shield", "mind.rule_super"):
        assert (EN.template(key) in texts) == (key in reported)
    assert texts[-1] == EN.template("mind.rule_touch")


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
    other: Any = game_view.guide(seen(ADAPTOID, ADAPTOID.initial()), False, EN)
    fight = other["rules"][2]["pictures"][0]
    assert (fight["way"], fight["edits"]["d4"]["kind"]) == (("d4", "e4"), "leave")
    assert fight["edits"]["e4"]["kind"] == "remove"


def test_numbers_goals_and_endings_are_explained():
    state: Any = state_view.state(seen(AZTEKA, AZTEKA.initial()), EN)
    assert all(goal["about"] for goal in state["goals"])
    step = next(step for step in tutorial(GAME) if step.move == "i1")
    lost = GAME.play(step.position, "i1")
    ended: Any = state_view.state(seen(GAME, lost, outcome=GAME.outcome(lost)), EN)
    assert "here it wins" in ended["outcome"]["about"]


def test_preview_tells_critter_and_prey_before_a_stone_is_set():
    reported: Any = game_view.preview(seen(GAME, BENDS), "e3", EN)
    assert conforms(reported, server_messages.PreviewOfMove)
    assert reported["cells"] == {
        **dict.fromkeys(("e3", "e4", "e5"), "critter"),
        **dict.fromkeys(("e7", "f5", "f6"), "prey"),
    }
    assert reported["text"] == "e3 would be: line. It eats 3 stones (bend)."
    assert [n for n, cue in enumerate(reported["legend"]) if cue] == [2, 3]
    bare: Any = game_view.preview(seen(GAME, BENDS), "a1", EN)
    assert (bare["cells"], bare["text"]) == ({"a1": "critter"}, "a1 would be: singleton.")


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
    assert (reported["cells"], reported["text"]) == ({}, "")
