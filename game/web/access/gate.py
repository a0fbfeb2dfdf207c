"""Which requests and connections are answered, and what each client may do.

Owns the listening socket, the ASGI middleware, its refusals, each one line of English, and how many
connections there may be. Must not know what a page shows.
"""

import logging
import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from game.common import (
    HOME_DOMAINS,
    LANGUAGES,
    accepted,
    choose,
    is_loopback,
    network_of,
    own_names,
    plain,
    url,
)
from game.web.access.https import Certificate
from game.web.access.pin import Pins

COOKIE, SECURE_COOKIE = "lifeboard", "__Host-lifeboard"
"""The cookies that hold a device's token, by HTTP and HTTPS. A browser does not let an HTTP page
replace an HTTPS cookie: with one name, logging in would fail after HTTPS was switched off."""

_PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
CALLER = "lifeboard.caller"
"""The key in the scope under which the application finds the Caller."""
ROOM = "/room"
"""Where other boards connect."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
"""Of every answer."""
MAX_CONNECTIONS = 128
"""Most connections of each group: this computer, devices that have entered the PIN, and all others.
So strangers cannot keep players out.
"""
MAX_EACH = 32
"""Most of one network address; a browser opens six connections, and one for each page."""
LIFE_S = 30.0
"""Longest time until a connection ends or becomes a page: a request may never end, and an answer
may never be read. Browsers open a new one by themselves.
"""

log = logging.getLogger(__name__)


class AccessLevel(Enum):
    """What a client may do: only enter the PIN, watch, or also control."""

    NOTHING = "nothing"
    WATCH = "watch"
    CONTROL = "control"


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request; `client` and `server` are the addresses of the connection.

    Where it is `forwarded`, `client` is a proxy, and its headers are not trusted. `secure` is a
    connection by HTTPS. `game` is the number of the stored game that the address names, and `watch`
    the token of a link for watching only; "" for none.
    """

    client: str
    server: str
    port: int
    host: str = ""
    origin: str | None = None
    fetch_site: str | None = None
    token: str = ""
    forwarded: bool = False
    secure: bool = False
    language: str = "en"
    game: str = ""
    watch: str = ""

    @classmethod
    def of(cls, scope: Scope) -> "Caller":
        """Read the scope of an ASGI request."""
        request = HTTPConnection(scope)
        headers = request.headers
        secure = scope.get("scheme") in ("https", "wss")
        client, server = scope["client"], scope["server"]
        named = request.query_params.get("lang", "")
        wanted = accepted(headers.get("accept-language", ""))
        return cls(
            client=plain(client[0]),
            server=plain(server[0]),
            port=server[1],
            host=headers.get("host", ""),
            origin=headers.get("origin"),
            fetch_site=headers.get("sec-fetch-site"),
            token=request.cookies.get(SECURE_COOKIE if secure else COOKIE, ""),
            forwarded=any(name in headers for name in _PROXY_HEADERS),
            secure=secure,
            language=named if named in LANGUAGES else choose(wanted),
            game=request.query_params.get("game", ""),
            watch=request.query_params.get("watch", ""),
        )

    @property
    def local(self) -> bool:
        """Whether the request is from this computer, and not from a proxy on it."""
        return not self.forwarded and is_loopback(self.client)

    @property
    def from_own_page(self) -> bool:
        """Whether a page of this host sent the request, according to the browser."""
        # A proxy may speak HTTPS with the browser.
        schemes = ("https",) if self.secure else ("https", "http")
        own = [f"{each}://{self.host}".lower() for each in schemes]
        known = self.origin is None or self.origin.lower() in own
        return known and self.fetch_site in (None, "same-origin")


@dataclass(frozen=True, slots=True)
class Access:
    """Decides which clients a page answers, and what each may do.

    Without `pins` only this computer is answered. With them the local network is answered too: its
    devices control once they have entered the PIN, and before that watch if `watching_open`. This
    computer controls without a PIN. A link for watching never allows more, even on this computer.
    `names` are further host names of this computer, `computer` is its own. `pin_command` shows the
    PIN, "" where it is printed in the terminal. `public` answers addresses of the internet too.
    With a `certificate` other devices must come by HTTPS. `port` is where other boards find the
    page, 0 for nowhere.
    """

    pins: Pins | None = None
    watching_open: bool = False
    names: tuple[str, ...] = ()
    computer: str = field(default_factory=socket.gethostname)
    pin_command: str = ""
    public: bool = False
    certificate: Certificate | None = None
    port: int = 0

    @property
    def network(self) -> bool:
        """Whether the local network is answered."""
        return self.pins is not None

    def knows_host(self, caller: Caller) -> bool:
        """Return whether the Host header is a name of this computer.

        Guards against DNS rebinding: a foreign site can point its own name at this computer, but
        not an IP address, nor a name that only this network knows.
        """
        try:
            name = (urlsplit(f"//{caller.host}").hostname or "").removesuffix(".")
        except ValueError:
            return False
        address = _address(name)
        if caller.local:
            return name == "localhost" or (address is not None and address.is_loopback)
        if address is not None or name.endswith(HOME_DOMAINS):
            return True
        return name in own_names(self.computer) or name in map(str.lower, self.names)

    def is_near(self, caller: Caller) -> bool:
        """Return whether a client's address is private or in the network of this computer."""
        address, near = _address(caller.client), network_of(caller.client)
        private = address is not None and address.is_private
        return self.public or private or near == network_of(caller.server)

    def level(self, caller: Caller) -> AccessLevel:
        """Return what a client may do now."""
        if self.only_watches(caller):
            return AccessLevel.WATCH
        if caller.local:
            return AccessLevel.CONTROL
        if self.pins is None:
            return AccessLevel.NOTHING
        if caller.token and self.pins.is_token(caller.token):
            return AccessLevel.CONTROL
        return AccessLevel.WATCH if self.watching_open else AccessLevel.NOTHING

    def only_watches(self, caller: Caller) -> bool:
        """Return whether a client came by a valid link for watching only."""
        pins = self.pins
        return bool(caller.watch) and pins is not None and pins.is_watch_token(caller.watch)

    def may_connect(self, caller: Caller) -> bool:
        """Return whether a client may open a websocket.

        Browsers always name the page that asks; other programs must have entered the PIN.
        """
        named = caller.origin is not None or self.level(caller) is AccessLevel.CONTROL
        return named and caller.from_own_page


LOCAL = Access()
"""Only this computer is answered, and controls."""


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(plain(text))
    except ValueError:
        return None


@dataclass(slots=True)
class Connection:
    """An admitted connection, and when it was made."""

    link: socket.socket
    address: str
    began: float
    is_page: bool = False


class Listening(socket.socket):
    """A listening socket that admits connections while there are places for them."""

    def __init__(self, listening: socket.socket) -> None:
        kind = listening.family, listening.type, listening.proto
        super().__init__(*kind, fileno=listening.detach())
        self._connections: dict[tuple[str, int], Connection] = {}
        self._let_in: set[str] = set()

    def accept(self) -> tuple[socket.socket, Any]:
        """Admit the next connection; raises ConnectionAbortedError if there is no place for it."""
        link, peer = super().accept()
        new = Connection(link, plain(peer[0]), time.monotonic())
        if not self._has_place(new.address):
            # A reset leaves no socket in TIME_WAIT.
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.close()
            raise ConnectionAbortedError
        self._connections[peer[:2]] = new
        return link, peer

    def keep(self, peer: tuple[str, int], let_in: bool) -> None:
        """Mark a connection as a page, which stays open; `let_in` if its device has control."""
        if (page := self._connections.get(peer)) is not None:
            page.is_page = True
            if let_in:
                self._let_in.add(page.address)

    def _has_place(self, address: str) -> bool:
        open_now = {peer: it for peer, it in self._connections.items() if it.link.fileno() >= 0}
        self._connections, group = open_now, self._group(address)
        alike = [it.address for it in open_now.values() if self._group(it.address) == group]
        few = is_loopback(address) or alike.count(address) < MAX_EACH
        return few and len(alike) < MAX_CONNECTIONS

    def _group(self, address: str) -> tuple[bool, bool]:
        return is_loopback(address), address in self._let_in

    async def end_old(self) -> None:
        """End the connections that have not become pages within LIFE_S."""
        for each in self._connections.values():
            if not each.is_page and time.monotonic() - each.began > LIFE_S:
                with suppress(OSError):
                    each.link.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class Gate:
    """Passes the requests that `access` allows on to an application."""

    _app: ASGIApp
    _access: Access
    _listening: Listening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller, page = Caller.of(scope), scope["type"] == "websocket"
        if refusal := self._refusal(scope, caller):
            log.debug("%s refused: %d %s", caller.client, *refusal)
            if page:
                # The server would log a refusal with a reason as an error.
                await send({"type": "websocket.close"})
            else:
                status, reason = refusal
                answer = PlainTextResponse(f"{reason}\n", status, {"Connection": "close"})
                await answer(scope, receive, send)
        else:
            if page:
                controls = self._access.level(caller) is AccessLevel.CONTROL
                self._listening.keep(scope["client"], controls)
            await self._app({**scope, CALLER: caller}, receive, send)

    def _refusal(self, scope: Scope, caller: Caller) -> tuple[int, str] | None:
        """Return status and reason why a request is refused; None to pass it on."""
        if not (self._access.network or caller.local):
            return 403, "this page is for this computer only"
        if not self._access.is_near(caller):
            return 403, f"this page is for the local network only, and not for {caller.client}"
        if not self._access.knows_host(caller):
            named = f"this computer is not known as {caller.host[:80]!r}"
            remedy = f"open {url(caller.server, caller.port, secure=caller.secure)} instead"
            # `play`, which prints the PIN in the terminal, has no settings file.
            more = " or set names under [page] in its settings" if self._access.pin_command else ""
            return 400, f"{named}; {remedy}{more}"
        if scope["type"] == "websocket":
            # Another board proves later that it knows the room's code.
            if (scope["path"], caller.origin) == (ROOM, None):
                return None
            if not self._access.may_connect(caller):
                return 403, "only pages of this same host may connect here"
        elif scope["method"] not in ("GET", "HEAD") and not caller.from_own_page:
            return 403, "only pages of this same host may ask for that"
        return None
