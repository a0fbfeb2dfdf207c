"""What a Pico measured is shown at its pace, however late the host looks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.messages import State
from hal.backends.coprocessor.chip import MOST_WAITING, SEEN_S, SHARE, Playback
from hal.backends.coprocessor.client import Report


def state(time_ms: int, keys: int = 0) -> Report:
    return Report(0, State(time_ms, 0, keys, []))


def test_playback_touch_that_came_and_went_is_seen_by_a_host_that_looks_late():
    playback = Playback()
    down, up = state(2**32 - 10, 1), state(50)
    playback.add([down])
    assert playback.advance(10.0)
    playback.add([up])
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
            playback.add([state(now_ms)])
        if now_ms % 10 == 0 and playback.advance(now_ms / 1000):
            lags.append(now_ms - playback.current.state.time_ms)
    assert max(lags) <= MOST_WAITING * 10


@given(st.lists(st.integers(0, 300), max_size=MOST_WAITING))
def test_playback_shows_all_in_order_and_none_much_shorter_than_it_lasted(gaps):
    playback, now_s, shown_ms, reported, shown = Playback(), 100.0, 0, [], []
    for gap_ms in gaps:
        shown_ms += gap_ms
        reported.append(state(shown_ms))
    playback.add(reported)
    while playback.due() < float("inf"):
        now_s = max(now_s, playback.due()) + 1e-6
        if playback.advance(now_s):
            shown.append((now_s, playback.current))
    assert [each for _, each in shown] == reported
    for (before_s, before), (after_s, after) in pairwise(shown):
        lasted_s = (after.state.time_ms - before.state.time_ms) / 1000
        assert after_s - before_s >= min(SHARE * lasted_s, SEEN_S)
