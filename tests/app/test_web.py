"""The page's server: what it sends, what it takes, and whom it does not answer."""

import http.client
import json
from contextlib import closing

import pytest
from running import Lifeboard, Talk
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect


@pytest.fixture
def talk(lifeboard: Lifeboard):
    with lifeboard.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("phase") == "tap" and t.lights)
        yield talk


def get(lifeboard: Lifeboard, path: str, **headers: str) -> http.client.HTTPResponse:
    """Fetch a path exactly as it is written; the answer's status and headers remain."""
    with closing(http.client.HTTPConnection("127.0.0.1", lifeboard.port, timeout=10)) as link:
        link.request("GET", path, headers=headers)
        answer = link.getresponse()
        answer.read()
        return answer


def test_hello_describes_board_legend_and_words(talk: Talk):
    hello = talk.hello
    assert len(hello["board"]["cells"]) == 61
    assert hello["board"]["shape"] == "hexagon"
    assert sorted(hello["board"]["cells"]["e5"]["neighbours"]) == [
        "d4",
        "d5",
        "e4",
        "e6",
        "f4",
        "f5",
    ]
    assert [entry["eats"] for entry in hello["legend"]] == [11, *range(11)]
    assert hello["words"]["page.new_game"] == "New game"
    assert {"name": "remove", "text": "take this away"} in hello["cues"]
    assert len(hello["rules"]) == 7
    assert len(talk.lights) == 6 * (max(hello["pixels"].values()) + 1)


def test_tap_through_the_page_places_a_stone(talk: Talk):
    talk.tap("e5")
    talk.until(lambda t: t.state["cells"]["e5"]["piece"])
    cell = talk.state["cells"]["e5"]
    assert (cell["piece"], cell["standing"], cell["cue"]) in {
        ("1", "1", "placed"),
        ("2", "2", "placed"),
    }
    assert "e5" in cell["label"]
    assert talk.state["moves"][0]["text"] == "e5"


def test_quick_taps_of_one_finger_are_felt_one_after_the_other(talk: Talk):
    for cell in ("e5", "a1", "i5", "a5"):
        talk.tap(cell)
    talk.until(lambda t: t.state["ply"] == 4)
    assert [move["text"] for move in talk.state["moves"]] == ["e5", "a1", "i5", "a5"]


ALLOWED = "allowed: press, lift, command, touch, mask, language"


def test_nonsense_is_answered_and_changes_nothing(talk: Talk):
    nonsense = [
        ({"do": "press", "pointer": "x", "spot": "z9"}, "'z9' is unknown"),
        ({"do": "press", "pointer": "x", "spot": "\ud800"}, "\\ud800"),
        ({"do": "press", "pointer": 3, "spot": "e5"}, ALLOWED),
        ({"do": "command", "name": "explode"}, "'explode'; allowed: new_game, take_back, resign"),
        ({"do": "language", "lang": "xx"}, "'xx'; allowed: en, it, fr, de"),
        ({"do": "dance"}, ALLOWED),
        ([1, 2], ALLOWED),
        ({"do": "touch", "cell": "z9"}, "'z9'; allowed are the board's cells"),
        ({"do": "touch", "cell": ["e5"]}, ALLOWED),
        ({"do": "mask", "cells": ["e5", "z9"]}, "'z9'; allowed are the board's cells"),
        ({"do": "mask", "cells": [{}]}, "{}; allowed are the board's cells"),
        ({"do": "mask", "cells": "e5"}, ALLOWED),
        ({"do": "lift", "pointer": "never down"}, None),
    ]
    answered = sum(answer is not None for _, answer in nonsense) + 2
    for message, answer in nonsense:
        before = len(talk.errors)
        talk._socket.send(json.dumps(message))
        if answer:
            talk.until(lambda t, n=before: len(t.errors) > n)
            assert answer in talk.errors[-1]
    talk._socket.send("{not json")
    talk.until(lambda t: t.errors[-1] == "message is not JSON")
    talk._socket.send("[" * 4000)
    talk.until(lambda t: len(t.errors) == answered)
    assert talk.state["ply"] == 0


def test_binary_and_oversized_messages_end_only_that_page(lifeboard: Lifeboard, talk: Talk):
    for message in (b"\x00\xff", "x" * 100_000):
        with lifeboard.page() as socket:
            socket.send(message)
    talk.tap("e5")
    talk.until(lambda t: t.state["ply"] == 1)
    assert talk.state["moves"][0]["text"] == "e5"


def test_commands_ask_once_more_in_the_middle_of_a_game(talk: Talk):
    talk.tap("e5")
    talk.until(lambda t: t.state["ply"] == 1)
    talk.send(do="command", name="resign")
    talk.until(lambda t: t.state["confirm"] == "resign")
    talk.send(do="command", name="resign")
    talk.until(lambda t: t.state["outcome"])
    assert talk.state["phase"] == "over"
    assert talk.state["to_move"] is None


def test_language_is_changed_without_a_new_page(talk: Talk):
    talk.send(do="language", lang="de")
    talk.until(lambda t: t.hello["lang"] == "de" and "beginnt" in t.state["message"])
    assert talk.hello["words"]["page.new_game"] == "Neues Spiel"


def test_language_follows_the_browser(lifeboard: Lifeboard):
    address = f"ws://127.0.0.1:{lifeboard.port}/ws"
    with connect(address, additional_headers={"Accept-Language": "fr-CH, en;q=0.5"}) as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.hello)
        assert talk.hello["lang"] == "fr"


def test_fingers_of_a_page_that_goes_away_are_lifted(lifeboard: Lifeboard, talk: Talk):
    talk.tap("e5")
    talk.tap("a1")
    talk.until(lambda t: t.state["ply"] == 2)
    with lifeboard.page() as socket:
        other = Talk(socket)
        other.send(do="press", pointer="m", spot="e5")
        other.until(lambda t: "Species: singleton" in t.state.get("message", ""))
    talk.until(lambda t: "Species" in t.state["message"])
    talk.until(lambda t: "Species" not in t.state["message"])
    assert talk.state["ply"] == 2


def test_two_pages_see_the_same_game(lifeboard: Lifeboard, talk: Talk):
    with lifeboard.page("it") as socket:
        other = Talk(socket)
        talk.tap("c3")
        other.until(lambda t: t.state.get("ply") == 1)
        assert "c3" in other.state["message"]


def test_files_are_served_with_safe_headers(lifeboard: Lifeboard):
    page = get(lifeboard, "/")
    assert page.status == 200
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert get(lifeboard, "/page/main.js").status == 200
    assert get(lifeboard, "/page/../web.py").status == 404
    assert get(lifeboard, "/nothing").status == 404


def test_foreign_names_and_origins_are_not_answered(lifeboard: Lifeboard):
    assert get(lifeboard, "/", Host="evil.example").status == 400
    address = f"ws://127.0.0.1:{lifeboard.port}/ws"
    with pytest.raises(InvalidStatus):
        connect(address, origin="http://evil.example")
    with connect(address, origin=f"http://127.0.0.1:{lifeboard.port}") as socket:
        assert json.loads(socket.recv(timeout=10))["type"] == "hello"


def test_masked_cell_is_touched_on_the_page(talk: Talk):
    talk.send(do="mask", cells=["e5"])
    talk.until(lambda t: t.state.get("masked") == ["e5"])
    talk.tap("e5")
    talk.tap("a1")
    talk.until(lambda t: t.state["ply"] == 1)
    assert talk.state["moves"][0]["text"] == "a1"
    talk.send(do="touch", cell="e5")
    talk.until(lambda t: t.state["ply"] == 2)
    talk.send(do="mask", cells=[])
    talk.until(lambda t: t.state["masked"] == [])
