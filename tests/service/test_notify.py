"""The service's messages to its manager, on a real socket, and when they are sent."""

import socket
from contextlib import closing
from random import Random

import pytest

from game.play import Snapshot
from game.rules.base.message import say
from game.rules.base.registry import find_game
from game.service.activity import status_of
from game.service.run import BEAT_S, Notifier
from game.table import DRAW_S, Table
from game.table.inputs import Asked, Command, FaultsChanged


@pytest.fixture
def manager(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


@pytest.fixture
def telling(manager):
    address = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "10000000"}
    with closing(Notifier(address)) as telling:
        yield telling


def heard(manager: socket.socket) -> list[str]:
    shown = []
    while True:
        try:
            shown.append(manager.recv(4096).decode())
        except BlockingIOError:
            return shown


def test_notifier_sends_fields_as_lines_and_nothing_without_a_manager(manager, telling):
    telling.tell(READY="1", STATUS="one\ntwo")
    assert heard(manager) == ["READY=1\nSTATUS=one two"]
    with closing(Notifier({})) as silent:
        silent.tell(READY="1")
    for _ in range(10_000):
        telling.tell(STATUS="x" * 200)  # a manager that is too slow holds up nothing


def test_notifier_is_ready_when_something_is_shown_and_gives_signs_of_life(manager, telling):
    for now, status in ((0.0, "starting"), (0.1, "playing"), (BEAT_S, "playing")):
        telling.pulse(now, status, ready=now > 0)
    telling.reloading(1.1)
    telling.pulse(1.2, "playing", ready=True)
    assert heard(manager) == [
        "STATUS=starting\nWATCHDOG=1",
        "STATUS=playing\nWATCHDOG=1\nREADY=1",
        "RELOADING=1\nMONOTONIC_USEC=1100000",
        "STATUS=playing\nWATCHDOG=1\nREADY=1",
    ]


def test_extended_timeout_asks_for_time_while_something_long_is_done(manager, telling):
    with telling.extended_timeout():
        assert heard(manager) == ["EXTEND_TIMEOUT_USEC=300000000\nWATCHDOG_USEC=300000000"]
    assert heard(manager) == ["WATCHDOG_USEC=10000000"]


def test_status_tells_in_one_line_how_the_game_is():
    table = Table(find_game("circle-of-life"), {"first": "1"}, Random(1))

    def shown() -> str:
        return status_of(Snapshot(table.game, table.state, table.scene()))

    table.start(0.0)
    table.tick(DRAW_S)
    assert shown() == "Circle of Life, move 1"
    table.handle(FaultsChanged(frozenset({"a1"}), (say("fault.strip"),)), 20.0)
    assert shown() == "Circle of Life, paused"
    table.handle(FaultsChanged(frozenset(), ()), 21.0)
    for now in (22.0, 23.0):
        table.handle(Asked(Command.RESIGN), now)
    assert shown() == "Circle of Life, over"
