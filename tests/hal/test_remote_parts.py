"""What the host reports of a chip that a Pico watches, and how levels go to the strip of one."""

import errno
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware import framing
from firmware import messages as m
from firmware.framing import MOST_PAYLOAD, encode
from hal.backends.coprocessor.chip import (
    LOOK_S,
    MOST_WAITING,
    NEWS_S,
    SEEN_S,
    SHARE,
    Playback,
    RemoteChip,
)
from hal.backends.coprocessor.client import Answer, Report
from hal.backends.coprocessor.platform import MOST_UNDER_WAY, updates
from hal.base.errors import LinkFault, SensorFault
from hal.lights import DARK, WHITE, Colour, Frame
from hal.profile import BoardMemory, built_in
from hal.sensing.sensor_array import ChipWatch
from hal.sensing.touch import WEIGHED_S

BOARD = built_in("hexagon-61-pico")


class Line:
    """A client with prepared answers."""

    def __init__(self) -> None:
        self.sessions = 1
        self.fault: LinkFault | None = None
        self.answers: list[Answer] = []

    def call(self, kind, payload, timeout_s):
        if self.fault is not None:
            raise self.fault
        return self.answers.pop(0)


@pytest.fixture
def line():
    return Line()


@pytest.fixture
def playback():
    return Playback()


@pytest.fixture
def chip(line, playback):
    """A chip that is set up; its m.DONE is message 10."""
    chip = RemoteChip(BOARD.chips[0], 0, line, playback)
    line.answers.append(Answer(10, m.DONE, m.pack_result(1, 0, b"")))
    chip.set_up(BOARD.measuring, {}, {})
    return chip


def tell(playback, place, *, touched=0, health=m.WATCHED, odd=0):
    playback.add(Report(place, m.State(place, 0, 0, [m.ChipState(health, touched, odd)])))
    while not playback.advance(place):
        pass


def data():
    """Readings of 300 counts."""
    return Answer(20, m.DATA, m.pack_result(1, 0, b"\x2c\x01" * 13 + b"\x4b" * 12))


def test_chip_tells_what_came_after_its_set_up_and_its_faults_as_on_a_bus_of_the_host(
    chip, line, playback
):
    tell(playback, 9, touched=0b101, health=m.SILENT)
    assert chip.touched() == frozenset()
    chip.check()
    tell(playback, 11, health=m.HELD)
    with pytest.raises(SensorFault) as caught:
        chip.check()
    assert caught.value.__cause__.errno == errno.ETIMEDOUT
    line.fault = LinkFault("it is gone")
    for ask in (chip.touched, chip.check, lambda: chip.readings(frozenset())):
        with pytest.raises(SensorFault, match="it is gone"):
            ask()


def test_new_touch_is_measured_after_its_light_and_before_it_is_believed(chip, line, playback):
    watch = ChipWatch(chip, BOARD, BoardMemory())
    tell(playback, 11, touched=0b1)
    line.answers.append(data())
    watch.refresh(100.0)
    assert len(line.answers) == 1
    assert 100.0 < watch.due() < 100.0 + WEIGHED_S
    watch.weigh(watch.due())
    assert watch.readings[0].raw == 300


def test_chip_is_looked_at_while_there_is_news_and_then_rarely(chip, line, playback):
    line.answers += [data()] * 10
    assert chip.suspect(100.0)
    chip.readings(frozenset())
    assert chip.suspect(100.0 + NEWS_S - 0.1)
    chip.readings(frozenset())
    quiet_s = 100.0 + NEWS_S + 0.1
    assert not chip.suspect(quiet_s)
    tell(playback, 11, odd=0b10)
    assert chip.suspect(quiet_s)
    chip.readings(frozenset())
    assert not chip.suspect(quiet_s + LOOK_S - 1.0)
    assert chip.suspect(quiet_s + LOOK_S + 1.0)


def state(time_ms: int, keys: int = 0) -> Report:
    return Report(0, m.State(time_ms, 0, keys, []))


def test_playback_touch_that_came_and_went_is_seen_by_a_host_that_looks_late():
    playback = Playback()
    down, up = state(2**32 - 10, 1), state(50)
    playback.add(down)
    assert playback.advance(10.0)
    playback.add(up)
    assert playback.due() == pytest.approx(10.0 + 0.06 * SHARE)
    # The host was held up: it reads only now, and must still see the touch.
    assert not playback.advance(12.0)
    assert playback.current is down
    assert playback.advance(12.001)
    assert playback.current is up


def test_playback_flicker_makes_nothing_late_for_long():
    playback, lags = Playback(), []
    # States come every 8 ms and the host reads every 10 ms, so it cannot show each one.
    for now_ms in range(0, 20_000, 2):
        if now_ms % 8 == 0:
            playback.add(state(now_ms))
        if now_ms % 10 == 0 and playback.advance(now_ms / 1000):
            lags.append(now_ms - playback.current.state.time_ms)
    assert max(lags) <= MOST_WAITING * 10


@given(st.lists(st.integers(0, 300), max_size=MOST_WAITING))
def test_playback_shows_all_in_order_and_none_much_shorter_than_it_lasted(gaps):
    playback, now_s, shown_ms, reported, shown = Playback(), 100.0, 0, [], []
    for gap_ms in gaps:
        shown_ms += gap_ms
        reported.append(state(shown_ms))
        playback.add(reported[-1])
    while playback.due() < float("inf"):
        now_s = max(now_s, playback.due()) + 1e-6
        if playback.advance(now_s):
            shown.append((now_s, playback.current))
    assert [each for _, each in shown] == reported
    for (before_s, before), (after_s, after) in pairwise(shown):
        lasted_s = (after.state.time_ms - before.state.time_ms) / 1000
        assert after_s - before_s >= min(SHARE * lasted_s, SEEN_S)


@st.composite
def pairs(draw, size=414):
    """Draw two rows of levels that share long stretches, as frames do."""
    old = bytes(draw(st.lists(st.sampled_from([0, 10, 255]), min_size=size, max_size=size)))
    new = bytearray(old)
    for at in draw(st.lists(st.integers(0, size - 1), max_size=300)):
        new[at] ^= 7
    return old, bytes(new)


@settings(max_examples=30)
@given(pairs(), st.booleans())
def test_updates_bring_the_new_levels_and_show_them_once_at_the_end(rows, clear):
    old, new = rows
    payloads = updates(bytes(len(old)) if clear else old, new, clear=clear)
    levels, shows = bytearray(old), []
    for payload in payloads:
        assert len(payload) <= MOST_PAYLOAD
        runs, show, cleared = m.unpack_pixels(payload)
        if cleared:
            levels[:] = bytes(len(levels))
        for offset, run in runs:
            levels[offset : offset + len(run)] = run
        shows.append(show)
    assert levels == new
    assert shows == [False] * (len(shows) - 1) + [True]


def test_updates_are_short():
    for level in range(0, 256, 5):
        new = bytes((level + n) % 256 or 1 for n in range(336))
        sent = [framing.Frame(19, 1, 1, 1, each) for each in updates(bytes(336), new, clear=True)]
        assert len(b"".join(map(encode, sent))) <= 400, "112 pixels"
    old = bytes(336)
    new = old[:30] + b"\x10\x20\x30" + old[33:]
    assert updates(old, new, clear=False) == [b"\x01\x1e\x00\x03\x10\x20\x30"]


@pytest.fixture
def rig(open_rig):
    rig = open_rig("coprocessor", BOARD)
    rig.run(1.0)
    return rig


def frame(level: int) -> Frame:
    return (Colour(level, 8, 9), *[DARK] * (BOARD.strip.pixels - 1))


def test_frames_that_the_pico_cannot_show_in_time_are_left_out_but_for_the_newest(rig):
    backend = rig.device.backend
    shown = backend.platform.frames
    for level in (1, 2, 3, 4):
        backend.light(frame(level))
    rig.run(0.2)
    assert backend.latched() == frame(4)
    assert backend.platform.frames - shown == MOST_UNDER_WAY + 1


def test_frame_that_the_pico_could_not_follow_is_sent_whole_again(rig, monkeypatch):
    backend, taken = rig.device.backend, []
    backend.light((WHITE,) * BOARD.strip.pixels)
    rig.run(0.2)
    unpack = m.unpack_pixels

    def first_refused(payload):
        taken.append(payload)
        if len(taken) == 1:
            raise ValueError("no room")
        return unpack(payload)

    monkeypatch.setattr(m, "unpack_pixels", first_refused)
    backend.light((DARK, *[WHITE] * (BOARD.strip.pixels - 1)))
    rig.run(0.2)
    assert backend.latched() == backend.lit() == (DARK, *[WHITE] * (BOARD.strip.pixels - 1))
    assert [unpack(payload)[2] for payload in taken[:2]] == [False, True], "it begins cleared"
