"""Rhythms, layers, gamma, the current budget, and lights on a strip that may be unplugged."""

from itertools import pairwise
from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hal.base import schema
from hal.base.errors import LightsFault
from hal.lights import (
    DARK,
    FRAMES_PER_S,
    WHITE,
    Colour,
    Glow,
    Lights,
    Power,
    Rhythm,
    compose,
    correct,
    flashes,
    on_screen,
)
from hal.lights.frame import PAUSE_S, REFRESH_S, RETRY_S, next_change
from tests.helpers.boards.profiles import current_ma

SMOOTH = {Rhythm.PULSE, Rhythm.BREATHE, Rhythm.RUN}
STEPPED = set(Rhythm) - SMOOTH - {Rhythm.STEADY}
TIMES = st.floats(0.0, 1e6)
PHASES = st.floats(0.0, 1.0)


def test_rhythm_no_two_look_alike():
    # Distinct even at an unknown phase: sorted levels and edges together differ.
    def look(rhythm):
        series = [rhythm.level(n / 100) for n in range(840)]
        edges = sum(abs(a - b) > 0.3 for a, b in pairwise(series))
        return round(sum(series) / len(series), 2), edges

    looks = {rhythm: look(rhythm) for rhythm in Rhythm}
    assert len(set(looks.values())) == len(looks), looks


@given(st.sampled_from(sorted(SMOOTH, key=lambda r: r.name)), TIMES)
def test_rhythm_smooth_asks_for_the_next_frame(rhythm, t_s):
    ahead_s = rhythm.next_change(t_s) - t_s
    assert 0.0 < ahead_s <= 1.01 / FRAMES_PER_S


def test_rhythm_run_moves_its_head_from_one_phase_to_the_next():
    def head(t_s):
        return max(range(12), key=lambda n: Rhythm.RUN.level(t_s, n / 12))

    assert [head(n * 0.1 + 0.001) for n in range(13)] == [*range(12), 0]


TURNS = st.lists(st.integers(1, 5), min_size=1, max_size=3).flatmap(
    lambda counts: st.builds(flashes, st.just(tuple(counts)), st.integers(0, len(counts) - 1))
)


@pytest.mark.parametrize("counts", [(4, 4), (3, 1), (1,)])
def test_flashes_can_be_counted_in_turns_and_at_most_three_begin_in_a_second(counts):
    lights = [flashes(counts, own) for own in range(len(counts))]
    begins = []
    for n in range(round(300 * lights[0].period_s)):
        levels = [light.level(n / 100) for light in lights]
        assert sum(levels) <= 1.0
        if sum(levels) and not any(light.level((n - 1) / 100) for light in lights):
            begins.append((n / 100, levels.index(1.0)))
    in_turn = [own for own, count in enumerate(counts) for _ in range(count)]
    assert [own for _, own in begins] == 3 * in_turn
    for (each, own), (later, other) in pairwise(begins):
        assert later - each > (0.39 if own == other else PAUSE_S)
    assert all(later[0] - each[0] >= 1.0 for each, later in zip(begins, begins[3:], strict=False))


@given(st.one_of(st.sampled_from(sorted(STEPPED, key=lambda r: r.name)), TURNS), TIMES, PHASES)
def test_rhythm_step_edge_is_exact(rhythm, t_s, phase):
    edge_s = rhythm.next_change(t_s, phase)
    assert edge_s > t_s
    # Edges are exact to a microsecond only, so the two times must be further apart.
    assume(edge_s - t_s > 1e-5)
    before = rhythm.level(t_s, phase)
    assert rhythm.level((t_s + edge_s) / 2, phase) == before
    assert rhythm.level(edge_s, phase) != before


RED, GREEN = Colour(255, 0, 0), Colour(0, 255, 0)
PIXELS = {"a1": 0, "a2": 1, "circle.0": 3}


def test_compose_upper_layers_cover_lower_ones_and_follow_rhythm_and_phase():
    lower = {"a1": Glow(RED), "a2": Glow(RED), "turn9.0": Glow(RED)}
    frame = compose([lower, {"a1": Glow(GREEN), "circle.0": Glow(GREEN)}], PIXELS, 4, 0.0)
    assert frame == (GREEN, RED, DARK, GREEN)
    layers = [{"a1": Glow(RED, Rhythm.FLASH), "a2": Glow(RED, Rhythm.FLASH, 0.5)}]
    assert compose(layers, PIXELS, 4, 0.05)[:2] == (RED, DARK)
    assert compose(layers, PIXELS, 4, 0.15)[:2] == (DARK, RED)
    layers = [{"a1": Glow(RED, Rhythm.WINK)}, {"a2": Glow(RED, Rhythm.BLINK)}]
    assert next_change(layers, 0.0) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("power", "frame", "shown"),
    [
        (Power(0.5, 2.0, 10_000), (Colour(255, 128, 0),), (Colour(128, 32, 0),)),
        # Dark stays dark, and faint light visible.
        (Power(0.3, 2.8, 10_000), (DARK, Colour(1, 0, 2)), (DARK, Colour(1, 0, 1))),
    ],
)
def test_correct_applies_gamma_then_brightness(power, frame, shown):
    assert correct(frame, power) == shown


def test_current_counts_twenty_ma_a_channel_and_one_a_pixel_unless_its_pixels_draw_less():
    assert current_ma((WHITE, Colour(255, 0, 0), DARK)) == pytest.approx(83.0)
    assert current_ma((WHITE,), 12) == pytest.approx(37.0)
    power = Power(brightness=1.0, gamma=1.0, budget_ma=41)
    assert correct((WHITE,), power) == (Colour(170, 170, 170),)
    assert correct((WHITE,), schema.replace(power, channel_ma=12)) == (WHITE,)


COLOURS = st.builds(Colour, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))


@given(
    st.lists(COLOURS, min_size=1, max_size=120),
    st.floats(0.0, 1.0),
    st.floats(1.0, 4.0),
    st.integers(121, 8000),
)
def test_correct_never_exceeds_the_budget(colours, brightness, gamma, budget_ma):
    frame = correct(tuple(colours), Power(brightness, gamma, budget_ma))
    assert current_ma(frame) <= budget_ma + 1e-6


@given(COLOURS)
def test_on_screen_undoes_gamma_and_brightness_for_clear_colours(colour):
    power = Power(brightness=0.6, gamma=2.2, budget_ma=1_000_000)
    back = on_screen(correct((colour,), power), power)[0]
    for was, is_now in zip(
        (colour.red, colour.green, colour.blue), (back.red, back.green, back.blue), strict=True
    ):
        # Dim levels are few on eight bits, so they come back coarse.
        assert abs(was - is_now) <= (3 if was > 100 else 26)


class Shelf:
    """A platform whose strip can be plugged in and out; counts the calls to it."""

    def __init__(self):
        self.there = True
        self.tried = 0
        self.shown = []
        self.closed = 0

    def open(self):
        self.tried += 1
        if not self.there:
            raise LightsFault("device is missing")
        return self

    def show(self, frame):
        if not self.there:
            raise OSError(5, "no answer")
        self.shown.append(frame)

    def close(self):
        self.closed += 1
        if not self.there:
            raise OSError(19, "no device")


@pytest.fixture
def shelf():
    return Shelf()


def test_lights_send_the_frame_again_for_pixels_that_lost_power_until_closed(shelf):
    lights = Lights(shelf.open, 1, 10.0)
    lights.show((RED,), 10.0)
    assert lights.due() == 10.0 + REFRESH_S
    lights.attend(10.0 + REFRESH_S / 2)
    assert len(shelf.shown) == 2
    lights.attend(10.0 + REFRESH_S)
    assert shelf.shown == [(DARK,), (RED,), (RED,)]
    assert lights.due() == 10.0 + 2 * REFRESH_S
    lights.close()
    lights.close()
    assert shelf.closed == 1
    assert lights.lit() == (DARK,)
    assert lights.due() == inf
    lights.attend(100.0)
    lights.show((WHITE,), 100.0)
    assert shelf.shown[-1] == (RED,)


def test_lights_that_fail_are_dark_until_they_show_the_newest_frame(shelf):
    lights = Lights(shelf.open, 1, 10.0)
    lights.show((RED,), 10.0)
    shelf.there = False
    lights.show((WHITE,), 10.1)
    assert isinstance(lights.fault, LightsFault)
    assert "takes no frames: [Errno 5] no answer" in str(lights.fault)
    assert lights.lit() == (DARK,)
    assert shelf.closed == 1
    shelf.there = True
    lights.show((RED,), 10.2)
    lights.show((WHITE,), 10.3)
    assert shelf.shown[-1] == (RED,)
    lights.attend(10.1 + RETRY_S)
    assert shelf.shown[-1] == lights.lit() == (WHITE,)


def test_lights_try_again_in_time(shelf):
    shelf.there = False
    lights = Lights(shelf.open, 1, 0.0)
    for n in range(1, 8):
        assert lights.due() == n * RETRY_S
        lights.attend(lights.due() - 1e-6)
        lights.attend(lights.due())
    assert str(lights.fault) == "device is missing"
    assert shelf.tried == 8
