"""A line between two boards of one network, over the websocket of a page's server.

Owns the proof that both ends know the room's code, and the lines. The board that offers a room
passes each message on to its other lines, as a broker does; one that enters reconnects whenever its
line breaks. Messages in transit are then lost. It finds the other board by mDNS, as Avahi and
Bonjour speak it: the service's name is the room's, which is derived from its code. If mDNS finds
nothing, the link of the board works. Must not know what a message means.
"""

import asyncio
import logging
import ssl
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hmac import compare_digest
from secrets import token_hex
from threading import Event, Thread
from typing import TypeAlias

from game.common import own_addresses, url
from game.remote.address import Address
from game.remote.chain import MOST_BYTES, Keys
from game.rules.base.message import Message, say

log = logging.getLogger(__name__)

PATH = "room"
"""Where the page's server takes lines."""
PROOF_S = 10.0
"""How long the other end may take to prove that it knows the code."""
GUESS_S = 1.0
"""How long a wrong proof keeps its place at the server, to limit guesses."""
PACE_S = 0.05
"""Pause before a line's next message is read; in a flood the rest waits in the socket."""
RETRY_S = 2.0
WAITING = 64
"""Most messages in a queue; more are dropped, since each contains a side's whole state."""
KIND = "_lifeboard._tcp.local."
FIND_S = 5.0
"""How long a board is searched for; most answer within a second."""
CHECK_S = 3.0
"""How often addresses are checked: the network or the page may come up later."""
SECURE = b"https"
_NONCE = 32
_Queue = asyncio.Queue[bytes | None]
"""The messages to send on an open line; None ends the line."""
Send: TypeAlias = Callable[[bytes], Awaitable[object]]
Receive: TypeAlias = Callable[[], Awaitable[bytes]]
Admit: TypeAlias = Callable[[Send, Receive], Awaitable[None]]
"""Serves a websocket of another board until it ends."""


@dataclass(slots=True)
class Door:
    """Where other boards connect: the server of the page.

    `served` is its port and whether it uses HTTPS, None if it is not served yet; `network` whether
    other computers reach it; `admit` is set while a room is open.
    """

    served: tuple[int, bool] | None = None
    network: bool = False
    admit: Admit | None = None


class WrongCode(Exception):
    """The other end does not know the room's code."""


class DirectChannel:
    """One side of a room without a broker. `wake` is called from other threads for each event.

    `send` and `receive` are those of an open websocket, and raise once it is closed.
    """

    def __init__(self, keys: Keys, wake: Callable[[], None]) -> None:
        self._keys, self._wake = keys, wake
        self.trouble: Message | None = None
        self._arrived: deque[tuple[bytes, bool]] = deque(maxlen=WAITING)
        self._lines: tuple[_Queue, ...] = ()
        self._loop: asyncio.AbstractEventLoop
        self._count, self._closing = 0, Event()

    @property
    def connections(self) -> int:
        """How many lines were opened so far; 0 while none is open."""
        return self._count if self._lines else 0

    def take(self) -> list[tuple[bytes, bool]]:
        """Return the messages since the last call, oldest first; none is a retained one."""
        return [self._arrived.popleft() for _ in range(len(self._arrived))]

    def send(self, payload: bytes) -> None:
        """Send this side's message on all lines; it may be lost."""
        self._put(payload)

    def close(self) -> None:
        """End the lines."""
        self._closing.set()
        self._put(None)

    async def admit(self, send: Send, receive: Receive) -> None:
        """Serve a websocket until it ends; it gets messages only after a proof of the code."""
        own = _nonce()
        await send(own)
        answer = await asyncio.wait_for(receive(), PROOF_S)
        both = own + answer[:_NONCE]
        if not compare_digest(self._proof(b"enter", both), answer[_NONCE:]):
            await asyncio.sleep(GUESS_S)
            return
        await send(self._proof(b"admit", both))
        await self._converse(send, receive)

    async def enter(self, send: Send, receive: Receive) -> None:
        """Use a websocket to the board that offers the room until it ends; raises WrongCode."""
        both = await receive() + (own := _nonce())
        await send(own + self._proof(b"enter", both))
        if not compare_digest(self._proof(b"admit", both), await receive()):
            raise WrongCode
        await self._converse(send, receive)

    def _proof(self, what: bytes, nonces: bytes) -> bytes:
        return self._keys.sign(what + nonces).encode()

    def _put(self, payload: bytes | None, source: _Queue | None = None) -> None:
        """Send a message on all lines but its source, from any thread; None ends them."""
        for line in self._lines:
            if line is not source and (payload is None or line.qsize() < WAITING):
                with suppress(RuntimeError):  # the server has ended
                    self._loop.call_soon_threadsafe(line.put_nowait, payload)

    async def _converse(self, send: Send, receive: Receive) -> None:
        line = _Queue()

        async def hear() -> None:
            while True:
                payload = await receive()
                self._arrived.append((payload, False))
                self._put(payload, line)
                self._wake()
                await asyncio.sleep(PACE_S)

        async def speak() -> None:
            while (payload := await line.get()) is not None:
                await send(payload)

        self._loop = asyncio.get_running_loop()
        sides = [asyncio.ensure_future(each) for each in (hear(), speak())]
        self._lines, self._count = (*self._lines, line), self._count + 1
        self.trouble = None
        self._wake()
        try:
            if not self._closing.is_set():
                await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._lines = tuple(each for each in self._lines if each is not line)
            self.trouble = None if self._lines else say("remote.line_lost")
            for side in sides:
                side.cancel()
            for why in await asyncio.gather(*sides, return_exceptions=True):
                log.debug("a line has ended: %r", why)
            self._wake()


class OfferedRoom(DirectChannel):
    """The side that waits for lines, and announces the room by its code while it is open."""

    def __init__(self, keys: Keys, door: Door, wake: Callable[[], None]) -> None:
        super().__init__(keys, wake)
        self._door, door.admit = door, self.admit
        self._thread = Thread(target=self._announce, name="announcement", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._door.admit = None
        super().close()
        self._thread.join(FIND_S)

    def _announce(self) -> None:
        while not self._closing.wait(CHECK_S / 3):
            served, addresses = where = self._where()
            if served is not None and addresses:
                with suppress(OSError), _announced(self._keys.name, *served, addresses):
                    while where == self._where() and not self._closing.wait(CHECK_S):
                        pass

    def _where(self) -> tuple[tuple[int, bool] | None, tuple[str, ...]]:
        return self._door.served, own_addresses() if self._door.network else ()


class EnteredRoom(DirectChannel):
    """The side that connects: to the room's address, or to the board that is found by its code."""

    def __init__(self, address: Address, keys: Keys, wake: Callable[[], None]) -> None:
        """Begin to connect."""
        super().__init__(keys, wake)
        self._address, self.trouble = address, say("remote.looking")
        self._loop = asyncio.new_event_loop()
        self._trying: asyncio.Task[None] | None = None
        self._thread = Thread(target=self._run, name="line", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the line, or the search for the board."""
        super().close()
        if self._trying is not None:
            with suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._trying.cancel)
        self._thread.join(RETRY_S)

    def _run(self) -> None:
        runner = asyncio.Runner(loop_factory=lambda: self._loop)
        with runner, suppress(asyncio.CancelledError):
            runner.run(self._try())

    async def _try(self) -> None:
        """Reconnect until closed; a router may have given the other board a new address."""
        self._trying, address = asyncio.current_task(), self._address
        while not self._closing.is_set():
            if address.host:
                self.trouble = await self._reach(address.host, address.port, address.tls)
            found = await find(self._keys.name)
            if not (found or address.host or self._count):
                self.trouble = say("remote.no_board_found", code=address.code)
            for place in found:
                self.trouble = await self._reach(*place)
            self._wake()
            await asyncio.sleep(RETRY_S)

    async def _reach(self, host: str, port: int, tls: bool) -> Message:
        """Connect to a board until the line ends; return why it ended or could not be opened."""
        # A board that plays alone does not need this library.
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        board = url(host, port, secure=tls)
        to = f"{board.replace('http', 'ws', 1)}{PATH}"
        # Its certificate is self-signed; the code proves which board it is.
        secure = ssl._create_unverified_context() if tls else None
        try:
            async with connect(to, ssl=secure, proxy=None, max_size=MOST_BYTES) as line:
                await self.enter(line.send, lambda: line.recv(decode=False))
                return say("remote.line_lost")
        except (WebSocketException, WrongCode) as error:
            log.debug("%s: %r", board, error)
            return say("remote.not_offered", board=board)
        except OSError:
            return say("remote.no_board", board=board)


def _nonce() -> bytes:
    return token_hex(_NONCE // 2).encode()


async def find(room: str) -> list[tuple[str, int, bool]]:
    """Return where a room is offered, as host, port, and whether by HTTPS; waits for FIND_S."""
    with suppress(OSError):
        from zeroconf.asyncio import AsyncZeroconf

        # A cancellation during the import must end this here: later it would leave sockets open.
        await asyncio.sleep(0)
        async with AsyncZeroconf() as network:
            service = KIND, f"{room}.{KIND}"
            found = await network.async_get_service_info(*service, int(FIND_S * 1000))
        if found is not None and found.port:
            secure = SECURE in found.properties
            return [(each, found.port, secure) for each in found.parsed_addresses()]
    return []


@contextmanager
def _announced(room: str, port: int, secure: bool, addresses: tuple[str, ...]) -> Iterator[None]:
    from zeroconf import ServiceInfo, Zeroconf

    about = ServiceInfo(
        KIND,
        f"{room}.{KIND}",
        port,
        properties={SECURE: b""} if secure else {},
        parsed_addresses=list(addresses),
        server=f"{room}.local.",
    )
    with closing(Zeroconf()) as network:
        # After a power cut the network still knows this name.
        network.register_service(about, cooperating_responders=True)
        yield
