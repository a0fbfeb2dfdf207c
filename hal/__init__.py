"""The board as a device: cells in, colours out. It knows no game."""

from hal.backend import Backend, Hands, Sensed, open_backend
from hal.colour import DARK, WHITE, Colour
from hal.device import Device
from hal.errors import (
    BackendError,
    HalError,
    LightError,
    ProfileError,
    SensorFault,
    SpotError,
)
from hal.events import CellTouch, Event, KeyTouch, Moment, Palm
from hal.light import Frame, Glow, Layer, Power, on_screen
from hal.mock import MockBackend
from hal.profile import Profile, built_in, built_in_names, load
from hal.rhythm import Rhythm

__all__ = [
    "DARK",
    "WHITE",
    "Backend",
    "BackendError",
    "CellTouch",
    "Colour",
    "Device",
    "Event",
    "Frame",
    "Glow",
    "HalError",
    "Hands",
    "KeyTouch",
    "Layer",
    "LightError",
    "MockBackend",
    "Moment",
    "Palm",
    "Power",
    "Profile",
    "ProfileError",
    "Rhythm",
    "Sensed",
    "SensorFault",
    "SpotError",
    "built_in",
    "built_in_names",
    "load",
    "on_screen",
    "open_backend",
]
