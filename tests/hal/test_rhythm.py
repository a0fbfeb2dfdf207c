"""Rhythms as data: levels, edges, and how much they differ."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hal.lights import FRAMES_PER_S, Flashes, Rhythm
from hal.lights.rhythm import DARK_S, FLASH_S, PAUSE_S

SMOOTH = {Rhythm.PULSE, Rhythm.BREATHE, Rhythm.RUN}
STEPPED = set(Rhythm) - SMOOTH - {Rhythm.STEADY}
TIMES = st.floats(0.0, 1e6)
PHASES = st.floats(0.0, 1.0)


def levels(rhythm, t_s=(0.0, 8.4), step_s=0.01):
    return [rhythm.level(t_s[0] + n * step_s) for n in range(int((t_s[1] - t_s[0]) / step_s))]


def test_rhythm_no_two_look_alike():
    # Distinct even at an unknown phase: sorted levels and edges together differ.
    def look(rhythm):
        series = levels(rhythm)
        edges = sum(abs(a - b) > 0.3 for a, b in pairwise(series))
        return round(sum(series) / len(series), 2), edges

    looks = {rhythm: look(rhythm) for rhythm in Rhythm}
    assert len(set(looks.values())) == len(looks), looks


@given(st.sampled_from(sorted(STEPPED, key=lambda r: r.name)), TIMES, PHASES)
def test_rhythm_step_edge_is_exact(rhythm, t_s, phase):
    edge_s = rhythm.next_change(t_s, phase)
    assert edge_s > t_s
    # Edges are exact to a microsecond only, so the two times must be further apart.
    assume(edge_s - t_s > 1e-5)
    before = rhythm.level(t_s, phase)
    assert rhythm.level((t_s + edge_s) / 2, phase) == before
    assert rhythm.level(edge_s, phase) != before


@given(st.sampled_from(sorted(SMOOTH, key=lambda r: r.name)), TIMES)
def test_rhythm_smooth_asks_for_the_next_frame(rhythm, t_s):
    ahead_s = rhythm.next_change(t_s) - t_s
    assert 0.0 < ahead_s <= 1.01 / FRAMES_PER_S


def test_rhythm_run_moves_its_head_from_one_phase_to_the_next():
    def head(t_s):
        return max(range(12), key=lambda n: Rhythm.RUN.level(t_s, n / 12))

    assert [head(n * 0.1 + 0.001) for n in range(13)] == [*range(12), 0]


TURNS = st.lists(st.integers(1, 5), min_size=1, max_size=3).flatmap(
    lambda counts: st.builds(Flashes, st.just(tuple(counts)), st.integers(0, len(counts) - 1))
)


def rows(flashes, t_s=0.0):
    """Count the flashes of each row within one period, and say when each row begins."""
    found, last_s = [], None
    step_s = 0.01
    for n in range(round(flashes.period_s / step_s)):
        at_s = n * step_s
        lit, was = flashes.level(t_s + at_s), flashes.level(t_s + at_s - step_s)
        if lit > was:
            if last_s is None or at_s - last_s > FLASH_S + DARK_S + step_s:
                found.append([0, at_s])
            found[-1][0] += 1
            last_s = at_s
    return [(count, round(begins, 2)) for count, begins in found]


def test_flashes_can_be_counted_and_lights_take_turns():
    first, second = Flashes((3, 1), 0), Flashes((3, 1), 1)
    assert rows(first) == [(3, round(PAUSE_S / 2, 2))]
    # Two flashes with their darks, the third flash, and a whole pause come before.
    assert rows(second) == [(1, round(PAUSE_S / 2 + 2 * (FLASH_S + DARK_S) + FLASH_S + PAUSE_S, 2))]
    assert rows(Flashes((4,), 0)) == [(4, round(PAUSE_S / 2, 2))]


@pytest.mark.parametrize("counts", [(4, 4), (1,)])
def test_flashes_are_never_two_lights_at_once_nor_more_than_three_in_a_second(counts):
    lights = [Flashes(counts, own) for own in range(len(counts))]
    begins = []
    for n in range(round(300 * lights[0].period_s)):
        levels = [light.level(n / 100) for light in lights]
        assert sum(levels) <= 1.0
        if sum(levels) and not any(light.level((n - 1) / 100) for light in lights):
            begins.append(n / 100)
    assert all(later - each >= 1.0 for each, later in zip(begins, begins[3:], strict=False))


@given(TURNS, TIMES, PHASES)
def test_flashes_edge_is_exact(flashes, t_s, phase):
    edge_s = flashes.next_change(t_s, phase)
    assert edge_s > t_s
    assume(edge_s - t_s > 1e-5)
    before = flashes.level(t_s, phase)
    assert flashes.level((t_s + edge_s) / 2, phase) == before
    assert flashes.level(edge_s, phase) != before
