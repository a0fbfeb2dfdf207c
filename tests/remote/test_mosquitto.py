"""Two boards, directly or over a real Mosquitto, while the broker or a board is killed."""

from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from threading import Event

import pytest

from game.common import own_addresses
from game.remote.address import read_address
from game.remote.chain import MOST_BYTES
from game.remote.mqtt import MqttChannel
from tests.helpers.pages.network_page import HELP
from tests.helpers.programs.running import Lifeboard, Talk
from tests.helpers.remote.broker import Mosquitto, until

CODE = "abcdef"


@pytest.mark.parametrize(
    "url", ["mqtt://127.0.0.1:{port}/{code}", "http://127.0.0.1:{port}/room#{code}", "{code}"]
)
def test_two_lifeboards_play_one_game(tmp_path, url):
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


@dataclass
class Ends:
    """Channels at one broker."""

    broker: Mosquitto
    stack: ExitStack
    changed: Event = field(default_factory=Event)

    def channel(self, side: int, room: str = "room") -> MqttChannel:
        """Open a channel, and wait until it is connected."""
        address = read_address(f"mqtt://127.0.0.1:{self.broker.port}/{CODE}")
        channel = MqttChannel(address, room, side, self.changed.set)
        self.stack.enter_context(closing(channel))
        until(self.changed, lambda: channel.connections)
        return channel

    def arrived(self, channel: MqttChannel) -> list[tuple[bytes, bool]]:
        return until(self.changed, channel.take)


@pytest.fixture
def ends(request, tmp_path):
    rules = getattr(request, "param", ("allow_anonymous true",))
    (tmp_path / "rights").write_text("topic read #\n")
    rules = [each.format(folder=tmp_path) for each in rules]
    with Mosquitto(tmp_path / "broker", *rules, persistent=True) as broker, ExitStack() as stack:
        yield Ends(broker, stack)


def test_what_a_broker_had_retained_is_marked_as_that_through_its_restarts(ends):
    one, two = ends.channel(1), ends.channel(2)
    one.send(b"old")
    ends.arrived(two)
    for _ in range(2):
        assert ends.arrived(ends.channel(1)) == [(b"old", True)], "also a board's own message"
        ends.broker.stop(kill=False)
        ends.broker.start()


@pytest.mark.parametrize(
    "ends", [("allow_anonymous true", "acl_file {folder}/rights")], indirect=True
)
def test_a_broker_that_takes_no_message_of_this_user_is_named(ends):
    channel = ends.channel(1)
    channel.send(b"x")
    assert until(ends.changed, lambda: channel.trouble).key == "remote.broker_refuses"
    assert channel.connections == 1, "it hears, and tries again"


def test_what_is_too_large_or_on_another_topic_does_not_arrive(ends):
    one, two, other = ends.channel(1), ends.channel(2), ends.channel(2, "other")
    other.send(b"of another room")
    two.send(b"x" * (MOST_BYTES + 1))
    two.send(b"small")
    assert [payload for payload, _ in ends.arrived(one)] == [b"small"]
