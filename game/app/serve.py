"""What every page of ours needs of a server: a port of this machine, safe answers, a thread.

Owns the routes and headers, the two sides of a websocket, and the passing of news from another
thread. Whom it answers stands in `game.app.gate.gate`. Must not know what a page shows.
"""

import asyncio
import json
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Protocol, TypeAlias, cast

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from game.app.errors import PageError
from game.app.gate.access import LOCAL, Access, Level
from game.app.gate.addresses import own_addresses, url
from game.app.gate.connection import Connection, Talking
from game.app.gate.gate import CALLER, LEVEL, MOST_HEAD, Gate
from game.app.gate.pin import Pins
from game.app.gate.pin_desk import PinDesk, Reply
from game.app.words import LANGUAGES, accepted, choose
from game.rules.game import Json

App: TypeAlias = Starlette
Link: TypeAlias = WebSocket
"""One open page, as it was connected."""

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
LONGEST_MESSAGE = 4096
BACKLOG = 64
CLOSE_S = 1
PING_S = 20.0
"""So often a websocket is asked for a sign of life, and so long it may take to give it."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


@cache
def page_folder() -> Path:
    """Return the folder of the pages' files."""
    return Path(str(files("game.app") / "page"))


def site(index: str, talk: Callable[[Link, Level], Awaitable[None]], access: Access = LOCAL) -> App:
    """Build the ASGI application of one page: its file, all files, its websocket, its PIN.

    `talk` is called with each websocket that `access` lets in, accepted already, and with what
    its client may do; the websocket ends when that changes.
    """

    async def front(_: Request) -> FileResponse:
        return FileResponse(page_folder() / index)

    async def answer(link: Link) -> None:
        await link.accept()
        link.state.access = access
        await talk(link, link.scope[LEVEL])

    return Starlette(
        routes=[
            Route("/", front),
            WebSocketRoute("/ws", answer),
            Mount("/page", StaticFiles(directory=page_folder())),
            *(_pin_routes(access.pins) if access.pins is not None else ()),
        ],
        middleware=[Middleware(_SafeHeaders), Middleware(Gate, access=access)],
    )


def language_of(asking: Request | Link) -> str:
    """Choose the language of a request: the one it names, else one that its browser wants."""
    wanted = asking.query_params.get("lang") or ""
    header = asking.headers.get("accept-language", "")
    return wanted if wanted in LANGUAGES else choose(accepted(header))


def by_pin(link: Link) -> bool:
    """Tell whether a page controls because its device has given the PIN, and could give it back."""
    return link.scope[LEVEL] is Level.CONTROL and not link.scope[CALLER].local


def about_pin(link: Link) -> Json:
    """Say what a page says of the PIN: the command that shows it, and whether it was changed."""
    access: Access = link.state.access
    changed = access.pin_changed(link.scope[CALLER])
    return {"pin_command": access.pin_command, "pin_changed": changed}


def _pin_routes(pins: Pins) -> list[Route]:
    """Build the places where the PIN is given, and given back."""
    desk = PinDesk(pins)

    async def enter(request: Request) -> Response:
        try:
            body = await request.body()
        except ClientDisconnect:
            return Response(status_code=400)
        return _answer(desk.enter(request.scope[CALLER], body, language_of(request)))

    async def forget(_: Request) -> Response:
        return _answer(desk.forget())

    return [
        Route("/pin", enter, methods=["POST"]),
        Route("/forget", forget, methods=["POST"]),
    ]


def _answer(reply: Reply) -> Response:
    if reply.body is None:
        return Response(status_code=reply.status, headers=reply.headers)
    return JSONResponse(reply.body, reply.status, reply.headers)


class _SafeHeaders:
    """Add the same headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)


async def converse(
    link: Link,
    news: asyncio.Event,
    tell: Callable[[], Awaitable[None]],
    take: Callable[[object], str],
) -> None:
    """Talk with one page until it goes away.

    `tell` sends what is new, whenever `news` is set. `take` acts on one decoded message and
    returns why it is refused, or nothing; nonsense is answered and changes nothing.
    """

    async def speak() -> None:
        while True:
            await news.wait()
            news.clear()
            await tell()

    async def hear() -> None:
        while True:
            try:
                text = await link.receive_text()
            except WebSocketDisconnect:
                return
            except KeyError:
                await link.close(code=1003)  # RFC 6455: cannot take binary data
                return
            try:
                refusal = take(json.loads(text))
            except (ValueError, RecursionError):
                refusal = "message is not JSON"
            if refusal:
                await send(link, {"type": "error", "text": refusal})

    sides = [asyncio.create_task(speak()), asyncio.create_task(hear())]
    try:
        ended, _ = await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for side in sides:
            side.cancel()
        await asyncio.gather(*sides, return_exceptions=True)
    for side in ended:
        if not isinstance(side.exception(), WebSocketDisconnect | None):
            log.error("a page was given up", exc_info=side.exception())


async def send(link: Link, message: Json) -> None:
    """Send one message to a page."""
    await link.send_text(json.dumps(message))


class Bell:
    """Ring for every open page from any thread, never waiting for one."""

    def __init__(self) -> None:
        self._pages: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._lock = threading.Lock()

    def join(self) -> asyncio.Event:
        """Add a page, on the server's thread; its event is set now and at each ring."""
        event = asyncio.Event()
        event.set()
        with self._lock:
            self._pages.add((asyncio.get_running_loop(), event))
        return event

    def leave(self, event: asyncio.Event) -> None:
        """Take a page away."""
        with self._lock:
            self._pages = {page for page in self._pages if page[1] is not event}

    def ring(self) -> None:
        """Set the event of every page."""
        with self._lock:
            pages = tuple(self._pages)
        for loop, event in pages:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)


def listen(port: int, network: bool = False) -> socket.socket:
    """Take a port of this computer, 0 for any free one; raises PageError if it is in use.

    With `network` devices of the local network reach it too, by IPv4 and, where there is IPv6, by
    that as well. Whether they are answered is for the server's `access` to say.
    """
    try:
        if not network:
            return socket.create_server((HOST, port), backlog=BACKLOG)
        if socket.has_dualstack_ipv6():
            return socket.create_server(
                ("", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True
            )
        return socket.create_server(("", port), backlog=BACKLOG)
    except OSError as error:
        raise PageError(
            f"port {port} cannot be used: {error.strerror}; choose another with --port, or in the"
            " settings of the service"
        ) from error


class Site(Protocol):
    """Whatever a server serves."""

    def app(self, access: Access) -> App:
        """Build the ASGI application, which answers only whom `access` lets in."""
        ...


class Server:
    """Serve a page on a socket, on a thread of its own, from `with` on."""

    def __init__(self, page: Site, listening: socket.socket, access: Access = LOCAL) -> None:
        self._socket = listening
        reached = listening.getsockname()[0] != HOST
        self._network = reached and access.network
        self._server = uvicorn.Server(
            uvicorn.Config(
                page.app(access),
                # Named, since another implementation that is installed would have other bounds.
                http=Connection,
                ws=Talking,
                log_config=None,
                # Each odd request of a network is worth no line.
                log_level="error",
                lifespan="off",
                # Whoever says to be a proxy is not believed.
                proxy_headers=False,
                server_header=False,
                h11_max_incomplete_event_size=MOST_HEAD,
                ws_max_size=LONGEST_MESSAGE,
                ws_ping_interval=PING_S,
                ws_ping_timeout=PING_S,
                timeout_graceful_shutdown=CLOSE_S,
            )
        )
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    @property
    def address(self) -> str:
        """Where the page is for this computer itself."""
        return url(HOST, self._port)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the page is for other devices now; nowhere unless the network is answered."""
        return tuple(url(each, self._port) for each in own_addresses()) if self._network else ()

    @property
    def _port(self) -> int:
        return cast(int, self._socket.getsockname()[1])

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        # A page that hangs must not keep the lights on; its thread ends with the process.
        self._thread.join(2 * CLOSE_S)
        self._socket.close()

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])


def show_in_browser(address: str) -> None:
    """Open a browser where there is a screen for one, without waiting for it."""
    # Without a screen it would take over the terminal.
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform == "darwin" or any(os.environ.get(name) for name in names):
        # On a thread of its own: some browsers are waited for until they are closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
