"""The page's server: what it sends, what it takes, and whom it does not answer."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from websockets.sync.client import connect

from game.app.hub import Hub
from game.app.opponent.analysing import Course
from game.app.serve import Server, listen
from game.app.web import Page
from game.rules.circle_of_life import GAME
from game.table.inputs import Laid, Named, Opposed, Picked, Tallied
from hal import profile as profiles
from hal.profile import Profile
from tests.helpers.pages.hosted import Hosted
from tests.helpers.pages.network_page import Wishes
from tests.helpers.programs.running import Talk


@pytest.fixture
def talk(board: Hosted):
    with board.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("phase") == "tap" and t.lights)
        yield talk


def test_hello_describes_board_legend_and_words(talk: Talk):
    hello = talk.hello
    assert (len(hello["board"]["cells"]), hello["board"]["shape"]) == (61, "hexagon")
    neighbours = ["d4", "d5", "e4", "e6", "f4", "f5"]
    assert sorted(hello["board"]["cells"]["e5"]["neighbours"]) == neighbours
    assert [entry["eats"] for entry in hello["legend"]] == [11, *range(11)]
    assert [each["piece"] for each in hello["palette"]] == ["1", "2"]
    assert {"name": "remove", "text": "take this away"} in hello["cues"]
    assert len(hello["rules"]) == 7
    assert len(talk.lights) == 6 * (max(hello["pixels"].values()) + 1)


def test_taps_names_and_commands_of_one_page_are_told_to_every_page(board: Hosted, talk: Talk):
    cells = ("e5", "a1", "i5", "a5")
    for cell in cells:
        talk.tap(cell)
    talk.send(do="name", names=["  An\x00na\ud800 ", ""])
    with board.page("it") as socket:
        other = Talk(socket)
        other.until(lambda t: t.state.get("ply") == 4 and t.state["names"][0])
        assert [move["text"] for move in other.state["moves"]] == list(cells)
        assert other.state["names"] == ["An na", ""]
        other.send(do="language", lang="de")
        other.until(lambda t: t.hello["lang"] == "de")
        assert other.hello["words"]["page.new_game"] == "Neues Spiel"
        other.send(do="command", name="resign")
        talk.until(lambda t: t.state["confirm"] == "resign")
        other.send(do="command", name="resign")
        talk.until(lambda t: t.state["outcome"])
    assert (talk.state["phase"], talk.state["to_move"]) == ("over", None)


ALLOWED = (
    "allowed: press, lift, key, command, touch, mask, name, lay, pick, tally, oppose, analyse,"
    " language"
)


def test_nonsense_is_answered_and_changes_nothing(talk: Talk):
    nonsense = [
        ({"do": "press", "pointer": "x", "spot": "z9"}, "'z9' is unknown"),
        ({"do": "press", "pointer": "x", "spot": "\ud800"}, "\\ud800"),
        ({"do": "press", "pointer": 3, "spot": "e5"}, ALLOWED),
        ({"do": "key", "name": "ring1"}, "key is 'ring1'; allowed: none"),
        ({"do": "command", "name": "explode"}, "'explode'; allowed: new_game, take_back, resign"),
        ({"do": "language", "lang": "xx"}, "'xx'; allowed: en, it, fr, de"),
        ({"do": "dance"}, ALLOWED),
        ([1, 2], ALLOWED),
        ({"do": "touch", "cell": "z9"}, "'z9'; allowed are the board's cells"),
        ({"do": "touch", "cell": ["e5"]}, ALLOWED),
        ({"do": "mask", "cells": ["e5", "z9"]}, "'z9'; allowed are the board's cells"),
        ({"do": "mask", "cells": [{}]}, "{}; allowed are the board's cells"),
        ({"do": "mask", "cells": "e5"}, ALLOWED),
        ({"do": "name", "names": ["Anna"]}, "['Anna']; allowed: 2 texts"),
        ({"do": "name", "names": ["Anna", 3]}, "['Anna', 3]; allowed: 2 texts"),
        ({"do": "name", "names": "Anna"}, ALLOWED),
        ({"do": "lay", "cell": "z9", "piece": "1"}, "'z9'; allowed are the board's cells"),
        ({"do": "lay", "cell": "e5", "piece": "\ud800"}, "allowed: '1', '2', ''"),
        ({"do": "lay", "cell": "e5", "piece": 1}, ALLOWED),
        ({"do": "pick", "piece": ""}, "''; allowed: '1', '2'"),
        ({"do": "tally", "score": [1, "2"], "to_move": 1}, "'2'; allowed: a whole number"),
        ({"do": "tally", "score": [True, 0], "to_move": 1}, "True; allowed: a whole number"),
        ({"do": "tally", "score": [0, 0], "to_move": None}, "None; allowed: a whole number"),
        ({"do": "tally", "score": 3, "to_move": 1}, ALLOWED),
        ({"do": "oppose", "computers": ["", "7"], "new": False}, "['', '7']; allowed: 2 of '', "),
        ({"do": "oppose", "computers": ["3"], "new": False}, "['3']; allowed: 2 of '', 'random'"),
        ({"do": "oppose", "computers": ["", None], "new": False}, "['', None]; allowed: 2 of"),
        ({"do": "oppose", "computers": [[], {}], "new": False}, "[[], {}]; allowed: 2 of"),
        ({"do": "oppose", "computers": ["", "3"], "new": 1}, ALLOWED),
        ({"do": "oppose", "computers": ["", "3"]}, ALLOWED),
        ({"do": "oppose", "computers": "3", "new": False}, ALLOWED),
        ({"do": "analyse"}, None),
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
    assert talk.state["computers"] == ["", ""]


def test_binary_and_oversized_messages_end_only_that_page(board: Hosted, talk: Talk):
    for message in (b"\x00\xff", "x" * 100_000):
        with board.page() as socket:
            socket.send(message)
    talk.tap("e5")
    talk.until(lambda t: t.state["ply"] == 1)
    assert talk.state["moves"][0]["text"] == "e5"


def test_fingers_of_a_page_that_goes_away_are_lifted(board: Hosted, talk: Talk):
    talk.tap("e5")
    talk.tap("a1")
    talk.until(lambda t: t.state["ply"] == 2)
    with board.page() as socket:
        other = Talk(socket)
        other.send(do="press", pointer="m", spot="e5")
        other.until(lambda t: "Species: singleton" in t.state.get("message", ""))
    talk.until(lambda t: "Species" in t.state["message"])
    talk.until(lambda t: "Species" not in t.state["message"])
    assert talk.state["ply"] == 2


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


def test_a_position_is_set_up_by_messages_and_played(talk: Talk):
    talk.send(do="lay", cell="e5", piece="1")
    talk.until(lambda t: t.state["notice"])
    talk.send(do="command", name="set_up")
    talk.until(lambda t: t.state["phase"] == "set_up")
    talk.send(do="tally", score=[-1, 0], to_move=1)
    talk.until(lambda t: "-1" in t.state["notice"])
    talk.send(do="lay", cell="e5", piece="1")
    talk.send(do="pick", piece="2")
    talk.send(do="tally", score=[3, 19], to_move=2)
    talk.until(lambda t: t.state["scores"] == [3, 19])
    assert talk.state["draft"] == {"brush": "2", "to_move": 2, "score": [3, 19], "flaw": None}
    assert [task["text"] for task in talk.state["todo"]] == ["put the orange stone on e5"]
    talk.tap("e5")
    talk.until(lambda t: not t.state["todo"])
    talk.send(do="command", name="new_game")
    talk.until(lambda t: t.state["phase"] == "tap")
    assert talk.state["draft"] is None
    assert (talk.state["to_move"], talk.state["scores"]) == (2, [3, 19])
    assert talk.state["cells"]["e5"]["standing"] == "1"


@contextmanager
def served(page: Page) -> Iterator[tuple[Talk, str]]:
    """Serve a page, and connect to it; the address is for others to do so."""
    with Server(page, listen(0)) as server:
        address = server.address.replace("http", "ws") + "ws"
        with connect(address) as socket:
            yield Talk(socket), address


STONES = replace(profiles.built_in(), sensing=replace(profiles.built_in().sensing, mode="presence"))


@pytest.mark.parametrize(
    ("profile", "words"),
    [(profiles.built_in(), "Touch the board itself"), (STONES, "Set pieces on the board itself")],
    ids=["touch", "presence"],
)
def test_a_real_board_feels_no_press_and_takes_wishes(profile: Profile, words: str):
    given = Wishes()
    with served(Page(GAME, profile, Hub(), None, given)) as (talk, _):
        talk.until(lambda t: t.hello)
        assert talk.hello["simulated"] is False
        talk.send(do="name", names=["Anna", ""])
        talk.send(do="lay", cell="e5", piece="2")
        talk.send(do="lay", cell="e5", piece="")
        talk.send(do="pick", piece="1")
        talk.send(do="tally", score=[4, 0], to_move=2)
        talk.send(do="press", pointer="m", spot="e5")
        talk.until(lambda t: t.errors)
        assert words in talk.errors[0]
    assert given.given == [
        Named(("Anna", "")),
        Laid("e5", "2"),
        Laid("e5", ""),
        Picked("1"),
        Tallied((4, 0), 2),
    ]


def test_who_is_a_computer_is_handed_over_as_a_page_wishes_it():
    given = Wishes()
    page = Page(GAME, profiles.built_in(), Hub(), None, given, levels=("random", "3"))
    with served(page) as (talk, _):
        talk.send(do="oppose", computers=["", "3"], new=False)
        talk.send(do="oppose", computers=["random", ""], new=True)
        talk.send(do="oppose", computers=["", "4"], new=True)
        talk.until(lambda t: t.errors)
        assert talk.errors == ["computers is ['', '4']; allowed: 2 of '', 'random', '3'"]
        assert [each["text"] for each in talk.hello["levels"]] == ["random", "level 3"]
    assert given.given == [Opposed(("", "3")), Opposed(("random", ""), new=True)]


def test_a_course_is_asked_for_and_told_to_every_page_until_there_is_none():
    given, hub = Wishes(), Hub()
    with served(Page(GAME, profiles.built_in(), hub, None, given)) as (talk, address):
        talk.send(do="analyse")
        talk.send(do="dance")
        talk.until(lambda t: t.errors)
        assert (given.analysed, talk.course) == (1, {})
        hub.see_course(Course(12))
        talk.until(lambda t: t.course)
        assert (talk.course["moves"], talk.course["done"]) == (12, False)
        with connect(address) as two:
            late = Talk(two)
            late.until(lambda t: t.course)
            assert late.course == talk.course
        hub.see_course(None)
        talk.until(lambda t: t.course["moves"] == 0)
