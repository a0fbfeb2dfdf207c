"""Two channels over a line in virtual time: messages arrive once and in order, or both know."""

import pickle
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware.channel import (
    ACK,
    BEAT_MS,
    FIRST_REPEAT_MS,
    LAST_REPEAT_MS,
    MOST_WAITING,
    PING,
    ROUGH,
    ROUGH_MS,
    ROUGH_REPEAT_MS,
    SILENCE_MS,
    WHOLE_TRIES,
    WINDOW,
    Channel,
)
from firmware.framing import MOST_PAYLOAD, Frame, Receiver, encode
from tests.helpers.boards.fake_line import FakeLine, Noise, earliest

KIND = 19
ISSUE_NOISE = Noise(lost=0.05, flipped=0.01)
"""What the protocol promises to bear."""
MINUTE_MS = 60_000

BYTE = st.integers(0, 255)
ANY_FRAME = st.builds(Frame, BYTE, st.just(1), BYTE, BYTE, st.binary(max_size=24))
NOISES = st.builds(
    Noise,
    lost=st.sampled_from([0.0, 0.05, 0.3]),
    repeated=st.sampled_from([0.0, 0.3]),
    flipped=st.sampled_from([0.0, 0.0002, 0.005]),
    babble=st.sampled_from([0.0, 0.5]),
    delay_ms=st.sampled_from([0, 1, 30, 200]),
    overtaking=st.booleans(),
)


class Side:
    """One end: a channel, what it must still send, and what it was given."""

    def __init__(self, channel: Channel, line_out: FakeLine) -> None:
        self.channel = channel
        self.to_send: list[bytes] = []
        self.got: list[bytes] = []
        self._receiver = Receiver()
        self._line_out = line_out

    def attend(self, came: bytes, now: int) -> None:
        refused = self._receiver.refused
        frames = self._receiver.take(came)
        if self._receiver.refused > refused:
            self.channel.spoil(now)
        for frame in frames:
            if self.channel.take(frame, now):
                assert frame.kind == KIND
                self.got.append(frame.payload)
        while self.to_send and not self.channel.full:
            self.channel.send(KIND, self.to_send.pop(0))
        for frame in self.channel.frames(now):
            self._line_out.put(encode(frame), now)


class Pair:
    """A host and a Pico, and the line between them."""

    def __init__(self, noise: Noise = Noise(), seed: int = 0) -> None:  # noqa: B008
        chance = Random(seed)
        self.now = 0
        self.down, self.up = FakeLine(noise, chance), FakeLine(noise, chance)
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
            self.now = min(earliest(self.now, *dues, self.pico.channel.due()), until_ms)


def messages(sizes: list[int], seed: int) -> list[bytes]:
    chance = Random(seed)
    return [chance.randbytes(size) for size in sizes]


SIZES = st.lists(st.one_of(st.integers(0, 60), st.integers(0, MOST_PAYLOAD)), max_size=12)


@settings(max_examples=60)
@given(SIZES, SIZES, NOISES, st.integers(0, 2**32))
def test_each_message_arrives_once_and_in_order_over_a_bad_line(down, up, noise, seed):
    pair = Pair(noise, seed)
    pair.host.to_send = sent_down = messages(down, seed)
    pair.pico.to_send = sent_up = messages(up, seed + 1)
    pair.run(30 * MINUTE_MS, until_idle=True)
    pair.host.attend(b"", pair.now)
    assert pair.pico.got == messages(down, seed)
    assert pair.host.got == messages(up, seed + 1)
    assert pair.idle
    assert not sent_down
    assert not sent_up


@pytest.mark.parametrize("noise", [ISSUE_NOISE, Noise(lost=0.3)])
def test_idle_line_that_is_bad_is_not_held_for_a_silent_one(noise):
    pair = Pair(noise, seed=5)
    pair.run(20 * MINUTE_MS)
    assert not pair.silent
    assert pair.now == 20 * MINUTE_MS


def test_message_is_acknowledged_when_the_other_side_has_it():
    pair = Pair()
    first, second = pair.host.channel.send(KIND, b"1"), pair.host.channel.send(KIND, b"2")
    assert not pair.host.channel.acknowledged(first)
    pair.run(3)
    assert pair.host.channel.acknowledged(first)
    assert pair.host.channel.acknowledged(second)
    assert pair.host.channel.waiting == 0


def test_no_more_messages_are_on_their_way_than_the_window():
    channel = Channel(7, 0)
    for _ in range(MOST_WAITING):
        channel.send(KIND, b"")
    said = [frame.number for frame in channel.frames(0)]
    assert said == list(range(1, WINDOW + 1))
    assert channel.frames(1) == []
    assert not channel.take(Frame(ACK, 7, 0, 2, b""), 2)
    assert [frame.number for frame in channel.frames(2)] == [5, 6]


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


@pytest.mark.parametrize(
    ("kind", "payload", "words"),
    [
        (ACK, b"", "kind 1: allowed is 3 to 127"),
        (KIND, bytes(MOST_PAYLOAD + 1), "payload of 381 bytes: allowed is 380"),
    ],
)
def test_message_that_no_frame_can_carry_is_refused(kind, payload, words):
    channel = Channel(7, 0)
    with pytest.raises(ValueError, match=words):
        channel.send(kind, payload)
    assert (channel.waiting, channel.frames(0)) == (0, [])


@given(st.lists(st.tuples(ANY_FRAME, st.integers(0, 300)), max_size=60))
def test_channel_takes_any_frames_and_stays_small(frames):
    channel = Channel(1, 0, BEAT_MS)
    now = 0
    for frame, wait in frames:
        now += wait
        channel.take(frame, now)
        assert len(channel.frames(now)) <= 24
    assert len(pickle.dumps(channel)) < 2000


@given(st.permutations(range(5)), st.lists(st.integers(0, 4), max_size=10))
def test_pieces_make_a_message_in_any_order(order, again):
    message = bytes(range(70))
    channel = Channel(1, 0)

    def take(index: int) -> bytes | None:
        piece = bytes([index, 5]) + message[16 * index : 16 * index + 16]
        frame = Frame(KIND | ROUGH, 1, 1, 0, piece)
        return frame.payload if channel.take(frame, 0) else None

    got = [take(index) for index in [*order[:4], *(each for each in again if each != order[4])]]
    assert set(got) == {None}
    assert take(order[4]) == message
    assert take(order[4]) is None


@pytest.mark.parametrize("part", [b"", b"\x00", b"\x01\x01x", b"\x00\x00", b"\x00\x19x", bytes(19)])
def test_piece_that_cannot_be_one_is_dropped(part):
    channel = Channel(1, 0)
    assert not channel.take(Frame(KIND | ROUGH, 1, 1, 0, part), 0)
    assert channel.take(Frame(KIND, 1, 1, 0, b"whole"), 0)


def test_host_asks_when_it_has_heard_nothing_for_a_beat():
    channel = Channel(7, 0, BEAT_MS)
    assert channel.due() == BEAT_MS
    assert channel.frames(BEAT_MS - 1) == []
    assert [frame.kind for frame in channel.frames(BEAT_MS)] == [PING]
    assert channel.due() == BEAT_MS + ROUGH_REPEAT_MS
    assert [frame.kind for frame in channel.frames(channel.due())] == [PING | ROUGH] * 3
    channel.take(Frame(ACK, 7, 0, 0, b""), 1200)
    assert channel.frames(1200) == []
    assert channel.due() == 1200 + BEAT_MS


def test_pico_never_asks_and_always_answers():
    channel = Channel(7, 0)
    assert channel.frames(SILENCE_MS - 1) == []
    channel.take(Frame(PING, 7, 0, 0, b""), 100)
    assert [frame.kind for frame in channel.frames(100)] == [ACK]
    channel.take(Frame(PING | ROUGH, 7, 0, 0, b""), 200)
    assert [frame.kind for frame in channel.frames(200)] == [ACK] * 3
    assert channel.frames(201) == []


@given(st.integers(0, 10_000), SIZES)
@example(350, [0])
def test_both_sides_notice_a_line_that_is_cut(cut_ms, sizes):
    pair = Pair()
    pair.run(cut_ms)
    pair.host.to_send, pair.pico.to_send = messages(sizes, 1), messages(sizes, 2)
    pair.down.noise = pair.up.noise = Noise(lost=1.0)
    host, pico = pair.host.channel, pair.pico.channel
    # What is on its way arrives within 2 ms.
    last = cut_ms + 2 + SILENCE_MS
    pair.run(last)
    assert pair.silent
    assert pair.now >= cut_ms + SILENCE_MS - BEAT_MS - 2
    assert host.silent(last)
    assert pico.silent(last)


def test_session_that_was_silent_is_over_for_good():
    channel = Channel(7, 0)
    channel.send(KIND, b"")
    assert channel.silent(SILENCE_MS)
    assert channel.frames(SILENCE_MS) == []
    assert not channel.take(Frame(KIND, 7, 1, 0, b""), SILENCE_MS)
    channel.hear(SILENCE_MS + 1)
    assert channel.silent(SILENCE_MS + 1)
    assert channel.frames(SILENCE_MS + 1) == []


def test_greeting_that_is_said_again_keeps_a_session_alive():
    channel = Channel(7, 0)
    channel.hear(3000)
    assert not channel.silent(SILENCE_MS)
    assert channel.silent(3000 + SILENCE_MS)


def repeats(channel: Channel, began: int, *, garbage: bool) -> list[int]:
    """Let a message be in vain for two seconds; return the waits between its repetitions."""
    channel.send(KIND, bytes(40))
    times = []
    for now in range(began, began + 2000):
        if garbage:
            channel.spoil(now)
        if any(frame.number for frame in channel.frames(now)):
            times.append(now)
    return [later - sooner for sooner, later in pairwise(times)]


@pytest.mark.parametrize(
    ("garbage", "longest_ms"), [(False, LAST_REPEAT_MS), (True, ROUGH_REPEAT_MS)]
)
def test_repeats_come_more_and_more_seldom(garbage: bool, longest_ms: int):
    waits = repeats(Channel(7, 0), 0, garbage=garbage)
    assert waits[0] == FIRST_REPEAT_MS
    assert [min(2 * wait, longest_ms) for wait in waits[:-1]] == waits[1:]


def test_other_side_that_is_slow_is_soon_sent_everything_only_once():
    channel = Channel(7, 0)
    now, sent = 0, []
    for number in range(1, 5):
        channel.send(KIND, bytes(300))
        came = now + 350
        sent.append(0)
        while now < came:
            sent[-1] += len(channel.frames(now))
            now += 1
        channel.take(Frame(ACK, 7, 0, number, b""), now)
    # No piece is among them, as nothing says that the line is rough.
    assert sent == [3, 2, 1, 1]
    # It is quick again.
    channel.send(KIND, b"")
    channel.frames(now)
    channel.take(Frame(ACK, 7, 0, 5, b""), now + 5)
    assert repeats(channel, now + 5, garbage=False)[0] == FIRST_REPEAT_MS


def test_message_goes_in_pieces_only_on_a_line_that_has_spoilt_something():
    channel = Channel(7, 0)
    channel.send(KIND, bytes(40))
    times = [now for now in range(1000) if channel.frames(now)]
    assert len(times) > WHOLE_TRIES
    channel.take(Frame(PING | ROUGH, 7, 0, 0, b""), 1000)
    channel.frames(1000)
    assert {frame.kind for frame in channel.frames(channel.due())} == {KIND | ROUGH}
    channel.send(KIND, b"")
    channel.take(Frame(ACK, 7, 0, 1, b""), 1400)
    assert [(frame.kind, frame.number) for frame in channel.frames(1400)] == [(KIND, 2)]
    assert {frame.kind for frame in channel.frames(channel.due())} == {KIND | ROUGH}


def test_garbage_is_told_to_who_sent_it():
    channel = Channel(7, 0)
    times = []
    for now in range(0, 1000, 10):
        channel.spoil(now)
        kinds = [frame.kind for frame in channel.frames(now)]
        assert kinds in ([], [PING | ROUGH])
        times += [now] if kinds else []
    assert times == list(range(0, 1000, ROUGH_REPEAT_MS))


def roughness(channel: Channel, now: int) -> set[bool]:
    """Tell how a channel writes what it has to say at a time."""
    return {frame.rough for frame in channel.frames(now)}


def test_frames_are_for_a_sound_line_until_something_was_in_vain_again_and_again():
    channel = Channel(7, 0)
    channel.send(KIND, b"")
    assert roughness(channel, 0) == {False}
    assert roughness(channel, 50) == {False}
    assert roughness(channel, 150) == {True}
    channel.take(Frame(ACK, 7, 0, 1, b""), 200)
    channel.send(KIND, b"")
    assert roughness(channel, 200) == {False}
    channel.spoil(300)
    assert roughness(channel, 300) == {True}


@pytest.mark.parametrize("kind", [PING, ACK, KIND])
def test_line_that_the_other_side_holds_for_rough_is_rough_for_a_while(kind):
    channel = Channel(7, 0)
    channel.take(Frame(kind | ROUGH, 7, 0, 0, b""), 1000)
    for now in range(1000, 1000 + 2 * ROUGH_MS, 500):
        channel.take(Frame(PING, 7, 0, 0, b""), now)
        assert roughness(channel, now) == {now < 1000 + ROUGH_MS}
