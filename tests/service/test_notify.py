"""The service's messages to its manager, on a real socket, and when they are sent."""

import socket
from contextlib import closing
from random import Random

import pytest

from game.common import LANGUAGES, words
from game.play import Snapshot
from game.rules.base.message import say
from game.rules.base.registry import find_game
from game.service.notify import BEAT_S, Notifier, status_of
from game.table.inputs import Asked, Command, FaultsChanged, Lifted, Touched
from game.table.phases import Phase
from game.table.table import DRAW_S, Table


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
    # This counts as sent, so nothing is sent again.
    with closing(Notifier({})) as silent:
        assert silent.tell(READY="1")


def test_notifier_is_ready_when_something_is_shown_and_gives_signs_of_life(manager, telling):
    for now, status in ((0.0, "starting"), (0.1, "playing"), (0.2, "playing"), (BEAT_S, "playing")):
        telling.pulse(now, status, ready=now > 0)
    assert heard(manager) == [
        "STATUS=starting\nWATCHDOG=1",
        "READY=1\nSTATUS=playing",
        "WATCHDOG=1",
    ]


def test_notifier_tells_again_what_a_manager_was_too_slow_to_take(manager, telling, tmp_path):
    while telling.tell(STATUS="x" * 200):
        pass
    telling.pulse(0.0, "playing", ready=True)
    heard(manager)
    telling.pulse(0.1, "playing", ready=True)
    assert heard(manager) == ["READY=1\nSTATUS=playing\nWATCHDOG=1"]
    (tmp_path / "notify").unlink()
    assert not telling.tell(STATUS="gone")


def test_extended_timeout_asks_for_time_while_something_long_is_done(manager, telling):
    with telling.extended_timeout():
        assert heard(manager) == ["EXTEND_TIMEOUT_USEC=300000000\nWATCHDOG_USEC=300000000"]
    assert heard(manager) == ["WATCHDOG_USEC=10000000"]


def played(*moves: str) -> Table:
    table = Table(find_game("circle-of-life"), {"first": "1"}, Random(1))
    table.start(0.0)
    table.tick(DRAW_S)
    for count, move in enumerate(moves):
        table.handle(Touched(move), 10.0 + count)
        table.handle(Lifted(move), 10.1 + count)
    return table


def shown(table: Table, language: str = "en") -> str:
    return words(language).text(status_of(Snapshot(table.game, table.state, table.scene())))


def test_status_is_one_line_on_the_game_in_every_language():
    assert shown(played()) == "Circle of Life, move 1, Orange to play"
    for language in LANGUAGES:
        text = shown(played("e5"), language)
        assert "Circle of Life" in text
        assert "\n" not in text
        assert "status." not in text


def test_status_tells_draw_pause_set_up_and_end():
    table = Table(find_game("circle-of-life"), {}, Random(1))
    table.start(0.0)
    assert shown(table) == "Circle of Life, drawing who begins"
    for inputs, said in (
        ([FaultsChanged(frozenset({"a1"}), (say("fault.strip"),))], ", paused: "),
        ([Asked(Command.SET_UP)], ", a position is being set up"),
        (2 * [Asked(Command.RESIGN)], ", over: "),
    ):
        table = played("e5")
        for now, event in enumerate(inputs, start=20):
            table.handle(event, now)
        assert shown(table).startswith(f"Circle of Life{said}")


def test_status_tells_that_pieces_are_laid_out_also_while_the_menu_is_open():
    table = Table(find_game("cirkle-mind"), {"first": "1"}, Random(1), levels=("1",))
    table.start(0.0)
    table.tick(9.0)
    laying = shown(table)
    assert laying == "CirKle Mind, the players set up their pieces"
    table.handle(Asked(Command.MENU), 10.0)
    assert (table.state.phase, shown(table)) == (Phase.MENU, laying)
