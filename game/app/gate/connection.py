"""Connections of the page's server that neither wait nor hoard for ever.

Owns what must be bounded below the application: how many connections there are, how long one may
take to ask and to read its answer, and what a websocket may make us hold. Must not know of pages;
everything here is about the server's library (uvicorn), whose classes these are.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from game.app.gate.access import is_loopback, plain_address
from game.app.gate.bounds import Bucket, Rate

ASK_S = 10.0
"""So long a connection may take until a request is whole; the library bounds none of it."""
ANSWER_S = 30.0
"""So long it may take to read the answer."""
CLOSE_S = 10.0
"""So long a websocket that is closing may take to agree, and then to read the rest."""
MOST_EACH, MOST_NETWORK, MOST_HERE = 32, 128, 256
SMALL_FRAMES = Rate(20, 100)
"""Pings, pongs and pieces of messages, which the library answers or gathers by itself."""


class Connection(H11Protocol):
    """One connection that asks for pages, until it becomes a websocket."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Take a new connection, or drop it when there are too many."""
        super().connection_made(transport)
        if self._is_too_much():
            transport.abort()
        else:
            self._allow(ASK_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._allow(None)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read what has come; from a whole request on, the time for the answer runs."""
        answering = self._is_answering()
        super().handle_events()
        if self._is_answering() and not answering:
            self._allow(ANSWER_S)

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have come already."""
        self._allow(ASK_S)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a websocket, which has bounds of its own."""
        self._allow(None)
        super().handle_websocket_upgrade(event)

    def _is_answering(self) -> bool:
        cycle = self.cycle
        # The library makes a cycle when a request's head is whole, and asks no more of its body.
        return cycle is not None and not cycle.more_body and not cycle.response_complete

    def _allow(self, seconds: float | None) -> None:
        """Give so much time from now on to what comes next; None for any."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _is_too_much(self) -> bool:
        if self.client is None:
            return True
        own = plain_address(self.client[0])
        ours = [each for each in self.connections if isinstance(each, Connection | Talking)]
        others = [plain_address(each.client[0]) for each in ours if each.client]
        here = sum(map(is_loopback, others))
        if is_loopback(own):
            return here > MOST_HERE
        return others.count(own) > MOST_EACH or len(others) - here > MOST_NETWORK


class Talking(WebSocketsSansIOProtocol):
    """One websocket, which is dropped when it floods us with what no application sees."""

    _look_timer: asyncio.TimerHandle | None = None
    _was_closing = False

    def connection_made(self, transport: Any) -> None:
        """Take a connection that has asked to become a websocket."""
        super().connection_made(transport)
        self.close_timeout = CLOSE_S
        self._small = Bucket(SMALL_FRAMES, self.loop.time())
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._look_timer is not None:
            self._look_timer.cancel()
        super().connection_lost(exc)

    def handle_ping(self) -> None:
        """Answer a ping; the answers would pile up for a client that reads none."""
        if self._spend():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """Take a pong."""
        if self._spend():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        """Take a piece of a message; empty ones would pile up."""
        if self._spend():
            super().handle_cont(event)

    def _spend(self) -> bool:
        if self._small.take(self.loop.time()):
            return True
        self.transport.abort()
        return False

    def _look(self) -> None:
        """Drop a connection that is still closing since the last look."""
        if self._was_closing:
            self.transport.abort()
            return
        self._was_closing = self.transport.is_closing()
        self._look_timer = self.loop.call_later(CLOSE_S, self._look)
