"""Two channels over a line in virtual time: messages arrive once and in order, or both know."""

import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.channel import (
    ACK,
    BEAT_MS,
    MOST_WAITING,
    PING,
    RESEND_MS,
    SILENCE_MS,
    WINDOW,
    Channel,
)
from firmware.framing import MOST_PAYLOAD, Frame, Receiver, encode

KIND = 19
MINUTE_MS = 60_000


class Line:
    """Carries frames one way; each may be lost or duplicated at random."""

    def __init__(self, chance: Random, lost: float) -> None:
        self.lost = lost
        self._chance = chance
        self._under_way: list[tuple[int, bytes]] = []

    def put(self, frame: bytes, now: int) -> None:
        due = now + 1
        if self.lost:
            due += self._chance.choice((0, 0, 30))
        if self._under_way:
            due = max(due, self._under_way[-1][0])
        for _ in range(2 if self._chance.random() < self.lost else 1):
            if self._chance.random() >= self.lost:
                self._under_way.append((due, frame))

    def take(self, now: int) -> bytes:
        arrived = [data for due, data in self._under_way if due <= now]
        del self._under_way[: len(arrived)]
        return b"".join(arrived)

    def due(self) -> float:
        return self._under_way[0][0] if self._under_way else float("inf")


class Side:
    """One end: its channel, what it still has to send, and what it received."""

    def __init__(self, channel: Channel, line_out: Line) -> None:
        self.channel = channel
        self.to_send: list[bytes] = []
        self.got: list[bytes] = []
        self._receiver = Receiver()
        self._line_out = line_out

    def attend(self, came: bytes, now: int) -> None:
        for frame in self._receiver.take(came):
            if self.channel.take(frame, now):
                assert frame.kind == KIND
                self.got.append(frame.payload)
        while self.to_send and not self.channel.full:
            self.channel.send(KIND, self.to_send.pop(0))
        for frame in self.channel.frames(now):
            self._line_out.put(encode(frame), now)


class Pair:
    """A host and a Pico, and the line between them."""

    def __init__(self, lost: float = 0.0, seed: int = 0) -> None:
        chance = Random(seed)
        self.now = 0
        self.down, self.up = Line(chance, lost), Line(chance, lost)
        self.host = Side(Channel(7, 0, BEAT_MS), self.down)
        self.pico = Side(Channel(7, 0), self.up)

    @property
    def idle(self) -> bool:
        sides = (self.host, self.pico)
        return all(not side.to_send and not side.channel.waiting for side in sides)

    @property
    def silent(self) -> bool:
        return self.host.channel.silent(self.now) or self.pico.channel.silent(self.now)

    def run(self, until_ms: int, *, until_idle: bool = False) -> None:
        """Go on until a time, until nothing is left to send, or until a side is silent."""
        while True:
            self.host.attend(self.up.take(self.now), self.now)
            self.pico.attend(self.down.take(self.now), self.now)
            if self.now >= until_ms or self.silent or (until_idle and self.idle):
                return
            dues = (self.up.due(), self.down.due(), self.host.channel.due())
            due = min(*dues, self.pico.channel.due(), until_ms)
            assert due > self.now, "a loop would spin"
            self.now = int(due)


def messages(sizes: list[int], seed: int) -> list[bytes]:
    chance = Random(seed)
    return [chance.randbytes(size) for size in sizes]


SIZES = st.lists(st.one_of(st.integers(0, 60), st.integers(0, MOST_PAYLOAD)), max_size=12)


@settings(max_examples=60)
@given(SIZES, SIZES, st.sampled_from([0.0, 0.05, 0.3]), st.integers(0, 2**32))
def test_each_message_arrives_once_and_in_order_over_a_bad_line(down, up, lost, seed):
    pair = Pair(lost, seed)
    pair.host.to_send = messages(down, seed)
    pair.pico.to_send = messages(up, seed + 1)
    pair.run(30 * MINUTE_MS, until_idle=True)
    pair.host.attend(b"", pair.now)
    assert pair.pico.got == messages(down, seed)
    assert pair.host.got == messages(up, seed + 1)
    assert pair.idle


def test_no_more_messages_are_on_their_way_than_the_window_and_all_go_again_in_time():
    channel = Channel(7, 0)
    for _ in range(MOST_WAITING):
        channel.send(KIND, b"")
    said = [frame.number for frame in channel.frames(0)]
    assert said == list(range(1, WINDOW + 1))
    assert channel.frames(1) == []
    assert not channel.take(Frame(ACK, 7, 0, 2, b""), 2)
    assert [channel.acknowledged(number) for number in (1, 2, 3, 24)] == [True, True, False, False]
    assert [frame.number for frame in channel.frames(2)] == [5, 6]
    assert channel.due() == 2 + RESEND_MS
    assert channel.frames(1 + RESEND_MS) == []
    assert [frame.number for frame in channel.frames(2 + RESEND_MS)] == [3, 4, 5, 6]
    assert channel.due() == 2 + 2 * RESEND_MS


def test_queue_that_is_full_refuses_a_message_and_stays_as_it_was():
    channel = Channel(7, 0)
    for _ in range(MOST_WAITING):
        assert not channel.full
        channel.send(KIND, b"")
    assert channel.full
    before = pickle.dumps(channel)
    with pytest.raises(OSError, match="24 messages wait: allowed are 24"):
        channel.send(KIND, b"")
    assert pickle.dumps(channel) == before


def test_host_asks_when_it_has_heard_nothing_for_a_beat_and_the_pico_only_answers():
    host, pico = Channel(7, 0, BEAT_MS), Channel(7, 0)
    assert host.due() == BEAT_MS
    assert host.frames(BEAT_MS - 1) == pico.frames(BEAT_MS) == []
    (ping,) = host.frames(BEAT_MS)
    assert ping.kind == PING
    assert host.due() == 2 * BEAT_MS
    pico.take(ping, BEAT_MS)
    (ack,) = pico.frames(BEAT_MS)
    assert ack.kind == ACK
    assert pico.frames(BEAT_MS + 1) == []
    host.take(ack, 1200)
    assert host.frames(1200) == []
    assert host.due() == 1200 + BEAT_MS


def test_session_that_was_silent_is_over_for_good():
    channel = Channel(7, 0)
    channel.send(KIND, b"")
    # A greeting that is said again keeps it alive.
    channel.hear(3000)
    assert not channel.silent(SILENCE_MS)
    over_ms = 3000 + SILENCE_MS
    assert channel.silent(over_ms)
    channel.hear(over_ms + 1)
    assert channel.silent(over_ms + 1)
    assert channel.frames(over_ms) == []
    assert not channel.take(Frame(KIND, 7, 1, 0, b""), over_ms)
