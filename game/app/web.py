"""The page's server: static files, and one websocket a page for touches, state and lights.

Owns the HTTP side, on a thread of its own. Must not touch the table or the store: it hands over
touches and commands, and reads what the hub holds.
"""

import asyncio
import json
import logging
import re
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

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

from game.app import view
from game.app.errors import PageError
from game.app.hub import Hub
from game.app.words import LANGUAGES, accepted, choose, words
from game.rules.game import Game, Json
from game.rules.message import say
from game.table.inputs import Command
from hal.backend import Hands
from hal.errors import HalError
from hal.profile import Profile

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
_PAGE_WORD = re.compile(r'"(page\.[a-z0-9_]+)"')


@cache
def page_folder() -> Path:
    """Return the folder of the page's files."""
    return Path(str(files("game.app") / "page"))


@cache
def page_words(language: str) -> dict[str, str]:
    """Return the texts that the page's own files name, by key."""
    named = {
        key
        for file in page_folder().iterdir()
        if file.suffix in (".html", ".js")
        for key in _PAGE_WORD.findall(file.read_text(encoding="utf-8"))
    }
    speak = words(language)
    # The page fills placeholders itself, so they must come through as they stand.
    return {key: speak.template(key) for key in sorted(named)}


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


@dataclass(frozen=True, slots=True)
class Page:
    """The page of one game on one board.

    `hands` touch the board for those who press cells on the page; None on a real board, which
    people touch themselves. `ask` hands over a command from any thread.
    """

    game: Game[Any, Any]
    profile: Profile
    hub: Hub
    hands: Hands | None
    ask: Callable[[Command], None]
    _numbers: Iterator[int] = field(default_factory=count)

    def app(self) -> Starlette:
        """Build the ASGI application."""
        return Starlette(
            routes=[
                Route("/", self._index),
                WebSocketRoute("/ws", self._talk),
                Mount("/page", StaticFiles(directory=page_folder())),
            ],
            middleware=[
                Middleware(_SafeHeaders),
                # A foreign site that points its own name at this machine is not answered.
                Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"]),
            ],
        )

    async def _index(self, _: Request) -> FileResponse:
        return FileResponse(page_folder() / "index.html")

    async def _talk(self, socket: WebSocket) -> None:
        """Serve one page until it goes away; its fingers are lifted then."""
        origin, host = socket.headers.get("origin"), socket.headers.get("host")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            await socket.close(code=1008)
            return
        await socket.accept()
        news = self.hub.join()
        visit = _Visit(self, socket, news, f"page{next(self._numbers)}.")
        sides = [asyncio.create_task(visit.tell()), asyncio.create_task(visit.listen())]
        try:
            ended, _ = await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.hub.leave(news)
            if self.hands is not None:
                self.hands.lift_all(visit.name)
            for side in sides:
                side.cancel()
            await asyncio.gather(*sides, return_exceptions=True)
        for side in ended:
            if not isinstance(side.exception(), WebSocketDisconnect | None):
                log.error("a page was given up", exc_info=side.exception())


class _Visit:
    """One open page: its language, what it has been told, and its fingers."""

    def __init__(self, page: Page, socket: WebSocket, news: asyncio.Event, name: str) -> None:
        self.name = name
        self._page = page
        self._socket = socket
        self._news = news
        wanted = socket.query_params.get("lang") or ""
        header = socket.headers.get("accept-language", "")
        self._language = wanted if wanted in LANGUAGES else choose(accepted(header))
        self._told_state = self._told_lights = 0
        self._greeted = ""

    async def tell(self) -> None:
        """Send what is new whenever there is something, the newest only."""
        while True:
            await self._news.wait()
            self._news.clear()
            await self._catch_up()

    async def listen(self) -> None:
        """Take messages until the page goes away; nonsense is answered and changes nothing."""
        while True:
            try:
                text = await self._socket.receive_text()
            except WebSocketDisconnect:
                return
            except KeyError:
                await self._socket.close(code=1003)  # RFC 6455: cannot take binary data
                return
            try:
                refusal = self._take(json.loads(text))
            except (ValueError, RecursionError):
                refusal = "message is not JSON"
            if refusal:
                await self._send({"type": "error", "text": refusal})

    async def _catch_up(self) -> None:
        page, language = self._page, self._language
        speak = words(language)
        if self._greeted != language:
            self._greeted = language
            self._told_state = self._told_lights = 0
            simulated = page.hands is not None
            texts = page_words(language)
            await self._send(view.hello(page.game, page.profile, speak, texts, simulated))
        news = page.hub.news
        if news.snapshot is not None and news.state_number != self._told_state:
            self._told_state = news.state_number
            await self._send(view.state(news.snapshot, speak))
        if news.lights_number != self._told_lights:
            self._told_lights = news.lights_number
            await self._send(view.lights(news.colours))

    def _take(self, message: object) -> str:
        """Act on one message; return why it is refused, or nothing."""
        match message:
            case {"do": "press", "pointer": str(pointer), "spot": str(spot)}:
                return self._press(pointer, spot)
            case {"do": "lift", "pointer": str(pointer)}:
                if self._page.hands is not None:
                    self._page.hands.lift(self.name + pointer)
                return ""
            case {"do": "command", "name": str(name)}:
                if name not in [command.value for command in Command]:
                    allowed = ", ".join(command.value for command in Command)
                    return f"command is {name!r}; allowed: {allowed}"
                self._page.ask(Command(name))
                return ""
            case {"do": "language", "lang": str(language)}:
                if language not in LANGUAGES:
                    return f"language is {language!r}; allowed: {', '.join(LANGUAGES)}"
                self._language = language
                self._news.set()
                return ""
        return "message is unknown; allowed: press, lift, command, language"

    def _press(self, pointer: str, spot: str) -> str:
        if self._page.hands is None:
            return words(self._language).text(say("page.not_simulated"))
        try:
            self._page.hands.press(self.name + pointer, spot)
        except HalError as error:
            return str(error)
        return ""

    async def _send(self, message: Json) -> None:
        await self._socket.send_text(json.dumps(message))


def listen(port: int) -> socket.socket:
    """Take a port of this machine, 0 for any free one; raises PageError if it is in use."""
    try:
        return socket.create_server((HOST, port), backlog=64)
    except OSError as error:
        raise PageError(
            f"port {port} cannot be used: {error.strerror}; choose another with --port"
        ) from error


class Server:
    """Serve a page on a socket, on a thread of its own, from `with` on."""

    def __init__(self, page: Page, listening: socket.socket) -> None:
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
