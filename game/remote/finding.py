"""Finds the board that offers a room in this network, by mDNS, as Avahi and Bonjour speak it.

The service's name is the room's, which is derived from its code. If mDNS finds nothing, the link of
the board works.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import TypeAlias

from game.common import own_addresses

KIND = "_lifeboard._tcp.local."
FIND_S = 5.0
"""How long a board is searched for; most answer within a second."""
CHECK_S = 3.0
"""How often addresses are checked: the network or the page may come up later."""
SECURE = b"https"
THIS_COMPUTER = ("127.0.0.1",)

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


def find(room: str) -> list[tuple[str, int, bool]]:
    """Return where a room is offered, as host, port, and whether by HTTPS; waits for FIND_S."""
    with suppress(OSError):
        from zeroconf import Zeroconf

        with closing(Zeroconf()) as network:
            found = network.get_service_info(KIND, f"{room}.{KIND}", int(FIND_S * 1000))
        if found is not None and found.port:
            secure = SECURE in found.properties
            return [(each, found.port, secure) for each in found.parsed_addresses()]
    return []


class Announcement:
    """Announces a room while this is open, where the network does not reach it to this computer."""

    def __init__(self, room: str, door: Door) -> None:
        self._room, self._door = room, door
        self._ended = Event()
        self._thread = Thread(target=self._run, name="announcement", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._thread.join(FIND_S)

    def _run(self) -> None:
        while not self._ended.wait(CHECK_S / 3):
            served, addresses = self._door.served, self._addresses()
            with suppress(OSError), ExitStack() as stack:
                if served is not None:
                    stack.enter_context(_announced(self._room, *served, addresses))
                while (served, addresses) == (self._door.served, self._addresses()):
                    if self._ended.wait(CHECK_S):
                        return

    def _addresses(self) -> tuple[str, ...]:
        return (self._door.network and own_addresses()) or THIS_COMPUTER


@contextmanager
def _announced(room: str, port: int, secure: bool, addresses: tuple[str, ...]) -> Iterator[None]:
    from zeroconf import InterfaceChoice, ServiceInfo, Zeroconf

    about = ServiceInfo(
        KIND,
        f"{room}.{KIND}",
        port,
        properties={SECURE: b""} if secure else {},
        parsed_addresses=list(addresses),
        server=f"{room}.local.",
    )
    where = list(addresses) if addresses == THIS_COMPUTER else InterfaceChoice.All
    with closing(Zeroconf(where)) as network:
        # After a power cut the network still knows this name.
        network.register_service(about, cooperating_responders=True)
        yield
