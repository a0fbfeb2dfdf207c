"""Gives the page a name on the local network, lifeboard.local, if Avahi runs on this computer.

Owns what is asked of Avahi over D-Bus, and when again. Must not know the game, nor hold it up: all
this happens on a thread of its own, and nothing depends on it.

The name is told by address records. An alias (CNAME) would follow changes of address by itself,
but Avahi sees no collision between an alias and another computer's addresses, and not every
system resolves one.
"""

import logging
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager, suppress
from typing import Any

from jeepney import (
    AuthenticationError,
    DBusAddress,
    DBusErrorResponse,
    HeaderFields,
    MatchRule,
    MessageFlag,
    message_bus,
    new_method_call,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

from game.app.gate.addresses import Address, local_addresses

log = logging.getLogger(__name__)

LABELS = ("lifeboard", *(f"lifeboard-{number}" for number in range(2, 10)))
"""The names that are tried one after the other, as there may be several boards in a house."""
SERVICE_TYPE = "_http._tcp"
BUS_AGAIN_S = 15.0
"""How soon a bus that is not there is looked for again."""
LOOK_S = 15.0
"""How often it is seen whether the addresses have changed, or what failed works now."""
ALL_TAKEN_S = 300.0
"""How long it is left alone when each name belongs to someone else."""
CALL_S = 5.0
STOP_S = 0.4

# Of avahi-common/defs.h and address.h.
_ANY = -1
_NO_REVERSE = 16
_SERVER_RUNNING = 2
_GROUP_ESTABLISHED, _GROUP_COLLISION, _GROUP_FAILURE = 2, 3, 4

_AVAHI = "org.freedesktop.Avahi"
_SERVER = DBusAddress("/", _AVAHI, f"{_AVAHI}.Server")
_COLLISION = f"{_AVAHI}.CollisionError"
_TROUBLE = (OSError, AuthenticationError, DBusErrorResponse, RuntimeError, ValueError)
"""What a bus that is not there, not allowed or not in order leads to."""


@contextmanager
def announce(port: int) -> "Iterator[Announcer]":
    """Tell the local network of the page on a port, as long as the context lasts."""
    announcer = Announcer(port)
    announcer.start()
    try:
        yield announcer
    finally:
        announcer.stop()


class Announcer:
    """Tell the local network of the page on `port`, from start to stop; each is called once.

    `bus` is a D-Bus address, or "SYSTEM". `addresses` lists those that the name leads to.
    """

    def __init__(
        self,
        port: int,
        bus: str = "SYSTEM",
        addresses: Callable[[], Set[Address]] = local_addresses,
    ) -> None:
        self._port = port
        self._bus = bus
        self._addresses = addresses
        self._told: _Told | None = None
        self._connection: DBusConnection | None = None
        self._stopped = threading.Event()
        self._guard = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="mdns", daemon=True)

    @property
    def name(self) -> str | None:
        """Return the name under which the page is found now, None while there is none."""
        told = self._told
        return None if told is None else told.name

    def start(self) -> None:
        """Begin, without waiting for anything."""
        self._thread.start()

    def stop(self) -> None:
        """End within half a second; Avahi takes the records back when the connection ends."""
        with self._guard:
            self._stopped.set()
            if self._connection is not None:
                with suppress(OSError):
                    self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(STOP_S)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                with self._connected() as connection:
                    self._tell_over(connection)
            except _TROUBLE as error:
                if not self._stopped.is_set():
                    log.debug("no name on the network for now: %s", error)
            self._stopped.wait(BUS_AGAIN_S)

    def _tell_over(self, connection: DBusConnection) -> None:
        """Tell the network of the page until the connection ends; `name` is none by then."""
        self._told = _Told(connection, self._port, self._addresses)
        try:
            self._told.keep()
        finally:
            self._told = None

    @contextmanager
    def _connected(self) -> Iterator[DBusConnection]:
        """Hold a connection that `stop` may shut down at any time."""
        with open_dbus_connection(bus=self._bus) as connection:
            with self._guard:
                if self._stopped.is_set():
                    raise ConnectionAbortedError("stopped")
                self._connection = connection
            try:
                yield connection
            finally:
                with self._guard:
                    self._connection = None


class _Told:
    """What Avahi tells the network for us over one connection, by one group of records."""

    def __init__(
        self, connection: DBusConnection, port: int, addresses: Callable[[], Set[Address]]
    ) -> None:
        self.name: str | None = None
        self._connection = connection
        self._port = port
        self._find = addresses
        self._news: deque[Any] = deque()
        self._running = False
        self._group: DBusAddress | None = None
        self._addresses: Set[Address] = frozenset()
        self._taken = 0
        self._not_before = 0.0

    def keep(self) -> None:
        """Tell the name and keep it right until the connection ends, which raises OSError."""
        with self._connection.filter(MatchRule(type="signal"), queue=self._news):
            self._listen()
            while True:
                try:
                    self._follow()
                except DBusErrorResponse as error:
                    # Avahi goes, or has enough of us for now.
                    log.debug("Avahi refuses: %s", error)
                try:
                    signal = self._connection.recv_until_filtered(self._news, timeout=LOOK_S)
                except TimeoutError:
                    continue
                self._hear(signal)

    def _listen(self) -> None:
        """Ask for the signals that matter, and see what is there already."""
        owner = MatchRule(type="signal", sender=message_bus.bus_name, member="NameOwnerChanged")
        owner.add_arg_condition(0, _AVAHI)
        for rule in (owner, MatchRule(type="signal", sender=_AVAHI, member="StateChanged")):
            self._call(message_bus, "AddMatch", "s", rule.serialise())
        (there,) = self._call(message_bus, "NameHasOwner", "s", _AVAHI)
        self._meet(bool(there))

    def _meet(self, there: bool) -> None:
        """Begin anew with an Avahi that has come, or without one."""
        self._group = self.name = None
        self._taken = 0
        self._not_before = 0.0
        self._running = there and self._call(_SERVER, "GetState") == (_SERVER_RUNNING,)
        log.debug("Avahi %s", "runs" if self._running else "is not ready" if there else "is away")

    def _hear(self, signal: Any) -> None:
        """Take a signal in."""
        fields = signal.header.fields
        member, path = fields.get(HeaderFields.member), fields.get(HeaderFields.path)
        if member == "NameOwnerChanged":
            self._meet(bool(signal.body[2]))
        elif member == "StateChanged" and path == _SERVER.object_path:
            # While Avahi looks for a name of its own, ours are to be taken back.
            self._running = signal.body[0] == _SERVER_RUNNING
            if not self._running:
                self._take_back()
        elif member == "StateChanged" and self._group and path == self._group.object_path:
            self._settle(signal.body[0])

    def _settle(self, state: int) -> None:
        """Take in what has become of our group."""
        if state == _GROUP_ESTABLISHED:
            self.name = f"{LABELS[self._taken]}.local"
            log.info("the page has the name %s on the local network", self.name)
        elif state in (_GROUP_COLLISION, _GROUP_FAILURE):
            self._take_back()
            if state == _GROUP_COLLISION:
                self._next_label()
            else:
                self._not_before = time.monotonic() + LOOK_S

    def _follow(self) -> None:
        """Tell what is to be told now and is not yet."""
        addresses = self._find()
        if self._group is not None and addresses != self._addresses:
            self._take_back()
        while (
            self._running
            and self._group is None
            and addresses
            and time.monotonic() >= self._not_before
        ):
            self._addresses = addresses
            self._tell(LABELS[self._taken])

    def _tell(self, label: str) -> None:
        """Ask Avahi for a group that tells a name; the next one's turn if a program here has it."""
        (path,) = self._call(_SERVER, "EntryGroupNew")
        self._group = group = DBusAddress(path, _AVAHI, f"{_AVAHI}.EntryGroup")
        host = f"{label}.local"
        try:
            for each in sorted(self._addresses):
                record = (each.interface, _ANY, _NO_REVERSE, host, each.text)
                self._call(group, "AddAddress", "iiuss", *record)
                service: tuple[object, ...] = (label, SERVICE_TYPE, "", host, self._port, [])
                self._call(group, "AddService", "iiussssqaay", each.interface, _ANY, 0, *service)
            self._call(group, "Commit")
        except DBusErrorResponse as error:
            self._take_back()
            if error.name != _COLLISION:
                self._not_before = time.monotonic() + LOOK_S
                raise
            self._next_label()

    def _next_label(self) -> None:
        log.debug("%s belongs to another", LABELS[self._taken])
        self._taken = (self._taken + 1) % len(LABELS)
        if self._taken == 0:
            self._not_before = time.monotonic() + ALL_TAKEN_S

    def _take_back(self) -> None:
        """Let Avahi forget our group."""
        group, self._group, self.name = self._group, None, None
        if group is not None:
            with suppress(DBusErrorResponse):
                self._call(group, "Free")

    def _call(self, there: Any, member: str, signature: str | None = None, *body: object) -> Any:
        """Call a method and give what it returns; raises DBusErrorResponse or OSError."""
        message = new_method_call(there, member, signature, body)
        # Whoever keeps Avahi from running has a reason: a call must not start it.
        message.header.flags |= MessageFlag.no_auto_start
        return unwrap_msg(self._connection.send_and_get_reply(message, timeout=CALL_S))
