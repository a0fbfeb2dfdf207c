"""Colours, rhythms and layers become frames, for a strip that may fail. They know no profile."""

from hal.lights.frame import (
    DARK,
    IDLE_MA,
    WHITE,
    Colour,
    Frame,
    Glow,
    Layer,
    Power,
    check_length,
    compose,
    correct,
    current_ma,
    levels,
    next_change,
    on_screen,
)
from hal.lights.rhythm import FRAMES_PER_S, Rhythm, flashes
from hal.lights.strip import Lights, Pixels
