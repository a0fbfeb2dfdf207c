"""The messages between page and server: refusals, and that types, page and document agree."""

import inspect
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.common import words
from game.play import Snapshot
from game.rules import circle_of_life, cirkle_mind
from game.rules.base.situation import Situation
from game.table.phases import Phase
from game.table.scene import scene_of
from game.table.state import State
from game.web import MessageError, page_folder, page_messages, parse, server_messages
from game.web.game_pages import page_words
from game.web.page_messages import FROM_PAGE, MAX_ITEMS
from game.web.views import game_view, state_view
from hal import profile as profiles
from hal.base.schema import MAX_TEXT
from tests.helpers.pages.described import conforms
from tests.helpers.pages.hosted import hosted
from tests.tools import messages

ALL = tuple(FROM_PAGE.values())


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ([1, 2], "do is None; allowed: press, lift"),
        ({"do": ["press"]}, "do is ['press']; allowed: press, lift"),
        ({"do": "lift"}, "pointer is missing; allowed: a text"),
        ({"do": "lift", "pointer": 3}, "pointer is 3; allowed: a text"),
        (
            {"do": "lift", "pointer": "x" * (MAX_TEXT + 1)},
            f"x'; allowed: a text of length <= {MAX_TEXT}",
        ),
        ({"do": "lift", "pointer": "", "cell": 1}, "cell is unknown; allowed: pointer"),
        ({"do": "command", "name": "explode"}, "name is 'explode'; allowed: "),
        ({"do": "mask", "cells": "e5"}, "; allowed: "),
        ({"do": "score", "score": [True, 0], "to_move": 1}, "; allowed: "),
        ({"do": "hands", "automatic": 1}, "automatic is 1; allowed: "),
        ({"do": "arrange", "pieces": {f"x{n}": "" for n in range(MAX_ITEMS + 1)}}, "; allowed: "),
    ],
    ids=lambda each: str(each)[:40],
)
def test_parse_names_field_value_and_what_is_allowed(message, why):
    with pytest.raises(MessageError) as refused:
        parse(json.dumps(message), ALL)
    assert why in str(refused.value)
    assert len(str(refused.value)) < 1000


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON = st.recursive(SCALARS, lambda e: st.lists(e) | st.dictionaries(st.text(), e), max_leaves=8)
NAMES = sorted({each for kind in ALL for each in inspect.signature(kind).parameters})


@given(st.sampled_from([*FROM_PAGE, "dance"]), st.dictionaries(st.sampled_from(NAMES), JSON))
def test_parse_survives_any_json(do, values):
    try:
        parsed: object = parse(json.dumps({"do": do, **values}), ALL)
    except MessageError as error:
        parsed = str(error)
    assert isinstance(parsed, FROM_PAGE.get(do, str)) or "; allowed: " in str(parsed)


def test_keys_of_seats_are_in_no_repr():
    secret = "secret-key"
    for message in (page_messages.ReturnToSeat(1, secret), page_messages.TakeSeat(secret)):
        assert secret not in repr(message)


def test_page_and_document_say_what_the_types_say():
    assert messages.PAGE_FILE.read_text(encoding="utf-8") == messages.script()
    assert messages.DOCUMENT.read_text(encoding="utf-8") == messages.document()
    others = [file for file in page_folder().glob("*.js") if file.name != "messages.js"]
    assert [file.name for file in others if re.search(r"\bdo: \"", file.read_text())] == []


@pytest.mark.parametrize("game", [circle_of_life.GAME, cirkle_mind.GAME], ids=lambda g: g.name)
def test_server_sends_what_its_types_say(game):
    speak, profile = words("en"), "rectangle-88" if game.hidden else "hexagon-61"
    greeting = state_view.greeting("en", page_words("en"))
    hello = state_view.hello(game, profiles.built_in(profile), speak, greeting, True)
    assert conforms(hello, server_messages.Hello)
    assert conforms({"type": "locked", "seats": True, **greeting}, server_messages.Locked)
    state = State(Phase.TAP, Situation(game, game.initial({})), {})
    shown = state_view.state(Snapshot(game, state, scene_of(state, frozenset())), speak)
    assert conforms(shown, server_messages.State)
    assert conforms(game_view.analysis(None, speak), server_messages.Analysis)
    assert conforms(state_view.lights(()), server_messages.Lights)


PAGE = (Path(__file__).parents[2] / "docs" / "websocket.md").read_text(encoding="utf-8")


def test_program_plays_and_is_answered_as_the_document_says(tmp_path):
    with hosted(tmp_path, first="1") as board, board.page() as socket:
        kinds, state = set(), {}
        # The state comes before its lights.
        while state.get("phase") != "tap" or "lights" not in kinds:
            message = json.loads(socket.recv(timeout=30))
            kinds.add(message["type"])
            state = message if message["type"] == "state" else state
        for line in re.findall(r"^> (\{.*\})$", PAGE, re.MULTILINE):
            socket.send(line)
        while state["ply"] != 1:
            message = json.loads(socket.recv(timeout=30))
            state = message if message["type"] == "state" else state
        assert kinds >= {"hello", "guide"}
        socket.send('{"do":"ping"}')
        while json.loads(socket.recv(timeout=30))["type"] != "pong":
            pass
