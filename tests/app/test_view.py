"""What the page is told of a board that is disturbed, masked, or feels stones."""

from dataclasses import replace
from random import Random
from typing import Any

from game.app import view
from game.app.session import Snapshot
from game.app.words import words
from game.rules.circle_of_life import GAME
from game.rules.message import say
from game.table.inputs import Disturbed, Masked, Stood
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


def test_hello_tells_how_the_board_senses():
    profile = profiles.built_in()
    stones = replace(profile, sensing=replace(profile.sensing, mode="presence"))
    for board, sensing in ((profile, "touch"), (stones, "presence")):
        assert view.hello(GAME, board, words("en"), {}, True)["sensing"] == sensing
