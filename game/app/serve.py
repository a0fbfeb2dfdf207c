"""What every page of ours needs of a server: a port of this machine, safe answers, a thread.

Owns the checks of host and origin, the headers, the two sides of a websocket, and the passing of
news from another thread. Must not know what a page shows.
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
from typing import Protocol, TypeAlias

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from game.app.errors import PageError
from game.rules.game import Json

App: TypeAlias = Starlette
Link: TypeAlias = WebSocket
"""One open page, as it was connected."""

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
LONGEST_MESSAGE = 4096
CLOSE_S = 1
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


def site(index: str, talk: Callable[[Link], Awaitable[None]]) -> App:
    """Build the ASGI application of one page: its file, all files, and its websocket.

    `talk` is called with each websocket of our own pages, accepted already.
    """

    async def front(_: Request) -> FileResponse:
        return FileResponse(page_folder() / index)

    async def answer(link: Link) -> None:
        origin, host = link.headers.get("origin"), link.headers.get("host")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            await link.close(code=1008)
            return
        await link.accept()
        await talk(link)

    return Starlette(
        routes=[
            Route("/", front),
            WebSocketRoute("/ws", answer),
            Mount("/page", StaticFiles(directory=page_folder())),
        ],
        middleware=[
            Middleware(_SafeHeaders),
            # A foreign site that points its own name at this machine is not answered.
            Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"]),
        ],
    )


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


def listen(port: int) -> socket.socket:
    """Take a port of this machine, 0 for any free one; raises PageError if it is in use."""
    try:
        return socket.create_server((HOST, port), backlog=64)
    except OSError as error:
        raise PageError(
            f"port {port} cannot be used: {error.strerror}; choose another with --port"
        ) from error


class Site(Protocol):
    """Whatever a server serves."""

    def app(self) -> App:
        """Build the ASGI application."""
        ...


class Server:
    """Serve a page on a socket, on a thread of its own, from `with` on."""

    def __init__(self, page: Site, listening: socket.socket) -> None:
        self._socket = listening
        self._server = uvicorn.Server(
            uvicorn.Config(
                page.app(),
                log_config=None,
                log_level="warning",
                lifespan="off",
                ws="websockets-sansio",
                ws_max_size=LONGEST_MESSAGE,
                timeout_graceful_shutdown=CLOSE_S,
            )
        )
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    @property
    def address(self) -> str:
        """Where the page is."""
        host, port = self._socket.getsockname()
        return f"http://{host}:{port}/"

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
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
