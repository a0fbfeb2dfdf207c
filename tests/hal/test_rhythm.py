"""Rhythms as data: levels, edges, and how far they differ."""

from itertools import combinations, pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hal.rhythm import FRAMES_PER_S, Rhythm

SMOOTH = {
    Rhythm.PULSE,
    Rhythm.BREATHE,
    Rhythm.RUN,
    Rhythm.SWELL,
    Rhythm.FADE,
    Rhythm.SWIRL,
}
STEPPED = set(Rhythm) - SMOOTH - {Rhythm.STEADY}
TIMES = st.floats(0.0, 1e6)
PHASES = st.floats(0.0, 1.0)


def levels(rhythm, t_s=(0.0, 8.4), step_s=0.01):
    return [rhythm.level(t_s[0] + n * step_s) for n in range(int((t_s[1] - t_s[0]) / step_s))]


def test_rhythm_steady_never_changes():
    assert set(levels(Rhythm.STEADY)) == {1.0}
    assert Rhythm.STEADY.next_change(5.0) is None


@pytest.mark.parametrize("rhythm", sorted(set(Rhythm) - {Rhythm.STEADY}, key=lambda r: r.value))
def test_rhythm_moves_between_clearly_different_levels(rhythm):
    assert max(levels(rhythm)) - min(levels(rhythm)) >= 0.5
    assert max(levels(rhythm)) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(("one", "other"), list(combinations(Rhythm, 2)))
def test_rhythm_no_two_look_alike(one, other):
    # Even when seen with any lag: the sorted levels and the edges together differ.
    def look(rhythm):
        series = levels(rhythm)
        edges = sum(abs(a - b) > 0.3 for a, b in pairwise(series))
        return round(sum(series) / len(series), 2), edges

    assert look(one) != look(other)


@given(st.sampled_from(sorted(Rhythm, key=lambda r: r.value)), TIMES, PHASES)
def test_rhythm_level_stays_within_dark_and_full(rhythm, t_s, phase):
    assert 0.0 <= rhythm.level(t_s, phase) <= 1.0


@given(st.sampled_from(sorted(STEPPED, key=lambda r: r.value)), TIMES, PHASES)
def test_rhythm_step_edge_is_exact(rhythm, t_s, phase):
    edge_s = rhythm.next_change(t_s, phase)
    assert edge_s > t_s
    # Edges are exact to a microsecond, so between two questions there must be more than that.
    assume(edge_s - t_s > 1e-5)
    before = rhythm.level(t_s, phase)
    assert rhythm.level((t_s + edge_s) / 2, phase) == before
    assert rhythm.level(edge_s, phase) != before


@given(st.sampled_from(sorted(SMOOTH, key=lambda r: r.value)), TIMES)
def test_rhythm_smooth_asks_for_the_next_frame(rhythm, t_s):
    ahead_s = rhythm.next_change(t_s) - t_s
    assert 0.0 < ahead_s <= 1.01 / FRAMES_PER_S


@pytest.mark.parametrize("rhythm", sorted(STEPPED, key=lambda r: r.value))
def test_rhythm_step_changes_seldom(rhythm):
    t_s, edges = 0.0, 0
    while t_s < 10.0:
        t_s = rhythm.next_change(t_s)
        edges += 1
    assert edges <= (101 if rhythm is Rhythm.FLASH else 41)


def test_rhythm_wink_dips_shortly_every_two_seconds():
    assert [Rhythm.WINK.level(t) for t in (0.0, 1.7, 1.85, 1.95, 2.05)] == [1, 1, 0.2, 0.2, 1]


def test_rhythm_beat_has_two_flashes_and_triple_three():
    def flashes(rhythm, period_s):
        series = levels(rhythm, (0.0, period_s))
        return 1 + sum(b > a for a, b in pairwise(series))

    assert flashes(Rhythm.BEAT, 1.6) == 2
    assert flashes(Rhythm.TRIPLE, 2.0) == 3


def test_rhythm_blink_is_bright_and_dim_for_equal_times():
    bright = [level for level in levels(Rhythm.BLINK, (0.0, 1.0)) if level == 1.0]
    assert len(bright) == 50
    assert min(levels(Rhythm.BLINK)) == 0.15


def test_rhythm_limp_glows_long_then_shortly_and_never_hides_for_long():
    series = levels(Rhythm.LIMP, (0.0, 3.6))
    assert set(series) == {0.0, 1.0}
    lengths, lit = [], 0
    for level, following in pairwise(series):
        lit += 1
        if level != following:
            lengths.append((level, lit / 100))
            lit = 0
    assert lengths[:4] == [(1.0, 0.8), (0.0, 0.3), (1.0, 0.2), (0.0, 0.5)]


def test_rhythm_phase_lags_by_its_share_of_the_period():
    assert Rhythm.PULSE.level(0.3, 0.25) == pytest.approx(Rhythm.PULSE.level(0.0), abs=1e-4)


def test_rhythm_run_moves_its_head_from_one_phase_to_the_next():
    def head(t_s):
        return max(range(12), key=lambda n: Rhythm.RUN.level(t_s, n / 12))

    assert [head(n * 0.1 + 0.001) for n in range(13)] == [*range(12), 0]


def test_rhythm_run_leaves_a_tail_of_a_quarter():
    lit = [n for n in range(100) if Rhythm.RUN.level(0.001, n / 100) > 0]
    assert len(lit) == 25
