"""The page's server: what it sends, what it takes, and whom it does not answer."""

import http.client
import json
import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from game.app.hub import Hub
from game.app.opponent.analysing import Course
from game.app.serve import Server, listen
from game.app.web import Page
from game.rules.circle_of_life import GAME
from game.table.inputs import Command, Input, Laid, Named, Opposed, Picked, Tallied
from hal import profile as profiles
from hal.profile import Profile
from tests.helpers.programs.running import Lifeboard, Talk


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


def test_names_are_told_to_every_page_without_what_no_disk_keeps(lifeboard: Lifeboard, talk: Talk):
    talk.send(do="name", names=["  An\x00na\ud800 ", ""])
    talk.until(lambda t: t.state["names"] == ["An na", ""])
    with lifeboard.page() as socket:
        other = Talk(socket)
        other.until(lambda t: t.state)
        assert other.state["names"] == ["An na", ""]


def test_names_outlive_the_game_and_a_kill(tmp_path: Path):
    with Lifeboard(tmp_path) as first, first.page() as socket:
        talk = Talk(socket)
        talk.send(do="name", names=["Anna", "Zoë"])
        talk.until(lambda t: t.state.get("names") == ["Anna", "Zoë"])
        first.stop(signal.SIGKILL)
    with Lifeboard(tmp_path) as second, second.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state)
        assert talk.state["names"] == ["Anna", "Zoë"]
        talk.send(do="command", name="new_game")
        talk.until(lambda t: t.state["phase"] == "draw")
        talk.until(lambda t: t.state["phase"] == "tap")
        assert talk.state["names"] == ["Anna", "Zoë"]


def test_a_position_is_set_up_by_messages_and_played(talk: Talk):
    assert [each["piece"] for each in talk.hello["palette"]] == ["1", "2"]
    talk.send(do="command", name="set_up")
    talk.until(lambda t: t.state["phase"] == "set_up")
    talk.send(do="lay", cell="e5", piece="1")
    talk.send(do="pick", piece="2")
    talk.send(do="tally", score=[3, 19], to_move=2)
    talk.until(lambda t: t.state["scores"] == [3, 19])
    assert talk.state["draft"] == {"brush": "2", "to_move": 2, "score": [3, 19], "flaw": None}
    assert talk.state["todo"] == [
        {
            "cell": "e5",
            "kind": "put",
            "piece": "1",
            "taken": "",
            "steps": 0,
            "text": "put the orange stone on e5",
        }
    ]
    talk.tap("e5")
    talk.until(lambda t: not t.state["todo"])
    talk.send(do="command", name="new_game")
    talk.until(lambda t: t.state["phase"] == "tap")
    assert talk.state["draft"] is None
    assert (talk.state["to_move"], talk.state["scores"]) == (2, [3, 19])
    assert talk.state["cells"]["e5"]["standing"] == "1"


def test_wishes_without_sense_are_refused_in_words(talk: Talk):
    talk.send(do="lay", cell="e5", piece="1")
    talk.until(lambda t: t.state["notice"])
    talk.send(do="command", name="set_up")
    talk.until(lambda t: t.state["phase"] == "set_up")
    talk.send(do="tally", score=[-1, 0], to_move=1)
    talk.until(lambda t: "-1" in t.state["notice"])
    assert talk.state["scores"] == [0, 0]


class Given:
    """What pages have asked for."""

    def __init__(self) -> None:
        self.wishes: list[Input] = []
        self.analysed = 0

    def ask(self, command: Command) -> None:
        raise NotImplementedError

    def give(self, wish: Input) -> None:
        self.wishes.append(wish)

    def touch(self, cell: str) -> None:
        raise NotImplementedError

    def mask(self, cells: frozenset[str]) -> None:
        raise NotImplementedError

    def analyse(self) -> None:
        self.analysed += 1


STONES = replace(profiles.built_in(), sensing=replace(profiles.built_in().sensing, mode="presence"))


@pytest.mark.parametrize(
    ("profile", "words"),
    [(profiles.built_in(), "Touch the board itself"), (STONES, "Set pieces on the board itself")],
    ids=["touch", "presence"],
)
def test_a_real_board_feels_no_press_and_takes_wishes(profile: Profile, words: str):
    given = Given()
    page = Page(GAME, profile, Hub(), None, given)
    with (
        Server(page, listen(0)) as server,
        connect(server.address.replace("http", "ws") + "ws") as socket,
    ):
        talk = Talk(socket)
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
    assert given.wishes == [
        Named(("Anna", "")),
        Laid("e5", "2"),
        Laid("e5", ""),
        Picked("1"),
        Tallied((4, 0), 2),
    ]


def test_who_is_a_computer_is_handed_over_as_a_page_wishes_it():
    given = Given()
    page = Page(GAME, profiles.built_in(), Hub(), None, given, levels=("random", "3"))
    with (
        Server(page, listen(0)) as server,
        connect(server.address.replace("http", "ws") + "ws") as socket,
    ):
        talk = Talk(socket)
        talk.send(do="oppose", computers=["", "3"], new=False)
        talk.send(do="oppose", computers=["random", ""], new=True)
        talk.send(do="oppose", computers=["", "4"], new=True)
        talk.until(lambda t: t.errors)
        assert talk.errors == ["computers is ['', '4']; allowed: 2 of '', 'random', '3'"]
        assert [each["text"] for each in talk.hello["levels"]] == ["random", "level 3"]
    assert given.wishes == [Opposed(("", "3")), Opposed(("random", ""), new=True)]


def test_a_board_without_computers_knows_no_level():
    given = Given()
    with (
        Server(Page(GAME, profiles.built_in(), Hub(), None, given), listen(0)) as server,
        connect(server.address.replace("http", "ws") + "ws") as socket,
    ):
        talk = Talk(socket)
        talk.send(do="oppose", computers=["", "3"], new=False)
        talk.until(lambda t: t.errors)
        assert talk.errors == ["computers is ['', '3']; allowed: 2 of ''"]
        assert talk.hello["levels"] == []
    assert given.wishes == []


def test_a_course_is_asked_for_and_told_to_every_page_until_there_is_none():
    given, hub = Given(), Hub()
    page = Page(GAME, profiles.built_in(), hub, None, given)
    with (
        Server(page, listen(0)) as server,
        connect(server.address.replace("http", "ws") + "ws") as one,
    ):
        talk = Talk(one)
        talk.send(do="analyse")
        talk.send(do="dance")
        talk.until(lambda t: t.errors)
        assert (given.analysed, talk.course) == (1, {})
        hub.see_course(Course(12))
        talk.until(lambda t: t.course)
        assert (talk.course["moves"], talk.course["done"]) == (12, False)
        with connect(server.address.replace("http", "ws") + "ws") as two:
            late = Talk(two)
            late.until(lambda t: t.course)
            assert late.course == talk.course
        hub.see_course(None)
        talk.until(lambda t: t.course["moves"] == 0)
