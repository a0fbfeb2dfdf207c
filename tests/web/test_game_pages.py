"""The page's server: what it sends, what it accepts, and whom it does not answer."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from websockets.sync.client import connect

from game.rules.circle_of_life import GAME
from game.table.inputs import (
    MaskChanged,
    SelectPiece,
    SetNames,
    SetOpponents,
    SetPiece,
    SetScore,
    StartGame,
    Touched,
)
from game.web import Server, listen, server
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from hal import profile as profiles
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.network_page import Wishes
from tests.helpers.programs.running import ANSWER_S, Talk


@pytest.fixture
def talk(board):
    with board.talk() as talk:
        talk.until(lambda t: t.state.get("phase") == "tap" and t.lights)
        yield talk


def test_taps_names_and_commands_of_one_page_are_told_to_every_page(board, talk):
    cells = ("e5", "a1", "i5", "a5")
    for cell in cells:
        talk.tap(cell)
    talk.send(do="name", names=["  An\x00na\ud800 ", ""])
    with board.talk("it") as other:
        other.until(lambda t: t.state.get("ply") == 4 and t.state["names"][0])
        assert [move["text"] for move in other.state["moves"]] == list(cells)
        assert other.state["names"] == ["An na", ""]
        assert other.hello["words"]["page.new_game"] == "Nuova partita"
        other.send(do="command", name="resign")
        talk.until(lambda t: t.state["confirm"] == "resign")
        other.send(do="command", name="resign")
        talk.until(lambda t: t.state["outcome"])
    assert (talk.state["phase"], talk.state["to_move"]) == ("over", None)


def test_words_address_who_plays_and_not_who_only_watches(tmp_path):
    with (
        hosted(tmp_path, watching=True, first="1") as board,
        board.talk() as page,
        connect(f"{board.elsewhere}ws".replace("http", "ws"), origin=board.elsewhere[:-1]) as far,
    ):
        page.send(do="opponents", computers=["", "random"])
        for talk, you, said in ((page, 1, "You begin: "), (Talk(far), None, "Orange begins: ")):
            talk.until(lambda t: any(t.state.get("computers", ())) and t.state["phase"] == "tap")
            assert talk.state["you"] == you
            assert talk.state["message"].startswith(said)


def test_nonsense_is_answered_and_changes_nothing(talk):
    nonsense = [
        ({"do": "dance"}, "do is 'dance'; allowed: press, lift, key"),
        ({"do": "sit", "invite": "x"}, "do is 'sit'; allowed: press, lift, key"),
        ({"do": "press", "pointer": "x", "spot": "z9"}, "'z9' is unknown"),
        ({"do": "name", "names": "Anna"}, "names is 'Anna'; allowed: "),
        ({"do": "key", "name": "ring1"}, None),
        ({"do": "touch", "spot": "z9"}, None),
        ({"do": "preview", "cell": "z9"}, None),
        ({"do": "name", "names": ["Anna"]}, None),
        ({"do": "lay", "cell": "z9", "piece": "1"}, None),
        ({"do": "pick", "piece": ""}, None),
        ({"do": "opponents", "computers": ["", "7"]}, None),
        ({"do": "opponents", "computers": ["3"]}, None),
        ({"do": "help", "levels": ["x"]}, None),
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


def test_binary_and_oversized_messages_end_only_that_page(board, talk):
    for message in (b"\x00\xff", "x" * 100_000):
        with board.page() as socket:
            socket.send(message)
    talk.tap("e5")
    talk.until(lambda t: t.state["ply"] == 1)


def test_fingers_that_are_lifted_or_whose_page_goes_away_leave_the_board(board, talk):
    talk.tap("e5")
    talk.tap("a1")
    talk.until(lambda t: t.state["ply"] == 2)
    with board.talk() as other:
        other.send(do="press", pointer="m", spot="e5")
        other.until(lambda t: "Species: singleton" in t.state.get("message", ""))
        other.send(do="lift", pointer="m")
        other.until(lambda t: "Species" not in t.state["message"])
        other.send(do="press", pointer="m", spot="e5")
        other.until(lambda t: "Species: singleton" in t.state["message"])
    talk.until(lambda t: "Species" in t.state["message"])
    talk.until(lambda t: "Species" not in t.state["message"])
    assert talk.state["ply"] == 2


@contextmanager
def served(mode: str = "touch", **more: Any) -> Iterator[tuple[Talk, Wishes]]:
    """Serve a page of no board, and connect to it."""
    given, profile = Wishes(), profiles.built_in()
    profile = replace(profile, sensing=replace(profile.sensing, mode=mode))
    page = Page(GAME, profile, Broadcaster(), None, given, **more)
    with (
        Server(page, listen(0)) as server,
        connect(server.address.replace("http", "ws") + "ws") as socket,
    ):
        yield Talk(socket), given


@pytest.mark.parametrize(
    ("mode", "words"),
    [("touch", "Tap the board itself"), ("presence", "Place pieces on the board itself")],
)
def test_a_real_board_feels_no_press_and_takes_wishes(mode, words):
    with served(mode) as (talk, given):
        talk.until(lambda t: t.hello)
        assert talk.hello["simulated"] is False
        talk.send(do="name", names=["Anna", ""])
        talk.send(do="lay", cell="e5", piece="2")
        talk.send(do="lay", cell="e5", piece="")
        talk.send(do="mask", cells=["e5", "a1"])
        talk.send(do="touch", spot="e5")
        talk.send(do="pick", piece="1")
        talk.send(do="score", score=[4, 0], to_move=2)
        talk.send(do="press", pointer="m", spot="e5")
        talk.until(lambda t: t.errors)
        assert words in talk.errors[0]
    assert given.given == [
        SetNames(("Anna", "")),
        SetPiece("e5", "2"),
        SetPiece("e5", ""),
        MaskChanged(frozenset({"e5", "a1"})),
        Touched("e5"),
        SelectPiece("1"),
        SetScore((4, 0), 2),
    ]


def test_who_is_a_computer_is_handed_over_as_a_page_wishes_it():
    with served(levels=("random", "3")) as (talk, given):
        talk.send(do="opponents", computers=["", "3"])
        game = {"options": None, "computers": ["random", ""], "names": ["", ""]}
        talk.send(do="start", game=GAME.name, **game)
        talk.send(do="start", game="azteka", **game)
        talk.until(lambda t: t.errors)
        assert talk.errors == ["This game cannot be opened here."]
        assert [each["text"] for each in talk.hello["levels"]] == ["Chick", "Fox"]
    assert given.given == [SetOpponents(("", "3")), StartGame(None, ("random", ""), ("", ""))]


def test_even_match_gives_two_people_the_help_that_their_names_tell():
    helps = {("Ada", "Ben"): "0,3:2"}
    with served(even_help=lambda _, names: helps[names]) as (talk, given):
        start = {"do": "start", "game": GAME.name, "options": {"help": "even"}}
        talk.send(**start, computers=["", ""], names=["Ada", "Ben"])
        talk.send(**start, computers=["", "3"], names=["Ada", "Ben"])
        talk.send(do="dance")
        talk.until(lambda t: t.errors)
    assert [each.options for each in given.given] == [{"help": "0,3:2"}, {"help": ""}]


def test_server_that_is_too_slow_to_end_keeps_its_socket(monkeypatch):
    monkeypatch.setattr(server, "CLOSE_S", 0)
    page = Page(GAME, profiles.built_in(), Broadcaster(), None, Wishes())
    with Server(page, listen(0)) as serving, connect(serving.address.replace("http", "ws") + "ws"):
        pass
    # The server's loop removes the socket; without it, it would end with an error.
    serving._thread.join(ANSWER_S)
    assert not serving._thread.is_alive()
