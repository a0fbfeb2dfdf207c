"""A bus of the tests' own, and on it an Avahi that only writes down what it is asked.

It speaks the interface of Avahi's D-Bus API as far as lifeboard uses it; the test decides which
names belong to others, and tells it to look for a name of its own, as Avahi does.
"""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    MessageFlag,
    MessageType,
    message_bus,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

AVAHI = "org.freedesktop.Avahi"
SERVER = f"{AVAHI}.Server"
GROUP = f"{AVAHI}.EntryGroup"
REGISTERING, RUNNING = 1, 2
ESTABLISHED, COLLISION = 2, 3
PATIENCE_S = 20.0
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow eavesdrop="true"/>
<allow send_destination="*" eavesdrop="true"/></policy></busconfig>
"""


class Bus:
    """A real D-Bus daemon on a socket in a folder; it can be ended and begun again."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "bus"
        self._configuration = folder / "bus.conf"
        self._configuration.write_text(CONFIGURATION.format(socket=self._socket))
        self.address = f"unix:path={self._socket}"
        self._daemon: subprocess.Popen[str] | None = None

    def begin(self) -> None:
        self._daemon = subprocess.Popen(
            ["dbus-daemon", f"--config-file={self._configuration}", "--nofork", "--print-address"],
            stdout=subprocess.PIPE,
            text=True,
        )
        # It says where it listens when it does.
        assert self._daemon.stdout is not None
        assert self._daemon.stdout.readline().startswith("unix:path=")

    def end(self) -> None:
        if self._daemon is not None:
            self._daemon.kill()
            self._daemon.communicate()
            self._daemon = None
        self._socket.unlink(missing_ok=True)


@contextmanager
def bus_in(folder: Path, *, begun: bool = True) -> Iterator[Bus]:
    bus = Bus(folder)
    if begun:
        bus.begin()
    try:
        yield bus
    finally:
        bus.end()


class FakeAvahi:
    """Answer on a thread; `asked` holds each call, `told` each group that was committed.

    `foreign` are names that other computers have: a group that tells one is in collision. With
    `taken_here` programs of this computer have them, which Avahi says at once.
    """

    def __init__(
        self,
        bus: Bus,
        *,
        state: int = RUNNING,
        foreign: set[str] | None = None,
        taken_here: bool = False,
    ) -> None:
        self.asked: Queue[tuple[str, tuple[Any, ...]]] = Queue()
        self.told: Queue[dict[str, list[tuple[Any, ...]]]] = Queue()
        self.state = state
        self.foreign = foreign or set()
        self._taken_here = taken_here
        self._groups: dict[str, dict[str, list[tuple[Any, ...]]]] = {}
        self._made = 0
        self._connection = open_dbus_connection(bus=bus.address, auth_timeout=PATIENCE_S)
        unwrap_msg(
            self._connection.send_and_get_reply(message_bus.RequestName(AVAHI), timeout=PATIENCE_S)
        )
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def change(self, state: int) -> None:
        """Change the server's state, as when its own name is in collision."""
        self.state = state
        self._signal("/", SERVER, state)

    def collide(self) -> None:
        """Let another computer come that has the name told last."""
        self._signal(f"/group/{self._made}", GROUP, COLLISION)

    def leave(self) -> None:
        """Go as a daemon goes that is stopped."""
        self._connection.sock.shutdown(2)
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def next_told(self) -> dict[str, list[tuple[Any, ...]]]:
        return self.told.get(timeout=PATIENCE_S)

    def calls(self) -> list[str]:
        """Take out the names of the methods that were called."""
        return [self.asked.get()[0] for _ in range(self.asked.qsize())]

    def next_call(self, member: str) -> tuple[Any, ...]:
        """Wait for a call of a method and give what came with it."""
        while True:
            called, body = self.asked.get(timeout=PATIENCE_S)
            if called == member:
                return body

    def _signal(self, path: str, interface: str, state: int) -> None:
        emitter = DBusAddress(path, None, interface)
        self._connection.send(new_signal(emitter, "StateChanged", "is", (state, "")))

    def _serve(self) -> None:
        with suppress(OSError), self._connection as connection:
            while True:
                message = connection.receive()
                if message.header.message_type is MessageType.method_call:
                    self._answer(message)

    def _answer(self, message: Any) -> None:
        fields = message.header.fields
        member, path = fields[HeaderFields.member], fields[HeaderFields.path]
        assert message.header.flags & MessageFlag.no_auto_start
        group = self._groups.get(path)
        signature, body, after = None, (), None
        match member:
            case "GetState":
                signature, body = "i", (self.state,)
            case "EntryGroupNew":
                self._made += 1
                self._groups[f"/group/{self._made}"] = {}
                signature, body = "o", (f"/group/{self._made}",)
            case "AddAddress" | "AddService" if group is not None:
                group.setdefault(member, []).append(message.body)
                if self._taken_here and message.body[3] in self.foreign:
                    error = new_error(message, f"{AVAHI}.CollisionError", "s", ("taken",))
                    self._connection.send(error)
                    return
            case "Commit" if group is not None:
                names = {record[3] for records in group.values() for record in records}
                after = COLLISION if names & self.foreign else ESTABLISHED
                self.told.put(group)
            case "Free" if group is not None:
                del self._groups[path]
            case _:
                raise AssertionError(f"{member} of {path} is not Avahi's")
        self.asked.put((member, message.body))
        self._connection.send(new_method_return(message, signature, body))
        if after is not None:
            self._signal(path, GROUP, after)
