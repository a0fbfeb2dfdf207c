"""A bus of the tests' own, and on it an Avahi that only writes down what it is asked.

It speaks the interface of Avahi's D-Bus API as far as lifeboard uses it; the test decides which
names belong to others.
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
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

AVAHI = "org.freedesktop.Avahi"
GROUP = f"{AVAHI}.EntryGroup"
RUNNING = 2
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
    """Answer on a thread; `told` holds each group that was committed.

    `foreign` are names that other computers have: a group that tells one is in collision.
    """

    def __init__(self, bus: Bus, *, foreign: set[str] | None = None) -> None:
        self.told: Queue[dict[str, list[tuple[Any, ...]]]] = Queue()
        self.foreign = foreign or set()
        self._groups: dict[str, dict[str, list[tuple[Any, ...]]]] = {}
        self._made = 0
        self._connection = open_dbus_connection(bus=bus.address, auth_timeout=PATIENCE_S)
        unwrap_msg(
            self._connection.send_and_get_reply(message_bus.RequestName(AVAHI), timeout=PATIENCE_S)
        )
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def collide(self) -> None:
        """Let another computer come that has the name told last."""
        self._signal(f"/group/{self._made}", GROUP, COLLISION)

    def next_told(self) -> dict[str, list[tuple[Any, ...]]]:
        return self.told.get(timeout=PATIENCE_S)

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
                signature, body = "i", (RUNNING,)
            case "EntryGroupNew":
                self._made += 1
                self._groups[f"/group/{self._made}"] = {}
                signature, body = "o", (f"/group/{self._made}",)
            case "AddAddress" | "AddService" if group is not None:
                group.setdefault(member, []).append(message.body)
            case "Commit" if group is not None:
                names = {record[3] for records in group.values() for record in records}
                after = COLLISION if names & self.foreign else ESTABLISHED
                self.told.put(group)
            case "Free" if group is not None:
                del self._groups[path]
            case _:
                raise AssertionError(f"{member} of {path} is not Avahi's")
        self._connection.send(new_method_return(message, signature, body))
        if after is not None:
            self._signal(path, GROUP, after)
