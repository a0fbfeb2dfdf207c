"""A page that is served to the local network, and a client that comes from there."""

import http.client
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from game.common import own_addresses
from game.play import Decision
from game.rules.base.game import Game
from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command, Input
from game.web import Server, Site, listen
from game.web.access import Access, Pins
from game.web.access.https import Certificate
from game.web.broadcaster import Broadcaster
from game.web.game_pages import Page
from game.web.seats import Seats
from hal import profile as profiles
from hal.backends.backend import Hands
from tests.helpers.programs.running import Talk

HELP = "these tests need an address of this computer in a network, such as eth0's: see `ip addr`"


class Wishes:
    """What pages have asked for."""

    def __init__(self) -> None:
        self.asked: list[Command] = []
        self.given: list[Input] = []
        self.analysed = 0

    def give(self, wish: Input | Decision, source: str = "") -> None:
        match wish:
            case _ if callable(wish):
                self.decide(wish)
            case Asked(command, 0):
                self.asked.append(command)
            case _:
                self.given.append(wish)

    def decide(self, wish: Decision) -> None:
        raise NotImplementedError

    def analyse(self) -> None:
        self.analysed += 1


@dataclass(frozen=True)
class Network:
    """A running server and the address by which other devices reach it."""

    server: Server
    pins: Pins
    broadcaster: Broadcaster
    wishes: Wishes
    address: str
    port: int

    @property
    def host(self) -> str:
        return f"{self.address}:{self.port}"

    def get(self, path: str, address: str = "", **headers: str) -> http.client.HTTPResponse:
        """Fetch a path exactly as it is written, from the network unless told otherwise."""
        return self._ask("GET", path, None, address or self.address, headers)

    def post(
        self, path: str, body: bytes | dict[str, Any] = b"", address: str = "", **headers: str
    ) -> http.client.HTTPResponse:
        """Post as a page does; the answer's JSON or text is its attribute `shown`."""
        shown = json.dumps(body).encode() if isinstance(body, dict) else body
        return self._ask("POST", path, shown, address or self.address, headers)

    def give_pin(self) -> str:
        """Give the PIN; return the cookie."""
        answer = self.post("/pin", {"pin": self.pins.pin})
        assert answer.status == 204
        return (answer.headers["Set-Cookie"] or "").partition(";")[0]

    def page(
        self, cookie: str = "", address: str = "", language: str = "en", watch: str = ""
    ) -> ClientConnection:
        """Connect as the page does, from the network unless told otherwise."""
        host = f"{address or self.address}:{self.port}"
        return connect(
            f"ws://{host}/ws?lang={language}&watch={watch}",
            origin=f"http://{host}",
            additional_headers={"Cookie": cookie} if cookie else {},
            max_queue=None,
        )

    @contextmanager
    def talk(self, cookie: str = "", address: str = "", **more: str) -> Iterator[Talk]:
        """Connect as `page` does, and wait for the greeting."""
        with self.page(cookie, address, **more) as socket:
            talk = Talk(socket)
            talk.until(lambda t: t.hello or t.locked)
            yield talk

    def connected(self) -> socket.socket:
        """Connect from the network without sending anything yet."""
        return socket.create_connection((self.address, self.port), timeout=20)

    def _ask(
        self, method: str, path: str, body: bytes | None, address: str, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        shown = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection(address, self.port, timeout=10)) as link:
            link.request(method, path, body, shown)
            answer = link.getresponse()
            content = answer.read().decode()
            kind = answer.headers["Content-Type"] or ""
            answer.shown = json.loads(content) if "json" in kind else content  # type: ignore[attr-defined]
            return answer


@contextmanager
def closed_with(code: int) -> Iterator[None]:
    """Expect that the server closes a websocket with this code."""
    with pytest.raises(ConnectionClosed) as closed:
        yield
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


@contextmanager
def network(
    folder: Path,
    watching_open: bool = False,
    hands: Hands | None = None,
    pin_command: str = "",
    certificate: Certificate | None = None,
    around: Callable[[Site], Site] = lambda page: page,
    game: Game[Any, Any] = GAME,
    seats: Seats | None = None,
) -> Iterator[Network]:
    """Serve a page to the network; `around` puts the site into another one."""
    found = own_addresses()
    assert found, HELP
    pins, wishes = Pins(folder), Wishes()
    broadcaster = Broadcaster() if seats is None else Broadcaster(seats.holders)
    profile = profiles.built_in("hexagon-61" if game is GAME else "rectangle-88")
    page = Page(game, profile, broadcaster, hands, wishes, seats=seats)
    access = Access(pins, watching_open, pin_command=pin_command, certificate=certificate)
    with Server(around(page), listen(0, network=True), access) as server:
        port = int(server.address.rpartition(":")[2].strip("/"))
        yield Network(server, pins, broadcaster, wishes, found[0], port)
