"""What every page needs of a server: a port, its files, a websocket, and a thread.

Which clients are answered is decided in `game.web.access`. Must not know what a page shows.
"""

import asyncio
import contextlib
import json
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Protocol, TypeAlias, cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from game.common import AppError, PageError, own_addresses, url
from game.remote.chain import MOST_BYTES
from game.remote.direct import Door
from game.web.access import (
    CALLER,
    HEADERS,
    LOCAL,
    ROOM,
    Access,
    AccessLevel,
    Caller,
    Gate,
    Listening,
    Login,
)
from game.web.page_files import PageFiles

App: TypeAlias = Starlette

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
MAX_HEAD = 8192
"""Bytes of a request's line and headers."""
MAX_MESSAGE = 4096
"""Characters of a message from a page; the longest is a set-up, of less than 1000."""
MAX_MESSAGES_A_SECOND = 500
"""Messages of one page; a finger sends two, and scripts play too."""
TOO_MANY = "too many messages"
"""The refusal after which a page is closed."""
BACKLOG = 1024
"""Connections that the system holds until they are admitted: half a second of a flood."""
CLOSE_S = 1
PING_S = 20.0
"""How often a websocket is pinged, and how long the answer may take."""
UNREAD_S = 30.0
"""How long sent data may stay unread until the system drops the connection."""
CHECK_S = 1.0
"""How often an open websocket's access level is checked again."""
PING = '{"do":"ping"}'
"""The message by which a page asks whether this server is there."""
SWITCH_S = 0.0005
"""How long the server's thread may keep the interpreter while the board's thread waits. Python's
default is ten times that, and each touch waits for it several times."""
TOO_MUCH, NOT_TEXT, TOO_BIG = 1008, 1003, 1009
"""Close codes of websockets (RFC 6455 and its registry)."""


@cache
def page_folder() -> Path:
    return Path(str(files("game.web") / "page"))


class PageLink:
    """One open websocket: its client, the client's access level, and both directions."""

    def __init__(self, websocket: WebSocket, access: Access) -> None:
        self._websocket = websocket
        self.access = access
        self.caller: Caller = websocket.scope[CALLER]
        self.level = access.level(self.caller)

    async def send(self, message: Mapping[str, object]) -> None:
        await self._websocket.send_text(json.dumps(message))

    async def converse(
        self,
        changed: asyncio.Event,
        send_pending: Callable[[], Awaitable[None]],
        take: Callable[[str], str],
        has_left: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Talk until the page disconnects, floods us, loses its access level or `has_left`.

        `send_pending` is called whenever `changed` is set, and `has_left` before it. `take` acts on
        one message's text and returns why it is refused, TOO_MANY to end the page too, or nothing.
        A page opens a new websocket by itself. Returns whether it has left.
        """

        async def speak() -> None:
            while True:
                await changed.wait()
                changed.clear()
                if has_left():
                    return
                await send_pending()

        async def check() -> None:
            while self._holds:
                await asyncio.sleep(CHECK_S)

        sides = [asyncio.create_task(each) for each in (speak(), self._hear(take), check())]
        try:
            ended, _ = await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for side in sides:
                side.cancel()
            await asyncio.gather(*sides, return_exceptions=True)
        for side in ended:
            fault, state = side.exception(), self._websocket.application_state
            # Starlette raises RuntimeError once a disconnect was found by another send.
            if fault is not None and state is WebSocketState.CONNECTED:
                log.error("a page's connection has failed", exc_info=fault)
        if not self._holds:
            await self.close(TOO_MUCH)
            return False
        return ended == {sides[0]} and sides[0].exception() is None

    @property
    def _holds(self) -> bool:
        return self.access.level(self.caller) is self.level

    async def _hear(self, take: Callable[[str], str]) -> None:
        times: deque[float] = deque(maxlen=MAX_MESSAGES_A_SECOND)
        while True:
            try:
                text = await self._websocket.receive_text()
            except WebSocketDisconnect:
                return None
            except KeyError:
                return await self.close(NOT_TEXT)
            if not self._holds:
                return None
            if len(text) > MAX_MESSAGE:
                return await self.close(TOO_BIG)
            now = asyncio.get_running_loop().time()
            flooded = len(times) == MAX_MESSAGES_A_SECOND and now - times[0] < 1
            times.append(now)
            if text == PING and not flooded:
                await self.send({"type": "pong"})
                continue
            refusal = TOO_MANY if flooded else take(text)
            if refusal:
                await self.send({"type": "error", "text": refusal})
            if refusal == TOO_MANY:
                return await self.close(TOO_MUCH)

    async def close(self, code: int = 1000) -> None:
        # A client that has disconnected needs no close.
        with contextlib.suppress(OSError, RuntimeError, WebSocketDisconnect):
            await self._websocket.close(code)


def site(
    index: str,
    talk: Callable[[PageLink], Awaitable[object]],
    access: Access = LOCAL,
    more: Sequence[BaseRoute] = (),
) -> App:
    """Build the ASGI application of one page: its HTML, its files, its websocket, its login.

    `talk` is called with each websocket, already accepted. The routes of `more` come first, and
    their AppErrors are answered.
    """
    page = PageFiles(directory=page_folder())

    async def front(request: Request) -> Response:
        return await page.get_response(index, request.scope)

    async def worker(request: Request) -> Response:
        # A service worker controls only pages at or below its own path.
        return await page.get_response("worker.js", request.scope)

    async def connect(websocket: WebSocket) -> None:
        await websocket.accept()
        await talk(PageLink(websocket, access))

    async def failed(_: Request, why: Exception) -> Response:
        return PlainTextResponse(str(why), 409)

    return Starlette(
        exception_handlers={AppError: failed},
        routes=[
            *more,
            Route("/", front),
            Route("/worker.js", worker),
            WebSocketRoute("/ws", connect),
            Mount("/page", page),
            *(Login(access.pins).routes if access.pins is not None else ()),
        ],
    )


def room_route(door: Door) -> WebSocketRoute:
    """Build the route by which another board enters the room that is open, if there is one."""

    async def connect(websocket: WebSocket) -> None:
        if (admit := door.admit) is not None:
            await websocket.accept()
            with contextlib.suppress(KeyError, OSError, RuntimeError, WebSocketDisconnect):
                await admit(websocket.send_bytes, websocket.receive_bytes)
        with contextlib.suppress(OSError, RuntimeError, WebSocketDisconnect):
            await websocket.close(TOO_MUCH)

    return WebSocketRoute(ROOM, connect)


def written_site(
    write: Callable[[Caller, AccessLevel], str], kind: str, access: Access = LOCAL
) -> App:
    """Build the application of a page that `write` writes for each request.

    Its websocket sends `kind` to a page that was open before, so that it reloads.
    """

    async def front(request: Request) -> Response:
        caller = request.scope[CALLER]
        return HTMLResponse(write(caller, access.level(caller)))

    async def greet(link: PageLink) -> None:
        await link.send({"type": "hello", "page": kind, "version": version("lifeboard")})
        await link.close()

    # Without a login: each try to play builds this again, which would forget all wrong PINs.
    return site("", greet, more=[Route("/", front)])


def listen(port: int, network: bool = False) -> Listening:
    """Listen on a port of this computer, 0 for any free one; raises PageError if it is in use.

    With `network` devices of the local network reach it too, by IPv4 and, where available, IPv6.
    Whether they are answered is up to the server's `access`.
    """
    both = network and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if both else socket.AF_INET
    address = ("" if network else HOST, port)
    try:
        listening = socket.create_server(
            address, family=family, backlog=BACKLOG, dualstack_ipv6=both
        )
    except OSError as error:
        raise PageError(
            f"port {port} cannot be used: {error.strerror}; choose another with --port, or in the"
            " settings of the service"
        ) from error
    # An answer is two writes, of which the second would wait 40 ms for the browser's delayed
    # acknowledgement. asyncio prevents this only for a socket that names its protocol.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Linux (tcp(7)); every connection of this socket inherits it, as the option above.
        timeout_ms = int(UNREAD_S * 1000)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, timeout_ms)
    return Listening(listening)


class Site(Protocol):
    """The application that a server serves."""

    def app(self, access: Access) -> App:
        """Build the ASGI application, which answers only clients that `access` admits."""


class Server:
    """Serves a page on a socket, on its own thread, inside a `with` block."""

    def __init__(self, page: Site, listening: Listening, access: Access = LOCAL) -> None:
        self._socket, self._access = listening, access
        certificate = access.certificate
        self._server = uvicorn.Server(
            uvicorn.Config(
                Gate(page.app(access), access, listening),
                # Named, since another installed implementation would have other limits, or accept
                # connections by itself.
                loop="asyncio",
                http="h11",
                ssl_certfile=None if certificate is None else certificate.path,
                ws="websockets-sansio",
                backlog=BACKLOG,
                callback_notify=listening.end_old,
                timeout_notify=0,
                log_config=None,
                # Malformed requests from the network are not worth a log line each.
                log_level="error",
                lifespan="off",
                # A client that claims to be a proxy is not believed.
                proxy_headers=False,
                server_header=False,
                headers=list(HEADERS.items()),
                h11_max_incomplete_event_size=MAX_HEAD,
                ws_max_size=MOST_BYTES,
                ws_ping_interval=PING_S,
                ws_ping_timeout=PING_S,
                timeout_graceful_shutdown=CLOSE_S,
            )
        )
        self._thread = threading.Thread(
            target=self._server.run, args=([listening],), name="page", daemon=True
        )

    @property
    def address(self) -> str:
        return url(HOST, self._port, secure=self._secure)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The page's present addresses for other devices; none unless the network is answered."""
        if not self._access.network or self._socket.getsockname()[0] == HOST:
            return ()
        return tuple(url(each, self._port, secure=self._secure) for each in own_addresses())

    @property
    def _secure(self) -> bool:
        return self._access.certificate is not None

    @property
    def _port(self) -> int:
        return cast(int, self._socket.getsockname()[1])

    def __enter__(self) -> "Server":
        sys.setswitchinterval(SWITCH_S)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        # A page that hangs must not keep the lights on; its thread ends with the process.
        self._thread.join(2 * CLOSE_S)
        if not self._thread.is_alive():
            self._socket.close()


def show_in_browser(address: str) -> None:
    """Open a browser if there is a screen, without waiting for it."""
    # Without a screen a text browser would take over the terminal.
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform == "darwin" or screen:
        # On a thread of its own: some browsers block until they are closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
