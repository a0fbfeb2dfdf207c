"""Who may do what on a page, from one request alone: host names, and the level of each client."""

import socket
from dataclasses import dataclass, field
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import Scope

from game.common import (
    HOME_DOMAINS,
    LANGUAGES,
    accepted,
    choose,
    is_loopback,
    network_of,
    own_names,
    plain,
)
from game.web.access.https import Certificate
from game.web.access.pin import Pins

COOKIE, SECURE_COOKIE = "lifeboard", "__Host-lifeboard"
"""The cookies that hold a device's token, by HTTP and HTTPS. A browser does not let an HTTP page
replace an HTTPS cookie: with one name, logging in would fail after HTTPS was switched off."""

_PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


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
        client, server = scope.get("client") or ("", 0), scope.get("server") or ("", 0)
        named = request.query_params.get("lang", "")
        wanted = accepted(headers.get("accept-language", ""))
        return cls(
            client=plain(client[0]),
            server=plain(server[0]),
            port=server[1] or 0,
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

    def pin_changed(self, caller: Caller) -> bool:
        """Return whether a device has entered a PIN that is no longer valid."""
        if self.pins is None or caller.local or not caller.token:
            return False
        return not self.pins.device(caller.token)

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
