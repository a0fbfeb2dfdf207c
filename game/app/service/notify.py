"""What the service manager is told: ready, what is going on, and that the loop is alive.

Speaks the protocol of sd_notify(3): datagrams of `KEY=value` lines to the socket that the
environment names. Must not know what a game is, nor when the loop runs.
"""

import logging
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread

log = logging.getLogger(__name__)

PATIENCE_S = 300.0
"""A damaged file of thousands of games takes minutes to be read on the smallest Pi."""
_ASK_S = 2.0


class Notifier:
    """Tell the service manager, or nobody where there is none.

    `watchdog_s` is how long it waits for a sign of life before it takes the service for dead, None
    that it does not.
    """

    def __init__(self, address: str = "", watchdog_s: float | None = None) -> None:
        self.watchdog_s = watchdog_s
        # The name of an abstract socket begins with a zero byte, written as "@".
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._socket: socket.socket | None = None
        if address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            # A manager that is slow must not hold up the board.
            self._socket.setblocking(False)

    @classmethod
    def of(cls, environment: Mapping[str, str], pid: int) -> "Notifier":
        """Find out from the environment of the process `pid` whom to tell, and how often."""
        address = environment.get("NOTIFY_SOCKET", "")
        microseconds = environment.get("WATCHDOG_USEC", "")
        meant = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        watched = meant and microseconds.isdigit() and int(microseconds) > 0
        return cls(
            address if address[:1] in ("/", "@") else "",
            int(microseconds) / 1e6 if watched else None,
        )

    def tell(self, **fields: str) -> bool:
        """Send fields, such as READY="1", and say whether they went; line breaks become spaces."""
        if self._socket is None:
            return True
        lines = (f"{key}={' '.join(value.splitlines())}" for key, value in fields.items())
        try:
            self._socket.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:
            log.debug("the service manager cannot be told: %s", error)
            return False
        return True

    @contextmanager
    def patience(self) -> Iterator[None]:
        """Ask for more time while something long is done, but not for ever.

        It is for opening and closing, when no loop runs that could say that it is alive. After
        PATIENCE_S what is done so long counts as hanging.
        """
        done = Event()

        def ask() -> None:
            for _ in range(int(PATIENCE_S / _ASK_S)):
                self.tell(WATCHDOG="1", EXTEND_TIMEOUT_USEC=str(int(3 * _ASK_S * 1e6)))
                if done.wait(_ASK_S):
                    return

        asking = Thread(target=ask, name="patience", daemon=True)
        asking.start()
        try:
            yield
        finally:
            done.set()
            asking.join()

    def close(self) -> None:
        """Tell nothing any more."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
