"""Layers, gamma and the current budget."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.lights import (
    DARK,
    WHITE,
    Colour,
    Glow,
    Power,
    Rhythm,
    compose,
    correct,
    current_ma,
    on_screen,
)
from hal.lights.frame import next_change

RED, GREEN = Colour(255, 0, 0), Colour(0, 255, 0)
PIXELS = {"a1": 0, "a2": 1, "circle.0": 3}


def test_compose_upper_layers_cover_lower_ones():
    lower = {"a1": Glow(RED), "a2": Glow(RED), "turn9.0": Glow(RED)}
    frame = compose([lower, {"a1": Glow(GREEN), "circle.0": Glow(GREEN)}], PIXELS, 4, 0.0)
    assert frame == (GREEN, RED, DARK, GREEN)


def test_compose_follows_rhythm_and_phase():
    layers = [{"a1": Glow(RED, Rhythm.FLASH), "a2": Glow(RED, Rhythm.FLASH, 0.5)}]
    assert compose(layers, PIXELS, 4, 0.05)[:2] == (RED, DARK)
    assert compose(layers, PIXELS, 4, 0.15)[:2] == (DARK, RED)


def test_next_change_is_the_earliest_of_all_layers():
    layers = [{"a1": Glow(RED, Rhythm.WINK)}, {"a2": Glow(RED, Rhythm.BLINK)}]
    assert next_change(layers, 0.0) == pytest.approx(0.5)


def test_correct_keeps_dark_dark_and_faint_light_visible():
    power = Power(brightness=0.3, gamma=2.8, budget_ma=10_000)
    assert correct((DARK, Colour(1, 0, 2)), power) == (DARK, Colour(1, 0, 1))


def test_correct_applies_gamma_then_brightness():
    power = Power(brightness=0.5, gamma=2.0, budget_ma=10_000)
    assert correct((Colour(255, 128, 0),), power) == (Colour(128, 32, 0),)


def test_current_counts_twenty_ma_a_channel_and_one_a_pixel():
    assert current_ma((WHITE, Colour(255, 0, 0), DARK)) == pytest.approx(83.0)


def test_correct_dims_pixels_of_less_current_less():
    power = Power(brightness=1.0, gamma=1.0, budget_ma=41)
    hungry, frugal = (
        correct((WHITE,), replace(power, channel_ma=channel_ma))[0] for channel_ma in (20, 12)
    )
    assert hungry == Colour(170, 170, 170)
    assert frugal == WHITE
    assert current_ma((WHITE,), 12) == pytest.approx(37.0)


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
