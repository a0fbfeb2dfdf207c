"""The gate of every page of ours: refuses who is not meant or wants too much, before it is heard.

Owns the bounds on requests and on open websockets, the refusals in one line of English, and the
end of a websocket whose level changes. Must not know what a page shows, nor the server's library:
it speaks ASGI. What is bounded before a request is whole stands in `game.app.gate.connection`.
"""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from game.app.gate.access import Access, Caller, Level
from game.app.gate.addresses import url
from game.app.gate.bounds import Bucket, Places, Rate, Rates

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Asgi: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

CALLER, LEVEL = "lifeboard.caller", "lifeboard.level"
"""What the gate adds to the scope of a request that it lets pass."""

MOST_BODY = 1024
MOST_HEAD = 8192
"""Bytes of a request's path and headers."""
CHECK_S = 1.0
"""So often an open websocket is asked whether it may still do what it might."""

TOO_MUCH, TRY_LATER = 1008, 1013
"""Codes of RFC 6455 and of its registry with which websockets are closed."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Bounds:
    """So much is allowed to one group of clients."""

    requests: Rate
    """Of one address."""
    requests_of_all: Rate
    messages: Rate
    """Over one websocket."""
    links: int
    """Websockets that are open at the same time."""
    links_each: int


# A page with all its files is some thirty requests. Tests and tools of this computer are quick.
HERE = Bounds(Rate(1000, 4000), Rate(1000, 4000), Rate(600, 1200), 32, 32)
NETWORK = Bounds(Rate(40, 240), Rate(400, 2000), Rate(60, 120), 32, 8)
STRANGERS = 16
"""Of the network's websockets, so many may be without the PIN, so that a place is left for it."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    status: int
    why: str


class _Group:
    """What one group of clients is doing now."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.requests = Rates(bounds.requests)
        self.requests_of_all = Rates(bounds.requests_of_all)
        self.links = Places(bounds.links, bounds.links_each)


class Gate:
    """Let pass to an application what `access` and the bounds allow; `clock` is monotonic."""

    def __init__(
        self, app: Asgi, access: Access, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._app = app
        self._access = access
        self._clock = clock
        self._here, self._network = _Group(HERE), _Group(NETWORK)
        self._strangers = Places(STRANGERS, NETWORK.links_each)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or websocket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        caller = Caller.of(scope)
        refusal = self._refusal(scope, caller)
        if refusal is not None:
            log.debug("%s refused: %d %s", caller.client, refusal.status, refusal.why)
            await _refuse(refusal, scope["type"], send)
            return
        level = self._access.level(caller)
        passed = {**scope, CALLER: caller, LEVEL: level}
        if scope["type"] == "http":
            await self._app(passed, receive, send)
        else:
            await self._let_talk(passed, receive, send)

    def _group(self, caller: Caller) -> _Group:
        return self._here if caller.local else self._network

    def _refusal(self, scope: Scope, caller: Caller) -> _Refusal | None:
        """Say why a request is refused; None for one that may pass."""
        group, now = self._group(caller), self._clock()
        if not (group.requests.take(caller.client, now) and group.requests_of_all.take("", now)):
            return _Refusal(429, "too many requests; wait a second")
        head = len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"")
        if head + sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEAD:
            return _Refusal(431, f"path and headers are longer than {MOST_HEAD} bytes")
        if not self._access.answers(caller):
            return _Refusal(403, "this page is for this computer only")
        if not self._access.is_called(caller):
            named = f"this computer is not known as {caller.host[:80]!r}"
            way = f"open {url(caller.server, caller.port)} instead"
            more = " or set names under [page] in its settings" if self._access.network else ""
            return _Refusal(400, f"{named}; {way}{more}")
        if scope["type"] == "websocket":
            if not self._access.may_link(caller):
                return _Refusal(403, "only pages of this same host may talk here")
            return None
        if scope["method"] not in ("GET", "HEAD") and not caller.from_own_page:
            return _Refusal(403, "only pages of this same host may ask for that")
        return _body_refusal(scope)

    async def _let_talk(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application talk over a websocket, if there is a place for one more."""
        caller: Caller = scope[CALLER]
        pools = [self._group(caller).links]
        if scope[LEVEL] is not Level.CONTROL:
            pools.append(self._strangers)
        taken = []
        try:
            for pool in pools:
                if not pool.take(caller.client):
                    log.debug("%s refused: too many open pages", caller.client)
                    # Only an open websocket can be closed with a code.
                    await send({"type": "websocket.accept"})
                    await send({"type": "websocket.close", "code": TRY_LATER})
                    return
                taken.append(pool)
            await self._talk(scope, receive, send)
        finally:
            for pool in taken:
                pool.leave(caller.client)

    async def _talk(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller: Caller = scope[CALLER]
        bucket = Bucket(self._group(caller).bounds.messages, self._clock())

        def holds() -> bool:
            return self._access.level(caller) is scope[LEVEL]

        link = _BoundLink(receive, send, holds, lambda: bucket.take(self._clock()))
        watch = None if caller.local else asyncio.create_task(link.watch())
        try:
            await self._app(scope, link.receive, link.send)
        finally:
            if watch is not None:
                watch.cancel()


class _BoundLink:
    """Both directions of a websocket, which ends when its client talks too much or its level ends.

    The page opens it again by itself and then learns its new level.
    """

    def __init__(
        self, receive: Receive, send: Send, holds: Callable[[], bool], take: Callable[[], bool]
    ) -> None:
        self._receive = receive
        self._send = send
        self._holds = holds
        self._take = take
        self._open = False
        self._closed = False

    async def receive(self) -> Message:
        """Receive what the client says, as long as it may."""
        message = await self._receive()
        if message["type"] == "websocket.receive":
            if not self._holds():
                return await self._end()
            if not self._take():
                return await self._end(_error("too many messages"))
        return message

    async def send(self, message: Message) -> None:
        """Send to the client; raises OSError once the websocket is closed."""
        if self._closed:
            raise ConnectionResetError("the websocket is closed")
        self._open = self._open or message["type"] == "websocket.accept"
        self._closed = message["type"] == "websocket.close"
        await self._send(message)

    async def watch(self) -> None:
        """End the websocket when its level does, whether or not anything is said."""
        while not self._closed:
            await asyncio.sleep(CHECK_S)
            if self._open and not self._holds():
                await self._end()

    async def _end(self, *last: Message) -> Message:
        if not self._closed:
            self._closed = True
            # Whoever has gone meanwhile needs no word.
            with contextlib.suppress(OSError):
                for message in (*last, {"type": "websocket.close", "code": TOO_MUCH}):
                    await self._send(message)
        return {"type": "websocket.disconnect", "code": TOO_MUCH}


def _body_refusal(scope: Scope) -> _Refusal | None:
    """Refuse a body that is too long, or whose length is not told."""
    for name, value in scope["headers"]:
        if name == b"transfer-encoding":
            return _Refusal(411, "the length of the body must be told")
        # The server has checked that it is a number, and that no more comes.
        if name == b"content-length" and int(value) > MOST_BODY:
            return _Refusal(413, f"the body is longer than {MOST_BODY} bytes")
    return None


async def _refuse(refusal: _Refusal, kind: str, send: Send) -> None:
    """Answer with a line of text, and close the connection."""
    prefix = "websocket.http" if kind == "websocket" else "http"
    body = f"{refusal.why}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": f"{prefix}.response.start", "status": refusal.status, "headers": headers})
    await send({"type": f"{prefix}.response.body", "body": body})


def _error(text: str) -> Message:
    return {"type": "websocket.send", "text": json.dumps({"type": "error", "text": text})}
