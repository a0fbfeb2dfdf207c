"""Two boards, directly or over a real Mosquitto, while the broker or a board is killed."""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from game.common import own_addresses
from game.remote.address import read_address
from game.remote.chain import MOST_BYTES
from game.remote.link import BEAT_S, Link
from game.remote.messages import pack, unpack
from game.remote.mqtt import MqttChannel
from game.remote.record_file import RecordFile
from game.remote.shared_game import SharedGame
from tests.helpers.pages.network_page import HELP
from tests.helpers.programs.running import Lifeboard, Talk
from tests.helpers.remote.broker import PATIENCE_S, Mosquitto
from tests.helpers.remote.model import KEYS, setting

CODE = "abcdef"


@pytest.mark.parametrize(
    "url", ["mqtt://127.0.0.1:{port}/{code}", "http://127.0.0.1:{port}/room#{code}", "{code}"]
)
def test_two_lifeboards_play_one_game(tmp_path: Path, url: str):
    assert own_addresses(), HELP
    with ExitStack() as stack:
        broker = Mosquitto(tmp_path / "broker", persistent=True) if "mqtt" in url else None
        port = stack.enter_context(broker).port if broker else 0
        boards = []
        for side in (1, 2):
            room = url.format(port=port or boards[0].port, code=CODE) if port or boards else CODE
            room += "?side=1" * (side == 1)
            options = "--room", room, "--hands", "auto", "--option", "first=1"
            boards.append(stack.enter_context(Lifeboard(tmp_path / str(side), *options)))
        pages = [Talk(stack.enter_context(board.page())) for board in boards]
        mine = [["", "board"], ["board", ""]]
        for page, computers in zip(pages, mine, strict=True):
            page.until(lambda talk, who=computers: talk.state.get("computers") == who)
            page.until(lambda talk: talk.state["phase"] == "tap")
        for mover, cell in ((0, "e5"), (1, "a1")):
            pages[mover].tap(cell)
            for page in pages:
                page.until(
                    lambda talk, last=cell: (
                        talk.state["moves"][-1:] and last in str(talk.state["moves"][-1])
                    )
                )
                page.until(lambda talk: talk.state["phase"] == "tap")
        for kill in (False, True) if broker else ():
            broker.stop(kill)
            broker.start()
        boards[1].kill()
        again = stack.enter_context(Lifeboard(tmp_path / "2", "--room", room, "--hands", "auto"))
        page = Talk(stack.enter_context(again.page()))
        page.until(lambda talk: len(talk.state.get("moves", ())) == 2)
        page.until(lambda talk: talk.state["phase"] == "tap")
        pages[0].tap("i5")
        page.until(lambda talk: len(talk.state["moves"]) == 3)


def test_a_boards_own_message_of_before_is_no_other_board(tmp_path):
    now, heard, event = 0.0, list[str](), Event()

    class Listening(MqttChannel):
        def take(self):
            new = super().take()
            heard.extend(unpack(KEYS, payload).session for payload, _ in new)
            return new

    def until_heard(count: int, turn: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        while heard.count("old") < count:
            assert time.monotonic() < end
            turn()
            event.wait(0.1)

    with (
        Mosquitto(tmp_path / "broker", persistent=True) as broker,
        closing(RecordFile(tmp_path, KEYS, 1)) as record,
    ):
        address = read_address(f"mqtt://127.0.0.1:{broker.port}/{CODE}?side=1")
        channel = partial(Listening, address, KEYS.name, 1)
        with closing(channel(event.set)) as before:
            assert connected(before, event)
            before.send(pack(KEYS, SharedGame.opened(setting(1, "old"), (), {}).report()))
            with closing(channel(event.set)) as after:
                until_heard(1, after.take)
        broker.stop(kill=False)
        link = Link(setting(1, "new"), record, channel, clock=lambda: now, threaded=False)
        with closing(link):
            for count in (2, 3):
                broker.start()
                until_heard(count, link.turn)
                broker.stop()
                now += BEAT_S
            assert link.trouble is None or link.trouble.key != "remote.twin"


def refused(channel: MqttChannel) -> bool:
    trouble = channel.trouble
    return trouble is not None and trouble.key == "remote.broker_refuses"


def connected(channel: MqttChannel, event: Event) -> bool:
    """Wait until a channel is connected or reports why not."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if channel.connections:
            return True
        if refused(channel):
            return False
        event.wait(0.2)
        event.clear()
    return False


def test_a_broker_that_takes_no_message_of_this_user_is_named(tmp_path):
    (tmp_path / "rights").write_text("topic read #\n")
    rules = ("allow_anonymous true", f"acl_file {tmp_path / 'rights'}")
    event = Event()
    with Mosquitto(tmp_path / "broker", *rules) as broker:
        address = read_address(f"mqtt://127.0.0.1:{broker.port}/{CODE}?side=1")
        with closing(MqttChannel(address, "room", 1, event.set)) as channel:
            assert connected(channel, event)
            channel.send(b"x")
            while not refused(channel):
                assert event.wait(PATIENCE_S)
                event.clear()
            assert channel.connections == 1, "it hears, and tries again"


def test_what_is_too_large_or_on_another_topic_does_not_arrive(tmp_path):
    broker = Mosquitto(tmp_path / "broker")
    address = read_address(f"mqtt://127.0.0.1:{broker.port}/{CODE}?side=1")
    event, arrived = Event(), list[bytes]()
    with broker, ExitStack() as stack:
        one, two, other = (
            stack.enter_context(closing(MqttChannel(address, room, side, event.set)))
            for room, side in (("room", 1), ("room", 2), ("other", 2))
        )
        assert all(connected(each, event) for each in (one, two, other))
        other.send(b"of another room")
        two.send(b"x" * (MOST_BYTES + 1))
        two.send(b"small")
        while not arrived:
            assert event.wait(PATIENCE_S)
            event.clear()
            arrived += [payload for payload, _ in one.take()]
        assert arrived == [b"small"]
