"""Limits on connections, which the web server lacks: how many, and how long each may take.

Admits a connection and then hands it to the server's own protocol. Must not know requests.
"""

import asyncio
import weakref
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import (
    WebSocketsSansIOProtocol as WebSocketProtocol,
)

MAX_EACH = 32
"""Connections of one address of the network; a browser opens six and a websocket a page."""
MAX_NETWORK = 128
MAX_LOCAL = 256
LIFE_S = 30.0
"""Longest time until a connection ends or becomes a websocket, so that none is held by a request
that never ends or an answer that is never read; browsers open a new one by themselves."""


class Connection(asyncio.Protocol):
    """A connection that the server takes over, unless there are too many."""

    def __init__(self, **server: Any) -> None:
        self._server = server

    def connection_made(self, transport: Any) -> None:
        """Take a new connection."""
        http = H11Protocol(**self._server)
        transport.set_protocol(http)
        http.connection_made(transport)
        if _too_many(http):
            transport.abort()
        else:
            http.loop.call_later(LIFE_S, _end, weakref.ref(http))


def _too_many(new: H11Protocol) -> bool:
    """Tell whether there are more connections than allowed, with this new one."""
    # The server may have protocols of other kinds, which we do not use.
    ours = (each for each in new.connections if isinstance(each, H11Protocol | WebSocketProtocol))
    clients = [each.client[0] for each in ours if each.client is not None]
    local = sum(map(_is_loopback, clients))
    if new.client is None:
        return True
    if _is_loopback(new.client[0]):
        return local > MAX_LOCAL
    return clients.count(new.client[0]) > MAX_EACH or len(clients) - local > MAX_NETWORK


def _is_loopback(client: str) -> bool:
    # In the system's notation; parsing each address would be slow in a flood of connections.
    return client == "::1" or client.startswith(("127.", "::ffff:127."))


def _end(of: "weakref.ref[H11Protocol]") -> None:
    http = of()
    # A websocket has a protocol of its own, with timeouts of its own.
    if http is not None and http.transport.get_protocol() is http:
        http.transport.abort()
