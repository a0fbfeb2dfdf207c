"""The page on the local network: what is visible without the PIN, how control is got and lost."""

import json
import logging
import re
import socket
from unittest.mock import Mock

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from game.common import PageError, own_addresses, url
from game.rules.circle_of_life import GAME
from game.service.board_commands import shown_pin
from game.table.inputs import Command, SetNames
from game.web import listen
from game.web.access.login import FIRST_WAIT_S, FREE_TRIES, LIFE_S
from tests.helpers.pages.network_page import Network, closed_with, network
from tests.helpers.programs.running import Talk


@pytest.fixture
def hands():
    return Mock(spec=["press", "lift", "lift_all"])


@pytest.fixture
def served(tmp_path, hands):
    with network(tmp_path, hands=hands) as running:
        yield running


def wrong(served: Network) -> str:
    return f"{(int(served.pins.pin) + 1) % 10**6:06}"


def pressed(hands: Mock) -> list[str]:
    return [call.args[1] for call in hands.press.call_args_list] + ["lift"] * hands.lift.call_count


WISHES = [
    {"do": "press", "pointer": "m", "spot": "e5"},
    {"do": "lift", "pointer": "m"},
    {"do": "command", "name": "new_game"},
    {"do": "touch", "spot": "e5"},
    {"do": "mask", "cells": []},
    {"do": "name", "names": ["Eve", ""]},
    {"do": "lay", "cell": "e5", "piece": "1"},
    {"do": "pick", "piece": "1"},
    {"do": "score", "score": [1, 1], "to_move": 1},
    {"do": "opponents", "computers": ["", ""]},
    {"do": "open", "kind": "game", "game": "azteka"},
    {"do": "analyse"},
]


def refused(talk: Talk) -> set[str]:
    """Wish for everything; return the refusals."""
    for count, wish in enumerate(WISHES, start=1):
        talk.send(**wish)
        talk.until(lambda t, n=count: len(t.errors) == n)
    return set(talk.errors)


def test_without_the_pin_a_page_is_told_no_more_than_that(served, hands):
    served.broadcaster.see_lights(())
    with served.page() as page:
        reported = json.loads(page.recv(timeout=10))
        fixed = {"type", "version", "lang", "langs", "words", "seats"}
        assert set(reported) == {*fixed, "pin_command"}
        assert reported["pin_command"] == ""
        assert (reported["type"], reported["lang"]) == ("locked", "en")
        served.broadcaster.see_lights(())
        for wish in (*WISHES, {"do": "look", "ply": 0}):
            page.send(json.dumps(wish))
            answer = json.loads(page.recv(timeout=10))
            assert answer == {"type": "error", "text": "Enter the PIN first: this page is locked."}
    assert served.wishes.asked == served.wishes.given == pressed(hands) == []


def test_who_watches_is_told_all_and_changes_nothing(tmp_path, hands):
    with (
        network(tmp_path, watching_open=True, hands=hands) as watched,
        watched.talk(language="de") as talk,
    ):
        assert talk.hello["access"] == "watch"
        assert talk.hello["game"] == GAME.name
        assert refused(talk) == {"Gib die PIN ein, um mitzuspielen: Dieses Gerät sieht nur zu."}
    assert watched.wishes.asked == watched.wishes.given == pressed(hands) == []


@pytest.mark.parametrize("who", ["a stranger", "a device with the PIN", "the board's computer"])
def test_link_for_watching_never_lets_play(who, served, hands):
    token = served.pins.watch_token
    cookie = served.give_pin() if "PIN" in who else ""
    address = "127.0.0.1" if "computer" in who else ""
    with served.talk(cookie, address, watch=token) as talk:
        assert talk.hello["access"] == "watch"
        share = talk.hello["share"]
        assert (share["play"], share["pin"]) == (None, "")
        assert share["watch"]["link"].endswith(f"/?watch={token}")
        assert refused(talk) == {"This link only lets you watch."}
    assert served.wishes.asked == served.wishes.given == pressed(hands) == []


def test_only_the_boards_own_page_is_told_the_pin(served):
    pin = served.pins.pin
    with served.talk(address="127.0.0.1") as here, served.talk(served.give_pin()) as phone:
        own, other = here.hello["share"], phone.hello["share"]
    assert own["pin"] == pin
    assert own["play"]["link"] == f"{url(served.address, served.port)}#pin={pin}"
    assert own["play"]["qr"]["path"] != other["play"]["qr"]["path"]
    assert own["watch"] == other["watch"]
    assert pin not in json.dumps(other)


def test_pin_gives_a_cookie_that_controls(served, hands):
    answer = served.post("/pin", {"pin": f" {served.pins.pin[:3]} {served.pins.pin[3:]}"})
    assert answer.status == 204
    cookie, *ends = (answer.headers["Set-Cookie"] or "").split("; ")
    assert cookie.startswith("lifeboard=")
    assert sorted(ends) == ["HttpOnly", f"Max-Age={LIFE_S}", "Path=/", "SameSite=strict"]
    with served.talk(cookie) as talk:
        assert talk.hello["access"] == "control"
        talk.send(do="name", names=["Anna", ""])
        talk.send(do="command", name="resign")
        talk.send(do="press", pointer="m", spot="e5")
        talk.send(do="dance")
        talk.until(lambda t: t.errors)
    assert served.wishes.given == [SetNames(("Anna", ""))]
    assert served.wishes.asked == [Command.RESIGN]
    assert pressed(hands) == ["e5"]


def test_renewed_pin_closes_open_pages_and_voids_links_for_watching(tmp_path):
    with network(tmp_path, pin_command="sudo lifeboard pin") as served:
        cookie, token = served.give_pin(), served.pins.watch_token
        with (
            served.talk(cookie) as phone,
            served.talk(watch=token) as watcher,
            served.talk(address="127.0.0.1") as own,
        ):
            assert phone.hello["pin_command"] == "sudo lifeboard pin"
            shown_pin(tmp_path, new=True)
            for talk in (phone, watcher):
                with closed_with(1008):
                    talk.until(lambda _: False)
            own.send(do="command", name="resign")
            own.send(do="dance")
            own.until(lambda t: t.errors)
        for cookie_now, watch in (
            (cookie, ""),
            ("", token),
            ("", served.pins.watch_token[:-1]),
            ("", "%00"),
        ):
            with served.talk(cookie_now, watch=watch) as talk:
                assert talk.locked
    assert served.wishes.asked == [Command.RESIGN]


def test_wrong_pins_are_refused_in_words_and_then_held_up(served, caplog):
    for left in reversed(range(FREE_TRIES)):
        answer = served.post("/pin?lang=it", {"pin": wrong(served)})
        # The last one is told at once to wait.
        wait = {} if left else {"wait_s": int(FIRST_WAIT_S)}
        reported = {"text": "Il PIN non è quello giusto.", **wait}
        assert (answer.status, answer.shown) == (403, reported)
        assert answer.headers["Set-Cookie"] is None
    assert caplog.text.count(f"wrong PIN from {served.address}") == FREE_TRIES
    assert served.pins.pin not in caplog.text
    held_up = served.post("/pin?lang=de", {"pin": served.pins.pin})
    assert held_up.status == 429
    assert 0 < held_up.shown["wait_s"] <= FIRST_WAIT_S
    # The page counts down; a fixed number beside it would be wrong.
    assert not re.search(r"\d", held_up.shown["text"])
    assert held_up.headers["Retry-After"] == str(held_up.shown["wait_s"])
    here = served.post("/pin", {"pin": served.pins.pin}, address="127.0.0.1")
    assert here.status == 204


def test_what_is_no_pin_is_no_guess(served):
    for body in (b"", b"{", b"[]", b'{"pin": 123456}', b"[" * 1000, b"\xff\xfe", b'"\\ud800"'):
        answer = served.post("/pin", body)
        assert (answer.status, list(answer.shown)) == (400, ["text"]), body


def test_other_sites_neither_guess_nor_forget_nor_link(served):
    right, elsewhere = {"pin": served.pins.pin}, "http://evil.example"
    for path in ("/pin", "/forget"):
        assert served.post(path, right, origin=elsewhere).status == 403
        assert served.post(path, right, origin="null").status == 403
        assert served.post(path, right, sec_fetch_site="cross-site").status == 403
        assert served.post(path, right, host=f"evil.example:{served.port}").status == 400
        own = {"origin": f"http://{served.host}", "sec_fetch_site": "same-origin"}
        assert served.post(path, right, **own).status == 204
        assert served.get(path).status == 405
    address, cookie = f"ws://{served.host}/ws", {"Cookie": served.give_pin()}
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{served.port}"):
        with pytest.raises(InvalidStatus):
            connect(address, origin=origin, additional_headers=cookie)
    with pytest.raises(InvalidStatus):
        connect(address)
    with connect(address, additional_headers=cookie) as page:
        assert json.loads(page.recv(timeout=10))["access"] == "control"


def test_who_says_to_come_through_a_proxy_gains_nothing(tmp_path, monkeypatch, caplog):
    # With this setting uvicorn would trust every client.
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    reported = {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1"}
    with network(tmp_path) as served:
        link, origin = f"ws://{served.host}/ws", f"http://{served.host}"
        with connect(link, origin=origin, additional_headers=reported) as page:
            assert json.loads(page.recv(timeout=10))["type"] == "locked"
        forwarded = {"host": f"lifeboard.local:{served.port}", "x_forwarded_for": "192.168.1.7"}
        assert served.get("/", address="127.0.0.1", **forwarded).status == 200
        with pytest.raises(InvalidStatus):
            connect(f"ws://127.0.0.1:{served.port}/ws", additional_headers=reported)
        answer = served.post("/pin", {"pin": wrong(served)}, x_forwarded_for="127.0.0.1")
        assert answer.status == 403
    assert caplog.text.count(f"wrong PIN from {served.address}") == 1


def test_only_the_pages_files_are_served_and_with_safe_headers(served, caplog):
    for path in (
        "/nothing",
        "/page/../server.py",
        "/page/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd",
        "/page/..\\server.py",
        "/page/main.js%00.html",
        "/page/" + "a" * 5000,
        "/page/%ff",
        "/games/circle-of-life/../game.py",
        "/games/circle-of-life/%2e%2e/game.py",
    ):
        assert served.get(path).status in (400, 404), path
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []
    for path in ("/", "/page/main.js", "/page/symbols.svg", "/games/circle-of-life/art.js"):
        answer = served.get(path)
        assert answer.status == 200
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Server"] is None


def test_client_that_goes_away_is_no_trouble(served, caplog):
    for said in (
        b"POST /pin HTTP/1.1\r\nHost: HERE\r\nContent-Length: 20\r\n\r\n{",
        b"GET /page/main.js HTTP/1.1\r\nHost: HERE\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
    ):
        with served.connected() as link:
            link.sendall(said.replace(b"HERE", served.host.encode()))
    with served.page() as page:
        page.send('{"do": "dance"}')
        page.socket.close()
    assert served.get("/").status == 200
    ours = [each for each in caplog.records if not each.name.startswith("websockets.client")]
    assert [each for each in ours if each.levelno >= logging.WARNING] == []


def test_addresses_are_those_by_which_others_come(served):
    assert served.server.address == f"http://127.0.0.1:{served.port}/"
    assert served.server.addresses == tuple(url(each, served.port) for each in own_addresses())
    for address in own_addresses():
        assert served.get("/", address=address).status == 200


def test_port_without_the_network_is_not_reached_from_there_and_one_in_use_is_named():
    with listen(0) as here, pytest.raises(OSError, match="refused"):
        socket.create_connection((own_addresses()[0], here.getsockname()[1]), timeout=10)
    with listen(0, network=True) as first:
        port = first.getsockname()[1]
        with pytest.raises(PageError, match=f"port {port} cannot be used"):
            listen(port, network=True)
        with pytest.raises(PageError, match=f"port {port} cannot be used"):
            listen(port)


def test_network_is_served_without_ipv6(monkeypatch):
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with listen(0, network=True) as listening:
        assert listening.family is socket.AF_INET
        assert listening.getsockname()[0] == "0.0.0.0"


def test_no_answer_waits_for_an_acknowledgement_of_its_first_half():
    with listen(0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
