"""The service's messages to its manager, on a real socket, and when they are sent."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from game.common import LANGUAGES, words
from game.play import Snapshot
from game.rules.base.message import say
from game.rules.base.registry import find_game
from game.service import notify
from game.service.notify import Notifier, status_of
from game.table.inputs import Asked, Command, FaultsChanged, Lifted, Touched
from game.table.phases import Phase
from game.table.table import DRAW_S, Table


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


@pytest.fixture
def telling(manager: socket.socket) -> Iterator[Notifier]:
    with closing(notifier(manager)) as telling:
        yield telling


def notifier(manager: socket.socket, **more: str) -> Notifier:
    return Notifier.of({"NOTIFY_SOCKET": manager.getsockname(), **more}, pid=7)


def heard(manager: socket.socket) -> list[str]:
    shown = []
    while True:
        try:
            shown.append(manager.recv(4096).decode())
        except BlockingIOError:
            return shown


def test_notifier_sends_fields_as_lines_and_keeps_each_on_one(
    manager: socket.socket, telling: Notifier
):
    telling.tell(READY="1", STATUS="one\ntwo")
    assert heard(manager) == ["READY=1\nSTATUS=one two"]


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2"}])
def test_notifier_is_silent_without_a_manager(environment: dict[str, str]):
    # This counts as sent, so nothing is sent again.
    assert Notifier.of(environment, pid=7).tell(READY="1")


def test_notifier_goes_on_when_the_manager_is_gone_or_deaf(
    manager: socket.socket, telling: Notifier, tmp_path: Path
):
    for _ in range(2000):  # far more than any queue holds
        telling.tell(STATUS="x" * 200)
    (tmp_path / "notify").unlink()
    telling.tell(STATUS="gone")
    telling.close()
    telling.tell(STATUS="closed")
    assert "STATUS=gone" not in heard(manager)


@pytest.mark.parametrize(
    ("environment", "watchdog_s"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "10000000"}, 10.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "7"}, 10.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_notifier_knows_whether_it_is_watched(environment: dict[str, str], watchdog_s):
    assert Notifier.of(environment, pid=7).watchdog_s == watchdog_s


def test_notifier_is_ready_only_when_something_is_shown_and_says_a_status_once(manager, telling):
    telling.pulse(0.0, "starting", ready=False)
    telling.pulse(0.1, "playing", ready=True)
    telling.pulse(0.2, "playing", ready=True)
    assert heard(manager) == ["STATUS=starting", "READY=1\nSTATUS=playing"]


def test_notifier_gives_signs_of_life_by_its_pulse_and_often_enough(manager: socket.socket):
    with closing(notifier(manager, WATCHDOG_USEC="2000000")) as telling:
        for tenth in range(21):
            telling.pulse(tenth / 10, "", ready=True)
    shown = [each for each in heard(manager) if "WATCHDOG=1" in each]
    assert len(shown) == 5  # at 0, 0.5, 1.0, 1.5 and 2.0: four times as often as is asked for


def test_notifier_tells_again_what_a_manager_was_too_slow_to_take(manager, telling: Notifier):
    while telling.tell(STATUS="x" * 200):
        pass
    telling.pulse(0.0, "playing", ready=True)
    heard(manager)
    telling.pulse(0.1, "playing", ready=True)
    assert heard(manager) == ["READY=1\nSTATUS=playing"]


def test_extended_timeout_asks_for_time_while_something_long_is_done(manager, telling: Notifier):
    with telling.extended_timeout():
        manager.setblocking(True)
        assert manager.recv(4096).decode() == "WATCHDOG=1\nEXTEND_TIMEOUT_USEC=6000000"
        manager.setblocking(False)
    heard(manager)
    telling.tell(STATUS="done")
    assert heard(manager) == ["STATUS=done"]


def test_extended_timeout_has_an_end(manager, telling: Notifier, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(notify, "_EXTEND_S", 0.001)
    monkeypatch.setattr(notify, "MAX_EXTENSION_S", 0.005)
    with telling.extended_timeout():
        manager.settimeout(20.0)
        asked = [manager.recv(4096) for _ in range(5)]
        asking = [each for each in threading.enumerate() if each.name == "extend-timeout"]
        for each in asking:
            each.join(20.0)
        manager.setblocking(False)
        assert heard(manager) == []
    assert len(asked) == 5


def played(*moves: str) -> Table:
    table = Table(find_game("circle-of-life"), {"first": "1"}, Random(1))
    table.start(0.0)
    table.tick(DRAW_S)
    for count, move in enumerate(moves):
        table.handle(Touched(move), 10.0 + count)
        table.handle(Lifted(move), 10.1 + count)
    return table


def shown(table: Table, language: str = "en") -> str:
    return status_of(Snapshot(table.game, table.state, table.scene()), words(language))


def test_status_names_game_move_and_player_on_one_line_in_every_language():
    assert shown(played()) == "Circle of Life, move 1, Orange to play"
    assert shown(played("e5")) == "Circle of Life, move 2, Blue to play"
    for language in LANGUAGES:
        text = shown(played("e5"), language)
        assert "Circle of Life" in text
        assert "\n" not in text
        assert "status." not in text


def test_status_tells_draw_pause_set_up_and_end():
    table = Table(find_game("circle-of-life"), {}, Random(1))
    table.start(0.0)
    assert shown(table) == "Circle of Life, drawing who begins"
    table = played("e5")
    table.handle(FaultsChanged(frozenset({"a1"}), (say("fault.strip"),)), 20.0)
    assert shown(table).startswith("Circle of Life, paused: ")
    table = played("e5")
    table.handle(Asked(Command.SET_UP), 20.0)
    assert shown(table) == "Circle of Life, a position is being set up"
    table = played("e5")
    for now in (20.0, 21.0):
        table.handle(Asked(Command.RESIGN), now)
    assert shown(table).startswith("Circle of Life, over: ")


def test_status_tells_that_pieces_are_laid_out_also_while_the_menu_is_open():
    table = Table(find_game("cirkle-mind"), {"first": "1"}, Random(1), levels=("1",))
    table.start(0.0)
    table.tick(9.0)
    laying = shown(table)
    assert laying == "CirKle Mind, the players set up their pieces"
    table.handle(Asked(Command.MENU), 10.0)
    assert table.state.phase is Phase.MENU
    assert shown(table) == laying
