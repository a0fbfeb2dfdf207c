"""What a Pico felt is shown at the pace at which it was felt, however late it comes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.messages import State
from hal.backends.coprocessor.client import Report
from hal.backends.coprocessor.playback import LATE_S, MOST_GAP_S, MOST_WAITING, SEEN_S, Playback


def state(time_ms: int, keys: int = 0) -> Report:
    return Report(0, State(time_ms, 0, keys, []))


def test_playback_states_that_come_together_keep_their_distance():
    playback = Playback()
    down, up = state(1000, 1), state(1060)
    playback.add([down, up], 10.0)
    assert playback.advance(10.0)
    # A tenth of it may be missing, to catch up by.
    assert not playback.advance(10.053)
    assert playback.due() == pytest.approx(10.054)
    assert playback.advance(10.06)
    assert playback.current is up


def test_playback_touch_that_is_looked_at_late_is_not_cut_short():
    playback = Playback()
    playback.add([state(1000, 1), state(1060)], 10.0)
    assert playback.advance(10.2)
    assert not playback.advance(10.2 + 0.6 * 0.06 - 0.001)
    assert not playback.advance(10.2 + 0.6 * 0.06 + 0.001)  # seen for long enough only now
    assert playback.advance(10.2 + 0.6 * 0.06 + 0.002)


def test_playback_long_distance_is_cut():
    playback = Playback()
    playback.add([state(0), state(3_600_000)], 10.0)
    playback.advance(10.0)
    assert playback.due() == 10.0 + MOST_GAP_S


def test_playback_clock_of_the_pico_may_wrap():
    playback = Playback()
    playback.add([state(2**32 - 10), state(20)], 10.0)
    playback.advance(10.0)
    assert playback.due() == pytest.approx(10.027)


def test_playback_flicker_makes_nothing_late():
    playback = Playback()
    lags = []
    # A state each 8 ms, and a host that looks each 10 ms: it cannot show each for itself.
    for now_ms in range(0, 60_000, 2):
        if now_ms % 8 == 0:
            playback.add([state(now_ms)], now_ms / 1000)
        if now_ms % 10 == 0 and playback.advance(now_ms / 1000):
            lags.append(now_ms - playback.current.state.time_ms)
    assert max(lags) <= LATE_S * 1000 + 10


def look(playback: Playback, now: float) -> None:
    """Look at what is due; what was not seen until now is shown once more before it."""
    assert playback.advance(now) or playback.advance(now)


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 60)), max_size=MOST_WAITING))
def test_playback_shows_all_in_order_and_none_much_shorter_than_it_was(steps):
    playback = Playback()
    told_ms, now_ms, told, shown = 0, 0, [], []
    for gap_ms, late_ms in steps:
        told_ms += gap_ms
        told.append(state(told_ms))
        playback.add([told[-1]], now_ms / 1000)
        # Later looks, at any moments, and one when it is due.
        now_ms += late_ms
        while playback.due() <= now_ms / 1000:
            look(playback, now_ms / 1000)
            shown.append((now_ms, playback.current))
    while playback.due() < float("inf"):
        now_ms = max(now_ms, -(-int(playback.due() * 1_000_000) // 1000) + 1)
        look(playback, now_ms / 1000)
        shown.append((now_ms, playback.current))
    assert [each for _, each in shown] == told
    for (before_ms, before), (after_ms, after) in pairwise(shown):
        assert (
            after_ms - before_ms
            >= min(0.6 * (after.state.time_ms - before.state.time_ms), SEEN_S * 1000) - 1
        )


def test_playback_state_that_a_busy_host_has_not_seen_is_shown_once_more():
    playback = Playback()
    down, up = state(1000, 1), state(1060)
    playback.add([down], 10.0)
    playback.advance(10.0)
    playback.add([up], 10.1)
    # The host was held up: it looks again only now, and must see the touch.
    assert not playback.advance(12.0)
    assert playback.current is down
    assert playback.advance(12.001)
    assert playback.current is up
