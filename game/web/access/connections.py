"""Admission: how many connections and pages there may be, from where, and how long each may take.

Decides as a connection arrives, before anything is read. Must not know requests.
"""

import socket
import struct
import time
from collections import Counter, deque
from contextlib import suppress
from enum import Enum
from math import inf
from typing import Any

from game.common import is_loopback, network_of, plain

Client = Enum("Client", ["LOCAL", "LET_IN", "STRANGER"])
"""This computer, a device that has entered the PIN, or any other; each has places of its own."""
MAX_CONNECTIONS = {Client.LOCAL: 256, Client.LET_IN: 128, Client.STRANGER: 128}
MAX_EACH = 32
"""Most connections of one network address; a browser opens six, and a websocket for each page."""
REST_S = 1.0
"""How long a network place stays taken after its connection closes, to limit new connections."""
MAX_PAGES = {Client.LOCAL: 32, Client.LET_IN: 32, Client.STRANGER: 16}
MAX_PAGES_EACH = 8
HOUSEHOLD = 3
"""An IPv6 /64 may hold this many times as many places as one address."""
LIFE_S = 30.0
"""Longest time until a connection ends or becomes a page, so that none is held by a request that
never ends or an answer that is never read; browsers open a new one by themselves."""
AT_ONCE = 32
"""Most new connections dropped in a row, before open ones are served."""
MAX_HEARD = 4 * 2**20
"""Most bytes from one network connection, since the server does not limit pings and empty
fragments. A page that reaches it opens a new connection by itself."""


class Places:
    """Places for connections, or for pages.

    When all places of a kind of client are taken, the network with the most loses the one that was
    silent longest to a network with fewer. This computer replaces its own. So a few networks cannot
    keep others out, nor can a local program keep out the local page.
    """

    def __init__(self, most: dict[Client, int], each: int, rest_s: float = 0.0) -> None:
        self._most, self._each, self._rest_s = most, each, rest_s
        # Networks by holder, the oldest first, and how many each network holds.
        self._held: dict[Client, dict[Connection, str]] = {client: {} for client in Client}
        self._counts: dict[Client, Counter[str]] = {client: Counter() for client in Client}
        self._left: deque[tuple[float, Connection]] = deque()

    def take(self, holder: "Connection", client: Client) -> bool:
        """Take a place; return False if none is free."""
        while self._left and self._left[0][0] <= time.monotonic():
            self._free(self._left.popleft()[1])
        held, counts = self._held[client], self._counts[client]
        network = holder.address if client is Client.LET_IN else network_of(holder.address)
        each = self._each * (HOUSEHOLD if "/" in network else 1)
        if counts[network] >= (inf if client is Client.LOCAL else each):
            return False
        if len(held) >= self._most[client]:
            ((largest, most),) = counts.most_common(1)
            if client is not Client.LOCAL and most < counts[network] + 2:
                return False
            its_own = (each for each, its in held.items() if its == largest)
            silent = min(its_own, key=lambda each: each.heard_at)
            self._free(silent)
            silent.end()
        held[holder] = network
        counts[network] += 1
        return True

    def leave(self, holder: "Connection") -> None:
        """Release a place: a network place after its rest, a local one at once."""
        if holder in self._held[Client.LOCAL]:
            self._free(holder)
        else:
            self._left.append((time.monotonic() + self._rest_s, holder))

    def _free(self, holder: "Connection") -> None:
        for client, held in self._held.items():
            # A holder whose place was taken away holds none.
            if network := held.pop(holder, ""):
                self._counts[client][network] -= 1
                self._counts[client] += Counter()  # drops zero counts


class Connection(socket.socket):
    """An admitted connection, which holds a place until the server closes it."""

    places: Places | None = None
    heard = 0

    def __init__(self, accepted: socket.socket, address: str) -> None:
        kind = accepted.family, accepted.type, accepted.proto
        super().__init__(*kind, fileno=accepted.detach())
        self.address = address
        self.began = self.heard_at = time.monotonic()

    def recv(self, *args: Any) -> bytes:
        """Receive data; past MAX_HEARD none, as if the client had closed."""
        data = super().recv(*args)
        return data if self._may_hear(len(data)) else b""

    def recv_into(self, *args: Any) -> int:
        """Receive likewise into a buffer, for a TLS connection."""
        count = super().recv_into(*args)
        return count if self._may_hear(count) else 0

    def _may_hear(self, count: int) -> bool:
        self.heard_at = time.monotonic()
        self.heard += count
        return self.heard <= MAX_HEARD or is_loopback(self.address)

    def end(self) -> None:
        """Shut down, so that the server sees a closed connection."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        super().close()
        if self.places is not None:
            self.places.leave(self)


class Listening(socket.socket):
    """A listening socket that admits connections while there are places for them."""

    def __init__(self, listening: socket.socket) -> None:
        kind = listening.family, listening.type, listening.proto
        super().__init__(*kind, fileno=listening.detach())
        self._places = Places(MAX_CONNECTIONS, MAX_EACH, REST_S)
        self._pages = Places(MAX_PAGES, MAX_PAGES_EACH)
        self._open: dict[tuple[str, int], Connection] = {}
        self._let_in: deque[str] = deque(maxlen=sum(MAX_CONNECTIONS.values()))

    def accept(self) -> tuple[Connection, Any]:
        """Admit the next connection for which there is a place, and drop those before it.

        Raises BlockingIOError if none waits, or after AT_ONCE drops, to go on later.
        """
        for _ in range(AT_ONCE):
            accepted, peer = super().accept()
            connection = Connection(accepted, plain(peer[0]))
            known = Client.LET_IN if connection.address in self._let_in else Client.STRANGER
            client = Client.LOCAL if is_loopback(connection.address) else known
            if self._places.take(connection, client):
                connection.places = self._places
                self._open[peer[:2]] = connection
                return connection, peer
            # A reset leaves no socket in TIME_WAIT.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        raise BlockingIOError

    def open_page(self, peer: tuple[str, int], client: Client) -> bool:
        """Exchange a connection's place for a page's; return False if none is free."""
        connection = self._open.get(peer)
        if connection is None or not self._pages.take(connection, client):
            return False
        if client is Client.LET_IN and connection.address not in self._let_in:
            self._let_in.append(connection.address)
        self._places.leave(connection)
        connection.places = self._pages
        return True

    async def end_old(self) -> None:
        """End the connections that have not become pages within LIFE_S."""
        self._open = {peer: each for peer, each in self._open.items() if each.fileno() >= 0}
        for each in self._open.values():
            if each.places is self._places and time.monotonic() - each.began > LIFE_S:
                each.end()
