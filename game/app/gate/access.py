"""Who may do what on a page: the names it answers to, and the level of each client.

Owns these decisions, and the reading of a request as far as they need it. Must not answer anyone,
nor know what a page shows.
"""

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from ipaddress import IPv6Address, ip_address
from typing import Any

from game.app.gate.pin import Pins

COOKIE = "lifeboard"
"""The cookie that holds a device's token."""
HERE = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names under which this computer asks itself."""

_HOST = re.compile(
    r"(?P<name>\[[0-9A-Fa-f:.]+(%[\w.-]+)?\]|[\w.-]+)(:(?P<port>\d{1,5}))?", re.ASCII
)
_HTTP_PORT = 80
_MDNS_NAME = "lifeboard"
_MDNS_MOST = 9
_PROXIES = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


class Level(Enum):
    """What a client may do: nothing but give the PIN, watch, or also control."""

    NOTHING = "nothing"
    WATCH = "watch"
    CONTROL = "control"


@dataclass(frozen=True, slots=True)
class Caller:
    """Hold what a request says of its sender.

    `client` and `server` are the addresses of the connection, `port` is ours. `forwarded` tells
    that a proxy passed it on, whose own address `client` is then; what it says of others is never
    trusted.
    """

    client: str
    server: str
    port: int
    host: str = ""
    origin: str | None = None
    fetch_site: str | None = None
    token: str = ""
    forwarded: bool = False

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> "Caller":
        """Read the scope of an ASGI request."""
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key, text = name.decode("latin-1").lower(), value.decode("latin-1")
            # Twice the same header is as good as one that matches nothing.
            headers[key] = f"{headers[key]}; {text}" if key in headers else text
        client, server = scope.get("client") or ("", 0), scope.get("server") or ("", 0)
        return cls(
            client=plain_address(client[0]),
            server=plain_address(server[0]),
            port=server[1] or 0,
            host=headers.get("host", ""),
            origin=headers.get("origin"),
            fetch_site=headers.get("sec-fetch-site"),
            token=_token(headers.get("cookie", "")),
            forwarded=any(name in headers for name in _PROXIES),
        )

    @property
    def local(self) -> bool:
        """Tell whether this computer asks itself, without a proxy that may ask for others."""
        return not self.forwarded and is_loopback(self.client)

    @property
    def from_own_page(self) -> bool:
        """Tell whether a page of this same host asks, as far as a browser says so."""
        ours = (f"http://{self.host}".lower(), f"https://{self.host}".lower())
        if self.origin is not None and self.origin.lower() not in ours:
            return False
        return self.fetch_site in (None, "same-origin")


@dataclass(frozen=True, slots=True)
class Access:
    """Decide whom a page answers, and what they may do there.

    With `pins` the local network is answered: its devices control once they have given the PIN,
    and watch before that if `watching_open`. This computer itself always controls. `names` are
    more host names under which browsers may come, `computer` is this one's own. `pin_command` is
    what shows the PIN, "" where it stands in the terminal.
    """

    pins: Pins | None = None
    watching_open: bool = False
    names: tuple[str, ...] = ()
    computer: str = field(default_factory=socket.gethostname)
    pin_command: str = ""

    @property
    def network(self) -> bool:
        """Tell whether anyone but this computer is answered."""
        return self.pins is not None

    def answers(self, caller: Caller) -> bool:
        """Tell whether a client is answered at all."""
        return self.network or caller.local

    def is_called(self, caller: Caller) -> bool:
        """Tell whether the Host header names us.

        A foreign site that points its own name at this computer names that one (DNS rebinding).
        """
        found = _HOST.fullmatch(caller.host)
        if found is None:
            return False
        name = found["name"].strip("[]").lower()
        if caller.local:
            # Any port, since a tunnel from another computer ends here with a port of its own.
            return name in HERE
        if int(found["port"] or _HTTP_PORT) != caller.port:
            return False
        address = plain_address(name)
        return address == caller.server or name.removesuffix(".") in self._own_names()

    def level(self, caller: Caller) -> Level:
        """Return what a client may do now."""
        if caller.local:
            return Level.CONTROL
        if self.pins is None:
            return Level.NOTHING
        if caller.token and self.pins.is_token(caller.token):
            return Level.CONTROL
        return Level.WATCH if self.watching_open else Level.NOTHING

    def pin_changed(self, caller: Caller) -> bool:
        """Tell whether a device has given a PIN that holds no more."""
        if self.pins is None or caller.local or not caller.token:
            return False
        return not self.pins.is_token(caller.token)

    def may_link(self, caller: Caller) -> bool:
        """Tell whether a websocket may be opened.

        Browsers always say from which page; other programs must be known otherwise.
        """
        if caller.origin is None and self.level(caller) is not Level.CONTROL:
            return False
        return caller.from_own_page

    def _own_names(self) -> frozenset[str]:
        computer = self.computer.lower()
        short = computer.partition(".")[0]
        # On a conflict of names, mDNS numbers them.
        mdns = {
            f"{name}{number}.local"
            for name in (_MDNS_NAME, short)
            for number in ("", *(f"-{each}" for each in range(2, _MDNS_MOST + 1)))
        }
        return frozenset({computer, short, *mdns, *(name.lower() for name in self.names)})


LOCAL = Access()
"""Only this computer, where everyone controls."""


def plain_address(text: str) -> str:
    """Write an address the one usual way: without zone, and IPv4 in IPv6 as IPv4."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(address)


def is_loopback(address: str) -> bool:
    """Tell whether an address is this computer's own, which no other can send from."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _token(header: str) -> str:
    """Find our cookie among those of a header, whatever others of this host look like."""
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""
