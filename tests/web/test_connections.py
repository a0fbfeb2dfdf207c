"""Admission: who gets a place, and what is never done for clients without one."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from game.web import listen
from game.web.access import connections
from game.web.access.connections import (
    HOUSEHOLD,
    MAX_CONNECTIONS,
    MAX_EACH,
    MAX_PAGES,
    MAX_PAGES_EACH,
    REST_S,
    Client,
    Places,
)
from tests.helpers.pages.network_page import Network, network


class Clock:
    """A monotonic clock that stands still."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


class Holder:
    """What holds a place in these tests."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.heard_at = 0.0
        self.ended = False

    def end(self) -> None:
        self.ended = True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(connections, "time", clock)
    return clock


@pytest.fixture
def places(clock: Clock) -> Places:
    return Places(MAX_CONNECTIONS, MAX_EACH, REST_S)


def take(
    places: Places, address: str, times: int, client: Client = Client.STRANGER
) -> list[Holder]:
    """Take places; return the holders that got one."""
    holders = [Holder(address) for _ in range(times)]
    return [each for each in holders if places.take(each, client)]


def test_an_address_holds_no_more_than_its_share(places: Places):
    assert len(take(places, "10.0.0.1", MAX_EACH + 5)) == MAX_EACH
    assert len(take(places, "10.0.0.2", 1)) == 1


def test_addresses_of_one_ipv6_network_count_together_unless_they_were_let_in(places: Places):
    got = [take(places, f"fd00:0:0:1::{number:x}", 1) for number in range(MAX_EACH * HOUSEHOLD + 5)]
    assert sum(map(len, got)) == MAX_EACH * HOUSEHOLD
    assert len(take(places, "fd00:0:0:2::1", 1)) == 1
    assert len(take(places, "fd00:0:0:1::1", MAX_EACH + 1, Client.LET_IN)) == MAX_EACH


@pytest.mark.parametrize(
    ("most", "each"), [(MAX_CONNECTIONS, MAX_EACH), (MAX_PAGES, MAX_PAGES_EACH)]
)
def test_strangers_never_hold_the_places_of_others(
    clock: Clock, most: dict[Client, int], each: int
):
    places = Places(most, each)
    got = sum(len(take(places, f"10.0.0.{number}", each)) for number in range(100))
    assert got >= most[Client.STRANGER]
    for client, address in ((Client.LET_IN, "10.0.1.{}"), (Client.LOCAL, "127.0.0.{}")):
        held = [take(places, address.format(n // each), 1, client) for n in range(most[client])]
        assert sum(map(len, held)) == most[client]
        assert not any(holder.ended for holders in held for holder in holders)
    assert len(places._held[Client.STRANGER]) == most[Client.STRANGER]


def test_two_addresses_cannot_keep_another_one_out(clock: Clock):
    pages = Places(MAX_PAGES, MAX_PAGES_EACH)
    first, second = (take(pages, f"10.0.0.{number}", MAX_PAGES_EACH) for number in (1, 2))
    assert len(first) + len(second) == MAX_PAGES[Client.STRANGER]
    (guest,) = take(pages, "10.0.0.3", 1)
    assert [each.ended for each in first] == [True] + [False] * (MAX_PAGES_EACH - 1)
    # The guest need not go either to make room for the two.
    assert take(pages, "10.0.0.1", 1) == take(pages, "10.0.0.2", 1) == []
    assert not guest.ended


@pytest.mark.parametrize("most", [MAX_CONNECTIONS, MAX_PAGES])
def test_silent_connections_of_this_computer_give_way_to_its_own_page(
    clock: Clock, most: dict[Client, int]
):
    places = Places(most, MAX_PAGES_EACH)
    heard, *silent = take(places, "127.0.0.1", most[Client.LOCAL], Client.LOCAL)
    heard.heard_at = 1.0
    assert len(take(places, "127.0.0.1", 1, Client.LOCAL)) == 1
    assert [each.ended for each in (heard, *silent)] == [False, True] + [False] * (len(silent) - 1)
    assert len(places._held[Client.LOCAL]) == most[Client.LOCAL]


def test_a_place_rests_so_that_new_connections_a_second_are_bounded(places: Places, clock: Clock):
    for _ in range(3):
        got = 0
        for _ in range(1000):
            for holder in take(places, "10.0.0.1", 1):
                got += 1
                places.leave(holder)  # type: ignore[arg-type]
        assert got == MAX_EACH
        clock.now += REST_S
    take(places, "10.0.0.1", 1)
    assert len(places._held[Client.STRANGER]) == 1
    assert not places._left
    for _ in range(2 * MAX_CONNECTIONS[Client.LOCAL]):
        (here,) = take(places, "127.0.0.1", 1, Client.LOCAL)
        places.leave(here)  # type: ignore[arg-type]


def test_one_that_gave_its_place_up_frees_no_other_when_it_leaves(clock: Clock):
    pages = Places(MAX_PAGES, MAX_PAGES_EACH)
    first, *_ = take(pages, "10.0.0.1", MAX_PAGES_EACH)
    take(pages, "10.0.0.2", MAX_PAGES_EACH)
    take(pages, "10.0.0.3", 1)
    pages.leave(first)  # type: ignore[arg-type]
    assert len(pages._held[Client.STRANGER]) == MAX_PAGES[Client.STRANGER]
    assert take(pages, "10.0.0.2", 1) == []


def test_a_refused_connection_is_closed_before_anything_is_made_for_it(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", dict.fromkeys(Client, 1))
    monkeypatch.setattr(connections, "is_loopback", lambda _: False)
    with listen(0) as listening, ExitStack() as opened:
        ends = [
            opened.enter_context(socket.create_connection(listening.getsockname()))
            for _ in range(3)
        ]
        listening.setblocking(False)
        opened.enter_context(listening.accept()[0])
        with pytest.raises(BlockingIOError):
            listening.accept()
        for end in ends[1:]:
            end.settimeout(10)
            with pytest.raises(ConnectionResetError):
                end.recv(1)
        assert len(listening._open) == 1


# Real servers.


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Network]:
    with network(tmp_path) as running:
        yield running


def test_silent_programs_of_this_computer_do_not_keep_its_page_out(
    served: Network, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(MAX_CONNECTIONS, Client.LOCAL, 8)
    with served.page(address="127.0.0.1") as page:
        page.recv(timeout=10)
        with ExitStack() as opened:
            for _ in range(12):
                here = socket.create_connection(("127.0.0.1", served.port), timeout=10)
                opened.enter_context(here)
            assert served.get("/", address="127.0.0.1").status == 200
        page.send("nonsense")
        while json.loads(page.recv(timeout=10))["type"] != "error":
            pass


def test_a_flood_of_connections_leaves_nothing_open_and_holds_nobody_else_up(served: Network):
    protocols = served.server._server.server_state.connections
    with ExitStack() as opened:
        for _ in range(20 * MAX_EACH):
            with suppress(OSError):
                opened.enter_context(served.connected())
            assert len(protocols) <= MAX_EACH
        assert served.get("/", address="127.0.0.1").status == 200


def test_a_device_with_the_pin_gets_in_while_strangers_hold_all_places(
    served: Network, monkeypatch: pytest.MonkeyPatch
):
    cookie = served.give_pin()
    with served.page(cookie) as page:
        page.recv(timeout=10)
        listening = served.server._socket
        for number in range(100):
            for _ in range(MAX_EACH):
                listening._places.take(Holder(f"10.0.0.{number}"), Client.STRANGER)  # type: ignore[arg-type]
                listening._pages.take(Holder(f"10.0.0.{number}"), Client.STRANGER)  # type: ignore[arg-type]
        with served.page(cookie) as another:
            assert another.recv(timeout=10)


def test_a_page_that_sends_without_end_is_ended(served: Network, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "MAX_HEARD", 100_000)
    pong, fragment = b"\x8a\x80\0\0\0\0", b"\x00\x80\0\0\0\0"
    for begin, each in ((b"", pong), (b"\x01\x80\0\0\0\0", fragment)):
        with served.page() as page:
            link = page.socket
            link.sendall(begin)
            for _ in range(10):
                with suppress(ConnectionError):
                    link.sendall(10_000 // len(each) * each)
            with suppress(ConnectionClosed):
                while True:
                    page.recv(timeout=10)
