"""The gate of the page's server: who may do what, what it refuses, and how much of it."""

import asyncio
import json
import socket
from contextlib import ExitStack, suppress
from itertools import product
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from websockets.exceptions import ConnectionClosed

from game.common import addresses
from game.web import PageLink, server
from game.web.access import LOCAL, Access, AccessLevel, Caller, Gate, Pins, gate
from game.web.access.gate import MAX_EACH
from game.web.access.login import MAX_BODY
from hal.lights import Colour
from tests.helpers.pages.network_page import closed_with, network
from tests.helpers.programs.running import flood

PORT = 8765
HERE, BOARD, PHONE = "127.0.0.1", "192.168.1.5", "192.168.1.7"
PASSED = None, None


def caller(client: str = PHONE, server: str = BOARD, query: bytes = b"", **headers: str) -> Caller:
    """Return the caller of a request as the server builds it; `host` has its usual value."""
    shown = {"host": f"{server}:{PORT}"} | {k.replace("_", "-"): v for k, v in headers.items()}
    scope: dict[str, Any] = {
        "type": "http",
        "query_string": query,
        "client": (client, 50000),
        "server": (server, PORT),
        "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in shown.items()],
    }
    return Caller.of(scope)


@pytest.fixture
def pins(tmp_path):
    return Pins(tmp_path)


@pytest.fixture
def access(pins, tmp_path, monkeypatch):
    resolver = tmp_path / "resolv.conf"
    resolver.write_text("nameserver 192.168.1.1\nsearch ISP.example. other.example\n")
    monkeypatch.setattr(addresses, "_RESOLVER", resolver)
    return Access(pins, names=("Board.home",), computer="gameroom.lan")


# In Debian's /etc/hosts the computer's own name is 127.0.1.1, which a refusal of it then names.
OWN_NAMES = ("127.0.0.1", "127.0.1.1", "localhost", "[::1]", "LOCALHOST")
FOREIGN_HERE = ("", "evil.example", "lifeboard.local", BOARD, "127.0.0.1.evil.example")
NETWORK_NAMES = (
    *(BOARD, "GameRoom", "lifeboard-2.local", "lifeboard.local.", "board.home"),
    # The router's own domain, in which a stranger could have any name but this computer's.
    *("gameroom.fritz.box", "gameroom.isp.example"),
    # Addresses are safe: DNS rebinding needs a host name.
    *("192.168.1.6", "[fe80::5%25eth0]"),
)
FOREIGN = (
    *("", "localhost", "local", "gameroom.evil.example", "evil.isp.example", "evil-fritz.box"),
    *("192.168.1.5.evil.example", "[192.168.1.5", "192.168.1.5:8765@evil"),
)


def test_this_computer_comes_by_its_own_names_alone_on_any_port(access):
    for name in (*OWN_NAMES, *FOREIGN_HERE):
        for each, host in product((access, LOCAL), (name, f"{name}:{PORT}", f"{name}:9000")):
            assert each.knows_host(caller(HERE, HERE, host=host)) is (name in OWN_NAMES), host


def test_network_comes_by_addresses_and_names_of_this_computer_alone(access):
    for name in (*NETWORK_NAMES, *FOREIGN):
        for host in (name, f"{name}:{PORT}"):
            assert access.knows_host(caller(host=host)) is (name in NETWORK_NAMES), host


def test_family_of_a_socket_and_zone_of_an_address_do_not_matter(access):
    found = caller(f"::ffff:{PHONE}", f"::ffff:{BOARD}", host=f"{BOARD}:{PORT}")
    assert (found.client, found.server, found.local) == (PHONE, BOARD, False)
    assert access.knows_host(found)
    found = caller("fe80::7%eth0", "fe80::5%eth0", host=f"[fe80::5%25eth0]:{PORT}")
    assert (found.client, access.knows_host(found)) == ("fe80::7", True)


def test_level_of_a_device_follows_its_cookie_and_that_of_a_proxy_too(access, pins):
    token = pins.token()
    assert access.level(caller()) is AccessLevel.NOTHING
    assert access.level(caller(cookie=f"lifeboard={token}")) is AccessLevel.CONTROL
    assert access.level(caller(cookie="lifeboard=1.2")) is AccessLevel.NOTHING
    assert access.level(caller(cookie=f"other={token}")) is AccessLevel.NOTHING
    watched = Access(pins, watching_open=True)
    assert watched.level(caller(cookie="lifeboard=1.2")) is AccessLevel.WATCH
    assert watched.level(caller(cookie=f"a=b; lifeboard={token}")) is AccessLevel.CONTROL
    # This computer needs none, but a proxy on it speaks for others.
    for client, each in product((HERE, "127.0.0.9", "::1", "::ffff:127.0.0.1"), (access, LOCAL)):
        assert each.level(caller(client, client)) is AccessLevel.CONTROL
    for header in ("x-forwarded-for", "forwarded", "x-real-ip", "via", "X-Forwarded-For"):
        for shown in ("127.0.0.1", "::1", ""):
            forwarded = caller(HERE, HERE, **{header: shown})
            assert access.level(forwarded) is AccessLevel.NOTHING
            assert LOCAL.level(forwarded) is AccessLevel.NOTHING


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        (b"lang=it", "de", "it"),
        (b"lang=xx", "de-CH, en", "de"),
        (b"", "xx", "en"),
        (b"lang=%ff", "", "en"),
    ],
)
def test_language_is_the_named_one_else_one_that_the_browser_accepts(query, accepted, language):
    assert caller(query=query, accept_language=accepted).language == language


def refusal(access: Access, client: str, server: str = BOARD, **more: Any) -> Any:
    """Return the status and reason of a refused request, `PASSED` if it is passed on."""
    sender = Caller(client, server, PORT, **{"host": "board.local"} | more)
    gate: Any = Gate(None, access, None)  # type: ignore[arg-type]
    return gate._refusal({"type": "http", "method": "GET"}, sender) or PASSED


@pytest.mark.parametrize(
    ("client", "status"),
    [
        *((each, None) for each in ("10.9.8.7", "172.31.0.1", "169.254.1.1", "fd12::7", "fe80::7")),
        *((each, None) for each in ("9.8.7.5", "2a00:0:5:5::7")),
        *((each, 403) for each in ("172.32.0.1", "9.8.7.6", "100.64.0.1", "2a00:0:5:6::7", "")),
    ],
)
def test_addresses_of_the_internet_are_refused_unless_told_otherwise(pins, client, status):
    server = "2a00:0:5:5::5" if ":" in client else "9.8.7.5"
    assert refusal(Access(pins), client, server)[0] == status
    assert refusal(Access(pins, public=True), client, server) == PASSED


def test_refusal_says_why_and_names_settings_for_the_service_alone(pins):
    assert refusal(LOCAL, PHONE)[0] == 403
    assert refusal(LOCAL, HERE, host="localhost") == PASSED
    assert refusal(LOCAL, HERE, host="localhost", forwarded=True)[0] == 403
    reason = f"this computer is not known as 'x.example'; open http://{BOARD}:{PORT}/ instead"
    assert refusal(Access(pins), PHONE, host="x.example") == (400, reason)
    service = Access(pins, pin_command="sudo lifeboard pin")
    reason += " or set names under [page] in its settings"
    assert refusal(service, PHONE, host="x.example") == (400, reason)


def test_page_that_reads_slowly_is_told_the_newest_only():
    shown: list[int] = []
    newest = 0

    async def slow_page() -> None:
        nonlocal newest
        news, reads, stays = asyncio.Event(), asyncio.Event(), asyncio.Event()
        news.set()

        async def binary() -> str:
            await stays.wait()
            raise KeyError

        async def tell() -> None:
            shown.append(newest)
            await reads.wait()

        scope = {"lifeboard.caller": caller(HERE)}
        websocket = Mock(scope=scope, receive_text=binary, close=AsyncMock())
        talk = asyncio.create_task(PageLink(websocket, LOCAL).converse(news, tell, lambda _: ""))
        while not shown:
            await asyncio.sleep(0)
        for _ in range(1000):
            newest += 1
            news.set()
            await asyncio.sleep(0)
        reads.set()
        while len(shown) < 2:
            await asyncio.sleep(0)
        stays.set()
        await talk
        websocket.close.assert_awaited_once_with(1003)

    asyncio.run(slow_page())
    assert shown == [0, 1000]


# Real sockets.


@pytest.fixture
def served(tmp_path):
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


def test_oversize_bodies_and_heads_are_refused(served):
    assert served.post("/pin", b"x" * (MAX_BODY + 1)).status == 413
    assert served.get("/?" + "x" * 7000).status == 200
    with served.connected() as link:
        link.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"x" * 300_000)
        assert read_all(link)[9:12] == b"400"
    with served.connected() as link:
        link.sendall(b"POST /pin HTTP/1.1\r\nHost: " + served.host.encode())
        link.sendall(b"\r\nTransfer-Encoding: chunked\r\n\r\n401\r\n" + 1025 * b"x" + b"\r\n")
        assert read_all(link).startswith(b"HTTP/1.1 413 ")
    assert served.get("/").status == 200


@pytest.mark.parametrize(
    "started",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: HERE\r\nX-Slow: ",
        b"POST /pin HTTP/1.1\r\nHost: HERE\r\nContent-Length: 20\r\n\r\n{",
        b"HEAD / HTTP/1.1\r\nHost: HERE\r\n\r\nGET",
    ],
    ids=["silence", "header", "body", "second"],
)
def test_request_that_is_never_whole_is_dropped(served, monkeypatch, started):
    monkeypatch.setattr(gate, "LIFE_S", 0.3)
    with served.connected() as link:
        link.sendall(started.replace(b"HERE", served.host.encode()))
        read_all(link)


def test_websocket_outlives_the_connection_that_it_came_by(served, monkeypatch):
    monkeypatch.setattr(gate, "LIFE_S", 0.3)
    with served.page(address="127.0.0.1") as page:
        with served.connected() as silent:
            read_all(silent)  # began later, and has ended
        page.send("nonsense")
        while json.loads(page.recv(timeout=10))["type"] != "error":
            pass


def test_flood_of_messages_ends_the_page_that_sends_it(served, monkeypatch):
    monkeypatch.setattr(server, "MAX_MESSAGES_A_SECOND", 10)
    with served.page() as page:
        for _ in range(11):
            page.send("{}")
        shown = [json.loads(page.recv(timeout=10)) for _ in range(12)]
        assert shown[-1] == {"type": "error", "text": "too many messages"}
        with closed_with(1008):
            page.recv(timeout=10)
    with served.page(address="127.0.0.1") as here, pytest.raises(ConnectionClosed):
        flood(here, {})


def test_strangers_keep_neither_players_nor_this_computer_out(served, monkeypatch):
    with ExitStack() as opened:
        for _ in range(2):
            opened.enter_context(served.page()).recv(timeout=10)
        monkeypatch.setattr(gate, "MAX_CONNECTIONS", 2)
        with pytest.raises(ConnectionError):
            served.get("/")
        opened.enter_context(served.page(address="127.0.0.1")).recv(timeout=10)
    # An address that has entered the PIN is counted apart from strangers.
    with served.talk(served.give_pin()):
        assert served.server._socket._group(served.address) == (False, True)


def test_fault_in_acting_on_a_message_is_logged_with_its_place(served, monkeypatch, caplog):
    monkeypatch.setattr(served.wishes, "give", lambda *_: 1 / 0)
    with served.talk(served.give_pin()) as talk:
        talk.send(do="name", names=["Anna", ""])
        with pytest.raises(ConnectionClosed):
            talk.until(lambda _: False)
    (record,) = caplog.records
    assert "division by zero" in str(record.exc_info)


def test_flood_of_connections_leaves_nothing_open_and_keeps_no_other_out(served):
    protocols = served.server._server.server_state.connections
    with ExitStack() as opened:
        for _ in range(20 * MAX_EACH):
            with suppress(OSError):
                opened.enter_context(served.connected())
            assert len(protocols) <= MAX_EACH
        assert served.get("/", address="127.0.0.1").status == 200


def test_page_that_never_reads_is_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "PING_S", 0.3)
    monkeypatch.setattr(server, "UNREAD_S", 0.3)
    with network(tmp_path, watching_open=True) as served, ExitStack() as opened:
        served.server._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        link = opened.enter_context(socket.socket())
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.settimeout(20)
        link.connect((served.address, served.port))
        link.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {served.host}\r\nOrigin: http://{served.host}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        pages = served.broadcaster._pages
        while not pages:
            served.get("/", address="127.0.0.1")
        while pages:
            served.broadcaster.see_lights((Colour(0, 0, 0),) * 1000)
            served.get("/", address="127.0.0.1")
        # The system drops the connection too, with all that was not read.
        with suppress(ConnectionError):
            while True:
                link.sendall(b"x" * 65536)
