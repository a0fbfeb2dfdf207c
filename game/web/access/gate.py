"""Which requests and connections are answered: the listening socket and the ASGI middleware.

Owns the refusals, each one line of English, and how many connections and pages there may be. Must
not know what a page shows.
"""

import logging
import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from game.common import is_loopback, plain, url
from game.web.access.access import Access, AccessLevel, Caller

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
TRY_LATER = 1013
"""Close code of a websocket for which there is no place (IANA's registry of close codes)."""
MAX_CONNECTIONS, MAX_PAGES = 128, 32
"""Most connections and pages of this computer, likewise of devices that have entered the PIN, and
of all others: strangers cannot keep players out."""
MAX_EACH, MAX_PAGES_EACH = 32, 8
"""Most of one network address; a browser opens six connections, and one for each page."""
LIFE_S = 30.0
"""Longest time until a connection ends or becomes a page, so that none is held by a request that
never ends or an answer that is never read; browsers open a new one by themselves."""
AT_ONCE = 32
"""Most new connections dropped in a row, before open ones are served."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Connection:
    """An admitted connection: of this computer, a device that has entered the PIN, or any other."""

    link: socket.socket
    address: str
    local: bool
    let_in: bool
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
        """Admit the next connection for which there is a place, and drop those before it.

        Raises BlockingIOError if none waits, or after AT_ONCE drops, to go on later.
        """
        for _ in range(AT_ONCE):
            link, peer = super().accept()
            address = plain(peer[0])
            local, let_in = is_loopback(address), address in self._let_in
            new = Connection(link, address, local, let_in, time.monotonic())
            if self._has_place(new, MAX_CONNECTIONS, MAX_EACH):
                self._connections[peer[:2]] = new
                return link, peer
            # A reset leaves no socket in TIME_WAIT.
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.close()
        raise BlockingIOError

    def open_page(self, peer: tuple[str, int], local: bool, let_in: bool) -> bool:
        """Make a connection a page; return False if there is no place for it."""
        page = self._connections.get(peer)
        if page is None:
            return False
        page.local, page.let_in, page.is_page = local, let_in, True
        if let_in and not local:
            self._let_in.add(page.address)
        page.is_page = self._has_place(page, MAX_PAGES, MAX_PAGES_EACH)
        return page.is_page

    def _has_place(self, new: Connection, most: int, each: int) -> bool:
        open_now = {peer: it for peer, it in self._connections.items() if it.link.fileno() >= 0}
        self._connections, kind = open_now, (new.is_page, new.local, new.let_in)
        alike = [
            it.address
            for it in open_now.values()
            if it is not new and (it.is_page, it.local, it.let_in) == kind
        ]
        return len(alike) < most and (new.local or alike.count(new.address) < each)

    async def end_old(self) -> None:
        """End the connections that have not become pages within LIFE_S."""
        for each in self._connections.values():
            if not each.is_page and time.monotonic() - each.began > LIFE_S:
                with suppress(OSError):
                    each.link.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class Gate:
    """Pass on to an application the requests that `access` allows, and pages that have a place."""

    _app: ASGIApp
    _access: Access
    _listening: Listening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        caller, page = Caller.of(scope), scope["type"] == "websocket"
        if refusal := self._refusal(scope, caller):
            log.debug("%s refused: %d %s", caller.client, *refusal)
            if page:
                # The server would log a refusal with a reason as an error.
                await send({"type": "websocket.close"})
            else:
                status, reason = refusal
                answer = PlainTextResponse(f"{reason}\n", status, {"Connection": "close"})
                await answer(scope, receive, send_with_headers)
        elif page and not self._listening.open_page(
            scope["client"], caller.local, self._access.level(caller) is AccessLevel.CONTROL
        ):
            log.debug("%s refused: no place for another page", caller.client)
            # Only an open websocket can be closed with a code.
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_LATER})
        else:
            await self._app({**scope, CALLER: caller}, receive, send_with_headers)

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
