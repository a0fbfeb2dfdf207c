"""The board as a device: cells in, colours out. It knows no game."""

from hal.backends.backend import Backend, Hands
from hal.backends.device import Device
from hal.backends.mock import MockBackend
from hal.backends.registry import open_backend
from hal.base.errors import BackendError, HalError, LightError, ProfileError, SensorFault, SpotError
from hal.base.events import CellTouch, Event, KeyTouch, Moment, Palm, Sensed
from hal.lights.colour import DARK, WHITE, Colour
from hal.lights.frame import Frame, Glow, Layer, Power, on_screen
from hal.lights.rhythm import Rhythm
from hal.profile import Profile, built_in, built_in_names, load

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
