"""Colours, rhythms and layers become frames, which are sent to a strip that may fail.

Owns composing, correcting and limiting frames. Must not know profiles or how pixels are driven.
"""

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
    next_change,
    on_screen,
)
from hal.lights.rhythm import FRAMES_PER_S, Flashes, Rhythm
from hal.lights.strip import Lights, Pixels
