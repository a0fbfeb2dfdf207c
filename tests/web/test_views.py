"""What the page is sent of a board that has faults or masked cells, or senses stones."""

from dataclasses import replace
from typing import Any

import pytest

from game.common import LANGUAGES, words
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table.inputs import (
    Asked,
    Command,
    FaultsChanged,
    Lifted,
    MaskChanged,
    Saved,
    SetNames,
    SetPiece,
    StonesChanged,
    Touched,
)
from game.web.views import state_view
from game.web.views.state_view import Replayed
from hal import profile as profiles
from tests.helpers.pages.scripted_table import ScriptedTable


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
def test_rules_and_cues_for_a_board_that_feels_stones_advise_no_touch(language: str):
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


def test_hello_says_which_kept_game_is_shown_again():
    hello = state_view.hello(GAME, TOUCH, words("en"), {}, True, Replayed(3, "2026-11-21"))
    replay = hello["replay"]
    assert (replay["number"], replay["past"], hello["keys"]) == (3, False, [])


def test_what_hands_do_is_said_with_the_piece_as_its_word_stands():
    state = shown(Touched("e5"), Asked(Command.TAKE_BACK), language="de")
    assert [task["text"] for task in state["todo"]] == ["wegnehmen: oranger Stein auf e5"]
