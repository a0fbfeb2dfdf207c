"""Attacks on two boards that play over a real Mosquitto: they may deny service, and nothing else.

A stranger may read and publish all topics, as the broker's owner can. Only where it says so does
the attacker know the room's code.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from threading import Condition

import pytest
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from game.remote.address import read_address
from game.remote.chain import ChainEntry, Keys, write
from game.remote.link import BEAT_S, Link
from game.remote.messages import MOST_BYTES, pack
from game.remote.mqtt import MqttChannel
from game.remote.record_file import RecordFile
from game.remote.shared_game import SharedGame, Told
from game.table.entries import EntryKind
from tests.helpers.effort import effort
from tests.helpers.remote.broker import Mosquitto
from tests.helpers.remote.model import KEYS, setting

PATIENCE_S = 60.0
HEAP = 90
OTHER_KEYS = Keys("room", b"x" * 32)


class Boards:
    """Two sides in threads of this process, and an attacker who hears all that they say."""

    def __init__(self, broker: Mosquitto, folder: Path, session: str = "new") -> None:
        self.changed, self.heard = Condition(), list[tuple[str, bytes]]()
        self._stack = ExitStack()
        address = read_address(f"mqtt://127.0.0.1:{broker.port}/abcdef")
        self.attacker = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        self.attacker.on_message = lambda _, __, told: self.heard.append(
            (told.topic, bytes(told.payload))
        )
        self.attacker.on_connect = lambda *_: self.attacker.subscribe("lifeboard/#")
        self.attacker.connect("127.0.0.1", broker.port)
        self.attacker.loop_start()
        self._stack.callback(self.attacker.loop_stop)
        self._stack.callback(self.attacker.disconnect)
        self.links = [self._link(side, address, folder, session) for side in (1, 2)]

    def _link(self, side: int, address: object, folder: Path, session: str) -> Link:
        record = self._stack.enter_context(RecordFile(folder / str(side), KEYS, side))
        link = Link(
            setting(side, f"{session}{side}", HEAP),
            record,
            lambda wake: MqttChannel(address, KEYS.name, side, wake),
            self._wake,
        )
        return self._stack.enter_context(closing(link))

    def _wake(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def close(self) -> None:
        self._stack.close()

    @property
    def games(self) -> tuple[SharedGame, ...]:
        return tuple(link.game for link in self.links)

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        with self.changed:
            while not true():
                assert time.monotonic() < end, [len(game.chain) for game in self.games]
                self.changed.wait(0.2)

    def play(self, moves: int) -> None:
        """Let both sides move, until both have all of it."""
        self.until(lambda: all(game.chain for game in self.games))
        for _ in range(moves):
            length = max(len(game.chain) for game in self.games)
            self.links[self.games[0].writer - 1].play(length, "1")
            self.until(partial(self._have, length + 1))

    def _have(self, length: int) -> bool:
        return all(len(game.chain) >= length for game in self.games)

    def publish(self, payload: bytes, side: int, retain: bool = False) -> None:
        self.attacker.publish(f"lifeboard/1/{KEYS.name}/{side}", payload, 1, retain)

    def told(self, side: int) -> Told:
        """Return what a side says now, for who knows the code to change."""
        return self.games[side - 1].told()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


@pytest.fixture
def boards(broker: Mosquitto, tmp_path: Path) -> Iterator[Boards]:
    with closing(Boards(broker, tmp_path)) as boards:
        boards.play(4)
        yield boards


def signed(body: bytes, keys: Keys = KEYS) -> bytes:
    return keys.sign(body).encode() + body


def replay(boards: Boards, chance: Random) -> Iterator[bytes]:
    yield from chance.choices([payload for _, payload in boards.heard], k=500)


def changed(boards: Boards, chance: Random) -> Iterator[bytes]:
    for payload in chance.choices([payload for _, payload in boards.heard], k=500):
        at = chance.randrange(len(payload))
        yield payload[:at] + bytes([payload[at] ^ 1 << chance.randrange(8)]) + payload[at + 1 :]


def forged(boards: Boards, chance: Random) -> Iterator[bytes]:
    for _ in range(500):
        side = chance.choice((1, 2))
        game, told = boards.games[side - 1], boards.told(side)
        entry = write(OTHER_KEYS, game.chain, side, EntryKind.MOVE, "1")
        yield pack(OTHER_KEYS, replace(told, entries=(entry,), length=told.length + 1))


def other_room(boards: Boards, chance: Random) -> Iterator[bytes]:
    keys = Keys("other", b"o" * 32)
    for side in 250 * (1, 2):
        yield pack(keys, replace(boards.told(side), session=f"s{chance.random()}"[:16]))


def oversize(_: Boards, chance: Random) -> Iterator[bytes]:
    for size in 10 * (MOST_BYTES + 1, 2 * MOST_BYTES, 10 * MOST_BYTES):
        yield signed(b"[" * size)


def flood(_: Boards, chance: Random) -> Iterator[bytes]:
    for _ in range(effort(5000, 20000)):
        yield chance.randbytes(chance.randrange(200))


def odd_by_code(boards: Boards, chance: Random) -> Iterator[bytes]:
    """Know the code, and send what is no message."""
    body = json.loads(pack(KEYS, boards.told(1))[64:])
    for _ in range(20):
        for odd in (b"[" * 60000, b"{}", b"1" * 5000, b"\xff\xfe", b'{"version":1}'):
            yield signed(odd)
        for name in body:
            for value in (None, -1, 1e400, [], {"a": {}}, "x" * 5000, "\u202e\n"):
                yield signed(json.dumps(body | {name: value} | {"version": 1}).encode())


@pytest.mark.parametrize(
    "attack", [replay, changed, forged, other_room, oversize, flood, odd_by_code]
)
def test_the_game_goes_on_as_if_no_attack_was(
    boards: Boards, attack: Callable[[Boards, Random], Iterator[bytes]]
):
    chance, before, tries = Random(1), boards.games[0].chain, 0
    for payload in attack(boards, chance):
        boards.publish(payload, chance.choice((1, 2)), retain=chance.random() < 0.1)
        tries += 1
    boards.play(6)
    one, two = boards.games
    assert one.chain == two.chain
    assert one.chain[: len(before)] == before
    assert len(one.chain) == len(before) + 6, "nothing but these moves"
    boards.until(lambda: all(link.trouble is None for link in boards.links))
    assert tries >= 20, "of the attack"


def test_another_version_is_said_and_only_of_who_knows_the_code(boards: Boards):
    body, said = json.dumps({"version": 2, "side": 2}).encode(), list[str]()

    def says() -> bool:
        # The next message of the other board takes it back.
        boards.publish(signed(body), 2)
        said.extend(each.key for each in (boards.links[0].trouble,) if each is not None)
        return bool(said)

    boards.publish(signed(body, OTHER_KEYS), 2)
    boards.play(2)
    assert boards.links[0].trouble is None
    boards.until(says)
    assert said == ["remote.other_version"]
    boards.play(2)
    boards.until(lambda: boards.links[0].trouble is None)


def test_stolen_kept_messages_bring_no_old_game_back_and_no_move_of_it(
    broker: Mosquitto, tmp_path: Path
):
    with closing(Boards(broker, tmp_path / "old", "old")) as boards:
        boards.play(6)
        stolen, old = list(boards.heard), boards.games[0].chain
        for topic, payload in dict(stolen).items():
            boards.attacker.publish(topic, payload, 1, True).wait_for_publish(PATIENCE_S)
    with closing(Boards(broker, tmp_path / "new")) as boards:
        boards.play(0)
        for topic, payload in stolen:
            boards.publish(payload, int(topic[-1]))
        boards.play(4)
        assert len(boards.games[0].chain) == 5
        assert boards.games[0].chain[0].hash != old[0].hash


def test_an_entry_that_breaks_the_rules_stops_both_boards_in_words(boards: Boards):
    def refused(told: Told, entry: ChainEntry) -> Told:
        return replace(told, entries=(entry,), length=told.length + 1, head=entry.hash)

    game = boards.games[1]
    boards.until(lambda: len({each.head for each in boards.games}) == 1)
    side = 3 - game.writer
    entry = write(KEYS, game.chain, side, EntryKind.RESIGN, str(3 - side))
    boards.publish(pack(KEYS, refused(boards.told(side), entry)), side)
    boards.until(lambda: all(each.differs is not None for each in boards.games))
    victim, other = boards.games[2 - side], boards.games[side - 1]
    assert victim.differs.key == "remote.refused"
    assert other.differs.key == "remote.stopped"
    assert victim.chain == other.chain, "nothing was taken"


def test_an_old_message_of_an_own_start_before_stops_that_board_and_says_why(
    broker: Mosquitto, tmp_path: Path
):
    with closing(Boards(broker, tmp_path, "old")) as boards:
        boards.play(2)
        old = next(p for topic, p in reversed(boards.heard) if topic.endswith("/1"))
    with closing(Boards(broker, tmp_path)) as boards:
        boards.play(2)
        chain, end = boards.games[0].chain, time.monotonic() + PATIENCE_S
        while boards.links[0].trouble is None and time.monotonic() < end:
            boards.publish(old, 1)
            with boards.changed:
                boards.changed.wait(BEAT_S / 10)
        assert boards.links[0].trouble.key == "remote.twin"
        assert boards.games[0].chain == chain
