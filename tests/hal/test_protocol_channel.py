"""Frames and channels on the line to a Pico: messages arrive once and in order, or both know."""

import pickle
from binascii import crc32
from itertools import pairwise
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
from firmware.framing import MARK, MOST_LINE, MOST_PAYLOAD, Frame, Receiver, decode, encode

OVERHEAD = 12
"""Header, check, a byte that stands for marks, and a mark."""
BYTE = st.integers(0, 255)
# Marks, and the bytes that escape them, are more frequent here than in random data.
PAYLOAD = st.one_of(
    st.binary(max_size=MOST_PAYLOAD),
    st.lists(st.sampled_from(b"\n\n\xff\xfe\x00"), max_size=MOST_PAYLOAD).map(bytes),
    st.permutations(range(256)).map(bytes),
)


FRAMES = st.builds(Frame, BYTE, BYTE, BYTE, BYTE, PAYLOAD)
GREETINGS = st.builds(Frame, BYTE, st.just(0), BYTE, BYTE, PAYLOAD)
GARBAGE = st.one_of(
    st.binary(max_size=3 * MOST_LINE),
    st.builds(lambda byte, count: bytes([byte]) * count, BYTE, st.integers(0, 3 * MOST_LINE)),
    st.builds(lambda frame, size: encode(frame)[:size], FRAMES, st.integers(0, MOST_LINE)),
)


def content(frame: Frame) -> tuple[int, int, int, int, bytes]:
    return frame.kind, frame.session, frame.number, frame.ack, frame.payload


def received(data: bytes) -> list[tuple[int, int, int, int, bytes]]:
    return [content(frame) for frame in Receiver().take(data)]


@given(FRAMES)
def test_frame_holds_one_mark_at_its_end_and_one_before_it_if_it_is_of_no_session(frame):
    line = encode(frame)
    marked = frame.session == 0
    assert line[-1:] == MARK
    assert line.startswith(MARK) == marked
    assert MARK not in line[marked:-1]
    assert len(line) <= len(frame.payload) + OVERHEAD + 2 <= MOST_LINE


@given(st.lists(st.one_of(GARBAGE, FRAMES.map(encode)), max_size=5), st.lists(st.integers(0)))
def test_receiver_finds_the_same_in_any_split(parts, cuts):
    data = b"".join(parts)
    places = sorted(cut % (len(data) + 1) for cut in cuts)
    receiver = Receiver()
    pieces = [data[a:b] for a, b in pairwise([0, *places, len(data)])]
    split_up = [content(frame) for piece in pieces for frame in receiver.take(piece)]
    assert split_up == received(data)


@given(GARBAGE, GREETINGS, GARBAGE, GREETINGS)
def test_receiver_loses_no_frame_with_a_mark_before_it_between_garbage(
    before, first, between, second
):
    found = received(before + encode(first) + between + encode(second))
    assert found[-1] == content(second)
    assert content(first) in found


def test_receiver_reads_on_after_a_line_that_is_too_long():
    receiver = Receiver()
    for _ in range(1000):
        assert receiver.take(b"x" * 1000) == []
    assert len(pickle.dumps(receiver)) < 600
    assert receiver.take(MARK) == []
    assert [content(each) for each in receiver.take(encode(Frame(1, 2, 3, 4, b"")))] == [
        (1, 2, 3, 4, b"")
    ]


@given(FRAMES, st.lists(st.integers(0), min_size=1, max_size=8))
def test_frame_with_some_flipped_bits_is_never_taken_for_another_one(frame, bits):
    spoilt = bytearray(encode(frame))
    for bit in bits:
        spoilt[bit // 8 % len(spoilt)] ^= 1 << bit % 8
    assert received(MARK + bytes(spoilt) + MARK) in ([], [content(frame)])


def test_frame_of_another_size_than_it_says_or_than_any_has_is_refused():
    with pytest.raises(ValueError, match="payload of 381 bytes: allowed is 380"):
        encode(Frame(19, 1, 1, 0, bytes(MOST_PAYLOAD + 1)))
    body = bytes([16, 1, 1, 0, 3, 0]) + b"four"
    assert decode(b"\xff" + body + crc32(body).to_bytes(4, "little")) is None


KIND = 19
LONG_MS = 1_800_000


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

    def __init__(self, channel: Channel, line_out: Line, to_send: list[bytes]) -> None:
        self.channel = channel
        self.to_send = to_send
        self.got: list[bytes] = []
        self._receiver = Receiver()
        self._line_out = line_out

    @property
    def idle(self) -> bool:
        return not self.to_send and not self.channel.waiting

    def attend(self, came: bytes, now: int) -> None:
        for frame in self._receiver.take(came):
            if self.channel.take(frame, now):
                assert frame.kind == KIND
                self.got.append(frame.payload)
        while self.to_send and not self.channel.full:
            self.channel.send(KIND, self.to_send.pop(0))
        for frame in self.channel.frames(now):
            self._line_out.put(encode(frame), now)


SIZES = st.lists(st.one_of(st.integers(0, 60), st.integers(0, MOST_PAYLOAD)), max_size=12)


@settings(max_examples=60)
@given(SIZES, SIZES, st.sampled_from([0.0, 0.05, 0.3]), st.integers(0, 2**32))
def test_each_message_arrives_once_and_in_order_over_a_bad_line(down, up, lost, seed):
    chance, now = Random(seed), 0
    to_pico, to_host = ([chance.randbytes(size) for size in sizes] for sizes in (down, up))
    line_down, line_up = Line(chance, lost), Line(chance, lost)
    host = Side(Channel(7, 0, BEAT_MS), line_down, [*to_pico])
    pico = Side(Channel(7, 0), line_up, [*to_host])
    while True:
        host.attend(line_up.take(now), now)
        pico.attend(line_down.take(now), now)
        if host.idle and pico.idle:
            break
        due = min(line_up.due(), line_down.due(), host.channel.due(), pico.channel.due())
        assert now < due < LONG_MS, "a loop would spin, or never end"
        now = due
    assert (pico.got, host.got) == (to_pico, to_host)


def test_no_more_messages_are_on_their_way_than_the_window_and_all_go_again_in_time():
    channel = Channel(7, 0)
    while not channel.full:
        channel.send(KIND, b"")
    said = [frame.number for frame in channel.frames(0)]
    assert said == list(range(1, WINDOW + 1))
    assert channel.frames(1) == []
    assert not channel.take(Frame(ACK, 7, 0, 2, b""), 2)
    assert channel.waiting == MOST_WAITING - 2
    assert [frame.number for frame in channel.frames(2)] == [5, 6]
    assert channel.due() == 2 + RESEND_MS
    assert channel.frames(1 + RESEND_MS) == []
    assert [frame.number for frame in channel.frames(2 + RESEND_MS)] == [3, 4, 5, 6]
    assert channel.due() == 2 + 2 * RESEND_MS


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
