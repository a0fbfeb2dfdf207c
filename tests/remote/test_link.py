"""A link: it sends only entries that are on disk, and reports what is wrong.

Everything runs over a broker and over a direct line, whose other end is a guest who knows the code.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from operator import methodcaller
from pathlib import Path

import pytest

from game.remote.chain import Keys, write
from game.remote.link import AWAY_S, BEAT_S, SAID_S, BoardChannel, Link, RecordFile
from game.remote.shared_game import SharedGame, SideReport, pack, unpack
from game.table.entries import EntryKind
from game.table.inputs import Phrase
from tests.helpers.remote.model import KEYS, setting
from tests.helpers.remote.pair import Network
from tests.helpers.remote.wire import Wire

MOVE = methodcaller("play", 1, "1")
STRANGE = Keys("room", b"s" * 32)


class Line:
    """The channel of a broker or a direct line, and a guest at its other end."""

    def __init__(self, network: Network | Wire) -> None:
        self.network, self.sent = network, list[SideReport]()
        self.arrives: list[bytes] = []
        self.guest = network.channel(2, lambda: None)

    def open(self, wake: Callable[[], None]) -> BoardChannel:
        return self.network.channel(1, wake)

    def carry(self, now: float) -> None:
        self.network.now = now
        for payload in self.arrives if self.guest.connections else ():
            self.guest.send(payload)
        self.arrives = []
        self.network.run()
        self.sent += (unpack(KEYS, payload) for payload, _ in self.guest.take())


class Rig:
    """Side 1 with its link, side 2 as the test plays it, and the clock."""

    def __init__(self, folder: Path, post: Line) -> None:
        self.now, self.post = 0.0, post
        self.record = RecordFile(folder, KEYS, 1)
        self.link = Link(
            setting(1, "one", 20),
            self.record,
            post.open,
            clock=lambda: self.now,
            threaded=False,
        )
        self.other = SharedGame.opened(setting(2, "two", 20), (), {})

    def turn(self, seconds: float = 0.1) -> None:
        self.now += seconds
        self.post.carry(self.now)
        self.link.turn()
        self.post.carry(self.now)

    def meet(self) -> None:
        for _ in range(4):
            self.turn()
            self.other = self.other.receive(self.post.sent[-1])
            self.post.arrives.append(pack(KEYS, self.other.report()))
        self.turn()

    @property
    def trouble(self) -> str | None:
        return None if self.link.trouble is None else self.link.trouble.key


@contextmanager
def rigged(folder: Path, post: Line) -> Iterator[Rig]:
    rig = Rig(folder, post)
    with closing(rig.record), closing(rig.link):
        yield rig


@pytest.fixture(params=[Network, Wire])
def rig(request, tmp_path):
    with closing(request.param()) as network, rigged(tmp_path, Line(network)) as rig:
        rig.turn()
        yield rig


def test_a_move_is_told_only_when_it_is_on_disk(rig, monkeypatch):
    rig.meet()
    with monkeypatch.context() as broken:
        broken.setattr(RecordFile, "save", _fails)
        rig.link.request(MOVE)
        rig.turn()
        assert rig.trouble == "remote.not_saved"
        assert len(rig.link.game.chain) == rig.post.sent[-1].length == 1
    rig.turn(BEAT_S)
    assert rig.trouble is None
    assert len(rig.link.game.chain) == rig.post.sent[-1].length == 2


def _fails(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_what_is_told_is_repeated_after_a_while_and_on_a_new_connection(rig):
    rig.meet()
    count = len(rig.post.sent)
    rig.turn(1)
    assert len(rig.post.sent) == count
    rig.turn(BEAT_S)
    assert len(rig.post.sent) == count + 1
    rig.post.network.interrupt()
    for _ in range(5):
        rig.turn(1)
    assert len(rig.post.sent) == count + 2
    rig.post.network.set_cut(1, True)
    rig.turn(2 * BEAT_S)
    assert len(rig.post.sent) == count + 2


def test_nonsense_in_a_flood_replayed_changed_and_foreign_messages_change_nothing(rig):
    assert rig.link.is_away
    rig.meet()
    sent = [pack(KEYS, report) for report in (*rig.post.sent, rig.other.report())]
    rig.link.request(MOVE)
    rig.turn()
    before = rig.link.game
    changed = bytearray(sent[-1])
    changed[-20] ^= 1
    forged = write(STRANGE, before.chain, 2, EntryKind.MOVE, "1")
    entry = pack(KEYS, replace(rig.other.report(), entries=(forged,)))
    foreign = pack(STRANGE, rig.other.report())
    for _ in range(8):
        rig.post.arrives = [b"", b"x" * 70000, b"{}", bytes(200)] * 100
        rig.post.arrives += [*sent[::-1], bytes(changed), entry, foreign]
        rig.turn(1)
    assert rig.link.game.chain == before.chain
    assert rig.trouble is None
    assert not rig.link.is_away
    rig.turn(AWAY_S + 1)
    assert rig.link.is_away


def signed(content: dict[str, object]) -> bytes:
    body = json.dumps(content).encode()
    return KEYS.sign(body).encode() + body


def test_another_game_is_said(rig):
    rig.post.arrives = [pack(KEYS, replace(rig.other.report(), game="chess", echo="one"))]
    rig.turn()
    assert rig.trouble == "remote.other_game"


@pytest.mark.parametrize("changes", [{"program": "a\nb"}, {"session": "a\nb"}, {"version": 2}])
def test_a_message_that_cannot_be_read_is_said_until_one_can_be(rig, changes):
    rig.meet()
    good = pack(KEYS, rig.other.report())
    rig.post.arrives = [signed(json.loads(good[64:]) | changes)]
    rig.turn()
    assert rig.trouble == "remote.unreadable"
    rig.post.arrives = [good]
    rig.turn()
    assert rig.trouble is None


def test_a_phrase_arrives_once_and_is_not_told_for_long(rig):
    rig.meet()
    for count, phrase in ((1, "hello"), (2, "sing")):
        rig.post.arrives = 2 * [pack(KEYS, replace(rig.other.report(), said=(count, phrase)))]
        rig.turn()
        rig.turn()
        heard = Phrase.HELLO if phrase == "hello" else None
        assert rig.link.take_phrase() is heard
        assert rig.link.take_phrase() is None
    old = replace(rig.other.report(), said=(3, "hello"), echo="older")
    rig.post.arrives = [pack(KEYS, old)]
    rig.turn()
    assert rig.link.take_phrase() is None
    rig.link.say(Phrase.GOOD_GAME)
    rig.turn()
    assert rig.post.sent[-1].said == (1, "good_game")
    rig.turn(SAID_S + BEAT_S)
    assert rig.post.sent[-1].said == (0, "")


def test_another_program_on_the_same_side_stops_both_until_one_ends(rig):
    rig.meet()
    rig.post.arrives = [pack(KEYS, replace(rig.post.sent[-1], session="twin"))]
    rig.turn(BEAT_S)
    assert rig.trouble == "remote.twin"
    rig.link.request(MOVE)
    rig.post.arrives = [pack(KEYS, rig.other.report())]
    count = len(rig.post.sent)
    rig.turn(BEAT_S + 1)
    assert len(rig.link.game.chain) == 1
    assert len(rig.post.sent) == count + 1, "the other program hears that this one is there"
    rig.turn(AWAY_S)
    assert rig.trouble is None
    assert len(rig.link.game.chain) == 2


def test_what_a_broker_had_kept_proves_nothing_of_now(tmp_path):
    network = Network()
    with rigged(tmp_path, Line(network)) as rig:
        rig.meet()
        twin, other = replace(rig.post.sent[-1], session="twin"), rig.other.report()
        unread = signed({"version": 2})
        for seconds in (BEAT_S, BEAT_S, AWAY_S):
            for due_s, each in enumerate((pack(KEYS, twin), pack(KEYS, other), unread)):
                network.under_way[1].append((due_s, each, True))
            rig.turn(seconds)
            assert rig.trouble is None
        assert rig.link.is_away, "the other board may have ended since"
