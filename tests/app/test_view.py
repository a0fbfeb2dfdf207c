"""What the page is told of a board that is disturbed, masked, or feels stones."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from game.app import view
from game.app.session import Snapshot
from game.app.words import LANGUAGES, words
from game.rules.circle_of_life import GAME
from game.rules.message import say
from game.table.inputs import Disturbed, Masked, Stood, Touched
from game.table.table import DRAW_S, Table
from hal import profile as profiles


def told(*events: Any, presence: bool = False) -> dict[str, Any]:
    table = Table(GAME, {"first": "1"}, Random(1), presence)
    table.start(0.0)
    for event in events:
        table.handle(event, DRAW_S)
    return view.state(Snapshot(GAME, table.state, table.scene()), words("en"))


def test_state_tells_the_reasons_of_a_pause_apart_from_the_message():
    chip = say("fault.chip", part="B", cells=("a1", "a2"))
    state = told(Disturbed(frozenset({"a2", "a1"}), (chip, say("fault.strip"))))
    assert state["disturbed"] == [
        "Sensor chip B does not answer.",
        "The strip of lights does not answer.",
    ]
    assert state["lost"] == ["a1", "a2"]
    assert state["message"].startswith("Play is paused")
    assert state["cells"]["a1"]["cue"] == "fault"


def test_state_of_a_sound_board_that_feels_touches_has_nothing_to_add():
    state = told()
    assert (state["disturbed"], state["lost"], state["masked"], state["felt"]) == ([], [], [], None)


def test_masked_cells_are_listed_and_named_for_screen_readers():
    state = told(Masked(frozenset({"e5", "a1"})))
    assert state["masked"] == ["a1", "e5"]
    assert state["cells"]["e5"]["label"] == "e5, empty, can be touched, not felt"
    assert state["cells"]["a1"]["cue"] == "cursor"


def test_felt_stones_are_listed_and_unknown_ones_named():
    state = told(Stood(frozenset()), Stood(frozenset({"e5", "a1"})), presence=True)
    assert state["felt"] == ["a1", "e5"]
    assert state["cells"]["e5"]["standing"] == "?"
    assert state["cells"]["e5"]["label"] == "e5, unknown stone, take this away"


TOUCH = profiles.built_in()
STONES = replace(TOUCH, sensing=replace(TOUCH.sensing, mode="presence"))
TOUCHING = {
    "en": ("touch", "hold"),
    "it": ("tocca", "premuta"),
    "fr": ("touch", "appuy"),
    "de": ("berühr", "gedrückt"),
}


def test_hello_tells_how_the_board_senses():
    for board, sensing in ((TOUCH, "touch"), (STONES, "presence")):
        assert view.hello(GAME, board, words("en"), {}, True)["sensing"] == sensing


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_and_cues_for_a_board_that_feels_stones_advise_no_touch(language: str):
    hello = view.hello(GAME, STONES, words(language), {}, True)
    # That stones of a critter touch each other is no advice, nor is what the cell key does.
    advice = [text for n, text in enumerate(hello["rules"]) if n != 1]
    advice += [each["text"] for each in hello["cues"] if each["name"] != "cursor"]
    said = " ".join(advice).lower()
    assert not [word for word in TOUCHING[language] if word in said]
    assert not {"prey", "predator"} & {each["name"] for each in hello["cues"]}


def test_rules_for_a_board_that_feels_touches_tell_how_to_inspect_a_stone():
    hello = view.hello(GAME, TOUCH, words("en"), {}, True)
    assert hello["rules"][-1].startswith("Press a stone and hold it")


def test_a_legal_cell_of_a_board_that_feels_stones_is_named_for_stones():
    state = told(Stood(frozenset()), presence=True)
    assert state["cells"]["e5"]["label"] == "e5, empty, a stone can be set here"


def test_state_tells_good_news_from_others():
    trouble = Disturbed(frozenset({"a1"}), (say("fault.strip"),))
    state = told(trouble, Disturbed(frozenset(), ()))
    assert (state["notice"], state["good_news"]) == ("All is well again: play goes on.", True)
    assert not told(trouble, Touched("e5"))["good_news"]
