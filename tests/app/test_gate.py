"""The bounds of the page's server, counted with a clock of the tests and felt over real sockets."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from game.app.gate import connection
from game.app.gate.access import LOCAL, Access
from game.app.gate.bounds import (
    FIRST_WAIT_S,
    FREE_TRIES,
    HOUR_S,
    LONGEST_WAIT_S,
    TRIES_AN_HOUR,
    Bucket,
    Guesses,
    Rate,
    Rates,
)
from game.app.gate.gate import HERE, MOST_BODY, MOST_HEAD, NETWORK, STRANGERS, Gate
from game.app.gate.pin import Pins
from game.app.serve import converse
from hal.colour import Colour
from tests.helpers.pages.network_page import Network, network

PORT = 8765
BOARD, PHONE = "192.168.1.5", "192.168.1.7"


# Counting.


def test_bucket_gives_a_burst_and_then_so_many_a_second():
    bucket = Bucket(Rate(2, 3), 10.0)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(10.5), bucket.take(10.5)] == [True, False]
    assert [bucket.take(99.0) for _ in range(4)] == [True, True, True, False]


def test_rates_know_a_bounded_number_of_senders():
    rates = Rates(Rate(1, 2))
    for number in range(1100):
        assert rates.take(f"sender{number}", number / 1000)
    assert len(rates) <= 1024
    for number in range(1100):
        assert rates.take(f"other{number}", 100.0)
    assert len(rates) <= 1024


def test_guesses_wait_twice_as_long_each_time_up_to_a_bound():
    guesses, now, waits = Guesses(), 0.0, []
    for _ in range(FREE_TRIES + 7):
        assert guesses.wait_s("a", now) == 0
        guesses.wrong("a", now)
        waits.append(guesses.wait_s("a", now))
        now += waits[-1]
    assert waits == [0] * (FREE_TRIES - 1) + [30, 60, 120, 240, 480, 900, 900, 900]
    assert (FIRST_WAIT_S, LONGEST_WAIT_S) == (30, 900)
    assert guesses.wait_s("b", now) == 0


def test_right_pin_and_an_hour_of_rest_forgive():
    guesses = Guesses()
    for _ in range(FREE_TRIES):
        guesses.wrong("a", 0.0)
        guesses.wrong("b", 0.0)
    guesses.right("a")
    assert guesses.wait_s("a", 1.0) == 0
    assert guesses.wait_s("b", 1.0) == FIRST_WAIT_S - 1
    guesses.wrong("b", HOUR_S)
    assert guesses.wait_s("b", HOUR_S) == 0


def test_many_addresses_guess_no_faster_than_one_bound_for_all():
    guesses = Guesses()
    for number in range(TRIES_AN_HOUR):
        assert guesses.wait_s(f"address{number}", number) == 0
        guesses.wrong(f"address{number}", number)
    assert guesses.wait_s("another", 100.0) == HOUR_S - 100
    assert guesses.wait_s("another", HOUR_S) == 0
    guesses.wrong("another", HOUR_S)
    assert guesses.wait_s("one more", HOUR_S) == 1


# The gate, spoken to in ASGI.


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def scope_of(kind: str = "http", client: str = PHONE, **more: Any) -> dict[str, Any]:
    server = client if client == "127.0.0.1" else BOARD
    headers = {"host": f"{server}:{PORT}", "origin": f"http://{server}:{PORT}"}
    headers |= more.pop("headers", {})
    return {
        "type": kind,
        "client": (client, 1),
        "server": (server, PORT),
        "method": "GET",
        "raw_path": b"/",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    } | more


class Asked:
    """A gate with an application behind it that answers 200, and what was sent last."""

    def __init__(self, access: Access) -> None:
        self.clock = Clock()
        self.gate = Gate(self._app, access, self.clock)
        self.seen: list[Any] = []

    def status(self, **more: Any) -> int:
        return self.statuses(more)[0]

    def statuses(self, *all_more: dict[str, Any]) -> list[int]:
        """Ask one after the other."""
        statuses: list[int] = []

        async def send(message: Any) -> None:
            if "status" in message:
                statuses.append(int(message["status"]))

        async def ask() -> None:
            for more in all_more:
                await self.gate(scope_of(**more), self._nothing, send)

        asyncio.run(ask())
        return statuses

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def _nothing(self) -> Any:
        raise AssertionError("nothing is received here")


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    return Asked(Access(Pins(tmp_path), watching_open=True))


def test_gate_lets_pass_what_is_meant(asked: Asked):
    assert asked.status() == 200
    assert asked.status(method="POST", headers={"content-length": str(MOST_BODY)}) == 200
    assert asked.seen[0]["lifeboard.level"].value == "watch"


@pytest.mark.parametrize(
    ("status", "more"),
    [
        (400, {"headers": {"host": f"evil.example:{PORT}"}}),
        (400, {"headers": {"host": f"evil.example:{PORT}"}, "client": "127.0.0.1"}),
        (403, {"method": "POST", "headers": {"origin": "http://evil.example"}}),
        (403, {"method": "POST", "headers": {"sec-fetch-site": "cross-site"}}),
        (403, {"kind": "websocket", "headers": {"origin": "http://evil.example"}}),
        (411, {"method": "POST", "headers": {"transfer-encoding": "chunked"}}),
        (413, {"method": "POST", "headers": {"content-length": str(MOST_BODY + 1)}}),
        (413, {"headers": {"content-length": "1000000000000"}}),
        (431, {"query_string": b"x" * MOST_HEAD}),
        (431, {"headers": {"cookie": "x" * MOST_HEAD}}),
    ],
    ids=lambda each: str(each)[:60],
)
def test_gate_refuses_what_is_not(asked: Asked, status: int, more: dict[str, Any]):
    assert asked.status(**more) == status
    assert asked.seen == []


def test_gate_of_this_computer_refuses_all_others():
    asked = Asked(LOCAL)
    assert asked.status() == 403
    assert asked.status(client="127.0.0.1") == 200
    assert asked.status(client="127.0.0.1", headers={"x-forwarded-for": "127.0.0.1"}) == 403


def test_flood_of_requests_is_held_up_for_its_sender_alone(asked: Asked):
    statuses = asked.statuses(*[{}] * (NETWORK.requests.burst + 1))
    assert statuses == [200] * NETWORK.requests.burst + [429]
    assert asked.status(client="192.168.1.8") == 200
    assert asked.status(client="127.0.0.1") == 200
    asked.clock.now += 1.0
    again = asked.statuses(*[{}] * (int(NETWORK.requests.per_s) + 1))
    assert again == [200] * int(NETWORK.requests.per_s) + [429]


def test_flood_of_many_addresses_is_held_up_and_this_computer_is_not(asked: Asked):
    most = NETWORK.requests_of_all.burst
    clients = [f"10.0.{n // 200}.{n % 200}" for n in range(most + 1)]
    statuses = asked.statuses(*[{"client": client} for client in clients])
    assert statuses[-1] == 429
    assert set(statuses[:-1]) == {200}
    assert asked.status(client="127.0.0.1") == 200


def test_this_computer_is_bounded_too(asked: Asked):
    statuses = asked.statuses(*[{"client": "127.0.0.1"}] * (HERE.requests.burst + 1))
    assert statuses[-2:] == [200, 429]


class TalkedTo:
    """A gate with an application that echoes over its websocket, for one client."""

    def __init__(self, access: Access, **scope: Any) -> None:
        self.clock = Clock()
        self.gate = Gate(self._app, access, self.clock)
        self.heard: list[str] = []
        self.ended = 0
        self._scope = scope

    def say(self, *texts: str, before: Callable[[int], None] = lambda _: None) -> list[Any]:
        """Connect and say texts, each after a call of `before`; return what was sent."""
        sent: list[Any] = []
        said = iter(enumerate(texts))

        async def receive() -> Any:
            if any(message["type"] == "websocket.close" for message in sent):
                return {"type": "websocket.disconnect", "code": 1008}
            number, text = next(said, (-1, ""))
            if number < 0:
                return {"type": "websocket.disconnect", "code": 1000}
            before(number)
            return {"type": "websocket.receive", "text": text}

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self.gate(scope_of("websocket", **self._scope), receive, send))
        return sent

    async def _app(self, _: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(message["text"])
        self.ended += 1
        with pytest.raises(OSError, match="closed") if message["code"] == 1008 else ExitStack():
            await send({"type": "websocket.send", "text": "bye"})


def test_messages_over_one_websocket_are_bounded(tmp_path: Path):
    talked = TalkedTo(Access(Pins(tmp_path), watching_open=True))
    sent = talked.say(*map(str, range(NETWORK.messages.burst + 5)))
    assert len(talked.heard) == NETWORK.messages.burst
    assert [message["type"] for message in sent] == [
        "websocket.accept",
        "websocket.send",
        "websocket.close",
    ]
    assert json.loads(sent[1]["text"]) == {"type": "error", "text": "too many messages"}
    assert sent[2]["code"] == 1008
    assert talked.ended == 1


def test_message_after_the_pin_was_renewed_is_not_heard(tmp_path: Path):
    pins = Pins(tmp_path)
    talked = TalkedTo(Access(pins), headers={"cookie": f"lifeboard={pins.token()}"})

    def renew(number: int) -> None:
        if number == 2:
            Pins(tmp_path).renew()

    sent = talked.say("0", "1", "2", "3", before=renew)
    assert talked.heard == ["0", "1"]
    assert sent[-1] == {"type": "websocket.close", "code": 1008}


def test_page_that_reads_slowly_is_told_the_newest_only():
    told: list[int] = []
    newest = 0

    async def slow_page() -> None:
        nonlocal newest
        news, reads, stays = asyncio.Event(), asyncio.Event(), asyncio.Event()
        news.set()

        class Silent:
            async def receive_text(self) -> str:
                await stays.wait()
                raise KeyError

            async def close(self, code: int) -> None:
                assert code == 1003

        async def tell() -> None:
            told.append(newest)
            await reads.wait()

        talk = asyncio.create_task(converse(Silent(), news, tell, lambda _: ""))
        while not told:
            await asyncio.sleep(0)
        for _ in range(1000):
            newest += 1
            news.set()
            await asyncio.sleep(0)
        reads.set()
        while len(told) < 2:
            await asyncio.sleep(0)
        stays.set()
        await talk

    asyncio.run(slow_page())
    assert told == [0, 1000]


# Real sockets.


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Network]:
    with network(tmp_path) as running:
        yield running


def read_all(link: socket.socket) -> bytes:
    """Read until the other side closes; a reset is an end as well."""
    read = b""
    try:
        while part := link.recv(65536):
            read += part
    except ConnectionResetError:
        pass
    return read


def test_oversize_bodies_and_heads_are_refused(served: Network):
    assert served.post("/pin", b"x" * (MOST_BODY + 1)).status == 413
    assert served.get("/?" + "x" * 7000).status == 200
    with served.connected() as link:
        link.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"x" * 10_000 + b"\r\n\r\n")
        # The library's own bound where the head comes in pieces, ours where it comes whole.
        assert read_all(link)[9:12] in (b"400", b"431")
    with served.connected() as link:
        link.sendall(b"POST /pin HTTP/1.1\r\nHost: " + served.host.encode())
        link.sendall(b"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        assert read_all(link).startswith(b"HTTP/1.1 411 ")
    assert served.get("/").status == 200


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: HERE\r\nX-Slow: ",
        b"POST /pin HTTP/1.1\r\nHost: HERE\r\nContent-Length: 20\r\n\r\n{",
        b"HEAD / HTTP/1.1\r\nHost: HERE\r\n\r\nGET",
    ],
    ids=["silence", "header", "body", "second"],
)
def test_request_that_is_never_whole_is_dropped(
    served: Network, monkeypatch: pytest.MonkeyPatch, begun: bytes
):
    monkeypatch.setattr(connection, "ASK_S", 0.3)
    with served.connected() as link:
        link.sendall(begun.replace(b"HERE", served.host.encode()))
        read_all(link)


def test_drip_of_bytes_does_not_keep_a_request_open(
    served: Network, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connection, "ASK_S", 0.5)
    with served.connected() as link:
        link.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        link.settimeout(0.02)
        sent = 0
        # Each byte would begin a time anew that only runs while nothing comes.
        while True:
            try:
                link.sendall(b"x")
                sent += 1
                assert sent < 2000
                if not link.recv(100):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
    assert sent > 5


def called(kind: type[Any], name: str, monkeypatch: pytest.MonkeyPatch) -> Event:
    """Return what is set when the server's library calls a method of its connections."""
    event, method = Event(), getattr(kind, name)

    def noted(self: Any, *arguments: Any) -> None:
        method(self, *arguments)
        event.set()

    monkeypatch.setattr(kind, name, noted)
    return event


def test_answer_that_is_never_read_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    lost = called(connection.Connection, "connection_lost", monkeypatch)
    monkeypatch.setattr(connection, "ANSWER_S", 0.3)
    monkeypatch.setattr(connection, "ASK_S", 0.3)
    with network(tmp_path, send_bytes=4096) as served:
        ask = f"GET /page/panel.js HTTP/1.1\r\nHost: {served.host}\r\n\r\n".encode()
        with served.connected(receive_bytes=4096) as link:
            link.settimeout(0.2)
            # Until no buffer between the two of us holds any more.
            with suppress(OSError):
                while True:
                    link.sendall(100 * ask)
            assert lost.wait(20)
        assert served.get("/", address="127.0.0.1").status == 200


def test_connections_of_one_device_are_bounded(served: Network):
    with ExitStack() as opened:
        links = [opened.enter_context(served.connected()) for _ in range(connection.MOST_EACH)]
        with served.connected() as one_more:
            assert read_all(one_more) == b""
        links[0].sendall(f"GET / HTTP/1.1\r\nHost: {served.host}\r\n\r\n".encode())
        assert links[0].recv(12) == b"HTTP/1.1 200"
        assert served.get("/", address="127.0.0.1").status == 200


def test_open_pages_of_one_device_are_bounded(served: Network):
    with ExitStack() as opened:
        for _ in range(NETWORK.links_each):
            opened.enter_context(served.page()).recv(timeout=10)
        late = opened.enter_context(served.page())
        with pytest.raises(ConnectionClosed) as closed:
            late.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        opened.enter_context(served.page(address="127.0.0.1")).recv(timeout=10)
    with served.page() as again:
        assert json.loads(again.recv(timeout=10))["type"] == "locked"


def test_strangers_leave_places_for_those_who_have_the_pin(tmp_path: Path):
    pins = Pins(tmp_path)
    gate = Gate(never_ending, Access(pins, watching_open=True))
    known = {"cookie": f"lifeboard={pins.token()}"}
    strangers = [f"10.0.0.{number}" for number in range(STRANGERS + 2)]
    friends = [f"10.0.1.{number}" for number in range(NETWORK.links - STRANGERS + 1)]
    refused: list[str] = []

    def opened(client: str, headers: dict[str, str]) -> asyncio.Task[None]:
        async def send(message: Any) -> None:
            if message["type"] == "websocket.close":
                assert message["code"] == 1013
                refused.append(client)

        async def receive() -> Any:
            raise AssertionError("nothing is received here")

        return asyncio.create_task(
            gate(scope_of("websocket", client, headers=headers), receive, send)
        )

    async def open_all() -> None:
        tasks = [opened(each, {}) for each in strangers] + [opened(each, known) for each in friends]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(open_all())
    assert refused == [*strangers[-2:], friends[-1]]


async def never_ending(_: Any, __: Any, send: Any) -> None:
    await send({"type": "websocket.accept"})
    await asyncio.Event().wait()


def ended(page: ClientConnection, *says: Callable[[], None]) -> int | None:
    """Say things and read until the page is closed; return the code, None without one."""
    try:
        for say in says:
            say()
        while True:
            page.recv(timeout=10)
    except ConnectionClosed as closed:
        return closed.rcvd and closed.rcvd.code


def test_flood_of_pings_that_reads_no_pongs_is_dropped(served: Network):
    with served.page() as page:
        assert ended(page, *[partial(page.ping)] * 10_000) is None


def test_message_of_endless_empty_pieces_is_dropped(served: Network):
    with served.page() as page:
        assert ended(page, lambda: page.send("" for _ in range(1_000_000))) is None


def test_page_that_never_reads_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    full = called(connection.Talking, "pause_writing", monkeypatch)
    lost = called(connection.Talking, "connection_lost", monkeypatch)
    monkeypatch.setattr("game.app.serve.PING_S", 0.3)
    monkeypatch.setattr(connection, "CLOSE_S", 0.3)
    with (
        network(tmp_path, watching_open=True, send_bytes=4096) as served,
        served.connected(receive_bytes=4096) as link,
    ):
        link.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {served.host}\r\nOrigin: http://{served.host}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        while not full.is_set():
            served.hub.see_lights((Colour(0, 0, 0),) * 1000)
        assert lost.wait(20)
