"""The name on the local network: what Avahi is asked, over a real bus, and when there is none."""

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

import pytest

from game.app.gate.addresses import Address, local_addresses
from game.app.service import mdns
from game.app.service.mdns import LABELS, Announcer
from tests.helpers.programs.fake_avahi import PATIENCE_S, Bus, FakeAvahi, bus_in

HOME = Address(2, "192.168.1.7")
CABLE = Address(3, "10.0.0.7")


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[Bus]:
    with bus_in(tmp_path) as bus:
        yield bus


class Told(logging.Handler):
    """Waits for what the module logs."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: Queue[tuple[int, str]] = Queue()

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.put((record.levelno, record.getMessage()))

    def wait(self, text: str) -> None:
        """Wait for a line with a text; nothing may be worse than a word of information."""
        while True:
            level, line = self._lines.get(timeout=PATIENCE_S)
            assert level <= logging.INFO
            if text in line:
                return


@pytest.fixture
def told() -> Iterator[Told]:
    handler, before = Told(), mdns.log.level
    mdns.log.addHandler(handler)
    mdns.log.setLevel(logging.DEBUG)
    yield handler
    mdns.log.removeHandler(handler)
    mdns.log.setLevel(before)


@contextmanager
def announcing(bus: Bus, *addresses: Address) -> Iterator[Announcer]:
    """Announce; the announcer's thread ends when it is stopped."""
    announcer = Announcer(8765, bus.address, lambda: frozenset(addresses or (HOME,)))
    announcer.start()
    try:
        yield announcer
    finally:
        announcer.stop()
        announcer._thread.join(PATIENCE_S)
        assert not announcer._thread.is_alive()


@pytest.fixture(autouse=True)
def no_other_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no time-out end a thread that has to end when it is stopped."""
    monkeypatch.setattr(mdns, "CALL_S", 10 * PATIENCE_S)


def test_announcer_tells_addresses_of_each_interface_and_the_page(bus: Bus, told: Told):
    avahi = FakeAvahi(bus)
    with announcing(bus, HOME, CABLE) as announcer:
        group = avahi.next_told()
        told.wait("lifeboard.local")
        assert announcer.name == "lifeboard.local"
    # Each address on its own network only, over both protocols, and without a reverse record,
    # which is the computer's own name's.
    assert group["AddAddress"] == [
        (2, -1, 16, "lifeboard.local", "192.168.1.7"),
        (3, -1, 16, "lifeboard.local", "10.0.0.7"),
    ]
    assert group["AddService"] == [
        (interface, -1, 0, "lifeboard", "_http._tcp", "", "lifeboard.local", 8765, [])
        for interface in (2, 3)
    ]


def test_announcer_takes_the_next_name_when_others_have_the_first(bus: Bus, told: Told):
    avahi = FakeAvahi(bus, foreign={"lifeboard.local", "lifeboard-2"})
    with announcing(bus) as announcer:
        told.wait("lifeboard-3.local on")
        avahi.collide()
        told.wait("lifeboard-4.local")
        assert announcer.name == "lifeboard-4.local"


def test_announcer_does_without_a_name_when_all_are_taken(bus: Bus, told: Told):
    avahi = FakeAvahi(bus, foreign=set(LABELS))
    with announcing(bus) as announcer:
        told.wait("lifeboard-9 belongs to another")
        assert announcer.name is None
    assert avahi.told.qsize() == len(LABELS)


def test_announcer_finds_an_avahi_and_a_bus_that_come_later_and_again(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(mdns, "BUS_AGAIN_S", 0.02)
    with bus_in(tmp_path, begun=False) as bus, announcing(bus) as announcer:
        told.wait("No such file")
        for _ in range(2):
            bus.begin()
            told.wait("Avahi is away")
            FakeAvahi(bus)
            told.wait("lifeboard.local")
            bus.end()
            told.wait("no name on the network")
        assert announcer.name is None


def test_announcer_ends_while_there_is_no_bus(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(mdns, "BUS_AGAIN_S", 10 * PATIENCE_S)
    with bus_in(tmp_path, begun=False) as bus, announcing(bus):
        told.wait("No such file")


def test_local_addresses_leave_out_the_loop_and_name_real_interfaces():
    numbers = {number for number, _ in socket.if_nameindex()}
    for address in local_addresses():
        assert address.interface in numbers
        assert not address.text.startswith("127.")
