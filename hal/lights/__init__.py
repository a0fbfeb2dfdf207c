"""Colours, rhythms and layers become frames, for a strip that may fail. They know no profile."""

from hal.lights.frame import (
    DARK,
    FRAMES_PER_S,
    IDLE_MA,
    WHITE,
    Colour,
    Frame,
    Glow,
    Layer,
    Lights,
    Pixels,
    Power,
    Rhythm,
    check_length,
    compose,
    correct,
    flashes,
    levels,
    next_change,
    on_screen,
)
